"""How much work one text may take, shared by everything that is read of it."""

from __future__ import annotations

USED_UP = "this text has used up its doubtful readings"
_LEAST, _CHARS_EACH = 4_000, 8  # readings of any text, and one more for each so many characters


class Budget:
    """The readings that a text of this length has, beyond one for each of its tokens.

    What reads as it is written needs no more than that one, so it is read even when none is left.
    """

    __slots__ = ("left",)

    def __init__(self, chars: int) -> None:
        self.left = _LEAST + chars // _CHARS_EACH

    @property
    def is_used_up(self) -> bool:
        """Whether no readings are left."""
        return self.left <= 0

    @property
    def share(self) -> int:
        """The readings for one sequence: half of those left, so that later ones have some, too."""
        return max(self.left, 0) // 2

    def spend(self, readings: int = 1) -> None:
        """Count readings, or other work that takes about as long."""
        self.left -= readings
