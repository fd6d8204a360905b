"""Where sequences begin in a text with several nacbracs: what section 17 and posts look like."""

from __future__ import annotations

from functools import partial

import pytest

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.nacbracs.reading import lay_out
from gnubg_nactation.writing.scan import Scan
from tests.test_promise import calls


def told(text: str) -> list[tuple[str, list[str], str]]:
    """The sequence of each piece, its nacbracs with what is said of them, and its note."""
    scan = Scan(text)
    return [
        (
            scan.bare[one.start : one.end].strip(),
            [scan.bare[bracket.score : bracket.end].strip() for bracket in one.brackets],
            one.note,
        )
        for one in lay_out(scan)
    ]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        # #55: another roll instead of the last, on its own line or on the same.
        ('11E-\n-51 [D C13]\n"<=31**5\n-42 [D a17]', [("11E-\n-51", 1), ("-42", 1)]),
        ('11E-51 [D C13] "<=31**5 -42 [D a17]', [("11E-51", 1), ("-42", 1)]),
        ("31 [P]-42 d[P]", [("31", 1), ("-42", 1)]),
        ("31 [P] 43S-52 [S X42]", [("31", 1), ("43S-52", 1)]),
        # A score, a number of trials and an equity begin no sequence.
        ("31 [P] -3-5[P] 62 [P] 20*5 [P] -42.5 [P]", [("31", 5)]),
        ("31 [P]\n12k 2kR\n-42 [P]", [("31", 1), ("-42", 1)]),
        ("31 [P] -42", [("31", 1)]),
        # #3, and headings in one line.
        ("#3 White's opening 61 [P U227]\n61P-63 [R]", [("61", 1), ("61P-63", 1)]),
        ("White\u2019s opening 52 [S] #4 N 53 [Z]", [("52", 1), ("N 53", 1)]),
        ("#1 31 [P] /e\n#2 21S-64 [R]", [("31", 1), ("21S-64", 1)]),
        # #27: the number stands before a sequence of two lines.
        ("32 [T]\n#27 65R-53P-\n-21H-41\n[W]", [("32", 1), ("65R-53P-\n-21H-41", 1)]),
        ("[I\n31]", [("", 1)]),
    ],
)
def test_pieces(text: str, pieces: list[tuple[str, int]]) -> None:
    assert [(sequence, len(nacbracs)) for sequence, nacbracs, _ in told(text)] == pieces


def test_remarks_in_place_of_nacbracs() -> None:
    text = "#4 31P-42 (same as #9)\n#5 31 [P] /e (same as #2)\n#6 (left out)\n#7 21\n#8 63 [R]"
    assert told(text) == [
        ("31P-42", [], "(same as #9)"),
        ("31", ["[P] /e (same as #2)"], ""),
        ("", [], "(left out)"),
        ("21", [], ""),
        ("63", ["[R]"], ""),
    ]


def test_what_is_said_of_a_nacbrac_ends_where_a_sequence_begins() -> None:
    ((_, (first,), _), (_, (second,), _)) = told("31 [P] '<31, -42 g[P] 7k 2kR")
    assert (first, second) == ("[P] '<31,", "g[P] 7k 2kR")


def test_a_text_has_so_many_pieces_at_most() -> None:
    assert len(lay_out(Scan("31 [P]\n" + "#2 31\n" * 999))) == 1000
    with pytest.raises(MalformedError, match=r"^1,001 sequences; 1,000 are read at once$"):
        lay_out(Scan("31 [P]\n" + "#2 31\n" * 1000))


@pytest.mark.parametrize(
    "unit",
    ["31 [P] -42 ", "31 [P]\n", "] -42", "(same as #1) ", "#1 31 ", "\n31k 2kR", "-42]", "31P-42-"],
)
def test_the_work_grows_with_the_text(unit: str) -> None:
    def read(size: int) -> None:
        lay_out(Scan(unit * (size // len(unit))))

    short, long = (calls(partial(read, size)) for size in (1_000, 4_000))
    assert long < 5.5 * short  # 4 in proportion, 16 with the square
