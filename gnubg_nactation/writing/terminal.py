"""Text on a terminal: styled Nactations, coloured errors, folded lines.

The plain spelling stays: `a{4}` has an italic a, and `M_` an underlined M, because text copied from
a terminal loses its style.
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
_HOP = r"(?:bar|[1-9][0-9]?)\*?(?:/(?:off|[1-9][0-9]?)\*?)+(?:\([2-4]\))?(?![^\s,;)])"
_PLAY = rf"(?<= )(?P<play>{_HOP}(?: {_HOP})*)"
_STYLED = re.compile(f"(?P<name>{_NUMBERED}|{_UNDERLINED})|{_ERROR}")
_STYLED_OR_PLAY = re.compile(f"{_STYLED.pattern}|{_PLAY}")
_LONGEST_HOP = 24  # characters: bar/21*/15*/9*/3*(2)
_DIM = "2"
_SEVERITIES = {"??": "1;31", "?": "31", "?!": "33"}  # bold red, red, yellow

_GAP = re.compile(r"(?<! ) {2,}(?=\S)")  # between the columns of a table
_BLANK = re.compile(rf"(?<! ) +(?=\S)(?!{_HOP})")  # a play stays in one line
_TOKEN = re.compile(r"(?<=[^\s-])-(?=[1-6]{2}|[CFPR](?:-|$))")
_INDENT = 4  # columns, of continuation lines


def styled(text: str, *, dims: bool = False) -> str:
    """The text with escape codes for styles and colours; `dims` plays in traditional notation."""
    return (_STYLED_OR_PLAY if dims else _STYLED).sub(_style, text)


def _style(match: re.Match[str]) -> str:
    if match.lastgroup == "play":
        return f"\x1b[{_DIM}m{match[0]}\x1b[0m"
    if match["sign"]:
        return f"\x1b[{_SEVERITIES[match['sign']]}m{match[0]}\x1b[0m"
    try:
        name = parse_nactation(match[0])
    except MalformedError:
        return match[0]
    codes = _codes(name)
    return f"\x1b[{codes}m{match[0][0]}\x1b[0m{match[0][1:]}" if codes else match[0]


def _codes(name: Nactation) -> str:
    """The style of a Nactation, for `ESC [ ... m`."""
    _, italic, bold, colour = name.look
    codes = ["3"] * italic + ["1"] * bold + ["4"] * (name.mark is Diacritic.UNDERLINE)
    if colour:
        red, green, blue = bytes.fromhex(colour_text(colour)[1:])
        codes.append(f"38;2;{red};{green};{blue}")
    return ";".join(codes)


_SHADES = (255, 194, 157, 120, 78), (255, 230, 223, 216, 208)  # of 256 colours: green, orange
_BLACK = 16


def shaded(text: str, level: int, *, other: bool = False) -> str:
    """The text in black on a shade of green, of orange if `other`; `level` is 0 to 4."""
    return f"\x1b[38;5;{_BLACK};48;5;{_SHADES[other][level]}m{text}\x1b[0m"


def fold(text: str, width: int) -> str:
    """The text in lines of at most this width, if they can be folded.

    Tables are folded between columns, sequences between tokens, other text at blanks.
    """
    if all(len(line) <= width for line in text.split("\n")):
        return text
    return "\n".join(part for line in text.split("\n") for part in _folded(line, width))


def _folded(line: str, width: int) -> Iterator[str]:
    at = inset = len(line) - len(line.lstrip(" "))
    indent = " " * inset
    while len(indent) + len(line) - at > width:
        piece = indent + line[at : at + width + _LONGEST_HOP - len(indent)]
        end = _fold_at(piece, len(indent), width)
        if not end:
            break
        yield piece[:end].rstrip(" ")
        at += end - len(indent)
        indent = " " * (inset + _INDENT * (" " in line.strip()))
    yield indent + line[at:]


def _fold_at(line: str, inset: int, width: int) -> int:
    """The index at which to continue a long line below; 0 if it cannot be folded."""
    half = width // 2
    for pattern, minimum in ((_GAP, half), (_TOKEN, half), (_BLANK, inset), (_TOKEN, inset)):
        hyphen = pattern is _TOKEN  # it stays after its token
        places = [
            match.end()
            for match in pattern.finditer(line, inset)
            if minimum < match.start() and match.start() + hyphen <= width
        ]
        if places:
            return places[-1]
    return 0
