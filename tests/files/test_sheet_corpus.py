"""Real matches, if present, as score sheets: annotated text is the same match file again."""

from __future__ import annotations

import contextlib

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.mat import format_mat
from gnubg_nactation.files.formats import read
from gnubg_nactation.files.sheet import read_sheets
from gnubg_nactation.tasks.annotating import FORMS, LAYOUTS, Rendering
from tests.files.collection import files

pytestmark = pytest.mark.thorough
FILES = files(".mat", ".txt", ".sgf")  # skips these tests without the collection

# Matches that differ when they are read again, or that the reader refuses, with the reason.
REASONS = {
    "Amirrr-nori-2009Feb151603.txt": "the points are 100 with the cube at 2",
    "Minchy - Llabba 13pt Backgammon Studio 2023_02_24 19_44_27.txt": "the points are 4016",
    "match1281172.txt": "the points are 5, which no cube gives",
    "HansK-nori-2009Jan251035.txt": "a forced roll was not played: the player resigned",
    "autodouble-beaver-setup.BAD-EXPORT.mat": "the take of a beaver is missing",
    "beaver.mat": "the take of a beaver is missing",
    "autodouble-beaver-setup.sgf": "a board is set up in the middle of a game",
    "gap.mat": "a game is missing between two others",
    "nospace.mat": "the result is in the column of the loser",
    "money-b-nojacoby-autodoubles.sgf": "the score is not that of the games before",
    "money-c.sgf": "the score is not that of the games before",
}
_MIN_MATCHES = 240


@pytest.mark.parametrize("number", range(len(FILES)), ids=[path.name for path in FILES])
def test_every_match_comes_back(number: int) -> None:
    """Each file in one of the four layouts, by turns."""
    path = FILES[number]
    try:
        matches = read(path)
    except NactationError:
        matches = ()
    same = True
    for match in matches:
        annotated = annotate(match)
        if any(turn.problem for game in annotated.games for turn in game.turns):
            continue
        options = Rendering(layout=LAYOUTS[number % len(LAYOUTS)], fans="^")
        text = FORMS["text"].render([annotated], [None], options).decode()
        ((sheet, faults, _),) = read_sheets(text)
        same = same and not faults and format_mat(annotate(sheet)) == format_mat(annotated)
    assert same == (path.name not in REASONS)


def test_most_files_are_matches() -> None:
    count = 0
    for path in FILES:
        with contextlib.suppress(NactationError):
            count += len(read(path))
    assert count >= _MIN_MATCHES
