"""Posts in parts: none too long, each one complete, and nothing lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnubg_nactation.annotation import annotate
from gnubg_nactation.exports.post import PostStyle, as_post, format_match, in_parts
from gnubg_nactation.exports.targets import TARGETS
from gnubg_nactation.files.formats import read
from tests.cli.running import SAMPLES
from tests.exports import discord

DISCORD = TARGETS["discord"]
LIMIT = 2000
TEXT = st.text(max_size=120) | st.text(alphabet="ab-`|*\\ \n\U0001f3b2", max_size=300)


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def text_of(text: str, mark: str | None = None) -> str:
    """The text shown, without blanks, line ends and joiners, with its styles."""
    return "".join(
        character
        for character, marks in discord.read(text)
        if not character.isspace() and character != "\u2060" and (not mark or mark in marks)
    )


def blocks_of(texts: list[str]) -> list[str]:
    makers = (
        lambda text: DISCORD.heading(DISCORD.escape(text) or "-"),
        lambda text: DISCORD.paragraph(DISCORD.escape(text) or "-"),
        lambda text: DISCORD.preformatted(f"x {text}"),
        lambda text: DISCORD.spoiler([f"x {DISCORD.escape(line)}" for line in text.split("\n")]),
    )
    return [makers[at % 4](text * (1 + 7 * (at % 3))) for at, text in enumerate(texts)]


@given(st.lists(TEXT, min_size=1, max_size=12), st.sampled_from([300, 700, LIMIT]))
def test_parts_are_short_and_complete(texts: list[str], longest: int) -> None:
    blocks = blocks_of(texts)
    parts = in_parts(blocks, longest)
    assert all(utf16(part) <= longest for part in parts)
    for mark in (None, "pre", "spoiler"):
        whole = "".join(text_of(block, mark) for block in blocks)
        together = "".join(text_of(part, mark) for part in parts)
        if mark != "spoiler":
            whole, together = (text.replace("Solution:", "") for text in (whole, together))
        assert together == whole
    assert len(parts) == 1 or sum(map(utf16, blocks)) > longest / 2


def test_a_heading_goes_with_what_it_heads() -> None:
    blocks = ["a" * 90 + "\n", "### one\n", "### two\n", "b" * 80 + "\n"]
    assert in_parts(blocks, 110) == [blocks[0], "\n".join(blocks[1:])]


def test_a_long_sequence_is_cut_at_a_hyphen() -> None:
    row = "-".join(["44__G__"] * 50)
    parts = in_parts([f"{row}\n"], 100)
    assert len(parts) > 3
    assert "".join(part.strip() for part in parts) == row
    assert all(part.startswith("44__G__") for part in parts)
    assert all(part.endswith("-\n") for part in parts[:-1])


def test_a_long_block_is_several() -> None:
    block = DISCORD.preformatted("\n".join(["a line"] * 50))
    for part in in_parts([block], 100):
        assert part.startswith("```\na line\n")
        assert part.endswith("\na line\n```\n")


@pytest.mark.parametrize("layout", ["columns", "row", "paired", "column"])
def test_a_match_in_parts(layout: str) -> None:
    (match,) = map(annotate, read((SAMPLES / "match-11pt.mat").read_bytes()))
    text = format_match(match, DISCORD, PostStyle(layout, boards=20))
    head, *rest = text.split("-------- 8< -------- ")
    assert rest
    for at, text_of_part in enumerate(rest, 2):
        number, _, part = text_of_part.partition("\n\n")
        assert number == f"part {at} of {len(rest) + 1}"
        assert utf16(part.rstrip("\n")) <= LIMIT
        assert part.count("```") % 2 == 0
    assert utf16(head.rstrip("\n")) <= LIMIT


def test_other_sites_take_it_at_once() -> None:
    assert as_post(["a\n" * 2000, "b\n"], TARGETS["reddit"]) == "a\n" * 2000 + "\nb\n"
