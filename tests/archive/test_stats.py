"""Statistics of small archives, counted by hand."""

from __future__ import annotations

import csv
import json
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.archive.database import archive_at
from gnubg_nactation.archive.filters import ALL, Filters, check_filters
from gnubg_nactation.archive.finding import find_position, find_sequence
from gnubg_nactation.archive.leaks import find_leaks
from gnubg_nactation.archive.nodes import node
from gnubg_nactation.archive.stats import Tally, find_statistics
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.decisions.severity import totals
from gnubg_nactation.errors import ArchiveError, UnknownError
from gnubg_nactation.files.formats import read_sources
from gnubg_nactation.sequences.pattern import parse_pattern
from tests.archive.by_hand import Played, Record, fill
from tests.cli.running import run
from tests.exports.pages import SAMPLES


def rolled(error: int | None, missed: int | None = None, near: int | None = None) -> Played:
    return Played(STANDARD, 0, 31, "P", error=error, missed=missed, near=near, luck=-500)


def acted(act: str, error: int) -> Played:
    return Played(STANDARD, 0, 0, act, error=error, near=1)


GAMES = [
    Record((rolled(1000), rolled(0, 3000, 1), rolled(0, 0, 0)), date="2024-05-01"),
    Record((rolled(None), acted("double", 0), acted("take", 5000)), date="2024-05-31"),
    Record((rolled(2000), acted("drop", 700)), ("Ann", "Cid"), date="2024-07-01"),
    Record((rolled(None),), ("Ann", "Cid")),
]
MAY = Tally(
    *(2, 2, 2),
    plays=3,
    cubes=3,
    play_lost=1000,
    cube_lost=8000,
    luck=-2000,
    rolls=4,
    doubles=1,
    missed_doubles=1,
    takes=1,
    wrong_takes=1,
)


def test_statistics_by_month_and_by_opponent() -> None:
    with closing(fill(GAMES)) as connection:
        statistics = find_statistics(connection, Filters(player="ann"))
        later = find_statistics(connection, Filters(since="2024-06"), ["Ann"])
    assert [month for month, _ in statistics.months] == ["", "2024-05", "2024-07"]
    assert dict(statistics.months)["2024-05"] == dict(statistics.opponents)["Ben"] == MAY
    assert MAY.rating == pytest.approx(500 * 0.09 / 6)
    assert MAY.play_rating == pytest.approx(500 * 0.01 / 3)
    assert MAY.cube_rating == pytest.approx(500 * 0.08 / 3)
    assert MAY.luck_points == pytest.approx(-0.02)
    total = statistics.total
    assert (total.matches, total.games, total.analysed, total.decisions) == (4, 4, 3, 8)
    assert (total.drops, total.wrong_drops, total.wrong_doubles) == (1, 1, 0)
    assert [(month, tally.matches) for month, tally in later.months] == [("2024-07", 1)]


def test_a_decision_that_loses_nothing_to_three_places_is_not_wrong() -> None:
    """Its loss is still in the rating, as in XG's."""
    turns = (rolled(49, 49, 1), acted("double", 49), rolled(50, 50, 1), acted("double", 50))
    with closing(fill([Record(turns)])) as connection:
        total = find_statistics(connection, Filters(player="Ann")).total
        leaks = find_leaks(connection, Filters(player="Ann"))
    assert (total.doubles, total.wrong_doubles, total.missed_doubles) == (2, 1, 1)
    assert (total.play_lost, total.cube_lost) == (99, 198)
    assert [example.lost for example in leaks.costliest] == [0.0005] * 3
    assert leaks.account.wrong == (3, 150)


def test_a_match_between_two_names_of_a_player_counts_once() -> None:
    """For each of the names it is one against the other."""
    answered = acted("take", 5000)._replace(player=1)
    records = [
        Record((rolled(1000), acted("double", 0), answered), date="2024-05-01"),
        Record((rolled(2000),), ("Ann", "Cid"), date="2024-05-31"),
    ]
    filters = [(Filters(), ["ann", "BEN"]), (Filters(me=True), []), (Filters(), [])]
    with closing(fill(records, handles=("ANN", "ben"))) as connection:
        found = [find_statistics(connection, each, names) for each, names in filters]
    for statistics in found:
        assert statistics.total == dict(statistics.months)["2024-05"]
        assert statistics.total[:3] == (2, 2, 2)
        assert (statistics.total.play_lost, statistics.total.cube_lost) == (3000, 5000)
        assert {name: tally.games for name, tally in statistics.opponents if name != "Cid"} == {
            "Ann": 1,
            "Ben": 1,
        }


def test_the_case_of_letters_beyond_ascii_is_ignored_too() -> None:
    record = Record((rolled(1000),), ("Kévin Groß", "ÅSA"), event="Café Öl")
    texts = [Filters(player="KÉVIN GROSS"), Filters(player="kévin groß", opponent="Åsa")]
    texts += [Filters(me=True), Filters(event="CAFÉ ö"), Filters(event="caf")]
    with closing(fill([record], handles=("KÉVIN GROß",))) as connection:
        for filters in texts:
            assert find_statistics(connection, filters).total.games == 1
        assert find_statistics(connection, ALL, ["kÉvin gross"]).total.games == 1
        assert find_statistics(connection, Filters(event="Cafe")).total.games == 0
        with pytest.raises(UnknownError, match="did you mean 'ÅSA'"):
            check_filters(connection, Filters(player="åssa"))


def test_an_opponent_in_two_spellings_is_one() -> None:
    names = "Ben", "ben", "BEN", "ben", "Cid", "Åsa", "åsa"
    records = [Record((rolled(1000),), ("Ann", name)) for name in names]
    with closing(fill(records)) as connection:
        statistics = find_statistics(connection, Filters(player="Ann"))
    counts = [(name, tally.matches, tally.play_lost) for name, tally in statistics.opponents]
    assert counts == [("ben", 4, 4000), ("Åsa", 2, 2000), ("Cid", 1, 1000)]
    assert statistics.total.matches == 7


def test_without_matches_everything_is_zero() -> None:
    with closing(fill(GAMES)) as connection:
        statistics = find_statistics(connection, Filters(player="Ann", until="1999"))
    assert statistics.total == Tally()
    assert statistics.total.rating is None
    assert not statistics.months


def cut_sample() -> bytes:
    """The sample until a roll before which Alice did not double, and after which Bob resigned."""
    text = (SAMPLES / "match-3pt-analysed.sgf").read_bytes()
    before, _, rest = text.partition(b";W[11yxxwxwwv]")
    figures = re.findall(rb"(?:DA|LU)\[[^]]*\]", rest.splitlines()[0])  # of the cube, and luck
    return before + b";W[11]" + b"".join(figures) + b"\n)"


@pytest.mark.parametrize("is_cut", [False, True])
def test_the_rating_of_a_match_is_that_of_its_page(tmp_path: Path, *, is_cut: bool) -> None:
    """All plays of the sample have a known loss."""
    path, database = tmp_path / "match.sgf", tmp_path / "games.db"
    sample = SAMPLES / "match-3pt-analysed.sgf"
    path.write_bytes(cut_sample() if is_cut else sample.read_bytes())
    assert run("index", "--db", database, path).status == 0
    [source] = read_sources(path.read_bytes())
    for player, expected in zip(source.match.players, totals(annotate(source.match)), strict=True):
        with archive_at(str(database)) as connection:
            tally = find_statistics(connection, Filters(player=player)).total
        assert (tally.plays, tally.cubes) == (expected.moves, expected.near)
        assert tally.rating == pytest.approx(expected.performance_rating, abs=0.001)
        assert tally.luck_points == pytest.approx(expected.luck, abs=0.001)


def test_a_roll_that_was_not_played_counts_for_the_cube_alone(tmp_path: Path) -> None:
    """It is no place of a play or a position, but of a missed double."""
    path, database = tmp_path / "cut.sgf", str(tmp_path / "games.db")
    path.write_bytes(cut_sample())
    [source] = read_sources(path.read_bytes())
    *played, last = annotate(source.match).games[0].turns
    assert last.state
    assert run("index", "--db", database, path).status == 0
    with archive_at(database) as connection:
        leaks = find_leaks(connection, Filters(player="Alice"), limit=1000)
        [cube] = [example for example in leaks.costliest if example.made == "missed double"]
        assert list(find_position(connection, last.state.position)) == []
        found = list(find_sequence(connection, parse_pattern("*-?")))
        rolls = node(connection, last.state.position).rolls
    assert str(cube.place) == f"{path}#1.11a"
    assert cube.state == replace(last.state, roll=None)
    assert cube.lost == pytest.approx(0.171, abs=0.001)  # as `annotate --errors` lists it
    assert [place.turn for place in found] == [turn.number for turn in played]
    assert rolls == ()


def test_an_older_database_has_no_ratings() -> None:
    with closing(fill(GAMES)) as connection:
        connection.execute("ALTER TABLE turns DROP COLUMN near")
        with pytest.raises(ArchiveError, match="run `nactate index` once more"):
            find_statistics(connection)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    fill(GAMES, str(path)).close()
    return path


def test_text_has_a_table_by_month_and_one_by_opponent(database: Path) -> None:
    ran = run("stats", "--db", database, "--player", "Ann")
    head, months, opponents = ran.out.split("\n\n")
    assert head == (
        "Statistics of Ann\n4 matches, 4 games, 3 analysed: 4 plays and 4 close cube decisions\n"
        "PR 7.31 (Advanced): plays 3.75, cube 10.88\nLuck -0.03 points in 6 rolls"
    )
    first, nothing, may, july = months.splitlines()
    assert " ".join(first.split()[:8]) == "month matches games decisions PR plays cube luck"
    assert nothing.split() == ["no", "date", "1", "1", "0", "-0.01", *"0000000"]
    assert " ".join(may.split()) == "2024-05 2 2 6 7.50 1.67 13.33 -0.02 1 0 1 1 1 0 0"
    assert july.startswith("2024-07")
    assert [line.split()[0] for line in opponents.splitlines()] == ["opponent", "Ben", "Cid"]
    unnamed = run("stats", "--db", database)
    assert (unnamed.status, "whose statistics? Use --player" in unnamed.err) == (2, True)


def test_a_rating_without_decisions_is_not_available(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    fill([Record((rolled(1000),))], str(path)).close()
    lines = run("stats", "--db", path, "--player", "Ann").out.splitlines()
    assert lines[2] == "PR 5.00 (Advanced): plays 5.00, cube n/a"


def test_luck_that_is_rounded_to_nothing_has_no_minus(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    fill([Record((rolled(1000)._replace(luck=-400),))], str(path)).close()
    out = run("stats", "--db", path, "--player", "Ann").out
    assert "Luck +0.00 points in 1 roll\n" in out
    assert "-0.00" not in out


def test_csv_and_json_have_the_same_numbers(database: Path) -> None:
    text = run("stats", "--db", database, "--player", "Ann", "--csv").out
    rows = [*csv.DictReader(text.splitlines())]
    names = [(row["table"], row["name"]) for row in rows]
    months = [("month", ""), ("month", "2024-05"), ("month", "2024-07")]
    assert names == [("all", ""), *months, ("opponent", "Ben"), ("opponent", "Cid")]
    value = json.loads(run("stats", "--db", database, "--player", "Ann", "--json").out)
    for view, row in zip((value, *value["months"], *value["opponents"]), rows, strict=True):
        assert row["rating"] == ("" if view["rating"] is None else str(view["rating"]))
        assert int(row["missed_doubles"]) == view["missed_doubles"]
    assert [view["month"] for view in value["months"]] == [None, "2024-05", "2024-07"]


def test_the_page_has_a_chart_and_escapes_names(tmp_path: Path) -> None:
    nasty = "</title><script>alert(1)</script>"
    path = tmp_path / "games.db"
    fill([GAMES[0]._replace(players=(nasty, nasty + "2"))], str(path)).close()
    page = run("stats", "--db", path, "--player", nasty, "--to", "html").out
    assert "<script" not in page
    assert page.count('<rect class="plays"') == 1
    assert 'aria-label="2024-05: 5.00"' in page
