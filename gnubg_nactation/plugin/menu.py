"""What can be done by mouse: the menu Nactation, and files of commands that do the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gnubg_nactation.plugin.calls import (
    annotate,
    best,
    export_text,
    nacbrac,
    name,
    page,
    quiz,
    show,
)
from gnubg_nactation.plugin.program import gnubg_module
from gnubg_nactation.plugin.window import fill_menu, when_shown
from gnubg_nactation.values import NamedTuple

_NAME = "Nactation"


class Entry(NamedTuple):
    """An entry of the menu, and the call that it stands for as one types it."""

    label: str
    call: str
    function: Callable[[], None]


ENTRIES = (
    Entry("Annotate this match", "annotate()", annotate),
    Entry("Nacbrac of this roll", "nacbrac()", nacbrac),
    Entry("Nacbrac of the cube", "nacbrac(cube=True)", partial(nacbrac, cube=True)),
    Entry("Nacbracs of all rolls", "nacbrac(all=True)", partial(nacbrac, all=True)),
    Entry("Best play", "best()", best),
    Entry("Name of this position", "name()", name),
    Entry("Show", "show()", show),
    Entry("Export text", "export_text()", export_text),
    Entry("Page in the browser", "page()", page),
    Entry("Quiz", "quiz()", quiz),
)


def add_menu() -> None:
    """Add the menu to gnubg's window, as soon as it has one."""
    gnubg_module()
    entries = [(entry.label, entry.function) for entry in ENTRIES]
    when_shown(lambda window: fill_menu(window, _NAME, entries))
