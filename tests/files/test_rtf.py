"""RTF in comments of eXtreme Gammon, compared with striprtf for ordinary RTF."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from striprtf.striprtf import rtf_to_text

from gnubg_nactation.files.xg import read_rtf

HEAD = r"{\rtf1\ansi\ansicpg1252\deff0\deflang1033"
FONTS = (
    r"{\fonttbl{\f0\fnil\fcharset0 Arial;}{\f1\fnil\fcharset204{\*\fname Arial;}Arial CYR;}"
    r"{\f2\fnil\fcharset128 MS Gothic;}{\f3\fnil\fcharset2 Symbol;}}"
)
COMMENT = (  # written by a text field of Windows
    f"{HEAD}{FONTS}\n"
    r"{\colortbl ;\red255\green0\blue0;}"
    "\n"
    r"{\*\generator Msftedit 5.41.21.2510;}\viewkind4\uc1\pard\cf1\b\f0\fs20 Why not\b0  13/7?\par"
    "\n"
    r"\pard{\pntext\f3\'B7\tab}{\*\pn\pnlvlblt\pnf3{\pntxtb\'B7}}\fi-200 gammons\tab 30%\par"
    "\n}\n\0"
)


def body(rtf: str) -> str:
    return f"{HEAD}{FONTS}{rtf}}}"


def test_a_comment_of_windows_is_read() -> None:
    assert read_rtf(COMMENT) == "Why not 13/7?\ngammons\t30%\n"
    assert read_rtf(COMMENT) == rtf_to_text(COMMENT)


@pytest.mark.parametrize(
    ("rtf", "text"),
    [
        (r"\{8/5\} \\ 6/5", r"{8/5} \ 6/5"),
        ("a\\line b\\\nc\r\nd", "a\nb\ncd"),
        (r"d\'e9j\'E0\~vu", "d\u00e9j\u00e0\u00a0vu"),
        (r"\f1\'d5\'ee\'e4 {\f0\'e9}\'e4", "\u0425\u043e\u0434 \u00e9\u0434"),
        (r"\f2\'8d\'81\f0\'e9", "\u9999\u00e9"),  # two bytes, one character
        (r"\u8217?s \uc0\u8212 {\uc3\u8364EUR}\u9824 x", "\u2019s \u2014\u20ac\u2660x"),
        (r"\uc2\u233\'c3\'a9!\uc1\u-3913?", "\u00e9!\uf0b7"),
        (r"\emdash\ldblquote a\rdblquote\endash b\bullet", "\u2014\u201ca\u201d\u2013b\u2022"),
        (r"{\pict\wmetafile8 0100{\x 09}00}{\info{\title T}}{\*\bkmkstart b}!", "!"),
    ],
)
def test_control_words_and_symbols_are_read(rtf: str, text: str) -> None:
    assert read_rtf(body(rtf)) == text
    assert rtf_to_text(body(rtf)) == text


@pytest.mark.parametrize(
    ("rtf", "text"),
    [
        (r'{\field{\*\fldinst{HYPERLINK "http://a.b/"}}{\fldrslt{\ul a.b}}} \b !', "a.b !"),
        (r"\u-10179?\u-8704?", "\U0001f600"),  # as a pair of surrogates
        (r"\uc \u ?play\u9999999999? \'zz \u-10179?.", "play\ufffd zz \ufffd."),
        (r"left { open", "left  open"),
        (r"end\par} {\b not shown", "end\n"),
    ],
)
def test_links_surrogates_and_errors_are_read_in_our_way(rtf: str, text: str) -> None:
    assert read_rtf(body(rtf)) == text


def test_the_code_page_is_used() -> None:
    assert read_rtf(r"{\rtf1\ansi\ansicpg1251 \'d5\'ee\'e4}") == "\u0425\u043e\u0434"
    assert read_rtf(r"{\rtf1\ansi\ansicpg65001 \'c3\'a9\'ff}") == "\u00e9\ufffd"
    assert read_rtf(r"{\rtf1\ansi\ansicpg99999999 \'c3\'a9}") == "\u00e9"


@pytest.mark.parametrize(
    "start",
    [
        r'{\rtf1{\field{\*\fldinst{HYPERLINK ""}}{',
        r"{\rtf1\uc99999999\u1 ",
        r"{\rtf1\f",
        r"{\rtf1{\*",
    ],
)
@pytest.mark.parametrize(
    "part", [" ", "{", "\\", r"\'e9", "{\\b0 ", "9", 'HYPERLINK "', r"{}\par\uc1"]
)
def test_long_texts_are_read_in_linear_time(start: str, part: str) -> None:
    assert len(read_rtf(start + part * 20_000)) <= 20_000 * len(part)


_CHARACTERS = st.one_of(
    st.sampled_from("\\{}\n\t \u2014\u00e9\u20ac\u0445"),
    st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs", "Cc"]),
)
_ESCAPES = {"\\": r"\\", "{": r"\{", "}": r"\}", "\n": "\\par\n", "\t": r"\tab "}


@given(text=st.text(_CHARACTERS), data=st.data())
def test_any_text_reads_back_between_control_words(text: str, data: st.DataObject) -> None:
    between = st.sampled_from(["", "", "", r"\b ", r"\cf1\fs20 ", "\n", "{", "{\\*\\x {}y}"])
    rtf, groups = "", 0
    for character in text:
        code, separator = ord(character), data.draw(between)
        groups += separator == "{"
        rtf += separator + _ESCAPES.get(character, character)
        if not character.isascii():
            rtf = rtf[:-1] + f"\\u{code - (code >> 15 << 16)}?"
    document = body(rtf + "}" * groups)
    assert read_rtf(document) == text
    assert rtf_to_text(document) == text
