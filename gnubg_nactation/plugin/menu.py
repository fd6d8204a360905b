"""The menu Nactation in gnubg's window."""

from __future__ import annotations

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
from gnubg_nactation.tasks.gnubg_menu import ENTRIES

_NAME = "Nactation"
_FUNCTIONS = {
    "annotate()": annotate,
    "nacbrac()": nacbrac,
    "nacbrac(cube=True)": partial(nacbrac, cube=True),
    "nacbrac(all=True)": partial(nacbrac, all=True),
    "best()": best,
    "name()": name,
    "show()": show,
    "export_text()": save_text,
    "export_sgf()": save_sgf,
    "page()": page,
    "quiz()": quiz,
    "load_sequence()": load_sequence,
    "explore()": explore,
    "remove()": remove,
}


def add_menu() -> None:
    """Add the menu to gnubg's window as soon as there is one."""
    gnubg_module()
    entries = [(entry.label, _FUNCTIONS[entry.call]) for entry in ENTRIES]
    when_shown(lambda window: fill_menu(window, _NAME, entries))
