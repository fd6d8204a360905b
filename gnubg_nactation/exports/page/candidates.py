"""What the page shows of judged decisions beyond the plays: the quiz's answers, and the cube."""

from __future__ import annotations

from collections.abc import Iterator

from gnubg_nactation.backgammon.analysis import CubeAnalysis
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import Decision, decide_cube
from gnubg_nactation.decisions.severity import thousandths
from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.language.nactation import Naming, parse_nactation
from gnubg_nactation.language.numerals import is_named_first
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.styles import resting_points
from gnubg_nactation.values import Any


def accepted_names(decision: Decision, plays: Plays, within: float) -> list[list[str]]:
    """Every name of each play that loses less than `within` points: the right ones in the quiz."""
    worth = decision.choices[0].equity or 0.0
    near = [one.play for one in decision.choices if worth - (one.equity or 0.0) < within]
    best, *others = filter(None, near)
    return [[*map(str, names)] for names in (_names(best, plays), *map(plays.letters, others))]


def _names(best: Play, plays: Plays) -> Iterator[Naming]:
    """What the best play may be called, but for numerals that name another play first.

    To rank those would take longer than all the rest of the page.
    """
    yield from plays.letters(best)
    landings = resting_points(best.portions)
    if best.roll.is_doublet:  # a digit may mean where checkers go on, too
        landings += [portion.target for portion in best.portions]
    for digit in dict.fromkeys(str(point % 10) for point in landings):
        if is_named_first(best, digit, plays, plays.forced):
            yield Naming(parse_nactation(digit), Right.NUMERAL)


def cube_equities(cube: CubeAnalysis) -> list[Any]:
    """The three equities, what was right, what was done, and what that lost.

    Then what the other choice of who decides loses, and who says so.
    """
    decision = decide_cube(cube, GameState())
    judged = [thousandths(decision.choices[-1].loss), decision.source] if decision else []
    equities = [cube.no_double, cube.double_take, cube.double_pass]
    known = [None if one is None else thousandths(one) for one in equities]
    return [*known, cube.best, cube.act.value, thousandths(cube.error), *judged]
