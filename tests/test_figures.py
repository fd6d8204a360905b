"""Differences of engine figures that the comparison accepts and rejects."""

from __future__ import annotations

import pytest

from tests.figures import near, near_loss, same_but_figures

NACBRAC = "54S-63R-31 [P H76 @79 X85] gnubg 2-ply"
CUBE = "54S-63R [N D/T 216 D/P 1002] gnubg 2-ply"
CHART = "31P  C B317  R S5  N=E   ${3} O.60"
LIST = ["12 plays of 31", "   1  8/5 6/5    +.330 (-.080)"]


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        (NACBRAC, "54S-63R-31 [P H70 @76 X85] gnubg 2-ply"),
        (NACBRAC, "54S-63R-31 [P @74 H75 X80] gnubg 2-ply"),
        ("[[b]P[/b] H2 X9]", "[[b]H[/b] P4 X11]"),
        (CUBE, "54S-63R [N D/T 219 D/P 999] gnubg 2-ply"),
        (CHART, "31P  C B311   S R1  E N6   ${3} O.54"),
        (LIST, ["12 plays of 31", "   1  8/5 6/5    +.327 (-.086)"]),
        ("A  0.087 0.079 -0.008", "A  0.087 0.084 -0.003"),
        ("[P @77] 36 trials, standard errors 15 9", "[P @74] 36 trials, standard errors 12 9"),
    ],
)
def test_figures_that_may_differ(expected: str | list[str], printed: str | list[str]) -> None:
    assert same_but_figures(printed, expected)
    assert same_but_figures(expected, printed)


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        (LIST, ["12 plays of 31", "   1  8/5 6/5    +.334 (-.080)"]),  # an equity off by .004
        (LIST, ["12 plays of 31", "   1  8/5 6/5    +.330 (-.087)"]),  # a loss off by .007
        (LIST, ["13 plays of 31", "   1  8/5 6/5    +.330 (-.080)"]),  # a number, no equity
        (LIST, ["12 plays of 31", "   1  8/5 6/4    +.330 (-.080)"]),
        (LIST, ["12 plays of 31", "   1  8/5 6/5    -.330 (-.080)"]),
        (LIST, LIST[1:]),
        (LIST, [*LIST, ""]),
        (NACBRAC, NACBRAC.replace("76", "69")),
        (NACBRAC, "54S-63R-31 [P H72 @79 X89] gnubg 2-ply"),  # no equities make both
        (NACBRAC, "54S-63R-31 [P X79 @79 H82] gnubg 2-ply"),  # plays that are further apart
        (NACBRAC, "54S-63R-31 [H P76 @79 X85] gnubg 2-ply"),
        (NACBRAC, NACBRAC.replace("H", "O")),
        (NACBRAC, NACBRAC.replace(" X85", "")),
        (NACBRAC, NACBRAC.replace("2-ply", "3-ply")),
        (NACBRAC, NACBRAC.replace("63R", "64R")),
        (CUBE, CUBE.replace("N D/T 216", "D/T N 216")),
        (CHART, CHART.replace("B317", "B310")),
        (CHART, CHART.replace("N=E", "N=A")),
        (CHART, CHART.replace("{3}", "{4}")),
        ("[P @77] standard error 15", "[P @77] standard error 19"),
        ("page.html", "page2.html"),
        ("1.07.001", "1.07.002"),
    ],
)
def test_figures_that_may_not(expected: str | list[str], printed: str | list[str]) -> None:
    assert same_but_figures(expected, expected)
    assert not same_but_figures(printed, expected)
    assert not same_but_figures(expected, printed)


def test_numbers() -> None:
    assert near(0.330) == 0.333
    assert near(0.330) != 0.334
    assert near([0.5, None]) == [0.4971, None]
    assert near([0.5, None]) != [0.5, 0.0]
    assert near_loss(5.08) == 5.086
    assert near_loss(5.08) != 5.087
