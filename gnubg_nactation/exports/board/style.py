"""The colours of drawn boards: a light and a dark theme as style sheets."""

from __future__ import annotations

import re
from typing import Literal

__all__ = ["PALETTES", "Theme", "class_prefix", "style_sheet"]

Theme = Literal["light", "dark", "auto"]

# The first player has the white checkers in both themes, the second the black ones; `rim` and
# `edge` are their outlines, `pale` and `deep` the points, `note` the words on the field.
PALETTES = {
    "light": {
        "page": "#fbf9f5",
        "text": "#2a2522",
        "frame": "#5b4334",
        "number": "#f6ecdf",
        "field": "#efe3cf",
        "pale": "#d9b98c",
        "deep": "#a8744d",
        "note": "#5c4632",
        "white": "#fffdf8",
        "black": "#2e3138",
        "rim": "#4b4038",
        "edge": "#111215",
        "arrow": "#0a5fd0",
        "halo": "#ffffff",
        "hit": "#d11f2d",
    },
    "dark": {
        "page": "#15171b",
        "text": "#e9e6e0",
        "frame": "#22262d",
        "number": "#c9ced8",
        "field": "#343a45",
        "pale": "#6d7f93",
        "deep": "#4a5666",
        "note": "#d3dae3",
        "white": "#f2eee5",
        "black": "#17191d",
        "rim": "#0f1113",
        "edge": "#b9c2cf",
        "arrow": "#58b0ff",
        "halo": "#0c0e11",
        "hit": "#ff5a5f",
    },
}

# Rules that both themes share, then the colours of one; `c` stands for the prefix of the theme.
_SHAPES = """\
.c{direction:ltr}
.c text{font:600 19px system-ui,"Segoe UI",Roboto,"DejaVu Sans",Arial,sans-serif;text-anchor:middle}
.c .c-name{font-size:22px;text-anchor:start}
.c .c-pips{font-weight:400;text-anchor:end}
.c .c-waits{font-weight:400}
.c-line,.c-ring,.c-pip{fill:none;stroke-linecap:round;stroke-linejoin:round}
.c-ring{stroke-width:3;stroke-dasharray:5 6}
.c-pip{stroke-width:7}
"""
_COLOURS = """\
.c-page{fill:PAGE}
.c-name,.c-pips{fill:TEXT}
.c-frame{fill:FRAME}
.c-number{fill:NUMBER}
.c-field{fill:FIELD}
.c-pale{fill:PALE}
.c-deep{fill:DEEP}
.c-note{fill:NOTE}
.c-first,.c-cube{fill:WHITE;stroke:RIM;stroke-width:1.5}
.c-second{fill:BLACK;stroke:EDGE;stroke-width:1.5}
.c-on-first{fill:BLACK}
.c-on-second{fill:WHITE}
.c-first .c-pip{stroke:BLACK}
.c-second .c-pip{stroke:WHITE}
.c-halo{stroke:HALO;stroke-width:10}
.c-arrow,.c-ring{stroke:ARROW}
.c-arrow,.c-hit{stroke-width:5}
.c-hit{stroke:HIT}
"""


def class_prefix(theme: Theme) -> str:
    """What all classes of a theme begin with: on one page, equal names mean equal rules."""
    return f"nb{theme[0]}"


def style_sheet(theme: Theme) -> str:
    """The rules of a theme; `auto` is light, or dark where the reader's system is."""
    sheet = _SHAPES + _colours(PALETTES["dark" if theme == "dark" else "light"])
    if theme == "auto":
        sheet += "@media(prefers-color-scheme:dark){" + _colours(PALETTES["dark"]) + "}"
    return re.sub(r"\.c\b", f".{class_prefix(theme)}", sheet.replace("\n", ""))


def _colours(palette: dict[str, str]) -> str:
    return re.sub("[A-Z]+", lambda name: palette[name[0].lower()], _COLOURS)
