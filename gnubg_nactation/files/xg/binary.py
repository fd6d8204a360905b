"""Reads the records of an .xg file into a Match."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import count
from typing import Any

from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis
from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Drop,
    Game,
    Match,
    Move,
    Resign,
    SetCube,
    SetPosition,
    Take,
)
from gnubg_nactation.backgammon.notation import Hop, force_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import STANDARD, VARIATIONS, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError, NactationError
from gnubg_nactation.files.figures import Figures
from gnubg_nactation.files.xg.analysis import read_cube, read_hops, read_move
from gnubg_nactation.files.xg.archive import COMMENTS, GAMES, needed, unpack
from gnubg_nactation.files.xg.rtf import join_surrogates, read_comments
from gnubg_nactation.values import NamedTuple

_UNLIMITED = 99999  # the length of a money session
_SIGN_AT, _SIGN = 556, b"DMLI"
_VARIATIONS = ("backgammon", "nackgammon", "hypergammon")
_UNICODE = 24  # the first version with names in Unicode
_TAGS = ("Event", "Round", "Site", "Transcriber")
_NO_DATE = "1899"
_RESIGNED = range(100, 1000)  # ways to end a game
_DAMAGED = (EOFError, struct.error, ValueError, OverflowError, IndexError)
_MAX_POWER = 20  # of two, for a cube
_DOUBLED, _DROPPED, _TAKEN, _TURNED_AGAIN = 1, 0, 1, 2

_Board = tuple[int, ...]  # as Position.points, numbered from the first player


def read(data: bytes) -> Match:
    """Read an .xg file; raises MalformedError, also if the extra `xg` is not installed."""
    parts = unpack(data, frozenset((GAMES, COMMENTS)))
    part = parts.get(GAMES, b"")
    if part[_SIGN_AT : _SIGN_AT + len(_SIGN)] != _SIGN:
        raise MalformedError("an .xg file without a match")
    problems: list[str] = []
    records = _records(part, problems)
    head = next(records, None)
    if head is None or _kind(head) != "HeaderMatchEntry":
        raise MalformedError("an .xg file that does not begin with a match")
    comments = read_comments(parts.get(COMMENTS, b""), problems)
    is_known = 0 <= head.variation < len(_VARIATIONS)
    start = VARIATIONS[_VARIATIONS[head.variation]] if is_known else STANDARD
    figures = Figures()
    games = tuple(_games(records, start, comments, problems, figures))
    if not games:
        raise MalformedError("; ".join(["an .xg file without a game", *problems]))
    unicode = head.version >= _UNICODE
    names = (head.player1, head.player2) if unicode else (head.s_player1, head.s_player2)
    values = (head.event, head.round, head.location, head.transcriber)
    values = values if unicode else (head.s_event, head.s_round, head.s_location, "")
    date = "" if head.date.startswith(_NO_DATE) else head.date[:10].replace("-", ".")
    tags = zip(("EventDate", *_TAGS), (date, *map(join_surrogates, values)), strict=True)
    length = 0 if head.match_length >= _UNLIMITED else max(head.match_length, 0)
    return Match(
        players=(join_surrogates(names[0]), join_surrogates(names[1])),
        length=length,
        games=games,
        start=start,
        jacoby=head.jacoby and not length,
        headers=tuple((tag, text) for tag, text in tags if text),
        comments=_pick(comments, head.comment_header_match, head.comment_footer_match),
        problems=(*problems, *figures.problems),
    )


def _records(part: bytes, problems: list[str]) -> Iterator[Any]:
    """Yield the records up to the first damaged one, which becomes a problem."""
    layouts = needed("xgparse.xgstruct")
    stream, version = BytesIO(part), -1
    for number in count(1):
        try:
            record = layouts.read_game_record(stream, version)
        except _DAMAGED as error:
            problems.append(f"record {number}: damaged, and the rest is not read ({error})")
            return
        if record is None:
            return
        version = record.version
        yield record


def _kind(record: Any) -> str:
    return type(record).__name__


class _Table(NamedTuple):
    """The board and the cube after the actions of a game so far."""

    board: _Board  # numbered from the first player; empty if unknown
    power: int = 0  # of two, the cube's value; negative if the second player owns it
    no_double: CubeAnalysis | None = None  # of the coming roll's player


def _games(
    records: Iterator[Any],
    start: Position,
    comments: Sequence[str],
    problems: list[str],
    figures: Figures,
) -> Iterator[Game]:
    """Yield the games one by one, as a record takes 30 KB; skip records outside games."""
    head: Any = None
    actions: list[Action] = []
    table = _Table(start.points)
    for record in records:
        match _kind(record):
            case "HeaderGameEntry":
                if head:
                    yield _game(head, actions, None, comments)
                head, actions, table = record, [], _Table(start.points)
            case "CubeEntry" | "MoveEntry" if head:
                try:
                    table = _act(record, table, comments, actions, figures)
                except MalformedError as error:
                    problems.append(f"game {head.game_number}: {error}")
            case "FooterGameEntry" if head:
                yield _game(head, actions, record, comments)
                head = None
    if head:
        yield _game(head, actions, None, comments)


def _game(head: Any, actions: Sequence[Action], foot: Any, comments: Sequence[str]) -> Game:
    winner, points, resigned = None, 0, False
    if foot and foot.winner:
        winner = _side(foot.winner)
        points = max(foot.points_won, 0)
        resigned = foot.termination in _RESIGNED
    return Game(
        number=head.game_number,
        score=(max(head.score1, 0), max(head.score2, 0)),
        actions=(*actions, *([Resign(winner.other)] if winner is not None and resigned else [])),
        winner=winner,
        points=points,
        resigned=resigned,
        crawford=head.crawford_apply,
        cube=1 << min(max(head.number_of_auto_doubles, 0), _MAX_POWER),
        comments=_pick(comments, head.comment_header_game, head.comment_footer_game),
    )


def _act(
    record: Any,
    table: _Table,
    comments: Sequence[str],
    actions: list[Action],
    figures: Figures,
) -> _Table:
    """Append the actions of a record, after its board and cube if they differ from the table.

    Raises MalformedError for an impossible board or roll.
    """
    player = _side(record.active_p)
    is_move = _kind(record) == "MoveEntry"
    board, power = (
        (record.position_i, record.cube_a) if is_move else (record.position, record.cube_b)
    )
    if board != table.board and any(board):
        actions.append(SetPosition(player, Position(_seen_by(player, board))))
        table = table._replace(board=board)
    if power != table.power and abs(power) <= _MAX_POWER:
        owner = _side(power) if power else None
        actions.append(SetCube(1 << abs(power), owner))
        table = table._replace(power=power)
    if is_move:
        hops = read_hops(record.moves) if record.played else ()
        comment = _comment(comments, record.comment_move)
        analysis = read_move(record, table.no_double, figures)
        actions.append(Move(player, Roll(*record.dice), hops, comment=comment, analysis=analysis))
        return _Table(_after(player, table.board, hops, record.position_end), table.power)
    if record.double != _DOUBLED:
        return table._replace(no_double=read_cube(CubeAct.NO_DOUBLE, record.doubled, figures))
    doubled = [*_doubled(player, record, _comment(comments, record.comment_cube), figures)]
    actions += doubled
    size = abs(table.power) + sum(isinstance(action, Double) for action in doubled)
    return _Table(table.board, -size if player is Player.FIRST else size)


def _doubled(player: Player, record: Any, comment: str, figures: Figures) -> Iterator[Action]:
    """Yield a double and its answers; a beaver and a raccoon are doubles again."""
    yield Double(player, comment, analysis=read_cube(CubeAct.DOUBLE, record.doubled, figures))
    if record.take == _TURNED_AGAIN:
        yield Double(player.other)
        if record.beaver_r == _TURNED_AGAIN:
            yield Double(player)
            yield (Take if record.raccoon_r else Drop)(player.other)
        else:
            yield (Take if record.beaver_r else Drop)(player)
    elif record.take == _TAKEN:
        yield Take(player.other, analysis=read_cube(CubeAct.TAKE, record.doubled, figures))
    elif record.take == _DROPPED:
        yield Drop(player.other, analysis=read_cube(CubeAct.DROP, record.doubled, figures))


def _side(sign: int) -> Player:
    """Return the player that a number stands for; positive is the first."""
    return Player.FIRST if sign > 0 else Player.SECOND


def _seen_by(player: Player, board: _Board) -> _Board:
    """Convert a board between the first player's numbering and that of `player`."""
    return board if player is Player.FIRST else tuple([-n for n in reversed(board)])


def _after(player: Player, board: _Board, hops: tuple[Hop, ...], reached: _Board) -> _Board:
    """Return the board after the play; empty if it is not the one in the record."""
    if not board:
        return ()
    try:
        after = force_hops(hops, Position(_seen_by(player, board))).points
    except NactationError:
        return ()
    return _seen_by(player, after) if not hops or after == reached else ()


def _comment(comments: Sequence[str], at: int) -> str:
    return comments[at] if 0 <= at < len(comments) else ""


def _pick(comments: Sequence[str], *places: int) -> tuple[str, ...]:
    return tuple(filter(None, [_comment(comments, at) for at in places]))
