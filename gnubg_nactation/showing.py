"""Text for people: on one line, without characters that control a terminal or turn text around.

Names, comments and file names may hold anything. Output for programs keeps such characters: match
files unchanged, JSON as escapes.
"""

from __future__ import annotations

import re

from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

__version__ = "0.1.0"  # of the program
FORMAT = 1  # of the JSON of commands; docs/promises.md says when it grows
LONGEST_NAME = 500  # characters; columns are as wide as names
_MAX_QUOTED_CHARS = 60
_TURNING = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # change the direction of text
_BREAKS = "\t-\r\x1c-\x1f\x85\u2028\u2029"
# Not for terminals, HTML or XML: controls, surrogates and noncharacters.
_UNFIT = "\0-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef" + "".join(
    chr(plane << 16 | low) for plane in range(17) for low in (0xFFFE, 0xFFFF)
)
_ESCAPED = f"(?!\n)[{_TURNING}{_BREAKS}{_UNFIT}]"  # json puts line ends only between members


def shown(text: str, most: int = 0) -> str:
    """The text for people, cut after `most` characters (0: never).

    Tabs and line ends become blanks, marks that change the direction of text go, other unfit
    characters become replacement characters. Everything else stays, in any script.
    """
    if 0 < most < len(text):
        text = f"{text[:most]}\u2026"
    if text.isprintable():
        return text
    text = re.sub(f"[{_TURNING}]", "", re.sub(f"[{_BREAKS}]", " ", text))
    return re.sub(f"[{_UNFIT}]", "\ufffd", text)


def shown_lines(text: str) -> str:
    """Like `shown`, for several lines, which stay lines."""
    return "\n".join(map(shown, text.splitlines()))


def quoted(text: str) -> str:
    """The beginning of a text in quotes, for messages."""
    cut = len(text) > _MAX_QUOTED_CHARS
    return repr(f"{text[:_MAX_QUOTED_CHARS]}\u2026" if cut else text)


def nearest(word: str, names: Iterable[str]) -> str:
    """Return the hint with the name nearest to a word; empty if none is near."""
    from difflib import get_close_matches  # noqa: PLC0415 (only after a mistake)

    close = get_close_matches(word, list(names), 1)
    return f"; did you mean {close[0]}?" if close else ""


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: `1 roll`, `7,400 rolls`; `plural` if that is not the noun with s."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def table_lines(rows: Iterable[Sequence[str]], gap: int) -> Iterator[str]:
    """The rows as lines, with columns of equal width and `gap` blanks between them."""
    rows = list(rows)
    widths = [max(map(len, column)) + gap for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        yield "".join(cells).rstrip()


class PlaysStyle(NamedTuple):
    """Whether plays follow their letters in traditional notation, and the columns of the screen.

    A list has no plays if they make a line longer than `width` (0: no limit).
    """

    plays: bool = True
    width: int = 0

    def lines(self, write: Callable[[bool], Iterable[str]]) -> list[str]:
        """Return the lines that `write` makes with plays or without."""
        bare = list(write(False))
        if not self.plays:
            return bare
        lines = list(write(True))
        pairs = zip(lines, bare, strict=True)
        is_narrow = any(self.width < len(line) > len(other) for line, other in pairs)
        return bare if self.width and is_narrow else lines


WITH_PLAYS = PlaysStyle()


def rounded(value: float | None, digits: int = 6) -> float | None:
    """A number for JSON or CSV, with as many digits as gnubg stores; None for None."""
    return None if value is None else round(value, digits)


def with_sign(value: float, digits: int) -> str:
    """A number with its sign and so many digits: `+0.25`, never `-0.00`."""
    return f"{round(value, digits) + 0.0:+.{digits}f}"


def json_text(value: Any, *, indent: int | None = None, close: bool = False) -> str:
    """The value as JSON, escaping what `shown` would replace; `close` leaves out blanks."""
    import json  # noqa: PLC0415 (slow to import)

    separators = (",", ":") if close else None
    text = json.dumps(
        value, ensure_ascii=False, indent=indent, separators=separators, allow_nan=False
    )
    return text if text.isprintable() else re.sub(_ESCAPED, _escape, text)


def json_line(value: dict[str, Any], *, close: bool = False) -> str:
    """A line of the JSON that commands print: the object after its `format`."""
    return json_text({"format": FORMAT} | value, close=close) + "\n"


def read_json(text: str | bytes) -> Any:
    """Read JSON from anywhere. Raises ValueError, also if it is nested too deeply."""
    import json  # noqa: PLC0415 (as above)

    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("JSON that is nested too deep") from None


def _escape(match: Any) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
