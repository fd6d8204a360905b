"""Reads the records of an .xg file into a Match."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

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
from gnubg_nactation.files.xg.archive import COMMENTS, GAMES, unpack
from gnubg_nactation.files.xg.records import (
    CubeRecord,
    GameEnd,
    GameHead,
    MatchHead,
    MoveRecord,
    Record,
    read_records,
)
from gnubg_nactation.files.xg.rtf import read_comments
from gnubg_nactation.values import NamedTuple

_UNLIMITED = 99999  # the length of a money session
_SIGN_AT, _SIGN = 556, b"DMLI"
_VARIATIONS = ("backgammon", "nackgammon", "hypergammon")
_TAGS = ("EventDate", "Event", "Round", "Site", "Transcriber")
_RESIGNED = range(100, 1000)  # ways to end a game
_BOARD = struct.Struct("26b")
_MAX_POWER = 20  # of two, for a cube
_DOUBLED, _DROPPED, _TAKEN, _TURNED_AGAIN = 1, 0, 1, 2

_Board = tuple[int, ...]  # as Position.points, numbered from the first player


def read(data: bytes) -> Match:
    """Read an .xg file; raises MalformedError."""
    parts = unpack(data, frozenset((GAMES, COMMENTS)))
    part = parts.get(GAMES, b"")
    if part[_SIGN_AT : _SIGN_AT + len(_SIGN)] != _SIGN:
        raise MalformedError("an .xg file without a match")
    problems: list[str] = []
    records = _undamaged(read_records(part), problems)
    head = next(records, None)
    if not isinstance(head, MatchHead):
        raise MalformedError("an .xg file that does not begin with a match")
    comments = read_comments(parts.get(COMMENTS, b""), problems)
    is_known = 0 <= head.variation < len(_VARIATIONS)
    start = VARIATIONS[_VARIATIONS[head.variation]] if is_known else STANDARD
    figures = Figures()
    games = tuple(_games(records, start, comments, problems, figures))
    if not games:
        raise MalformedError("; ".join(["an .xg file without a game", *problems]))
    values = (head.date, head.event, head.round, head.site, head.transcriber)
    length = 0 if head.length >= _UNLIMITED else max(head.length, 0)
    return Match(
        players=head.players,
        length=length,
        games=games,
        start=start,
        jacoby=head.jacoby and not length,
        headers=tuple((tag, text) for tag, text in zip(_TAGS, values, strict=True) if text),
        comments=_pick(comments, *head.comments),
        problems=(*problems, *figures.problems),
    )


def _undamaged(records: Iterator[Record], problems: list[str]) -> Iterator[Record]:
    """Yield the records up to the first damaged one, which becomes a problem."""
    try:
        yield from records
    except MalformedError as error:
        problems.append(str(error))


class _Table(NamedTuple):
    """The board and the cube after the actions of a game so far."""

    board: _Board  # numbered from the first player; empty if unknown
    power: int = 0  # of two, the cube's value; negative if the second player owns it
    no_double: CubeAnalysis | None = None  # of the coming roll's player


def _games(
    records: Iterator[Record],
    start: Position,
    comments: Sequence[str],
    problems: list[str],
    figures: Figures,
) -> Iterator[Game]:
    """Yield the games; skip records outside games."""
    head: GameHead | None = None
    actions: list[Action] = []
    table = _Table(start.points)
    for record in records:
        if isinstance(record, GameHead):
            if head:
                yield _game(head, actions, None, comments)
            head, actions, table = record, [], _Table(start.points)
        elif head and isinstance(record, CubeRecord | MoveRecord):
            try:
                table = _act(record, table, comments, actions, figures)
            except MalformedError as error:
                problems.append(f"game {head.number}: {error}")
        elif head and isinstance(record, GameEnd):
            yield _game(head, actions, record, comments)
            head = None
    if head:
        yield _game(head, actions, None, comments)


def _game(
    head: GameHead, actions: Sequence[Action], end: GameEnd | None, comments: Sequence[str]
) -> Game:
    winner, points, resigned = None, 0, False
    if end and end.winner:
        winner = _side(end.winner)
        points = max(end.points, 0)
        resigned = end.way in _RESIGNED
    return Game(
        number=head.number,
        score=(max(head.score[0], 0), max(head.score[1], 0)),
        actions=(*actions, *([Resign(winner.other)] if winner is not None and resigned else [])),
        winner=winner,
        points=points,
        resigned=resigned,
        crawford=head.crawford,
        cube=1 << min(max(head.autos, 0), _MAX_POWER),
        comments=_pick(comments, *head.comments),
    )


def _act(
    record: CubeRecord | MoveRecord,
    table: _Table,
    comments: Sequence[str],
    actions: list[Action],
    figures: Figures,
) -> _Table:
    """Append the actions of a record, after its board and cube if they differ from the table.

    Raises MalformedError for an impossible board or roll.
    """
    player, board, power = _side(record.side), record.board, record.power
    if board != table.board and any(board):
        actions.append(SetPosition(player, Position(_seen_by(player, board))))
        table = table._replace(board=board)
    if power != table.power and abs(power) <= _MAX_POWER:
        owner = _side(power) if power else None
        actions.append(SetCube(1 << abs(power), owner))
        table = table._replace(power=power)
    comment = _comment(comments, record.comment)
    if isinstance(record, MoveRecord):
        hops = read_hops(record.places) if record.is_played else ()
        analysis = read_move(record, table.no_double, figures)
        actions.append(Move(player, Roll(*record.dice), hops, comment=comment, analysis=analysis))
        return _Table(_after(player, table.board, hops, record.reached), table.power)
    if record.double != _DOUBLED:
        return table._replace(no_double=read_cube(CubeAct.NO_DOUBLE, record, figures))
    doubled = [*_doubled(player, record, comment, figures)]
    actions += doubled
    size = abs(table.power) + sum(isinstance(action, Double) for action in doubled)
    return _Table(table.board, -size if player is Player.FIRST else size)


def _doubled(
    player: Player, record: CubeRecord, comment: str, figures: Figures
) -> Iterator[Action]:
    """Yield a double and its answers; a beaver and a raccoon are doubles again."""
    yield Double(player, comment, analysis=read_cube(CubeAct.DOUBLE, record, figures))
    if record.take == _TURNED_AGAIN:
        yield Double(player.other)
        if record.beaver == _TURNED_AGAIN:
            yield Double(player)
            yield (Take if record.raccoon else Drop)(player.other)
        else:
            yield (Take if record.beaver else Drop)(player)
    elif record.take == _TAKEN:
        yield Take(player.other, analysis=read_cube(CubeAct.TAKE, record, figures))
    elif record.take == _DROPPED:
        yield Drop(player.other, analysis=read_cube(CubeAct.DROP, record, figures))


def _side(sign: int) -> Player:
    """Return the player that a number stands for; positive is the first."""
    return Player.FIRST if sign > 0 else Player.SECOND


def _seen_by(player: Player, board: _Board) -> _Board:
    """Convert a board between the first player's numbering and that of `player`."""
    return board if player is Player.FIRST else tuple([-n for n in reversed(board)])


def _after(player: Player, board: _Board, hops: tuple[Hop, ...], reached: bytes) -> _Board:
    """Return the board after the play; empty if it is not the one in the record."""
    if not board:
        return ()
    try:
        after = force_hops(hops, Position(_seen_by(player, board))).points
    except NactationError:
        return ()
    return _seen_by(player, after) if not hops or after == _BOARD.unpack(reached) else ()


def _comment(comments: Sequence[str], at: int) -> str:
    return comments[at] if 0 <= at < len(comments) else ""


def _pick(comments: Sequence[str], *places: int) -> tuple[str, ...]:
    return tuple(filter(None, [_comment(comments, at) for at in places]))
