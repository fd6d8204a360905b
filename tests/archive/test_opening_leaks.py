"""What first plays lose by the book: counted by hand, with what the book's own lines say."""

from __future__ import annotations

from contextlib import closing

from gnubg_nactation.archive.filters import ALL
from gnubg_nactation.archive.leaks import find_opening_leaks
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.exports.leaks import opening_leaks_text, opening_leaks_view
from gnubg_nactation.nacbracs.book import shipped_book
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.values import replace
from tests.archive.by_hand import Played, Record, fill

POINT = Played(STANDARD, 0, 31, "P", "8/5 6/5")
SPLIT = Played(STANDARD, 0, 31, "S", "24/23 13/10")
DEEP = Played(STANDARD, 0, 31, "D", "13/9")  # not among the best two plays of the book
REPLY = Played(decode("31P").state.position, 1, 42, "Z", "24/22 13/9")
GAMES = [Record((POINT, REPLY)), Record((SPLIT,)), Record((SPLIT,)), Record((DEEP,))]


def loss_of(position_after: str, roll: Roll, name: str) -> float:
    line = shipped_book().at(decode(position_after).state.position, roll)
    assert line
    return next(loss or 0.0 for listed, _, loss in line.plays if str(listed) == name)


def test_plays_of_games_without_analysis_are_compared_with_the_book() -> None:
    with closing(fill(GAMES)) as connection:
        leaks = find_opening_leaks(connection, ALL, ["Ann"], 10)
    assert [(leak.made, leak.times, leak.faced) for leak in leaks.leaks] == [
        ("S", 2, 4),
        ("D", 1, 4),
    ]
    split = round(shipped_book().lines[STANDARD, Roll(3, 1), ""].plays[1][2] or 0.0, 3)
    assert leaks.leaks[0].loss == split
    assert leaks.leaks[1].loss is None
    assert (leaks.plays, leaks.wrong, round(leaks.lost, 3)) == (4, 3, 2 * split)
    text = opening_leaks_text(leaks)
    assert "3 of 4 plays not the best" in text
    assert "31S 24/23 13/10 where P 8/5 6/5 is best" in text
    assert text.endswith("\u2260: the book does not list the play; it loses more\n")


def test_a_play_that_the_book_calls_by_another_name_has_its_loss() -> None:
    down = Played(STANDARD, 0, 51, "D", "13/7")  # a numeral in the book's list
    with closing(fill([Record((down,))])) as connection:
        (leak,) = find_opening_leaks(connection, ALL, ["Ann"], 10).leaks
    line = shipped_book().at(STANDARD, Roll(5, 1))
    assert line
    assert "D" not in [str(name) for name, *_ in line.plays]
    (loss,) = [loss for _, play, loss in line.plays if str(play) == "13/7"]
    assert loss
    assert (leak.made, leak.loss) == ("D", loss)


def test_filters_choose_player_score_and_frequency() -> None:
    with closing(fill(GAMES)) as connection:
        ben = find_opening_leaks(connection, ALL, ["Ben"], 10)
        both = find_opening_leaks(connection, ALL, ["Ann", "Ben"], 10)
        again = find_opening_leaks(connection, ALL, ["Ann", "ben", "ANN", "Ben"], 10)
        often = find_opening_leaks(connection, replace(ALL, min_count=2), [], 10)
        at_score = find_opening_leaks(connection, replace(ALL, score="-7-7"), ["Ann"], 10)
    view = opening_leaks_view(ben)
    assert view["leaks"][0] | {"loss": 0.0} == {
        "sequence": "31P-42",
        "position_id": "sGfwATDgc/ABMA",
        "made": "Z",
        "play": "24/22 13/9",
        "best": "P",
        "made_play": "24/22 13/9",
        "best_play": "8/4 6/4",
        "times": 1,
        "faced": 1,
        "loss": 0.0,
    }
    assert view["leaks"][0]["loss"] == loss_of("31P", Roll(4, 2), "Z")
    assert (ben.plays, both.plays) == (1, 5)
    assert again == both
    assert [leak.made for leak in often.leaks] == ["S"]
    assert (at_score.plays, opening_leaks_text(at_score)) == (0, "")
