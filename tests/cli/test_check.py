"""`nactate check` on the output of `nactate annotate`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.exports.page.document import island_text
from tests.cli.running import ILLEGAL, MATCH, SAMPLES, error_of, output_of, run
from tests.files import xg_files

# 52 was played 13/6, the stack; the analysis rates the split best.
ANALYSED = SAMPLES / "match-3pt-analysed.sgf"
START = "-b----E-C---eE---c-e----B-:0:0:1:54:0:0:0:3:10"
WITH_ANALYSIS = ("match-3pt-analysed.sgf", "match-3pt.xg")


@pytest.mark.parametrize("characters", ["preferred", "areal", "basic", "all"])
@pytest.mark.parametrize(
    ("sample", "errors"),
    [
        *((path.name, []) for path in sorted(SAMPLES.iterdir())),
        *((name, ["--errors"]) for name in WITH_ANALYSIS),
    ],
)
def test_annotated_files_are_right(
    sample: str, errors: list[str], characters: str, tmp_path: Path
) -> None:
    output = tmp_path / "written.sgf"
    options = ["--to", "sgf", "--characters", characters, *errors, "-o", output]
    assert run("annotate", *options, SAMPLES / sample).status == 0
    lines = output_of("check", output).splitlines()
    assert lines
    place = re.compile(rf"{re.escape(str(output))}: \d+\.\d+[ab]: ")
    assert all(map(place.match, lines))
    if characters == "preferred":
        assert all(line.endswith(": ok") for line in lines)


@pytest.mark.parametrize("characters", ["numerals", "assumption"])
def test_numerals_and_assumptions_are_valid(characters: str, tmp_path: Path) -> None:
    output = tmp_path / "written.sgf"
    run("annotate", "--to", "sgf", "--characters", characters, "-o", output, ANALYSED)
    assert "valid for" in output_of("check", output)


def test_the_shipped_sample_is_right() -> None:
    assert "wrong" not in output_of("check", SAMPLES / "match-5pt-annotated.sgf")


def test_a_nacbrac_after_a_sequence_is_checked() -> None:
    # K hits twice, which no play of 31 does here.
    tokens = ["54S", "63R", "31", "31P", "31@", "31H"]
    text = "54S-63R-31 [P @87 H94]"
    assert output_of("check", text) == "".join(f"{token}: ok\n" for token in tokens)
    ran = run("check", text.replace("H", "K"))
    assert (ran.status, ran.out.splitlines()) == (1, [f"{token}: ok" for token in tokens[:3]])
    assert ran.err.startswith("nactate: 'K' in 4HPwCSDg8+ABIQ: no such play of 31")


@pytest.mark.parametrize("line", ["T", "T x129 best S", "52T x129 best S", "52T (well, well)"])
def test_comments_of_earlier_versions_are_read(line: str, tmp_path: Path) -> None:
    output = tmp_path / "written.sgf"
    data = ANALYSED.read_bytes().replace(b";B[52", f";C[Nactation: {line}]B[52".encode(), 1)
    output.write_bytes(data)
    assert output_of("check", output) == f"{output}: 1.1b: 52T: ok\n"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("52Z", "it names 24/22 13/8; probably T was meant, 13/6"),
        ("31T", "found the roll 31, expected 52"),
        ("52Ten", "not a Nactation: 'Ten'"),
        ("52T  [S K37\\]", "52K is not legal here: no K play exists. Legal: D J Z A C O N"),
        ("52T  [S", "the bracket is not closed"),
    ],
)
def test_a_wrong_comment_is_reported_with_its_place(
    line: str, complaint: str, tmp_path: Path
) -> None:
    output = tmp_path / "written.sgf"
    data = ANALYSED.read_bytes().replace(b";B[52", f";C[Nactation: {line}]B[52".encode(), 1)
    output.write_bytes(data)
    checked = run("check", output)
    assert checked.status == 1
    assert f"{output}: 1.1b: " in checked.out + checked.err
    assert complaint in checked.out + checked.err


def test_a_match_without_comments_has_nothing_to_check() -> None:
    checked = run("check", ANALYSED)
    assert (checked.status, checked.out) == (0, "")
    assert "nothing to check" in checked.err


# The forms in which `annotate` writes a match, each with the options for it.
FORMS = {
    "columns": "",
    "errors": "--errors",
    "traditional": "--traditional",
    "all": "--characters all",
    "row": "--layout row",
    "paired": "--layout paired",
    "column": "--layout column",
    "boards": "--boards 15",
    "markdown": "--to markdown",
    "bbcode": "--to bbcode",
    "html-forum": "--to html-forum",
    "plain": "--to plain",
    "json": "--to json",
    "html": "--to html",
}
# Errors, a beaver and a position set up, raccoons, another opening position.
SOME = ["match-3pt-analysed.sgf", "money-beaver-setup.sgf", "money-raccoon.sgf", "match-1pt.mat"]


@pytest.mark.parametrize("sample", SOME)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_output_form_is_right(form: str, sample: str, tmp_path: Path) -> None:
    output = tmp_path / "written"
    output.write_text(run("annotate", *form.split(), SAMPLES / sample).out, encoding="utf-8")
    text = output_of("check", "--engine", "none", output)
    assert text
    assert ": wrong" not in text


@pytest.mark.parametrize("form", ["", "--layout row", "--to html-forum", "--to json"])
def test_nackgammon_is_right(form: str, tmp_path: Path) -> None:
    output = tmp_path / "written"
    annotated = run("annotate", *form.split(), SAMPLES / "nackgammon-5pt.mat").out
    output.write_text(annotated, encoding="utf-8")
    checked = run("check", "--engine", "none", output)
    assert (checked.status, checked.err) == (0, "")


@pytest.mark.parametrize("before", ['"format":1,', '"format":2,', ""])
def test_json_of_every_format_is_checked(before: str, tmp_path: Path) -> None:
    output = tmp_path / "written"
    text = output_of("annotate", "--to", "json", "-", stdin=MATCH)
    output.write_text(text.replace('"format":1,', before).replace('"R"', '"S"'), encoding="utf-8")
    assert "63S: wrong: it names" in run("check", "--engine", "none", output).out


@pytest.mark.parametrize(
    ("form", "right", "wrong", "place"),
    [
        ("", "63R", "63K", ":5:13: found 63K in the list, 63R in"),
        ("", "63R", "63S", ":5:13: found 63S in the list, 63R in the sequence of line 8"),
        ("--traditional", "63R", "63K", ":5:27: found 63K in the list, 63R in"),
        ("--layout row", "63R", "63K", ":3:5: '63K' in "),
        ("--layout paired", "63R", "63K", ":3:4: '63K' in "),
        ("--to markdown", "63R", "63K", ":7:13: '63K' in "),
        ("--to bbcode", "63R", "63K", ":7:13: '63K' in "),
        ("--to html-forum", "63R", "63K", ":7:31: '63K' in "),
        (
            "--to json",
            '"nactation":"R"',
            '"nactation":"S"',
            ":1: 1.1b: 63S: wrong: it names",
        ),
        ("--to json", '"nactation":"R"', '"nactation":"?"', ":1: 1.1b: not a Nactation"),
        ("--to html", '"S","R","P"', '"S","S","P"', ": 1.1b: 63S: wrong: it names"),
        ("--to html", '"n">R<', '"n">S<', ": 1.1b: the table has S, the data R"),
    ],
)
def test_a_wrong_character_is_reported_with_its_place(
    form: str, right: str, wrong: str, place: str, tmp_path: Path
) -> None:
    match, output = tmp_path / "x.mat", tmp_path / "written"
    match.write_bytes(MATCH)
    annotated = re.sub(
        r'(?<=id="data">)[^<]+',
        lambda island: island_text(island[0]).replace("<", "\\u003c"),
        run("annotate", *form.split(), match).out,
    )
    assert right in annotated
    output.write_text(annotated.replace(right, wrong, 1), encoding="utf-8")
    checked = run("check", "--engine", "none", output)
    assert checked.status == 1
    assert f"{output}{place}" in checked.out + checked.err


def test_pages_of_earlier_versions_are_checked(tmp_path: Path) -> None:
    """Their data were plain JSON: turns in games, and a board only after a change."""
    match, output = tmp_path / "x.mat", tmp_path / "x.html"
    match.write_bytes(MATCH)
    turns = [{"xgid": START, "name": "S"}, {"name": "S"}, {"name": "P"}]
    data = json.dumps({"games": [{"title": "Game 1", "turns": turns}]})
    page = run("annotate", "--to", "html", match).out
    output.write_text(re.sub(r'(?<=id="data">)[^<]+', data, page), encoding="utf-8")
    checked = run("check", "--engine", "none", output)
    assert f"{output}: 1.1b: 63S: wrong: it names" in checked.out + checked.err


def test_places_in_match_text_are_game_and_move(tmp_path: Path) -> None:
    match = tmp_path / "x.mat"
    match.write_bytes(ILLEGAL)
    error = error_of("check", match)
    assert error.startswith(f"nactate: {match}: 1.1b: illegal play: '63 24/14'")


def test_a_place_in_a_later_match_of_a_file_has_its_number(tmp_path: Path) -> None:
    file = tmp_path / "two.mat"
    file.write_bytes(MATCH + b"\n" + ILLEGAL)
    assert f"{file}: 2.1.1b: illegal play" in error_of("check", file)


def test_an_xg_file_is_a_match_and_not_prose(tmp_path: Path) -> None:
    file = tmp_path / "match.xg"
    illegal = xg_files.move(1, (STANDARD.points,) * 2, (3, 1), (23, 20, 5, 2))
    file.write_bytes(xg_files.xg_file(xg_files.header(), xg_files.game(), illegal))
    assert f"{file}: 1.1a: " in error_of("check", str(file))


def test_places_in_prose_are_line_and_column(tmp_path: Path) -> None:
    post = tmp_path / "post.txt"
    # Position #1 of the tutorial with its nacbrac; K is not a play of 63 there.
    post.write_text(
        "Hello!\n\nAfter 54S-63R-31P I won. I was not sure,\nas 31 [P @87] and 54S-63K.\n"
    )
    checked = run("check", post)
    assert checked.status == 1
    assert checked.out.splitlines() == [
        f"{post}:3:7: 54S: ok",
        f"{post}:3:11: 63R: ok",
        f"{post}:3:15: 31P: ok",
        f"{post}:4:8: 31P: ok",
        f"{post}:4:10: 31@: ok",
    ]
    assert checked.err.startswith(f"nactate: {post}:4:23: '63K' in ")


def test_ambiguous_letters_fail_with_strict() -> None:
    for text in ("41$-32S-63I", "We had 41$-32S-63I there."):
        loose = run("check", "--engine", "none", "-", stdin=text.encode())
        strict = run("check", "--strict", "-", stdin=text.encode())
        assert (loose.status, strict.status) == (1, 1)
        assert "63I: wrong: it names no play" in loose.out
        assert "not strict Nactation" in strict.err


def test_prose_is_read_from_standard_input() -> None:
    output = output_of("check", "-", stdin=b"We had 54S-63R-31P there.\n")
    assert output.startswith("standard input:1:8: 54S: ok\n")


def test_places_in_a_list_of_sequences_are_lines(tmp_path: Path) -> None:
    moves = tmp_path / "moves.txt"
    moves.write_text("# mine\n54S-63R-31P\n\n43Z 32H 54\n31K\n")
    checked = run("check", "--engine", "none", moves)
    assert checked.status == 1
    assert checked.out.splitlines()[::3] == [f"{moves}:2: 54S: ok", f"{moves}:4: 43Z: ok"]
    assert checked.err.startswith(f"nactate: {moves}:5: '31K' in ")


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b'{"turns": 7}',
        b'{"turns": [1, {"roll": [], "game": {}}]}',
        b'{"turns": [{"game": 1, "move": 2, "player": []}]}',
        b'{"turns": [{"game": 1, "move": 2, "player": 1.0}]}',
        b'<script type="a" id="data">{"turns": {}, "games": [{"steps": %d}]}</script>' % 10**30,
    ],
)
def test_other_json_has_nothing_to_check(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "x y.json"
    file.write_bytes(data + b"\n")
    checked = run("check", "--engine", "none", file)
    assert checked.out == ""
    assert "internal" not in checked.err


@pytest.mark.parametrize(
    ("comment", "verdict"),
    [
        ("13/10*/9", "it names 8/5 6/5; probably H was meant, 13/10*/9"),
        (
            "13/7",
            "it names 8/5 6/5, unlike its comment; doubtful (the longhand is 13/7, not legal)",
        ),
    ],
)
def test_a_comment_that_contradicts_its_letter_is_wrong(
    comment: str, verdict: str, tmp_path: Path
) -> None:
    """Position #1 of the tutorial: 31P is 8/5 6/5, and 13/10*/9 is H (section 13)."""
    ran = run("check", f"54S-63R-31P ({comment})")
    assert ran.status == 1
    assert f"31P: wrong: {verdict}" in ran.out
    prose = tmp_path / "post.txt"
    prose.write_text(f"After 54S-63R-31P ({comment}) he had to roll well.\n")
    assert run("check", str(prose)).status == 1
    text = run("read", str(prose)).out
    assert f"claim ({comment}): wrong: {comment} is " in text


def test_a_letter_in_italics_is_the_third_of_its_family() -> None:
    # The third P of this 31, after 6/3* 4/3 and p.
    text = "In 65R-54S-62H-32H-41H-21H-31E-31: *P* is 8/4.\n"
    checked = run("check", "-", stdin=text.encode())
    assert checked.status == 0
    assert "P{3} = 8/4: valid for 8/4" in checked.out


def test_a_row_that_ends_with_a_letter_is_a_claim() -> None:
    # 24/14* is one checker in the outer board (R) that hits (H); no other checker splits (S).
    right, wrong = run("check", "52D-64H R"), run("check", "52D-64H S")
    assert (right.status, wrong.status) == (0, 1)
    assert right.out.splitlines()[2] == "R = 24/14*: valid for 24/14*, though H is preferred"
    assert "S = 24/14*: wrong" in wrong.out


@pytest.mark.parametrize("pattern", ["43D-xx-44", "65R-xxx", "*-63R"])
def test_a_pattern_alone_is_nothing_to_check(pattern: str) -> None:
    checked = run("check", pattern)
    assert (checked.status, checked.out) == (0, "")
    assert checked.err == "nactate: a pattern: nothing to check\n"


def test_a_play_after_a_cube_action_contradicts_it() -> None:
    checked = run("check", "54S-63R-C (8/5 6/5)-T")
    assert checked.status == 1
    assert "C: wrong: it names no play, unlike its comment" in checked.out
