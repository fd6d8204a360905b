"""Split a text of nacbracs into its sequences, each with the nacbracs after it."""

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

_LONGEST = 100_000  # characters of all sequences together


class Part(NamedTuple):
    """A sequence of a text and the nacbracs after it, or the `trouble` with them.

    `places` has the offset in the text of each character of the sequence, `end` that of its end.
    `note` is a comment instead of nacbracs.
    """

    sequence: str
    places: Sequence[int]
    end: int
    nacbracs: tuple[Nacbrac | CubeNacbrac, ...] = ()
    note: str = ""
    trouble: MalformedError | None = None

    def place(self, at: int) -> int:
        """The offset in the text of an offset in the sequence."""
        return self.places[at] if at < len(self.places) else self.end


def parts_of(text: str) -> list[Part]:
    """The parts of a text, at least one; MalformedError if it is too long.

    A hyphen and a roll after nacbracs (`-42`) replace the last roll of the sequence before, as in
    the tutorial's #55. If turns follow (`-42P-61`), this holds on the same line and for a doublet;
    otherwise the second player opens a new sequence.
    """
    scan = Scan(text)
    parts: list[Part] = []
    length = 0
    for section in lay_out(scan):
        sequence, places, end = _cut(scan, section)
        own_line = scan.bare[max(section.start - 9, 0) : section.start].rstrip(" ").endswith("\n")
        if parts and (joint := _joint(parts[-1].sequence, sequence, own_line=own_line)):
            until, start = joint
            places = [*parts[-1].places[:until], *places[start:]]
            sequence = parts[-1].sequence[:until] + sequence[start:]
        length += len(sequence)
        if length > _LONGEST:  # a long sequence may be continued a thousand times
            raise scan.error(f"sequences of more than {_LONGEST:,} characters", section.start)
        try:
            parts.append(Part(sequence, places, end, nacbracs_at(scan, section), section.note))
        except MalformedError as trouble:
            parts.append(Part(sequence, places, end, trouble=trouble))
    return parts


def split(text: str) -> list[tuple[str, tuple[Nacbrac | CubeNacbrac, ...]]]:
    """The sequences of a text and the nacbracs after each; raises MalformedError."""
    parts = parts_of(text)
    for part in parts:
        if part.trouble:
            raise part.trouble
    return [(part.sequence, part.nacbracs) for part in parts if not part.note]


def _cut(scan: Scan, section: Section) -> tuple[str, Sequence[int], int]:
    """The sequence of a piece with its markup, the offsets of its characters, and its end."""
    text, glyphs = scan.text, scan.glyphs[section.start : section.end]
    places = [*(glyph.at for glyph in scan.glyphs[section.start : section.end + 1]), len(text)]
    # The first piece includes the markup before it.
    start, end = places[0] if section.start else 0, places[len(glyphs)]
    sequence = text[start:end]
    is_uniform = len({glyph[1:-1] for glyph in glyphs}) == 1
    if _styles(read_markup(sequence)) != _styles(glyphs) and is_uniform:
        # In a text that is all bold, for example, the tag closes only after the nacbracs.
        return "".join(glyph.character for glyph in glyphs), places[: len(glyphs)], end
    return sequence, range(start, end), end


def _joint(before: str, after: str, *, own_line: bool) -> tuple[int, int] | None:
    """Where the first sequence is cut, and where in the second one its continuation begins.

    None if the second does not continue the first.
    """
    try:
        own, parent = parse_sequence(after), parse_sequence(before).tokens
    except MalformedError:  # reported when the sequence is decoded
        return None
    if own.starts is not Player.SECOND or not own.tokens:
        return None
    first, *following = own.tokens
    if following and own_line and not (first.roll and first.roll.is_doublet):
        return None
    return parent[-1].at if parent else len(before), first.at


def _styles(glyphs: Iterable[Glyph]) -> list[Glyph]:
    return [glyph._replace(at=0) for glyph in glyphs]
