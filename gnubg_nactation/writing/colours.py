"""The colours that distinguish members after case, italics and bold (section 14).

The tutorial fixes neither colours nor their order. Here colour 1, 2, 3... is a dozen of named
colours, then colours whose three channels are dark, medium and bright in one of six orders.
"""

from __future__ import annotations

import re

_NAMED = {
    "red": "#ff0000",
    "blue": "#0000ff",
    "green": "#008000",
    "purple": "#800080",
    "orange": "#ffa500",
    "teal": "#008080",
    "brown": "#a52a2a",
    "magenta": "#ff00ff",
    "navy": "#000080",
    "olive": "#808000",
    "dodgerblue": "#1e90ff",
    "hotpink": "#ff69b4",
}
_PALETTE = tuple(_NAMED.values())
_ORDERS = ((2, 0, 1), (0, 1, 2), (1, 2, 0), (2, 1, 0), (0, 2, 1), (1, 0, 2))
_STEPS = 6  # bits of a channel below the two for dark, medium and bright
MOST_COLOURS = len(_PALETTE) + len(_ORDERS) * (1 << 3 * _STEPS)

_HEX = re.compile(r"#?([0-9a-f]{3,4}|[0-9a-f]{6}(?:[0-9a-f]{2})?)")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*(?:[,/][^)]*)?\)")
_NO_COLOUR = re.compile(r"black|white|gr[ae]y|silver|text|none|transparent|canvas")
_KEYWORDS = {"inherit", "initial", "unset", "revert", "auto", "default", "currentcolor"}
_MIN_DIFFERENCE = 48  # between the channels; with less it is a shade of grey


def colour_text(number: int) -> str:
    """The colour with this number, as `#rrggbb`; ValueError for 0 or beyond MOST_COLOURS."""
    if not 1 <= number <= MOST_COLOURS:
        raise ValueError(f"no colour has the number {number}")
    if number <= len(_PALETTE):
        return _PALETTE[number - 1]
    steps, order = divmod(number - len(_PALETTE) - 1, len(_ORDERS))
    # High bits change first and the channels take turns, so that neighbours differ.
    values = [64 * _ORDERS[order][channel] for channel in range(3)]
    for bit in range(3 * _STEPS):
        values[bit % 3] |= (steps >> bit & 1) << (_STEPS - 1 - bit // 3)
    return "#" + bytes(values).hex()


def colour_number(text: str) -> int:
    """The number of a colour of HTML, CSS or BBCode; 0 for black, greys and other words.

    A colour that `colour_text` never returns counts as the first one.
    """
    word = text.strip().lower()
    if word in _KEYWORDS or _NO_COLOUR.search(word):
        return 0
    channels = _channels(_NAMED.get(word, word))
    if channels is None:
        return 1 if word.isalpha() else 0
    if max(channels) - min(channels) < _MIN_DIFFERENCE:
        return 0
    code = "#" + channels.hex()
    if code in _PALETTE:
        return _PALETTE.index(code) + 1
    order = tuple(value >> _STEPS for value in channels)
    if order not in _ORDERS:
        return 1
    steps = sum(
        (channels[bit % 3] >> (_STEPS - 1 - bit // 3) & 1) << bit for bit in range(3 * _STEPS)
    )
    return len(_PALETTE) + 1 + steps * len(_ORDERS) + _ORDERS.index(order)


def _channels(word: str) -> bytes | None:
    if match := _HEX.fullmatch(word):
        digits = match[1] if len(match[1]) >= 6 else "".join(2 * digit for digit in match[1])
        return bytes.fromhex(digits[:6])
    match = _RGB.fullmatch(word)
    return bytes(min(int(value), 255) for value in match.groups()) if match else None


def on_black(colour: int) -> bool:
    """Whether a colour of the notation shows better on black than on white."""
    return _luminance(colour_text(colour)) >= _MIDDLE


_MIDDLE = 0.179  # the luminance with equal contrast to black and to white


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
