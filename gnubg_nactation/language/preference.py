"""Which of a play's Nactations the author of the language would write.

The order comes from the captions of his tutorial and its rollout table (section 17): first members
before lower ones, styles before areas, and the areal letter if nothing else fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import BAR, FAR
from gnubg_nactation.language import styles
from gnubg_nactation.language.alphabet import Diacritic, Family, Right, family
from gnubg_nactation.language.areas import areal_family
from gnubg_nactation.language.nactation import Nactation, Naming
from gnubg_nactation.language.numerals import is_named_alike, is_named_first
from gnubg_nactation.language.styles import checker_paths, resting_points
from gnubg_nactation.language.waived import waived_family
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gnubg_nactation.language.plays import Plays


class Preferred(NamedTuple):
    """The Nactation to write, and the rule that chose it."""

    naming: Naming
    rule: str

    def __str__(self) -> str:
        """The Nactation in plain spelling."""
        return str(self.naming)


def preferred(play: Play, plays: Plays) -> Preferred:
    """The Nactation of a play that the author would write."""
    chosen = plays.without_numerals(play)
    if chosen.naming.nactation.is_formatted and not play.roll.is_doublet:
        numeral = _numeral(play, plays, is_named_alike)
        if numeral:
            return Preferred(numeral, "a numeral rather than an italic letter")
    return chosen


def without_numerals(play: Play, plays: Plays) -> Preferred:
    """The preferred Nactation that is no numeral; `Plays.without_numerals` caches it."""
    for rule in _DOUBLET_RULES if play.roll.is_doublet else _RULES:
        family = rule.family
        style = family.style if family and rule.right is None else None
        if style and not style.glance(play):
            continue
        if rule.when and not rule.when(play, plays):
            continue
        if family is None:
            return Preferred(_areal(play, plays), rule.reason)
        if style and not plays.fits(play, family):
            continue
        naming = plays.reading(family, rule.right or family.style_right).naming(play)
        if naming and (rule.last is None or naming.nactation.member <= rule.last):
            return Preferred(naming, rule.reason)
    return Preferred(plays.areal(play), "the areal letter")


def _areal(play: Play, plays: Plays) -> Naming:
    if _splits_by_convenience(play, plays):
        return plays.reading(_SPLIT).naming(play) or plays.areal(play)
    return plays.areal(play)


def _numeral(
    play: Play,
    plays: Plays,
    names: Callable[[Play, str, Sequence[Play], Sequence[styles.Die]], bool],
) -> Naming | None:
    """The digit of the lowest point that names the play; None without one."""
    for point in sorted(resting_points(play.portions)):
        digit = _DIGITS[point % 10]
        if names(play, digit.key, plays, plays.forced):
            return Naming(Nactation(digit), Right.NUMERAL)
    return None


def basic(play: Play, plays: Plays) -> Naming:
    """A first-ranked character of the tutorial's sections 1 to 4 if one fits, else the preferred.

    For readers of the basic letters only; never a numeral.
    """
    first = plays.without_numerals(play).naming
    if _is_basic(first):
        return first
    return next(filter(_is_basic, plays.names(play)), first)


def _is_basic(naming: Naming) -> bool:
    first = naming.nactation.member == 1 and naming.right is not Right.WAIVED
    return first and str(naming.nactation) in _BASIC


def choose(play: Play, plays: Plays, characters: str) -> tuple[Naming, ...]:
    """The Nactations of a play that a preset of CHARACTERS shows; KeyError for another."""
    return CHARACTERS[characters](play, plays)


def _in_numerals(play: Play, plays: Plays) -> Naming:
    """A digit wherever it names the play first (section 9), else a basic character."""
    return _numeral(play, plays, is_named_first) or basic(play, plays)


# The characters to show: a single one by some habit, or all of them.
CHARACTERS: dict[str, Callable[[Play, Plays], tuple[Naming, ...]]] = {
    "preferred": lambda play, plays: (preferred(play, plays).naming,),
    "areal": lambda play, plays: (plays.areal(play),),
    "basic": lambda play, plays: (basic(play, plays),),
    "numerals": lambda play, plays: (_in_numerals(play, plays),),
    "all": lambda play, plays: plays.names(play),
}
_BASIC = set("DPR$SZUHXKBEACON")


class _Rule(NamedTuple):
    """A family is preferred if the play ranks in it at `last` or higher; None accepts any place.

    `when` limits the rule to some plays. `right` is the right of the naming; None means that of the
    family's style. Without a family, the rule prefers the areal letter.
    """

    reason: str
    family: Family | None
    when: Callable[[Play, Plays], bool] | None = None
    last: int | None = 1
    right: Right | None = None


def _makes_high(play: Play, plays: Plays) -> bool:
    high = max(resting_points(play.portions)) >= 16  # a glance: it may be where a checker enters
    return high and plays.reading(_ANCHOR, _ANCHOR.style_right).point_made(play) >= 16


def _is_no_each_on_entering(play: Play, _: Plays) -> bool:
    return not (play.before.bar and areal_family(play).character == "E")


def _is_by_two(play: Play, _: Plays) -> bool:
    return not play.before.bar and not _is_one_checker(play)


def _hits_far_and_goes_on(play: Play, _: Plays) -> bool:
    if not play.hits & ~_NEAR or len(play.portions) != 2:
        return False
    first, second = play.portions
    return first.hits and not second.hits and first.target == second.source


def _hits_by_one(play: Play, _: Plays) -> bool:
    entering = play.before.bar and all(portion.target >= FAR for portion in play.portions)
    return bool(play.hits & _NEAR or entering or _is_one_checker(play))


def comes_from_midpoint(play: Play, _: Plays) -> bool:
    """Whether two checkers come down from the midpoint and make no point."""
    if len(play.portions) != 2:
        return False
    first, second = play.portions
    return (
        first.source == second.source == FAR
        and play.own(first.target) != 2
        and play.own(second.target) != 2
    )


def _enters_none(play: Play, _: Plays) -> bool:
    return not play.before.bar


def _stays_together(play: Play, _: Plays) -> bool:
    return not play.before.bar and areal_family(play).character not in "RC"


def _comes_down(play: Play, _: Plays) -> bool:
    """Whether the smaller die enters without a hit and the larger leaves the far side."""
    if len(play.portions) != 2:
        return False
    low, high = sorted(play.portions, key=lambda portion: portion.die)
    down = low.source == BAR and not low.hits and high.source >= FAR
    return down and waived_family(play) is _DOWN


def _splits_by_convenience(play: Play, plays: Plays) -> bool:
    """Whether S means Z: for rolls with a 5 or a 1 (section 2)."""
    if not {1, 5}.intersection(play.roll) or areal_family(play) is not _ZPLIT:
        return False
    return plays.reading(_SPLIT).right is Right.CONVENIENCE


def _stays_near(play: Play, _: Plays) -> bool:
    return all(portion.source < FAR for portion in play.portions)


def _is_low(play: Play, plays: Plays) -> bool:
    return plays.areal(play).nactation.member > 1


def _is_italic(play: Play, plays: Plays) -> bool:
    return plays.areal(play).nactation.is_formatted


def _is_low_or_marked(play: Play, plays: Plays) -> bool:
    return areal_family(play).mark is not Diacritic.NONE or _is_low(play, plays)


def _moves_one_pair(play: Play, _: Plays) -> bool:
    """Whether two checkers move from one point to another and nothing else moves."""
    chains = checker_paths(play.portions)
    return len(chains) == 2 and len({(way[0].source, way[-1].target) for way in chains}) == 1


def _anchors_quietly(play: Play, plays: Plays) -> bool:
    return not play.hits and _moves_one_pair(play, plays)


def _points_by_pair(play: Play, plays: Plays) -> bool:
    """Whether a pair makes a point and no more; it is more to hit on the far side (55B of #58)."""
    if play.before.bar or play.hits & ~_NEAR or areal_family(play).key in "DJIAUR":
        return False
    return _moves_one_pair(play, plays)


def _is_complex(play: Play, _: Plays) -> bool:
    """Whether the areal letter is one of the doublets table beyond those of pairs (section 16)."""
    return areal_family(play).is_advanced


_SPLIT, _ZPLIT, _POINT, _ANCHOR, _DOWN, _SLOT, _WILD = map(family, "SZP@D$W")
_DIGITS = tuple(map(family, "0123456789"))
_NEAR = (1 << FAR) - 1

_RULES = (
    _Rule("two hits", family("K"), last=2),
    _Rule("an anchor on the 16pt or higher", _ANCHOR, _makes_high, last=2),
    _Rule("one checker that hits on the far side and goes on", None, _hits_far_and_goes_on),
    _Rule("a point made", _POINT, _is_no_each_on_entering),
    _Rule("hit and split by two checkers", family("X"), _is_by_two, last=2),
    _Rule("two checkers down from the midpoint", _DOWN, comes_from_midpoint, right=Right.AREAL),
    _Rule("a hit by one checker, on the near side, or on entering", family("H"), _hits_by_one),
    _Rule("a slot", family("&"), _enters_none),
    _Rule("a slot", _SLOT, _enters_none),
    _Rule("a stack", family("T"), _stays_together),
    _Rule("a quadruple split", family("Q")),
    _Rule("down after entering with the smaller die", _DOWN, _comes_down, right=Right.WAIVED),
    _Rule("S for Z, as there is no S", _SPLIT, _splits_by_convenience, None, Right.CONVENIENCE),
    _Rule("the second point, made on the near side alone", _POINT, _stays_near, last=2),
    _Rule("a point rather than a lower areal letter", _POINT, _is_low, last=2),
    _Rule("split and slot rather than a lower areal letter", _WILD, _is_low),
    _Rule("a slot rather than an italic letter", _SLOT, _is_italic, last=2),
)
_DOUBLET_RULES = (
    _Rule("an anchor made by one pair", _ANCHOR, _anchors_quietly),
    _Rule("a point made by one pair", _POINT, _points_by_pair),
    _Rule("a point made rather than a complex letter", _POINT, _is_complex),
    _Rule("a hit", family("H"), _enters_none),
    _Rule("a point rather than a lower areal letter", _POINT, _is_low_or_marked, last=2),
)


def _is_one_checker(play: Play) -> bool:
    return len(checker_paths(play.portions)) == 1
