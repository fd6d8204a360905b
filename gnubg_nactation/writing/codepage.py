"""Text in an encoding that lacks some characters, such as a code page of Windows."""

from __future__ import annotations

import codecs
import unicodedata
from contextlib import suppress

_PLAIN = {
    "\u2212": "-",
    "\u2010": "-",
    "\u2011": "-",
    "\u2013": "-",
    "\u2014": "-",
    "\u2018": "'",
    "\u2019": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u2026": "...",
    "\u2192": "->",
    "\u2260": "!=",
    "\xb1": "+/-",
    "\xb7": ".",
    "\xd7": "x",
    "\xdf": "ss",
    "\xe6": "ae",
    "\xf8": "o",
    "\xd8": "O",
    "\u0142": "l",
    "\u0141": "L",
}


def encode_for(text: str, encoding: str) -> bytes:
    """The text in an encoding, with the nearest characters for those it lacks, else `?`.

    JSON has escapes instead, which lose nothing.
    """
    if text.startswith('{"'):
        codecs.register_error(_ESCAPING, _escape)
        return text.encode("ascii", _ESCAPING)
    codecs.register_error(_REPLACING, _replace)
    return text.encode(encoding, _REPLACING)


_REPLACING, _ESCAPING = "nactation.replace", "nactation.escape"  # names of error handlers


def decode_any(data: bytes) -> str:
    """Decode a user's text: UTF-8, or UTF-16 by its mark. Other bytes are of Windows-1252."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    codecs.register_error(_WINDOWS, _from_windows)
    return data.decode("utf-8-sig", _WINDOWS)


_WINDOWS = "nactation.windows"


def _from_windows(error: UnicodeError) -> tuple[str | bytes, int]:
    assert isinstance(error, UnicodeDecodeError)
    part = error.object[error.start : error.end]
    return part.decode("cp1252", "replace"), error.end


def _replace(error: UnicodeError) -> tuple[str | bytes, int]:
    assert isinstance(error, UnicodeEncodeError)
    character = error.object[error.start]
    if "\udc80" <= character <= "\udcff":  # a byte of a name that is no text
        return bytes([ord(character) - 0xDC00]), error.start + 1
    parts = unicodedata.normalize("NFKD", character)
    base = "".join(part for part in parts if not unicodedata.combining(part))
    for other in (_PLAIN.get(character, ""), base):
        with suppress(UnicodeEncodeError):
            if data := other.encode(error.encoding):
                return data, error.start + 1
    return ("" if unicodedata.combining(character) else "?"), error.start + 1


def _escape(error: UnicodeError) -> tuple[str | bytes, int]:
    assert isinstance(error, UnicodeEncodeError)
    units = error.object[error.start].encode("utf-16-be", "surrogatepass").hex()
    escapes = (f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
    return "".join(escapes), error.start + 1
