"""The figures of an analysis in a file; those that cannot be true count as unknown."""

from __future__ import annotations

from collections.abc import Iterable

from gnubg_nactation.backgammon.analysis import MAX_POINTS, is_chance

_IMPOSSIBLE = (
    "numbers of the analysis that cannot be true, such as nan or an equity over 100 points, "
    "are ignored"
)


class Figures:
    """Checks the figures of a file, and remembers whether any cannot be true."""

    def __init__(self) -> None:
        self._impossible = False

    def points(self, number: float) -> float:
        """Returns the number, which is in points or a chance; ValueError if it can be neither."""
        if -MAX_POINTS <= number <= MAX_POINTS:  # as is_equity, which would be one call more
            return number
        self._impossible = True
        raise ValueError(number)

    def are_chances(self, numbers: Iterable[float]) -> bool:
        """Whether each number can be a chance."""
        possible = all(map(is_chance, numbers))
        self._impossible |= not possible
        return possible

    @property
    def problems(self) -> tuple[str, ...]:
        """One warning for the file, if any figure cannot be true."""
        return (_IMPOSSIBLE,) if self._impossible else ()
