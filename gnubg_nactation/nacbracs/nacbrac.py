"""Nacbracs, or Nactation brackets: the plays of a roll with their errors (tutorial section 17).

`[P @87 H94 X101]` says that P is best and that @ loses 87 thousandths of a point. Before the
bracket may stand a score, behind it the bot that says so (`bots.py`). Those of the cube are in
`cube.py`; `parsing.py` reads both.
"""

from __future__ import annotations

from collections.abc import Callable

from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.nacbracs.numbers import thousandths
from gnubg_nactation.nacbracs.score import MONEY
from gnubg_nactation.values import dataclass, field

ELLIPSIS = "..."


@dataclass(frozen=True, slots=True)
class Entry:
    """A play of a nacbrac: its name and what it loses against the best, in points.

    `error` is None where it is not told. `skipped` says that plays before it are left out (an
    ellipsis). `text` is the name as written, at place `at` of the whole text.
    """

    name: Nactation
    error: float | None = None
    skipped: bool = False
    text: str = field(default="", compare=False)
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Nacbrac:
    """Plays of one roll, the best first, with errors that do not decrease.

    `score` is empty for money, else as `score.py` has it: `d`, `g`, `-3-5`. `equity` is that of the
    best play, if it is told. `more` says that plays behind the last entry are left out. `suffix`
    names the bot, as written; what names none is text, and may be markup when it is read again.
    """

    entries: tuple[Entry, ...]
    score: str = MONEY
    equity: float | None = None
    more: bool = False
    suffix: str = ""
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        """The nacbrac in plain spelling."""
        return format_nacbrac(self)


def format_nacbrac(
    nacbrac: Nacbrac,
    spell: Callable[[Nactation], str] = str,
    escape: Callable[[str], str] = str,
    best: Callable[[str], str] = str,
) -> str:
    """The nacbrac in plain spelling, in the form of the tutorial: the inverse of parse_nacbrac.

    Plays that are as good as the best are joined to it with `=` (#31); others that lose the same
    both have the number, as in `R41 Q41` (#51). Between a numeral and its error is a hyphen.

    For markup `spell` writes a name, `escape` other text, and `best` marks the best plays.
    """
    equity = nacbrac.equity
    written = "" if equity is None else "+" * (equity >= 0) + thousandths(equity or 0.0)
    written = escape(f"[{written}x").removesuffix("x")  # a letter, as BBCode's tags begin with one
    previous: Entry | None = None
    for entry in nacbrac.entries:
        equal = previous is not None and previous.error == entry.error == 0
        if entry.skipped:
            written += f" {ELLIPSIS}" if previous is None and equity is not None else ELLIPSIS
        elif previous is not None or equity is not None:
            written += escape("=") if equal else " "
        is_best = not entry.skipped and entry.error == 0 and (previous is None or equal)
        written += best(spell(entry.name)) if is_best else spell(entry.name)
        if entry.error is not None and not is_best:
            written += "-" * (entry.name.family.right is Right.NUMERAL) + thousandths(entry.error)
        previous = entry
    written = f"{escape(nacbrac.score)}{written}{ELLIPSIS * nacbrac.more}"
    return f"{written}{escape(']')} {escape(nacbrac.suffix)}".rstrip()
