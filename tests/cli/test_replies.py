"""`nactate replies`: its sources, forms and errors."""

from __future__ import annotations

import io
import json
from contextlib import closing
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.cli.main import main
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.engines.cache import Cached, Store
from gnubg_nactation.sequences.openings import openings
from tests.archive.by_hand import Played, Record, fill
from tests.archive.thumb import Thumb
from tests.cli.running import error_of, output_of

BOOK = "31P-42 [P Z20]\n43Z-31 [P N10]\n"


class Terminal(io.BytesIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def thumb(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Thumb:
    """The engine that the command opens, with the same cache each time."""
    engine = Thumb()

    def opened(*_: object, **__: object) -> Cached:
        return Cached(engine, Store(tmp_path / "answers.sqlite"))

    monkeypatch.setattr("gnubg_nactation.engines.registry.open_engine", opened)
    return engine


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "theory.txt"
    path.write_text(BOOK)
    return path


def replies(*arguments: object) -> str:
    return output_of("replies", *arguments)


def test_the_engine_rates_each_reply_once(thumb: Thumb) -> None:
    first = replies("--opening", "31P", "--plies", "0")
    assert first.startswith("Replies by gnubg 0-ply, money: ")
    assert len(thumb.states) == 21
    assert replies("--opening", "31P", "--plies", "0") == first
    assert len(thumb.states) == 21
    replies("--opening", "31P", "--plies", "0", "--score", "dmp")
    assert len(thumb.states) == 42
    assert {entry.length for entry in thumb.states} == {0, 1}


def test_all_thirty_openings_are_the_default(thumb: Thumb) -> None:
    rows = replies("--to", "json", "--plies", "0").splitlines()
    assert len(rows) == len(thumb.states) == 630
    assert {json.loads(row)["opening"] for row in rows} == {entry.token for entry in openings()}


def test_a_book_is_a_source(book: Path) -> None:
    out = replies("--from", book)
    assert out.startswith(f"Replies by {book}, money: ")
    assert "P Z20" in out
    assert replies("--from", f"{book}@dmp").count("Z20") == 0


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("c.csv", b"opening,"),
        ("c.json", b'{"format": 1, "opening"'),
        ("c.html", b"<!doctype html>"),
        ("c", b"R"),
    ],
)
def test_the_ending_of_the_output_chooses_the_form(book: Path, name: str, start: bytes) -> None:
    target = book.with_name(name)
    assert replies("--from", book, "-o", target) == ""
    assert target.read_bytes().startswith(start)


def test_an_input_is_not_overwritten(book: Path) -> None:
    for questions in (("--from", book), ("--diff", "engine", book)):
        error = error_of("replies", *questions, "-o", book, status=Status.USAGE)
        assert f"-o would overwrite {book}" in error
        assert book.read_text() == BOOK


def test_named_openings_have_plays_below_the_chart(book: Path) -> None:
    chart = replies("--from", book, "31P", "--letters")
    plays = "After 31P\n  42  P 8/4 6/4  Z 24/22 13/9  -.020\n"
    assert replies("--from", book, "31P") == f"{chart}\n{plays}"
    assert "8/4" not in replies("--from", book) + chart


def test_two_sources_are_compared(book: Path, thumb: Thumb) -> None:
    second = book.with_name("other.txt")
    second.write_text("31P-42 [Z P30]\n43Z-31 [P N60]\n")
    out = replies("--diff", book, second)
    assert out.splitlines()[1] == "1 of 2 replies in both charts differ"
    assert "31P-42" in out
    assert replies("--diff", book, second, "--tolerance", "0.04").count("43Z-31") == 1
    assert replies("--diff", book, book).splitlines()[1].startswith("0 of 2 ")
    entry = ("--opening", "31P", "--plies", "0")
    text = replies("--diff", "engine", "engine@dmp", *entry)
    assert text.startswith("gnubg 0-ply, money | gnubg 0-ply, double match point\n")
    assert "0 of 21 " in text  # the rule of thumb ignores the score
    assert len(thumb.states) == 42


def test_an_archive_is_a_source(tmp_path: Path, book: Path) -> None:
    path = str(tmp_path / "games.db")
    after = openings(("31P",))[0].play.after
    turns = (
        Played(STANDARD, 0, 31, "P", "8/5 6/5"),
        Played(after, 1, 42, "Z", "24/22 13/9", error=4000, best="P"),
    )
    with closing(fill([Record(turns, players=("Ann", "Ben"))], path)) as connection:
        connection.commit()
    questions = ("--from", "archive", "--db", path, "--to", "json")
    row = json.loads(replies(*questions))
    assert row["plays"] == [{"nactation": "Z", "play": "24/22 13/9", "loss": 0.04, "count": 1}]
    assert replies(*questions, "--player", "Ann") == ""
    assert replies("--diff", book, "archive", "--db", path).count("31P-42") == 1


def test_a_terminal_shows_progress_and_sets_the_width(
    thumb: Thumb, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("NO_COLOR", "1")
    streams = Streams(io.BytesIO(), Terminal(), Terminal())
    assert main(["replies", "--opening", "31P", "--plies", "0"], streams) == Status.OK
    text = streams.stderr.getvalue().decode()  # type: ignore[attr-defined]
    assert "21 of 21 replies by gnubg 0-ply" in text
    lines = streams.stdout.getvalue().decode().splitlines()  # type: ignore[attr-defined]
    assert max(map(len, lines[1:])) <= 60
    assert len(thumb.states) == 21


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--tolerance", "0.1"), "--tolerance goes with --diff"),
        (("--diff", "a", "b", "--to", "html"), "--diff has no page"),
        (("--opening", "31K"), "not a first move"),
        (("--opening", "66P"), "not a first move"),
        (("--from", "engine@nonsense"), "not a score"),
        (("--from", "book.txt", "--plies", "0"), "--plies goes with an engine"),
        (("--player", "Ann"), "--player goes with an archive"),
        (("--diff", "engine", "book.txt", "--min", "3"), "--min goes with an archive"),
        (("--order", "error"), "--order goes with an archive"),
        (("--from", "a", "--diff", "a", "b"), "not allowed with"),
    ],
)
def test_wrong_options_are_errors(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    error = error_of("replies", *arguments, status=Status.USAGE)
    assert message in error + capsys.readouterr().err


def test_an_unreadable_book_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("31P-42 [P Z20]\n31P-43 [K]\n")
    assert f"{path}, line 2: " in error_of("replies", "--from", path)
    assert "No such file" in error_of("replies", "--from", tmp_path / "none.txt")


@pytest.mark.usefixtures("each_engine")
def test_gnubg_gives_the_usual_best_replies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NACTATION_CACHE", str(tmp_path / "answers.sqlite"))
    rows = map(json.loads, replies("--plies", "0", "--opening", "31P", "--to", "json").splitlines())
    best = {row["roll"]: row["plays"][0]["nactation"] for row in rows}
    assert {roll: best[roll] for roll in ("42", "61", "31", "65")} == {
        "42": "P",
        "61": "P",
        "31": "P",
        "65": "R",
    }
