"""Which of a play's Nactations the author of the language would write.

The order was read off the captions of his tutorial: first-ranked members before anything lower,
a style that says what happens before the areas, the areal letter when nothing else is at hand.
"""

from __future__ import annotations

from collections.abc import Callable

from gnubg_nactation.backgammon.plays import Play, Portion
from gnubg_nactation.backgammon.position import BAR
from gnubg_nactation.language import styles
from gnubg_nactation.language.alphabet import Right, family
from gnubg_nactation.language.areas import areal_family
from gnubg_nactation.language.nactation import Nactation, Naming
from gnubg_nactation.language.styles import checker_paths, resting_points
from gnubg_nactation.language.waived import waived_family
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

    from gnubg_nactation.language.plays import Plays

__all__ = ["CHARACTERS", "Preferred", "basic", "choose", "preferred"]

_Rule: TypeAlias = Callable[["_Choice"], "Naming | None"]


class Preferred(NamedTuple):
    """The Nactation to write, and the rule that chose it."""

    naming: Naming
    rule: str

    def __str__(self) -> str:
        """The Nactation in plain spelling."""
        return str(self.naming)


def preferred(play: Play, plays: Plays) -> Preferred:
    """The Nactation of a play that the author would write."""
    choice = _Choice(play, plays)
    for name, rule in _DOUBLET_RULES if play.roll.is_doublet else _RULES:
        naming = rule(choice)
        if naming is not None:
            return Preferred(naming, name)
    return Preferred(choice.areal, "the areal letter")


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


class _Choice:
    """What the rules look at: a play among those of its roll, and its known places."""

    __slots__ = ("places", "play", "plays")

    def __init__(self, play: Play, plays: Plays) -> None:
        self.play, self.plays = play, plays
        self.places: dict[str, int] = {}

    @property
    def enters(self) -> bool:
        return self.play.before.bar > 0

    @property
    def areal(self) -> Naming:
        return self.plays.areal(self.play)

    @property
    def letter(self) -> str:
        return areal_family(self.play).character

    def named(self, key: str, last: int = 1) -> Naming | None:
        """The Nactation in a style family if it ranks there at `last` or higher."""
        row = family(key)
        if key not in self.places:
            fits = row.style and styles.fits(self.play, row.style, self.plays.forced)
            reading = self.plays.reading(row, row.style_right) if fits else None
            self.places[key] = reading.place(self.play) if reading else 0
        place = self.places[key]
        return Naming(Nactation(row, place), row.style_right) if 0 < place <= last else None


def _kill(choice: _Choice) -> Naming | None:
    return choice.named("K")


def _anchor(choice: _Choice) -> Naming | None:
    if max(resting_points(choice.play.portions), default=0) < 16:
        return None
    return choice.named("@", last=2)


def _point(choice: _Choice) -> Naming | None:
    return None if choice.enters and choice.letter == "E" else choice.named("P")


def _hit_and_split(choice: _Choice) -> Naming | None:
    if choice.enters or _is_one_checker(choice.play):
        return None
    return choice.named("X", last=2)


def _hit(choice: _Choice) -> Naming | None:
    play = choice.play
    near = play.hits & ((1 << 13) - 1)
    entering = choice.enters and all(portion.target >= 13 for portion in play.portions)
    return choice.named("H") if near or entering or _is_one_checker(play) else None


def _slot(choice: _Choice) -> Naming | None:
    return None if choice.enters else choice.named("&") or choice.named("$")


def _tower(choice: _Choice) -> Naming | None:
    return None if choice.enters or choice.letter in "RC" else choice.named("T")


def _quadruple_split(choice: _Choice) -> Naming | None:
    return choice.named("Q")


def _down_after_entering(choice: _Choice) -> Naming | None:
    if not _comes_down_after_entering(choice.play):
        return None
    rest = waived_family(choice.play)
    naming = choice.plays.reading(rest, Right.WAIVED).naming(choice.play) if rest else None
    return naming if naming and naming.nactation.member == 1 else None


def _convenience(choice: _Choice) -> Naming | None:
    if choice.letter != "Z":
        return None
    reading = choice.plays.family("S")
    return reading.naming(choice.play) if reading.right is Right.CONVENIENCE else None


def _second_point(choice: _Choice) -> Naming | None:
    point = choice.named("P", last=2)
    return point if point and choice.areal.nactation.member > 1 else None


_RULES: tuple[tuple[str, _Rule], ...] = (
    ("two hits", _kill),
    ("an anchor on the 16pt or higher", _anchor),
    ("a point made", _point),
    ("hit and split by two checkers", _hit_and_split),
    ("a hit by one checker, on the near side, or on entering", _hit),
    ("a slot", _slot),
    ("a stack", _tower),
    ("a quadruple split", _quadruple_split),
    ("down after entering with the smaller die", _down_after_entering),
    ("S for Z, as there is no S", _convenience),
    ("the second point rather than a lower areal letter", _second_point),
)


def _first_anchor(choice: _Choice) -> Naming | None:
    return choice.named("@")


def _point_by_one_pair(choice: _Choice) -> Naming | None:
    one_pair = not choice.enters and _is_one_pair(choice.play.portions)
    return choice.named("P") if one_pair and choice.letter not in "DJIAENU" else None


_DOUBLET_RULES: tuple[tuple[str, _Rule], ...] = (
    ("the first anchor", _first_anchor),
    ("a point made by one pair", _point_by_one_pair),
)


def _is_one_checker(play: Play) -> bool:
    return len(checker_paths(play.portions)) == 1


def _is_one_pair(portions: tuple[Portion, ...]) -> bool:
    """Whether two checkers move from one point to another and nothing else moves."""
    chains = checker_paths(portions)
    return len(chains) == 2 and len({(way[0].source, way[-1].target) for way in chains}) == 1


def _comes_down_after_entering(play: Play) -> bool:
    """Whether the smaller die enters without a hit and the larger leaves the far outer board."""
    if len(play.portions) != 2:
        return False
    low, high = sorted(play.portions, key=lambda portion: portion.die)
    enters = low.source == BAR and not low.hits
    return enters and 13 <= high.source <= 18 and 7 <= high.target <= 12
