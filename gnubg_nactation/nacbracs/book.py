"""A book: recommended plays as lines of nacbracs (`54S-63R-31 [P @87 H94]`)."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property

from gnubg_nactation.backgammon.ids import format_position_id, parse_position_id
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.nacbracs.bots import Levels, read_levels
from gnubg_nactation.nacbracs.nacbrac import MONEY, Nacbrac, points_of
from gnubg_nactation.nacbracs.reading import NacbracRead, Part, parts_of, read_cubes, read_nacbracs
from gnubg_nactation.sequences.decode import decode, read_strictly
from gnubg_nactation.sequences.tokens import parse_sequence
from gnubg_nactation.system.resources import package_file
from gnubg_nactation.values import NamedTuple

TITLE = "# Nactation book"
_GZIP = b"\x1f\x8b"
_WITH_GZIP_HEAD, _MAX_BYTES = 16, 2**26
_LINE = re.compile(r"(?:\S*-)?([1-6]{2}) (.*)")
_SCORE = re.compile(r"(?:^|(?<= ))([^\s\[\]]*)\[")
_END = "\n\n"  # of the header and of each section
_SECTION = f"{_END}# "


def format_header(properties: Mapping[str, str]) -> str:
    """The header of a book with these properties, in this order."""
    lines = [TITLE, *(f"# {name}: {value}" for name, value in properties.items())]
    return "\n".join(lines) + _END


def header_of(text: str) -> dict[str, str]:
    """The properties in the header of a book; empty if it has no such header."""
    head = text.partition(_END)[0].splitlines()
    if not head or head[0] != TITLE:
        return {}
    pairs = (line.removeprefix("# ").partition(": ") for line in head[1:])
    return {name: value for name, _, value in pairs}


def format_section(
    position: Position, sequence: str, rolls: Iterable[tuple[Roll, Sequence[Nacbrac]]]
) -> str:
    """The section of a position, which `sequence` leads to; empty for the start."""
    lines = [f"# {format_position_id(position)} {sequence}".rstrip()]
    for roll, nacbracs in rolls:
        if nacbracs:
            before = f"{sequence}-" if sequence else ""
            lines.append(f"{before}{roll} {' '.join(map(str, nacbracs))}")
    return "\n".join(lines) + _END


def places_of(text: str) -> dict[str, tuple[int, int]]:
    """Where each section of a book begins, by its Position ID; the first one of a position.

    The first number is that of the character, from 0, the second that of the line, from 1.
    """
    places: dict[str, tuple[int, int]] = {}
    at, start, number = text.find(_SECTION), 0, 1
    while at >= 0:
        number += text.count("\n", start, at + len(_END))
        start = at + len(_END)
        position_id = text[start + 2 : text.find("\n", start)].partition(" ")[0]
        places.setdefault(position_id, (start, number))
        at = text.find(_SECTION, start)
    return places


def find_line(text: str, start: int, roll: Roll) -> tuple[int, int] | None:
    """Where the line of a roll begins and ends in the section at `start`; None if it has none."""
    section = text[start : text.find(_END, start)]
    line = re.compile(rf"^(?:[^\s#]*-)?{roll} .*$", re.MULTILINE).search(section)
    return line and (start + line.start(), start + line.end())


def keys_of(text: str) -> Iterator[tuple[Position, Roll, str]]:
    """The position, roll and score of each nacbrac in a book, without reading the plays."""
    for section in sections_of(text):
        if not (position := _position_of(section)):
            continue
        for line in section.splitlines()[1:]:
            if match := _LINE.match(line):
                for score in _SCORE.findall(match[2]):
                    yield position, Roll.parse(match[1]), score


def _position_of(section: str) -> Position | None:
    """The position of a section; None if it has no heading."""
    sign, *words = section.partition("\n")[0].split() or [""]
    return parse_position_id(words[0]) if sign == "#" and words else None


def sections_of(text: str) -> Iterator[str]:
    """The complete sections of a book, without its header; the last one may be cut off."""
    start = text.find(_END) + len(_END)
    while (end := text.find(_END, start)) > 0:
        yield text[start : end + len(_END)]
        start = end + len(_END)


def pack(text: str) -> bytes:
    """A book compressed by gzip, with the same bytes at any time."""
    return gzip.compress(text.encode(), 9, mtime=0)


def unpack(data: bytes) -> str:
    """The text of a book in UTF-8, which may be compressed by gzip.

    Raises MalformedError if it is damaged or too long.
    """
    if data.startswith(_GZIP):
        reader = zlib.decompressobj(wbits=zlib.MAX_WBITS | _WITH_GZIP_HEAD)
        try:
            data = reader.decompress(data, _MAX_BYTES)
        except zlib.error:
            raise MalformedError("the compressed book is damaged") from None
        if not reader.eof:
            raise MalformedError("the compressed book is cut off or too long")
    return data.decode("utf-8-sig", "replace")


# gnubg sometimes searches a 17th play, beyond its move filter; it would end a long line.
MAX_LISTED = 10  # plays of a line
ROLLOUT = "rollout"  # in levels, and the property of a book whose close plays are rolled out
JOINED = "rolled out"  # the property of a book some of whose decisions were rolled out later
CLOSE_ROLLED_OUT = ", close plays rolled out"
SHIPPED = "book"  # the name of the book of this package
_COMMENT = re.compile(r"(?<!\S)#(?![0-9])")
_GOES_ON = re.compile(r"\s*(?:\[|-|[dgsjn]\[)")  # with a nacbrac, its score, or another roll
# Nacbracs in plain spelling without numerals, as this program writes them.
_NAME = r"[A-Za-z$%@#&][_.]?(?:\{[0-9]+\})?"
_LOSS = r"[0-9]{1,6}(?:\.[0-9]+)?"
_PLAIN = rf"(?:[+-]{_LOSS} )?({_NAME}(?:={_NAME})*(?: {_NAME}{_LOSS})*)"
_PLAIN_NACBRAC = re.compile(rf" ([dgsjn]?|-[0-9]+-[0-9]+C?)\[{_PLAIN}\]")
_NAMED = re.compile(rf"({_NAME})({_LOSS})?")
# A nacbrac with its suffix, in a line that can be cut before and after it.
_AT_SCORE = re.compile(r" ([dgsjn]?|-[0-9]+-[0-9]+C?)\[[^\[\]#]*\](?: (?!-)[^\s\[\]#]+(?!\S))*")


Key = tuple[Position, Roll, str]
"""The position from the side of the player on roll, the roll and the score."""


class Line(NamedTuple):
    """A nacbrac of a book.

    `number` is its line in the file, from 1. `sequence` is written as there and ends with the roll
    to play.
    """

    number: int
    sequence: str
    read: NacbracRead

    @property
    def state(self) -> GameState:
        """The state of the decision, with its roll and score."""
        return self.read.state

    @property
    def nacbrac(self) -> Nacbrac:
        """The nacbrac with the full names of its plays."""
        return self.read.named

    @property
    def key(self) -> Key:
        """What a book finds it by."""
        state = self.state
        assert state.roll  # a line has one
        return state.position, state.roll, self.nacbrac.score

    @property
    def plays(self) -> tuple[tuple[Nactation, Play, float | None], ...]:
        """The plays with their names and losses in points (None if unknown), the best first."""
        return tuple(
            [(entry.nactation, entry.play, entry.entry.error) for entry in self.read.entries]
        )

    @property
    def levels(self) -> Levels | None:
        """How the plays were judged, if the line has its own suffix."""
        return read_levels(self.nacbrac.suffix)

    @property
    def is_rolled_out(self) -> bool:
        """Whether the close plays were rolled out."""
        return bool(self.levels and ROLLOUT in self.levels.level)


class Listing(NamedTuple):
    """The plays of a line by name, with their losses in points (None if unknown), the best first.

    Names are in plain spelling. `sequence` ends with the roll to play.
    """

    sequence: str
    losses: Mapping[str, float | None]


class Book(NamedTuple):
    """The lines of a book by position, roll and score.

    `name` is its file name; `properties` are those of its header, as `header_of` reads them.
    """

    name: str
    lines: Mapping[Key, Line]
    properties: Mapping[str, str] = {}

    @property
    def source(self) -> str:
        """Who rated the plays, as in `gnubg 2-ply`; empty if unknown."""
        return self.properties.get("source", "")

    @property
    def label(self) -> str:
        """The name of the book and its source: `book: gnubg 2-ply`, and what is rolled out."""
        label = f"{self.name}: {self.source}" if self.source else self.name
        return label + CLOSE_ROLLED_OUT * (ROLLOUT in self.properties)

    def label_of(self, line: Line) -> str:
        """The label of one of its lines, which may be rolled out: `book: gnubg 0-ply rollout`."""
        return f"{self.name}: {line.nacbrac.suffix}" if line.is_rolled_out else self.label

    @property
    def position_ids(self) -> Iterable[str]:
        """The Position IDs of the positions that have a roll at some score, each once."""
        if isinstance(self.lines, _Sections):
            return self.lines.sections
        return dict.fromkeys(format_position_id(position) for position, _, _ in self.lines)

    def at(self, position: Position, roll: Roll, score: str = MONEY) -> Line | None:
        """Return the line for a roll in a position, whatever sequence leads there, or None.

        The position is numbered from the player on roll; `score` is written as in
        `nacbracs.nacbrac`.
        """
        return self.lines.get((position, roll, score))

    def listing(self, position_id: str, roll: Roll, score: str = MONEY) -> Listing | None:
        """Return the names and losses of a line, which is quicker than reading its plays.

        That the sequence leads to the position is not checked.
        """
        if isinstance(self.lines, _Sections):
            return self.lines.listing(position_id, roll, score)
        return _listing_of(self.at(parse_position_id(position_id), roll, score))


def _listing_of(line: Line | None) -> Listing | None:
    return line and Listing(line.sequence, {str(name): loss for name, _, loss in line.plays})


def read_book(path: str | os.PathLike[str]) -> Book:
    """Read the book in a UTF-8 file, plain or compressed; raises OSError and as `parse_book`."""
    with open(path, "rb") as file:
        data = file.read()
    return parse_book(unpack(data), os.fspath(path))


@cache
def shipped_book() -> Book:
    """The book of this package, of the first rolls by GNU Backgammon. OSError if it is missing."""
    return parse_book(unpack(package_file("nacbracs/opening.book.gz")), SHIPPED)


def parse_book(text: str, name: str) -> Book:
    """Parse a book; `name` is its file name in error messages.

    A line has a sequence that ends with a roll and then the nacbracs of that roll, for instance
    for several scores; more sequences may follow. A line that begins with a nacbrac, its score or
    a hyphen continues the line before. `#` begins a comment, except in brackets and in the number
    of a diagram (`#3`). Nacbracs of the cube are skipped. The first nacbrac for a position, roll
    and score counts.

    Raises MalformedError with the file and line of the error. A book with a header is only read
    where it is looked up, which may then raise it.
    """
    if properties := header_of(text):
        return Book(name, _Sections(text, name), properties)
    return Book(name, _read_lines(text, 1, name))


def join_rollouts(book: Book, other: Book) -> str:
    """The text of a book with those of its decisions that another book has rolled out.

    Both must have headers, else MalformedError is raised.
    """
    if not isinstance(book.lines, _Sections) or not other.properties:
        name = other.name if book.properties else book.name
        raise MalformedError(f"{name}: only books of `nactate book make` can be joined")
    lines = (other.at(*key) for key in other.lines)
    new = {line.key: line for line in lines if line and line.is_rolled_out}
    changed = {position for position, _, _ in new}
    properties = dict(book.properties)
    for name, source in ((JOINED, ROLLOUT), ("by", "command")):
        before = properties.get(name, "").split("; ")
        properties[name] = "; ".join(
            filter(None, dict.fromkeys([*before, other.properties.get(source)]))
        )
    return format_header({name: value for name, value in properties.items() if value}) + "".join(
        [
            _with_lines(section, book, new) if _position_of(section) in changed else section
            for section in sections_of(book.lines.text)
        ]
    )


def _with_lines(section: str, book: Book, new: Mapping[Key, Line]) -> str:
    """A section of a book with other lines for some of its decisions."""
    rolls: dict[Roll, list[Nacbrac]] = {}
    for key in keys_of(f"{TITLE}{_END}{section}"):
        line = new.get(key) or book.lines[key]
        rolls.setdefault(key[1], []).append(line.read.nacbrac)
    position = _position_of(section)
    assert position  # as it has lines
    sequence = section.partition("\n")[0].split()[2:]
    return format_section(position, " ".join(sequence), rolls.items())


def _read_lines(text: str, first: int, name: str) -> dict[Key, Line]:
    """Read all lines of a text whose first line has this number in the file."""
    lines: dict[Key, Line] = {}
    for start, chunk in _chunks(text):
        for line in _lines(chunk, first + start - 1, name):
            if line.state.roll:
                lines.setdefault(line.key, line)
    return lines


class _Sections(Mapping[Key, Line]):
    """The lines of a book with sections. It reads a line when that is looked up."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self._name = name
        self._line = cache(self._read_line)
        self.listing = cache(self._read_listing)

    def __getitem__(self, key: Key) -> Line:
        return self._line(*key)[key]

    def __iter__(self) -> Iterator[Key]:
        return keys_of(self.text)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @cached_property
    def sections(self) -> dict[str, tuple[int, int]]:
        """Where the section of each position begins, by its Position ID; see `places_of`."""
        return places_of(self.text)

    def _read_listing(self, position_id: str, roll: Roll, score: str) -> Listing | None:
        """The names and losses of a line, read from its text if that is in plain spelling."""
        text, _ = self._find(position_id, roll)
        at = text.find(f" {score}[")
        if at < 0 and not _PLAIN_NACBRAC.sub("", text[text.find(" ") :]):
            return None
        nacbrac = _PLAIN_NACBRAC.match(text, at) if at >= 0 else None
        if not nacbrac:
            return _listing_of(self.get((parse_position_id(position_id), roll, score)))
        named = _NAMED.findall(nacbrac[2])
        losses = {name: points_of(loss) if loss else 0.0 for name, loss in named}
        return Listing(text.partition(" ")[0], losses)

    def _read_line(self, position: Position, roll: Roll, score: str) -> Mapping[Key, Line]:
        """Read the line of a position and a roll, if it can be cut only what is at the score."""
        text, number = self._find(format_position_id(position), roll)
        at = text.find(" ")
        parts = {part[1]: part[0] for part in _AT_SCORE.finditer(text, at)}
        if "".join(parts.values()) == text[at:]:
            text = text[:at] + parts[score] if score in parts else ""
        return _read_lines(text, number, self._name)

    def _find(self, position_id: str, roll: Roll) -> tuple[str, int]:
        """Return the line of a position and a roll with its number; an empty one if none."""
        section, number = self.sections.get(position_id, (0, 0))
        if number and (place := find_line(self.text, section, roll)):
            start, end = place
            return self.text[start:end], number + self.text.count("\n", section, start)
        return "", number


def _chunks(text: str) -> Iterator[tuple[int, str]]:
    """Join continued lines without comments; yield each with its first line number."""
    chunk: list[str] = []
    first, depth = 1, 0
    for number, line in enumerate(text.splitlines(), 1):
        bare, inside = _without_comment(line, depth)
        if not depth and (not bare.strip() or not _GOES_ON.match(bare)):
            yield first, "\n".join(chunk)
            chunk, first = [], number
        chunk.append(bare)
        depth = inside
    yield first, "\n".join(chunk)


def _without_comment(line: str, depth: int) -> tuple[str, int]:
    """Return a line without its comment, and the number of brackets open at its end."""
    for at, character in enumerate(line):
        if character == "[":
            depth += 1
        elif character == "]":
            depth = max(depth - 1, 0)
        elif not depth and _COMMENT.match(line, at):
            return line[:at], depth
    return line, depth


def _lines(chunk: str, first: int, name: str) -> Iterator[Line]:
    """Yield the nacbracs of a chunk; `first` is its first line number."""

    def number_at(at: int) -> int:
        return first + chunk.count("\n", 0, at)

    def error_at(at: int, reason: object) -> MalformedError:
        return MalformedError(f"{name}, line {number_at(at)}: {reason}")

    try:
        parts = parts_of(chunk) if chunk.strip() else ()
    except MalformedError as error:
        raise error_at(error.at, error) from None
    for part in parts:
        if part.note:
            continue
        if part.trouble:
            raise error_at(part.trouble.at, part.trouble)
        if not part.nacbracs:
            raise error_at(part.place(0), "expected a nacbrac, as in 31P-42 [P @87]")
        try:
            nacbracs = _read(part)
        except NactationError as error:
            at = error.at if error.text == chunk else part.place(error.at)
            raise error_at(at, error) from None
        sequence = " ".join(part.sequence.split())
        for nacbrac in nacbracs:
            yield Line(number_at(nacbrac.nacbrac.entries[0].at), sequence, nacbrac)


def _read(part: Part) -> tuple[NacbracRead, ...]:
    """Read the nacbracs of plays after a sequence; raises NactationError."""
    try:  # what else a strict sequence may mean is not needed, and slow to find
        decoded = read_strictly(parse_sequence(part.sequence))
    except IllegalError:
        decoded = decode(part.sequence)
    nacbracs = [
        nacbrac for nacbrac in read_cubes(decoded, part.nacbracs) if isinstance(nacbrac, Nacbrac)
    ]
    return read_nacbracs(decoded, nacbracs) if nacbracs else ()
