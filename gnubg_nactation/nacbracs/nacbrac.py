"""Nacbracs, or Nactation brackets: the plays of a roll with their errors (tutorial section 17).

`[P @87 H94 X101]`: P is best, @ loses 87 thousandths of a point. A score may come before the
bracket, and the bot after it (`bots.py`). Nacbracs of the cube are in `cube.py`; `parsing.py` reads
both.
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
    """A play of a nacbrac: its name and its loss against the best, in points; None if not given.

    `skipped` means that plays before it are left out (an ellipsis). `text` is the name as written,
    at offset `at` of the whole text.
    """

    name: Nactation
    error: float | None = None
    skipped: bool = False
    text: str = field(default="", compare=False)
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Nacbrac:
    """Plays of one roll, the best first, with errors that do not decrease.

    `score` is empty for money, or `d`, `g`, `-3-5` (`score.py`). `equity` is that of the best play,
    if given. `more` means that plays after the last entry are left out. `suffix` is the text after
    the bracket, which may name the bot.
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
    """The nacbrac in plain spelling, in the tutorial's form: the inverse of parse_nacbrac.

    Plays as good as the best are joined to it with `=` (#31); other equal plays both have the
    number, as in `R41 Q41` (#51). A hyphen separates a numeral from its error.

    For markup, `spell` writes a name, `escape` other text, and `best` marks the best plays.
    """
    equity = nacbrac.equity
    text = "" if equity is None else "+" * (equity >= 0) + thousandths(equity or 0.0)
    text = escape(f"[{text}x").removesuffix("x")  # BBCode's tags begin with a letter
    previous: Entry | None = None
    for entry in nacbrac.entries:
        equal = previous is not None and previous.error == entry.error == 0
        if entry.skipped:
            text += f" {ELLIPSIS}" if previous is None and equity is not None else ELLIPSIS
        elif previous is not None or equity is not None:
            text += escape("=") if equal else " "
        is_best = not entry.skipped and entry.error == 0 and (previous is None or equal)
        text += best(spell(entry.name)) if is_best else spell(entry.name)
        if entry.error is not None and not is_best:
            text += "-" * (entry.name.family.right is Right.NUMERAL) + thousandths(entry.error)
        previous = entry
    text = f"{escape(nacbrac.score)}{text}{ELLIPSIS * nacbrac.more}"
    return f"{text}{escape(']')} {escape(nacbrac.suffix)}".rstrip()
