"""The calls for gnubg's prompt and menu.

Each imports its module when it is first called, because the menu should appear at once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gnubg_nactation.plugin.program import gnubg_module, reporting
from gnubg_nactation.plugin.window import fill_menu, when_shown
from gnubg_nactation.tasks.gnubg_menu import ENTRIES


@reporting
def show(*, traditional: bool = False, errors: bool = True) -> str:
    """Print the moves of the loaded match; with `traditional` also as 8/5 6/5.

    Unless `errors` is off, analysed moves show their errors, and the errors of both players
    follow. In a window the text is saved and opened.
    """
    from gnubg_nactation.plugin import match

    return match.show(traditional=traditional, errors=errors)


@reporting
def annotate(*, errors: bool = True) -> str:
    """Comment on each move of the loaded match with its Nactation, in gnubg itself.

    Unless `errors` is off, analysed moves also get their nacbrac. The comments appear in gnubg's
    panel Commentary and are saved with the match. Your comments and the analysis stay; calling it
    again changes nothing.
    """
    from gnubg_nactation.plugin import match

    return match.annotate(errors=errors)


@reporting
def export_sgf(path: str | None = None, *, errors: bool = True) -> str:
    """Save the loaded match, with comments as by `annotate`, as SGF.

    Without a path it is a new file in the folder Nactation of your home.
    """
    from gnubg_nactation.plugin import match

    return match.export_sgf(path, errors=errors)


@reporting
def export_text(path: str | None = None, *, traditional: bool = False, errors: bool = True) -> str:
    """Save the moves as `show` prints them, in UTF-8; without a path as `export_sgf` does."""
    from gnubg_nactation.plugin import match

    return match.export_text(path, traditional=traditional, errors=errors)


@reporting
def remove() -> str:
    """Remove the comments that `annotate` wrote from the loaded match; your own stay."""
    from gnubg_nactation.plugin import match

    return match.remove()


@reporting
def save_text() -> str:
    """Ask in gnubg's window where to save the moves, as by `export_text`."""
    from gnubg_nactation.plugin import match

    return match.ask_where("text", export_text)


@reporting
def save_sgf() -> str:
    """Ask in gnubg's window where to save the match, as by `export_sgf`."""
    from gnubg_nactation.plugin import match

    return match.ask_where("SGF", export_sgf)


@reporting
def page() -> str:
    """Open the page of the loaded match in the browser, at the move that gnubg shows."""
    from gnubg_nactation.plugin import match

    return match.page()


@reporting
def quiz() -> str:
    """Open the quiz on the mistakes of the loaded match in the browser.

    It begins at the move that gnubg shows, or at the next mistake.
    """
    from gnubg_nactation.plugin import match

    return match.quiz()


@reporting
def nacbrac(
    plies: int | None = None,
    *,
    limit: int | None = None,
    within: float | None = None,
    cube: bool = False,
    all: bool = False,  # noqa: A002 (a word for users)
) -> str:
    """Print the best plays of the roll on the board, with their errors.

    `plies` is gnubg's search depth (default: its own setting). The best `limit` plays are shown, or
    those within `within` points of the best (default 0.1, and at least two plays). `cube` is about
    the cube before the roll, as is a board without dice if the player may double. `all` shows all
    rolls, a line each.
    """
    from gnubg_nactation.plugin import board

    return board.nacbrac(plies, limit=limit, within=within, cube=cube, all=all)


@reporting
def best(plies: int | None = None) -> str:
    """Print the best play of the roll on the board and its equity; `plies` as for `nacbrac`."""
    from gnubg_nactation.plugin import board

    return board.best(plies)


@reporting
def explore(path: str | None = None) -> str:
    """Print the plays made in the position on the board in other games, and their errors.

    The path is of a database made by `nactate index`; the default is the environment variable
    NACTATION_DB, or else games.db in the folder that gnubg runs in, or in your home.
    """
    from gnubg_nactation.plugin import board

    return board.explore(path)


@reporting
def name() -> str:
    """Print the sequence to the position on the board as a file name without an ending.

    `nactate encode --from-name` reads it back.
    """
    from gnubg_nactation.plugin import board

    return board.name()


@reporting
def decode(text: str = "", *, replace: bool = False) -> str:
    """Put the position after a sequence on the board, as a money game.

    The first player of the sequence is gnubg's player 0. A match with moves is only replaced if
    `replace` is on.
    """
    from gnubg_nactation.plugin import board

    return board.decode(text, replace=replace)


@reporting
def load_sequence() -> str:
    """Ask in gnubg's window for a sequence, and put its position on the board."""
    from gnubg_nactation.plugin import board

    return board.ask(_load)


@reporting
def _load(text: str, confirmed: str = "") -> str:
    from gnubg_nactation.plugin import board

    return board.load(text, confirmed, lambda lost: _load(text, lost))


# The menu

_NAME = "Nactation"
_FUNCTIONS: dict[str, Callable[[], None]] = {
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
