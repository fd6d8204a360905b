"""`nactate cards`: decks of flashcards (`nactate card` draws pictures)."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.cli.streams import Status
from gnubg_nactation.sequences.openings import openings
from tests.archive.by_hand import Played, Record, fill
from tests.cli.running import SAMPLES, error_of, output_of, run
from tests.exports.anki_text import rows_of

ANALYSED = SAMPLES / "match-3pt-analysed.sgf"


def cards(*arguments: object) -> list[dict[str, str]]:
    """The rows of a deck as CSV."""
    output = output_of("cards", *arguments, "--form", "csv", "-o", "-")
    return rows_of(output)


def test_errors_of_files_become_cards_once(tmp_path: Path) -> None:
    rows = cards("errors", ANALYSED)
    assert len(rows) > 5
    assert len(cards("errors", ANALYSED, "--errors", "0.2")) < len(rows)
    entry = next(row for row in rows if row["Source"].endswith("#1.1b"))
    assert entry["Sequence"] == "-52"
    copy = tmp_path / "copy.sgf"
    copy.write_bytes(ANALYSED.read_bytes())
    assert len(cards("errors", ANALYSED, copy)) == len(rows)  # each question once


def test_an_unknown_player_may_be_the_reason_for_no_cards() -> None:
    error = error_of("cards", "errors", ANALYSED, "--player", "Zed", "-o", "-")
    assert error.endswith("; Zed may have another name\n")
    assert "another name" not in error_of("cards", "errors", ANALYSED, "--errors", "9", "-o", "-")


def test_a_file_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    bad = tmp_path / "bad.sgf"
    bad.write_bytes(b"(;GM[6]")
    target = tmp_path / "deck.csv"
    ran = run("cards", "errors", bad, SAMPLES / "match-1pt.mat", ANALYSED, "-o", target)
    error, count = ran.err, target.read_text().count("match-3pt-analysed.sgf#")
    assert ran.status == Status.FAILED
    assert re.fullmatch(rf"{re.escape(str(target))}: \d+ cards\n", ran.out)
    assert [line.split(": ")[1] for line in error.splitlines()] == [
        str(bad),
        str(SAMPLES / "match-1pt.mat"),
    ]
    assert "the file has no analysis" in error
    assert count > 5


def test_an_input_is_not_overwritten(tmp_path: Path) -> None:
    copy = tmp_path / "copy.sgf"
    copy.write_bytes(ANALYSED.read_bytes())
    assert "would overwrite" in error_of("cards", "errors", copy, "-o", copy, status=Status.USAGE)
    assert copy.read_bytes() == ANALYSED.read_bytes()


def test_replies_of_a_book_become_cards(tmp_path: Path) -> None:
    book = tmp_path / "theory.txt"
    book.write_text("31P-42 [P Z20]\n43Z-31 [P N10]\n")
    assert [row["Sequence"] for row in cards("replies", "--from", book)] == ["31P-42", "43Z-31"]
    rows = cards("replies", "--from", book, "--opening", "43Z")
    assert [row["Sequence"] for row in rows] == ["43Z-31"]


def test_openings_come_from_the_book_of_the_program() -> None:
    rows = rows_of(output_of("cards", "openings"))
    assert len(rows) == 15  # rolls that begin a game
    by_roll = {row["Question"][:2]: row for row in rows}
    # The three rolls whose play nobody doubts make a point.
    assert [by_roll[roll]["Answer"].split(",")[0] for roll in ("31", "42", "61")] == [
        "31P 8/5 6/5",
        "42P 8/4 6/4",
        "61P 13/7 8/7",
    ]
    assert all("At double match point: [" in row["Explanation"] for row in rows)
    sources = {row["Question"][:2]: row["Source"] for row in rows}
    assert sources["31"] == "book: gnubg 2-ply"
    assert sources["43"].startswith("book: gnubg 0-ply rollout 1296 trials ")  # it is close


def test_errors_of_an_archive_become_cards(tmp_path: Path) -> None:
    path = str(tmp_path / "games.db")
    after = openings(("31P",))[0].play.after
    turns = (
        Played(STANDARD, 0, 31, "P", "8/5 6/5", error=0),
        Played(after, 1, 42, "Z", "24/22 13/9", error=12000, best="P"),
    )
    with closing(fill([Record(turns, players=("Ann", "Ben"))], path)) as connection:
        connection.commit()
    (row,) = cards("errors", "--db", path, "--player", "ben")
    assert row["Answer"].splitlines() == ["42P 8/4 6/4", "42Z 24/22 13/9 (-.120), as played"]
    error = error_of("cards", "errors", "--db", path, "--player", "Ann", "-o", "-")
    assert "no analysed error" in error


def test_all_errors_of_an_archive_meet_the_filters_and_the_costliest_come_first(
    tmp_path: Path,
) -> None:
    """Five missed doubles at one score, one made twice, and a wrong play of 2022."""
    path = str(tmp_path / "games.db")
    boards = [opening.play.after for opening in openings(("31P", "43Z", "43D", "65R", "21S"))]
    records = [
        Record((Played(board, 0, 31, "P", "8/5 6/5", missed=6000 + 1000 * at),), date="2024-05-01")
        for at, board in enumerate([*boards, boards[0]])
    ]
    wrong = Played(boards[0], 0, 42, "Z", "24/22 13/9", error=20000, best="P")
    records.append(Record((wrong,), date="2022-05-01"))
    with closing(fill(records, path)) as connection:
        connection.commit()

    def losses(*arguments: object) -> list[str]:
        rows = cards("errors", "--db", path, *arguments)
        return [re.findall(r"-\.\d+", row["Answer"])[0] for row in rows]

    # .060 is the first missed double, made again for .110.
    assert losses() == ["-.200", "-.110", "-.100", "-.090", "-.080", "-.070"]
    assert losses("--since", "2024") == losses()[1:]
    assert losses("--most", "3") == losses()[:3]
    assert losses("--errors", "0.09") == losses()[:4]
    assert losses("--min", "2") == ["-.110"]


def test_a_deck_for_anki_is_reproducible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("genanki", reason="the extra cards is not installed")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    decks = []
    for name in ("one.apkg", "two.apkg"):
        ran = run("cards", "alphabet", "-o", tmp_path / name)
        assert re.fullmatch(rf"{re.escape(str(tmp_path / name))}: \d+ cards\n", ran.out)
        assert (ran.status, ran.err) == (0, "")
        decks.append((tmp_path / name).read_bytes())
    assert decks[0] == decks[1]
    assert decks[0].startswith(b"PK")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("alphabet", "file.sgf", "-o", "-"), "files do nothing for alphabet"),
        (("errors", "file.sgf", "--me", "-o", "-"), "--me goes with the database"),
        (("errors", "file.sgf", "--most", "2", "-o", "-"), "--most goes with the database"),
        (("letters", "-o", "-"), "unknown value"),
    ],
)
def test_wrong_options_are_errors(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in error_of("cards", *arguments, status=Status.USAGE) + capsys.readouterr().err
