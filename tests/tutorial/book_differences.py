"""The book of the program and the tutorial's rollouts: every loss in which they differ.

    python -m tests.tutorial.book_differences

writes the table of docs/book.md again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.nacbracs.book import shipped_book
from tests.tutorial.test_nacbracs import ROWS

DOCS = Path(__file__).parents[2] / "docs" / "book.md"
HEAD = "| Diagram | Roll | Play | Tutorial | Book |\n| --- | --- | --- | ---: | ---: |\n"


def compared() -> Iterator[tuple[str, str, str, float, float | None]]:
    """The diagram, the roll, the play, and its loss in the tutorial and in the book.

    All plays whose loss the tutorial states, of all decisions that the book has; None if the book
    does not list the play.
    """
    book = shipped_book()
    for row in ROWS:
        position, nacbrac = parse_position_id(row.position_id), row.parsed
        line = book.at(position, Roll.parse(row.roll), nacbrac.score)
        if line is None:
            continue
        losses = {format_play(play): loss for _, play, loss in line.plays}
        moves = f"{row.sequence}-{row.roll}".lstrip("-") + f" {nacbrac.score}".rstrip()
        for entry, play in zip(nacbrac.entries, row.wanted, strict=True):
            if entry.error is not None and play != "?":
                yield row.diagram, moves, play, entry.error, losses.get(play)


def table() -> str:
    """The entries that differ, in Markdown."""
    return HEAD + "".join(
        f"| #{diagram} | {moves} | {play} | {_thousandths(there)} | {_thousandths(here)} |\n"
        for diagram, moves, play, there, here in compared()
        if here is None or round(1000 * there) != round(1000 * here)
    )


def _thousandths(loss: float | None) -> str:
    return "not listed" if loss is None else f"{1000 * loss:.0f}"


if __name__ == "__main__":
    before, _, after = DOCS.read_text("utf-8").partition(HEAD)
    DOCS.write_text(before + table() + after[after.index("\n\n") + 1 :], "utf-8")
