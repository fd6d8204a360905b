"""A book: what somebody holds right, as lines of nacbracs (`54S-63R-31 [P @87 H94]`)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import MalformedError, NactationError
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.nacbracs.nacbrac import Nacbrac
from gnubg_nactation.nacbracs.parts import Part, parts_of
from gnubg_nactation.nacbracs.resolving import NacbracRead, read_cubes, read_nacbracs
from gnubg_nactation.nacbracs.score import MONEY
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.values import NamedTuple

_COMMENT = re.compile(r"(?<!\S)#(?![0-9])")
_GOES_ON = re.compile(r"\s*(?:\[|-|[dgsjn]\[)")  # with a nacbrac, its score, or a roll instead


class Line(NamedTuple):
    """What a book says of a roll: a nacbrac, and where it stands.

    `number` is the line of the file, counted from 1; `sequence` is as it is written there, with
    the roll to be played at its end.
    """

    number: int
    sequence: str
    read: NacbracRead

    @property
    def state(self) -> GameState:
        """The moment that it is about, with its roll and score."""
        return self.read.state

    @property
    def nacbrac(self) -> Nacbrac:
        """The nacbrac with its names as they were read."""
        return self.read.named

    @property
    def plays(self) -> tuple[tuple[Nactation, Play, float | None], ...]:
        """The plays, the best first, with their names and what they lose, in points.

        The loss is None where the book does not tell it.
        """
        return tuple([(one.nactation, one.play, one.entry.error) for one in self.read.entries])

    def loss_of(self, play: Play) -> float | None:
        """What a play loses by the book, in points; None where it does not say."""
        return next((loss for _, one, loss in self.plays if one == play), None)


class Book(NamedTuple):
    """The lines of a book by position, roll and score; `name` is that of its file."""

    name: str
    lines: Mapping[tuple[Position, Roll, str], Line]

    def at(self, position: Position, roll: Roll, score: str = MONEY) -> Line | None:
        """What the book has for a roll in a position, by whichever sequence that is reached.

        The position is numbered from the player who is to play; `score` is as `nacbracs.score`
        has it.
        """
        return self.lines.get((position, roll, score))


def read_book(path: str | os.PathLike[str]) -> Book:
    """The book of a file in UTF-8, as `parse_book` reads it; OSError too."""
    with open(path, "rb") as file:
        data = file.read()
    return parse_book(data.decode("utf-8-sig", "replace"), os.fspath(path))


def parse_book(text: str, name: str) -> Book:
    """The book that a text is, under a name for messages.

    A line holds a sequence that ends with a roll, and the nacbracs of that roll behind it, for
    several scores say; others may follow, as `decode` reads them. A line that begins with a
    nacbrac, its score or a hyphen goes on with the one before it. `#` begins a comment, outside
    of brackets and but for the number of a diagram (`#3`). Nacbracs of the cube are passed over,
    and of several about one position, roll and score the first stands.

    Raises MalformedError with the file and the line of what cannot be read.
    """
    lines: dict[tuple[Position, Roll, str], Line] = {}
    for first, chunk in _chunks(text):
        for line in _lines(chunk, first, name):
            state = line.state
            if state.roll:
                lines.setdefault((state.position, state.roll, line.nacbrac.score), line)
    return Book(name, lines)


def _chunks(text: str) -> Iterator[tuple[int, str]]:
    """What belongs together, without comments, and the number of its first line."""
    chunk: list[str] = []
    first, depth = 1, 0
    for number, line in enumerate(text.splitlines(), 1):
        bare, inside = _without_comment(line, depth)
        if not depth and (not bare.strip() or not _GOES_ON.match(bare)):
            yield from _chunk(first, chunk)
            chunk, first = [], number
        chunk.append(bare)
        depth = inside
    yield from _chunk(first, chunk)


def _chunk(first: int, lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    text = "\n".join(lines)
    if text.strip():
        yield first, text


def _without_comment(line: str, depth: int) -> tuple[str, int]:
    """A line up to its comment, and how many brackets are open behind it."""
    for at, character in enumerate(line):
        if character == "[":
            depth += 1
        elif character == "]":
            depth = max(depth - 1, 0)
        elif not depth and _COMMENT.match(line, at):
            return line[:at], depth
    return line, depth


def _lines(chunk: str, first: int, name: str) -> Iterator[Line]:
    """What a chunk says, whose first line has this number."""

    def number_at(at: int) -> int:
        return first + chunk.count("\n", 0, at)

    def fault(at: int, reason: object) -> MalformedError:
        return MalformedError(f"{name}, line {number_at(at)}: {reason}")

    try:
        parts = parts_of(chunk)
    except MalformedError as error:
        raise fault(error.at, error) from None
    for part in parts:
        if part.note:
            continue
        if part.trouble:
            raise fault(part.trouble.at, part.trouble)
        if not part.nacbracs:
            raise fault(part.place(0), "expected a nacbrac, as in 31P-42 [P @87]")
        try:
            read = _read(part)
        except NactationError as error:
            raise fault(error.at if error.text == chunk else part.place(error.at), error) from None
        sequence = " ".join(part.sequence.split())
        for one in read:
            yield Line(number_at(one.nacbrac.entries[0].at), sequence, one)


def _read(part: Part) -> tuple[NacbracRead, ...]:
    """The nacbracs of plays behind a sequence; NactationError."""
    decoded = decode(part.sequence)
    plays = [one for one in read_cubes(decoded, part.nacbracs) if isinstance(one, Nacbrac)]
    return read_nacbracs(decoded, plays) if plays else ()
