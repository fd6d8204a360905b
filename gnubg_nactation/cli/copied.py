"""Positions with their analysis, as XG and gnubg copy them: a file, or standard input."""

from __future__ import annotations

import os
import re

from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.files.copied import Copied, read_copied
from gnubg_nactation.files.mat.match_text import decode_text
from gnubg_nactation.tasks.sources import STANDARD_INPUT, Input, read_at_most, read_input

_PLACE = re.compile(r"(?P<source>.+)#(?P<number>\d{1,4})", re.DOTALL | re.ASCII)
_BINARY = re.compile(rb"(?:\xef\xbb\xbf)?\s*\(\s*;|RGMH")  # SGF, and files of XG


def source_text(word: str, streams: Streams) -> str:
    """Return the text that an argument names, stripped; the argument itself if it names none.

    `-` is standard input. A file is its text if it has copied positions, and `FILE#2` or `-#2` the
    part about the second of them. Raises MalformedError, IllegalError and OSError.
    """
    word = word.strip()
    if word == STANDARD_INPUT:
        return _decode(read_at_most(streams.stdin)).strip()
    place = _PLACE.fullmatch(word)
    source = place["source"] if place else word
    if source == STANDARD_INPUT:
        text = _decode(read_at_most(streams.stdin))
    elif _is_file(source):
        data = read_input(Input(source, source), streams.stdin)
        if _BINARY.match(data):
            return word
        text = _decode(data)
    else:
        return word
    positions = copied_in(text)
    if not positions:
        return word
    if not place:
        return text.strip()
    number = int(place["number"])
    if not 1 <= number <= len(positions):
        raise IllegalError(f"there is no position {number}; the text has {len(positions)}")
    chosen = positions[number - 1]
    return text[chosen.start : chosen.end].strip()


def _is_file(word: str) -> bool:
    try:
        return os.path.isfile(word)
    except ValueError:  # impossible characters
        return False


def _decode(data: bytes, encoding: str | None = None) -> str:
    try:
        return decode_text(data, encoding)
    except MalformedError:
        if encoding:
            raise
        return data.decode("utf-8", "replace")


def copied_in(text: str) -> tuple[Copied, ...]:
    """Return the positions of a text if any has an analysis, or something wrong in one."""
    positions = read_copied(text)
    return positions if any(each.has_analysis or each.problems for each in positions) else ()


def copied_in_file(data: bytes, encoding: str | None = None) -> tuple[Copied, ...]:
    """Return the positions of a file; none if it has another format."""
    return () if _BINARY.match(data) else copied_in(_decode(data, encoding))


def positions_in(data: bytes) -> tuple[Copied, ...]:
    """Return the positions of a text file, with an analysis or without; none of other formats."""
    return () if _BINARY.match(data) else read_copied(_decode(data))


def report_problems(copied: Copied, streams: Streams, name: str = "") -> bool:
    """Report what is wrong in a position and left out; return whether anything is."""
    place = f"{name}:{copied.line}" if name else f"line {copied.line}"
    for problem in copied.problems:
        streams.report(f"{place}: {problem}")
    return bool(copied.problems)
