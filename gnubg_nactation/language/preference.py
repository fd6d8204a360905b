"""Which of a play's Nactations the author of the language would write.

The order was read off the captions of his tutorial: first-ranked members before anything lower,
a style that says what happens before the areas, the areal letter when nothing else is at hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from gnubg_nactation.backgammon.plays import Play, Portion
from gnubg_nactation.backgammon.position import BAR
from gnubg_nactation.language.alphabet import family
from gnubg_nactation.language.areas import areal_family
from gnubg_nactation.language.families import Families
from gnubg_nactation.language.nactate import (
    WAIVED,
    Naming,
    accepted_namings,
    areal_naming,
    convenience_naming,
    style_naming,
    symbol_naming,
    waived_naming,
)
from gnubg_nactation.language.styles import rests, ways

__all__ = ["CHARACTERS", "Preferred", "basic", "choose", "nactate", "preferred"]

_Rule: TypeAlias = Callable[["_Choice"], "Naming | None"]


class Preferred(NamedTuple):
    """The Nactation to write, and the rule that chose it."""

    naming: Naming
    rule: str


def nactate(play: Play, families: Families) -> tuple[Naming, ...]:
    """Every Nactation of a play: the preferred one, the other strict ones, those accepted."""
    rows = families.style_rows(play)
    strict = [areal_naming(play, families)]
    strict += [style_naming(play, row, families) for row in rows]
    symbol = symbol_naming(play)
    if symbol is not None:
        strict.append(symbol)
    first = preferred(play, families).naming
    others = [*strict, *accepted_namings(play, families)]
    return (first, *(naming for naming in others if naming != first))


def preferred(play: Play, families: Families) -> Preferred:
    """The Nactation of a play that the author would write."""
    choice = _Choice(play, families, {})
    for name, rule in _DOUBLET_RULES if play.roll.is_doublet else _RULES:
        naming = rule(choice)
        if naming is not None:
            return Preferred(naming, name)
    return Preferred(choice.areal, "the areal letter")


def basic(play: Play, families: Families) -> Naming:
    """A first-ranked character of the tutorial's sections 1 to 4 if one fits, else the preferred.

    For readers who know no more than the basic letters.
    """
    first = preferred(play, families).naming
    if _is_basic(first):
        return first
    return next(filter(_is_basic, nactate(play, families)), first)


def _is_basic(naming: Naming) -> bool:
    return (
        naming.kind != WAIVED and naming.nactation.member == 1 and str(naming.nactation) in _BASIC
    )


def choose(play: Play, families: Families, characters: str) -> tuple[Naming, ...]:
    """The Nactations of a play that a preset of CHARACTERS shows; KeyError for another."""
    return CHARACTERS[characters](play, families)


# What people may want to see: one character by some habit, or all of them.
CHARACTERS: dict[str, Callable[[Play, Families], tuple[Naming, ...]]] = {
    "preferred": lambda play, families: (preferred(play, families).naming,),
    "areal": lambda play, families: (areal_naming(play, families),),
    "basic": lambda play, families: (basic(play, families),),
    "all": nactate,
}
_BASIC = set("DPR$SZUHXKBEACON")


class _Choice(NamedTuple):
    """What the rules look at: a play among the families of its roll, and its known places."""

    play: Play
    families: Families
    places: dict[str, int]

    @property
    def enters(self) -> bool:
        return self.play.before.bar > 0

    @property
    def areal(self) -> Naming:
        return areal_naming(self.play, self.families)

    @property
    def letter(self) -> str:
        return areal_family(self.play).character

    def named(self, key: str, last: int = 1) -> Naming | None:
        """The Nactation in a style family if it ranks there at `last` or higher."""
        row = family(key)
        if key not in self.places:
            fits = self.families.fits(self.play, row)
            self.places[key] = self.families.place(self.play, row) if fits else 0
        place = self.places[key]
        return style_naming(self.play, row, self.families) if 0 < place <= last else None


def _kill(choice: _Choice) -> Naming | None:
    return choice.named("K")


def _anchor(choice: _Choice) -> Naming | None:
    if max(rests(choice.play.portions), default=0) < 16:
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
    naming = waived_naming(choice.play, choice.families)
    return naming if naming and naming.nactation.member == 1 else None


def _convenience(choice: _Choice) -> Naming | None:
    return convenience_naming(choice.play, choice.families)


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
    return len(ways(play.portions)) == 1


def _is_one_pair(portions: tuple[Portion, ...]) -> bool:
    """Whether two checkers move from one point to another and nothing else moves."""
    chains = ways(portions)
    return len(chains) == 2 and len({(way[0].source, way[-1].target) for way in chains}) == 1


def _comes_down_after_entering(play: Play) -> bool:
    """Whether the smaller die enters without a hit and the larger leaves the far outer board."""
    if len(play.portions) != 2:
        return False
    low, high = sorted(play.portions, key=lambda portion: portion.die)
    enters = low.source == BAR and not low.hits
    return enters and 13 <= high.source <= 18 and 7 <= high.target <= 12
