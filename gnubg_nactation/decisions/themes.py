"""Themes of mistakes: in which way the choice made differs from the best one.

A wrong play belongs to the first theme of PLAY_THEMES whose rule holds, so to exactly one. A wrong
cube action has the theme of its fault.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache

from gnubg_nactation.backgammon.analysis import FAULTS, CubeAct
from gnubg_nactation.backgammon.plays import ROLLS, Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import BAR, HOME, OUTER, Position
from gnubg_nactation.values import NamedTuple

_FAR_HOME = range(19, BAR)
_MIDPOINT = 13
_INSIDE = frozenset((*range(1, HOME + 1), OUTER))  # the own home board and the bar point
_DEEP, _BUILDERS = range(1, 4), range(7, 12)
_BOLD_SHOTS = 6  # rolls of 36


class Contrast(NamedTuple):
    """A wrong play next to the best play of the same roll."""

    made: Play
    best: Play

    @property
    def before(self) -> Position:
        """The board before both plays."""
        return self.best.before

    @property
    def is_home(self) -> bool:
        """Whether all checkers of the player are in the home board."""
        return all(count <= 0 for count in self.before.points[HOME + 1 :])

    @property
    def new_points(self) -> tuple[frozenset[int], frozenset[int]]:
        """The points made by the play made, and by the best play."""
        before = _points(self.before)
        return _points(self.made.reached) - before, _points(self.best.reached) - before

    @property
    def missed_points(self) -> frozenset[int]:
        """The points that only the best play makes."""
        made, best = self.new_points
        return best - made

    @property
    def broken_points(self) -> frozenset[int]:
        """The points that the play made gives up and the best play keeps."""
        kept = _points(self.before) & _points(self.best.reached)
        return kept - _points(self.made.reached)

    @property
    def held_points(self) -> frozenset[int]:
        """The points that the best play gives up and the play made keeps."""
        kept = _points(self.before) & _points(self.made.reached)
        return kept - _points(self.best.reached)

    @property
    def more_shots(self) -> int:
        """How many more of the opponent's 36 rolls hit after the play made."""
        return count_shots(self.made.after) - count_shots(self.best.after)

    @property
    def more_back(self) -> int:
        """How many more pips the play made moves checkers that were in the opponent's home."""
        return _pips_from_far(self.made) - _pips_from_far(self.best)

    @property
    def slots(self) -> tuple[frozenset[int], frozenset[int]]:
        """The empty points inside that get a blot by the play made, and by the best play."""
        before = self.before.points
        made, best = (
            frozenset(point for point in _INSIDE if play.own(point) == 1 and before[point] <= 0)
            for play in self
        )
        return made, best

    def more(self, points: Collection[int], above: int = 0) -> int:
        """How many more checkers the play made has on points, counting those above a number."""
        made, best = (sum(max(play.own(point) - above, 0) for point in points) for play in self)
        return made - best


class Theme(NamedTuple):
    """A theme with its name, what the mistake was, and when a wrong play belongs to it."""

    name: str
    meaning: str
    rule: Callable[[Contrast], bool] = lambda _: False


PLAY_THEMES = (
    Theme(
        "bearoff",
        "a play with all checkers home and no contact",
        lambda pair: not has_contact(pair.before) and pair.is_home,
    ),
    Theme("race", "a play without contact", lambda pair: not has_contact(pair.before)),
    Theme(
        "missed hit",
        "the best play hits, yours does not",
        lambda pair: bool(pair.best.hits and not pair.made.hits),
    ),
    Theme(
        "hit too much",
        "your play hits, the best one does not",
        lambda pair: bool(pair.made.hits and not pair.best.hits),
    ),
    Theme(
        "wrong hit",
        "both plays hit, but not the same checkers",
        lambda pair: pair.made.hits != pair.best.hits,
    ),
    Theme(
        "missed anchor",
        "the best play makes an anchor that yours does not",
        lambda pair: not pair.missed_points.isdisjoint(_FAR_HOME),
    ),
    Theme(
        "missed point",
        "the best play makes a point that yours does not",
        lambda pair: (
            not pair.missed_points.isdisjoint(_INSIDE)
            or bool(pair.missed_points and not pair.new_points[0])
        ),
    ),
    Theme(
        "wrong point",
        "both plays make points, but not the same",
        lambda pair: all(pair.new_points) and pair.new_points[0] != pair.new_points[1],
    ),
    Theme(
        "broken anchor",
        "your play gives up an anchor that the best one keeps",
        lambda pair: not pair.broken_points.isdisjoint(_FAR_HOME),
    ),
    Theme(
        "broken point",
        "your play gives up a home point, the bar point or the midpoint",
        lambda pair: not pair.broken_points.isdisjoint({*_INSIDE, _MIDPOINT}),
    ),
    Theme(
        "held too long",
        "the best play gives up a point that yours keeps",
        lambda pair: not pair.held_points.isdisjoint({*range(1, HOME + 1), _MIDPOINT, *_FAR_HOME}),
    ),
    Theme(
        "too loose",
        f"your play leaves at least {_BOLD_SHOTS} more shots of 36",
        lambda pair: pair.more_shots >= _BOLD_SHOTS,
    ),
    Theme(
        "too safe",
        f"the best play leaves at least {_BOLD_SHOTS} more shots of 36",
        lambda pair: -pair.more_shots >= _BOLD_SHOTS,
    ),
    Theme(
        "stayed back",
        "the best play moves the back checkers farther",
        lambda pair: pair.more_back < 0,
    ),
    Theme(
        "left too early",
        "your play moves the back checkers farther",
        lambda pair: pair.more_back > 0,
    ),
    Theme(
        "bearoff with contact",
        "a play with all checkers home while the opponent can still hit",
        lambda pair: pair.is_home,
    ),
    Theme(
        "missed slot",
        "the best play puts a blot where you need a point, yours does not",
        lambda pair: bool(pair.slots[1] - pair.slots[0]),
    ),
    Theme(
        "wrong slot",
        "your play puts a blot inside, the best one does not",
        lambda pair: bool(pair.slots[0] - pair.slots[1]),
    ),
    Theme(
        "stacked",
        "your play puts more checkers on points that have three",
        lambda pair: pair.more(range(1, BAR), above=3) > 0,
    ),
    Theme(
        "buried",
        "your play puts more checkers on the 1, 2 and 3 points",
        lambda pair: pair.more(_DEEP) > 0,
    ),
    Theme(
        "missed builder",
        "the best play brings more checkers to the points from 7 to 11",
        lambda pair: pair.more(_BUILDERS) < 0,
    ),
    Theme(
        "structure",
        "the wrong spare, or anything else",
        lambda _: True,
    ),
)
STRUCTURE = PLAY_THEMES[-1]
WITHOUT_CONTACT = {theme.name for theme in PLAY_THEMES[:2]}
OTHER = Theme("other", "the best choice is not known")
TOO_GOOD = Theme("too good to double", "you doubled, and playing on for a gammon was better")
MISSED_DOUBLE, WRONG_DOUBLE = FAULTS[CubeAct.NO_DOUBLE], FAULTS[CubeAct.DOUBLE]
WRONG_TAKE, WRONG_DROP = FAULTS[CubeAct.TAKE], FAULTS[CubeAct.DROP]
REDOUBLED = {  # the names of faults if the player owns the cube
    MISSED_DOUBLE: "missed redouble",
    WRONG_DOUBLE: "wrong redouble",
}
RIGHT_ACTIONS = {
    MISSED_DOUBLE: "double",
    WRONG_DOUBLE: "no double",
    WRONG_TAKE: "pass",
    WRONG_DROP: "take",
}
RIGHT_ACTIONS |= {redouble: RIGHT_ACTIONS[double] for double, redouble in REDOUBLED.items()}
_OF_FAULT = {
    MISSED_DOUBLE: Theme(MISSED_DOUBLE, "you did not double, and doubling was better"),
    WRONG_DOUBLE: Theme(WRONG_DOUBLE, "you doubled, and waiting was better"),
    WRONG_TAKE: Theme(WRONG_TAKE, "you took, and dropping was better"),
    WRONG_DROP: Theme(WRONG_DROP, "you dropped, and taking was better"),
    REDOUBLED[MISSED_DOUBLE]: Theme(
        REDOUBLED[MISSED_DOUBLE], "you did not redouble, and redoubling was better"
    ),
    REDOUBLED[WRONG_DOUBLE]: Theme(
        REDOUBLED[WRONG_DOUBLE], "you redoubled, and waiting was better"
    ),
}
THEMES = {theme.name: theme for theme in (*PLAY_THEMES, *_OF_FAULT.values(), TOO_GOOD, OTHER)}


def has_contact(position: Position) -> bool:
    """Whether a checker of either side still has to pass one of the opponent's."""
    points = position.points
    own = max((point for point, count in enumerate(points) if count > 0), default=0)
    opponent = min((point for point, count in enumerate(points) if count < 0), default=BAR)
    return own > opponent


def theme_of_play(made: Play, best: Play) -> Theme:
    """The theme of a wrong play."""
    pair = Contrast(made, best)
    return next(theme for theme in PLAY_THEMES if theme.rule(pair))


def theme_of_fault(fault: str, *, too_good: bool = False) -> Theme:
    """The theme of a wrong cube action, such as `missed redouble`.

    `too_good` means that the opponent had to drop, so that playing on was better than cashing.
    """
    if too_good and fault in {WRONG_DOUBLE, REDOUBLED[WRONG_DOUBLE]}:
        return TOO_GOOD
    return _OF_FAULT.get(fault, OTHER)


@lru_cache(maxsize=1 << 12)
def count_shots(position: Position) -> int:
    """The number of rolls of 36 with which the player on roll can hit."""
    points = position.points
    blots = {point for point, count in enumerate(points) if count == -1 and point}
    checkers = [point for point, count in enumerate(points) if count > 0]
    if not blots:
        return 0
    return sum(
        _doublet_hits(points, checkers, blots, roll.high)
        if roll.is_doublet
        else 2 * _may_hit(points, checkers, blots, roll)
        and 2 * any(play.hits for play in legal_plays(position, roll))
        for roll in ROLLS
    )


def _doublet_hits(
    points: Sequence[int], checkers: Iterable[int], blots: Collection[int], die: int
) -> bool:
    """Whether a doublet hits: a checker goes up to four times, after all others have entered."""
    waiting = points[BAR]
    if waiting and points[BAR - die] < -1:
        return False
    for checker in checkers:
        first = checker - die
        if checker == BAR and first in blots:
            return True
        steps = 4 - waiting + (checker == BAR)
        for target in range(first, max(checker - steps * die, 1) - 1, -die):
            if points[target] < -1:
                break
            if target in blots:
                return True
    return False


def _may_hit(
    points: Sequence[int], checkers: Iterable[int], blots: Collection[int], roll: Roll
) -> bool:
    """Whether a checker reaches a blot with one die or with both; it may be illegal."""
    high, low = roll
    for checker in checkers:
        if checker - high in blots or checker - low in blots:
            return True
        between = max(points[max(checker - die, 0)] for die in roll)
        if checker - high - low in blots and between >= -1:
            return True
    return False


def _points(position: Position) -> frozenset[int]:
    """The points that the player owns, numbered from the player's side."""
    return frozenset(point for point in range(1, BAR) if position.points[point] > 1)


def _pips_from_far(play: Play) -> int:
    """The pips that a play moves checkers from the opponent's home board, to wherever they go."""
    pips = 0
    reached: set[int] = set()
    for source, target, *_ in play.portions:
        if source in _FAR_HOME or source in reached:
            pips += source - target
            reached.add(target)
    return pips
