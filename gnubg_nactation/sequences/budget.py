"""A limit on the work that one text may take, shared by everything read from it."""

from __future__ import annotations

USED_UP = "this text has too many doubtful tokens to try them all"
_READINGS, _CHARS_PER_READING = 4_000, 8  # readings of any text, and one more per 8 characters


class Budget:
    """The readings allowed for a text of this length, beyond one for each of its tokens.

    A strict reading needs only that one, so a used-up budget does not stop it.
    """

    __slots__ = ("left",)

    def __init__(self, chars: int) -> None:
        self.left = _READINGS + chars // _CHARS_PER_READING

    @property
    def is_used_up(self) -> bool:
        """Whether no readings are left."""
        return self.left <= 0

    @property
    def share(self) -> int:
        """The readings for one sequence: half of those left, to spare some for later sequences."""
        return max(self.left, 0) // 2

    def spend(self, readings: int = 1) -> None:
        """Use up readings, or other work that takes about as long."""
        self.left -= readings
