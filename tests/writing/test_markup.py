"""Text pasted from elsewhere: what is markup and what is Nactation."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.writing.markup import Glyph, read_markup


def shown(text: str) -> str:
    """The characters read, each with its look behind it in braces: `P{i}`, `E{bu2}`."""
    return "".join(show(glyph) for glyph in read_markup(text))


def show(glyph: Glyph) -> str:
    look = "i" * glyph.italic + "b" * glyph.bold + "u" * glyph.underline + "d" * glyph.dot
    look += str(glyph.colour) if glyph.colour else ""
    return glyph.character + (f"{{{look}}}" if look else "")


def plain(text: str) -> str:
    return "".join(glyph.character for glyph in read_markup(text))


@pytest.mark.parametrize(
    "text",
    [
        "54S-63R-31P",
        "21<-63R>",
        "21<-42>-31^-F-2",
        "61&-52P-62&;31P",
        "21$-62&-32@-43#-21%",
        "[P @87 H94 X101]",
        "[P @87]\"<8*3*1 [P @8]'^10*3*1",
        "[-688 P c56]\\3 [=P 4-8 560]|1 [B] [b] [i 3] [U=V 3]",
        "E_-E_",
        "22E_-31P_",
        "22E_-11N.-33e_{3}-31P{3}-62&{2}",
        "22E_64H11O_22_E",
        "13/7*/5 6/5* 8/4*(2) bar/20*/15* 24/18*-13/9*",
        "31_P_-42_p_",
        "* 31P * 42P",
        "** * _ __ 31P* `31P",
        "&amp &D; &nosuch; &#; <x> <P 42> <31P> </> <b 31> [x] [/b] [b=1] [color=red]",
        "-> 54S\n--> 63R\n\n31P",
        "é ß 東",
        "",
    ],
)
def test_what_is_no_markup_stays(text: str) -> None:
    assert read_markup(text) == tuple(Glyph(c, at=at) for at, c in enumerate(text))


@pytest.mark.parametrize("character", sorted({c for row in FAMILIES for c in row.characters}))
def test_every_character_of_the_alphabet_stays(character: str) -> None:
    for text in (character, f"31{character}-31{character}", f"[{character} {character}8]"):
        assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("31<i>P</i>-", "31P{i}-"),
        ("<em>P</em><strong>P</strong><ins>P</ins>", "P{i}P{b}P{u}"),
        ("<B><I>P</I></B>", "P{ib}"),
        ("<b><i>P</b>p</i>q", "P{ib}p{i}q"),
        ("<i>P", "P{i}"),
        ("</i>P</b>", "P"),
        ("<i><i>P</i>p</i>q", "P{i}p{i}q"),
        ("<i class='x'>P</i >", "P{i}"),
        ('<font color="red">P</font>', "P{1}"),
        ("<font face=Arial color=blue>P</font>", "P{2}"),
        ("<font color=red>P<font color=blue>P</font>P</font>P", "P{1}P{2}P{1}P"),
        (
            '<span style="COLOR: rgb(0, 0, 255); font-style:italic; font-weight:700">P</span>p',
            "P{ib2}p",
        ),
        ("<span style='text-decoration: underline'>E</span>", "E{u}"),
        ("<i>P<span style='font-style:normal'>p</span>P</i>", "P{i}pP{i}"),
        ("<span style='background-color:red;font-weight:400'>P</span>", "P"),
        (
            '<span style="font-family: &quot;Arial Unicode MS&quot;, serif;">E&#x0325;</span>',
            "E{d}",
        ),
        ("54S<br>63R<br/>31P", "54S\n63R\n31P"),
        ("54S<br />\n63R<br>\r\n31P", "54S\n63R\n31P"),  # as HTML is usually written
        ("<p>54S</p><code>31P</code>", "\n54S\n31P"),
        ("<tr><td>54S</td><td>63R</td>", "\n 54S  63R "),
        ("<a href='x?a=1&b=2'>31P</a><img src=b.png alt=x>", "31P"),
        ("<!-- <i>21H</i> --><style>i{color:red}</style><!DOCTYPE html>31P", "31P"),
        ("21&lt;-42&gt;-62&amp;-21&#36;-21&dollar;", "21<-42>-62&-21$-21$"),
        ("54S&nbsp;63R&ndash;31P&#8209;", "54S 63R-31P-"),
        ("31&lt;i&gt;P&amp;lt;", "31<i>P&lt;"),
        ("&#0;&#x110000;&#9999999;", "\ufffd\ufffd\ufffd"),
    ],
)
def test_html(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("31[i]P[/i]-", "31P{i}-"),
        ("[B][I]P[/I][/B]", "P{ib}"),
        ("[b][i]P[/b]p[/i]q", "P{ib}p{i}q"),
        ("[u]E[/u][color=#00F]P[/color][COLOR='red']P[/COLOR]", "E{u}P{2}P{1}"),
        ("[b]31P[/b] [B]", "3{b}1{b}P{b} [B]"),
        ("[U 3 v12] [u]E[/u]", "[U 3 v12] E{u}"),
        ("[quote=Nack]31P[/quote][size=3]x[/size]", "\n31P\nx"),
        ("[list][*]31P[/list]", "\n\n31P\n"),
        ("[i]<b>P</b>[/i]*P*", "P{ib}P{i}"),
    ],
)
def test_bbcode(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("31*P*-42**p**-21***h***", "31P{i}-42p{b}-21h{ib}"),
        ("31*P*64*H*", "31P{i}64H{i}"),
        ("31*4*-31*4*", "314{i}-314{i}"),
        ("_P_ __p__ ___E___", "P{i} p{b} E{ib}"),
        ("<u>*E*</u>", "E{iu}"),
        ("*E_*", "E{i}_{i}"),
        ("*31P\n42p*", "3{i}1{i}P{i}\n{i}4{i}2{i}p{i}"),
        ("*31P\n\n42p*", "*31P\n\n42p*"),
        ("*31P\r\n\r\n42p*", "*31P\n\n42p*"),
        ("13/7\\*/5-21\\$-62\\&-33E\\_\\x", "13/7*/5-21$-62&-33E_\\x"),
        ("\\*P\\*", "*P*"),
        ("\\[P\\]\\*", "[P]*"),
        ("`31*P*` ``a`b`` `x", "31*P* a`b `x"),
        ("`<b>&lt;[i]x[/i]\\*`", "<b>&lt;[i]x[/i]\\*"),
        ("\\`*P*`", "`P{i}`"),
        ("`a\n\nb`", "`a\n\nb`"),
        ("```text\n54S-*P*\n\n63R\n```\n", "54S-*P*\n\n63R\n\n"),
    ],
)
def test_markdown(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("E\u0332 E\u0323 E\u0325", "E{u} E{d} E{d}"),
        ("\u1eb8\u1e46\u1ea0C\u0323\u1ecc", "E{d}N{d}A{d}C{d}O{d}"),
        ("\u1e0e", "D{u}"),
        ("<i>E</i>&#818;", "E{iu}"),
        ("E\u200b\u0332", "E{u}"),
        ("\u0332E", "E"),
        ("\u00c9", "\u00c9"),
        ("\uff30\uff45\uff04\uff11", "Pe$1"),
        ("\U0001d443\U0001d418\U0001d47b\u210e\U0001d7d1", "P{i}Y{b}T{ib}h{i}3{b}"),
        ("54S\u201363R\u201431P\u2212\u2011\u2192\u21d2", "54S-63R-31P--->->"),
        ("a\u00a0b\u2009c\u3000d\te\u2028f", "a b c d e\nf"),
        ("3\u200b1\ufeffP\u00ad\u2060", "31P"),
        ("[P]\u201d<8 \u2019^10 \u2026", "[P]\"<8 '^10 ..."),
        ("a\r\nb\nc", "a\nb\nc"),
    ],
)
def test_typography(text: str, expected: str) -> None:
    assert shown(text) == expected
    assert shown(unicodedata.normalize("NFC", text)) == expected


def test_places_are_those_of_the_text() -> None:
    text = "31<i>P</i>&lt;\u2192`x`\\*"
    glyphs = [(glyph.character, glyph.at) for glyph in read_markup(text)]
    arrow = text.index("\u2192")
    assert glyphs == [
        ("3", 0),
        ("1", 1),
        ("P", 5),
        ("<", 10),
        ("-", arrow),
        (">", arrow),
        ("x", arrow + 2),
        ("*", arrow + 5),
    ]


WORDS = (
    '<i> </i> <b <span style= " > [b] [/b] [ ] [color= * ** _ ` ``` \\ & &lt; &# ; P 31 - \u0332'
)
JUNK = st.lists(
    st.sampled_from([*WORDS.split(), " ", "\n", "\n\n"]) | st.text(max_size=3), max_size=30
).map("".join)


@given(JUNK)
@example("\u0332")
@example("`" * 7)
def test_anything_at_all_is_read(text: str) -> None:
    glyphs = read_markup(text)
    places = [glyph.at for glyph in glyphs]
    assert places == sorted(places)
    assert all(len(glyph.character) == 1 for glyph in glyphs)
    assert all(0 <= place < len(text) for place in places)


def emphasis_elsewhere(text: str) -> list[tuple[str, bool, bool]]:
    """The characters of a paragraph with italics and bold as another program reads Markdown."""
    (inline,) = [token for token in MarkdownIt("commonmark").parse(text) if token.children]
    depth = {"em": 0, "strong": 0}
    found = []
    for token in inline.children or ():
        if token.tag in depth:
            depth[token.tag] += token.nesting
        elif not token.nesting:
            italic, bold = depth["em"] > 0, depth["strong"] > 0
            found += [(c, italic, bold) for c in token.content]
    return found


@given(st.text("**__aPE1.-$(> ", max_size=25))
@example("31*P*64**E**22***p***-")
@example("**a*b**c*")
@example("*a**b**c*")
def test_emphasis_is_as_commonmark_has_it(text: str) -> None:
    paragraph = f"x{text}x"  # so that it is neither a list nor a heading nor a rule
    glyphs = read_markup(paragraph)
    assert [(g.character, g.italic, g.bold) for g in glyphs] == emphasis_elsewhere(paragraph)


@given(st.text("``a*\\ ", max_size=15))
def test_code_spans_are_as_commonmark_has_them(text: str) -> None:
    paragraph = f"x{text}x"
    ours = [(g.character, g.italic) for g in read_markup(paragraph)]
    theirs = [(character, italic) for character, italic, _ in emphasis_elsewhere(paragraph)]
    # CommonMark takes away a blank at both ends of a code span.
    assert [g for g in ours if g[0] != " "] == [g for g in theirs if g[0] != " "]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "unit",
    [
        "*a", "**a_b", "*a ", "_a*", "a* *b", "`a``", "` `` ``` ", "<i>", "<i", "<b><i></b>",
        "<!--", "<!", "<script>", "<span style='", '<font color="', "[b]", "[color=",
        "[b][i][/b]", "&#1", "&a", "\\", "\\`", "]\"8*3", "]'1*", "\n", "\n \r", "=", "<b =",
        "style ", "E\u0332", "```\n",
    ],
)  # fmt: skip
def test_long_hostile_texts_are_read(unit: str) -> None:
    # Anything quadratic would run into the time limit of the tests.
    text = "<b " + unit * (80_000 // len(unit))
    assert len(read_markup(text)) <= len(text)


def test_deeply_nested_tags() -> None:
    text = "<b>" * 5_000 + "<i>" * 5_000 + "x</b>" * 5_000 + "<u>x</u>" * 5_000
    assert "".join(glyph.character for glyph in read_markup(text)) == "x" * 10_000


def test_a_tag_that_closes_itself_is_nobody_s_partner() -> None:
    looks = [
        (one.character, one.italic, one.bold) for one in read_markup("<i>a<i/>b</i>c<b />d<br/>")
    ]
    a, b, c, d = [(letter, letter in "ab", False) for letter in "abcd"]
    assert looks == [a, b, c, d, ("\n", False, False)]
