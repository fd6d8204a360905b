"""The library of the page gives what the command line gives from the same database."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gnubg_nactation.archive import damage, indexing, merging
from gnubg_nactation.archive.database import VERSION
from gnubg_nactation.archive.indexing import FileRow
from gnubg_nactation.engines.compiled import CompiledGnubg
from gnubg_nactation.engines.wasm import open_compiled
from gnubg_nactation.playground import answers
from gnubg_nactation.playground.answers import handle
from gnubg_nactation.tasks import judging
from tests.archive.contents import content_of
from tests.cli.running import SAMPLES, run
from tests.engines.built import FOLDER, needs_builtin

FILES = {path.name: path.read_bytes() for path in sorted(SAMPLES.iterdir())}
TABLES = "files", "players", "levels", "matches", "games", "turns", "tallies", "mistakes"
MERGED: dict[str, Any] = {"problem": "", "study": "", "names": {}}


def ask(name: str, *arguments: object, data: bytes = b"") -> Any:
    reply = json.loads(handle(name, json.dumps(arguments), data))
    assert "error" not in reply, reply
    return reply["value"]


def error_of(name: str, *arguments: object, data: bytes = b"") -> str:
    reply = json.loads(handle(name, json.dumps(arguments), data))
    assert "value" not in reply
    return str(reply["error"])


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty library, in the memory of the page: here a folder of the test."""
    monkeypatch.chdir(tmp_path)
    ask("library_open")
    return tmp_path / str(ask("library_file")["file"])


@pytest.fixture
def samples(library: Path) -> Path:
    """The library with the sample matches."""
    for name, data in FILES.items():
        assert ask("library_add", name, data=data) == {"problem": "", "again": []}
    return library


def rows(path: Path) -> dict[str, list[Any]]:
    """All rows of a database, without the times and the folders of files."""
    with closing(sqlite3.connect(path)) as connection:
        found = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}
    found["files"] = [
        (number, Path(name).name, size, *rest) for number, name, size, _, *rest in found["files"]
    ]
    return found


def test_it_is_what_index_makes_of_the_same_files(samples: Path, tmp_path: Path) -> None:
    indexed = tmp_path / "indexed.db"
    assert run("index", "--db", indexed, SAMPLES).status == 0
    mine, theirs = rows(samples), rows(indexed)
    for table in TABLES:
        assert mine[table] == theirs[table], table


@needs_builtin
def test_an_analysis_of_the_page_is_stored_as_that_of_index(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "match-3pt.mat"
    monkeypatch.setenv("NACTATION_ENGINE", str(FOLDER))
    with closing(open_compiled(FOLDER)) as engine:
        kept = analysed(engine, FILES[name], monkeypatch)
    assert ask("library_add", name, 0, kept, data=FILES[name])["problem"] == ""
    indexed = tmp_path / "indexed.db"
    options = "--analyse", "--turns", "1000", "--engine", "builtin", "--plies", "0"
    assert run("index", "--db", indexed, *options, SAMPLES / name).status == 0
    mine, theirs = rows(library), rows(indexed)
    for table in TABLES:
        assert mine[table] == theirs[table], table
    (match,) = ask("library_matches")["matches"]
    assert match["analysed"]


LEFT_OUT = b"""\
 3 point match

 Game 1
 Ann : 0                        Ben : 0
  1) 31: 8/5 6/5                11: 6/5(4)
"""
# The second match has the same state with another play that the search leaves out.
TWICE_LEFT_OUT = LEFT_OUT + b"\n" + LEFT_OUT.replace(b"6/5(4)", b"24/23(2) 6/5(2)")


@needs_builtin
@pytest.mark.parametrize("data", [LEFT_OUT, TWICE_LEFT_OUT], ids=["once", "twice"])
def test_a_play_that_the_search_leaves_out_has_the_same_loss_as_in_index(
    data: bytes, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """6/5(4) is far behind at 0-ply; both judge it as deeply as the best play."""
    (tmp_path / "a.mat").write_bytes(data)
    monkeypatch.setenv("NACTATION_ENGINE", str(FOLDER))
    with closing(open_compiled(FOLDER)) as engine:
        monkeypatch.setattr(answers, "_engine", lambda _seconds=None: engine)
        ask("go_on_analysing", 1, [], data=data)
        kept = ask("analyse_more", 1, 0, 60, data=data)["kept"]
        direct = ask("analyse", 1, 0, data=data)
    judging._analyses.clear()
    answers._annotated.cache_clear()
    assert ask("match", 1, kept, data=data) == direct
    assert ask("library_add", "a.mat", 1, kept, data=data)["problem"] == ""
    indexed = tmp_path / "indexed.db"
    options = "--analyse", "--turns", "1000", "--engine", "builtin", "--plies", "1"
    assert run("index", "--db", indexed, *options, tmp_path / "a.mat").status == 0
    mine, theirs = rows(library), rows(indexed)
    for table in TABLES:
        assert mine[table] == theirs[table], table
    candidates = kept[1][0]
    assert [method for hops, _, method, *_ in candidates if hops == [[6, 5]] * 4] == ["1-ply"]
    assert candidates[-1][2] == "0-ply"


def analysed(engine: CompiledGnubg, data: bytes, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The analyses of a file at 0-ply, made in two parts, as after a reload of the page."""
    monkeypatch.setattr(answers, "_engine", lambda _seconds=None: engine)
    begun = ask("go_on_analysing", 0, [], data=data)
    assert begun["done"] == 0
    kept = ask("analyse_more", 0, 0, 60, data=data)["kept"]
    judging._analyses.clear()
    part = kept[: len(kept) // 3]
    assert ask("go_on_analysing", 0, part, data=data)["done"] == len(part)
    more = ask("analyse_more", 0, len(part), 60, data=data)
    assert more["done"] == begun["total"] == len(kept)
    assert part + more["kept"] == kept
    judging._analyses.clear()
    answers._states.cache_clear()
    return list(kept)


@needs_builtin
def test_a_match_with_kept_analyses_needs_no_engine(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = FILES["match-1pt.mat"]
    with closing(open_compiled(FOLDER)) as engine:
        kept = analysed(engine, data, monkeypatch)
        monkeypatch.setattr(answers, "_engine", lambda _seconds=None: engine)
        direct = ask("analyse", 0, 0, data=data)
    answers._annotated.cache_clear()
    monkeypatch.undo()
    opened = ask("match", 0, kept, data=data)
    answers._annotated.cache_clear()
    assert opened["analysed"]
    assert opened == direct
    assert library.exists()


PLAYERS: list[tuple[dict[str, Any], list[str]]] = [
    ({"player": "Alice"}, ["--player", "Alice"]),
    ({"player": "Bob", "length": 3}, ["--player", "Bob", "--length", "3"]),
    ({"player": "Ann", "opponent": "Ben"}, ["--player", "Ann", "--opponent", "Ben"]),
    ({"names": ["Alice", "Chloe"]}, ["--me", "Alice", "--me", "Chloe"]),
    ({"player": "Bob", "since": "2026-03"}, ["--player", "Bob", "--since", "2026-03"]),
]


@pytest.mark.parametrize(("settings", "options"), PLAYERS)
def test_leaks_and_statistics_are_those_of_the_command_line(
    settings: dict[str, Any], options: list[str], samples: Path
) -> None:
    for name, command in (("library_leaks", "leaks"), ("library_stats", "stats")):
        printed = run(command, "--db", samples, "--json", *options)
        assert printed.status == 0
        assert ask(name, settings) == json.loads(printed.out), name


OLDER = {
    "without themes and sums": """
        DROP TRIGGER mistakes_go; DROP TABLE mistakes; DROP INDEX turns_by_game;
        DROP TRIGGER tallies_go; DROP TABLE tallies; ALTER TABLE turns DROP COLUMN theme;
        CREATE INDEX turns_cube ON turns (game, turn) WHERE roll = 0;
    """,
    "without mistakes": "DROP TRIGGER mistakes_go; DROP TABLE mistakes;",
    "with games of an older program": """
        DELETE FROM mistakes WHERE game IN (SELECT max(game) FROM mistakes);
    """,
}


@pytest.mark.parametrize("changes", OLDER.values(), ids=OLDER)
def test_a_library_of_an_older_version_gives_the_same(
    changes: str, samples: Path, tmp_path: Path
) -> None:
    """What it lacks is made by a query, or when the library is opened."""
    older = tmp_path / "older.db"
    older.write_bytes(samples.read_bytes())
    with closing(sqlite3.connect(older)) as connection:
        connection.executescript(changes)
    for command in ("leaks", "stats"):
        options = "--json", "--player", "Alice"
        new, old = (run(command, "--db", path, *options) for path in (samples, older))
        assert old.out == new.out, command
    matches = ask("library_matches")
    mistakes = ask("library_mistakes", {"player": "Alice"})
    table = rows(samples)["mistakes"]
    assert len({mistake["theme"] for mistake in mistakes}) > 5
    for data in (older.read_bytes(), samples.read_bytes()):
        ask("library_open", data=data)
        assert ask("library_mistakes", {"player": "Alice"}) == mistakes
        assert ask("library_matches") == matches
        assert rows(samples)["mistakes"] == table


@pytest.mark.parametrize("text", ["start", "31P", "43Z-", "4HPwATDgc/ABMA"])
def test_the_explorer_is_that_of_the_command_line(text: str, samples: Path) -> None:
    printed = run("explore", "--db", samples, "--json", text)
    nodes = [json.loads(line) for line in printed.out.splitlines()]
    assert (printed.status == 0) == bool(nodes)
    assert ask("library_explore", text, {}) == nodes


def test_a_roll_that_never_came_leaves_the_others(samples: Path) -> None:
    assert samples.exists()
    rolls = ask("library_explore", "31P", {})
    assert ask("library_explore", "31P-11", {}) == rolls
    assert "11" not in {row["roll"] for row in rolls[0]["rolls"]}


@pytest.mark.parametrize("text", ["31P", "*-63R-31P", "42P-51S", "31P after 54S"])
def test_finds_are_those_of_the_command_line(text: str, samples: Path) -> None:
    printed = run("find", "--db", samples, "--json", text)
    found = [json.loads(line) for line in printed.out.splitlines()]
    assert ask("library_find", text, {}) == {"found": found, "more": False}


def test_the_list_has_what_a_player_asks_first(samples: Path) -> None:
    library = ask("library_matches")
    assert library["players"][:2] == ["Alice", "Bob"]
    listed = {match["file"]: match for match in library["matches"]}
    analysed = listed["match-3pt-analysed.sgf"]
    stats = json.loads(
        run("stats", "--db", samples, "--json", "--player", "Bob", "--length", "3").out
    )
    assert analysed["rating"][1] == stats["rating"]  # its other match to 3 has no analysis
    assert analysed["players"] == ["Alice", "Bob"]
    assert analysed["copies"] == ["match-3pt.xg"]  # the same match, stored by another program
    assert ask("library_copies", "match-3pt.xg") == ["match-3pt-analysed.sgf"]
    assert listed["match-11pt.mat"]["score"] == [11, 8]  # a gammon to 12 wins 11
    (summary,) = ask("match", data=FILES["match-11pt.mat"])["summaries"]
    assert summary["score"] == [11, 8]


def test_your_names_replace_the_earlier_ones(samples: Path) -> None:
    assert "whose leaks?" in error_of("library_leaks", {})
    ask("library_you", ["Bob"])
    ask("library_you", ["Alice", "Alice"])
    assert ask("library_matches")["you"] == ["Alice"]
    own = ask("library_leaks", {})
    assert own == ask("library_leaks", {"player": "Alice"})
    assert samples.exists()


def test_answers_follow_each_change_of_the_library(samples: Path) -> None:
    """They are kept, but only until then."""
    whole = samples.read_bytes()
    ask("library_you", ["Alice"])

    def check() -> Any:
        for name in ("leaks", "stats"):
            printed = json.loads(run(name, "--db", samples, "--json").out)
            assert ask(f"library_{name}", {}) == ask(f"library_{name}", {}) == printed
        return ask("library_stats", {})

    name = "match-3pt-analysed.sgf"
    states = [check()]
    ask("library_forget", [name, "match-3pt.xg"])
    states.append(check())
    ask("library_merge", data=whole)
    assert check() == states[0]
    ask("library_forget", [name, "match-3pt.xg"])
    assert check() == states[1] != states[0]
    ask("library_add", name, data=FILES[name])
    assert check() != states[1]
    ask("library_you", ["Bob"])
    states.append(check())
    ask("library_open", data=whole)
    assert "whose leaks?" in error_of("library_leaks", {})
    ask("library_you", ["Bob"])
    assert check() == states[-1]


def test_mistakes_are_those_of_the_leaks(samples: Path) -> None:
    costliest = ask("library_leaks", {"player": "Bob", "top": 5})["costliest"]
    mistakes = ask("library_mistakes", {"player": "Bob"})
    keys = costliest[0].keys()
    first = [{key: mistake[key] for key in keys} for mistake in mistakes[:5]]
    for mistake in first:
        assert mistake["best_play"] is None  # until it is asked for
        if mistake["roll"]:
            best = [mistake[key] for key in ("xgid", "roll", "best")]
            mistake["best_play"] = ask("play_named", *best)
    assert first == costliest
    assert {mistake["theme"] for mistake in mistakes} > {"missed double"}
    assert ask("library_mistakes", {"player": "Bob"}, 3) == mistakes[:3]
    large = [each for each in mistakes if round(each["lost"], 3) >= 0.05]
    assert 0 < len(large) < len(mistakes)
    assert ask("library_mistake_count", {"player": "Bob"}, 1000, 0.05) == len(large)
    assert ask("library_mistake_count", {"player": "Bob"}, 3, 0) == 3
    least = round(mistakes[4]["lost"], 3)
    alike = [mistake for mistake in mistakes if mistake["theme"] == mistakes[4]["theme"]]
    costly = [mistake for mistake in mistakes if round(mistake["lost"], 3) >= least]
    for theme, loss, expected in (
        (mistakes[4]["theme"], 0, alike),
        (mistakes[4]["theme"], least, [mistake for mistake in alike if mistake in costly]),
        ("", least, costly),
        ("missed hat", 0, []),
    ):
        assert ask("library_mistakes", {"player": "Bob"}, 1000, theme, loss) == expected
    assert samples.exists()


def test_a_wrong_text_is_answered_without_reading_the_whole_library(
    samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking for damage would take the page many seconds."""
    monkeypatch.setattr(damage, "find_damage", None)
    assert "found 'blot'" in error_of("library_find", "blot hit", {})
    assert "not a position" in error_of("library_explore", "blot hit", {})
    for name in ("library_leaks", "library_mistakes", "library_stats"):
        assert "whose" in error_of(name, {})
        assert "'May' is not a date" in error_of(name, {"since": "May"})
    assert samples.exists()


def test_a_removed_match_is_counted_in_its_copy(samples: Path) -> None:
    before = {match["file"] for match in ask("library_matches")["matches"]}
    assert "match-3pt-analysed.sgf" in before
    again = ask("library_forget", ["match-3pt-analysed.sgf"])["again"]
    assert again == ["match-3pt.xg"]
    for name in again:
        ask("library_add", name, data=FILES[name])
    after = {match["file"] for match in ask("library_matches")["matches"]}
    assert after == before - {"match-3pt-analysed.sgf"} | {"match-3pt.xg"}
    assert samples.exists()


def test_a_file_that_cannot_be_read_is_listed_with_its_reason(library: Path) -> None:
    answer = ask("library_add", "notes.txt", data=b"buy milk")
    assert "expected" in answer["problem"]
    opened = ask("library_open", data=library.read_bytes())
    assert opened["problems"] == {"notes.txt": answer["problem"]}
    assert opened["files"] == ["notes.txt"]


def test_files_that_an_older_version_has_read_are_named(samples: Path, tmp_path: Path) -> None:
    path = tmp_path / "older.db"
    path.write_bytes(samples.read_bytes())
    first, second, third, *_ = sorted(FILES)
    with closing(sqlite3.connect(path)) as connection:
        (now,) = connection.execute("SELECT made FROM files LIMIT 1").fetchone()
        made = [(f"{int(now) - 1}", first), (f"{now} GNU 0-ply, 6 turns", second), ("1 X", third)]
        connection.executemany("UPDATE files SET made = ? WHERE path = ?", made)
        connection.commit()
    assert ask("library_open", data=samples.read_bytes())["older"] == []
    assert ask("library_open", data=path.read_bytes())["older"] == [first, third]
    ask("library_add", first, data=FILES[first])
    again = samples.read_bytes()  # the page's database
    assert ask("library_open", data=again)["older"] == [third]


def test_a_database_comes_back_as_it_was(samples: Path) -> None:
    data = samples.read_bytes()
    before = ask("library_matches")
    ask("library_open")
    assert ask("library_matches")["matches"] == []
    opened = ask("library_open", data=data)
    assert opened["problem"] == ""
    assert opened["files"] == sorted(FILES)
    assert ask("library_matches") == before


def test_a_merged_database_adds_what_is_missing(library: Path, tmp_path: Path) -> None:
    """Files in both count once, whichever has the analysed copy of a match."""
    names = [*FILES]
    indexed = tmp_path / "indexed.db"
    for name in names[::2]:
        ask("library_add", name, data=FILES[name])
    other = tmp_path / "other"
    other.mkdir()
    for name in names[1:] + names[:1]:
        (other / name).write_bytes(FILES[name])
    assert run("index", "--db", indexed, "--me", "Bob", other).status == 0
    with closing(sqlite3.connect(indexed)) as connection:
        connection.execute("UPDATE files SET path = replace(path, ?, '')", (f"{other}/",))
        connection.commit()
    assert ask("library_merge", data=indexed.read_bytes()) == MERGED
    merged = ask("library_matches")
    ask("library_merge", data=indexed.read_bytes())
    assert ask("library_matches") == merged
    ask("library_open")
    for name in names:
        ask("library_add", name, data=FILES[name])
    ask("library_you", ["Bob"])
    whole = ask("library_matches")
    assert merged["you"] == ["Bob"]
    for mine, theirs in zip(merged["matches"], whole["matches"], strict=True):
        assert mine == theirs
    assert library.exists()


def test_another_file_of_the_same_name_gets_another_name(library: Path) -> None:
    """The page is told it each time, as notes name their file."""
    first, second = list(FILES.values())[:2]
    ask("library_add", "pasted.txt", data=first)
    data = library.read_bytes()
    ask("library_open")
    ask("library_add", "pasted.txt", data=second)
    for _ in range(2):
        names = {"pasted.txt": "pasted (2).txt"}
        assert ask("library_merge", data=data) == MERGED | {"names": names}
    assert ask("library_has", "pasted.txt", data=second)
    assert ask("library_has", "pasted (2).txt", data=first)
    assert not ask("library_has", "pasted.txt", data=first)
    assert not ask("library_has", "other.txt", data=first)


def test_removed_matches_come_back_without_their_files(samples: Path) -> None:
    """Only these, and not the names that you had."""
    ask("library_you", ["Alice"])
    whole, before = samples.read_bytes(), content_of(samples)
    names = [name for name in FILES if name.startswith("match-3pt")]
    for name in [*names, "money.mat"]:
        ask("library_forget", [name])
    ask("library_you", ["Bob"])
    assert ask("library_merge", names, data=whole) == MERGED
    assert ask("library_matches")["you"] == ["Bob"]
    ask("library_you", ["Alice"])
    ask("library_add", "money.mat", data=FILES["money.mat"])
    assert content_of(samples) == before


def test_a_wrong_database_leaves_the_library_as_it_was(samples: Path) -> None:
    before = ask("library_matches")
    assert "neither" in ask("library_merge", data=b"SQLite format 3\0" + b"\0" * 4080)["problem"]
    assert ask("library_matches") == before
    assert samples.exists()


def test_damage_that_a_merge_meets_leaves_the_library_as_it_was(
    samples: Path, tmp_path: Path
) -> None:
    """Until then some files are added; none of them stays."""
    whole = samples.read_bytes()
    other = tmp_path / "spoilt.db"
    other.write_bytes(whole)
    with closing(sqlite3.connect(other)) as connection, connection:
        last = "(SELECT max(game) FROM turns WHERE theme IS NOT NULL)"
        wrong = "UPDATE turns SET theme = CAST(X'6DFF' AS TEXT) WHERE theme IS NOT NULL"
        connection.execute(f"{wrong} AND game = {last}")
    ask("library_open")
    ask("library_add", "notes.txt", data=b"buy milk")
    before = content_of(samples)
    problem = "The database is damaged. Open another copy of it."
    assert ask("library_merge", data=other.read_bytes()) == MERGED | {"problem": problem}
    assert content_of(samples) == before


def test_a_merge_that_fails_leaves_the_library_as_it_was(
    samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where memory ends in the middle of it."""
    whole = samples.read_bytes()
    ask("library_open")
    before = content_of(samples)
    real = indexing.add_file
    added: list[str] = []

    def add_file(connection: Any, file: FileRow, *more: Any, **options: Any) -> None:
        if added:
            raise MemoryError
        real(connection, file, *more, **options)
        added.append(file.path)

    monkeypatch.setattr(merging, "add_file", add_file)
    assert "more memory" in error_of("library_merge", data=whole)
    assert added
    assert content_of(samples) == before
    assert {path.name for path in samples.parent.iterdir()} == {samples.name}


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda data: data[:5000] + b"\xff" * 20000 + data[25000:], "damaged"),
        (lambda data: data[:4096] + b"\xff" * 4096 + data[8192:], "damaged"),  # the table `files`
        (lambda data: data[: len(data) // 2], "damaged"),
        (lambda _: b"SQLite format 3\0" + b"\0" * 4080, "neither"),
    ],
)
def test_a_damaged_database_says_so(spoil: Any, says: str, samples: Path) -> None:
    data = spoil(samples.read_bytes())
    assert says in ask("library_merge", data=data)["problem"]
    answer = ask("library_open", data=data)
    if answer["problem"]:
        assert says in answer["problem"]
        assert ask("library_matches")["matches"] == []
        assert ask("library_check") == ""
    else:
        assert says in ask("library_check")


def test_damage_is_found_that_opening_does_not_see(samples: Path) -> None:
    """A page at the end, which holds rows, is overwritten."""
    data = samples.read_bytes()
    assert ask("library_check") == ""
    assert ask("library_open", data=data[:-4096] + b"\xff" * 4096)["problem"] == ""
    assert "damaged" in ask("library_check")


def newer(data: bytes) -> bytes:
    """The database as a later version might write it."""
    return data[:60] + (VERSION + 1).to_bytes(4, "big") + data[64:]


def test_a_newer_database_is_read_and_not_changed(samples: Path) -> None:
    """All questions are answered as before; nothing writes, and a copy is the same bytes."""
    ask("library_you", ["Bob"])
    questions: list[list[Any]] = [["library_matches"], ["library_leaks", {}]]
    questions.append(["library_explore", "31P", {}])
    before = [ask(*question) for question in questions]
    data = newer(samples.read_bytes())
    opened = ask("library_open", data=data)
    assert opened["is_newer"]
    assert "newer version" in opened["problem"]
    assert opened["files"] == sorted(FILES)
    assert [ask(*question) for question in questions] == before
    name, match = next(iter(FILES.items()))
    assert "not changed" in error_of("library_add", name, data=match)
    assert "not changed" in error_of("library_forget", [name])
    assert "not changed" in error_of("library_you", ["Alice"])
    assert Path(ask("library_file")["file"]).read_bytes() == data


def test_a_newer_copy_is_not_merged(samples: Path) -> None:
    before = ask("library_matches")
    assert "newer version" in ask("library_merge", data=newer(samples.read_bytes()))["problem"]
    assert ask("library_matches") == before


def test_notes_travel_in_a_copy(samples: Path, tmp_path: Path) -> None:
    """The command line reads and completes the copy; the page finds the notes in it again."""
    study = json.dumps({"notes": {"a.mat#1.2b": {"text": "caf\u00e9"}}})
    copy = tmp_path / "copy.db"
    copy.write_bytes(Path(ask("library_file", study)["file"]).read_bytes())
    assert rows(copy) == rows(samples)
    assert run("index", "--db", copy, SAMPLES).status == 0
    assert run("leaks", "--db", copy, "--player", "Bob").status == 0
    ask("library_open")
    assert ask("library_merge", data=copy.read_bytes()) == MERGED | {"study": study}
    assert ask("library_matches")["matches"]


def test_cards_of_decisions_are_those_of_the_cards_command(samples: Path) -> None:
    """The command asks about the same decisions: question, answer, board."""
    mistakes = ask("library_mistakes", {"player": "Bob"})
    text = "I looked at the wrong side"
    note = {"text": text, "tags": ["my blots", "=1"]}
    cards = ask("library_cards", [mistake | {"note": note} for mistake in mistakes])
    made = list(csv.reader(cards["rows"].splitlines()))
    printed = run("cards", "errors", "--db", samples, "--player", "Bob", "--errors", "0")
    lines = [line for line in printed.out.splitlines() if not line.startswith("#")]
    mine = {guid.removesuffix("-basic"): (front, back) for guid, front, back, *_ in made}
    assert len(mine) == len(mistakes)
    theirs = {guid: cells for guid, *cells in csv.reader(lines)}
    assert theirs.keys() <= mine.keys()
    assert len(theirs) > 5
    for guid, (question, board, answer, *_) in theirs.items():
        assert mine[guid][0] == f"{board}<p>{question}</p>"
        assert mine[guid][1].startswith(f"<p><b>{answer}</b></p>")
        assert text in mine[guid][1]
    theme = mistakes[0]["theme"].replace(" ", "_")
    assert made[0][3].split() == ["errors", theme, "my_blots", "=1"]
    assert made[0][4].startswith("Nactation::Errors::")


def test_a_right_decision_makes_a_card_with_one_choice(library: Path) -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    right: dict[str, Any] = {"place": "a.mat#1.1a", "xgid": xgid}
    right |= {"roll": "31", "made": "P", "best": "P", "lost": 0, "theme": ""}
    illegal = right | {"made": "Q"}
    cube = right | {"roll": None, "made": "no double", "best": "no double"}
    (play, action) = csv.reader(ask("library_cards", [right, illegal, cube])["rows"].splitlines())
    assert play[2].count("8/5 6/5") == 1
    assert "No double" in action[2] or "no double" in action[2]
    assert library.exists()


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    yield
    answers._annotated.cache_clear()
    answers._states.cache_clear()
