"""What an analysis has considered at a turn, for the page: the best plays, and the cube."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gnubg_nactation.annotation import AnnotatedTurn
from gnubg_nactation.backgammon.analysis import Candidate, CubeAct, CubeAnalysis
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.engines.rating import rate_plays
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.moment import answer_of_cube, chosen
from gnubg_nactation.exports.nacbracs import judged_cube, judged_turn
from gnubg_nactation.exports.page.data import NEARLY
from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.language.lists import listed
from gnubg_nactation.language.nactation import Naming, parse_nactation
from gnubg_nactation.language.numerals import is_named_first
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.styles import resting_points
from gnubg_nactation.nacbracs.bots import analysis_suffix
from gnubg_nactation.statistics import BLUNDER, play_of, severity, thousandths
from gnubg_nactation.values import Any, NamedTuple

__all__ = ["Considered", "Row", "consider", "cube_equities", "cube_nacbrac", "nacbrac"]

_TOP = 5  # candidates that are listed; if the play made is not among them, it comes behind


class Row(NamedTuple):
    """A play that was considered: its name, what it loses, its chances, and the play itself.

    Loss and chances are in thousandths; behind the first play, by how much the chances differ.
    Of the `marks` a `+` or `-` says that the equity is one thousandth more or less than follows,
    `~` that the play was looked at less closely.
    """

    name: str
    loss: int
    marks: str
    chances: Sequence[int]
    said: str


class Considered(NamedTuple):
    """The best plays of a turn, and behind them the one that was made, if it is not among them.

    `worth` is the equity of the best in thousandths, `made` the place of the play made, -1 if it
    was not considered, and `rank` its rank if it is not among the best. `source` is who says so.
    `answers` has for the quiz every name of the plays that are right answers to a mistake, in
    their order.
    """

    plays: Sequence[Row]
    worth: int
    made: int
    rank: int | None
    source: str
    answers: Sequence[Sequence[str]] = ()

    @property
    def loss(self) -> int:
        """What the play made has lost; 0 if that is not known."""
        return self.plays[self.made].loss if self.made >= 0 else 0


def consider(turn: AnnotatedTurn, blunder: float = BLUNDER) -> Considered | None:
    """The plays that were considered; None without them, or if they are of another board."""
    analysis, plays = play_of(turn), turn.plays
    if analysis is None or not analysis.candidates:
        return None
    best = analysis.candidates[0]
    top = list(analysis.candidates[:_TOP])
    low = analysis.rank if analysis.rank is not None and analysis.rank >= _TOP else None
    if low is not None:
        top.append(analysis.candidates[low])
    try:
        found = [one.play for one in rate_plays(top, plays)]
    except NactationError:
        return None
    answer = chosen([one.method for one in top])
    made = next((at for at, play in enumerate(found) if play == turn.play), -1)
    if made >= 0 and made not in answer:
        answer.append(made)
    names = dict(zip(answer, listed([found[at] for at in answer], plays), strict=True))
    rows = [
        _row(one, best, play, names.get(at) or plays.name(play).naming)
        for at, (one, play) in enumerate(zip(top, found, strict=True))
    ]
    answers: list[list[str]] = []
    if severity(analysis, blunder):
        right = [
            play for one, play in zip(top, found, strict=True) if best.equity - one.equity < NEARLY
        ]
        accepted = [_answers(found[0], plays), *map(plays.letters, right[1:])]
        answers = [[*map(str, names)] for names in accepted]
    return Considered(
        rows,
        thousandths(best.equity),
        made,
        None if low is None else low + 1,
        analysis_suffix([best.method]),
        answers,
    )


def _row(one: Candidate, best: Candidate, play: Play, naming: Naming) -> Row:
    loss = thousandths(best.equity - one.equity)
    more = thousandths(one.equity) - thousandths(best.equity) + loss
    marks = ("", "+", "-")[more] + "~" * (one.method != best.method)
    chances = [round(1000 * number) for number in one.chances or ()]
    if one is not best:
        bests = best.chances or ()
        chances = [own - round(1000 * other) for own, other in zip(chances, bests, strict=False)]
    return Row(str(naming), loss, marks, chances, format_play(play))


def _answers(best: Play, plays: Plays) -> Iterator[Naming]:
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


def nacbrac(turn: AnnotatedTurn) -> str:
    """The nacbrac of the plays that are listed, with an ellipsis where others are as near."""
    judged = judged_turn(turn, told=_TOP)
    return str(judged.nacbrac) if judged else ""


def cube_nacbrac(turn: AnnotatedTurn) -> str:
    """The nacbrac of the cube decision of a turn; empty where there is none."""
    judged = judged_cube(turn)
    return str(judged.nacbrac) if judged else ""


def cube_equities(cube: CubeAnalysis) -> list[Any]:
    """The three equities, what was right, what was done, and what that lost.

    Then what the other choice of who decides loses, and who says so.
    """
    answer = answer_of_cube(cube, taking=cube.act in {CubeAct.TAKE, CubeAct.DROP})
    told = [thousandths(answer.choices[-1].loss), answer.source] if answer else []
    equities = [cube.no_double, cube.double_take, cube.double_pass]
    known = [None if one is None else thousandths(one) for one in equities]
    return [*known, cube.best, cube.act.value, thousandths(cube.error), *told]
