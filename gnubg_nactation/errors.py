"""The errors of the package."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.showing import shown

_EXCERPT_CHARS = 35  # on each side of the place
_MAX_MESSAGE_CHARS = 2000


class NactationError(ValueError):
    """Base class of the package's errors; the message is one line.

    If a text was read, `text` is that text, and `at` is the index of the error in it.
    """

    def __init__(self, message: str, *, text: str = "", at: int = 0) -> None:
        super().__init__(shown(message, _MAX_MESSAGE_CHARS))
        self.text = text
        self.at = at

    def excerpt(self) -> str:
        """The line of the error with a caret below the place; empty without a text."""
        if not self.text:
            return ""
        start = self.text.rfind("\n", 0, self.at) + 1
        end = self.text.find("\n", self.at)
        line = self.text[start : end if end >= 0 else len(self.text)]
        column = self.at - start
        first = max(column - _EXCERPT_CHARS, 0)
        part = line[first : column + _EXCERPT_CHARS]
        visible = "".join(character if character.isprintable() else " " for character in part)
        return f"  {visible}\n  {' ' * (column - first)}^"


def wrong_type(expected: str, value: object) -> TypeError:
    """The error for an argument of the wrong type."""
    return TypeError(f"expected {expected}; got {type(value).__name__}")


class MalformedError(NactationError):
    """The text or file does not follow the notation or format."""


class IllegalError(NactationError):
    """Correct notation, but not possible in the position or with the roll.

    `reason` is the message without the place and without what would be possible.
    """

    def __init__(self, message: str, *, text: str = "", at: int = 0, reason: str = "") -> None:
        super().__init__(message, text=text, at=at)
        self.reason = reason or str(self)


class UnknownError(IllegalError):
    """The database has nothing about the player, position or roll."""


class UnreadError(IllegalError):
    """Not possible as written; the search for other readings was given up."""


class AmbiguousError(NactationError):
    """Several readings are possible: `candidates`, the most plausible first."""

    def __init__(
        self, message: str, candidates: Sequence[object] = (), *, text: str = "", at: int = 0
    ) -> None:
        super().__init__(message, text=text, at=at)
        self.candidates = tuple(candidates)


class EngineError(NactationError):
    """An engine is not installed, did not answer in time or failed."""


class ArchiveError(NactationError):
    """The database is missing, damaged or cannot be written, or the file is something else."""


class DamagedArchiveError(ArchiveError):
    """The database is damaged."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            f"{path}: {reason}; the database is damaged: delete it and run `nactate index` again"
        )


class ForeignArchiveError(ArchiveError):
    """The file is no database of `nactate index`."""


class MissingArchiveError(ArchiveError):
    """There is no database at this path."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path}: no such database; create it with `nactate index`")
        self.path = path
