"""The records of an .xg file, of 2,560 bytes each, with the fields that this package uses.

The layout is eXtreme Gammon's own, which its author published as `xg_format.pas`. Boards are
numbered as `Position.points` is, from the first player.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from datetime import date, timedelta

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.values import NamedTuple

SIZE = 2560
MAX_CANDIDATES = 32
_KIND_AT = 8
_POINTS = 26  # of a board, a byte each
_MATCH, _GAME, _CUBE, _MOVE, _END, *_OTHERS = range(8)  # kinds of records
_WIDE_NAMES, _AUTO_DOUBLES, _TRANSCRIBER = 24, 26, 30  # the first versions that have these
_DAY_0 = date(1899, 12, 30)  # of Delphi; a match without a date has it
_FIRST_DAY = 2  # of 1900
_MAX_DAYS = 2_900_000  # a year has four digits

_version = struct.Struct("<552xl")
_match = struct.Struct("<9x41s41sxllx?26xd129s18x129s5x129s30xll")
_wide_names = struct.Struct("<622x258s258s258s258s258s")  # event, players, site, round
_transcriber = struct.Struct("<1960x258s")
_game = struct.Struct("<12xll?27xl4xlll")
_cube = struct.Struct("<12x6l26b30xl24xh2x7fff132xl")
_move = struct.Struct("<9x26b26s3xl8llll76xl")
_move_end = struct.Struct("<2308x?11xd196xl")
_end = struct.Struct("<24xlll")
_places = struct.Struct("<8b")
_level = struct.Struct("<hxx")
_numbers = struct.Struct("<7f")
_BOARDS_AT, _PLACES_AT, _LEVELS_AT, _NUMBERS_AT = 192, 1024, 1280, 1408  # of 32 candidates


class MatchHead(NamedTuple):
    """What is known of a match; `date` is as 2024.03.01 or empty, `comments` are places."""

    length: int
    variation: int
    jacoby: bool
    players: tuple[str, str]
    date: str
    event: str
    round: str
    site: str
    transcriber: str
    comments: tuple[int, int]


class GameHead(NamedTuple):
    """The beginning of a game; `autos` counts automatic doubles."""

    number: int
    score: tuple[int, int]
    crawford: bool
    autos: int
    comments: tuple[int, int]


class CubeRecord(NamedTuple):
    """A decision to double and its answers.

    `side` is positive for the first player, `power` that of two, negative if the second player
    owns the cube. `numbers` are six chances and the equity without a double; if XG did not
    analyse the decision, they are zero or `flag` is negative.
    """

    side: int
    double: int
    take: int
    beaver: int
    raccoon: int
    power: int
    board: tuple[int, ...]
    level: int
    flag: int
    numbers: tuple[float, ...]
    no_double: float
    double_take: float
    comment: int


class Rated(NamedTuple):
    """A candidate: its places, XG's level, six chances and the equity, the board after it."""

    places: tuple[int, ...]
    level: int
    numbers: tuple[float, ...]
    reached: bytes


class MoveRecord(NamedTuple):
    """A roll and its play; `reached` is the mover's board after it, a byte for each point."""

    board: tuple[int, ...]
    reached: bytes
    side: int
    places: tuple[int, ...]
    dice: tuple[int, int]
    power: int
    candidates: tuple[Rated, ...]
    is_played: bool
    luck: float
    comment: int


class GameEnd(NamedTuple):
    """The end of a game; a positive `winner` is the first player, 0 is nobody."""

    winner: int
    points: int
    way: int  # 0 a pass, 1 to 3 played to the end, 100 more a resignation


Record = MatchHead | GameHead | CubeRecord | MoveRecord | GameEnd


def read_records(part: bytes) -> Iterator[Record]:
    """Yield the records; raises MalformedError at the first that is damaged."""
    version = -1
    for number, at in enumerate(range(0, len(part) - _KIND_AT, SIZE), 1):
        data = part[at : at + SIZE]
        kind = data[_KIND_AT]
        try:
            if kind == _MATCH:
                (version,) = _version.unpack_from(data)
                yield _match_head(data, version)
            elif kind == _GAME:
                yield _game_head(data, version)
            elif kind == _CUBE:
                yield _cube_record(data)
            elif kind == _MOVE:
                yield _move_record(data)
            elif kind == _END:
                yield GameEnd(*_end.unpack_from(data))
            elif kind not in _OTHERS:
                raise _damaged(number, f"its kind is {kind}")
        except struct.error:
            raise _damaged(number, "it is cut off") from None


def _damaged(number: int, reason: str) -> MalformedError:
    return MalformedError(f"record {number}: damaged, and the rest is not read ({reason})")


def _match_head(data: bytes, version: int) -> MatchHead:
    first, second, length, variation, jacoby, day, event, site, round_, *places = (
        _match.unpack_from(data)
    )
    names, transcriber = tuple(map(_short, (event, first, second, site, round_))), ""
    if version >= _WIDE_NAMES:
        names = tuple(map(_wide, _wide_names.unpack_from(data)))
    if version >= _TRANSCRIBER:
        transcriber = _wide(*_transcriber.unpack_from(data))
    event, first, second, site, round_ = names
    return MatchHead(
        length=length,
        variation=variation,
        jacoby=jacoby,
        players=(first, second),
        date=_date(day),
        event=event,
        round=round_,
        site=site,
        transcriber=transcriber,
        comments=(places[0], places[1]),
    )


def _short(data: bytes) -> str:
    """The text after its length in a byte."""
    return data[1 : data[0] + 1].decode("latin-1")


def _wide(data: bytes) -> str:
    """The text in UTF-16 before the first zero; half a character becomes U+FFFD."""
    return data.decode("utf-16-le", "replace").partition("\0")[0]


def _date(day: float) -> str:
    """The date of a day of Delphi; empty if there is none."""
    if not _FIRST_DAY <= day < _MAX_DAYS:
        return ""
    return (_DAY_0 + timedelta(days=int(day))).isoformat().replace("-", ".")


def _game_head(data: bytes, version: int) -> GameHead:
    first, second, crawford, number, header, footer, autos = _game.unpack_from(data)
    autos = autos if version >= _AUTO_DOUBLES else 0
    return GameHead(number, (first, second), crawford, autos, (header, footer))


def _cube_record(data: bytes) -> CubeRecord:
    numbers = _cube.unpack_from(data)
    side, double, take, beaver, raccoon, power = numbers[:6]
    level, flag, *evaluated, no_double, double_take, comment = numbers[32:]
    return CubeRecord(
        side,
        double,
        take,
        beaver,
        raccoon,
        power,
        board=numbers[6:32],
        level=level,
        flag=flag,
        numbers=tuple(evaluated),
        no_double=no_double,
        double_take=double_take,
        comment=comment,
    )


def _move_record(data: bytes) -> MoveRecord:
    numbers = _move.unpack_from(data)
    reached, side = numbers[26:28]
    places, (high, low, power, count) = numbers[28:36], numbers[36:]
    is_played, luck, comment = _move_end.unpack_from(data)
    return MoveRecord(
        board=numbers[:26],
        reached=reached,
        side=side,
        places=places,
        dice=(high, low),
        power=power,
        candidates=tuple(_rated(data, at) for at in range(min(count, MAX_CANDIDATES))),
        is_played=is_played,
        luck=luck,
        comment=comment,
    )


def _rated(data: bytes, at: int) -> Rated:
    (level,) = _level.unpack_from(data, _LEVELS_AT + _level.size * at)
    places = _places.unpack_from(data, _PLACES_AT + _places.size * at)
    numbers = _numbers.unpack_from(data, _NUMBERS_AT + _numbers.size * at)
    at_board = _BOARDS_AT + _POINTS * at
    return Rated(places, level, numbers, data[at_board : at_board + _POINTS])
