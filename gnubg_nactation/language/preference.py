"""Which of a play's Nactations the author of the language would write.

The order was read off the captions of his tutorial: first-ranked members before anything lower,
a style that says what happens before the areas, the areal letter when nothing else is at hand.
"""

from __future__ import annotations

from collections.abc import Callable

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import BAR, FAR
from gnubg_nactation.language import styles
from gnubg_nactation.language.alphabet import Family, Right, family
from gnubg_nactation.language.areas import areal_family
from gnubg_nactation.language.nactation import Naming
from gnubg_nactation.language.styles import checker_paths, resting_points
from gnubg_nactation.language.waived import waived_family
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gnubg_nactation.language.plays import Plays

__all__ = ["CHARACTERS", "Preferred", "basic", "choose", "preferred"]


class Preferred(NamedTuple):
    """The Nactation to write, and the rule that chose it."""

    naming: Naming
    rule: str

    def __str__(self) -> str:
        """The Nactation in plain spelling."""
        return str(self.naming)


def preferred(play: Play, plays: Plays) -> Preferred:
    """The Nactation of a play that the author would write."""
    doublet = play.roll.is_doublet
    for rule in _DOUBLET_RULES if doublet else _RULES:
        style = rule.family.style
        if style and style.glance(play) and (rule.when is None or rule.when(play, plays)):
            naming = _in_style(rule.family, play, plays)
            if naming and naming.nactation.member <= rule.last:
                return Preferred(naming, rule.reason)
    for reason, other in () if doublet else _OTHER_RULES:
        naming = other(play, plays)
        if naming:
            return Preferred(naming, reason)
    return Preferred(plays.areal(play), "the areal letter")


def _in_style(row: Family, play: Play, plays: Plays) -> Naming | None:
    """The Nactation in a style family; None if the play does not belong to it."""
    if row.style and styles.fits(play, row.style, plays.forced):
        return plays.reading(row, row.style_right).naming(play)
    return None


def basic(play: Play, plays: Plays) -> Naming:
    """A first-ranked character of the tutorial's sections 1 to 4 if one fits, else the preferred.

    For readers who know no more than the basic letters.
    """
    first = preferred(play, plays).naming
    if _is_basic(first):
        return first
    return next(filter(_is_basic, plays.names(play)), first)


def _is_basic(naming: Naming) -> bool:
    first = naming.nactation.member == 1 and naming.right is not Right.WAIVED
    return first and str(naming.nactation) in _BASIC


def choose(play: Play, plays: Plays, characters: str) -> tuple[Naming, ...]:
    """The Nactations of a play that a preset of CHARACTERS shows; KeyError for another."""
    return CHARACTERS[characters](play, plays)


# What people may want to see: one character by some habit, or all of them.
CHARACTERS: dict[str, Callable[[Play, Plays], tuple[Naming, ...]]] = {
    "preferred": lambda play, plays: (preferred(play, plays).naming,),
    "areal": lambda play, plays: (plays.areal(play),),
    "basic": lambda play, plays: (basic(play, plays),),
    "all": lambda play, plays: plays.names(play),
}
_BASIC = set("DPR$SZUHXKBEACON")


class _Rule(NamedTuple):
    """A style is preferred where the play ranks in its family at `last` or higher.

    `when` says of which members that is true; None: of all.
    """

    reason: str
    family: Family
    when: Callable[[Play, Plays], bool] | None = None
    last: int = 1


def _makes_high(play: Play, plays: Plays) -> bool:
    high = max(resting_points(play.portions)) >= 16  # a glance: it may be where a checker enters
    return high and plays.reading(_ANCHOR, _ANCHOR.style_right).point_made(play) >= 16


def _is_no_each_on_entering(play: Play, _: Plays) -> bool:
    return not (play.before.bar and areal_family(play).character == "E")


def _is_by_two(play: Play, _: Plays) -> bool:
    return not play.before.bar and not _is_one_checker(play)


def _hits_by_one(play: Play, _: Plays) -> bool:
    near = play.hits & ((1 << FAR) - 1)
    entering = play.before.bar and all(portion.target >= FAR for portion in play.portions)
    return bool(near or entering or _is_one_checker(play))


def _enters_none(play: Play, _: Plays) -> bool:
    return not play.before.bar


def _stays_together(play: Play, _: Plays) -> bool:
    return not play.before.bar and areal_family(play).character not in "RC"


def _moves_one_pair(play: Play, _: Plays) -> bool:
    """Whether two checkers move from one point to another and nothing else moves."""
    if play.before.bar or areal_family(play).character in "DJIA":
        return False
    chains = checker_paths(play.portions)
    return len(chains) == 2 and len({(way[0].source, way[-1].target) for way in chains}) == 1


_SPLIT, _ZPLIT, _POINT, _ANCHOR = map(family, "SZP@")

_RULES = (
    _Rule("two hits", family("K")),
    _Rule("an anchor on the 16pt or higher", _ANCHOR, _makes_high, last=2),
    _Rule("a point made", _POINT, _is_no_each_on_entering),
    _Rule("hit and split by two checkers", family("X"), _is_by_two, last=2),
    _Rule("a hit by one checker, on the near side, or on entering", family("H"), _hits_by_one),
    _Rule("a slot", family("&"), _enters_none),
    _Rule("a slot", family("$"), _enters_none),
    _Rule("a stack", family("T"), _stays_together),
    _Rule("a quadruple split", family("Q")),
)
_DOUBLET_RULES = (
    _Rule("the first anchor", _ANCHOR),
    _Rule("a point made by one pair", _POINT, _moves_one_pair),
)


def _down_after_entering(play: Play, plays: Plays) -> Naming | None:
    if not _comes_down_after_entering(play):
        return None
    rest = waived_family(play)
    naming = plays.reading(rest, Right.WAIVED).naming(play) if rest else None
    return naming if naming and naming.nactation.member == 1 else None


def _convenience(play: Play, plays: Plays) -> Naming | None:
    if areal_family(play) is not _ZPLIT:
        return None
    reading = plays.reading(_SPLIT)
    return reading.naming(play) if reading.right is Right.CONVENIENCE else None


def _second_point(play: Play, plays: Plays) -> Naming | None:
    point = _in_style(_POINT, play, plays) if styles.POINT.glance(play) else None
    low = point and point.nactation.member <= 2 and plays.areal(play).nactation.member > 1
    return point if low else None


# What is asked next, but of doublets.
_OTHER_RULES: tuple[tuple[str, Callable[[Play, Plays], Naming | None]], ...] = (
    ("down after entering with the smaller die", _down_after_entering),
    ("S for Z, as there is no S", _convenience),
    ("the second point rather than a lower areal letter", _second_point),
)


def _is_one_checker(play: Play) -> bool:
    return len(checker_paths(play.portions)) == 1


def _comes_down_after_entering(play: Play) -> bool:
    """Whether the smaller die enters without a hit and the larger leaves the far side."""
    if len(play.portions) != 2:
        return False
    low, high = sorted(play.portions, key=lambda portion: portion.die)
    return low.source == BAR and not low.hits and high.source >= FAR
