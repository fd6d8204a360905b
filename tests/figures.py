"""Compare texts and numbers, allowing for engine figures that differ between processors.

Debian's gnubg is built with `-ffast-math`: its reciprocals have 12 bits, which depend on the
processor and on valgrind. So an equity may differ by EQUITY. A loss is the difference of two
equities and may differ by LOSS; plays that are closer than that may swap.

Figures in a text are numbers with three decimals, losses unless they have a `+`; the thousandths
lost in a nacbrac (`[P H76 @79]`, `[N D/T 216]`) and in the cell of a chart (`R S83`, `N=E`); and
standard errors. The rest must be equal, except for the length of runs of blanks, which depends on
the digits of figures.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import pytest

EQUITY = 0.003
LOSS = 2 * EQUITY
_EXACT = 1e-9  # of sums of decimal fractions
_ERRORS = re.compile(r"(?<=standard error)s?((?: \d+)+)")
_NACBRAC = re.compile(r"\[(?:[^][]|\[/?[a-z]+\])+\]")
_MARKUP = re.compile(r"\[/?[a-z]+\]|\u2060")
_CELL = re.compile(r"(?<=  )(?:[^\s/]+ [^\s/]*[^\s/\d]\d{1,4}|[^\s/=]+=[^\s/=]+)(?=  |$)")
_RATED = re.compile(r"(.*?\D)(\d{1,4})")  # a play, and the thousandths that it loses
_DECIMAL = re.compile(r"(?<![\d.])([+-]?)(\d*\.\d{3})(?![\d.])")
_BLANKS = re.compile(r"(?<=\S) {2,}")


class _Figures(NamedTuple):
    """A line with `#` for its figures: rated plays, best first, and numbers with their limits."""

    text: str
    plays: list[dict[str, float]]
    numbers: list[tuple[float, float]]


def near(equity: Any) -> Any:
    """Equals an engine's equity, or several, within EQUITY."""
    return pytest.approx(equity, abs=EQUITY + _EXACT)


def near_loss(loss: Any) -> Any:
    """Equals a difference of two equities, or several, within their tolerance."""
    return pytest.approx(loss, abs=LOSS + _EXACT)


def same_but_figures(printed: str | Sequence[str], expected: str | Sequence[str]) -> bool:
    """Whether texts, or their lines, are equal except for figures within the tolerance."""
    if isinstance(printed, str):
        printed = printed.splitlines()
    if isinstance(expected, str):
        expected = expected.splitlines()
    return len(printed) == len(expected) and all(map(_lines_agree, printed, expected))


def _lines_agree(printed: str, expected: str) -> bool:
    if printed == expected:
        return True
    ours, theirs = _figures(printed), _figures(expected)
    return (
        ours.text == theirs.text
        and all(map(_plays_agree, ours.plays, theirs.plays))
        and all(
            abs(number - reference) <= limit + _EXACT
            for (number, limit), (reference, _) in zip(ours.numbers, theirs.numbers, strict=True)
        )
    )


def _plays_agree(printed: dict[str, float], expected: dict[str, float]) -> bool:
    """Whether both lists can come from equities that differ by at most EQUITY."""
    if printed.keys() != expected.keys():
        return False
    apart = [printed[play] - loss for play, loss in expected.items()]
    place = {play: number for number, play in enumerate(printed)}
    swapped = [
        abs(expected[first] - expected[second])
        for first, second in combinations(expected, 2)
        if place[first] > place[second]
    ]
    return max(max(apart) - min(apart), *swapped, 0.0) <= LOSS + _EXACT


def _figures(line: str) -> _Figures:
    errors = [int(word) / 1000 for group in _ERRORS.findall(line) for word in group.split()]
    plays: list[dict[str, float]] = []
    numbers = [(error, EQUITY) for error in errors]

    def take_plays(match: re.Match[str]) -> str:
        losses: dict[str, float] = {}
        name = ""
        for word in _MARKUP.sub("", match[0]).strip("[]").replace("=", " ").split():
            rated = _RATED.fullmatch(word)
            name, loss = rated.groups() if rated else (name, word) if word.isdigit() else (word, 0)
            losses[name] = int(loss) / 1000
        if len(losses) < 2:
            return match[0]
        plays.append(losses)
        return "#"

    def take_number(match: re.Match[str]) -> str:
        numbers.append((float(match[0]), EQUITY if match[1] == "+" else LOSS))
        return "#"

    text = _NACBRAC.sub(take_plays, _ERRORS.sub("#", line))
    text = _DECIMAL.sub(take_number, _CELL.sub(take_plays, text))
    return _Figures(_BLANKS.sub("  ", text), plays, numbers)
