"""Results on a terminal: width, styles and colours; pipes get plain text."""

from __future__ import annotations

import re
import sys

import pytest

from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.writing.terminal import fold, styled
from tests.cli.running import SAMPLES, run

if sys.platform == "win32":
    pytest.skip("no pseudo-terminals", allow_module_level=True)

from tests.cli.screens import STYLE, bare, on_screen

ANALYSED = SAMPLES / "match-3pt-analysed.sgf"
COMMANDS: dict[str, tuple[object, ...]] = {
    "columns": ("annotate", "--errors", "--letters", "--traditional", ANALYSED),
    "row": ("annotate", "--layout=row", SAMPLES / "match-5pt.mat"),
    "decode": ("decode", "--engine=none", "43Z!? (a remark that is rather long) 32H 54"),
    "plays": ("plays", "start", "33"),
    "explain": ("explain", "--engine=none", "54S-63R-31P"),
}


@pytest.mark.parametrize("columns", [50, 80, 200])
@pytest.mark.parametrize("name", COMMANDS)
def test_lines_fit_the_terminal(name: str, columns: int) -> None:
    words = COMMANDS[name]
    piped, screen_text = run(*words).out, bare(on_screen(columns, *words))
    # An XGID has 51 characters and no place to fold.
    assert all(len(line) <= columns or " " not in line for line in screen_text.splitlines())
    # Nothing is lost or added but blanks and line ends.
    assert sorted("".join(screen_text.split())) == sorted("".join(piped.split()))
    if max(map(len, piped.splitlines())) <= columns and name != "explain":
        assert screen_text == piped
    if name == "columns" and columns == 50:
        assert "   2  53P    8/3 6/3         32&    8/5 6/4\n" in screen_text
        assert f"{'':31}?? -.192 (S)\n" in screen_text


def test_a_sequence_is_folded_between_tokens() -> None:
    row = on_screen(50, *COMMANDS["row"], NO_COLOR="1").splitlines()
    head_lines = row.index("") + 1  # the head of the match and its tags
    row = row[head_lines:]
    first = run(*COMMANDS["row"]).out.splitlines()[head_lines]
    screen_text = "\n".join(row)
    head = screen_text[: len(first) + screen_text[: len(first)].count("\n") + 4].replace("\n", "")
    assert head.startswith(first)
    starts = [line for line in row if line and not line.startswith("-")]
    assert all(re.match(r"[1-6]{2}|[CFPR](-|$)", line.strip()) for line in starts)
    folded = screen_text[: screen_text.index("-C-P") + 4]
    again, plain = decode(folded), decode(first)
    assert [turn.play for turn in again.turns] == [turn.play for turn in plain.turns]


def test_styles_and_colours() -> None:
    """Characters keep their styles, such as an italic a or an underlined G; blunders are red."""
    screen_text = on_screen(120, *COMMANDS["row"])
    assert "32\x1b[3ma\x1b[0m{4}" in screen_text
    assert "44\x1b[4mG\x1b[0m_" in screen_text
    errors = on_screen(120, *COMMANDS["columns"])
    assert "\x1b[1;31m?? -.129\x1b[0m (S)" in errors
    assert "\x1b[31m? -.048\x1b[0m (missed double)" in errors
    assert "\x1b[33m?! -.035\x1b[0m (x)" in errors


@pytest.mark.parametrize(
    ("options", "environment", "coloured"),
    [
        ((), {}, True),
        ((), {"NO_COLOR": "1"}, False),
        ((), {"NO_COLOR": ""}, True),  # according to no-color.org
        ((), {"TERM": "dumb"}, False),
        (("--color=never",), {}, False),
        (("--color=always",), {"NO_COLOR": "1"}, True),
    ],
)
def test_options_and_environment_choose_colours(
    options: tuple[str, ...], environment: dict[str, str], coloured: bool
) -> None:
    screen_text = on_screen(200, *COMMANDS["row"], *options, **environment)
    assert bool(STYLE.search(screen_text)) == coloured


def test_the_variable_columns_overrides_the_terminal() -> None:
    screen_text = on_screen(200, *COMMANDS["plays"], COLUMNS="50")
    assert screen_text == on_screen(50, *COMMANDS["plays"])


@pytest.mark.parametrize("name", COMMANDS)
def test_pipes_get_plain_text(name: str) -> None:
    words = COMMANDS[name]
    plain = run(*words).out
    assert "\x1b" not in plain
    assert run(*words, "--color=never").out == plain
    assert bare(run(*words, "--color=always").out) == plain


def test_json_has_no_colours() -> None:
    out = run("decode", "--json", "--color=always", "--engine=none", "43Z-32X-11I").out
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("21P{7}-31", "21<3;1>P<0>{7}-31"),
        ("33A.{3}", "33<3>A<0>.{3}"),
        ("[P E_7]", "[P <4>E<0>_7]"),
        ("P{9}", "<38;2;255;0;0>P<0>{9}"),
        ("21p", "21p"),
        (
            "a_b E_mile p{3}",
            "a_b E_mile p{3}",
        ),  # names of players, and a member that does not exist
    ],
)
def test_styled_letters_have_escape_codes(text: str, expected: str) -> None:
    assert STYLE.sub(r"<\1>", styled(text)) == expected


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("one two three", 9, "one two|    three"),
        ("  name      value", 12, "  name|      value"),
        ("54S-63R-31P-F-C-P", 9, "54S-63R-|31P-F-C-P"),
        ("      54S-63R-31P", 14, "      54S-63R-|      31P"),
        ("unfoldable", 5, "unfoldable"),
    ],
)
def test_lines_fold_at_blanks_and_hyphens(text: str, width: int, expected: str) -> None:
    assert fold(text, width).split("\n") == expected.split("|")
