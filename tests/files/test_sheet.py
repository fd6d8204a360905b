"""Score sheets: what people write, what `annotate` writes, and what is wrong in them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Match
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.cli.forms import FORMS, LAYOUTS, AnnotateOptions
from gnubg_nactation.exports.mat import format_mat
from gnubg_nactation.files.formats import read
from gnubg_nactation.files.sheet import Sheet, read_sheets
from tests.strategies import matches

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


@given(matches(), st.sampled_from(LAYOUTS))
@settings(max_examples=25)
def test_random_matches_survive(match: Match, layout: str) -> None:
    """Cubes, beavers, gammons, the Crawford game, resignations, Nackgammon and the Jacoby rule."""
    sheet = again(match, layout, fans="^")
    assert sheet.faults == ()
    assert mat(sheet.match) == mat(match)
    games = [(game.winner, game.points, game.crawford) for game in match.games]
    assert [(game.winner, game.points, game.crawford) for game in sheet.match.games] == games


def test_a_fan_without_dice_gets_dice_that_fan() -> None:
    match = read(SAMPLES / "match-5pt.mat")[0]
    sheet = again(match, "row")
    written, expected = mat(sheet.match).splitlines(), mat(match).splitlines()
    assert len(written) == len(expected)
    (note,) = sheet.notes
    assert note.endswith("turns without dice, such as F for a fan: written with dice that fit")
    for ours, original in zip(written, expected, strict=True):
        for cell in {*ours.split("  ")} - {*original.split("  ")}:
            assert re.fullmatch(r" *[0-9]*\)? ?([1-6])\1: ?", cell)  # a doublet and no play


@pytest.mark.parametrize("target", ["plain", "markdown", "reddit", "bbcode", "html-forum"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_posts_are_match_files(target: str, layout: str) -> None:
    match = read(SAMPLES / "match-5pt.mat")[0]
    options = AnnotateOptions(to=target, layout=layout, fans="^")
    sheet = read_sheet(FORMS[target].render([annotate(match)], [None], options).decode())
    assert sheet.faults == ()
    assert mat(sheet.match) == mat(replace(match, headers=()))


@pytest.mark.parametrize(
    "options",
    [
        AnnotateOptions(traditional=True, fans="^"),
        AnnotateOptions(errors=True),
        AnnotateOptions(layout="row", errors=True, fans="roll"),
        AnnotateOptions(layout="column", errors=True, fans="^"),
        AnnotateOptions(layout="row", start_mark="-->", forced="name", fans="^"),
        AnnotateOptions(layout="row", spoken=True, fans="^"),
        AnnotateOptions(characters="areal"),
    ],
)
def test_every_option_of_annotate_can_be_read(options: AnnotateOptions) -> None:
    match = read(SAMPLES / "match-3pt-analysed.sgf")[0]
    text = FORMS["text"].render([annotate(match, options.characters)], [None], options).decode()
    sheet = read_sheet(text)
    assert sheet.faults == ()
    assert mat(sheet.match) == mat(match)
