"""Posts: what parsers that are not ours make of them, and that they are read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Game, Match, Move
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.exports.post.posts import (
    TARGETS,
    PostStyle,
    format_match,
    format_position,
    format_sequence,
    sequence_row,
)
from gnubg_nactation.exports.text import game_sequence
from gnubg_nactation.files import mat
from gnubg_nactation.language.alphabet import FAMILIES, Diacritic
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.writing.colours import colour_text
from gnubg_nactation.writing.spelling import spell
from tests.cli.running import SAMPLES
from tests.exports.rendering import Shown, as_html, shown, words
from tests.golden.golden import CASES, FOLDER, MATCH

MARKED_UP = ("markdown", "bbcode", "html-forum")
ANNOTATED = annotate(mat.read(MATCH.read_bytes())[0])
MATCHES = [annotate(mat.read(file.read_bytes())[0]) for file in sorted(SAMPLES.glob("*.mat"))]


def looks(nactation: Nactation) -> Shown:
    """What readers shall see of a Nactation."""
    look = nactation.look
    inside = {"i"} if look.italic else set()
    inside |= {"b"} if look.bold else set()
    inside |= {"u"} if nactation.mark is Diacritic.UNDERLINE else set()
    inside |= {f"color:{colour_text(look.colour)}"} if look.colour else set()
    dot: Shown = [(".", frozenset())] if nactation.mark is Diacritic.DOT else []
    return [(look.character, frozenset(inside)), *dot]


def bare(text: str) -> Shown:
    return [(character, frozenset()) for character in text]


def expected_rows() -> list[Shown]:
    """The rows of the golden match, made of its values alone."""
    rows = []
    for game in ANNOTATED.games:
        turns = [turn for turn in game.turns if isinstance(turn.action, Move)]
        row: Shown = []
        for turn in game.turns:
            action = turn.action
            token: Shown = bare({"Double": "C", "Drop": "P"}.get(type(action).__name__, ""))
            if isinstance(action, Move):
                named = turn.namings and len(turn.plays) > 1
                token = bare(str(action.roll)) + (looks(turn.namings[0].nactation) if named else [])
                if turn.nactation == "^":
                    token = bare("F")
            if token and token[0][0] == "C" and turn.state and turn.state.owner is not None:
                token = bare("R")
            row += (bare("-") if row and token else []) + token
        starts = isinstance(turns[0].action, Move) and turns[0].action.player
        rows.append((bare("-") if starts is Player.SECOND else []) + row)
    return rows


@pytest.mark.parametrize("target", MARKED_UP)
def test_a_row_shows_each_character_in_its_emphasis(target: str) -> None:
    name = next(name for name in CASES if name.startswith(f"post-{target}-row"))
    seen = shown(target, (FOLDER / name).read_text("utf-8"))
    text = "".join(character for character, _ in seen)
    rows = expected_rows()
    assert len(rows) == 3
    at = 0
    for row in rows:
        plain = "".join(character for character, _ in row)
        at = text.index(plain, at)
        assert seen[at : at + len(row)] == row
        at += len(row)


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("post-")])
def test_every_golden_is_well_formed_and_says_what_plain_text_says(name: str) -> None:
    target, layout = name[5:].partition(".")[0].rsplit("-", 1)
    seen = words(shown(target, (FOLDER / name).read_text("utf-8"))) if target != "plain" else ""
    for game in ANNOTATED.games:
        assert target == "plain" or f"Game {game.number}: Alice" in seen
    if layout == "columns" and target in {"markdown", "bbcode"}:
        plain = (FOLDER / "post-plain-columns.txt").read_text("utf-8")
        assert seen == " ".join(plain.split())


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("paired", [False, True], ids=["row", "paired"])
def test_rows_are_read_back(target: str, paired: bool) -> None:
    style = PostStyle("paired" if paired else "row")
    for match in MATCHES:
        if match.match.start != GameState().position:
            continue
        for game in match.games:
            text = game_sequence(game)
            if "?" in text:
                continue
            decoded = decode(text, strict=True)
            row = sequence_row(decoded, TARGETS[target], style)
            again = decode(row, strict=True)
            assert [turn.play for turn in again.turns] == [turn.play for turn in decoded.turns]
            assert again.state == decoded.state


@pytest.mark.parametrize("target", MARKED_UP)
@given(row=st.sampled_from(FAMILIES), member=st.integers(1, 40))
def test_any_nactation_between_rolls_and_hyphens(target: str, row: object, member: int) -> None:
    name = Nactation(row, member)  # type: ignore[arg-type]
    text = f"21{spell(name, TARGETS[target].spelling)}-31"
    seen = shown(target, TARGETS[target].paragraph(text))
    assert [glyph for glyph in seen if glyph[0] != "\n"] == bare("21") + looks(name) + bare("-31")


NAMES = st.text(max_size=40) | st.text(alphabet="[]*_#<>$|`\\&-+.1)/ibcode ~^=!\n\t", max_size=30)


@pytest.mark.parametrize("target", MARKED_UP)
@given(text=NAMES)
def test_any_text_is_shown_as_it_is(target: str, text: str) -> None:
    safe = TARGETS[target].escape(text)
    assert "\n" not in safe
    plain = TARGETS["plain"].escape(text).replace("\u2060", "")
    for wrap in (TARGETS[target].heading, TARGETS[target].paragraph):
        seen = shown(target, wrap(safe))
        inside = {"b"} if target == "bbcode" and wrap is TARGETS[target].heading else set()
        assert words(seen) == " ".join(plain.split())
        assert {look for _, look in seen if _.strip()} <= {frozenset(inside)}


@pytest.mark.parametrize("target", MARKED_UP)
@given(text=NAMES)
def test_any_text_is_shown_line_by_line_where_lines_count(target: str, text: str) -> None:
    seen = shown(target, TARGETS[target].preformatted(f"a {text} b"))
    plain = TARGETS["plain"].preformatted(f"a {text} b").replace("\u2060", "")
    assert words(seen) == " ".join(plain.split())
    assert {look for character, look in seen if character.strip()} == {frozenset({"pre"})}


NASTY = (
    "<script>alert(1)</script>",
    "[url=javascript:x]*_#$`|</pre>```[/code]",
    "\u202eleft\u202c \"quotes' &amp; " + 500 * "x",
)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("layout", ["columns", "row", "paired", "column"])
@pytest.mark.parametrize("name", NASTY)
def test_nasty_names_and_comments(target: str, layout: str, name: str) -> None:
    moves = (
        Move(
            Player.SECOND, Roll.parse("31"), (Hop(8, 5), Hop(6, 5)), comment=f"# {name}\n- {name}"
        ),
    )
    match = Match((name, "Ben"), 3, (Game(1, (0, 0), moves),))
    text = format_match(annotate(match), TARGETS[target], PostStyle(layout, boards="comments"))
    if target == "plain":
        assert "# " in text
        return
    assert "<script" not in as_html(target, text)
    expected = " ".join(TARGETS["plain"].escape(name).replace("\u2060", "").split())
    assert words(shown(target, text)).count(expected[:60]) >= 4


@pytest.mark.parametrize("target", MARKED_UP)
def test_a_position_with_its_board_and_xgid(target: str) -> None:
    seen = shown(target, format_position(GameState(), TARGETS[target], caption="here"))
    text = "".join(character for character, _ in seen)
    board = text[text.index(" +13") : text.index("XGID")]
    assert len({line.index("|BAR|") for line in board.splitlines() if "|BAR|" in line}) == 1
    assert "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10" in text


@pytest.mark.parametrize(
    ("style", "begins", "ends"),
    [
        (PostStyle(), "-21S-63R-", "-33B-F-41K"),
        (PostStyle(fan="^"), "-21S-63R-", "-33B-66^-41K"),
        (PostStyle(fan="roll"), "-21S-63R-", "-33B-66-41K"),
        (PostStyle("paired"), "-21S63R-", "-33B,F-41K"),
        (PostStyle(start="-->"), "-->21S-63R-", "-41K"),
    ],
)
def test_the_row_of_a_sequence(style: PostStyle, begins: str, ends: str) -> None:
    decoded = decode("-21S-63R-64P-61P-54R-31x-52U-41K-33B-66^-41K")
    row = sequence_row(decoded, TARGETS["plain"], style)
    assert row.startswith(begins)
    assert row.endswith(ends)


def test_blunders() -> None:
    text = format_match(ANNOTATED, TARGETS["plain"], PostStyle(boards="blunders"))
    assert "XGID" not in text  # nothing is analysed
    decoded = decode("31P")
    assert format_sequence(decoded, TARGETS["plain"], PostStyle()).startswith("31P\n")
