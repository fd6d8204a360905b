"""Every spelling of every Nactation, read back and rendered by other programs."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.alphabet import FAMILIES, Diacritic, family
from gnubg_nactation.language.nactation import Nactation, from_look, parse_nactation
from gnubg_nactation.sequences.tokens import parse_sequence
from gnubg_nactation.writing.colours import colour_text
from gnubg_nactation.writing.markup import Glyph, read_markup
from gnubg_nactation.writing.spelling import FORMS, SITES, read_spelling, spell

MEMBERS = (*range(1, 101), 4321, 999_999)
ALL = [Nactation(row, member) for row in FAMILIES for member in MEMBERS]
SOME = st.builds(Nactation, st.sampled_from(FAMILIES), st.integers(1, 20))
# Characters as rendered, each with the set of what it stands in: i, b, u or a colour.
Rendered = list[tuple[str, frozenset[str]]]


def rendered(nactation: Nactation) -> Rendered:
    """What a reader shall see."""
    look = nactation.look
    stands_in = {"i"} if look.italic else set()
    stands_in |= {"b"} if look.bold else set()
    stands_in |= {"u"} if nactation.mark is Diacritic.UNDERLINE else set()
    stands_in |= {f"color:{colour_text(look.colour)}"} if look.colour else set()
    dot: Rendered = [(".", frozenset())] if nactation.mark is Diacritic.DOT else []
    return [(look.character, frozenset(stands_in)), *dot]


class Renderer(HTMLParser):
    """Collects the characters of a page and the tags around each."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.seen: Rendered = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name = {"em": "i", "strong": "b", "span": dict(attrs).get("style") or ""}.get(tag, tag)
        self.open.append((tag, name))

    def handle_endtag(self, tag: str) -> None:
        opened, _ = self.open.pop()
        assert opened == tag

    def handle_data(self, data: str) -> None:
        names = frozenset(name for _, name in self.open) - {"p"}
        self.seen += [(character, names) for character in data if character != "\n"]


def render_html(text: str) -> Rendered:
    renderer = Renderer()
    renderer.feed(text)
    renderer.close()
    assert not renderer.open
    return renderer.seen


def render_markdown(text: str) -> Rendered:
    return render_html(MarkdownIt("commonmark").render(text))


def render_bbcode(text: str) -> Rendered:
    """As boards do it: tags become those of HTML, all else is text."""
    page = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    page = re.sub(r"\[(/?[biu])\]", r"<\1>", page)
    page = re.sub(r"\[color=(#[0-9a-f]{6})\]", r'<span style="color:\1">', page)
    return render_html(page.replace("[/color]", "</span>"))


RENDERERS = {"html": render_html, "markdown": render_markdown, "bbcode": render_bbcode}
PLAIN = frozenset[str]()


@pytest.mark.parametrize("form", FORMS)
def test_spellings_are_one_to_one(form: str) -> None:
    spelled = {spell(nactation, form): nactation for nactation in ALL}
    assert len(spelled) == len(ALL)
    for text, nactation in spelled.items():
        assert read_spelling(text) == nactation, text


def test_plain_spelling_is_that_of_parse_nactation() -> None:
    for nactation in ALL:
        text = spell(nactation, "plain")
        assert text == str(nactation)
        assert text.isascii()
        assert parse_nactation(text) == nactation


def test_the_look_leads_back() -> None:
    for nactation in ALL:
        look, suffix = nactation.look, nactation.family.suffix
        assert from_look(look.character, suffix, *look[1:]) == nactation


@pytest.mark.parametrize("form", RENDERERS)
def test_what_is_rendered(form: str) -> None:
    render = RENDERERS[form]
    for nactation in ALL:
        assert render(spell(nactation, form)) == rendered(nactation)


@pytest.mark.parametrize("form", RENDERERS)
@given(
    names=st.lists(SOME, min_size=1, max_size=6), separator=st.sampled_from(["-", " ", ", ", ""])
)
def test_what_is_rendered_within_a_sequence(
    form: str, names: list[Nactation], separator: str
) -> None:
    text = separator.join(f"31{spell(name, form)}" for name in names)
    expected: Rendered = []
    for at, name in enumerate(names):
        expected += [(character, PLAIN) for character in (separator if at else "") + "31"]
        expected += rendered(name)
    assert RENDERERS[form](text) == expected
    glyphs = [glyph for glyph in read_markup(text) if glyph.character not in "-, ."]
    for name, glyph in zip(names, glyphs[2::3], strict=True):
        assert (glyph.character, glyph.italic, glyph.bold, glyph.colour) == name.look
        assert glyph.underline == (name.mark is Diacritic.UNDERLINE)
    for glyph in [*glyphs[::3], *glyphs[1::3]]:
        assert glyph == Glyph(glyph.character, at=glyph.at)


@pytest.mark.parametrize(
    ("plain", "others"),
    [
        ("P", "P|P|P|P"),
        ("p{4}", "p{4}|<i>p</i>|*p*|[i]p[/i]"),
        ("P{7}", "P{7}|<b><i>P</i></b>|***P***|[b][i]P[/i][/b]"),
        ("E_", "E\u0332|<u>E</u>|<u>E</u>|[u]E[/u]"),
        ("E_{3}", "E\u0332{3}|<u><i>E</i></u>|<u>*E*</u>|[u][i]E[/i][/u]"),
        ("N.{5}", "N.{5}|<b>N</b>.|**N**.|[b]N[/b]."),
        ("V_", "V\u0332|<u>V</u>|<u>V</u>|[u]V[/u]"),
        ("$", "$|$|\\$|$"),
        ("%{4}", "%{4}|<i>%</i>|<i>%</i>|[i]%[/i]"),
        ("&{2}", "&{2}|<i>&amp;</i>|<i>&amp;</i>|[i]&[/i]"),
        ("<", "<|&lt;|&lt;|<"),
        ("4{2}", "4{2}|<i>4</i>|*4*|[i]4[/i]"),
        (
            "P{9}",
            "P{9}|SPAN|SPAN|[color=#ff0000]P[/color]".replace(
                "SPAN", '<span style="color:#ff0000">P</span>'
            ),
        ),
    ],
)
def test_forms(plain: str, others: str) -> None:
    nactation = parse_nactation(plain)
    assert [spell(nactation, form) for form in FORMS] == [plain, *others.split("|")]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (" *P* \n", "P{3}"),
        ("p{2}", "p"),
        ("P{1}", "P"),
        ("*P*{3}", "P{3}"),
        ("<u>E</u>_", "E_"),
        ("E\u0325", "E."),
        ("\u1eb8.", "E."),
        ("<i>E</i>&#x0323;", "E.{3}"),
        ("[i]E[/i]_", "E_{3}"),
        ("\U0001d477", "P{7}"),
        ("\\$", "$"),
        ("<font color=green>a</font>", "a{26}"),
        ("B_", "S"),
        ("b\u0323", "z"),
        ("*B*_", "S{3}"),
        ("B_{3}", "S{3}"),
    ],
)
def test_readers_take_more_than_is_written(text: str, plain: str) -> None:
    assert str(read_spelling(text)) == plain


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "PP",
        "31P",
        "*P*{4}",
        "p{3}",
        "P{0}",
        "P{1000000}",
        "P{03}",
        "P_",
        "P.",
        "E__",
        "<u>E</u>.",
        "\u1eb8_",
        "E {3}",
        "_",
        "*",
        "<i></i>",
        "{3}",
        "\u00c9",
    ],
)
def test_what_is_not_a_spelling(text: str) -> None:
    with pytest.raises(MalformedError) as caught:
        read_spelling(text)
    assert str(caught.value).isprintable()


@given(st.text(max_size=8) | st.text("PEUVpe$%&<>#@*_.{}0123/bi[]\\`;\u0332", max_size=12))
def test_only_malformed_errors_escape(text: str) -> None:
    try:
        nactation = read_spelling(text)
    except MalformedError:
        return
    assert read_spelling(spell(nactation, "markdown")) == nactation


def test_what_cannot_be_spelled() -> None:
    with pytest.raises(ValueError, match="plain"):
        spell(Nactation(family("P")), "morse")
    for member in (0, 1_000_000):
        with pytest.raises(MalformedError):
            spell(Nactation(family("P"), member), "html")


@pytest.mark.parametrize("site", SITES)
def test_markdown_without_tags_is_one_to_one_behind_a_roll(site: str) -> None:
    """Sites drop or print what is HTML: on Discourse `<u>M</u>` was M, another family."""
    spelled = {spell(nactation, site): nactation for nactation in ALL}
    assert len(spelled) == len(ALL)
    for text, nactation in spelled.items():
        assert "</" not in text
        token, after = parse_sequence(f"22{text}-31").tokens  # dots are of doublets
        assert nactation in token.names, text
        assert str(after.roll) == "31"


@pytest.mark.parametrize(
    ("plain", "spelled"),
    [
        ("M_", "M\\_|M\\_|__M__"),
        ("m_{4}", "m\\_{4}|m\\_{4}|__*m*__"),
        ("A.{3}", "*A*.|*A*.|*A*."),
        ("%{4}", "%{4}|%{4}|%{4}"),
        ("P{9}", "P{9}|P{9}|P{9}"),
        ("^", "\\^|\\^|^"),
        ("$", "\\$|$|$"),
        ("<", "&lt;|\\<|\\<"),
        ("&{2}", "&amp;{2}|\\&{2}|&{2}"),
    ],
)
def test_what_a_site_has_no_sign_for_is_as_typed(plain: str, spelled: str) -> None:
    """Reddit shows the backslash of $, and Discord that of ^ as well as entities."""
    name = parse_nactation(plain)
    assert [spell(name, site) for site in SITES] == spelled.split("|")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("33__M__-44__g__-21P", ["M_", "g_", "P"]),
        ("33__*M*__-21P", ["M_{3}", "P"]),
        ("33__M__44__G__", ["M_", "G_"]),
    ],
)
def test_underlines_of_discord_behind_a_roll(text: str, names: list[str]) -> None:
    assert [str(token.names[0]) for token in parse_sequence(text).tokens] == names
