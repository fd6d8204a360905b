"""Books: reading their lines of nacbracs, and finding the line of a position."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.book import (
    Book,
    Line,
    pack,
    parse_book,
    read_book,
    shipped_book,
    unpack,
)
from gnubg_nactation.sequences.decode import decode

THEORY = """\
# What I believe

54S-63R-31 [P @87 H94]   # the tutorial's first
43D-33 [C E19 R28] d[C B2 E4] gnubg 2-ply
g[A C7]
21$-64 [R Z304
 U311] 21S-64 [$ S4]
#9 51S-44 [B A23]
"""


def after(sequence: str) -> Position:
    return decode(sequence).state.position


@pytest.fixture(scope="module")
def theory() -> Book:
    return parse_book(THEORY, "theory.txt")


def test_a_position_has_its_plays_with_their_errors(theory: Book) -> None:
    line = theory.at(after("54S-63R"), Roll(3, 1))
    assert line
    # The plays and errors of the tutorial's first diagram.
    named_plays = [(str(name), format_play(play), loss) for name, play, loss in line.plays]
    assert named_plays == [("P", "8/5 6/5", 0.0), ("@", "24/20", 0.087), ("H", "13/10*/9", 0.094)]
    assert (line.number, line.sequence) == (3, "54S-63R-31")


def test_scores_are_separate_and_lines_continue(theory: Book) -> None:
    position = after("43D")
    lines = [theory.at(position, Roll(3, 3), score) for score in ("", "d", "g", "s")]
    choices = [line and (line.number, str(line.plays[1][0])) for line in lines]
    assert choices == [(4, "E"), (4, "B"), (5, "C"), None]


def test_a_line_may_have_several_nacbracs_and_a_nacbrac_two_lines(theory: Book) -> None:
    first, second = theory.at(after("21$"), Roll(6, 4)), theory.at(after("21S"), Roll(6, 4))
    assert first
    assert second
    assert len(first.plays) == 3
    assert second.number == 7
    assert str(second.plays[0][0]) == "$"


def test_the_number_of_a_diagram_is_not_a_comment(theory: Book) -> None:
    assert theory.at(after("51S"), Roll(4, 4))


def test_a_transposition_finds_the_same_line() -> None:
    # Two checkers down from the midpoint, one with the 4 and one with the 3, in either order.
    book = parse_book("41S-62S-43D-31 [U r20]", "book")
    assert book.at(after("43D-62S-41S"), Roll(3, 1)) == book.at(after("41S-62S-43D"), Roll(3, 1))
    assert book.at(after("43D-62S-41S"), Roll(3, 1))


def test_the_first_of_two_lines_about_a_roll_is_used() -> None:
    book = parse_book("31 [P S20]\n31 [S P20]\n", "book")
    line = book.at(STANDARD, Roll(3, 1))
    assert line
    assert line.number == 1


def test_nacbracs_of_the_cube_are_skipped() -> None:
    book = parse_book("31 [P S20]\n31P-41Z [N D/T 45 D/P 690]\n", "book")
    assert len(book.lines) == 1


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("\n31 [P @87\n", 2, "not closed"),
        ("# one\n31P-42\n", 2, "expected a nacbrac"),
        ("31 [P S20]\n\n31P-77 [P]\n", 3, ""),
        ("31 [P S20]\n54K-31 [P]\n", 2, "no such play of 54"),
        ("31 [P\n S20\n K30]\n", 3, "no such play"),
        ("31 [P # S20]\n", 1, "'#' in"),
        ("[P S20]\n", 1, "no roll"),
        ("not a book\n", 1, ""),
    ],
)
def test_unreadable_lines_are_refused_with_their_number(text: str, line: int, reason: str) -> None:
    with pytest.raises(MalformedError) as caught:
        parse_book(text, "my book.txt")
    assert re.match(rf"my book\.txt, line {line}: .*{reason}", str(caught.value)), caught.value
    assert "\n" not in str(caught.value)


SECTIONS = """\
# Nactation book
# source: gnubg 2-ply
# date: 2026-11-23

# 4HPwATDgc/ABMA
31 [+218 P S229]

# sGfwATDgc/ABMA 31P
31P-42 [-170 P Z151] d[-83 P Z65]
31P-64 [-324 R Q15]

# sGfwATDgc/ABMA 31P
31P-42 [+1 Z P1]

"""


def test_a_book_with_sections_is_read_line_by_line() -> None:
    book = parse_book(SECTIONS, "my.book")
    assert (book.source, book.label) == ("gnubg 2-ply", "my.book: gnubg 2-ply")
    line = book.at(after("31P"), Roll(4, 2), "d")
    assert line
    assert (line.number, line.sequence, line.nacbrac.equity) == (9, "31P-42", -0.083)
    assert book.at(after("31P"), Roll(4, 2), "g") is None
    assert book.at(after("31P"), Roll(6, 5)) is None
    assert book.at(after("43D"), Roll(4, 2)) is None
    # The first section of a position counts. Other lines are not read: there is no Q of 64.
    with pytest.raises(MalformedError, match="line 10"):
        book.at(after("31P"), Roll(6, 4))
    assert len(list(book.lines)) == 5


def names_of(line: Line | None) -> object:
    return line and (line.sequence, [(str(name), loss) for name, _, loss in line.plays])


def listed_in(book: Book, position: Position, *key: object) -> object:
    listing = book.listing(format_position_id(position), *key)  # type: ignore[arg-type]
    return listing and (listing.sequence, [*listing.losses.items()])


def test_a_listing_has_the_names_and_losses_of_a_line() -> None:
    book = shipped_book()
    for key in list(book.lines)[::500]:
        line = book.at(*key)
        assert listed_in(book, *key) == names_of(line)
        assert line
        for name, play, _ in line.plays:
            assert Plays(key[0], key[1]).play(str(name)) == play
    assert listed_in(book, STANDARD, Roll(3, 1), "n") is None
    assert listed_in(book, after("31S-31S"), Roll(3, 1), "") is None


@pytest.mark.parametrize("nacbrac", ["[P]", "[P=@ H94]", "[+1 P @7.5]", "[P 1-87]", "[**P** *H*9]"])
def test_a_listing_also_has_names_that_are_not_spelled_plainly(nacbrac: str) -> None:
    text = f"{SECTIONS}# {format_position_id(after('54S-63R'))} 54S-63R\n54S-63R-31 {nacbrac}\n\n"
    for book in (parse_book(text, "my.book"), parse_book(f"54S-63R-31 {nacbrac}", "plain")):
        key = after("54S-63R"), Roll(3, 1), ""
        assert listed_in(book, *key) == names_of(book.at(*key)) is not None


@pytest.mark.parametrize(
    "nacbracs",
    [
        "[P S5] d[S P5] -2-1C[S]",
        "[P S5] gnubg 2-ply d[S P5] 0-ply rollout 648 trials, 2-ply for P g[D]",
        "[P] d[S P5] [S P5] d[P]",  # the first at a score counts
        "[P] # for money d[S P5]",
        "[P S5] -42 [A] d[A]",
        " [P] d [S P5]",
    ],
)
def test_a_line_of_a_section_is_read_at_one_score_as_the_whole_line_is(nacbracs: str) -> None:
    text = f"# {format_position_id(after('54S-63R'))} 54S-63R\n54S-63R-31 {nacbracs}\n\n"

    def read(text: str, score: str) -> object:
        line = parse_book(text, "a book").at(after("54S-63R"), Roll(3, 1), score)
        return line and (str(line.nacbrac), line.plays)

    for score in ("", "d", "g", "-2-1C"):
        assert read(SECTIONS + text, score) == read(text, score)
    assert read(text, "")


def test_a_section_under_the_position_of_another_is_not_used() -> None:
    book = parse_book(SECTIONS.replace("31P-42", "43D-42"), "my.book")
    assert book.at(after("31P"), Roll(4, 2)) is None


def test_a_compressed_book_is_read_and_a_damaged_one_refused() -> None:
    packed = pack(SECTIONS)
    assert pack(SECTIONS) == packed
    assert unpack(packed) == unpack(SECTIONS.encode()) == SECTIONS
    for damaged in (packed[:50], packed[:20] + b"x" + packed[21:], packed[:-9], packed[:3]):
        with pytest.raises(MalformedError, match="compressed book"):
            unpack(damaged)
    bomb = gzip.compress(b"\0" * (2**26 + 1))
    with pytest.raises(MalformedError, match="too long"):
        unpack(bomb)


def test_a_book_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "b.txt"
    path.write_bytes("\ufeff31 [P S20]\r\n".encode())
    assert read_book(path).at(STANDARD, Roll(3, 1))
    path.write_bytes(b"")
    assert not read_book(path).lines
