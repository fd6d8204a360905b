"""The errors of the package: everything that a caller may want to catch."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.showing import shown

_WINDOW = 35
_LONGEST = 2000  # characters of a message


class NactationError(ValueError):
    """Base of all errors that the package raises on purpose; its message is one line.

    What it quotes is `quoted`; a message that is long all the same is cut.

    Where a text was read, `text` is that text and `at` the place in it, counted from 0.
    """

    def __init__(self, message: str, *, text: str = "", at: int = 0) -> None:
        super().__init__(shown(message, _LONGEST))
        self.text = text
        self.at = at

    def excerpt(self) -> str:
        """The line of the text around the place and a caret below it; empty without a text."""
        if not self.text:
            return ""
        start = self.text.rfind("\n", 0, self.at) + 1
        end = self.text.find("\n", self.at)
        line = self.text[start : end if end >= 0 else len(self.text)]
        column = self.at - start
        first = max(column - _WINDOW, 0)
        shown = "".join(c if c.isprintable() else " " for c in line[first : column + _WINDOW])
        return f"  {shown}\n  {' ' * (column - first)}^"


def wrong_type(expected: str, found: object) -> TypeError:
    """The error of a caller who gives something else than is wanted; no NactationError."""
    return TypeError(f"expected {expected}; got {type(found).__name__}")


class MalformedError(NactationError):
    """The text or file is not of the notation or format: no such thing can be written."""


class IllegalError(NactationError):
    """Well written, but not possible in the position with the roll.

    `reason` is the message without where that is and what would be possible.
    """

    def __init__(self, message: str, *, text: str = "", at: int = 0, reason: str = "") -> None:
        super().__init__(message, text=text, at=at)
        self.reason = reason or str(self)


class UnknownError(IllegalError):
    """An archive holds nothing of the player, position or roll that a question is about."""


class UnreadError(IllegalError):
    """Not possible as it is written; whether a doubtful reading is, was not tried any more."""


class AmbiguousError(NactationError):
    """Several readings are possible; `candidates` holds them, most plausible first."""

    def __init__(
        self, message: str, candidates: Sequence[object] = (), *, text: str = "", at: int = 0
    ) -> None:
        super().__init__(message, text=text, at=at)
        self.candidates = tuple(candidates)


class EngineError(NactationError):
    """An engine is missing, does not answer or failed."""


class ArchiveError(NactationError):
    """The database of an archive is missing, is none, is damaged or cannot be written."""
