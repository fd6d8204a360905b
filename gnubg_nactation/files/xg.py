"""eXtreme Gammon's files (.xg) with their analysis and comments."""

from __future__ import annotations

import codecs
import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta

from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAct,
    CubeAnalysis,
    MoveAnalysis,
    PlayAnalysis,
)
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
from gnubg_nactation.backgammon.position import BAR, OFF, STANDARD, VARIATIONS, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError, NactationError
from gnubg_nactation.files.figures import Figures
from gnubg_nactation.values import NamedTuple

GAMES, COMMENTS = "temp.xg", "temp.xgc"  # names in the archive
_MAX_PART_BYTES = 16 << 20  # a record has 2,560
_MAX_PARTS = 64
_DAMAGED = "an .xg file that is damaged"
_tail = struct.Struct("<Ll4xll?15x")  # checksum; number of files; bytes of list and files; packed
_entry = struct.Struct("<256s260xllL?3x")  # name; bytes, place, checksum; not packed


def unpack(data: bytes, names: frozenset[str]) -> dict[str, bytes]:
    """Unpack some parts of the archive at the end of the file; raises MalformedError."""
    end = len(data) - _tail.size
    if end <= 0:
        raise MalformedError("an .xg file that is cut off")
    checksum, count, list_bytes, part_bytes, is_packed = _tail.unpack_from(data, end)
    at = end - list_bytes
    first = at - part_bytes
    if not 0 < first <= at < end or not 0 < count <= _MAX_PARTS:
        raise MalformedError("an .xg file that is cut off or damaged: no list of its parts")
    if zlib.crc32(data[first:end]) != checksum:
        raise MalformedError(f"{_DAMAGED}: wrong checksum")
    listed = _inflate(data[at:end]) if is_packed else data[at:end]
    if len(listed) < count * _entry.size:
        raise MalformedError(f"{_DAMAGED}: the list of its parts is cut off")
    parts: dict[str, bytes] = {}
    for entry in range(count):
        short, size, start, checksum, is_plain = _entry.unpack_from(listed, entry * _entry.size)
        name = short[1 : short[0] + 1].decode("latin-1")
        if name in parts:  # unpacking 64 takes seconds
            raise MalformedError(f"{_DAMAGED}: it has two parts {name}")
        if name in names:
            if not 0 <= start <= at - first or size < 0:
                raise MalformedError(f"{_DAMAGED}: {name} is missing")
            packed = data[first + start : at]
            unpacked = packed[:size] if is_plain else _inflate(packed)
            if zlib.crc32(unpacked) != checksum:
                raise MalformedError(f"{_DAMAGED}: wrong checksum of {name}")
            parts[name] = unpacked
    return parts


def _inflate(packed: bytes) -> bytes:
    inflater = zlib.decompressobj()
    try:
        data = inflater.decompress(packed, _MAX_PART_BYTES)
    except zlib.error as error:
        raise MalformedError(f"{_DAMAGED}: {error}") from None
    if not inflater.eof and inflater.decompress(inflater.unconsumed_tail, 1):
        raise MalformedError(f"a part of the .xg file is over {_MAX_PART_BYTES >> 20} MB")
    return data


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
_GAME_STRUCT = struct.Struct("<12xll?27xl4xlll")
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
    analyse the decision, they are zero or `flag` is -100.
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
    first, second, crawford, number, header, footer, autos = _GAME_STRUCT.unpack_from(data)
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


_NAMES = {
    12: "3-ply red",
    100: "rollout",
    998: "book",
    999: "book",
    1000: "Roller",
    1001: "Roller+",
    1002: "Roller++",
}
_MAX_PLIES = 9
_HIGHEST_DIE = 6
_HOPS = {
    (source, target): Hop(source + 1, max(target + 1, OFF))
    for source in range(BAR)
    for target in range(-_HIGHEST_DIE, source)
}
_EQUITY = 6  # its index, after the chances from losing a backgammon to winning one
_UNKNOWN_LUCK = -1000
_NO_ANALYSIS = -100  # the flag of a cube action; -1 is a position that is too good to double
_ROUNDING = 0.001  # of two chances whose sum is 1


def read_hops(places: tuple[int, ...]) -> tuple[Hop, ...]:
    """Read a play of XG: sources and targets from 0 (1pt) to 24 (bar), below 0 for off."""
    hops = []
    for pair in zip(places[::2], places[1::2], strict=True):
        if pair not in _HOPS:
            break  # the rest is left over from other plays
        hops.append(_HOPS[pair])
    return tuple(hops)


def read_move(
    record: MoveRecord, cube: CubeAnalysis | None, figures: Figures
) -> MoveAnalysis | None:
    """Read the analysis of a roll's play and luck; `cube` is that of the cube before the roll."""
    play = _read_plays(record, figures)
    luck = None
    if record.luck != _UNKNOWN_LUCK:
        with suppress(ValueError):
            luck = figures.points(record.luck)
    if play is None and luck is None and cube is None:
        return None
    return MoveAnalysis(play, cube, luck)


def _read_plays(record: MoveRecord, figures: Figures) -> PlayAnalysis | None:
    candidates: list[Candidate] = []
    rank = None
    for rated in record.candidates:
        if hops := read_hops(rated.places):
            try:
                equity = figures.points(rated.numbers[_EQUITY])
            except ValueError:  # perhaps of the best play, which all errors depend on
                return None
            if rank is None and rated.reached == record.reached:
                rank = len(candidates)
            method, odds = _method(rated.level), _odds(rated.numbers, figures)
            candidates.append(Candidate(hops, equity, method, None, odds))
    return PlayAnalysis(tuple(candidates), rank) if candidates else None


def _odds(numbers: tuple[float, ...], figures: Figures) -> tuple[float, ...]:
    """Return the chances in our order; empty if they are impossible."""
    if not figures.are_chances(numbers[:_EQUITY]):
        return ()
    lose_backgammon, lose_gammon, lose, win, win_gammon, win_backgammon = numbers[:_EQUITY]
    if not abs(win + lose - 1) < _ROUNDING:
        return ()
    return win, win_gammon, win_backgammon, lose_gammon, lose_backgammon


def read_cube(act: CubeAct, record: CubeRecord, figures: Figures) -> CubeAnalysis | None:
    """Read the analysis of a cube action; None if XG did not analyse it."""
    if record.flag == _NO_ANALYSIS or not any(record.numbers):
        return None
    try:
        no_double, double_take = map(figures.points, (record.no_double, record.double_take))
    except ValueError:
        return None
    return CubeAnalysis(act, no_double, double_take, _method(record.level))


def _method(level: int) -> str:
    """Return XG's name of a level; 0 is XG's 1-ply."""
    name = _NAMES.get(level) or (f"{level + 1}-ply" if 0 <= level < _MAX_PLIES else "")
    return f"XG {name}".strip()


_TOKEN = re.compile(
    r"\\([A-Za-z]{1,32})(-?[0-9]{1,10})? ?|\\'([0-9A-Fa-f]{2})|\\([^A-Za-z])|([{}])"
    r"|[\r\n]+|([^\\{}\r\n]+|\\)"
)
_WORDS = {
    "par": "\n",
    "line": "\n",
    "row": "\n",
    "sect": "\n\n",
    "page": "\n\n",
    "tab": "\t",
    "cell": "|",
    "nestcell": "|",
    "bullet": "\u2022",
    "emdash": "\u2014",
    "endash": "\u2013",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
    "emspace": "\u2003",
    "enspace": "\u2002",
    "qmspace": "\u2005",
}
_SYMBOLS = {
    "\\": "\\",
    "{": "{",
    "}": "}",
    "\n": "\n",
    "\r": "\r",
    "~": "\xa0",
    "-": "\xad",
    "_": "\u2011",
}
_FONTS = "fonttbl"
_HIDDEN = {  # groups without text of the document; those that begin with \* have none either
    *("colortbl", "fldinst", "fonttbl", "footer", "footnote", "generator", "header", "info"),
    *("nonesttables", "object", "pict", "pntext", "shp", "stylesheet", "tc", "upr", "xe"),
}
_CHARSETS = {  # of fonts; any other uses the code page of the document
    0: "cp1252",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "cp936",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}


_LINE_END = b"\r\n"
_NEW_LINE = b"\x01\x02"  # within a comment
_MAX_COMMENT_BYTES = 100_000
_MAX_BYTES = 2_000_000
_MAX_COMMENTS = 20_000  # a record has one or two, and a file at most 6,500 records


def read_comments(part: bytes, problems: list[str]) -> tuple[str, ...]:
    """Return the comments as plain text, in the order in which the records number them.

    Adds a problem if the file has more than are read.
    """
    lines = part[:_MAX_BYTES].split(_LINE_END, _MAX_COMMENTS)
    if len(part) > _MAX_BYTES or any(lines[_MAX_COMMENTS:]):
        lines = lines[:_MAX_COMMENTS]
        problems.append(f"too many or too long comments: only the first {len(lines):,} are read")
    return tuple(map(_read_comment, lines))


def _read_comment(line: bytes) -> str:
    raw = line[:_MAX_COMMENT_BYTES].replace(_NEW_LINE, b"\n")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", "replace")
    return (read_rtf(text) if text.startswith("{\\rtf") else text).strip()


def read_rtf(text: str) -> str:
    """Return the text of an RTF document; damaged RTF is read as far as possible."""
    reader = _Reader()
    for token in _TOKEN.finditer(text):
        if reader.read(token):
            break
    return join_surrogates(reader.finish())


def join_surrogates(text: str) -> str:
    """Replace each pair of surrogates by its character, and any lone one."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class _Group(NamedTuple):
    """The settings that a group inherits."""

    hidden: str = ""  # the destination that hides its text
    repeats: int = 1  # characters that repeat a Unicode character for older programs
    encoding: str = ""  # of its font; empty for that of the document


class _Reader:
    """The text so far, and the settings for the next token."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._bytes = bytearray()  # decoded together, as a character may have two
        self._outer: list[_Group] = []
        self._group = _Group()
        self._skip = 0  # characters to come that repeat the last one
        self._encoding = "cp1252"
        self._font = 0  # the last in the table of fonts
        self._fonts: dict[int, str] = {}  # their encodings

    def read(self, token: re.Match[str]) -> bool:
        """Read a token; True if it ends the document."""
        word, number, code, symbol, brace, plain = token.groups()
        if code:
            self._read_byte(int(code, 16))
        elif token.lastindex:  # not a line end
            skip = self._skip
            self._end_character()
            if plain:
                self._write(plain[skip:])
                self._skip = max(skip - len(plain), 0)
            elif word:
                self._read_word(word, int(number) if number else None)
            elif symbol == "*":
                self._hide(symbol)
            elif symbol:
                self._write(_SYMBOLS.get(symbol, ""))
            elif brace == "{":
                self._outer.append(self._group)
            elif self._outer:
                self._group = self._outer.pop()
        return brace == "}" and not self._outer

    def finish(self) -> str:
        """Return the text."""
        self._end_character()
        return "".join(self._pieces)

    def _end_character(self) -> None:
        if self._bytes:
            encoding = self._group.encoding or self._encoding
            self._pieces.append(self._bytes.decode(encoding, "replace"))
            self._bytes.clear()
        self._skip = 0

    def _read_byte(self, byte: int) -> None:
        if self._skip:
            self._skip -= 1
        elif not self._group.hidden:
            self._bytes.append(byte)

    def _read_word(self, word: str, number: int | None) -> None:
        group = self._group
        if word in _HIDDEN:
            self._hide(word)
        elif word == "ansicpg":
            self._encoding = _code_page(number)
        elif group.hidden == _FONTS:
            if word == "f":
                self._font = number or 0
            elif word == "fcharset":
                self._fonts[self._font] = _CHARSETS.get(number or 0, "")
        elif word == "f":
            self._group = group._replace(encoding=self._fonts.get(number or 0, ""))
        elif word == "uc":
            self._group = group._replace(repeats=1 if number is None else max(number, 0))
        elif word == "u":
            self._write("" if number is None else _character(number))
            self._skip = group.repeats
        else:
            self._write(_WORDS.get(word, ""))

    def _write(self, text: str) -> None:
        if text and not self._group.hidden:
            self._pieces.append(text)

    def _hide(self, destination: str) -> None:
        if not self._group.hidden:
            self._group = self._group._replace(hidden=destination)


def _code_page(number: int | None) -> str:
    try:
        return codecs.lookup(f"cp{number}").name
    except LookupError:
        return "utf-8"


def _character(number: int) -> str:
    """Return the character with this number; negative numbers are wrapped 16-bit numbers."""
    number += 0x10000 if number < 0 else 0
    return chr(number) if 0 <= number <= 0x10FFFF else "\ufffd"


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
        advice = "copy a position (.xgp) in XG with Ctrl+C, and paste or save that"
        raise MalformedError("; ".join(["an .xg file without a game", *problems, advice]))
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
