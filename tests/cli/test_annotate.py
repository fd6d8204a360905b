"""`nactate annotate`: its inputs and outputs, and files that must never be lost."""

from __future__ import annotations

import json
import os
import re
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.ids import parse_position
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Roll
from tests.cli.running import ILLEGAL, MATCH, ROW, SAMPLES, SHEET, error_of, output_of, run

SGF = (SAMPLES / "match-5pt.sgf").read_bytes()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of every test, with a match in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "match.mat").write_bytes(MATCH)
    return tmp_path


def tree(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


# --- forms ---------------------------------------------------------------------------------


def test_text_has_two_columns() -> None:
    words = [line.split() for line in output_of("annotate", "match.mat").splitlines()]
    assert words[0] == ["Ann", "-", "Ben,", "3", "point", "match"]
    assert ["1", "54S", "63R"] in words
    assert ["2", "31P"] in words
    assert words[-1] == [ROW.strip()]


def test_traditional_notation_is_added() -> None:
    out = run("annotate", "--traditional", "match.mat").out
    assert re.search(r"54S +24/20 13/8 +63R +24/15\n +2 +31P +8/5 6/5\n", out)


def test_a_game_can_be_a_row() -> None:
    assert run("annotate", "--layout", "row", "match.mat") == (0, SHEET, "")


@pytest.mark.parametrize("file", sorted(SAMPLES.glob("*.*")), ids=lambda file: file.name)
def test_each_turn_in_json_starts_where_the_last_ended(file: Path) -> None:
    ran = run("annotate", "--to", "json", file)
    assert ran.status == 0
    (match,) = map(json.loads, ran.out.splitlines())
    assert {"players", "length", "games", "turns"} <= match.keys()
    moves = [turn for turn in match["turns"] if turn["action"] == "move"]
    assert moves
    for turn, following in pairwise(moves):
        if not turn["play"]:
            continue
        assert turn["nactation"] or "problem" in turn
        play = parse_play(
            turn["play"], parse_position(turn["position_id"]), Roll.parse(turn["roll"])
        )
        same_game = turn["game"] == following["game"]
        if same_game and turn["turn"] + 1 == following["turn"]:
            assert following["player"] == 1 - turn["player"]
            assert parse_position(following["position_id"]) == play.after
            assert parse_position(following["xgid"]) == play.after


def test_json_has_players_rolls_plays_and_letters() -> None:
    match = json.loads(run("annotate", "--to", "json", "match.mat").out)
    assert match["players"] == ["Ann", "Ben"]
    assert match["length"] == 3
    rows = [(t["player"], t["roll"], t["play"], t["nactation"]) for t in match["turns"]]
    assert rows == [
        (0, "54", "24/20 13/8", "S"),
        (1, "63", "24/15", "R"),
        (0, "31", "8/5 6/5", "P"),
    ]
    assert match["turns"][0]["position_id"] == "4HPwATDgc/ABMA"


def test_sgf_has_the_letters_in_comments() -> None:
    assert run("annotate", "-o", "out.sgf", "match.mat").status == 0
    comments = re.findall(rb"Nactation: (\S+)\]", Path("out.sgf").read_bytes())
    assert comments == [b"54S", b"63R", b"31P"]
    # The written match equals the match that was read.
    assert run("annotate", "--layout", "row", "out.sgf").out == SHEET


@pytest.mark.parametrize(
    ("output", "begins"),
    [("x.sgf", "(;"), ("x.json", "{"), ("x.jsonl", "{"), ("x.HTM", "<!"), ("x.out", "Ann")],
)
def test_the_ending_of_the_output_chooses_the_form(output: str, begins: str) -> None:
    assert run("annotate", "-o", output, "match.mat").status == 0
    assert Path(output).read_text().startswith(begins)


def test_the_kind_of_characters_can_be_chosen() -> None:
    out = run("annotate", "--layout", "row", "--characters", "areal", "match.mat").out
    # The smaller die runs and the larger comes down: zplit. 8/5 jumps, 6/5 is inside: attack.
    assert out.splitlines()[-1] == "54Z-63R-31A"


# --- where from and where to ---------------------------------------------------------------


def test_standard_input_and_output_can_be_named() -> None:
    assert run("annotate", "--layout", "row", "-", stdin=MATCH) == (0, SHEET, "")
    assert run("annotate", "--layout", "row", "-o", "-", "-", stdin=MATCH) == (0, SHEET, "")


def test_standard_input_has_a_file_name_in_a_folder(folder: Path) -> None:
    assert run("annotate", "-o", "out/", "-", stdin=MATCH) == (0, "", "")
    assert tree(folder) == ["match.mat", "out/stdin.txt"]


def test_folders_keep_their_shape(folder: Path) -> None:
    for name in ("in/a.mat", "in/sub/b.txt", "in/sub/deep/c.sgf", "in/notes.md"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(SGF if name.endswith(".sgf") else MATCH)
    assert run("annotate", "--to", "json", "-o", "out", "in") == (0, "", "")
    assert [name for name in tree(folder) if name.startswith("out")] == [
        "out/a.jsonl",
        "out/sub/b.jsonl",
        "out/sub/deep/c.jsonl",
    ]


def test_several_files_are_printed_one_after_the_other() -> None:
    once = run("annotate", "match.mat").out
    Path("again.mat").write_bytes(MATCH)
    assert run("annotate", "match.mat", "again.mat").out == f"{once}\n{once}"
    assert run("annotate", "--layout", "row", "*.mat").out == SHEET * 2


def test_a_folder_of_pages_has_a_contents_page(folder: Path) -> None:
    """It names players, scores and ratings, and replaces only a page of its own kind."""
    matches, pages = folder / "in", folder / "out"
    matches.mkdir()
    for name in ("match-1pt.mat", "match-3pt-analysed.sgf"):
        (matches / name).write_bytes((SAMPLES / name).read_bytes())
    (matches / "a <b> #1.mat").write_bytes(MATCH.replace(b"Ann", b"<i>Ann"))
    assert run("annotate", "--to", "html", "-o", pages, matches).status == 0
    contents = (pages / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'<a href="([^"]+)">(.*?)</a>', contents)
    assert [link for link, _ in links] == [
        "a%20%3Cb%3E%20%231.html", "match-1pt.html", "match-3pt-analysed.html",
    ]  # fmt: skip
    assert "&lt;i&gt;Ann" in links[0][1]
    assert "<i>" not in contents
    assert re.findall(r"<small>.*, (.*)</small>", contents)[0] == "a &lt;b&gt; #1.html"
    # Alice won the match to 1 with a gammon, which is 1-0, and has 2 points in that to 3.
    rows = re.findall(r'<td class="number">(.*?)</td>', contents)
    assert rows[2:] == ["1 \u2013 0", "no analysis", "2 \u2013 0", "10.2 \u2013 24.2"]
    text = run("annotate", "--errors", SAMPLES / "match-3pt-analysed.sgf").out
    assert re.search(r"PR +10\.2 .* 24\.2 ", text)
    assert run("annotate", "--to", "html", "-o", pages, matches).status == 0  # all up to date
    assert (pages / "index.html").read_text(encoding="utf-8") == contents
    (pages / "index.html").write_text("mine", encoding="utf-8")
    run("annotate", "--to", "html", "--force", "-o", pages, matches)
    assert (pages / "index.html").read_text(encoding="utf-8") == "mine"


def test_names_that_would_clash_keep_their_old_ending(folder: Path) -> None:
    Path("match.txt").write_bytes(MATCH)
    assert run("annotate", "--to", "sgf", "-o", "out/", "*.*") == (0, "", "")
    assert [name for name in tree(folder) if name.startswith("out")] == [
        "out/match.mat.sgf",
        "out/match.txt.sgf",
    ]


def test_two_results_for_one_file_are_refused(folder: Path) -> None:
    Path("sub").mkdir()
    Path("sub/match.mat").write_bytes(MATCH)
    error = error_of("annotate", "-o", "out/", "match.mat", "sub/match.mat", status=2)
    assert "two results" in error
    assert tree(folder) == ["match.mat", "sub/match.mat"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["-o", "match.mat", "match.mat"],
        ["-o", "../{}/match.mat", "match.mat"],
        ["-o", ".", "match.txt"],
        ["-o", "link.mat", "match.mat"],
    ],
)
def test_an_input_is_never_overwritten(folder: Path, arguments: list[str]) -> None:
    Path("match.txt").write_bytes(MATCH)
    Path("link.mat").symlink_to("match.mat")
    error = error_of(
        "annotate", *(argument.format(folder.name) for argument in arguments), status=2
    )
    assert "would be overwritten" in error
    assert Path("match.mat").read_bytes() == Path("match.txt").read_bytes() == MATCH


def test_several_sgf_files_need_a_folder() -> None:
    Path("again.mat").write_bytes(MATCH)
    for arguments in (["--to", "sgf"], ["--to", "sgf", "-o", "-"]):
        ran = run("annotate", *arguments, "match.mat", "again.mat")
        assert (ran.status, ran.out) == (2, "")


@pytest.mark.parametrize(
    "name", ["Søren & Ågot.mat", "対局.mat", "a b[1].mat", os.fsdecode(b"\xff")]
)
def test_any_file_name_is_read_and_written(folder: Path, name: str) -> None:
    (folder / name).write_bytes(MATCH.replace(b"Ann", "Åse".encode()))
    assert run("annotate", "-o", "out/", name) == (0, "", "")
    assert (folder / "out" / Path(name).with_suffix(".txt")).read_text("utf-8").startswith("Åse")


def test_errors_replace_undecodable_bytes_of_a_file_name() -> None:
    name = os.fsdecode(b"\xff.mat")
    Path(name).write_bytes(b"nothing")
    assert error_of("annotate", name).startswith("nactate: \ufffd.mat: ")


# --- in place ------------------------------------------------------------------------------


def test_annotating_in_place_twice_changes_nothing(folder: Path) -> None:
    file = folder / "m.sgf"
    file.write_bytes(SGF)
    assert run("annotate", "--in-place", "m.sgf") == (0, "", "")
    once = file.read_bytes()
    assert once != SGF
    assert re.sub(rb"C\[Nactation: [^]\n]*\]", b"", once) == SGF
    inode = file.stat().st_ino
    assert run("annotate", "--in-place", "m.sgf") == (0, "", "")
    assert file.read_bytes() == once
    assert file.stat().st_ino == inode  # it is not even written again
    assert tree(folder) == ["m.sgf", "match.mat"]


@pytest.mark.parametrize("file", sorted(SAMPLES.glob("*.*")), ids=lambda file: file.name)
def test_annotating_sgf_twice_changes_nothing(file: Path) -> None:
    assert run("annotate", "-o", "once.sgf", file).status == 0
    assert run("annotate", "-o", "twice.sgf", "once.sgf").status == 0
    assert Path("twice.sgf").read_bytes() == Path("once.sgf").read_bytes()


def test_in_place_keeps_mode_and_links() -> None:
    Path("real.sgf").write_bytes(SGF)
    Path("real.sgf").chmod(0o640)
    Path("link.sgf").symlink_to("real.sgf")
    assert run("annotate", "--in-place", "link.sgf").status == 0
    assert Path("link.sgf").is_symlink()
    assert b"Nactation" in Path("real.sgf").read_bytes()
    assert Path("real.sgf").stat().st_mode & 0o777 == 0o640


def test_in_place_refuses_match_text() -> None:
    error = error_of("annotate", "--in-place", "match.mat")
    assert error.startswith("nactate: match.mat: --in-place needs an SGF file")
    assert Path("match.mat").read_bytes() == MATCH


@pytest.mark.parametrize(
    "arguments", [["-"], ["-o", "x.sgf", "m.sgf"], ["--to", "text", "m.sgf"], ["--to=json", "-"]]
)
def test_in_place_with_other_outputs_is_an_error(folder: Path, arguments: list[str]) -> None:
    Path("m.sgf").write_bytes(SGF)
    ran = run("annotate", "--in-place", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert tree(folder) == ["m.sgf", "match.mat"]
    assert Path("m.sgf").read_bytes() == SGF


def test_both_matches_of_an_sgf_file_are_annotated() -> None:
    once = run("annotate", "--layout", "row", "-", stdin=SGF).out
    both = run("annotate", "--layout", "row", "-", stdin=SGF + SGF).out
    assert both == once * 2
    assert run("annotate", "--to", "sgf", "-", stdin=SGF + SGF).out.count("Nactation") > 0


# --- errors -------------------------------------------------------------------------


def test_a_broken_file_is_reported_and_the_others_are_annotated(folder: Path) -> None:
    Path("a.mat").write_bytes(b"\n\nbread 2, milk 1\n")
    Path("b.sgf").write_bytes(b"(;FF[4]GM[6]\n;B[31hefe")
    error = error_of("annotate", "-o", "out/", "a.mat", "b.sgf", "gone.mat", "match.mat")
    lines = error.splitlines()
    assert [re.match(r"nactate: (\S+): (?=\S)", line)[1] for line in lines] == [  # type: ignore[index]
        "a.mat",
        "b.sgf",
        "gone.mat",
    ]
    assert "line 2" in lines[1]
    assert tree(folder) == ["a.mat", "b.sgf", "match.mat", "out/match.txt"]


def test_an_illegal_play_is_marked_and_reported() -> None:
    ran = run("annotate", "-", stdin=ILLEGAL)
    assert ran.status == 0
    assert ran.err == ("nactate: standard input: line 5, 1.1b: '24/14' is not a legal play of 63\n")
    assert "63 24/14 (illegal play)" in ran.out
    assert ran.out.endswith("54S-63?-31P\n")


def test_a_folder_without_matches_is_an_error() -> None:
    Path("empty").mkdir()
    assert error_of("annotate", "empty") == "nactate: annotate: no match files in empty\n"


@pytest.mark.parametrize("encoding", ["klingon", "rot13", "undefined", "a\0b"])
@pytest.mark.parametrize("command", ["annotate", "transcribe", "cards errors"])
def test_an_unknown_encoding_is_wrong_usage(
    command: str, encoding: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*command.split(), "--encoding", encoding, "match.mat").status == 2
    assert "unknown encoding" in capsys.readouterr().err


def test_the_encoding_is_used() -> None:
    data = MATCH.replace(b"Ann", "Łoś".encode("cp1250"))
    out = run("annotate", "--encoding", "cp1250", "-", stdin=data).out
    assert out.startswith("Łoś - Ben")


def test_a_file_is_not_replaced_by_a_folder(folder: Path) -> None:
    Path("out").write_text("in the way")
    Path("again.mat").write_bytes(MATCH)
    for words in (("-o", "out", "match.mat", "again.mat"), ("-o", "out/", "match.mat")):
        error = error_of("annotate", *words, status=2)  # once, however many files there are
        assert error == "nactate: annotate: -o needs a folder here; out is not one\n"
    assert tree(folder) == ["again.mat", "match.mat", "out"]
    assert Path("out").read_text() == "in the way"


@pytest.mark.parametrize("step", ["os.chmod", "os.replace"])
def test_a_failed_write_keeps_the_old_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    Path("out.txt").write_text("what was there")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(step, fail)
    error = error_of("annotate", "-o", "out.txt", "match.mat")
    assert error == "nactate: out.txt: No space left on device\n"
    assert tree(folder) == ["match.mat", "out.txt"]
    assert Path("out.txt").read_text() == "what was there"


def test_a_pipe_is_written_to_and_not_replaced(folder: Path) -> None:
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run("annotate", "--layout", "row", "-o", "pipe", "match.mat") == (0, "", "")
        assert os.read(reader, 1000).decode() == SHEET
    finally:
        os.close(reader)
    assert Path("pipe").is_fifo()
    assert tree(folder) == ["match.mat"]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no /proc on this system")
def test_a_device_is_written_to_by_any_of_its_names(folder: Path) -> None:
    """`/dev/stdout` is a link to the pipe of a shell, which has no path."""
    reader, writer = os.pipe()
    try:
        output = f"/proc/self/fd/{writer}"
        assert run("annotate", "--layout", "row", "-o", output, "match.mat") == (0, "", "")
        assert os.read(reader, 1000).decode() == SHEET
    finally:
        os.close(reader)
        os.close(writer)
    assert tree(folder) == ["match.mat"]


def test_a_report_never_overwrites_an_input_or_a_result(folder: Path) -> None:
    Path("link.json").symlink_to("match.mat")
    for report, output in (("match.mat", "x"), ("link.json", "x"), ("x", "x"), ("match.mat", "-")):
        words = "--report", report, "-o", output, "match.mat"
        assert "--report would overwrite" in error_of("annotate", *words, status=2)
    assert tree(folder) == ["link.json", "match.mat"]
    assert Path("match.mat").read_bytes() == MATCH


def test_the_database_is_not_overwritten(folder: Path) -> None:
    run("index", "--db", "games.db", "match.mat")
    before = Path("games.db").read_bytes()
    words = "--to", "html", "--db", "games.db", "match.mat"
    error = error_of("annotate", *words, "-o", "games.db", status=2)
    assert "games.db would be overwritten" in error
    error = error_of("annotate", *words, "-o", "x.html", "--report", "games.db", status=2)
    assert "--report would overwrite games.db" in error
    assert Path("games.db").read_bytes() == before
    assert not (folder / "x.html").exists()


def test_a_report_can_go_to_standard_output(folder: Path) -> None:
    out = run("annotate", "--report", "-", "-o", "out.txt", "match.mat").out
    assert json.loads(out)["results"][0]["output"] == "out.txt"
    assert tree(folder) == ["match.mat", "out.txt"]


def test_a_pattern_that_names_the_folder_of_results_reads_none_of_them(folder: Path) -> None:
    """A shell expands `m/*` to all files, and to the folder of the first run."""
    Path("m").mkdir()
    for name in ("m/a.mat", "m/b.mat"):
        Path(name).write_bytes(MATCH)
    assert run("annotate", "--to", "sgf", "-o", "m/out", "m/a.mat", "m/b.mat").status == 0
    words = "--to", "sgf", "-o", "m/out", "m/a.mat", "m/b.mat", "m/out"
    assert run("annotate", *words).status == 0
    results = ["m/a.mat", "m/b.mat", "m/out/a.sgf", "m/out/b.sgf", "match.mat"]
    assert tree(folder) == results


def test_a_name_of_a_file_is_no_folder_for_several_results(folder: Path) -> None:
    Path("again.mat").write_bytes(MATCH)
    for name in ("page.html", "page.json", "PAGE.HTML"):
        error = error_of("annotate", "-o", name, "match.mat", "again.mat", status=2)
        assert f"several files need -o FOLDER; '{name}/' would be one" in error
    assert tree(folder) == ["again.mat", "match.mat"]
    assert run("annotate", "--to", "html", "-o", "page.html/", "match.mat", "again.mat").status == 0
    assert run("annotate", "-o", "page.html", "match.mat", "again.mat").status == 0  # it exists


def test_a_file_of_which_a_match_cannot_be_read_counts_as_failed() -> None:
    """As the same files in a folder do."""
    Path("two.mat").write_bytes(MATCH + b"\n 5 point match\n\nno game\n")
    with zipfile.ZipFile("two.zip", "w") as archive:
        archive.writestr("good.mat", MATCH)
        archive.writestr("bad.sgf", b"nothing")
    for name in ("two.mat", "two.zip"):
        assert run("annotate", "-o", "out.txt", name).status == 1
        assert Path("out.txt").read_bytes()
        for _ in range(2):  # the second result is up to date
            assert run("annotate", "--report", "r.json", "-o", "out/", name).status == 1
        assert json.loads(Path("r.json").read_bytes())["incomplete"] == 1
