"""Converts a match to rows of the database: its games and their turns."""

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
from gnubg_nactation.decisions.severity import NEAR_DOUBLE, cube_of, is_close, luck_of, play_of
from gnubg_nactation.sequences.notation import sequence, start_prefix
from gnubg_nactation.showing import LONGEST_NAME, shown
from gnubg_nactation.values import NamedTuple

# Increase it when the rows of a file change, because files are read or plays are named in another
# way. `index` reads files with another number again.
CONTENT = 4
_MAX_NUMBER = 10**12  # SQLite has numbers of 64 bits
_MAX_CUBE = 1 << 20
_MAX_EQUITY = 1000.0


class TurnRow(NamedTuple):
    """A row of the table `turns` without its game; `level` is a name."""

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
    near: int | None


class GameRow(NamedTuple):
    """A row of the table `games` without its match, with its turns."""

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
    """A row of the table `matches` without its file, with its games.

    `content` identifies the match, whatever the format of its file. `analysed` counts the analysed
    turns.
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
    """Return the rows of a match; `cut` means that only the first turns of games were analysed.

    Then no result is adjusted: only short games could be, which would bias the mean.
    """
    match = annotated.match
    invalid_because = _why_match_invalid(match)
    games = tuple(
        [_game_row(match, game, not invalid_because, cut=cut) for game in annotated.games]
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


_RATING = re.compile(r",\d{3,4}$", re.ASCII)  # of GridGammon; it changes with each match


def _player(name: str) -> str:
    return _RATING.sub("", shown(name, LONGEST_NAME))


_DATE = re.compile(r"(\d{4})[-./](\d\d?)[-./](\d\d?)(?!\d)", re.ASCII)


def _date(text: str) -> str:
    """Return the date in ISO form; empty if it is not a date."""
    match = _DATE.match(text.strip())
    try:
        return date(*map(int, match.groups())).isoformat() if match else ""
    except ValueError:
        return ""


def _content(players: tuple[str, str], length: int, games: Sequence[GameRow]) -> bytes:
    """Return a digest that identifies a match in any format.

    Cube actions are left out: the cube's values show them, and some formats omit takes.
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


def _game_row(match: Match, game: AnnotatedGame, is_valid: bool, *, cut: bool) -> GameRow:
    invalid_because = _why_game_invalid(match, game)
    won = game.points if game.winner is Player.FIRST else -game.points
    points = (won, -won) if game.winner is not None and is_valid and not invalid_because else None
    rolls = [turn for turn in game.turns if isinstance(turn.action, Move)]
    adjusts = not cut and all(_luck(turn) is not None for turn in rolls)
    turns = []
    later = 0  # the first player's luck in later rolls
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
        invalid_because,
        _sequence(game),
        tuple(turns),
        _moves(game, turns),
    )


def _luck(turn: AnnotatedTurn) -> int | None:
    return _units(luck_of(turn))


def _units(points: float | None) -> int | None:
    """Convert points to units; None if there are too many."""
    return round(points * UNIT) if points is not None and abs(points) < _MAX_EQUITY else None


def _bounded(number: int) -> int:
    return max(-_MAX_NUMBER, min(number, _MAX_NUMBER))


def _why_match_invalid(match: Match) -> str:
    """Explain why the results of a match are impossible; empty if they are possible."""
    for game in match.games:
        if max(game.score) >= match.length > 0:
            first, second = game.score
            return f"game {game.number} begins at {first} to {second}, to {match.length} points"
    return ""


def _why_game_invalid(match: Match, game: AnnotatedGame) -> str:
    """Explain why the result of a game is impossible; empty if it is possible."""
    if game.winner is None:
        return ""
    if problem := stake_problem(match, game, game.turns):
        return problem
    cube = game.cube  # at most, if the board is unknown
    for action in game.actions:
        match action:
            case Double():
                cube *= 2
            case SetCube(value=value):
                cube = max(cube, value)
    if 0 < game.points <= 3 * cube <= 3 * _MAX_CUBE:
        return ""
    return f"the points won are {_bounded(game.points)}, with the cube at most at {_bounded(cube)}"


def _sequence(game: AnnotatedGame) -> str:
    state = game.turns[0].state if game.turns else None
    return start_prefix(state.position if state else None) + sequence(
        (turn, turn.name) for turn in game.turns
    )


def _moves(game: AnnotatedGame, turns: Sequence[TurnRow]) -> str:
    """Return the move numbers of turns; empty if they follow from the players."""
    if len(turns) == len(game.turns):
        return ""
    pairs = zip(game.turns, move_numbers(game.turns), strict=True)
    numbers = {turn.number: move for turn, move in pairs}
    moves = [numbers[turn.turn] for turn in turns]
    if moves == count_moves(Player(turn.player) for turn in turns):
        return ""
    return " ".join(map(str, moves))


_format_portions = lru_cache(maxsize=1 << 14)(format_portions)  # plays repeat
_RAISES = {1: CubeAct.DOUBLE.value, 2: "beaver", 3: "raccoon"}


def _turn_row(
    turn: AnnotatedTurn, points: tuple[int, int] | None, later: int | None
) -> TurnRow | None:
    """Return the row of a turn; None unless it is a legal play or a cube action on a known board.

    `points` are both players' results of the game, `later` is the first player's later luck.
    """
    action, state = turn.action, turn.state
    if state is None:
        return None
    play = play_of(turn)
    cube = cube_of(turn)
    luck = missed = None
    roll, name, text, best = 0, "", "", None
    match action:
        case Move():
            if turn.play is None and turn.plays:
                return None
            roll = 10 * action.roll.high + action.roll.low
            name = turn.nactation
            text = _format_portions(turn.play.portions) if turn.play else ""
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
        text,
        result,
        adjusted,
        luck,
        _units(error),
        missed,
        level,
        best,
        int(is_close(cube, NEAR_DOUBLE)) if cube else None,
    )
