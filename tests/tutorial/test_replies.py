"""The tutorial's rollouts of replies, as a book, and gnubg's chart beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest

from gnubg_nactation.archive.replies import chart_of_book, chart_of_engine, differences
from gnubg_nactation.backgammon.analysis import MoveAnalysis
from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.nacbracs.book import Book, parse_book
from gnubg_nactation.nacbracs.reading import parse_nacbrac
from gnubg_nactation.sequences.openings import openings
from tests.gnubg.ingame import GNUBG, needs_gnubg
from tests.tutorial.test_nacbracs import ROWS, Row

# Those behind a single first move, but for parts of one that stands whole beside them.
REPLIES = [
    row
    for row in ROWS
    if row.start == "standard"
    and row.sequence
    and "-" not in row.sequence
    and row.diagram not in {"7b", "39a"}
]


@pytest.fixture(scope="module")
def book() -> Book:
    lines = [f"{row.sequence}-{row.roll} {row.nacbrac}  # {row.diagram}" for row in REPLIES]
    return parse_book("\n".join(lines), "the tutorial")


def test_there_are_fourteen(book: Book) -> None:
    assert len(book.lines) == len(REPLIES) == 14


@pytest.mark.parametrize("row", REPLIES, ids=lambda row: row.diagram)
def test_the_book_has_the_plays_that_are_meant(row: Row, book: Book) -> None:
    score = parse_nacbrac(row.nacbrac).score
    line = book.at(parse_position_id(row.position_id), Roll.parse(row.roll), score)
    assert line
    assert [format_play(play) for _, play, _ in line.plays] == row.wanted


class Only:
    """An engine that is asked about those states alone of which a book says something."""

    def __init__(self, engine: Gnubg, book: Book) -> None:
        self._engine, self._book = engine, book

    def analyse(
        self, states: Sequence[GameState], depth: Depth
    ) -> Iterator[tuple[int, MoveAnalysis]]:
        known = [at for at, one in enumerate(states) if one.roll and self._says(one)]
        for at, analysis in self._engine.analyse([states[at] for at in known], depth):
            yield known[at], analysis

    def _says(self, state: GameState) -> bool:
        return bool(state.roll and self._book.at(state.position, state.roll))


@needs_gnubg
def test_gnubg_is_near_the_rollouts(book: Book) -> None:
    """At two plies the best play differs in one of ten, 51S-43, by less than .01."""
    firsts = openings(tuple(dict.fromkeys(row.sequence for row in REPLIES)))
    with closing(Gnubg(GNUBG, threads=2)) as engine:
        chart = chart_of_engine(Only(engine, book), Depth(2), firsts, "gnubg 2-ply")
    theirs = chart_of_book(book, firsts)
    assert theirs.replies.keys() == chart.replies.keys()
    assert len(theirs.replies) == 10
    assert not [one for one in differences(theirs, chart) if (one.cost or 0.0) >= 0.02]
    assert not list(differences(theirs, chart, tolerance=0.06))[1:]
