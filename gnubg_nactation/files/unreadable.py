"""Files that are no match files: what they are, and what to do with them."""

from __future__ import annotations

import re

from gnubg_nactation.values import NamedTuple

_HEAD_BYTES = 20_000
_SAVE = "export the match as .mat, .sgf or .xg"


class Kind(NamedTuple):
    """A kind of file: how it begins, and the message about it."""

    pattern: re.Pattern[bytes]
    message: str


def _kind(pattern: bytes, message: str) -> Kind:
    return Kind(re.compile(pattern, re.DOTALL | re.IGNORECASE), message)


# The first that matches counts. The patterns are searched in the beginning of a file.
_KINDS = (
    _kind(rb"\A%PDF-", "a PDF document; copy its text, and paste or save that"),
    _kind(
        rb"\A%!PS|\A\\documentclass",
        f"a document in PostScript or LaTeX; {_SAVE} from the program that made it",
    ),
    _kind(
        rb"\ASQLite format 3\0",
        "an SQLite database; one made by `nactate index` goes with --db, not instead of a match",
    ),
    _kind(
        rb"\A\x1f\x8b|\A7z\xbc\xaf|\ARar!|\ABZh[1-9]|\A\xfd7zXZ", "a packed file; unpack it first"
    ),
    _kind(
        rb"\A\x89PNG|\A\xff\xd8\xff|\AGIF8|\ARIFF.{4}WEBP|\ABM.{4}\0\0\0\0|\A[^<]{0,200}<svg\b",
        "a picture; copy the position as text in your program, and paste or save that",
    ),
    _kind(
        rb'\A\xef?\xbb?\xbf?\s*\{"format": ?[0-9]',
        "JSON written by this program; give the match file that it was made from",
    ),
    _kind(
        rb"\A\xef?\xbb?\xbf?\s*[\[{]\s*(?:[\[{\"]|[\]}])",
        f"JSON of another program; {_SAVE} from it",
    ),
    _kind(
        rb'<meta name="generator" content="gnubg-nactation"',
        "a page written by this program; give the match file that it was made from",
    ),
    _kind(
        rb"\A\xef?\xbb?\xbf?\s*<(?:html|!doctype|\?xml)\b.*GNU Backgammon",
        "a web page exported by GNU Backgammon; export the match there as SGF or text",
    ),
    _kind(
        rb"\A\xef?\xbb?\xbf?\s*<(?:!doctype html|html|head|body)\b|\A<\?xml\b.*<html\b",
        "a web page; copy its plays as text and paste or save them, or save the match as .mat",
    ),
    _kind(
        rb"(?:\A|\n)GAME_\d{1,4}_GAMEPLAY=|(?:\A|\n)BGF version ",
        "a game of PartyGammon or BGRoom; open it in GNU Backgammon and save the match as .sgf",
    ),
    _kind(rb"\AJavaFIBS internal match", "a match of JavaFIBS; export it there as .mat"),
    _kind(rb"\AGMD-\d", "a match of Gibbon; save it there as .sgf"),
    _kind(
        rb"(?:\A|\n)(?:board:[^:\n]{1,40}:[^:\n]{1,40}:\d{1,4}:\d{1,3}:"
        rb"|\S{1,40} makes the opening roll\.|Starting a new game with \S{1,40}\.?\s)",
        "a log of FIBS; type `oldmoves` there, and save its output alone as a file",
    ),
)


def describe(data: bytes) -> str:
    """Return what a file is and what to do; empty if that is not known."""
    head = data[:_HEAD_BYTES]
    return next((kind.message for kind in _KINDS if kind.pattern.search(head)), "")
