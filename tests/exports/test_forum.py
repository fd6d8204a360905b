"""Posts: rendered by independent parsers, and read back."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gnubg_nactation.annotation import AnnotatedMatch, annotate
from gnubg_nactation.backgammon.match import Game, Match, Move
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.exports.post import (
    PostStyle,
    format_match,
    format_position,
    format_sequence,
    sequence_row,
)
from gnubg_nactation.exports.targets import TARGETS, Target
from gnubg_nactation.exports.text import game_sequence
from gnubg_nactation.files.formats import read
from gnubg_nactation.language.alphabet import FAMILIES, Family
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.sequences.decode import Decoded, decode
from gnubg_nactation.writing.colours import colour_text
from gnubg_nactation.writing.markup import read_markup
from tests.cli.running import SAMPLES
from tests.exports.discord import StyledText
from tests.exports.rendering import as_html, pasted, rendered, words
from tests.golden.golden import CASES, FOLDER, MATCH

# The two faces of Reddit show the same post.
SITES = (
    *("markdown", "discourse", "backgammonforums", "reddit", "old reddit", "discord", "bbcode"),
    "html-forum",
)
WITH_LOOKS = ("bbcode", "html-forum")  # all of them, and not the keyboard's form
FILES = [*sorted(SAMPLES.glob("*.mat")), *sorted(SAMPLES.glob("*.sgf"))]


@cache
def annotated(file: Path = MATCH) -> AnnotatedMatch:
    (match,) = map(annotate, read(file.read_bytes()))
    return match


def target_of(site: str) -> Target:
    return TARGETS[site.removeprefix("old ")]


def looks(nactation: Nactation, site: str = "html-forum") -> StyledText:
    """A Nactation as readers should see it: its look (section 14), or else its plain spelling.

    Markdown has italics and bold of letters, and Discord underlines; no colours.
    """
    look = nactation.look
    mark = nactation.family.suffix
    underlined = mark == "_" and site in (*WITH_LOOKS, "discord")
    is_plain = look.colour or not look.character.isalnum() or (mark == "_" and not underlined)
    if site not in WITH_LOOKS and is_plain:
        return bare(str(nactation))
    inside = {"i"} if look.italic else set()
    inside |= {"b"} if look.bold else set()
    inside |= {f"color:{colour_text(look.colour)}"} if look.colour else set()
    if underlined:
        inside, mark = inside | {"u"}, ""
    return [(look.character, frozenset(inside)), *bare(mark)]


def bare(text: str) -> StyledText:
    return [(character, frozenset()) for character in text]


def expected_rows(site: str) -> list[StyledText]:
    """The rows of the golden match, made of its values alone."""
    rows = []
    for game in annotated().games:
        turns = [turn for turn in game.turns if isinstance(turn.action, Move)]
        row: StyledText = []
        for turn in game.turns:
            action = turn.action
            token: StyledText = bare({"Double": "C", "Drop": "P"}.get(type(action).__name__, ""))
            if isinstance(action, Move):
                has_name = turn.namings and len(turn.plays) > 1
                token = bare(str(action.roll)) + (
                    looks(turn.namings[0].nactation, site) if has_name else []
                )
                if turn.nactation == "^":
                    token = bare("F")
            if token and token[0][0] == "C" and turn.state and turn.state.owner is not None:
                token = bare("R")
            row += (bare("-") if row and token else []) + token
        starts = isinstance(turns[0].action, Move) and turns[0].action.player
        rows.append((bare("-") if starts is Player.SECOND else []) + row)
    return rows


@pytest.mark.parametrize("site", SITES)
def test_a_row_shows_each_character_in_its_emphasis(site: str) -> None:
    name = next(name for name in CASES if name.startswith(f"post-{site.removeprefix('old ')}-row"))
    view = rendered(site, (FOLDER / name).read_text("utf-8"))
    text = "".join(character for character, _ in view)
    rows = expected_rows(site)
    assert len(rows) == 3
    at = 0
    for row in rows:
        plain = "".join(character for character, _ in row)
        at = text.index(plain, at)
        assert view[at : at + len(row)] == row
        at += len(row)


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("post-")])
def test_every_golden_is_well_formed_and_says_what_plain_text_says(name: str) -> None:
    target, layout = name[5:].partition(".")[0].rsplit("-", 1)
    view = words(rendered(target, (FOLDER / name).read_text("utf-8"))) if target != "plain" else ""
    for game in annotated().games:
        assert target == "plain" or f"Game {game.number}: Alice" in view
    if layout == "columns" and target not in {"plain", "html-forum"}:
        plain = (FOLDER / "post-plain-columns.txt").read_text("utf-8")
        assert view == " ".join(plain.split())


@pytest.mark.thorough
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("paired", [False, True], ids=["row", "paired"])
def test_rows_are_read_back(target: str, paired: bool) -> None:
    style = PostStyle("paired" if paired else "row")
    for match in map(annotated, FILES):
        if match.match.start != GameState().position:
            continue
        for game in match.games:
            text = game_sequence(game)
            if "?" in text:
                continue
            read = decoded(text)
            again = decoded(sequence_row(read, TARGETS[target], style))
            assert [turn.play for turn in again.turns] == [turn.play for turn in read.turns]
            assert again.state == read.state


@pytest.mark.parametrize("site", SITES)
@given(row=st.sampled_from(FAMILIES), member=st.integers(1, 40))
def test_any_nactation_between_rolls_and_hyphens(site: str, row: Family, member: int) -> None:
    name, target = Nactation(row, member), target_of(site)
    view = rendered(site, target.paragraph(f"21{target.spell(name)}-31"))
    expected = bare("21") + looks(name, site) + bare("-31")
    assert [glyph for glyph in view if glyph[0] != "\n"] == expected


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_match_is_read_back_from_what_a_site_shows(site: str, file: Path) -> None:
    """Text copied from the page has the styles of the site, and all plays."""
    match = annotated(file)
    for layout in ("row", "paired"):
        posts = format_match(match, target_of(site), PostStyle(layout)).split("-------- 8< ")
        copied = "\n".join(pasted(rendered(site, post)) for post in posts)
        lines = [line for line in copied.splitlines() if line.strip()]
        heads = [at for at, line in enumerate(lines) if "Game " in bare_text(line)]
        assert len(heads) == len(match.games)
        for game, head in zip(match.games, heads, strict=True):
            expected = decoded(game_sequence(game))
            plays = [turn.play for turn in game.turns if turn.play]
            assert [turn.play for turn in expected.turns if turn.play] == plays
            again = decoded(lines[head + 1])
            assert [turn.play for turn in again.turns] == [turn.play for turn in expected.turns]
            assert again.state == expected.state


@cache
def decoded(text: str) -> Decoded:
    """The text reads back strictly; most sites show the same."""
    return decode(text, strict=True)


def bare_text(line: str) -> str:
    return "".join(glyph.character for glyph in read_markup(line))


NAMES = st.text(max_size=40) | st.text(alphabet="[]*_#<>$|`\\&-+.1)/ibcode ~^=!\n\t", max_size=30)


@pytest.mark.parametrize("site", SITES)
@given(text=NAMES)
def test_any_text_is_shown_as_it_is(site: str, text: str) -> None:
    target = target_of(site)
    safe = target.escape(text)
    assert "\n" not in safe
    plain = TARGETS["plain"].escape(text).replace("\u2060", "")
    for wrap, bold in ((target.heading, site == "bbcode"), (target.paragraph, False)):
        view = rendered(site, wrap(safe))
        inside = {"b"} if bold else set()
        assert words(view).replace("\u2060", "").split() == plain.split()
        assert {look for _, look in view if _.strip()} <= {frozenset(inside)}


@pytest.mark.parametrize("site", SITES)
@given(lines=st.lists(NAMES, min_size=2, max_size=3))
@example(lines=["A plan", "=", "==="])
@example(lines=["A plan", "---"])
def test_lines_of_a_paragraph_are_shown_as_they_are(site: str, lines: list[str]) -> None:
    target = target_of(site)
    safe = list(filter(None, map(target.escape, lines)))
    view = rendered(site, target.paragraph(target.line_break.join(safe)))
    plain = " ".join(map(TARGETS["plain"].escape, lines)).replace("\u2060", "")
    assert words(view).replace("\u2060", "").split() == plain.split()
    assert not any(look for _, look in view)


@pytest.mark.parametrize("site", SITES)
@given(text=NAMES)
def test_any_text_is_shown_line_by_line_where_lines_count(site: str, text: str) -> None:
    view = rendered(site, target_of(site).preformatted(f"a {text} b"))
    plain = TARGETS["plain"].preformatted(f"a {text} b").replace("\u2060", "")
    assert words(view).replace("\u2060", "").split() == plain.split()
    assert {look for character, look in view if character.strip()} == {frozenset({"pre"})}


NASTY = (
    "<script>alert(1)</script>",
    "[url=javascript:x]*_#$`|</pre>```[/code]",
    "\u202eleft\u202c \"quotes' &amp; " + 500 * "x",
)


@pytest.mark.parametrize("site", ["plain", *SITES])
@pytest.mark.parametrize("layout", ["columns", "row", "paired", "column"])
@pytest.mark.parametrize("name", NASTY)
def test_nasty_names_and_comments(site: str, layout: str, name: str) -> None:
    moves = (
        Move(
            Player.SECOND, Roll.parse("31"), (Hop(8, 5), Hop(6, 5)), comment=f"# {name}\n- {name}"
        ),
    )
    match = Match((name, "Ben"), 3, (Game(1, (0, 0), moves),))
    text = format_match(annotate(match), target_of(site), PostStyle(layout, boards="comments"))
    if site == "plain":
        assert "# " in text
        return
    assert "<script" not in as_html(site, text)
    expected = " ".join(TARGETS["plain"].escape(name).replace("\u2060", "").split())
    assert words(rendered(site, text)).count(expected[:60]) >= 4


def test_a_forum_draws_the_board() -> None:
    """As the forum's how-to has it: an XGID in a division of its own, between blank lines."""
    state = GameState(roll=Roll(3, 1))
    text = format_position(state, TARGETS["backgammonforums"], caption="here")
    board = "<div data-theme-position>XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10</div>"
    assert text == f"here\n\n{board}\n"
    assert board in as_html("backgammonforums", text).splitlines()


@pytest.mark.parametrize("site", SITES)
def test_a_position_with_its_board_and_xgid(site: str) -> None:
    view = rendered(site, format_position(GameState(), target_of(site), caption="here"))
    text = "".join(character for character, _ in view)
    if site == "backgammonforums":
        assert "+13" not in text
        return
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
    text = format_match(annotated(), TARGETS["plain"], PostStyle(boards="blunders"))
    assert "XGID" not in text  # nothing is analysed
    decoded = decode("31P")
    assert format_sequence(decoded, TARGETS["plain"], PostStyle()).startswith("31P\n")
