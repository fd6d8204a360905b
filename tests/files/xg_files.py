"""Files of eXtreme Gammon for tests, in the layout that its author published (xg_format.pas).

Fields that the tests do not need are zero. `python -m tests.files.xg_files` writes the sample
in `sample_matches`.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from gnubg_nactation.backgammon.analysis import CubeAnalysis, MoveAnalysis
from gnubg_nactation.backgammon.match import Double, Drop, Game, Match, Move, Turn, replay
from gnubg_nactation.backgammon.notation import resolve
from gnubg_nactation.backgammon.plays import Portion
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.files.formats import read

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample_matches" / "match-3pt.xg"

Board = Sequence[int]  # as Position.points
_RECORD = 2560
_START = STANDARD.points
_HEADER = 8232
_CANDIDATES = 32


class Plays(NamedTuple):
    """A candidate of a roll: XG's numbers of points, equity, level and the board after it."""

    places: Sequence[int]
    equity: float
    level: int
    reached: Board


class Cube(NamedTuple):
    """The analysis of a cube decision; `flag` is -100 if there is none."""

    no_double: float
    double_take: float
    level: int = 3
    flag: int = 0


# Of each play: to lose a backgammon, a gammon, at all, to win, a gammon, a backgammon.
CHANCES = (0.01, 0.1, 0.375, 0.625, 0.25, 0.02)
NO_ANALYSIS = Cube(0, 0, 0, -100)


def _record(kind: int, *parts: bytes) -> bytes:
    return (bytes(8) + bytes([kind]) + b"".join(parts)).ljust(_RECORD, b"\0")


def _short(text: str, size: int) -> bytes:
    raw = text.encode("cp1252", "replace")[: size - 1]
    return (bytes([len(raw)]) + raw).ljust(size, b"\0")


def _wide(text: str) -> bytes:
    return text.encode("utf-16-le")[:256].ljust(258, b"\0")


def _board(points: Board) -> bytes:
    return struct.pack("<26b", *points)


def header(
    players: tuple[str, str] = ("Anna", "Bj\u00f6rn"),
    length: int = 7,
    *,
    version: int = 30,
    variation: int = 0,
    jacoby: bool = False,
    event: str = "",
    comment: int = -1,
) -> bytes:
    """The first record, of a match from noon of 1 March 2024."""
    day = 45352.5  # since 30 December 1899
    old = [
        *(_short(name, 41) for name in players),
        struct.pack("<xll4B2d2ld", length, variation, 1, jacoby, 0, 0, 0, 0, 0, 0, day),
        _short(event, 129) + bytes(3 + 15),
        bytes(129 + 4 + 1 + 129 + 2),
        struct.pack("<llLl2l3B", 0, version, 0x494C4D44, 0, 0, 0, 0, 0, 0),
        struct.pack("<2x2lB3x2fl2fl", comment, -1, 0, 0, 0, 0, 0, 0, -1)[1:],
    ]
    new = [bytes(8 + 2), *map(_wide, (event, *players, "", ""))] if version >= 24 else []
    return _record(0, *old, *new)


def game(
    score: tuple[int, int] = (0, 0),
    number: int = 1,
    *,
    crawford: bool = False,
    autos: int = 0,
    comment: int = -1,
) -> bytes:
    """The head of a game."""
    head = struct.pack("<3x2lB", *score, crawford) + _board(_START)
    return _record(1, head, struct.pack("<xlB3x3l", number, 0, comment, -1, autos))


def cube(
    player: int,
    board: Board,
    answer: str = "",
    *,
    power: int = 0,
    analysis: Cube = NO_ANALYSIS,
    comment: int = -1,
) -> bytes:
    """A cube decision; `answer` is empty (no double) or the answer to a double.

    That is `drop`, `take`, `beaver` or `raccoon`, the last two taken in the end.
    """
    take, beaver, raccoon = _ANSWERS[answer]
    acts = struct.pack("<3x6l", player, int(bool(answer)), take, beaver, raccoon, power)
    chances = (0.0, 0.1, 0.4, 0.6, 0.2, 0.0)
    rated = (
        _board(board)
        + struct.pack("<2x6l", analysis.level, 0, 0, 1, 0, 0)
        + struct.pack("<4h", 0, 0, analysis.flag, 0)
        + struct.pack(
            "<7f3f", *chances, analysis.no_double, analysis.no_double, analysis.double_take, 1
        )
        + struct.pack("<2h7f", analysis.level, 0, *chances, analysis.double_take)
    )
    tail = struct.pack("<4xd3B5xd3l4x2d2l2b6x2dB3xl", 0, 2, 51, 49, *[0] * 13, comment)
    return _record(2, acts, _board(board), bytes(2), rated, tail)


def move(
    player: int,
    boards: tuple[Board, Board],
    dice: tuple[int, int],
    places: Sequence[int],
    *,
    power: int = 0,
    candidates: Sequence[Plays] = (),
    luck: float = -1000,
    played: bool = True,
    comment: int = -1,
) -> bytes:
    """A roll, with the first player's board before it and the mover's after it."""
    start, reached = boards
    own_view = start if player > 0 else [-n for n in reversed(start)]
    unused = _CANDIDATES - len(candidates)
    analysis = [
        _board(own_view),
        struct.pack("<2x2ll2l5l", *dice, 3, 0, 0, 1 << abs(power), 0, 0, 0, len(candidates)),
        *(_board(candidate.reached) for candidate in candidates),
        bytes(26 * unused),
        *(struct.pack("<8b", *_padded(candidate.places)) for candidate in candidates),
        bytes(8 * unused),
        *(struct.pack("<hbb", candidate.level, 0, 0) for candidate in candidates),
        bytes(4 * unused),
        *(struct.pack("<7f", *CHANCES, candidate.equity) for candidate in candidates),
        bytes(28 * unused + 4),
    ]
    tail = struct.pack("<B3x2dl4xd32l3l", played, 0, luck, 0, 0, *[-1] * 32, 3, 3, 0)
    return _record(
        3,
        _board(start) + _board(reached),
        struct.pack("<3xl8l2lldl", player, *_padded(places), *dice, power, 0, len(candidates)),
        *analysis,
        tail + bytes(26) + struct.pack("<bxdB3xl", 0, 0, 0, comment),
    )


def footer(winner: int, points: int, ending: int, score: tuple[int, int] = (0, 0)) -> bytes:
    """The end of a game: 0 a pass, 1 to 3 played to the end, 100 more a resignation."""
    return _record(4, struct.pack("<3x2lB3x3l", *score, 0, winner, points, ending))


def xg_file(*records: bytes, comments: Sequence[bytes] = ()) -> bytes:
    """A file of these records and their numbered comments."""
    parts = {"temp.xg": b"".join(records)}
    if comments:
        parts["temp.xgc"] = b"\r\n".join([*comments, b""])
    return archive(parts)


def archive(parts: dict[str, bytes], *, copies: int = 1) -> bytes:
    """A file with these parts, each listed `copies` times."""
    packed, listed = b"", b""
    for name, data in parts.items():
        squeezed = zlib.compress(data)
        numbers = (len(data), len(squeezed), len(packed), zlib.crc32(data) - (1 << 32), 0, 6)
        signed = [n if n >= -(1 << 31) else n + (1 << 32) for n in numbers]
        entry = _short(name, 256) + _short("", 256) + struct.pack("<4l2B2x", *signed)
        listed += entry * copies
        packed += squeezed
    listed = zlib.compress(listed)
    check = zlib.crc32(packed + listed)
    tail = struct.pack("<L5l12x", check, len(parts) * copies, 1, len(listed), len(packed), 1)
    head = struct.pack("<4siiQi", b"RGMH", 1, _HEADER, 0, 0).ljust(_HEADER, b"\0")
    return head + packed + listed + tail


def _padded(places: Sequence[int]) -> list[int]:
    return [*places, *[-1] * (8 - len(places))]


_ANSWERS = {
    "": (-1, -1, -1),
    "drop": (0, -1, -1),
    "take": (1, -1, -1),
    "beaver": (2, 1, -1),
    "raccoon": (2, 2, 1),
}


# The sample: a match of sample_matches, as a file of eXtreme Gammon


def sample() -> bytes:
    """`sample_matches/match-3pt-analysed.sgf` with its candidates, luck and cube decisions."""
    (match,) = read(ROOT / "sample_matches" / "match-3pt-analysed.sgf")
    event = "Equities of GNU Backgammon, under names of levels of XG"
    records = [header(match.players, match.length, event=event)]
    for played in match.games:
        records.append(game(played.score, played.number, crawford=played.crawford))
        records += _turns(match, played)
        power = max(
            [0, *(turn.state.cube.bit_length() - 1 for turn in replay(match, played) if turn.state)]
        )
        dropped = any(isinstance(action, Drop) for action in played.actions)
        ending = 0 if dropped else played.points >> power
        winner = 0 if played.winner is None else _sign(played.winner)
        records.append(footer(winner, played.points, ending + 100 * played.resigned, played.score))
    return xg_file(*records)


def _turns(match: Match, played: Game) -> Iterator[bytes]:
    turns = list(replay(match, played))
    for turn, following in zip(turns, [*turns[1:], None], strict=True):
        action, state = turn.action, turn.state
        assert state is not None
        player = _sign(action.player)
        own_view = _of_first(state.position, action.player)
        power = state.cube.bit_length() - 1
        power = 0 if state.owner is None else power * _sign(state.owner)
        if isinstance(action, Double):
            assert following is not None
            answer = "drop" if isinstance(following.action, Drop) else "take"
            yield cube(player, own_view, answer, power=power, analysis=_decision(action.analysis))
        elif isinstance(action, Move):
            rated = action.analysis
            if rated and rated.cube:
                yield cube(player, own_view, power=power, analysis=_decision(rated.cube))
            reached = turn.play.reached.points if turn.play else state.position.points
            yield move(
                player,
                (own_view, reached),
                (action.roll.high, action.roll.low),
                _of_play(turn.play.portions if turn.play else ()),
                power=power,
                candidates=_candidates(turn),
                luck=rated.luck if rated and rated.luck is not None else -1000,
                played=turn.play is not None or not turn.plays,
            )


def _candidates(turn: Turn) -> list[Plays]:
    analysis = turn.action.analysis if isinstance(turn.action, Move) else None
    if not (
        turn.state and turn.state.roll and isinstance(analysis, MoveAnalysis) and analysis.play
    ):
        return []
    plays = []
    for candidate in analysis.play.candidates[:_CANDIDATES]:
        play = resolve(candidate.hops, turn.state.position, turn.state.roll, turn.plays)
        level = int(
            candidate.method.partition("-")[0]
        )  # that of gnubg is one less than XG's name of it
        plays.append(Plays(_of_play(play.portions), candidate.equity, level, play.reached.points))
    return plays


def _decision(analysis: CubeAnalysis | None) -> Cube:
    if analysis is None or analysis.no_double is None or analysis.double_take is None:
        return NO_ANALYSIS
    return Cube(analysis.no_double, analysis.double_take, int(analysis.method.partition("-")[0]))


def _of_play(portions: Sequence[Portion]) -> list[int]:
    return [place - 1 for portion in portions for place in (portion.source, portion.target)]


def _sign(player: Player) -> int:
    return 1 if player is Player.FIRST else -1


def _of_first(position: Position, player: Player) -> Board:
    return (position if player is Player.FIRST else position.switch_sides()).points


if __name__ == "__main__":  # python -m tests.files.xg_files
    SAMPLE.write_bytes(sample())
