"""Text as people get to see it: on one line, with nothing that controls a terminal or turns text.

Names, comments, file names and what is quoted of them may hold anything. What is written for
programs keeps it: match files as it is, JSON by escapes.
"""

from __future__ import annotations

import re

from gnubg_nactation.values import Any

LONGEST_NAME = 500  # characters of a name that are kept; columns are as wide as names
_QUOTED = 60  # characters, of which a fault shows
_TURNING = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # to the left or right what follows
_BREAKS = "\t-\r\x1c-\x1f\x85\u2028\u2029"
# What no terminal, HTML or XML should get: controls, halves of characters, what never is one.
_UNFIT = "\0-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef" + "".join(
    chr(plane << 16 | low) for plane in range(17) for low in (0xFFFE, 0xFFFF)
)
_ESCAPED = f"(?!\n)[{_TURNING}{_BREAKS}{_UNFIT}]"  # json leaves line ends between members alone


def shown(text: str, most: int = 0) -> str:
    """The text for people, cut after `most` characters if it has more (0: never cut).

    Tabs and line ends are blanks, marks that turn the direction go, and a replacement character
    stands for what else is unfit; all other characters, of whatever script, stay.
    """
    if 0 < most < len(text):
        text = f"{text[:most]}\u2026"
    if text.isprintable():
        return text
    text = re.sub(f"[{_TURNING}]", "", re.sub(f"[{_BREAKS}]", " ", text))
    return re.sub(f"[{_UNFIT}]", "\ufffd", text)


def shown_lines(text: str) -> str:
    """The same for text of several lines, which stay lines."""
    return "\n".join(map(shown, text.splitlines()))


def quoted(text: str) -> str:
    """The beginning of a text in quotes, as a message tells what it found."""
    return repr(text if len(text) <= _QUOTED else f"{text[:_QUOTED]}\u2026")


def counted(number: int, noun: str, plural: str = "") -> str:
    """So many of something: `1 roll`, `7,400 rolls`; `plural` where that takes more than an s."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def json_text(value: Any, *, indent: int | None = None, close: bool = False) -> str:
    """The value as JSON with escapes for what `shown` would not show; `close` leaves out blanks."""
    import json  # noqa: PLC0415 (slow, as above)

    separators = (",", ":") if close else None
    text = json.dumps(
        value, ensure_ascii=False, indent=indent, separators=separators, allow_nan=False
    )
    return text if text.isprintable() else re.sub(_ESCAPED, _escape, text)


def read_json(text: str | bytes) -> Any:
    """Read JSON that anybody may have written; ValueError, also if it is nested too deep."""
    import json  # noqa: PLC0415

    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("JSON that is nested too deep") from None


def _escape(found: Any) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
