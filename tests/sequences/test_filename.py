"""File names of sequences: one-to-one even where case does not count, safe, read back."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.errors import MalformedError, NactationError
from gnubg_nactation.language.alphabet import FAMILIES, Diacritic
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.nacbracs.reading import parse_nacbrac
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.sequences.filename import (
    LONGEST,
    file_name,
    read_file_name,
    safe_name,
    shortened,
)
from gnubg_nactation.sequences.tokens import parse_sequence
from gnubg_nactation.writing.spelling import read_spelling

ROLLS = st.builds(Roll, st.integers(1, 6), st.integers(1, 6)).map(str)
DOUBLETS = st.integers(1, 6).map(lambda die: f"{die}{die}")
# A dot behind a roll that is no doublet parts tokens.
PLAIN = st.sampled_from([row for row in FAMILIES if row.mark is not Diacritic.DOT])
DOTTED = st.sampled_from([row for row in FAMILIES if row.mark is Diacritic.DOT])
MEMBERS = st.integers(1, 40) | st.integers(1, 999_999)
NAMED = st.tuples(ROLLS, st.builds(Nactation, PLAIN, MEMBERS)) | st.tuples(
    DOUBLETS, st.builds(Nactation, DOTTED, MEMBERS)
)
TOKENS = (
    NAMED.map(lambda pair: f"{pair[0]}{pair[1]}")
    | ROLLS
    | st.sampled_from(["F", "C", "R", "C-P", "R-T", "4"])
)
SEQUENCES = st.builds(
    lambda front, tokens: front + "-".join(tokens),
    st.sampled_from(["", "-", "N ", "N -"]),
    st.lists(TOKENS, min_size=1, max_size=12),
)
SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+~-]*")


@pytest.mark.parametrize(
    ("sequence", "name"),
    [
        ("54S-63R-31P", "54S-63R-31P"),
        ("32Z-41h-11", "32Z-41hh-11"),
        ("-61P-63R", "top-61P-63R"),
        ("N 41Q-21K", "nack-41Q-21K"),
        ("43U-21$-21%-66@-11#{4}", "43U-21slot-21slot+2-66anchor-11anchor+4"),
        ("21u-21V-21v-21U{5}", "21uu-21V-21vv-21U+5"),
        ("11E_-22E.-22e.{4}", "11E_-22E~-22E~+4"),
        ("31^-F-42>-21<-5-654", "31fan-F-42all-21in-5-654"),
        ("54split/63run", "54S-63R"),
    ],
)
def test_names(sequence: str, name: str) -> None:
    assert file_name(sequence) == name
    sequence_read = read_file_name(name)
    assert gist(sequence_read) == gist(sequence)
    assert read_file_name(f"{name.lower()}.tar.gz") == sequence_read


def gist(sequence: str) -> tuple[object, ...]:
    """What a sequence says, however it is written."""
    parsed = parse_sequence(sequence)
    tokens = [(token.kind, token.roll, token.names[:1], token.die) for token in parsed.tokens]
    return parsed.start, parsed.starts, tokens


@given(sequence=SEQUENCES)
def test_read_back_whatever_the_case(sequence: str) -> None:
    name = file_name(sequence, 10_000)
    for any_case in (name, name.upper(), name.lower()):
        assert read_file_name(any_case) == sequence


@given(sequence=SEQUENCES, longest=st.integers(20, 250))
def test_safe_on_every_system(sequence: str, longest: int) -> None:
    name = file_name(sequence, longest)
    assert SAFE.fullmatch(name)
    assert len(name) <= longest


@given(first=SEQUENCES, second=SEQUENCES)
def test_different_sequences_have_different_names(first: str, second: str) -> None:
    same = file_name(first, 20).casefold() == file_name(second, 20).casefold()
    assert same is (first == second)


def test_a_long_name_is_cut_between_tokens_and_cannot_be_read_back() -> None:
    sequence = "-".join(["54S", "63R"] * 30)
    name = file_name(sequence)
    assert len(name) <= LONGEST
    assert re.fullmatch(r"(54S-63R-)*54S(-63R)?_[0-9a-f]{8}", name)
    with pytest.raises(MalformedError, match="shortened"):
        read_file_name(name)
    assert shortened("x" * 300, 20) != shortened("x" * 301, 20)


NO_MARKS = ["434~", "31@~", "31x~", "660_", "31x_", "31slot~", "66fan_", "31p~+3"]


@pytest.mark.parametrize(
    "name", ["", "hello", "54S--63R", "54So", "5454", "77S", "54S+0", "54%", "311_", *NO_MARKS]
)
def test_what_is_no_name_of_a_sequence(name: str) -> None:
    with pytest.raises(MalformedError):
        read_file_name(name)


# Rolls with any character or word, mark and number behind them, and what may stand in names at all.
_CHARACTERS = sorted({c for row in FAMILIES for c in row.characters + row.characters.lower()})
_WORDS = ["slot", "anchor", "and", "fan", "in", "all", "two", "four", "top", "nack", "pp", "uu"]
ALMOST = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["31", "13", "66", "7", "", "4"]),
    st.sampled_from([*_CHARACTERS, *_WORDS, ""]),
    st.sampled_from(["", "_", "~", ".", "~~", "_~", "{3}"]),
    st.sampled_from(["", "+1", "+3", "+0", "+999999", "+"]),
)
MARKED = st.text([*_CHARACTERS, *"0123456789_~.{}+- \u0332\u0323\u0333"], max_size=12)


@given(name=st.text(max_size=30) | MARKED | st.lists(ALMOST, max_size=3).map("-".join))
@example("12")
@example("13P")
@example("12A~")
@example("four-54S")
@example("31-P")
@example("TOP")
@example("nack-top")
def test_only_our_errors_escape(name: str) -> None:
    try:
        sequence = read_file_name(name)
    except MalformedError:
        return
    assert read_file_name(file_name(sequence, 1000)) == sequence


@given(text=st.text(max_size=30) | st.sampled_from(["CON", "nul", "com1", "..", "a/b\\c:d*?"]))
def test_any_text_made_safe(text: str) -> None:
    name = safe_name(text)
    assert re.fullmatch(r"[A-Za-z0-9_+~][A-Za-z0-9_+~-]*", name)
    assert name.casefold() not in {"con", "nul", "com1"}


def test_no_sequence() -> None:
    with pytest.raises(MalformedError, match="empty"):
        file_name(" ")


@given(text=MARKED | st.lists(ALMOST, max_size=3).map("-".join))
def test_whatever_the_marks_only_our_errors_escape(text: str) -> None:
    for read in (decode, parse_nactation, read_spelling, parse_nacbrac, file_name):
        with suppress(NactationError):
            read(text)
            read(f"31[{text}]")
