"""What the plugin has in GNU Backgammon: the entries of its menu, and a folder for its files."""

from __future__ import annotations

from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

# Files shown to the user, overwritten each time.
PAGE, PLACE, TEXT = "last page.html", "last place.html", "last moves.txt"


def our_folder() -> Path:
    """Nactation in the user's home, where gnubg's window opens files; it need not exist."""
    from pathlib import Path  # would delay the start in gnubg

    return Path.home() / "Nactation"


class Entry(NamedTuple):
    """An entry of the menu, its call, and the name of its command file if it is not the label."""

    label: str
    call: str
    file: str = ""


ENTRIES = (
    Entry("Annotate this match", "annotate()"),
    Entry("Nacbrac of this roll", "nacbrac()"),
    Entry("Nacbrac of the cube", "nacbrac(cube=True)"),
    Entry("Nacbracs of all rolls", "nacbrac(all=True)"),
    Entry("Best play", "best()"),
    Entry("Sequence to this position", "name()", "name of this position"),
    Entry("Move list", "show()", "show"),
    Entry("Save as text...", "export_text()", "export text"),
    Entry("Save as SGF...", "export_sgf()", "save as SGF"),
    Entry("Page in the browser", "page()"),
    Entry("Quiz me on the mistakes", "quiz()", "quiz"),
    Entry("Load a sequence...", "load_sequence()", "load a sequence"),
    Entry("Explore this position", "explore()"),
    Entry("Remove Nactation comments", "remove()", "remove Nactation comments"),
)
