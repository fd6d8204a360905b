"""The comments that `sgf.comment_lines` writes, read again."""

from __future__ import annotations

import re
from typing import NamedTuple

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.exports.sgf import PREFIX
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.nacbracs.nacbrac import Nacbrac, parse_nacbrac

__all__ = ["Comment", "parse_comment_line"]

_ROLL = re.compile(r"[1-6]{2}")
_TROUBLES = ("board unknown", "illegal play", "play missing")
# What may stand behind the names of a play: a nacbrac, the cube, a remark, or errors as of old.
_BEHIND = re.compile(r"  |\s(?=[\[(]|x[0-9])|\Z")


class Comment(NamedTuple):
    """A line that `comment_lines` writes for a roll, read again.

    `roll` is empty where the line does not have it. `names` are the Nactations of the play, none
    where the line says that there is no play to name.
    """

    roll: str
    names: tuple[Nactation, ...]
    nacbrac: Nacbrac | None


def parse_comment_line(line: str) -> Comment:
    """Read the line of a roll, with its prefix; also as of old: `P`, `T x129 best S`.

    Raises MalformedError.
    """
    if not line.startswith(PREFIX):
        raise MalformedError(f"not a line that begins with {PREFIX!r}", text=line)
    text = line[len(PREFIX) :].strip()
    found = _ROLL.match(text)
    roll = found[0] if found else ""
    if text[len(roll) :].strip() in _TROUBLES:
        return Comment(roll, (), None)
    behind = _BEHIND.search(text)
    end = behind.start() if behind else len(text)
    names = tuple(map(parse_nactation, text[len(roll) : end].split()))
    rest = text[end:].lstrip()
    nacbrac = parse_nacbrac(rest[: rest.rfind("]") + 1 or None]) if rest.startswith("[") else None
    return Comment(roll, names, nacbrac)
