"""Text on a terminal: Nactations in their looks, errors in colours, long lines folded.

What is typed stays: `a{4}` has an italic a, and `M_` an underlined M, for what is copied from a
terminal has no looks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.alphabet import Diacritic
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.writing.colours import colour_text

_NUMBERED = r"[^\s{}][_.]?\{[1-9][0-9]{0,5}\}"
_UNDERLINED = r"(?:(?<=[1-6]{2})|(?<=[\s(\[=]))[A-Za-z]_(?![A-Za-z_])"
_ERROR = r"(?P<sign>\?\?|\?!|\?) -[0-9]{0,3}\.[0-9]{3}"
_STYLED = re.compile(f"(?P<name>{_NUMBERED}|{_UNDERLINED})|{_ERROR}")
_SEVERITIES = {"??": "1;31", "?": "31", "?!": "33"}  # bold red, red, yellow

_GAP = re.compile(r"(?<! ) {2,}(?=\S)")  # between the columns of a table
_BLANK = re.compile(r"(?<! ) +(?=\S)")
_TOKEN = re.compile(r"(?<=[^\s-])-(?=[1-6]{2}|[CFPR](?:-|$))")
_FURTHER = 4  # columns that the rest of a line is set in


def styled(text: str) -> str:
    """The text with what terminals need to show looks and colours."""
    return _STYLED.sub(_style, text)


def _style(found: re.Match[str]) -> str:
    if found["sign"]:
        return f"\x1b[{_SEVERITIES[found['sign']]}m{found[0]}\x1b[0m"
    try:
        name = parse_nactation(found[0])
    except MalformedError:
        return found[0]
    look = _look(name)
    return f"\x1b[{look}m{found[0][0]}\x1b[0m{found[0][1:]}" if look else found[0]


def _look(name: Nactation) -> str:
    """What sets the look of a Nactation, for `ESC [ ... m`."""
    _, italic, bold, colour = name.look
    codes = ["3"] * italic + ["1"] * bold + ["4"] * (name.mark is Diacritic.UNDERLINE)
    if colour:
        red, green, blue = bytes.fromhex(colour_text(colour)[1:])
        codes.append(f"38;2;{red};{green};{blue}")
    return ";".join(codes)


def fold(text: str, width: int) -> str:
    """The text in lines that are no wider, as far as there is where to fold.

    Tables are folded between columns, sequences between tokens, all else at blanks.
    """
    if all(len(line) <= width for line in text.split("\n")):
        return text
    return "\n".join(part for line in text.split("\n") for part in _folded(line, width))


def _folded(line: str, width: int) -> Iterator[str]:
    at = inset = len(line) - len(line.lstrip(" "))
    further = " " * (inset + _FURTHER * (" " in line.strip()))
    begins = " " * inset
    while len(begins) + len(line) - at > width:
        piece = begins + line[at : at + width + 2 - len(begins)]
        end = _place(piece, len(begins), width)
        if not end:
            break
        yield piece[:end].rstrip(" ")
        at += end - len(begins)
        begins = further
    yield begins + line[at:]


def _place(line: str, inset: int, width: int) -> int:
    """Where the rest of a line begins that is too long; 0 if there is no such place."""
    half = width // 2
    for pattern, least in ((_GAP, half), (_TOKEN, half), (_BLANK, inset), (_TOKEN, inset)):
        hyphen = pattern is _TOKEN  # which stays behind its token
        found = [
            match.end()
            for match in pattern.finditer(line, inset)
            if least < match.start() and match.start() + hyphen <= width
        ]
        if found:
            return found[-1]
    return 0
