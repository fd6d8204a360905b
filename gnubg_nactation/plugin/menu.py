"""The menu Nactation in gnubg's window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gnubg_nactation.plugin.calls import (
    annotate,
    best,
    explore,
    load_sequence,
    nacbrac,
    name,
    page,
    quiz,
    remove,
    save_sgf,
    save_text,
    show,
)
from gnubg_nactation.plugin.program import gnubg_module
from gnubg_nactation.plugin.window import fill_menu, when_shown
from gnubg_nactation.values import NamedTuple

_NAME = "Nactation"


class Entry(NamedTuple):
    """An entry of the menu, its call, and the name of its command file if it is not the label."""

    label: str
    call: str
    function: Callable[[], None]
    file: str = ""


ENTRIES = (
    Entry("Annotate this match", "annotate()", annotate),
    Entry("Nacbrac of this roll", "nacbrac()", nacbrac),
    Entry("Nacbrac of the cube", "nacbrac(cube=True)", partial(nacbrac, cube=True)),
    Entry("Nacbracs of all rolls", "nacbrac(all=True)", partial(nacbrac, all=True)),
    Entry("Best play", "best()", best),
    Entry("Sequence to this position", "name()", name, "name of this position"),
    Entry("Move list", "show()", show, "show"),
    Entry("Save as text...", "export_text()", save_text, "export text"),
    Entry("Save as SGF...", "export_sgf()", save_sgf, "save as SGF"),
    Entry("Page in the browser", "page()", page),
    Entry("Quiz me on the mistakes", "quiz()", quiz, "quiz"),
    Entry("Load a sequence...", "load_sequence()", load_sequence, "load a sequence"),
    Entry("Explore this position", "explore()", explore),
    Entry("Remove Nactation comments", "remove()", remove, "remove Nactation comments"),
)


def add_menu() -> None:
    """Add the menu to gnubg's window as soon as there is one."""
    gnubg_module()
    entries = [(entry.label, entry.function) for entry in ENTRIES]
    when_shown(lambda window: fill_menu(window, _NAME, entries))
