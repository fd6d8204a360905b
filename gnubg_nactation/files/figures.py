"""Checks of the numbers in an analysis; impossible ones count as unknown."""

from __future__ import annotations

from collections.abc import Iterable

from gnubg_nactation.backgammon.analysis import MAX_CHANCE, MAX_POINTS, MIN_CHANCE

_IMPOSSIBLE = "impossible numbers in the analysis, such as nan or an equity over 100, are ignored"


class Figures:
    """Checks the numbers of one file and remembers whether any was impossible."""

    def __init__(self) -> None:
        self._impossible = False

    def points(self, number: float) -> float:
        """Return the number, an equity or a chance; raises ValueError if it can be neither."""
        if -MAX_POINTS <= number <= MAX_POINTS:  # calling is_equity would take longer
            return number
        self._impossible = True
        raise ValueError(number)

    def are_chances(self, numbers: Iterable[float]) -> bool:
        """Whether each number can be a chance."""
        impossible = [number for number in numbers if not MIN_CHANCE <= number <= MAX_CHANCE]
        self._impossible |= bool(impossible)
        return not impossible

    @property
    def problems(self) -> tuple[str, ...]:
        """One warning for the file if any number was impossible."""
        return (_IMPOSSIBLE,) if self._impossible else ()
