"""`nactate explore`: its output for a position in each form, and its errors."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from gnubg_nactation.archive.database import open_archive
from gnubg_nactation.archive.trees import after
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.nacbracs.reading import parse_nacbrac
from tests.archive.by_hand import Played, Record, fill
from tests.cli.running import Ran, error_of, run
from tests.exports.pages import data_of

_OPENED = after(STANDARD, "8/5 6/5")
_ANSWERED = after(_OPENED, "24/15")


def _game(*turns: Played, player: str = "Ann", date: str = "") -> Record:
    return Record(turns, players=(player, "Ben"), date=date)


def _opening(name: str, play: str, result: int, error: int | None = None) -> Played:
    return Played(STANDARD, 0, 31, name, play, error=error, result=result, best=None)


def _answer(result: int) -> Played:
    return Played(_OPENED, 1, 63, "R", "24/15", result=result)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five games of 31: three P, answered by 63R twice and a double, and two wrong S."""
    path = tmp_path_factory.mktemp("archive") / "games.db"
    point = _opening("P", "8/5 6/5", -1, 0)
    dropped = (
        Played(_OPENED, 1, 0, "double", error=70_000),
        Played(_OPENED.switch_sides(), 0, 0, "drop", error=100_000),
    )
    games = [
        _game(point, _answer(1), Played(_ANSWERED, 0, 31, "P", "8/5 6/5"), date="2023-05-01"),
        _game(point, _answer(1)),
        _game(_opening("P", "8/5 6/5", 1, 0), *dropped, player="Cid", date="2024-05-01"),
        _game(_opening("S", "24/23 13/10", 2, 12_345)._replace(best="P"), date="2024-01-31"),
        _game(_opening("S", "24/23 13/10", 4, 22_345)._replace(best="P")),
    ]
    fill(games, str(path)).close()
    return path


def explore(archive: Path, *arguments: object, stdin: bytes = b"") -> Ran:
    return run("explore", "--db", archive, *arguments, stdin=stdin)


def text(archive: Path, *arguments: object, stdin: bytes = b"") -> str:
    """The output, without any book unless one is named."""
    if "--book" not in arguments:
        arguments = ("--book", "none", *arguments)
    ran = explore(archive, *arguments, stdin=stdin)
    assert (ran.status, ran.err) == (0, "")
    return ran.out


def test_without_a_position_the_first_rolls_are_shown(archive: Path) -> None:
    lines = text(archive).splitlines()
    assert lines[:2] == ["start  4HPwATDgc/ABMA", "5 rolls at the start of a game"]
    assert lines[5] == "31  5 rolls, 100%; [P S173], 5 analysed"
    # -1, -1, 1: the standard error is 2/3 (3 - 1/3 over 2 over 3, its root), times 4.303.
    assert lines[6].split() == ["P", "8/5", "6/5", "3", "60%", ".000", "-0.33", "±2.87"]
    assert lines[7].split()[:6] == ["S", "24/23", "13/10", "2", "40%", "-.173"]
    assert max(map(len, lines)) <= 80


def test_a_position_has_several_names(archive: Path) -> None:
    expected = text(archive, "31P").splitlines()[2:]
    state = GameState(_OPENED, Player.SECOND)
    for name in (format_position_id(_OPENED), format_xgid(state), "13P", "31-point"):
        assert text(archive, name).splitlines()[2:] == expected
    assert text(archive, "-", stdin=b"31P\n").splitlines()[2:] == expected


def test_cube_actions_come_before_the_rolls(archive: Path) -> None:
    lines = text(archive, "31P").splitlines()
    assert [line.split()[:4] for line in lines[4:7]] == [
        ["no", "double", "2", "67%"],
        ["double", "1", "33%", "-.700"],
        ["drop", "1", "100%", "-1.000"],
    ]
    assert text(archive, "31P-C") == text(archive, "31P").replace("31P  ", "31P-C  ", 1)


def test_a_single_roll_can_be_shown(archive: Path) -> None:
    lines = text(archive, "31P-63").splitlines()
    assert lines[0].startswith("31P  ")
    assert lines[8:] == text(archive, "31P", "--roll", "36").splitlines()[8:]
    assert lines[8] == "63  2 rolls, 100%"
    ran = explore(archive, "31P-66")
    assert (ran.status, ran.out) == (1, "")
    assert "no 66 among the 2 rolls here" in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["31S-21"], "games.db has no game that reached 31S ("),
        (["nackgammon"], f"has no game that reached {format_position_id(NACKGAMMON)}"),
        (["--since", "2025", "31P"], "reached 31P (sGfwATDgc/ABMA), turns since 2025"),
        (["--player", "Bem"], "no player is called 'Bem'; did you mean 'Ben'?"),
        (["--me"], "your name is not stored yet"),
        (["31?-64P"], "31?-64P"),
    ],
)
def test_unknown_positions_and_players_are_errors(
    archive: Path, arguments: list[str], message: str
) -> None:
    ran = explore(archive, *arguments)
    assert (ran.status, ran.out) == (1, "")
    assert message in ran.err
    assert ran.err.startswith("nactate: ")


def test_a_missing_database_is_an_error(tmp_path: Path) -> None:
    ran = explore(tmp_path / "none.db")
    assert ran.status == 1
    assert "no such database; create it with `nactate index " in ran.err
    assert not (tmp_path / "none.db").exists()


def test_filters_choose_turns(archive: Path) -> None:
    assert text(archive, "--player", "cid").splitlines()[1:3] == [
        "turns of cid",
        "1 roll at the start of a game",
    ]
    assert "3 rolls" in text(archive, "--until", "2024")
    assert "2 rolls" in text(archive, "--since", "2024-01")
    assert "1 roll," in text(archive, "--since", "2024-01-31", "--until", "2024-02")
    assert "5 rolls" in text(archive, "--score", "7-7", "--length", "7")
    assert explore(archive, "--length", "5").status == 1
    assert "13/10" not in text(archive, "--min", "3")
    assert "5 rolls" in text(archive, "--min", "3")


def test_results_sort_plays_only_with_the_option(archive: Path) -> None:
    def names(*arguments: str) -> list[str]:
        value = json.loads(text(archive, "--json", *arguments))
        return [play["nactation"] for play in value["rolls"][0]["plays"]]

    assert names() == ["P", "S"]
    assert names("--order", "count") == ["P", "S"]
    assert names("--order", "result") == ["S", "P"]


def test_json_has_counts_errors_and_nacbrac(archive: Path) -> None:
    value = json.loads(text(archive, "--json"))
    [row] = value["rolls"]
    point, split = row["plays"]
    assert (value["count"], row["count"], row["roll"], row["best"]) == (5, 5, "31", "P")
    assert value["ways"] == [{"sequence": "", "count": 5}]
    assert row["nacbrac"] == "[P S173]"
    assert point["after"] == format_position_id(_OPENED)
    assert (point["count"], point["share"]) == (3, 0.6)
    assert point["error"] == {"mean": 0.0, "within": None, "count": 3}
    assert split["error"]["mean"] == pytest.approx(0.17345)
    assert split["error"]["within"] == pytest.approx(12.706 * 0.05, abs=1e-4)
    assert point["adjusted"] is None


def test_depth_shows_a_tree(archive: Path) -> None:
    lines = text(archive, "--depth", "3").splitlines()
    assert [line[:26].rstrip() for line in lines[4:]] == [
        "31P 8/5 6/5",
        "  63R 24/15",
        "    31P 8/5 6/5",
        "31S 24/23 13/10",
    ]
    values = [json.loads(line) for line in text(archive, "--json", "--depth", "3").splitlines()]
    assert [(entry["sequence"], entry["count"]) for entry in values] == [
        ("", 5),
        ("31P", 2),
        ("31P-63R", 1),
    ]
    below = json.loads(text(archive, "--json", "--depth", "2", "31P").splitlines()[1])
    assert below == values[2]


def test_csv_has_a_row_for_each_play(archive: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(text(archive, "--csv", "--depth", "2"))))
    assert [(row["sequence"], row["roll"], row["nactation"], row["count"]) for row in rows] == [
        ("", "31", "P", "3"),
        ("", "31", "S", "2"),
        ("31P", "", "no double", "2"),
        ("31P", "", "double", "1"),
        ("31P", "", "drop", "1"),
        ("31P", "63", "R", "2"),
    ]
    assert (rows[0]["error"], rows[0]["error_count"], rows[5]["error"]) == ("0.0", "3", "")


def test_a_letter_in_csv_is_no_formula_of_a_spreadsheet(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    fill([_game(_opening("@", "24/20", 1, 0))], str(path)).close()
    (row,) = csv.DictReader(io.StringIO(text(path, "--csv")))
    assert (row["nactation"], row["result"]) == ("'@", "1.0")  # as docs/security.md promises


def test_the_book_of_the_program_is_the_default(archive: Path) -> None:
    lines = explore(archive).out.splitlines()
    assert lines[2].startswith("book: loss by the book, gnubg 2-ply;")
    # gnubg makes the 5 point with 31; splitting loses about a quarter of a point.
    assert [line[42:49].strip()[:3] for line in lines[8:]] == [".00", "-.2"]
    assert "book" not in explore(archive, "--book", "none").out
    assert "book" not in explore(archive, "--score", "7-7").out


def test_plays_that_leave_the_book_are_marked(archive: Path, tmp_path: Path) -> None:
    """The book rates them as errors or lacks them; it has nothing at other scores."""
    book = tmp_path / "theory.txt"
    book.write_text("31 [P S21]\n31P-63 [S D5] d[R]\n", encoding="utf-8")
    lines = text(archive, "--book", book).splitlines()
    legend = f"book: loss by the book, {book}; \u2260: not listed there"
    assert lines[2] == legend
    assert lines[7] == "    [P S21] by the book"
    assert [line[42:49].strip() for line in lines[8:]] == [".000", "-.021"]
    assert text(archive, "--book", "-", stdin=book.read_bytes()).splitlines()[3:] == lines[3:]
    tree = text(archive, "--book", book, "--depth", "2").splitlines()[5:]
    assert [(line[:26].rstrip(), line[42:49].strip()) for line in tree] == [
        ("31P 8/5 6/5", ".000"),
        ("  63R 24/15", "\u2260"),
        ("31S 24/23 13/10", "-.021"),
    ]
    [first, second] = map(
        json.loads, text(archive, "--json", "--book", book, "--depth", "2").splitlines()
    )
    plays = first["rolls"][0]["plays"]
    assert [(play["left"], play["book_loss"]) for play in plays] == [(False, 0.0), (True, 0.021)]
    assert second["rolls"][0]["book"] == "[S D5]"
    assert "] by the book" not in text(archive, "--book", book, "--score", "7-7")
    assert explore(archive, "--book", book, "--csv").status == 2
    assert explore(archive, "--book", tmp_path / "none").status == 1


def test_the_output_can_be_a_file(archive: Path, tmp_path: Path) -> None:
    output = tmp_path / "tree.txt"
    assert text(archive, "-o", output) == ""
    assert output.read_text(encoding="utf-8") == text(archive)
    book = tmp_path / "book.txt"
    book.write_text("31 [P]")
    for read in (archive, book):
        ran = explore(archive, "--book", book, "-o", read)
        assert ran == (2, "", f"nactate: explore: -o would overwrite {read}\n")
    open_archive(str(archive)).close()
    assert book.read_text() == "31 [P]"


def test_forms_have_short_names(archive: Path) -> None:
    for form in ("json", "csv"):
        assert text(archive, f"--{form}") == text(archive, "--to", form) != text(archive)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--plies", "2"],
        ["--engine", "gnubg", "--csv"],
        ["--to", "html", "--roll", "31"],
        ["--json", "--csv"],
        ["--since", "May"],
        ["--roll", "7"],
        ["--score", "x"],
    ],
)
def test_wrong_options_are_errors(archive: Path, arguments: list[str]) -> None:
    assert explore(archive, *arguments).status == 2


def test_the_environment_names_the_database(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NACTATION_DB", str(archive))
    assert run("explore", "--book", "none").out == text(archive)


def test_an_engine_adds_its_nacbrac(archive: Path, each_engine: str) -> None:
    line = text(archive, "--engine", each_engine, "--plies", "0", "31P-63").splitlines()[9]
    nacbrac = parse_nacbrac(line.strip())
    assert nacbrac.suffix == "gnubg 0-ply"
    assert len(nacbrac.entries) >= 2


def test_a_page_of_a_match_shows_other_games(archive: Path, tmp_path: Path) -> None:
    """31 occurred five times at the start, and 63 twice after 31P."""
    match = tmp_path / "match.mat"
    match.write_bytes(
        b" 3 point match\n\n Game 1\n Ann : 0              Ben : 0\n"
        b"  1) 31: 8/5 6/5              63: 24/15\n  2) 21: 6/5 24/22\n"
    )
    output = tmp_path / "match.html"
    arguments = "annotate", "--to", "html", "--db", archive, "-o", output, match
    for _ in range(2):  # and a second time, as the database may have changed
        output.unlink(missing_ok=True)
        assert run(*arguments).status == 0
        page = output.read_text(encoding="utf-8")
        assert [turn["archive"] for turn in data_of(page)["turns"] if "archive" in turn] == [
            [5, {"8/5 6/5": [3, 0], "24/23 13/10": [2, 173]}],
            [2, {"24/15": [2]}],
        ]
    error = error_of("annotate", "--to", "html", "--db", tmp_path / "none.db", match)
    assert "no such database" in error
    complaint = error_of("annotate", "--db", archive, match, status=2)
    assert "--db does nothing for --to text" in complaint
