"""`nactate THING`: the first tries of somebody who has not read any help."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.cli.commands import commands
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.tasks.advice import command_of, further_commands
from gnubg_nactation.tasks.things import identify
from tests.cli.running import MATCH, SAMPLES, SHEET, Ran, error_of, output_of, run

ANALYSED = SAMPLES / "match-3pt-analysed.sgf"
STATE = decode("54S-63R-31").state
POST = b"I like 54S-63R-31P, which makes the 5 point before the opponent anchors there.\n"


@pytest.fixture(autouse=True)
def in_a_folder(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    no_engine: None,  # noqa: ARG001
) -> None:
    """A folder with things of each kind, and no engine but the book."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NACTATION_DB", raising=False)
    Path("matches").mkdir()
    Path("matches/match.mat").write_bytes(MATCH)
    Path("match.mat").write_bytes(MATCH)
    Path("analysed.sgf").write_bytes(ANALYSED.read_bytes())
    Path("sheet.txt").write_text(SHEET)
    Path("post.txt").write_bytes(POST)
    Path("document.pdf").write_bytes(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n")
    Path("stats").mkdir()


# What is typed, the exit status, and the beginning or a line of the answer.
FIRST_TRIES: dict[str, tuple[tuple[str, ...], int, str]] = {
    "a match": (("match.mat",), 0, "   2  31P\n"),
    "an analysed match": (("analysed.sgf",), 0, "Errors, by gnubg 0-ply, in thousandths"),
    "options of its command": (("match.mat", "--layout", "row"), 0, "54S-63R-31P\n"),
    "a folder": (("matches",), 0, "match.mat  Ann - Ben  3 points  0-0  not analysed\n"),
    "several files": (("match.mat", "analysed.sgf"), 0, "2 files, 2 matches, 2 games; 1 analysed"),
    "a score sheet": (("sheet.txt",), 0, "sheet.txt: no faults; Ann - Ben; 1 game\n"),
    "a post": (("post.txt",), 0, "post.txt:1:8: sequence 54S-63R-31P: 24/20 13/8, 24/15, 8/5 6/5"),
    "a document": (("document.pdf",), 1, "nactate: document.pdf: a PDF document; copy its text"),
    "a sequence": (("54S-63R-31P",), 0, "31P is 8/5 6/5: a point made; also A, 5\n"),
    "its words": (("54S", "63R", "31P"), 0, "31P  8/5 6/5     sOfgASHgc/AJIA\n"),
    "a leading hyphen": (("-61P-63R",), 0, "61P  13/7 8/7  4NvgATDgc/ABMA\n"),
    "small letters": (("54s-63r",), 1, "did you mean `nactate 54S-63R`?"),
    "a wrong letter": (("54S-63R-31Q",), 1, "no such play of 31. Legal: @ B E X H d"),
    "a Position ID": (("4HPwATDgc/ABMA",), 0, "X to roll\n"),
    "an XGID with a roll": ((format_xgid(STATE),), 0, "Best plays: [P H76 @79 X85]"),
    "a position and a roll": (("start", "31"), 0, "  31S  24/23 13/10  -.229\n"),
    "a play": (("31: 8/5 6/5",), 0, "31P is 8/5 6/5: a point made; also A, 5\n"),
    "a play without its roll": (("8/5 6/5",), 2, 'type `nactate "31: 8/5 6/5"`'),
    "a play like two rolls": (("24/15",), 2, "a play needs its roll; for"),
    "a play of four portions": (("24/22", "24/22", "6/4", "6/4"), 2, "a play needs its roll"),
    "a letter": (("P",), 0, "P  point (style; tutorial, sections 1, 13)\n"),
    "a decision": (("match.mat#1.2a",), 0, "Preferred  P (a point made)\n"),
    "a sentence": (("I", "like", "54S-63R", "here"), 0, "sequence 54S-63R: 24/20 13/8, 24/15"),
    "a typing error": (
        ("anotate", "match.mat"),
        2,
        "unknown command 'anotate'; did you mean",
    ),
    "a word of other tools": (
        ("analyze", "match.mat"),
        2,
        "type `nactate annotate --analyse FILE`",
    ),
    "another word": (("blunders",), 2, "type `nactate annotate --errors FILE`"),
    "a word for opening": (("open", "match.mat"), 2, "type `nactate FILE`"),
    "a missing file": (("mach.mat",), 1, "nactate: mach.mat: No such file or directory\n"),
    "a missing file of two": (("match.mat", "mach.mat"), 1, "nactate: mach.mat: No such file"),
    "nothing of these": (("goodbye",), 2, "`nactate --help` lists the commands\n"),
    "a name with blanks": (("my", "match.mat"), 0, "   2  31P\n"),
    "half an XGID": ((format_xgid(STATE)[:-9],), 1, "expected 26 characters and nine numbers"),
    "a blank": ((" ",), 2, "' ' is no command, file, sequence or position"),
    "an option first": (
        ("--to", "html", "match.mat"),
        2,
        "nactate: --to: options come after the command or the file, as in `nactate FILE",
    ),
    "a wrong option": (("--hlep",), 2, "--hlep: no such option; did you mean --help?\n"),
    "the version": (("-V",), 2, "-V: no such option; did you mean --version?\n"),
    "the word version": (("version",), 2, "type `nactate --version`"),
    "a file like an option": (("-x.mat",), 2, "type `nactate ./-x.mat` for the file\n"),
    "a word for a command of two words": (("compare", "54S", "54R"), 2, "`nactate check --same"),
    "an empty word": (("",), 2, "'' is no command, file, sequence or position"),
    "the word help": (("help",), 0, "usage: nactate COMMAND ..."),
    "help of a command": (("help", "leaks"), 0, "usage: nactate leaks [options]"),
    "a missing database": (("leaks",), 1, "create it with `nactate index .`\n"),
}


def answer(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> Ran:
    """The answer, with the text that argparse prints."""
    status, out, err = run(*words)
    printed = capsys.readouterr()
    return Ran(status, out + printed.out, err + printed.err)


@pytest.mark.parametrize("name", FIRST_TRIES)
def test_first_tries_lead_somewhere(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words, status, text = FIRST_TRIES[name]
    for file in ("my match.mat", "-x.mat"):
        Path(file).write_bytes(MATCH)
    ran = answer(words, capsys)
    assert (ran.status, text in ran.out + ran.err) == (status, True), ran
    if status and not ran.out:  # one line, but for the text that is wrong and the place in it
        first, *excerpt = ran.err.splitlines()
        assert first.startswith("nactate: ")
        assert all(line.startswith("  ") for line in excerpt)


@pytest.mark.parametrize(
    "words",
    [
        *(["54S-63R-31P"], ["54S-63R-31"], ["31"], ["-61P-63R"], ["54S-63R-31 [P S]"]),
        *([format_xgid(STATE)], ["4HPwATDgc/ABMA"], ["start", "31"], ["4HPwCSDg8+ABIQ", "31P"]),
        *(["analysed.sgf#1.6a"], ["sheet.txt"], ["post.txt"], ["match.mat"], ["matches"]),
    ],
)
def test_each_command_that_goes_further_can_be_typed(words: list[str]) -> None:
    thing = identify(words, Streams(io.BytesIO(), io.BytesIO(), io.BytesIO()))
    assert thing is not None
    calls = [command_of(thing), *further_commands(thing)]
    assert len(calls) == 3
    for call in calls:
        if call[:2] == ["annotate", "--analyse"]:
            continue  # which needs an engine
        if call == ["leaks"]:
            call += ["--player", "Ann"]
        assert run(*call).status == 0, call


def test_a_roll_has_no_play_to_explain() -> None:
    advice = "name one, as in 31P, or let `nactate nacbrac` rank its plays\n"
    assert error_of("explain", "54S-63R-31") == f"nactate: '31' has no play to explain: {advice}"
    error = error_of("explain", "54S-63R-C")
    assert error == "nactate: 'C' has no play to explain: it is a cube action\n"


def test_a_match_has_the_move_list_of_annotate() -> None:
    assert run("match.mat") == run("annotate", "match.mat")
    assert run("analysed.sgf") == run("annotate", "--errors", "analysed.sgf")
    assert run("-", stdin=MATCH) == run("annotate", "-", stdin=MATCH)


@pytest.mark.parametrize(
    "text", ["54S-63R-31P", "54S-63R-31", "-61P-63R", "31", "54S-63R-31 [P S]"]
)
def test_a_sequence_begins_as_decode_prints_it(text: str) -> None:
    first = output_of("decode", *["--"] * text.startswith("-"), text)
    assert output_of(text).startswith(first)
    if "[" not in text:  # which is a post in a file
        assert output_of("-", stdin=text.encode()).startswith(first)


def test_a_sequence_after_a_position_is_read_from_there() -> None:
    start = "4HPwCSDg8+ABIQ"
    assert output_of(start, "31P").startswith(output_of("decode", "--from", start, "31P"))


def test_pipes_are_recognised_by_content() -> None:
    assert run("-", stdin=POST).out == run("read", "-", stdin=POST).out
    assert run("-", stdin=SHEET.encode()).out == "-: no faults; Ann - Ben; 1 game\n"
    assert run("-", stdin=format_xgid(STATE).encode()).out.startswith(" +13-14-15")
    nothing = run("-", stdin=b"Dear Sir,\nthank you for the letter of yesterday.\n")
    assert (nothing.status, nothing.out) == (1, "")
    assert nothing.err.startswith("nactate: standard input: no Nactation")


def test_the_names_of_a_sheet_have_their_letters_in_any_encoding() -> None:
    sheet = SHEET.replace("Ann", "Andr\u00e9")
    for encoding in ("utf-8", "latin-1", "utf-16"):
        Path("sheet.txt").write_bytes(sheet.encode(encoding))
        assert output_of("annotate", "sheet.txt").startswith("Andr\u00e9 - Ben, 3 point match\n")
        assert run("sheet.txt").out == "sheet.txt: no faults; Andr\u00e9 - Ben; 1 game\n"


def test_what_windows_powershell_writes_is_text() -> None:
    Path("post.txt").write_bytes(POST.decode().encode("utf-16"))
    assert output_of("post.txt").startswith("post.txt:1:8: sequence 54S-63R-31P")


def test_a_database_lists_its_players() -> None:
    assert run("index", "--db", "games.db", "matches", "analysed.sgf").status == 0
    counts, players, *_ = output_of("games.db").splitlines()
    assert counts.startswith("games.db: 2 matches, 2 games, ")
    assert players == "Players, with their matches: Alice (1), Ann (1), Ben (1), Bob (1)"


def test_a_damaged_file_does_not_hide_the_others_of_its_folder() -> None:
    Path("matches/broken.mat").write_text("no match at all\n")
    ran = run("matches")
    assert ran.status == 1
    assert "match.mat  Ann - Ben" in ran.out
    assert ran.err.startswith("nactate: matches/broken.mat: ".replace("/", os.sep))


def test_a_name_of_a_command_stays_the_command() -> None:
    """There is a folder `stats`."""
    assert run("stats").err.startswith("nactate: games.db: no such database")
    assert (
        run("./stats").out
        == "no match files (.mat, .txt, .sgf, .xg, .bgf, .ogxm, .ogxms, .gva, .gvab)\n"
    )
    assert not any(name in FIRST_TRIES for name in commands())


def test_the_database_to_create_is_the_one_that_was_named() -> None:
    Path("match.mat").unlink()
    Path("analysed.sgf").unlink()
    message = "nactate: my games.db: no such database; create it with "
    command = run("leaks", "--db", "my games.db").err.removeprefix(message)
    quote = '"' if sys.platform == "win32" else "'"
    assert command == f"`nactate index --db {quote}my games.db{quote} matches`\n"
