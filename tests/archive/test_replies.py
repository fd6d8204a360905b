"""Charts of replies from an engine, an archive or a book, and their differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from gnubg_nactation.archive.filters import Filters
from gnubg_nactation.archive.replies import (
    Chart,
    Difference,
    chart_of_archive,
    chart_of_book,
    chart_of_engine,
    differences,
)
from gnubg_nactation.backgammon.analysis import MoveAnalysis, PlayAnalysis
from gnubg_nactation.backgammon.notation import format_play, parse_play
from gnubg_nactation.backgammon.plays import ROLLS, Roll, legal_plays
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.cache import Cached, Store
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.errors import EngineError, NactationError
from gnubg_nactation.nacbracs.book import parse_book
from gnubg_nactation.sequences.openings import OPENINGS, openings
from tests.archive.by_hand import Played, Record, fill
from tests.archive.thumb import Thumb, equity

TWO = openings(("31P", "43Z"))
POINT, BUILDER = TWO


def test_there_are_thirty_openings_of_fifteen_rolls() -> None:
    firsts = openings()
    assert len({reply.play for reply in firsts}) == len(firsts) == 30
    assert {reply.play.roll for reply in firsts} == {roll for roll in ROLLS if not roll.is_doublet}
    assert {reply.play.before for reply in firsts} == {STANDARD}
    # A few from every opening book.
    plays = {reply.token: format_play(reply.play) for reply in firsts}
    assert plays["31P"] == "8/5 6/5"
    assert plays["65R"] == "24/13"
    assert plays["62R"] == "24/16"
    assert plays["43Z"] == "24/21 13/9"
    assert tuple(plays) == OPENINGS


@pytest.mark.parametrize("token", ["", "3", "77S", "31K", "xyz"])
def test_other_tokens_are_refused(token: str) -> None:
    with pytest.raises(NactationError):
        openings((token,))


def test_the_best_play_comes_first_and_the_others_have_their_error() -> None:
    engine = Thumb()
    progress: list[tuple[int, int]] = []
    chart = chart_of_engine(
        engine, Depth(0), TWO, "thumb", watch=lambda done, total: progress.append((done, total))
    )
    assert len(chart.replies) == len(engine.states) == 42
    assert progress == [(at, 42) for at in range(1, 43)]
    for opening, roll in chart.cells():
        first, second, *_ = chart.at(opening, roll)
        best, next_best, *_ = sorted(
            map(equity, legal_plays(opening.play.after, roll)), reverse=True
        )
        assert first.play
        assert equity(first.play) == best
        assert first.loss == 0.0
        assert second.loss == pytest.approx(best - next_best)


def test_a_more_deeply_searched_best_play_has_a_second_reply() -> None:
    class Deep(Thumb):
        """Looks deeper at the best play only."""

        def analyse(
            self, states: Sequence[GameState], depth: Depth
        ) -> Iterator[tuple[int, MoveAnalysis]]:
            for place, analysis in super().analyse(states, depth):
                assert analysis.play
                best, *worse = analysis.play.candidates
                deep = best._replace(method="2-ply")
                yield place, MoveAnalysis(PlayAnalysis((deep, *worse), None))

    chart = chart_of_engine(Deep(), Depth(0), TWO[:1], "thumb")
    assert {len(chart.at(opening, roll)) for opening, roll in chart.cells()} == {2}


def test_the_score_is_that_of_the_replying_player() -> None:
    engine = Thumb()
    chart_of_engine(engine, Depth(0), TWO[:1], "thumb", "-3-5")
    for state in engine.states:
        away = state.length - state.score[state.player]
        assert (away, state.length - state.score[state.player.other]) == (3, 5)


def test_an_interrupted_chart_continues(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with closing(Cached(Thumb(max_answers=30), Store(path))) as engine, pytest.raises(EngineError):
        chart_of_engine(engine, Depth(0), TWO, "thumb")
    again = Thumb()
    with closing(Cached(again, Store(path))) as engine:
        chart = chart_of_engine(engine, Depth(0), TWO, "thumb")
    assert len(again.states) == 42 - 30  # earlier answers come from the cache
    assert chart.replies == chart_of_engine(Thumb(), Depth(0), TWO, "thumb").replies


def test_a_chart_of_a_book_has_its_lines() -> None:
    book = parse_book("31P-42 [P Z20]\n43Z-31 [P N10] d[N P5]\n65R-21 [S]\n", "mine")
    chart = chart_of_book(book, TWO)
    assert chart.source == "mine"
    assert set(chart.replies) == {("31P", Roll(4, 2)), ("43Z", Roll(3, 1))}
    first, second = chart.at(POINT, Roll(4, 2))
    assert (str(first.name), first.loss, str(second.name), second.loss) == ("P", 0.0, "Z", 0.02)
    ((best, _),) = chart_of_book(book, TWO, "d").replies.values()
    assert str(best.name) == "N"


@pytest.fixture(scope="module")
def archive() -> Chart:
    """Five replies to 31P with 42: three points, two splits, whose errors are .030 and .050."""
    after = POINT.play.after
    point = Played(after, 1, 42, "P", "8/4 6/4", error=0)
    splits = [
        Played(after, 1, 42, "Z", "24/22 13/9", error=error, best="P") for error in (3000, 5000)
    ]
    first = Played(STANDARD, 0, 31, "P", "8/5 6/5", error=0)
    turns = [point, splits[0], point, splits[1], point]
    connection = fill([Record((first, turn), date="2024-01-01") for turn in turns])
    with closing(connection):
        return chart_of_archive(connection, TWO, "games.db", Filters())


def test_a_chart_of_an_archive_has_the_most_frequent_plays(archive: Chart) -> None:
    assert list(archive.replies) == [("31P", Roll(4, 2))]
    first, second = archive.at(POINT, Roll(4, 2))
    assert (str(first.name), first.times, first.loss) == ("P", 3, 0.0)
    assert (str(second.name), second.times) == ("Z", 2)
    assert second.loss == pytest.approx(0.04)


def test_a_chart_of_an_archive_can_be_sorted_and_filtered() -> None:
    after = POINT.play.after
    first = Played(STANDARD, 0, 31, "P", "8/5 6/5")
    bad = Played(after, 1, 42, "Z", "24/22 13/9", error=4000, best="P")
    good = Played(after, 1, 42, "P", "8/4 6/4", error=0)
    records = [Record((first, reply), date="2024") for reply in (bad, bad, bad, good, good)]
    with closing(fill(records)) as connection:
        for order, min_times, expected in (
            ("count", 1, "ZP"),
            ("error", 1, "PZ"),
            ("count", 3, "Z"),
        ):
            chart = chart_of_archive(connection, TWO, "db", Filters(min_count=min_times), order)
            replies = chart.at(POINT, Roll(4, 2))
            assert "".join(str(reply.name) for reply in replies) == expected


def _charts(first: str, second: str) -> tuple[Chart, Chart]:
    reply, second_chart = (chart_of_book(parse_book(text, "book"), TWO) for text in (first, second))
    return reply, second_chart


def _differences(first: str, second: str, tolerance: float | None = None) -> list[Difference]:
    return list(differences(*_charts(first, second), tolerance=tolerance))


def test_different_first_plays_are_a_difference() -> None:
    results = _differences(
        "31P-42 [P Z20]\n31P-43 [D U2 S5]\n43Z-31 [P N10]",
        "31P-42 [Z P30]\n31P-43 [D S5 U40]\n43Z-62 [R]",
    )
    assert [(reply.opening.token, str(reply.roll)) for reply in results] == [("31P", "42")]
    assert results[0].cost == pytest.approx(
        0.03
    )  # the error of P in the second book, the larger of both


def test_equal_plays_are_not_a_difference() -> None:
    assert not _differences("31P-42 [P=Z D20]", "31P-42 [Z P30]")


def test_a_tolerance_compares_errors() -> None:
    texts = "31P-42 [P Z20]", "31P-42 [P Z45]"
    assert not _differences(*texts)
    assert not _differences(*texts, tolerance=0.03)
    (results,) = _differences(*texts, tolerance=0.02)
    assert results.cost == 0.0


def test_the_cost_is_unknown_if_each_play_is_missing_in_the_other_chart() -> None:
    (results,) = _differences("31P-42 [P]", "31P-42 [Z]")
    assert results.cost is None


def test_two_letters_of_a_play_are_not_a_difference() -> None:
    after = openings(("21$",))[0].play.after
    play = parse_play("24/20*/14*", after, Roll(6, 4))
    first, second = (
        chart_of_book(parse_book(text, "book"), openings(("21$",)))
        for text in ("21$-64 [R Z304]", "21$-64 [K Z255]")  # a run that hits twice
    )
    assert first.replies["21$", Roll(6, 4)][0].play == play
    assert not list(differences(first, second))
