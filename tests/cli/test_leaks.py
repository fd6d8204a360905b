"""`nactate leaks` and `nactate find`: their output for a player, and their errors."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.position import STANDARD
from tests.archive.by_hand import Played, Record, fill
from tests.cli.running import MATCH, Ran, error_of, run

NASTY = "</title><script>alert(1)</script>\x1b[31m\u202e"


def played(player: int, roll: int, produced: str, error: int | None, best: str | None) -> Played:
    return Played(STANDARD, player, roll, produced, "24/23 13/11", error, None, best)


RECORDS = [
    Record((played(0, 21, "S", 3000, "$"), played(1, 63, "R", 0, None)), date="2024-01-31"),
    Record((played(0, 21, "S", 5000, "$"),), date="2024-05-31"),
    Record((Played(STANDARD, 1, 0, "double", error=2000, owner=1),), ("Ben", "Ann"), 7, (1, 5)),
    Record((played(0, 21, "S", None, None),), (NASTY, "Cid")),
]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "games.db"
    fill(RECORDS, str(path)).close()
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files with odd names, and their database."""
    folder = tmp_path_factory.mktemp("matches")
    (folder / "a b\n.mat").write_bytes(MATCH)
    (folder / "c.mat").write_bytes(MATCH.replace(b"31: 8/5 6/5", b"31: 24/21 6/5"))
    assert run("index", "--db", folder / "games.db", folder).status == 0
    return folder


def leaks(database: Path, *words: object) -> Ran:
    return run("leaks", "--db", database, *words)


def test_text_lists_decisions_themes_and_families(database: Path) -> None:
    assert leaks(database, "--player", "Ann") == Ran(
        0,
        """\
Leaks of Ann
3 of 3 games analysed: 2 plays and 1 cube decision, close or not
Analysed turns by level: gnubg (3)
Points lost: 0.10 (plays 0.08, cube 0.02)
Fewer than 20 analysed games: too few for a rate in 100 games
Shown by themes: 100 % of 0.10 points

The costliest decisions
   -.050  by hand#2.1.1a  21S 24/23 13/11 where $ 13/11 6/5 is best
   -.030  by hand#1.1a  21S 24/23 13/11 where $ 13/11 6/5 is best
   -.020  by hand#3.1.1b  wrong redouble, 2-away 6-away

Themes
  points  times   each
   -0.08      2  -.040  broken anchor: your play gives up an anchor that the best one keeps
                        by hand#2.1.1a  21S 24/23 13/11 -.050 ($ 13/11 6/5)
   -0.02      1  -.020  wrong redouble: you redoubled, and waiting was better
                        by hand#3.1.1b  -.020, 2-away 6-away

Phases of the game
  points  times   each
   -0.10      3  -.033  opening

The same play of the same roll
  points   times   each
   -0.08  2 of 2  -.040  21S 24/23 13/11 where $ 13/11 6/5 is best, 4HPwATDgc/ABMA
                         by hand#2.1.1a  21S -.050 ($)
                         by hand#1.1a  21S -.030 ($)

Families of plays
  points  times   each
   -0.08      2  -.040  S (split) where $ (slot) is best
                        by hand#2.1.1a  21S 24/23 13/11 -.050 ($ 13/11 6/5)
                        by hand#1.1a  21S 24/23 13/11 -.030 ($ 13/11 6/5)

Openings by the book (gnubg 2-ply, money): 0 of 2 plays not the best
""",
        "",
    )


def test_twenty_games_have_losses_in_a_hundred(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    fill([RECORDS[at % 2] for at in range(20)], str(path)).close()
    text = leaks(path, "--player", "Ann").out
    assert "Points lost in 100 analysed games: 4.00 \u00b10.48 (plays 4.00, cube 0)" in text
    assert "  in 100 games  times   each\n" in text
    assert "   -4.00 \u00b10.48     20  -.040  broken anchor" in text
    assert "Fewer" not in text


def test_since_compares_two_periods_and_min_adds_rare_leaks(database: Path) -> None:
    text = leaks(database, "--me", "ann", "--since", "2024-05", "--min", 1).out
    assert "Since 2024-05: 1 of 1 game analysed" in text
    assert "Before 2024-05: 1 of 1 game analysed" in text
    assert "1 analysed game without a date left out" in text
    assert "  -0.05   -0.03  1 + 1  -.040  21S 24/23 13/11 where $ 13/11 6/5 is best" in text
    every = leaks(database, "--player", "Ann", "--min", 1).out
    assert "-0.02      1  -.020  wrong redouble at 2-away (2-away 6-away: 1)" in every
    assert "by hand#3.1.1b  -.020, 2-away 6-away" in every


def test_a_period_of_few_games_has_points_and_not_a_rate(tmp_path: Path) -> None:
    """Each of 24 games lost .03, so 100 games would lose 3.00; then each of two lost .05."""
    path = tmp_path / "games.db"
    earlier = Record((played(0, 21, "S", 3000, "$"),), date="2024-01-31")
    fill([*[earlier] * 24, *[RECORDS[1]] * 2], str(path)).close()
    text = leaks(path, "--me", "Ann", "--since", "2024-05").out
    rows = [line.split() for line in text.splitlines()]
    at = rows.index(["since", "(points)", "before", "(in", "100", "games)", "times", "each"])
    assert rows[at + 1][:5] == ["-0.10", "-3.00", "2", "+", "24"]


def test_json_has_the_whole_and_its_parts(database: Path) -> None:
    value = json.loads(leaks(database, "--player", "Ann", "--json").out)
    assert value["lost_per_hundred"] == pytest.approx(100 * 0.1 / 3, abs=1e-5)
    assert (value["few_games"], value["margin"], value["shown_share"]) == (True, None, 1)
    fields = ("place", "lost", "made", "best")
    assert [tuple(decision[field] for field in fields) for decision in value["costliest"]] == [
        ("by hand#2.1.1a", 0.05, "S", "$"),
        ("by hand#1.1a", 0.03, "S", "$"),
        ("by hand#3.1.1b", 0.02, "wrong redouble", "no double"),
    ]
    names = [(theme["name"], theme["times"]) for theme in value["themes"]]
    assert names == [("broken anchor", 2), ("wrong redouble", 1)]
    total = sum(theme["lost_per_hundred"] for theme in value["themes"])
    assert total == pytest.approx(value["lost_per_hundred"], abs=1e-4)
    assert [phase["name"] for phase in value["phases"]] == ["opening"]


def test_places_lead_to_the_pages_of_the_matches(tmp_path: Path) -> None:
    (tmp_path / "by hand.html").write_text("a page")
    database, output = tmp_path / "games.db", tmp_path / "leaks.html"
    fill(RECORDS, str(database)).close()
    words = ("--player", "Ann", "--to", "html", "-o", output)
    assert leaks(database, *words).status == 0
    places = re.findall(r'<a href="([^"#][^"]*)">([^<]+)', output.read_text("utf-8"))
    assert places[0] == ("by%20hand.html#m2.1.1a", "by hand#2.1.1a")
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    assert leaks(database, *words, "--pages", folder).status == 0
    assert 'href="by' not in output.read_text("utf-8")
    assert leaks(database, "--player", "Ann", "--pages", folder).status == 2
    assert "no folder" in leaks(database, *words, "--pages", tmp_path / "none").err


def test_boards_show_the_positions_of_the_leaks(database: Path) -> None:
    text = leaks(database, "--player", "Ann", "--boards", "--top", 1).out
    assert text.count(" X to play 21") == 3  # the costliest decision, the play, its family
    assert "BAR" in text


def test_json_has_plays_families_and_cube_actions(database: Path) -> None:
    value = json.loads(leaks(database, "--player", "Ann", "--json", "--min", 1).out)
    assert value["account"]["analysed"] == 3
    kinds = [(row["kind"], row["made"], row["times"], row["lost"]) for row in value["leaks"]]
    assert kinds == [
        ("play", "S", 2, 0.08),
        ("family", "S", 2, 0.08),
        ("cube", "wrong redouble", 1, 0.02),
    ]
    assert value["leaks"][0]["position_id"] == "4HPwATDgc/ABMA"
    assert value["leaks"][0]["per_hundred"] == pytest.approx(2.66667)
    assert value["leaks"][2]["scores"] == [{"away": 2, "opponent_away": 6, "times": 1}]


def test_a_page_escapes_any_name(database: Path, tmp_path: Path) -> None:
    output = tmp_path / "leaks.html"
    assert leaks(database, "--player", NASTY, "--to", "html", "-o", output) == Ran(0, "", "")
    page = output.read_text("utf-8")
    assert "none of 1 game is analysed" in page
    assert "<script" not in page
    assert "\x1b" not in page + leaks(database, "--player", NASTY).out
    full = leaks(database, "--player", "Ann", "--to", "html").out
    # The icon, three decisions, two themes, a play and a family.
    assert full.count("<svg") == 8
    ids = re.findall(r'\bid="([^"]+)"', full)
    assert len(ids) == len(set(ids)) == 19


def test_a_player_must_be_named(database: Path, folder: Path, tmp_path: Path) -> None:
    unnamed = leaks(database)
    assert unnamed.status == 2
    assert unnamed.err.startswith("nactate: leaks: whose leaks? Use --player; names: Ann, Ben, ")
    (tmp_path / "empty").mkdir()
    run("index", "--db", tmp_path / "empty.db", tmp_path / "empty")
    assert "The database has no games" in leaks(tmp_path / "empty.db").err
    unknown = leaks(database, "--player", "Anm")
    assert unknown.err == "nactate: no player is called 'Anm'; did you mean 'Ann'?\n"
    assert unknown.status == 1
    noted = tmp_path / "noted.db"
    run("index", "--db", noted, "--me", "Ben", folder)
    mine = leaks(noted)
    assert mine.out.startswith("Leaks of Ben\nnone of 2 games is analysed")
    assert "No analysed decision lost anything" in mine.out
    assert mine.status == 0
    for command in ("leaks", "stats"):
        none = run(command, "--db", noted, "--event", "no such event")
        assert none.out.splitlines()[1] == "no game has this player and meets the filters"


@pytest.mark.parametrize(
    "words",
    [
        ("--me", "Ann", "--player", "Ann"),
        ("--player", "Ann", "--boards", "--json"),
        ("--player", "Ann", "--since", "yesterday"),
        ("--player", "Ann", "--top", "0"),
    ],
)
def test_options_that_exclude_each_other_are_errors(database: Path, words: tuple[str, ...]) -> None:
    assert leaks(database, *words).status == 2


def test_the_database_is_not_overwritten(database: Path) -> None:
    data = database.read_bytes()
    ran = leaks(database, "--player", "Ann", "-o", database)
    assert (ran.status, database.read_bytes()) == (2, data)


def find(folder: Path, *words: object) -> Ran:
    return run("find", "--db", folder / "games.db", *words)


def test_find_prints_places_sequences_and_files(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert find(folder, "*-63R").out == (
        "a b .mat#1.1b  63R 24/15  54S-63R | 31P\nc.mat#1.1b     63R 24/15  54S-63R | 31E\n"
    )
    assert find(folder, "31P", "after", "6?R").out == "a b .mat#1.2a  31P 8/5 6/5  54S-63R-31P\n"
    assert find(folder, "start", "--sequences").out == "54S\n"
    assert find(folder, "--places", "-0", "63").out == "a b\n.mat#1.1b\0c.mat#1.1b\0"
    assert find(folder, "--files", "-0", "*-*-??R").out == "a b\n.mat\0c.mat\0"
    assert find(folder, "--files", "31P").out == "a b\n.mat\n"


def test_find_prints_json(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (line,) = find(folder, "--json", "31P").out.splitlines()
    assert json.loads(line) == {
        "format": 1,
        "place": "a b\n.mat#1.2a",
        "file": "a b\n.mat",
        "match": 1,
        "game": 1,
        "move": 2,
        "player": 0,
        "turn": 3,
        "players": ["Ann", "Ben"],
        "date": None,
        "sequence": "54S-63R-31P",
        "after": None,
        "made": "31P",
        "play": "8/5 6/5",
    }


def test_post_takes_places_from_find(tmp_path: Path) -> None:
    both = tmp_path / "both.mat"
    both.write_bytes(MATCH + MATCH.replace(b"Ann", b"Cid"))
    run("index", "--db", tmp_path / "games.db", both)
    places = find(tmp_path, "--places", "31P").out.splitlines()
    assert [place.rpartition("#")[2] for place in places] == ["1.2a", "2.1.2a"]
    posts = [run("post", "--to", "plain", place).out for place in places]
    assert [("Ann" in post, "Cid" in post) for post in posts] == [(True, False), (False, True)]
    assert all("to play 31" in post for post in posts)
    third = run("post", f"{both}#3.1.2a")
    assert third.err == "nactate: there is no match 3; the file has 2\n"


def test_places_from_find_are_no_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-x.mat").write_bytes(MATCH)
    run("index", ".")
    (place,) = run("find", "--places", "31P").out.splitlines()
    assert place == os.path.join(".", "-x.mat#1.2a")
    assert run("post", place).status == 0


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("66A",), 1, "no game has '66A'\n"),
        (("31P", "--since", "2030"), 1, "no game has '31P' in turns since 2030\n"),
        (("*-37P",), 1, "not a roll: '37'"),
        (("XGID=nothing",), 1, "XGID"),
        (("-0", "31P"), 2, "-0 goes with --files, --places, --sequences"),
        (("31P", "--player", "Zed"), 1, "no player is called 'Zed'"),
        (("31P", "--me"), 1, "your name is not stored yet"),
    ],
)
def test_find_reports_unknown_patterns_and_players(
    folder: Path, words: tuple[str, ...], status: int, message: str
) -> None:
    ran = find(folder, *words)
    assert ran.status == status
    assert message in ran.err
    assert not ran.out


def test_a_database_is_needed(tmp_path: Path) -> None:
    for command in (("find", "31P"), ("leaks", "--player", "Ann")):
        assert "no such database" in error_of(*command, "--db", tmp_path / "none.db")
