"""The records of an .xg file, read to a Match."""

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
from gnubg_nactation.files.xg.analysis import read_cube, read_hops, read_move
from gnubg_nactation.files.xg.archive import GAMES, REMARKS, needed, unpack
from gnubg_nactation.files.xg.remarks import read_remarks
__all__ = ["read"]

_UNLIMITED = 99999  # the length of a money session
_SIGNED, _SIGN = 556, b"DMLI"
_VARIATIONS = ("backgammon", "nackgammon", "hypergammon")
_UNICODE = 24  # the version that has names in Unicode
_TAGS = ("Event", "Round", "Site", "Transcriber")
_NO_DATE = "1899"
_RESIGNED = range(100, 1000)  # how a game may end
_DAMAGED = (EOFError, struct.error, ValueError, OverflowError, IndexError)
_BOARD = 26
_LARGEST_POWER = 20  # of two, for a cube
_DOUBLED, _DROPPED, _TAKEN, _TURNED_AGAIN = 1, 0, 1, 2

_Board = tuple[int, ...]  # as Position.points, numbered from the first player


def read(data: bytes) -> Match:
    """The match of an .xg file; raises MalformedError, also where the extra `xg` is missing."""
    parts = unpack(data, frozenset((GAMES, REMARKS)))
    part = parts.get(GAMES, b"")
    if part[_SIGNED : _SIGNED + len(_SIGN)] != _SIGN:
        raise MalformedError("an .xg file without a match")
    problems: list[str] = []
    records = _records(part, problems)
    head = next(records, None)
    if head is None or _kind(head) != "HeaderMatchEntry":
        raise MalformedError("an .xg file that does not begin with a match")
    remarks = read_remarks(parts.get(REMARKS, b""))
    known = 0 <= head.variation < len(_VARIATIONS)
    start = VARIATIONS[_VARIATIONS[head.variation]] if known else STANDARD
    games = tuple(_games(records, start, remarks, problems))
    if not games:
        raise MalformedError("; ".join(["an .xg file without a game", *problems]))
    unicode = head.version >= _UNICODE
    names = (head.player1, head.player2) if unicode else (head.s_player1, head.s_player2)
    told = (head.event, head.round, head.location, head.transcriber)
    told = told if unicode else (head.s_event, head.s_round, head.s_location, "")
    date = "" if head.date.startswith(_NO_DATE) else head.date[:10].replace("-", ".")
    tags = zip(("EventDate", *_TAGS), (date, *map(_clean, told)), strict=True)
    length = 0 if head.match_length >= _UNLIMITED else max(head.match_length, 0)
    return Match(
        players=(_clean(names[0]), _clean(names[1])),
        length=length,
        games=games,
        start=start,
        jacoby=head.jacoby and not length,
        headers=tuple((tag, text) for tag, text in tags if text),
        comments=_remarks(remarks, head.comment_header_match, head.comment_footer_match),
        problems=tuple(problems),
    )


def _records(part: bytes, problems: list[str]) -> Iterator[Any]:
    """The records up to the first that is damaged, which is a problem."""
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


def _games(
    records: Iterator[Any], start: Position, remarks: Sequence[str], problems: list[str]
) -> Iterator[Game]:
    """The games; a record of a game without a head belongs to none."""
    head: Any = None
    own: list[Any] = []
    for record in records:
        match _kind(record):
            case "HeaderGameEntry":
                if head:
                    yield _game(head, own, None, start, remarks, problems)
                head, own = record, []
            case "CubeEntry" | "MoveEntry":
                own.append(record)
            case "FooterGameEntry" if head:
                yield _game(head, own, record, start, remarks, problems)
                head = None
    if head:
        yield _game(head, own, None, start, remarks, problems)


def _game(  # noqa: PLR0913, PLR0917 - what stands in several places of the file
    head: Any,
    records: Sequence[Any],
    foot: Any,
    start: Position,
    remarks: Sequence[str],
    problems: list[str],
) -> Game:
    where = f"game {head.game_number}"
    cube = 1 << min(max(head.number_of_auto_doubles, 0), _LARGEST_POWER)
    actions = [*_actions(records, start, remarks, where, problems)]
    winner, points, resigned = None, 0, False
    if foot and foot.winner:
        winner = Player.FIRST if foot.winner > 0 else Player.SECOND
        points = max(foot.points_won, 0)
        resigned = foot.termination in _RESIGNED and not _is_borne_off(records, winner)
    if resigned and winner is not None:
        actions.append(Resign(winner.other))
    return Game(
        number=head.game_number,
        score=(max(head.score1, 0), max(head.score2, 0)),
        actions=tuple(actions),
        winner=winner,
        points=points,
        resigned=resigned,
        crawford=head.crawford_apply,
        cube=cube,
        comments=_remarks(remarks, head.comment_header_game, head.comment_footer_game),
    )


def _actions(
    records: Sequence[Any],
    start: Position,
    remarks: Sequence[str],
    where: str,
    problems: list[str],
) -> Iterator[Action]:
    """What was done, with boards and cubes that do not follow from it set up."""
    board: _Board = start.points  # as the actions so far lead to it; empty if unknown
    power = 0  # of two, what the cube shows; negative if it is the second player's
    before: CubeAnalysis | None = None  # the cube that is not turned before the roll
    for record in records:
        player = Player.FIRST if record.active_p > 0 else Player.SECOND
        is_move = _kind(record) == "MoveEntry"
        found, level = (
            (record.position_i, record.cube_a) if is_move else (record.position, record.cube_b)
        )
        if found != board and any(found):
            board = found
            try:
                yield SetPosition(player, Position(_seen_by(player, board)))
            except MalformedError as error:
                problems.append(f"{where}: {error}")
                board = ()
        if level != power and abs(level) <= _LARGEST_POWER:
            power = level
            owner = None if not power else Player.FIRST if power > 0 else Player.SECOND
            yield SetCube(1 << abs(power), owner)
        if is_move:
            try:
                roll = Roll(*record.dice)
            except MalformedError as error:
                problems.append(f"{where}: {error}")
                continue
            hops = read_hops(record.moves) if record.played else ()
            comment = _remark(remarks, record.comment_move)
            yield Move(player, roll, hops, comment=comment, analysis=read_move(record, before))
            board = _after(player, board, hops, record.position_end)
            before = None
        elif record.double == _DOUBLED:
            yield from _doubled(player, record, _remark(remarks, record.comment_cube))
            taker = player.other
            power = abs(power) + 1 if taker is Player.FIRST else -abs(power) - 1
            before = None
        else:
            before = read_cube(CubeAct.NO_DOUBLE, record.doubled)


def _doubled(player: Player, record: Any, comment: str) -> Iterator[Action]:
    """A double and what was answered: a beaver and a raccoon are doubles again."""
    yield Double(player, comment, analysis=read_cube(CubeAct.DOUBLE, record.doubled))
    if record.take == _TURNED_AGAIN:
        yield Double(player.other)
        if record.beaver_r == _TURNED_AGAIN:
            yield Double(player)
            yield (Take if record.raccoon_r else Drop)(player.other)
        else:
            yield (Take if record.beaver_r else Drop)(player)
    elif record.take == _TAKEN:
        yield Take(player.other, analysis=read_cube(CubeAct.TAKE, record.doubled))
    elif record.take == _DROPPED:
        yield Drop(player.other, analysis=read_cube(CubeAct.DROP, record.doubled))


def _seen_by(player: Player, board: _Board) -> _Board:
    """A board of the first player as the player sees it, and the other way round."""
    return board if player is Player.FIRST else tuple([-n for n in reversed(board)])


def _after(player: Player, board: _Board, hops: tuple[Hop, ...], reached: _Board) -> _Board:
    """The board that the play leads to; none if it is not what the record reached."""
    if not board:
        return ()
    try:
        after = force_hops(hops, Position(_seen_by(player, board))).points
    except NactationError:
        return ()
    return _seen_by(player, after) if not hops or after == reached else ()


def _is_borne_off(records: Sequence[Any], winner: Player) -> bool:
    """Whether the game ended with the winner's last checker."""
    last = records[-1] if records else None
    if last is None or _kind(last) != "MoveEntry":
        return False
    player = Player.FIRST if last.active_p > 0 else Player.SECOND
    return player is winner and not any(n > 0 for n in last.position_end)


def _remark(remarks: Sequence[str], at: int) -> str:
    return remarks[at] if 0 <= at < len(remarks) else ""


def _remarks(remarks: Sequence[str], *places: int) -> tuple[str, ...]:
    return tuple(filter(None, [_remark(remarks, at) for at in places]))


def _clean(text: str) -> str:
    """A name whose UTF-16 was read unit by unit, without what surrogates leave alone."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
