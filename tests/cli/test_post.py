"""`nactate post`, and posts of whole matches."""

from __future__ import annotations

import json

import pytest

from gnubg_nactation.exports.targets import TARGETS
from tests.cli.running import MATCH, SAMPLES, error_of, output_of, run
from tests.exports.rendering import rendered

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10"


def test_a_post_has_the_sequence_and_its_last_board() -> None:
    output = output_of("post", "43Z-32H-54")
    lines = output.splitlines()
    assert lines[0] == "43Z-32H-54"
    assert lines.count("```") == 2
    assert lines[-2].startswith("XGID=")
    assert ":54:" in lines[-2]
    assert "X to play 54" in output


@pytest.mark.parametrize(
    ("target", "row"),
    [
        ("markdown", "43Z-32U-52*S*-11\\$-21"),
        ("bbcode", "43Z-32U-52[i]S[/i]-11$-21"),
        ("html-forum", "<p>43Z-32U-52<i>S</i>-11$-21</p>"),
        ("plain", "43Z-32U-52S{3}-11$-21"),
        ("reddit", "43Z-32U-52*S*-11$-21"),
        ("discord", "43Z-32U-52*S*-11$-21"),
    ],
)
def test_letters_that_are_markup_are_escaped(target: str, row: str) -> None:
    ran = run("post", "--to", target, "43Z-32U-52S{3}-11$-21")
    assert ran.out.splitlines()[:1] == [row], ran.err


@pytest.mark.parametrize(
    "position", [XGID, "start", "4HPwATDgc/ABMA", "4HPwATDgc/ABMA:cAkAAAAAAAAA"]
)
def test_a_position_becomes_a_board(position: str) -> None:
    assert "\nXGID=-b----E-C---eE---c-e----B-:" in output_of("post", "--to", "plain", position)


def test_the_xgid_is_kept() -> None:
    assert XGID in run("post", XGID).out
    beavers = XGID.replace(":0:0:10", ":3:0:3")  # also Jacoby, and a cube of at most 8
    assert beavers in run("post", beavers).out


def test_a_nackgammon_sequence_begins_with_n() -> None:
    """Without the N it would be read from the usual position."""
    for target in TARGETS:
        ran = run("post", "--to", target, "N 41Q-21K-31")
        assert ran.out.splitlines()[0].removeprefix("<p>").startswith("N 41Q-21K-31")
    assert run("post", "--from", "nackgammon", "41Q").out.startswith("N 41Q\n")


def test_the_sequence_may_come_from_standard_input_and_another_start() -> None:
    assert run("post", "-", stdin=b"31P\n").out == run("post", "31P").out
    assert run("post", "--from", "nackgammon", "31P").out != run("post", "31P").out


def test_an_unreadable_sequence_is_reported_with_its_place() -> None:
    assert error_of("post", "--strict", "43Z-32H-54K").splitlines()[-1].strip() == "^"
    assert run("post", "-", stdin=b" ").status == 1


@pytest.mark.parametrize("target", TARGETS)
def test_a_nacbrac_is_posted_and_reads_back(target: str) -> None:
    """After the sequence each nacbrac has a paragraph; the board comes last."""
    text = '54S-63R-31 [P @87 H94 X101] "<=5 d[P=A E{3}7]'
    bold = [] if target == "plain" else ["--bold-best"]
    output = output_of("post", "--engine", "none", "--to", target, *bold, text)
    post = "\n".join(output.splitlines()[:3])
    assert "XGID=" in output.removeprefix(post)
    assert ":31:" in output.removeprefix(post)
    again, plain = (
        run("decode", "--json", "--engine", "none", "-", stdin=entry.encode())
        for entry in (post, text)
    )
    assert (again.status, again.err) == (0, "")
    rows, expected = (
        [json.loads(row) for row in entry.out.splitlines()] for entry in (again, plain)
    )
    keys = "token", "score", "play", "error", "sure"
    for row, expected_row in zip(rows, expected, strict=True):
        assert [row.get(key) for key in keys[1:]] == [expected_row.get(key) for key in keys[1:]]


def test_nacbracs_of_several_sequences_are_several_posts() -> None:
    entry, two = "54S-63R-31 [P @87]", "54S-63R-42 [P S50]"
    posts = [run("post", "--to", "plain", text).out for text in (entry, two)]
    assert run("post", "--to", "plain", f"{entry} -42 [P S50]").out == "\n".join(posts)


def test_a_nacbrac_may_be_about_the_roll_of_the_start() -> None:
    ran = run("post", "--to", "plain", "--from", XGID, "[P U227]")
    assert ran.out.splitlines()[0] == "61 [P U227]"
    assert ":61:" in ran.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--bold-best", "31P"], "--bold-best needs a nacbrac"),
        (["--to", "plain", "--bold-best", "31 [P]"], "--bold-best does nothing for --to plain"),
    ],
)
def test_bold_without_effect_is_an_error(words: list[str], message: str) -> None:
    assert message in error_of("post", *words, status=2)


def test_an_unreadable_nacbrac_is_an_error() -> None:
    for text in ("31 [P ?]", "31 [P K7]", "31 [P]\n42 [P"):
        assert error_of("post", text).splitlines()[-1].strip() == "^"


def test_a_match_as_a_post_with_boards() -> None:
    output = output_of(
        "annotate", "--to", "markdown", "--layout", "row", "--boards", "2", "-", stdin=MATCH
    )
    assert "54S-63R-31P" in output.splitlines()
    assert "1.1b, Ben: 63R 24/15" in output.splitlines()
    assert output.count("XGID=") == 1


def test_the_boards_of_a_later_match_have_its_number() -> None:
    ran = run("annotate", "--to", "plain", "--boards", "2", "-", stdin=MATCH + b"\n" + MATCH)
    boards = [line for line in ran.out.splitlines() if line.endswith("Ben: 63R 24/15")]
    assert boards == ["1.1b, Ben: 63R 24/15", "2.1.1b, Ben: 63R 24/15"]


def test_text_can_have_boards() -> None:
    for boards in ("1", "every 1"):
        assert run("annotate", "--boards", boards, "-", stdin=MATCH).out.count("XGID=") == 3


def test_boards_at_comments_show_the_comment() -> None:
    ran = run("annotate", "--to=plain", "--boards=comments", SAMPLES / "match-5pt-annotated.sgf")
    assert ran.status == 0
    assert ran.out.count("XGID=") >= 1


@pytest.mark.parametrize("boards", ["0", "-1", "some", ""])
def test_wrong_numbers_of_boards_are_errors(
    boards: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("annotate", f"--boards={boards}", "-", stdin=MATCH).status == 2
    assert "--boards" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("form", "begins"),
    [("markdown", "### Ann"), ("bbcode", "[b]Ann"), ("html-forum", "<h3>Ann"), ("html", "<!")],
)
def test_each_form_has_its_heading(form: str, begins: str) -> None:
    assert output_of("annotate", "--to", form, "-", stdin=MATCH).lower().startswith(begins.lower())


def test_a_sequence_can_be_in_words() -> None:
    # The caption of #83: letters without a word are kept.
    caption = "52D-21$-43U-64H-52K-4-42H-41-62R-21x-53@"
    ran = run("post", "--to", "plain", "--spoken", caption)
    assert ran.out.splitlines()[0] == (
        "52-down, 21-slot, 43-up, 64-hit, 52-kill, 4, 42-hit, 41, 62-run, 21x, 53-anchor"
    )


ANALYSED = SAMPLES / "match-3pt-analysed.sgf"
# Sites whose rules for hidden text the tests can read.
HIDING = ("reddit", "old reddit", "discord", "discourse", "backgammonforums")


def hidden(site: str, text: str) -> str:
    return "".join(character for character, marks in rendered(site, text) if "spoiler" in marks)


@pytest.mark.parametrize("site", HIDING)
def test_the_solution_is_hidden(site: str) -> None:
    """Roll, score, cube and board are visible, and the solution is hidden."""
    text = "54S-63R-31 [P @87 H94]"
    output = output_of(
        "post", "--engine", "none", "--to", site.removeprefix("old "), "--spoiler", text
    )
    visible = "".join(
        character for character, marks in rendered(site, output) if "spoiler" not in marks
    )
    assert "X to play 31: your play?" in visible
    assert "54S-63R-31" in visible
    assert "Money game; cube in the middle" in visible
    assert "XGID=-a----E-D-a-eD---c-eA---A-:0:0:1:31:0:0:0:0:10" in visible
    assert "8/5 6/5" not in visible
    answer = hidden(site, output)
    assert "31P 8/5 6/5" in answer
    assert "31@ 24/20 (-.087)" in answer


@pytest.mark.parametrize(
    ("target", "begins", "ends"),
    [
        ("bbcode", "[spoiler]31P", "[/spoiler]"),
        ("html-forum", "<details>\n<summary>Solution</summary>\n<p>31P", "</details>"),
        ("markdown", "Solution:\n\n31P", "(-.094)"),
        ("plain", "Solution:\n31P", "(-.094)"),
    ],
)
def test_the_answer_comes_last(target: str, begins: str, ends: str) -> None:
    ran = run("post", "--to", target, "--spoiler", "54S-63R-31 [P @87 H94]")
    assert begins in ran.out
    assert ran.out.endswith(f"{ends}\n")
    assert ran.out.index("XGID") < ran.out.index(begins)


def test_a_decision_of_a_match_becomes_a_quiz() -> None:
    """Bob plays 21H in move 6; the analysis rates 21P best."""
    for place, name in (("1.6b", "Bob"), ("1.6a", "Alice"), ("1.6", "Alice")):
        output = output_of("post", "--to", "plain", "--spoiler", f"{ANALYSED}#{place}")
        assert f"{name} to play" in output
        assert "3-away 3-away; cube in the middle" in output
        assert output.count("(played)") == 1
    cube = run("post", "--to", "plain", "--spoiler", "--cube", f"{ANALYSED}#1.6b")
    assert "Bob to roll: double?" in cube.out
    assert "no double, " in cube.out.partition("Solution:")[2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([f"{ANALYSED}#9.1"], "there is no game 9"),
        ([f"{ANALYSED}#1.999"], "there is no decision 999 in game 1"),
        (["nothing.mat#1.1"], "nothing.mat: No such file"),
        (
            ["--spoiler", "--engine", "none", "31"],
            "this decision has no analysis, and --engine is none",
        ),
    ],
)
def test_missing_decisions_are_errors(words: list[str], message: str) -> None:
    assert message in error_of("post", *words)
    assert run("post", "--cube", "31").status == 2


@pytest.mark.parametrize(
    ("decision", "engine"),
    [
        (SAMPLES / "match-3pt-analysed.sgf#1.11", "gnubg 0-ply"),
        ("54S-63R-31 [P @87] XG 4-ply", "XG 4-ply"),
    ],
)
def test_the_answer_names_its_engine(decision: object, engine: str) -> None:
    ran = run("post", "--engine", "none", "--to", "plain", "--spoiler", decision)
    assert ran.out.rstrip().endswith(f"\n{engine}")
