"""`nactate index`: files stored in a database, and their changes since the last run."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from gnubg_nactation.archive import database
from gnubg_nactation.archive import indexing as stored
from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.archive.indexing import CONTENT
from gnubg_nactation.backgammon.analysis import Candidate, MoveAnalysis, PlayAnalysis
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.plays import legal_plays
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import GNUBG, Depth
from gnubg_nactation.tasks import library
from gnubg_nactation.tasks.sources import MatchFile
from tests.archive.contents import content_of
from tests.cli.archives import DAMAGED, small_matches
from tests.cli.running import MATCH, SAMPLES, error_of, run, start

MISSING = (
    "{} missing, and the folder has no match files, so the games are kept (--forget removes them)\n"
)
WON = MATCH + b"      Wins 1 point\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a folder of three files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NACTATION_DB", raising=False)
    Path("in/old").mkdir(parents=True)
    for name, data in zip(("a.mat", "b.txt", "old/c.mat"), small_matches(), strict=False):
        Path("in", name).write_bytes(data)
    return tmp_path


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files in the order in which they are read."""
    names: list[str] = []
    original = library._read_source

    def read_source(source: library.Source, *arguments: object) -> object:
        names.append(os.path.basename(source.name))
        return original(source, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(library, "_read_source", read_source)
    return names


def fresh(*arguments: object) -> object:
    """The content of a new database."""
    assert run("index", "--db", "fresh.db", *arguments).status in {0, 1}
    result = content_of("fresh.db")
    os.remove("fresh.db")
    return result


def test_index_stores_files_and_counts_turns() -> None:
    ran = run("index", "in")
    turns = sum(len(re.findall(rb"\d\d: ", file.read_bytes())) for file in Path("in").rglob("*.*"))
    assert ran == (0, f"games.db: 3 files, 3 matches, 3 games, {turns} turns\n", "")
    with archive_at("games.db") as archive:
        paths = [path for (path,) in archive.execute("SELECT path FROM files ORDER BY path")]
    assert paths == [str(Path("in", name).absolute()) for name in ("a.mat", "b.txt", "old/c.mat")]


def test_the_database_is_an_option_or_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert default_path() == "games.db"
    monkeypatch.setenv("NACTATION_DB", "mine.db")
    assert run("index", "in").out.startswith("mine.db: ")
    assert run("index", "--db", "other.db", "in").out.startswith("other.db: ")
    assert sorted(path.name for path in Path().glob("*.db")) == ["mine.db", "other.db"]


def test_only_new_and_changed_files_are_read(read: list[str]) -> None:
    assert run("index", "in").status == 0
    read.clear()
    assert run("index", "in").status == 0
    assert read == []
    Path("in/new.mat").write_bytes(MATCH)
    Path("in/b.txt").write_bytes(MATCH)
    os.utime("in/a.mat", ns=(0, 0))  # its bytes are the same
    assert run("index", "in").status == 0
    assert read == ["b.txt", "new.mat"]
    assert content_of("games.db") == fresh("in")
    read.clear()
    assert run("index", "in").status == 0
    assert read == []
    assert run("index", "--force", "in").status == 0
    assert sorted(read) == ["a.mat", "b.txt", "c.mat", "new.mat"]
    assert content_of("games.db") == fresh("in")


def test_files_stored_by_other_rules_are_read_again(read: list[str]) -> None:
    """A new version of the program does not read all files again, only those."""
    assert run("index", "in").status == 0
    undisturbed = content_of("games.db")
    read.clear()
    with archive_at("games.db") as archive:
        noted = archive.execute("SELECT DISTINCT made FROM files").fetchall()
        assert noted == [(str(CONTENT),)]
        archive.execute("UPDATE files SET made = '0' WHERE path NOT LIKE '%b.txt'")
        archive.execute("UPDATE turns SET nactation = 'old ' || nactation")
    assert run("index", "in").status == 0
    assert sorted(read) == ["a.mat", "c.mat"]
    assert run("index", "--force", "in/b.txt").status == 0
    assert content_of("games.db") == undisturbed


def test_missing_files_of_the_searched_folders_are_forgotten(folder: Path) -> None:
    shutil.copytree("in", "other")
    assert run("index", "in", "other").out.endswith("; 3 duplicate matches skipped\n")
    shutil.rmtree("in/old")
    os.remove("other/a.mat")
    assert run("index", "in/old/*.mat", "in/b.txt").status == 1  # nothing fits the pattern
    assert "old/c.mat" in str(content_of("games.db"))
    assert run("index", "in").out.startswith("games.db: 5 files, 3 matches")
    assert "in/old/c.mat" not in str(content_of("games.db"))
    assert run("index", f"{folder}/o*/*").out.startswith("games.db: 4 files, 3 matches")
    assert content_of("games.db") == fresh("in", "other")


def test_a_copy_replaces_a_missing_file(read: list[str]) -> None:
    for name in ("match-5pt.mat", "match-5pt.sgf"):
        shutil.copy(SAMPLES / name, "in")
    shutil.copy(SAMPLES / "match-5pt.mat", "in/a-copy.mat")
    assert run("index", "in").out.endswith("; 2 duplicate matches skipped\n")
    os.remove("in/a-copy.mat")
    read.clear()
    assert run("index", "in").status == 0
    assert read == ["match-5pt.mat"]
    assert content_of("games.db") == fresh("in")
    Path("in/match-5pt.mat").write_bytes(MATCH)
    assert run("index", "in").status == 0
    assert content_of("games.db") == fresh("in")


def test_an_unreadable_file_is_reported_each_time_and_the_others_are_stored() -> None:
    Path("in/b.txt").write_bytes(DAMAGED)
    for _ in range(2):
        ran = run("index", "in", "gone.mat")
        assert ran.status == 1
        first, second = ran.err.splitlines()
        assert first.startswith("nactate: in/b.txt: line 3: ")
        assert second == "nactate: gone.mat: No such file or directory"
        assert ran.out.startswith("games.db: 3 files, 2 matches, 2 games, ")
    with archive_at("games.db") as archive:
        rows = archive.execute("SELECT path, problem FROM files WHERE problem <> ''").fetchall()
    [(path, problem)] = rows
    assert (os.path.basename(path), problem) == ("b.txt", first.partition("b.txt: ")[2])
    Path("in/b.txt").write_bytes(MATCH)
    assert run("index", "in").status == 0


@pytest.mark.parametrize("damage", [b"", DAMAGED])
def test_games_of_a_file_that_becomes_unreadable_are_kept(damage: bytes) -> None:
    """It is reported on each run until it can be read again or is removed."""
    path = Path("in/b.txt")
    data = path.read_bytes()
    assert run("index", "in").status == 0
    content, out = content_of("games.db"), run("index", "in").out
    path.write_bytes(damage)
    for _ in range(2):
        ran = run("index", "in")
        assert (ran.status, ran.out) == (1, out)
        assert ran.err.startswith("nactate: in/b.txt: ")
    assert content_of("games.db")[1:] == content[1:]  # all but the table of files
    path.write_bytes(data)
    assert run("index", "in") == (0, out, "")
    assert content_of("games.db") == content
    path.write_bytes(damage)
    assert run("index", "in").status == 1
    path.unlink()
    assert run("index", "in").err == ""
    assert content_of("games.db") == fresh("in")


def test_games_of_a_missing_folder_are_kept() -> None:
    assert run("index", "in").status == 0
    content = content_of("games.db")
    os.rename("in", "elsewhere")
    ran = run("index", "in")
    assert ran == (
        1,
        ran.out,
        f"nactate: in: No such file or directory; {MISSING.format('3 indexed files')}",
    )
    assert content_of("games.db") == content
    assert run("index", "--forget", "in", "elsewhere").status == 0
    assert content_of("games.db") == fresh("elsewhere")


def test_games_of_an_empty_folder_are_kept_without_forget() -> None:
    assert run("index", "in").status == 0
    content = content_of("games.db")
    for path in Path("in").rglob("*.*"):
        path.unlink()
    ran = run("index", "in")
    assert ran == (0, ran.out, f"nactate: in: {MISSING.format('3 indexed files')}")
    assert content_of("games.db") == content
    Path("in/notes").write_bytes(b"")  # a mount point may have such a file
    assert run("index", "in").err == ran.err
    assert run("index", "--forget", "in").err == ""
    assert content_of("games.db") == fresh("in")


def test_games_of_an_empty_inner_folder_are_kept() -> None:
    assert run("index", "in").status == 0
    content = content_of("games.db")
    os.remove("in/old/c.mat")
    ran = run("index", "in")
    line = MISSING.format("1 indexed file")
    assert ran == (0, ran.out, f"nactate: in/old: {line}")  # the folder `in` has match files
    assert content_of("games.db") == content
    os.rmdir("in/old")  # a drive leaves its folder
    assert run("index", "in").err == ""
    assert content_of("games.db") == fresh("in")


def test_a_moved_file_is_forgotten_in_its_old_folder() -> None:
    assert run("index", "in/a.mat", "in/old").status == 0
    Path("in/new").mkdir()
    os.rename("in/old/c.mat", "in/new/c.mat")
    assert run("index", "in/old", "in/new").err == ""
    assert content_of("games.db") == fresh("in/a.mat", "in/new")


def test_games_of_a_file_that_became_unreadable_are_kept() -> None:
    assert run("index", "in").status == 0
    content = content_of("games.db")
    with open("in/a.mat", "ab") as file:
        file.truncate(65 << 20)
    ran = run("index", "in")
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert "in/a.mat: over 64 MB" in ran.err
    assert content_of("games.db") == content


@pytest.mark.parametrize("readers", [1, 2])
def test_other_processes_see_all_files_during_force(
    readers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree("in", "other")
    assert run("index", "in", "other").status == 0
    content = content_of("games.db")
    original = stored.add_file
    states = []

    def add_file(*arguments: object, **options: object) -> None:
        states.append(content_of("games.db") == content)
        original(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(library, "add_file", add_file)
    assert run("index", "--force", "--jobs", readers, "in", "other").status == 0
    assert states == [True] * 6
    assert content_of("games.db") == content


def test_a_copy_counts_as_soon_as_the_first_file_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shutil.copytree("in", "other")
    assert run("index", "in", "other").status == 0
    shutil.rmtree("in")
    original = stored.forget
    states = []

    def forget(archive: sqlite3.Connection, paths: Sequence[str]) -> None:
        original(archive, paths)
        states.append(archive.execute("SELECT count(*) FROM matches WHERE counted").fetchone())

    monkeypatch.setattr(library, "forget", forget)
    assert run("index", "in", "other").status == 1
    assert states == [(3,)]
    assert content_of("games.db") == fresh("other")


def test_a_pipe_in_place_of_a_copy_is_an_error() -> None:
    shutil.copytree("in", "other")
    assert run("index", "in", "other").status == 0
    os.remove("other/a.mat")
    os.mkfifo("other/a.mat")
    os.remove("in/a.mat")
    ran = run("index", "in")
    assert (ran.status, ran.err) == (1, "nactate: other/a.mat: not a file but a pipe or a device\n")


def test_a_folder_may_change_during_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    original = MatchFile.read

    def read(file: MatchFile) -> bytes:
        data = original(file)
        if file.name.endswith("a.mat"):
            os.remove("in/b.txt")
            Path("in/a.mat").write_bytes(MATCH + b"\n")
            Path("in/later.mat").write_bytes(MATCH)
        return data

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(MatchFile, "read", read)
        ran = run("index", "in")
    assert (ran.status, ran.err) == (1, "nactate: in/b.txt: No such file or directory\n")
    assert run("index", "in").status == 0
    assert content_of("games.db") == fresh("in")


def test_impossible_results_are_counted_and_reported() -> None:
    Path("in/odd.mat").write_bytes(MATCH + b"      Wins 4016 points\n")
    ran = run("index", "in")
    assert ran.status == 0
    assert ran.err == "nactate: 1 game left out of means: impossible result\n"


def test_me_stores_the_users_names() -> None:
    assert run("index", "--me", "Ann", "--me", "ann77", "in").status == 0
    assert run("index", "--me", "Anna").status == 0
    with archive_at("games.db") as archive:
        names = [name for (name,) in archive.execute("SELECT name FROM handles ORDER BY name")]
    assert names == ["Ann", "Anna", "ann77"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "files or folders are missing"),
        (["--forget", "--me", "Ann"], "--forget needs files or folders"),
        (["--me", "Ann", "--me", " ", "in"], "--me needs a name"),
        (["", "in"], "a file has an empty name"),
        (["-"], "standard input cannot be indexed; name a file or folder"),
        (["--turns", "3", "in"], "--turns goes with --analyse"),
        (["--plies", "0", "in"], "--plies goes with --analyse"),
        (["--order", "position", "in"], "--order goes with --export-parquet"),
        (["--scheduler", "dask://a:1", "in"], "--scheduler goes with --analyse"),
        (["--engine", "sage", "in"], "--engine goes with --analyse"),
    ],
)
def test_wrong_options_are_errors(arguments: Sequence[str], message: str) -> None:
    assert run("index", *arguments) == (2, "", f"nactate: index: {message}\n")
    assert not Path("games.db").exists()


def test_a_name_in_another_encoding_is_one_line() -> None:
    run("index", "in")
    name = "M\udcfcller"  # as a terminal in Latin-1 sends it
    message = "nactate: 'M\\udcfcller' is not UTF-8, as all names in a database are\n"
    commands = ("stats --player", "leaks --me", "find 31P --event", "explore --opponent")
    for command in (*commands, "index --me"):
        assert error_of(*command.split(), name) == message


def test_the_folder_of_a_database_must_exist() -> None:
    error = error_of("index", "--db", "none/games.db", "in")
    assert error == "nactate: none/games.db: there is no folder none\n"
    assert not Path("none").exists()


def test_a_folder_is_no_database() -> None:
    advice = "`nactate index in` stores its matches in one"
    assert error_of("stats", "--db", "in") == f"nactate: in: a folder, not a database; {advice}\n"


def test_two_processes_store_the_same(read: list[str]) -> None:
    Path("in/bad.mat").write_bytes(DAMAGED)
    ran = run("index", "--jobs", "2", "in")
    assert ran.status == 1
    assert ran.err.startswith("nactate: in/bad.mat: line 3: ")
    assert read == []  # here
    assert content_of("games.db") == fresh("in")


def test_ctrl_c_keeps_the_stored_files(monkeypatch: pytest.MonkeyPatch) -> None:
    original = MatchFile.read

    def read(file: MatchFile) -> bytes:
        if file.name.endswith("b.txt"):
            raise KeyboardInterrupt
        return original(file)

    monkeypatch.setattr(MatchFile, "read", read)
    assert run("index", "in").status == 130
    monkeypatch.setattr(MatchFile, "read", original)
    assert "a.mat" in str(content_of("games.db"))
    assert run("index", "in").status == 0
    assert content_of("games.db") == fresh("in")


def test_a_full_disk_is_one_line_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("index", "in").status == 0
    content = content_of("games.db")
    shutil.copy(SAMPLES / "match-11pt.mat", "in")
    pages = os.path.getsize("games.db") // 4096 + 2
    with monkeypatch.context() as full:
        full.setattr(database, "_PRAGMAS", f"{database._PRAGMAS}PRAGMA max_page_count = {pages};")
        ran = run("index", "in")
        assert (ran.status, ran.err) == (1, "nactate: games.db: database or disk is full\n")
    assert content_of("games.db") == content
    assert run("index", "in").status == 0
    assert content_of("games.db") == fresh("in")


def test_a_locked_database_is_an_error_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("index", "in").status == 0
    monkeypatch.setattr(database, "_TIMEOUT", 0.01)
    with archive_at("games.db") as writer:
        writer.execute("BEGIN IMMEDIATE")
        ran = run("index", "in")
        writer.execute("ROLLBACK")
    assert (ran.status, ran.err) == (1, "nactate: games.db: database is locked\n")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
@pytest.mark.parametrize(("how", "message"), [("kills", b"40\n"), ("both", b"")])
def test_killed_and_parallel_runs_store_the_same(
    how: str, message: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "disturbed").mkdir()
    monkeypatch.chdir(tmp_path / "disturbed")
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # where a killed process leaves its folder
    with start(
        how, program=[sys.executable, "-W", "ignore", "-m", "tests.archive.disturbed"]
    ) as process:
        assert process.communicate(timeout=600) == (message, b"")


# --- analysis -------------------------------------------------------------------------------


class Oracle:
    """An engine that rates the first legal play best, by a tenth of a point."""

    bot = GNUBG

    def __init__(self) -> None:
        self.calls = 0

    def analyse(self, states: Sequence[GameState], _: Depth) -> Iterator[tuple[int, MoveAnalysis]]:
        for at, state in enumerate(states):
            self.calls += 1
            assert state.roll
            plays = legal_plays(state.position, state.roll)[:2]
            hops = [tuple(Hop(p.source, p.target, p.hits) for p in row.portions) for row in plays]
            result = tuple(Candidate(row, -n / 10, "2-ply") for n, row in enumerate(hops))
            yield at, MoveAnalysis(PlayAnalysis(result, None), None, 0.25)


@pytest.fixture
def oracle(monkeypatch: pytest.MonkeyPatch) -> Oracle:
    engine = Oracle()
    monkeypatch.setattr("gnubg_nactation.cli.main._open_engine", lambda *_: engine)
    return engine


def analysed_turns() -> list[tuple[int, int]]:
    """The numbers of turns with luck and with a level, for each file."""
    with archive_at("games.db") as archive:
        return archive.execute(
            "SELECT count(luck), count(level) FROM turns JOIN games ON games.id = game"
            " JOIN matches ON matches.id = match JOIN files ON files.id = file"
            " GROUP BY path ORDER BY path"
        ).fetchall()


def test_analyse_rates_the_first_turns_of_unanalysed_games(oracle: Oracle, read: list[str]) -> None:
    Path("in/b.txt").write_bytes(WON)
    shutil.copy(SAMPLES / "match-3pt-analysed.sgf", "in/z.sgf")
    assert run("index", "in").status == 0
    own = analysed_turns()[3]
    assert analysed_turns() == [(0, 0), (0, 0), (0, 0), own]
    assert own[0] > 20
    read.clear()
    assert run("index", "--analyse", "--turns", "4", "in").status == 0
    assert sorted(read) == ["a.mat", "b.txt", "c.mat", "z.sgf"]
    assert analysed_turns() == [(4, 4), (3, 3), (4, 4), own]
    assert oracle.calls == 11
    for arguments in (["in"], ["--analyse", "--turns", "4", "in"]):
        read.clear()
        assert run("index", *arguments).status == 0
        assert (read, oracle.calls) == ([], 11)
    assert run("index", "--analyse", "in").status == 0  # six
    assert analysed_turns() == [(6, 6), (3, 3), (6, 6), own]
    with archive_at("games.db") as archive:
        produced = {produced for (produced,) in archive.execute("SELECT made FROM files")}
        adjusted = "SELECT count(*) FROM turns WHERE level = 1 AND adjusted IS NOT NULL"
        b = "SELECT count(adjusted) FROM turns JOIN games ON games.id = game WHERE kept = 3"
        assert archive.execute(b).fetchone() == (0,)
        assert archive.execute(adjusted).fetchone()[0] > 0
    assert {row.partition(" ")[2] for row in produced} == {"gnubg 2-ply, 6 turns"}


def stored_analysis() -> object:
    with archive_at("games.db") as archive:
        return archive.execute(
            "SELECT position, roll, nactation, luck, error, best, levels.name FROM turns"
            " LEFT JOIN levels ON levels.id = level ORDER BY 1, 2, 3, turn, luck"
        ).fetchall()


def test_an_analysis_is_kept_while_the_plays_are_the_same(oracle: Oracle) -> None:
    assert run("index", "--analyse", "in").status == 0
    questions, paid = oracle.calls, stored_analysis()
    assert run("index", "--force", "--jobs", "2", "in").status == 0
    assert stored_analysis() == paid
    Path("in/a.mat").write_bytes(b'; [Event "Open"]\n\n' + Path("in/a.mat").read_bytes())
    assert run("index", "in").status == 0
    assert stored_analysis() == paid
    os.rename("in/old", "in/new")
    assert run("index", "in").status == 0
    assert stored_analysis() == paid
    data = Path("in/b.txt").read_bytes()
    named = data.replace(b"P0001", b"Cyril")
    assert named != data
    states = ((data[:20], 1), (data, 0), (named, 0))  # damaged, repaired, with another player
    for state, status in states:
        Path("in/b.txt").write_bytes(state)
        assert run("index", "in").status == status
        assert stored_analysis() == paid
    with archive_at("games.db") as archive:
        archive.execute("UPDATE files SET made = '0' || substr(made, instr(made, ' '))")
        archive.execute(
            "UPDATE matches SET content = CAST(path AS BLOB) FROM files WHERE files.id = file"
        )
    assert run("index", "in").status == 0  # like a newer program
    assert stored_analysis() == paid
    assert run("index", "--analyse", "in").status == 0
    assert oracle.calls == questions
    Path("in/a.mat").write_bytes(Path("in/a.mat").read_bytes() + MATCH)
    assert run("index", "--analyse", "in").status == 0  # another match, so both are analysed
    assert oracle.calls > questions
    lines = data.splitlines(keepends=True)
    Path("in/b.txt").write_bytes(b"".join(lines[:-1]))  # other plays
    questions = oracle.calls
    assert run("index", "in").status == 0
    assert analysed_turns()[1] == (0, 0)
    assert run("index", "--analyse", "in").status == 0
    assert oracle.calls > questions


def test_a_match_twice_in_a_file_keeps_its_analysis(oracle: Oracle) -> None:
    Path("in/a.mat").write_bytes(MATCH + MATCH)
    assert run("index", "--analyse", "in/a.mat").status == 0
    paid = stored_analysis()
    assert analysed_turns() == [(3, 3)]
    for _ in range(2):
        assert run("index", "--force", "in/a.mat").status == 0
        assert stored_analysis() == paid
    questions = oracle.calls
    assert run("index", "--analyse", "in/a.mat").status == 0
    assert oracle.calls == questions


def test_a_missing_engine_is_one_line(no_engine: None) -> None:
    del no_engine
    ran = run("index", "--analyse", "in")
    assert ran.status == 1
    assert len(ran.err.splitlines()) == 1
    assert "gnubg" in ran.err


# --- Parquet --------------------------------------------------------------------------------


def test_parquet_goes_to_a_folder_or_a_file() -> None:
    duckdb = pytest.importorskip("duckdb")
    Path("out").mkdir()
    assert run("index", "in", "--export-parquet", "out").status == 0
    assert run("index", "--export-parquet", "new/turns.pq").status == 0
    assert Path("out/turns.parquet").read_bytes() == Path("new/turns.pq").read_bytes()
    with archive_at("games.db") as archive:
        turns = archive.execute("SELECT count(*) FROM turns").fetchall()
    assert duckdb.sql("SELECT count(*) FROM 'out/turns.parquet'").fetchall() == turns
    assert run("index", "--export-parquet", "p.parquet", "--order", "position").status == 0
    sorted_rows = duckdb.sql("FROM 'p.parquet'").fetchall()
    at = duckdb.sql("FROM 'p.parquet'").columns.index("position")
    positions = [row[at] for row in sorted_rows]
    assert positions == sorted(positions)
    assert sorted(map(str, sorted_rows)) == sorted(
        map(str, duckdb.sql("FROM 'out/turns.parquet'").fetchall())
    )


@pytest.mark.parametrize("target", ["games.db", "link.db", "in/a.mat", "in/old/c.mat"])
def test_a_parquet_file_overwrites_no_input(target: str) -> None:
    """Whether it is named now, by any name, or was stored by an earlier run."""
    assert run("index", "in").status == 0
    Path("link.db").symlink_to("games.db")
    Path("turns.parquet").symlink_to(target)  # the name in a folder
    before = Path(target).read_bytes()
    for arguments, place in (([], target), (["in/b.txt"], target), ([], "."), (["in"], target)):
        error = error_of("index", *arguments, "--export-parquet", place, status=2)
        named = "games.db" if target.endswith(".db") else target
        assert error == f"nactate: index: --export-parquet would overwrite {named}\n"
        assert Path(target).read_bytes() == before
    error = error_of("index", "--db", "new.db", "in", "--export-parquet", "in/b.txt", status=2)
    assert "would overwrite in/b.txt" in error
    assert not Path("new.db").exists()


def test_without_duckdb_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    ran = run("index", "in", "--export-parquet", "out/")
    assert ran.status == 1
    assert ran.err == ('nactate: Parquet needs an extra package: pip install -e ".[parquet]"\n')
    assert not Path("out").exists()


def test_parquet_needs_a_database() -> None:
    error = error_of("index", "--export-parquet", "out/")
    assert error == "nactate: games.db: no such database; create it with `nactate index in`\n"
