"""What the page shows of judged decisions: the plays, the quiz's answers, and the cube."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import sub

from gnubg_nactation.backgammon.analysis import CubeAnalysis, read_chances
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import Choice, Decision, decide_cube
from gnubg_nactation.decisions.severity import thousandths
from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.language.nactation import Naming, parse_nactation
from gnubg_nactation.language.numerals import is_named_first
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.styles import resting_points
from gnubg_nactation.values import Any

_BETWEEN = re.compile(r"( |\.\.\.)")  # the entries of a nacbrac
_CHANCES = ("win", "gammon", "backgammon", "lost_gammon", "lost_backgammon")


def play_fields(decision: Decision, plays: Plays, within: float) -> list[dict[str, Any]]:
    """The fields of each play for the script; losses in thousandths, chances of 1000.

    `off` says by how many thousandths the equity differs from that of the best less the loss, as
    all are rounded, and `lesser` that the play was judged less closely. Of all but the best the
    chances are by how much they differ. In the quiz a play that loses less than `within` points is
    right by all its names, which are `also`.
    """
    best = decision.choices[0]
    return [dict(_fields(choice, best, plays, within)) for choice in decision.choices]


def _fields(choice: Choice, best: Choice, plays: Plays, within: float) -> Iterator[tuple[str, Any]]:
    worth, equity = best.equity or 0.0, choice.equity or 0.0
    loss = thousandths(worth - equity)
    yield "name", str(choice.name)
    yield "said", choice.text
    yield "loss", loss
    if off := thousandths(equity) - thousandths(worth) + loss:
        yield "off", off
    if choice.level != best.level:
        yield "lesser", 1
    if choice.play and worth - equity < within:
        names = _names(choice.play, plays) if choice is best else plays.letters(choice.play)
        if also := " ".join(str(name) for name in names if str(name) != str(choice.name)):
            yield "also", also
    chances, bests = _chances(choice), (0,) * 5 if choice is best else _chances(best)
    yield from zip(_CHANCES, map(sub, chances, bests), strict=False)


def _chances(choice: Choice) -> list[int]:
    return [round(1000 * chance) for chance in read_chances(choice.odds) or ()]


def shortened(nacbrac: str, plays: Sequence[dict[str, Any]]) -> str:
    """The nacbrac with the places of plays for their names and losses: `-3-3[«0»...«4»]`."""
    head, opens, rest = nacbrac.partition("[")
    inside, closes, tail = rest.partition("]")
    places = {f"{play['name']}{play['loss'] if at else ''}": at for at, play in enumerate(plays)}
    parts = [f"«{places[part]}»" if part in places else part for part in _BETWEEN.split(inside)]
    return f"{head}{opens}{''.join(parts)}{closes}{tail}"


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
