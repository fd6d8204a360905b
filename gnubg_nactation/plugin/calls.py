"""What the user calls, at gnubg's prompt and in its menu, each printed and shown as it is told.

The work is done in rooms that are imported when they are first called: together they take several
times as long to import as gnubg's user should wait for a menu.
"""

from __future__ import annotations

from gnubg_nactation.plugin.program import reporting


@reporting
def show(*, traditional: bool = False, errors: bool = True) -> str:
    """Print the moves of the loaded match; with `traditional` also as 8/5 6/5.

    What gnubg has analysed says what it lost, and the errors of both players follow, unless
    `errors` is off. In a window the text becomes a file, which is opened.
    """
    from gnubg_nactation.plugin import match

    return match.show(traditional=traditional, errors=errors)


@reporting
def annotate(*, errors: bool = True) -> str:
    """Give each move of the loaded match a comment with its Nactation, in gnubg itself.

    A move that gnubg has analysed gets its nacbrac, too, unless `errors` is off. The comments show
    in gnubg's panel Commentary and are saved with the match. Other comments and the analysis stay;
    a second time changes nothing.
    """
    from gnubg_nactation.plugin import match

    return match.annotate(errors=errors)


@reporting
def export_sgf(path: str | None = None, *, errors: bool = True) -> str:
    """Write the loaded match, with comments as `annotate` makes them, to an SGF file.

    Without a path it becomes a new file in the folder Nactation of your home.
    """
    from gnubg_nactation.plugin import match

    return match.export_sgf(path, errors=errors)


@reporting
def export_text(path: str | None = None, *, traditional: bool = False, errors: bool = True) -> str:
    """Write what `show` prints to a file of text, UTF-8; without a path as `export_sgf` does."""
    from gnubg_nactation.plugin import match

    return match.export_text(path, traditional=traditional, errors=errors)


@reporting
def page() -> str:
    """Open the page of the loaded match in the browser."""
    from gnubg_nactation.plugin import match

    return match.page()


@reporting
def quiz() -> str:
    """Open the page of the loaded match in the browser, at the first mistake."""
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
    """Print the best plays of the roll on the board, and what each other one loses.

    gnubg looks so many `plies` ahead, or as many as it is set to. Shown are the best `limit`
    plays, or those that lose no more than `within` points (else 0.1, and two plays at least).
    `cube` asks about the cube before the roll, and so does a board without dice where the player
    may double; `all` asks about all rolls, a line for each.
    """
    from gnubg_nactation.plugin import ranking

    return ranking.nacbrac(plies, limit=limit, within=within, cube=cube, all=all)


@reporting
def best(plies: int | None = None) -> str:
    """Print the best play of the roll on the board and its equity.

    gnubg looks so many `plies` ahead, or as many as it is set to.
    """
    from gnubg_nactation.plugin import ranking

    return ranking.best(plies)


@reporting
def explore(path: str | None = None) -> str:
    """Print what was played in the position on the board, and what that cost, in other games.

    The path is that of a database that `nactate index` has made; without one it is that which
    NACTATION_DB names in the environment, else games.db in the folder that gnubg runs in.
    """
    from gnubg_nactation.plugin import exploring

    return exploring.explore(path)


@reporting
def name() -> str:
    """Print the sequence that leads to the position on the board, as the name of a file.

    The name has no ending. `nactate name --decode` reads it back.
    """
    from gnubg_nactation.plugin import sequences

    return sequences.name()


@reporting
def decode(text: str = "", *, replace: bool = False) -> str:
    """Put the position behind a sequence on the board, as a game of a money session.

    The first player of the sequence is gnubg's player 0. A loaded match in which something was
    played is let go with `replace` only.
    """
    from gnubg_nactation.plugin import setting_up

    return setting_up.decode(text, replace=replace)
