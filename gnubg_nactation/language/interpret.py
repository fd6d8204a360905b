"""From a Nactation to the play that it names."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.language.alphabet import family
from gnubg_nactation.language.families import Families
from gnubg_nactation.language.nactate import s_names_z, symbol_naming
from gnubg_nactation.language.nactation import Nactation

__all__ = ["interpret"]


def interpret(nactation: Nactation, families: Families) -> Play:
    """The play that a Nactation names among the families of a roll; IllegalError if none.

    The strict reading comes first, then convenience, waived entering, and numerals.
    """
    members = _members(nactation, families)
    if nactation.member > len(members):
        raise IllegalError(_no_such_play(nactation, len(members), families.plays))
    return members[nactation.member - 1]


def _members(nactation: Nactation, families: Families) -> list[Play]:
    row = nactation.family
    if row.key in "<>":
        wanted = Nactation(row)
        names = ((play, symbol_naming(play)) for play in families.plays)
        return [play for play, naming in names if naming and naming.nactation == wanted]
    if row is _SPLIT and s_names_z(families):
        return families.members(_ZPLIT)
    return families.members(row) or families.members(row, waived=True)


_SPLIT, _ZPLIT = family("S"), family("Z")


def _no_such_play(nactation: Nactation, members: int, plays: Sequence[Play]) -> str:
    if not plays:
        return f"{nactation} names no play: nothing can be played"
    row = nactation.family
    where = f"{nactation} names no play of {plays[0].roll} in "
    where += format_position_id(plays[0].before)
    if not members:
        return f"{where}: no {row.key} is possible"
    return f"{where}: the last {row.key} is {Nactation(row, members)}"
