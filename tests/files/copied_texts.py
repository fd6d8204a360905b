"""Texts in the shapes that XG, gnubg and BGBlitz copy, and what each says."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).with_name("copied")
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
PLAYS = """
    1. XG Roller++ 8/5 6/5                      eq:+0.159
    2. XG Roller++ 24/23 13/10                  eq:-0.007 (-0.166)
    3. XG Roller++ 13/9                         eq:-0.050 (-0.209)
"""
CUBE = "XGID=-a-aBaCBC---bC---cbd--aB--:0:0:1:00:0:0:0:0:10"
ACTIONS = """
Analyzed in XG Roller++

Cubeful Equities:
       No double:     +0.744
       Double/Take:   +0.702 (-0.042)
       Double/Pass:   +1.000 (+0.256)
"""


class Expected(NamedTuple):
    """A row of `copied/expected.tsv`."""

    file: str
    position: int
    about: str
    choices: str
    level: str
    note: str


def read_text(name: str) -> bytes:
    """Return the bytes of a text."""
    return (FOLDER / f"{name}.txt").read_bytes()


def _rows() -> list[Expected]:
    lines = (FOLDER / "expected.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return [
        Expected(file, int(position), about, choices, level, note.replace(" / ", "\n"))
        for file, position, about, choices, level, note in rows
    ]


EXPECTED = _rows()
NAMES = sorted({row.file for row in EXPECTED})
