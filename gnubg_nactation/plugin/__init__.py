"""Nactation inside GNU Backgammon: what `>import nactation_plugin` offers there.

The functions that print are for the user's prompt and menu: each prints in a line its result or
why it failed, and shows it in the window. `loaded_match` is for programs and raises instead.
"""

import sys
from collections.abc import Callable
from opcode import opmap
from types import ModuleType

from gnubg_nactation.errors import NactationError
from gnubg_nactation.plugin.calls import (
    add_menu,
    annotate,
    best,
    decode,
    explore,
    export_sgf,
    export_text,
    load_sequence,
    nacbrac,
    name,
    page,
    quiz,
    remove,
    show,
)
from gnubg_nactation.plugin.loaded import loaded_match
from gnubg_nactation.plugin.program import path_argument, reporting, run_command, say
from gnubg_nactation.plugin.window import find_window, why_no_window
from gnubg_nactation.values import Any

__all__ = [
    "add_menu",
    "annotate",
    "best",
    "decode",
    "explore",
    "export_sgf",
    "export_text",
    "greet",
    "greet_at_each_import",
    "load_sequence",
    "loaded_match",
    "nacbrac",
    "name",
    "page",
    "path_argument",
    "quiz",
    "remove",
    "run_command",
    "say",
    "show",
]

_CALLS = """\
  nactation_plugin.show()             print its moves
  nactation_plugin.annotate()         comment on each of its moves, here in gnubg
  nactation_plugin.page()             open its page in the browser; quiz() asks about its mistakes
  nactation_plugin.export_sgf(path)   save the match with these comments, for gnubg
  nactation_plugin.export_text(path)  save its moves as text
For the position on the board:
  nactation_plugin.nacbrac()          print its best plays and their errors, as in [P @87 H94]
  nactation_plugin.best()             print its best play
  nactation_plugin.explore("games.db") print the plays made there in the games of a database
  nactation_plugin.name()             print the sequence to it, as a file name
  nactation_plugin.decode("54S-63R")  put the position after a sequence on the board"""

_NO_MENU = "No menu: {}. Use File > Open Commands, and the files in the folder Nactation."


@reporting
def greet() -> str:
    """Print which match is loaded and what to do with it; in a window, add the menu."""
    if find_window():
        add_menu()
        return "Nactation: see the Nactation menu"
    try:
        match = loaded_match().match
    except NactationError as error:
        loaded = str(error).partition(";")[0]
    else:
        from gnubg_nactation.plugin.saved import describe  # noqa: PLC0415 (it reads matches)

        loaded = describe(match)
    reason = why_no_window()
    no_menu = f"{_NO_MENU.format(reason)}\n" if reason else ""
    return f"{no_menu}Nactation for the loaded match ({loaded}):\n{_CALLS}"


def greet_at_each_import(name: str) -> None:
    """Greet now and whenever `import` is typed again, although Python runs the module only once."""
    greet()
    module: ModuleType = sys.modules[name]
    module.__spec__ = _Spec(module.__spec__, greet)  # type: ignore[assignment]


class _Spec:
    """A module's spec that makes a call when an import statement at the prompt imports it again.

    Python looks up `_initializing` then, but also for an attribute that the module lacks, as
    `help` and `hasattr` do many times.
    """

    def __init__(self, spec: object, call: Callable[[], None]) -> None:
        self._spec, self._call = spec, call
        self._last: object = None  # the frame of the last import

    def __getattr__(self, name: str) -> Any:
        return getattr(self._spec, name)

    @property
    def _initializing(self) -> bool:
        frame = sys._getframe(1)  # noqa: SLF001 (nothing else shows who imports)
        at_prompt = frame.f_globals.get("__name__") == "__main__"
        imports = frame.f_code.co_code[frame.f_lasti] == opmap["IMPORT_NAME"]
        if at_prompt and imports and frame is not self._last:  # `from` looks it up twice
            self._last = frame
            self._call()
        return False
