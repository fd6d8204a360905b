"""A match as the rows of the database: its games, and of each game the turns."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.archive.database import UNIT
from gnubg_nactation.backgammon.analysis import CubeAct
from gnubg_nactation.backgammon.ids import pack_position
from gnubg_nactation.backgammon.match import (
    Double,
    Drop,
    Game,
    Match,
    Move,
    SetCube,
    Take,
    count_moves,
    move_numbers,
    stake_problem,
)
from gnubg_nactation.backgammon.notation import format_portions
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.decisions.severity import cube_of, luck_of, play_of
from gnubg_nactation.sequences.notation import sequence, start_prefix
from gnubg_nactation.showing import LONGEST_NAME, shown
from gnubg_nactation.values import NamedTuple

# To be raised with whatever changes the rows of a file: how it is read, how plays are named, what
# is told of them. Files of another number are read again.
CONTENT = 2
_MOST = 10**12  # what is more was never meant, and SQLite has numbers of 64 bits
_MOST_CUBE = 1 << 20
_MOST_EQUITY = 1000.0


class TurnRow(NamedTuple):
    """A turn as in the table `turns`, but for its game; the `level` by its name."""

    position: bytes
    roll: int
    turn: int
    player: int
    cube: int
    owner: int | None
    nactation: str
    play: str
    result: int | None
    adjusted: int | None
    luck: int | None
    error: int | None
    missed: int | None
    level: str | None
    best: str | None


class GameRow(NamedTuple):
    """A game as in the table `games`, but for its match, with its turns."""

    number: int
    first_score: int
    second_score: int
    crawford: bool
    winner: int | None
    points: int
    invalid_because: str
    sequence: str
    turns: tuple[TurnRow, ...]
    moves: str = ""


class MatchRow(NamedTuple):
    """A match as in the table `matches`, but for its file, with its games.

    `content` is the same for the same match in two files, of whatever formats. `analysed` counts
    the turns that were judged.
    """

    content: bytes
    analysed: int
    players: tuple[str, str]
    event: str
    date: str
    length: int
    jacoby: bool
    invalid_because: str
    games: tuple[GameRow, ...]


def match_row(annotated: AnnotatedMatch, *, cut: bool = False) -> MatchRow:
    """The rows of a match; `cut` says that only the beginnings of its games were analysed.

    Then no result is adjusted: of those games only the short ones could be, and their mean would
    be one of short games.
    """
    match = annotated.match
    invalid_because = _why_match_invalid(match)
    games = tuple(
        [
            _game_row(match, game, invalid_because=invalid_because, cut=cut)
            for game in annotated.games
        ]
    )
    headers = {name.lower(): text for name, text in match.headers}
    players = _player(match.players[0]), _player(match.players[1])
    return MatchRow(
        _content(players, match.length, games),
        sum(turn.level is not None for game in games for turn in game.turns),
        players,
        shown(headers.get("event", ""), LONGEST_NAME),
        _date(headers.get("eventdate", "") or headers.get("date", "")),
        _bounded(match.length),
        match.jacoby,
        invalid_because,
        games,
    )


_RATING = re.compile(r",\d{3,4}$", re.ASCII)  # of GridGammon, another one in each match


def _player(name: str) -> str:
    return _RATING.sub("", shown(name, LONGEST_NAME))


_DATE = re.compile(r"(\d{4})[-./](\d\d?)[-./](\d\d?)(?!\d)", re.ASCII)


def _date(text: str) -> str:
    """The day in ISO form; empty for what is no day."""
    found = _DATE.match(text.strip())
    try:
        return date(*map(int, found.groups())).isoformat() if found else ""
    except ValueError:
        return ""


def _content(players: tuple[str, str], length: int, games: Sequence[GameRow]) -> bytes:
    """What a match is known by, whatever format tells it.

    Cube actions are left out: they show in the cube, and some formats omit a take.
    """
    names = [" ".join(name.replace("_", " ").split()).casefold() for name in players]
    digest = hashlib.blake2b(repr((names, length)).encode(), digest_size=16)
    for game in games:
        if game.turns or game.winner is not None:
            result = game.first_score, game.second_score, game.winner, game.points
            digest.update(repr(result).encode())
        for position, roll, _, player, cube, _, nactation, *_ in game.turns:
            if roll:
                digest.update(b"%s%d %d %d " % (position, roll, player, cube))
                digest.update(nactation.encode())
    return digest.digest()


def _game_row(match: Match, game: AnnotatedGame, *, invalid_because: str, cut: bool) -> GameRow:
    unfit = _why_game_invalid(match, game)
    won = game.points if game.winner is Player.FIRST else -game.points
    points = None if game.winner is None or invalid_because or unfit else (won, -won)
    adjusts = not cut and all(_luck(turn) is not None for turn in game.turns if _rolls(turn))
    turns = []
    later = 0  # the luck of the first player in the rolls that come
    for turn in reversed(game.turns):
        if row := _turn_row(turn, points, later if adjusts else None):
            turns.append(row)
        if adjusts and turn.state:
            luck = (_luck(turn) or 0) * turn.state.cube
            later += -luck if turn.action.player else luck
    turns.reverse()
    return GameRow(
        _bounded(game.number),
        _bounded(game.score[0]),
        _bounded(game.score[1]),
        game.crawford,
        None if game.winner is None else int(game.winner),
        _bounded(game.points),
        unfit,
        _sequence(game),
        tuple(turns),
        _moves(game, turns),
    )


def _rolls(turn: AnnotatedTurn) -> bool:
    return isinstance(turn.action, Move)


def _luck(turn: AnnotatedTurn) -> int | None:
    return _units(luck_of(turn))


def _units(points: float | None) -> int | None:
    """The points in units; None for more than can be meant."""
    return round(points * UNIT) if points is not None and abs(points) < _MOST_EQUITY else None


def _bounded(number: int) -> int:
    """The number, or one that can be stored where it is absurd."""
    return max(-_MOST, min(number, _MOST))


def _why_match_invalid(match: Match) -> str:
    """Why the results of a match are impossible; empty if they are possible."""
    for game in match.games:
        if max(game.score) >= match.length > 0:
            first, second = game.score
            return f"game {game.number} begins at {first} to {second}, to {match.length} points"
    return ""


def _why_game_invalid(match: Match, game: AnnotatedGame) -> str:
    """Why the result of a game is impossible; empty if it is possible."""
    if game.winner is None:
        return ""
    return stake_problem(match, game, game.turns) or _most_problem(game)


def _most_problem(game: Game) -> str:
    """What is wrong with the points of a game by what was done about the cube, on any board."""
    cube = game.cube
    for action in game.actions:
        match action:
            case Double():
                cube *= 2
            case SetCube(value=value):
                cube = max(cube, value)
    if 0 < game.points <= 3 * cube <= 3 * _MOST_CUBE:
        return ""
    return f"the points won are {_bounded(game.points)}, with the cube at most at {_bounded(cube)}"


def _sequence(game: AnnotatedGame) -> str:
    state = game.turns[0].state if game.turns else None
    return start_prefix(state.position if state else None) + sequence(
        (turn, turn.name) for turn in game.turns
    )


def _moves(game: AnnotatedGame, turns: Sequence[TurnRow]) -> str:
    """The numbers of the moves of turns; empty if they can be counted without the record."""
    if len(turns) == len(game.turns):
        return ""
    pairs = zip(game.turns, move_numbers(game.turns), strict=True)
    numbers = {turn.number: move for turn, move in pairs}
    moves = [numbers[turn.turn] for turn in turns]
    if moves == count_moves(Player(turn.player) for turn in turns):
        return ""
    return " ".join(map(str, moves))


_written = lru_cache(maxsize=1 << 14)(format_portions)  # the same plays come again and again
_RAISES = {1: CubeAct.DOUBLE.value, 2: "beaver", 3: "raccoon"}


def _turn_row(
    turn: AnnotatedTurn, points: tuple[int, int] | None, later: int | None
) -> TurnRow | None:
    """The row of a turn; None for what is no roll that was played or cube action on a known board.

    `points` are what the game brought both, `later` the luck of the first player after the turn.
    """
    action, state = turn.action, turn.state
    if state is None:
        return None
    play = play_of(turn)
    cube = cube_of(turn)
    luck = missed = None
    roll, name, played, best = 0, "", "", None
    match action:
        case Move():
            if turn.play is None and turn.plays:
                return None
            roll = 10 * action.roll.high + action.roll.low
            name = turn.nactation
            played = _written(turn.play.portions) if turn.play else ""
            luck = _luck(turn)
            error = play.error if play and len(turn.plays) > 1 else None
            missed = _units(cube.error) if cube else None
            best = str(turn.best.nactation) if turn.best else None
        case Double():
            name = _RAISES.get(turn.raised, _RAISES[3])
            error = cube.error if cube else None
        case Take() | Drop():
            name = (CubeAct.TAKE if isinstance(action, Take) else CubeAct.DROP).value
            error = cube.error if cube else None
        case _:
            return None
    player = int(action.player)
    result = adjusted = None
    if points is not None:
        result = points[player]
        if later is not None:
            adjusted = result * UNIT - (-later if player else later)
    judge = play.best if play else None
    level = judge.method if judge else cube.method if cube else None
    return TurnRow(
        pack_position(state.position),
        roll,
        turn.number,
        player,
        _bounded(state.cube),
        None if state.owner is None else int(state.owner),
        name,
        played,
        result,
        adjusted,
        luck,
        _units(error),
        missed,
        level,
        best,
    )
