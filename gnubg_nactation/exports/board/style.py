"""The style sheets of drawn boards, light and dark."""

from __future__ import annotations

import re

from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

Theme: TypeAlias = "Literal['light', 'dark', 'auto']"

# Colours in the light and the dark theme. `rim` and `edge` are the outlines of white and black
# checkers, `pale` and `deep` the points, `note` the words on the field.
_PAIRS = {
    "page": ("#fbf9f5", "#15171b"),
    "text": ("#2a2522", "#e9e6e0"),
    "frame": ("#5b4334", "#22262d"),
    "number": ("#f6ecdf", "#c9ced8"),
    "field": ("#efe3cf", "#343a45"),
    "pale": ("#d9b98c", "#6d7f93"),
    "deep": ("#a8744d", "#4a5666"),
    "note": ("#5c4632", "#d3dae3"),
    "white": ("#fffdf8", "#f2eee5"),
    "black": ("#2e3138", "#17191d"),
    "rim": ("#4b4038", "#0f1113"),
    "edge": ("#111215", "#b9c2cf"),
    "arrow": ("#0a5fd0", "#58b0ff"),
    "halo": ("#ffffff", "#0c0e11"),
    "hit": ("#d11f2d", "#ff5a5f"),
}
PALETTES = {
    theme: {name: pair[at] for name, pair in _PAIRS.items()}
    for at, theme in enumerate(("light", "dark"))
}

# Other colours of the board itself, by their names; the first keeps those above.
BOARDS = {
    "wood": {},
    "green": {
        "frame": "#4a2f1b",
        "number": "#f4ead8",
        "field": "#1f6b45",
        "pale": "#e8dcc0",
        "deep": "#a8452f",
        "note": "#f4f1e6",
        "white": "#fffdf8",
        "black": "#20242b",
        "rim": "#3a2a1c",
        "edge": "#cfd8d2",
        "arrow": "#ffd34d",
        "halo": "#10281a",
        "hit": "#ff8a7d",
    },
    "blue": {
        "frame": "#1d3557",
        "number": "#e6eef7",
        "field": "#dbe7f3",
        "pale": "#a9c4de",
        "deep": "#5f8db8",
        "note": "#1d3557",
        "white": "#ffffff",
        "black": "#22303f",
        "rim": "#3b4c5e",
        "edge": "#0e1822",
        "arrow": "#0b3d91",
        "halo": "#ffffff",
        "hit": "#c01525",
    },
    "high contrast": {
        "frame": "#000000",
        "number": "#ffffff",
        "field": "#ffffff",
        "pale": "#d0d0d0",
        "deep": "#7a7a7a",
        "note": "#000000",
        "white": "#ffffff",
        "black": "#000000",
        "rim": "#000000",
        "edge": "#ffffff",
        "arrow": "#0033cc",
        "halo": "#ffffff",
        "hit": "#b00000",
    },
}

# The rules of both themes, then the colours of one; `c` is replaced by the prefix.
_SHAPES = """\
.c{direction:ltr}
.c text{font:600 19px system-ui,"Segoe UI",Roboto,"DejaVu Sans",Arial,sans-serif;text-anchor:middle}
.c .c-name{font-size:22px;text-anchor:start}
.c .c-pips{font-weight:400;text-anchor:end}
.c .c-waits{font-weight:400}
.c-line,.c-ring,.c-pip{fill:none;stroke-linecap:round;stroke-linejoin:round}
.c-ring{stroke-width:3;stroke-dasharray:5 6}
.c-pip{stroke-width:7}
.c .c-note{paint-order:stroke;stroke-width:5;stroke-linejoin:round}
"""
_COLOURS = """\
.c-page{fill:PAGE}
.c-name,.c-pips{fill:TEXT}
.c-frame{fill:FRAME}
.c-number{fill:NUMBER}
.c-field{fill:FIELD}
.c-pale{fill:PALE}
.c-deep{fill:DEEP}
.c-note{fill:NOTE;stroke:FIELD}
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
    """The prefix of a theme's classes: on one page, equal names need equal rules."""
    return f"nb{theme[0]}"


def style_sheet(theme: Theme) -> str:
    """The rules of a theme; `auto` follows the reader's system."""
    sheet = _SHAPES + _colours(PALETTES["dark" if theme == "dark" else "light"])
    if theme == "auto":
        sheet += "@media(prefers-color-scheme:dark){" + _colours(PALETTES["dark"]) + "}"
    return re.sub(r"\.c\b", f".{class_prefix(theme)}", sheet.replace("\n", ""))


def _colours(palette: dict[str, str]) -> str:
    return re.sub("[A-Z]+", lambda name: palette[name[0].lower()], _COLOURS)
