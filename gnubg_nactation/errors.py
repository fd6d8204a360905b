"""The errors of the package: everything that a caller may want to catch."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["AmbiguousError", "IllegalError", "MalformedError", "NactationError"]


class NactationError(ValueError):
    """Base of all errors that the package raises on purpose; its text is one line."""


class MalformedError(NactationError):
    """The text or file is not of the notation or format: no such thing can be written."""


class IllegalError(NactationError):
    """Well written, but not possible in the position with the roll."""


class AmbiguousError(NactationError):
    """Several readings are possible; `candidates` holds them, most plausible first."""

    def __init__(self, message: str, candidates: Sequence[object] = ()) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)
