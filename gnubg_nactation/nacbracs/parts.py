"""A text of nacbracs taken apart: its sequences, and the nacbracs behind each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.nacbracs.cube import CubeNacbrac
from gnubg_nactation.nacbracs.layout import Section, lay_out
from gnubg_nactation.nacbracs.nacbrac import Nacbrac
from gnubg_nactation.nacbracs.parsing import nacbracs_at
from gnubg_nactation.sequences.tokens import parse_sequence
from gnubg_nactation.values import NamedTuple
from gnubg_nactation.writing.markup import read_markup
from gnubg_nactation.writing.scan import Scan
from gnubg_nactation.writing.typography import Glyph

_LONGEST = 100_000  # characters of all sequences together, as of a text


class Part(NamedTuple):
    """A sequence of a text and the nacbracs behind it; `trouble` is why they cannot be read.

    `places` has the place in the text of each character of the sequence, `end` that where it
    ends. `note` is a remark that stands there in place of nacbracs.
    """

    sequence: str
    places: Sequence[int]
    end: int
    nacbracs: tuple[Nacbrac | CubeNacbrac, ...] = ()
    note: str = ""
    trouble: MalformedError | None = None

    def place(self, at: int) -> int:
        """Where in the text a place of the sequence is."""
        return self.places[at] if at < len(self.places) else self.end


def parts_of(text: str) -> list[Part]:
    """The parts of a text, one at least; MalformedError if it is too long.

    A hyphen and a roll behind nacbracs (`-42`) are the roll instead of the last one: the sequence
    before that goes on with it, as in the tutorial's #55. Where turns follow (`-42P-61`), that
    is so on the same line and with a doublet; else the second player opens.
    """
    scan = Scan(text)
    found: list[Part] = []
    length = 0
    for section in lay_out(scan):
        sequence, places, end = _cut(scan, section)
        own_line = scan.bare[max(section.start - 9, 0) : section.start].rstrip(" ").endswith("\n")
        if found and (joint := _joint(found[-1].sequence, sequence, own_line=own_line)):
            until, start = joint
            places = [*found[-1].places[:until], *places[start:]]
            sequence = found[-1].sequence[:until] + sequence[start:]
        length += len(sequence)
        if length > _LONGEST:  # a long sequence may be gone on with a thousand times
            raise scan.error(f"sequences of more than {_LONGEST:,} characters", section.start)
        try:
            found.append(Part(sequence, places, end, nacbracs_at(scan, section), section.note))
        except MalformedError as trouble:
            found.append(Part(sequence, places, end, trouble=trouble))
    return found


def split(text: str) -> list[tuple[str, tuple[Nacbrac | CubeNacbrac, ...]]]:
    """The sequences of a text and the nacbracs behind each; MalformedError with the place."""
    parts = parts_of(text)
    for part in parts:
        if part.trouble:
            raise part.trouble
    return [(part.sequence, part.nacbracs) for part in parts if not part.note]


def _cut(scan: Scan, section: Section) -> tuple[str, Sequence[int], int]:
    """The sequence of a piece with its markup, the places of its characters, and its end."""
    text, seen = scan.text, scan.glyphs[section.start : section.end]
    places = [*(glyph.at for glyph in scan.glyphs[section.start : section.end + 1]), len(text)]
    # The first one has the markup before it.
    start, end = places[0] if section.start else 0, places[len(seen)]
    sequence = text[start:end]
    if _looks(read_markup(sequence)) != _looks(seen) and len({one[1:-1] for one in seen}) == 1:
        # A text that is wholly bold, say: what opens before the nacbracs closes behind them.
        return "".join(glyph.character for glyph in seen), places[: len(seen)], end
    return sequence, range(start, end), end


def _joint(before: str, after: str, *, own_line: bool) -> tuple[int, int] | None:
    """Where a sequence is left off, and where the one begins that goes on from there.

    None where the second does not.
    """
    try:
        own, parent = parse_sequence(after), parse_sequence(before).tokens
    except MalformedError:  # which is told where that is decoded
        return None
    if own.starts is not Player.SECOND or not own.tokens:
        return None
    first, *others = own.tokens
    if others and own_line and not (first.roll and first.roll.is_doublet):
        return None
    return parent[-1].at if parent else len(before), first.at


def _looks(glyphs: Iterable[Glyph]) -> list[Glyph]:
    return [glyph._replace(at=0) for glyph in glyphs]
