"""A book that an argument names, from a file or from standard input."""

from __future__ import annotations

from gnubg_nactation.archive.book import Book, parse_book
from gnubg_nactation.cli.inputs import STANDARD_INPUT, Input, read_input
from gnubg_nactation.cli.streams import Streams


def read_book(word: str, streams: Streams) -> Book:
    """The book of a file in UTF-8, or of standard input for `-`; MalformedError, OSError."""
    data = read_input(Input(word, word), streams.stdin)
    name = "standard input" if word == STANDARD_INPUT else word
    return parse_book(data.decode("utf-8-sig", "replace"), name)
