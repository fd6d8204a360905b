"""Nacbracs in the markup of forums: their looks, and that they read back."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gnubg_nactation.exports.post import spell_nacbrac
from gnubg_nactation.exports.targets import TARGETS
from gnubg_nactation.nacbracs.bots import describe_bot
from gnubg_nactation.nacbracs.nacbrac import Nacbrac, format_nacbrac
from gnubg_nactation.nacbracs.reading import parse_nacbrac
from tests.nacbracs.test_nacbrac import nacbracs


@given(nacbracs(), st.sampled_from(sorted(TARGETS)), st.booleans())
@settings(max_examples=150)
def test_what_is_posted_is_read_back(nacbrac: Nacbrac, target: str, bold_best: bool) -> None:
    assume(len({entry.name for entry in nacbrac.entries}) == len(nacbrac.entries))
    text = spell_nacbrac(nacbrac, TARGETS[target], bold_best=bold_best)
    again = parse_nacbrac(TARGETS[target].paragraph(text))
    assert again == nacbrac
    assert describe_bot(again.suffix) == describe_bot(nacbrac.suffix)


@pytest.mark.parametrize("text", ["[U=V]", "[E_ E_{5}1]"])
def test_the_best_is_not_bold_where_it_would_be_a_lower_member(text: str) -> None:
    nacbrac = parse_nacbrac(text)
    post = spell_nacbrac(nacbrac, TARGETS["bbcode"], bold_best=True)
    assert not post.startswith("[\u2060[b]")
    assert [entry.name for entry in parse_nacbrac(post).entries] == [
        entry.name for entry in nacbrac.entries
    ]


@given(nacbracs())
def test_plain_is_what_is_typed(nacbrac: Nacbrac) -> None:
    assert spell_nacbrac(nacbrac, TARGETS["plain"], bold_best=True) == format_nacbrac(nacbrac)


@pytest.mark.parametrize(
    ("target", "post"),
    [
        ("markdown", "g\\[**P**\\=**&amp;** *E*7 R\\_9 A.12\\] /e"),
        ("bbcode", "g[\u2060[b]P[/b]=[b]&[/b] [i]E[/i]7 [u]R[/u]9 A.12] /e"),
        ("html-forum", "g[<b>P</b>=<b>&amp;</b> <i>E</i>7 <u>R</u>9 A.12] /e"),
        ("plain", "g[P=& E{3}7 R_9 A.12] /e"),
    ],
)
def test_looks_and_the_best_in_bold(target: str, post: str) -> None:
    nacbrac = parse_nacbrac("g[P=& E{3}7 R_9 A.12] /e")
    assert spell_nacbrac(nacbrac, TARGETS[target], bold_best=True) == post
    plain = post
    for tag in ("[b]", "[/b]", "<b>", "</b>", "**"):
        plain = plain.replace(tag, "")
    assert spell_nacbrac(nacbrac, TARGETS[target]) == plain


def test_a_look_that_would_be_taken_for_emphasis_is_a_number() -> None:
    """P{5} is a bold P (section 14): alone bold among others, it would be the best in bold."""
    html = TARGETS["html-forum"]
    assert spell_nacbrac(parse_nacbrac("[P{5} B7]"), html) == "[P{5} B7]"
    assert spell_nacbrac(parse_nacbrac("[P{5} B7]"), html, bold_best=True) == "[<b>P{5}</b> B7]"
    assert spell_nacbrac(parse_nacbrac("[P]"), html, bold_best=True) == "[P]"
    assert spell_nacbrac(parse_nacbrac("[B P{5}7]"), html) == "[B <b>P</b>7]"
    coloured = spell_nacbrac(parse_nacbrac("[B P{9}7]"), html)
    assert coloured.startswith('[B <span style="color:')
