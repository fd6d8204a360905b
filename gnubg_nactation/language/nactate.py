"""From a play to its Nactations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import BAR, Position
from gnubg_nactation.language.alphabet import FAMILIES, Family, Kind, family
from gnubg_nactation.language.areas import areal_family
from gnubg_nactation.language.families import Families
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.waived import waived_family

__all__ = [
    "CONVENIENCE",
    "WAIVED",
    "Naming",
    "accepted_namings",
    "areal_naming",
    "convenience_naming",
    "fan_naming",
    "s_names_z",
    "style_naming",
    "symbol_naming",
    "waived_naming",
]

CONVENIENCE = "convenience"
WAIVED = "waived"


class Naming(NamedTuple):
    """A Nactation of a play, and by which right.

    `kind` is `areal`, `style` or `symbol` for a strict Nactation; `convenience`, `waived` or
    `numeral` for one that is only accepted.
    """

    nactation: Nactation
    kind: str


def areal_naming(play: Play, families: Families) -> Naming:
    """The one areal Nactation of a play among the families of its roll."""
    row = areal_family(play)
    return Naming(Nactation(row, families.place(play, row)), Kind.AREAL.value)


def style_naming(play: Play, row: Family, families: Families) -> Naming:
    """The Nactation of a play in a style family to which it belongs."""
    kind = Kind.SYMBOL if row.kind is Kind.SYMBOL else Kind.STYLE
    return Naming(Nactation(row, families.place(play, row)), kind.value)


def symbol_naming(play: Play) -> Naming | None:
    """`<` or `>` for a roll that only enters checkers, several being on the bar (#35)."""
    bar, entered = play.before.bar, len(play.portions)
    if bar < 2 or any(portion.source != BAR for portion in play.portions):
        return None
    row = _ENTER_ALL if entered == bar else _ENTER_ONE if entered == 1 else None
    return Naming(Nactation(row), Kind.SYMBOL.value) if row else None


def fan_naming(position: Position, plays: Sequence[object]) -> Naming | None:
    """`^` where no checker enters from the bar (#35); no play has this name."""
    return Naming(Nactation(_FAN), Kind.SYMBOL.value) if position.bar and not plays else None


def convenience_naming(play: Play, families: Families) -> Naming | None:
    """S for a Z where no play is an S (#6, section 12)."""
    row = areal_family(play)
    if row is not _ZPLIT or not s_names_z(families):
        return None
    return Naming(Nactation(_SPLIT, families.place(play, row)), CONVENIENCE)


def s_names_z(families: Families) -> bool:
    """Whether S stands for Z, as no play splits with the larger die."""
    return not families.is_doublet and not families.members(_SPLIT)


def waived_naming(play: Play, families: Families) -> Naming | None:
    """The letter of what is left after entering (#46)."""
    row = waived_family(play)
    if row is None:
        return None
    return Naming(Nactation(row, families.place(play, row, waived=True)), WAIVED)


def accepted_namings(play: Play, families: Families) -> Iterator[Naming]:
    """The Nactations of a play that readers accept beside the strict ones."""
    for naming in (convenience_naming(play, families), waived_naming(play, families)):
        if naming is not None:
            yield naming
    digits = {str(portion.target % 10) for portion in play.portions}
    for row in _NUMERALS:
        if row.key.isdigit() and row.key not in digits:
            continue  # no checker lands there
        place = families.place(play, row)
        if place:
            yield Naming(Nactation(row, place), Kind.NUMERAL.value)


_NUMERALS = tuple(row for row in FAMILIES if row.kind is Kind.NUMERAL)
_SPLIT, _ZPLIT = family("S"), family("Z")
_FAN = family("^")
_ENTER_ONE, _ENTER_ALL = family("<"), family(">")
