"""Files that are no matches: the message says what they are, and archives are read."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.exports.page.html import format_html
from gnubg_nactation.files.formats import read
from tests.files.report_texts import write_reports
from tests.files.test_report import long_match

SAMPLES = Path(__file__).parents[2] / "sample_matches"
MAT = (SAMPLES / "match-3pt.mat").read_bytes()
SGF = (SAMPLES / "match-3pt-analysed.sgf").read_bytes()

# Nobody types `oldmoves` by accident; a session has boards and the first roll.
FIBS = b"""login: ann
Starting a new game with ben.
ann rolled 3, ben rolled 1
ann makes the opening roll.
board:ann:ben:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:1:1:1:0:1
"""


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n\0", "a PDF document; copy"),
        (b"%!PS-Adobe-3.0\n%%Pages: 12", "a document in PostScript or LaTeX; export"),
        (b"\\documentclass{article}\n", "a document in PostScript or LaTeX"),
        (b"SQLite format 3\0\x10\0\x01\x01\0@  ", "an SQLite database; .* --db"),
        (gzip.compress(MAT, mtime=0), "a packed file; unpack"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a picture; copy the position as text"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "a picture"),
        (b'<svg xmlns="http://www.w3.org/2000/svg" width="9">', "a picture"),
        (
            b'{"format":"BGF","version":"1.0","compress":true}\n'
            + gzip.compress(b":)\n\x03", mtime=0),
            r"a BGBlitz match \(.bgf\) that is damaged",
        ),
        (b"OGXM\x02\0\0\0\x01\0\0\0", "a match in OGXM"),
        (b'{"format": 1, "players": []}', "JSON written by this program"),
        (b'{"moves": [], "dice": [3, 1]}', "JSON of another program"),
        (b'[{"roll": "31"}]', "JSON of another program"),
        (
            b'<?xml version="1.0"?>\n<!DOCTYPE html>\n<!-- GNU Backgammon 1.07 -->\n<p>Move 1</p>',
            "a web page exported by GNU Backgammon; export the match there as SGF",
        ),
        (b"<!DOCTYPE html>\n<title>My match</title>\n<p>hello", "a web page; copy its plays"),
        (FIBS, "a log of FIBS; type `oldmoves`"),
        (
            b"MATCHLENGTH=3\r\nGAME_1_PLAYER_1=ann\r\nGAME_1_GAMEPLAY=1 0 0 31 8/5 6/5#\r\n",
            "a game of PartyGammon or BGRoom; open it in GNU Backgammon",
        ),
        (b"My games\n\nBGF version 1.2\n\nGame 1 - ann (X) vs. ben (0)\n", "a game of PartyGammon"),
        (b"JavaFIBS internal match representation v1.1\r\n8:0:ben 5\r\n", "a match of JavaFIBS"),
        (b"GMD-2\nLength: 5\nRule: Crawford\n", "a match of Gibbon; save it there as .sgf"),
    ],
)
def test_a_message_says_what_a_file_is(data: bytes, message: str) -> None:
    with pytest.raises(MalformedError, match=f"^{message}"):
        read(data)


def test_our_own_page_is_known() -> None:
    (match,) = read(MAT)
    with pytest.raises(MalformedError, match="a page written by this program"):
        read(format_html([annotate(match)]).encode())


def test_other_text_is_still_no_match_text() -> None:
    with pytest.raises(MalformedError, match="expected a line such as '7 point match'"):
        read(b"Dear Ann,\nhere is our match.\n")


def archive(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as written:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)  # dated 1980: all processes of a run see the same bytes
            entry.compress_type = method
            written.writestr(entry, content)
    return data.getvalue()


def test_each_file_of_an_archive_is_read() -> None:
    texts = write_reports(long_match())
    files = {
        "club/one.mat": MAT,
        "club/two.SGF": SGF,
        "club/r_002.txt": texts[1].encode(),
        "club/r.txt": texts[0].encode(),
        "__MACOSX/club/one.mat": b"resources",
        "readme.md": b"hello",
    }
    matches = read(archive(files))
    assert [len(match.games) for match in matches] == [
        len(read(MAT)[0].games),
        2,  # both reports are one match
        len(read(SGF)[0].games),
    ]
    assert not any(match.problems for match in matches)


def test_what_cannot_be_read_in_an_archive_is_a_warning() -> None:
    (match,) = read(archive({"a.mat": b"hello", "b.mat": MAT}))
    assert [problem for problem in match.problems if problem.startswith("'a.mat': line 1: found")]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (archive({"readme.md": b"hello"}), "without match files"),
        (archive({"a.mat": b"hello"}), "'a.mat': line 1: found 'hello'"),
        (archive({"collection.anki2": b"", "media": b"{}"}), "an Anki deck"),
        (archive({"word/document.xml": b"<x/>"}), "a Word document"),
        (archive({"a.mat": MAT})[:-30], "damaged or cut off"),
        (archive({"a.txt": archive({"a.mat": MAT})}), "an archive in an archive"),
        (archive({"a.mat": MAT}, zipfile.ZIP_BZIP2), "an unusual method"),
        (archive({"a.mat": b" " * (65 << 20)}), "more than 10,000 files or 64 MB"),
    ],
)
def test_an_archive_without_a_match_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(MalformedError, match=message):
        read(data)


def test_a_damaged_file_in_an_archive() -> None:
    data = bytearray(archive({"a.mat": MAT}))
    data[60] ^= 0xFF
    with pytest.raises(MalformedError, match=r"\A'a\.mat': damaged\Z"):
        read(bytes(data))
