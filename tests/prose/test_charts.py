"""Reply charts in a text: each cell is a reply to its opening, on its own board."""

from __future__ import annotations

import pytest

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.prose.finder import read_prose
from gnubg_nactation.prose.page import Finding, Kind
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import decode


def reached(finding: Finding) -> str:
    assert finding.decoded
    return format_position_id(finding.decoded.state.position)


def replies(text: str) -> list[tuple[str, str]]:
    """The letters of a chart and the boards that they lead to."""
    findings = read_prose(text)
    assert all(finding.kind is Kind.PLAY for finding in findings)
    assert all(finding.sure <= Confidence.LIKELY for finding in findings)
    return [(finding.text, reached(finding)) for finding in findings]


def boards(*sequences: str) -> list[str]:
    return [format_position_id(decode(sequence).state.position) for sequence in sequences]


# After 43D, 62H and 63H hit the blots that it left; after 61P the bar point is blocked.
_CELLS = boards("43D", "43D-62H", "43D-63H", "61P", "61P-62R", "61P-63R")


@pytest.mark.parametrize(
    "chart",
    [
        "    62 63\n43D H H\n61P R R",
        "     62   63\n43D  H    H\n61P  R    R",
        "Reply\t62\t63\n43D\tH\tH\n61P\tR\tR",
        "Reply to | 62 | 63\n43D | H | H\n61P | R | R",
        "|  | 62 | 63 |\n|--|:-:|---:|\n| 43D | H | H |\n| 61P | **R** | R |",
        "[b]     62  63[/b]\n43D:  H  H\n61P:  R  R",
        "    62:  63:\nvs 43D  H!  H?\nafter 61P  R12  R-5",
        "     62   63\n43D  62H  63H\n61P  62R  63R",
    ],
)
def test_rows_are_openings_and_columns_rolls(chart: str) -> None:
    findings = replies(f"My chart:\n\n{chart}\n\nThat is all.")
    assert [board for _, board in findings] == _CELLS


def test_a_chart_may_be_transposed() -> None:
    findings = replies("     43D  61P\n62   H    R\n63   H    R")
    assert [text for text, _ in findings] == ["43D", "61P", *"HRHR"]
    expected = boards("43D", "61P", "43D-62H", "61P-62R", "43D-63H", "61P-63R")
    assert [board for _, board in findings] == expected


@pytest.mark.parametrize(
    "chart",
    [
        "Roll | Best | Second\n62 | H | S\n63 | H | R",
        "| roll | first | next |\n|---|---|---|\n| 62 | H | S |\n| 63 | H | R |",
        "dice best second\n62 H S\n63 H R",
    ],
)
def test_the_line_above_the_titles_names_the_opening(chart: str) -> None:
    # A roll alone is no opening; a second opening would leave the question open.
    expected = boards("43D", "43D-62H", "43D-62S", "43D-63H", "43D-63R")
    findings = replies(f"What to do against a 43, that is 43D, is this:\n\n{chart}\n\nThe end.")
    assert [board for _, board in findings] == expected
    two = replies(f"Against 43D and against 61P it is this:\n\n{chart}")
    assert not set(expected[1:]) & {board for _, board in two}


def test_empty_cells_stay_empty() -> None:
    expected = boards("43D", "43D-63H", "61P", "61P-62R")
    marked = "    62 63\n43D - H\n61P R -"
    piped = "| | 62 | 63 |\n| 43D | | H |\n| 61P | R | |"
    aligned = "     62   63\n43D       H\n61P  R"
    for chart in (marked, piped, aligned):
        assert [board for _, board in replies(chart)] == expected, chart


@pytest.mark.parametrize("heading", ["After 61P:", "Replies to 61P:"])
def test_the_rows_of_a_list_are_read_once(heading: str) -> None:
    findings = replies(f"{heading}\n62: R\n63: R\n")
    assert [text for text, _ in findings] == ["61P", "R", "R"]
    assert [board for _, board in findings] == boards("61P", "61P-62R", "61P-63R")


@pytest.mark.parametrize(
    "text",
    ["Replies to 43Z: 65: S; 64: R/P; 63: S. The rest is easy.", "After 43Z: 65 S, 64 R/P, 63 S"],
)
def test_the_rows_of_a_list_may_be_in_one_line(text: str) -> None:
    findings = replies(text)
    assert [text for text, _ in findings] == ["43Z", "S", "R", "P", "S"]
    sequences = ("43Z", "43Z-65S", "43Z-64R", "43Z-64P", "43Z-63S")
    assert [board for _, board in findings] == boards(*sequences)


def test_a_cell_may_have_several_letters() -> None:
    """As in the charts of `replies`: the best play, and the next one with its loss."""
    chart = "     33       55     64\n54S  A C140   A N1   P R11\n63R  N=O      A/N    S or P"
    letters = ["A", "C", "A", "N", "P", "R", "N", "O", "A", "N", "S", "P"]
    assert [text for text, _ in replies(chart) if text not in {"54S", "63R"}] == letters
    *_, sixty_four = replies(chart)
    assert sixty_four == ("P", *boards("63R-64P"))


def test_a_row_may_be_a_longer_sequence() -> None:
    chart = "          31  22\n54S-63R   P   E"
    opening, *cells = read_prose(chart)
    assert (opening.kind, opening.text) == (Kind.SEQUENCE, "54S-63R")
    assert [reached(cell) for cell in cells] == boards("54S-63R-31P", "54S-63R-22E")


def test_a_wrong_letter_is_reported_at_its_place() -> None:
    text = "     31  65\n43D  P   R\n61P  K   D"
    wrong = [finding for finding in read_prose(text) if finding.error]
    assert [(finding.text, finding.line, finding.column) for finding in wrong] == [("K", 3, 6)]
    assert wrong[0].error
    assert wrong[0].error.at == text.index("K")


@pytest.mark.parametrize(
    "text",
    [
        "21 31 41\nJan S P D",  # a row without an opening
        "21 31 41\n43 12 15 19",
        "size 31 42\nroom S P",
        "31\n43D",
    ],
)
def test_other_tables_are_left_alone(text: str) -> None:
    assert not any(len(finding.text) == 1 for finding in read_prose(text))


def test_a_move_list_is_no_chart() -> None:
    """Its rows have the rolls of a game, not those of a heading."""
    (game,) = read_prose("   9  54P     62R\n  10  53I     54H\n")[-1:]
    assert game.kind is not Kind.PLAY or len(game.text) == 3
