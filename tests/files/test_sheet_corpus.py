"""Real matches, if present, as score sheets: annotated text is the same match file again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Match
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.mat import format_mat
from gnubg_nactation.files.formats import read
from gnubg_nactation.files.sheet import read_sheets
from gnubg_nactation.tasks.annotating import FORMS, LAYOUTS, Rendering
from tests.files.test_mat_corpus import CORPUS, SAMPLES

FILES = sorted(
    path
    for folder in (CORPUS, SAMPLES)
    for path in folder.rglob("*")
    if path.suffix in {".mat", ".txt", ".sgf"}
)
pytestmark = pytest.mark.skipif(not FILES, reason="the collection of real match files is not here")

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
_MIN_MATCHES = 180


def matches() -> Iterator[tuple[str, Match]]:
    """All matches without illegal or missing plays."""
    for path in FILES:
        try:
            found = read(path)
        except NactationError:
            continue
        for match in found:
            games = annotate(match).games
            if not any(turn.problem for game in games for turn in game.turns):
                yield path.name, match


def test_every_match_comes_back() -> None:
    """Each in one of the four layouts, by turns."""
    count, failed = 0, set()
    for count, (name, match) in enumerate(matches(), 1):
        annotated = annotate(match)
        expected = format_mat(annotated)
        options = Rendering(layout=LAYOUTS[count % len(LAYOUTS)], fans="^")
        text = FORMS["text"].render([annotated], [None], options).decode()
        ((sheet, faults, _),) = read_sheets(text)
        if faults or format_mat(annotate(sheet)) != expected:
            failed.add(name)
    assert count >= _MIN_MATCHES
    assert failed == REASONS.keys()
