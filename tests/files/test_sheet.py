"""Score sheets: what people write, what `annotate` writes, and what is wrong in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Match
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.cli.forms import FORMS, LAYOUTS, AnnotateOptions
from gnubg_nactation.exports.mat import format_mat
from gnubg_nactation.files.formats import read
from gnubg_nactation.files.sheet import Sheet, read_sheets

SAMPLES = Path(__file__).parents[2] / "sample_matches"
FIRST, SECOND = Player.FIRST, Player.SECOND
HEAD = "Alice - Bob, 3 point match\n\n"


def read_sheet(text: str) -> Sheet:
    """The only match of a sheet."""
    (sheet,) = read_sheets(text)
    return sheet


def match_of(text: str) -> Match:
    """The only match of a sheet without faults."""
    sheet = read_sheet(text)
    assert sheet.faults == ()
    return sheet.match


def faults(text: str) -> list[str]:
    return [f"{fault.place} {fault.message}" for fault in read_sheet(text).faults]


def again(match: Match, layout: str, fans: str = "F") -> Sheet:
    """The match written in a layout and read again."""
    settings = AnnotateOptions(layout=layout, fans=fans)
    text = FORMS["text"].render([annotate(match)], [None], settings).decode()
    return read_sheet(text)


def mat(match: Match) -> str:
    return format_mat(annotate(match))


# What annotated text cannot hold.
LOST = {"money-beaver-setup.sgf": "a board set up in the middle of a game"}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("file", sorted(SAMPLES.iterdir()), ids=lambda file: file.name)
def test_annotated_samples_are_match_files(file: Path, layout: str) -> None:
    if file.name in LOST:
        pytest.skip(LOST[file.name])
    for match in read(file):
        sheet = again(match, layout, fans="^")
        assert sheet.faults == ()
        assert mat(sheet.match) == mat(match)
