"""From a Nactation to the play that it names."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.language.alphabet import family
from gnubg_nactation.language.families import areal_members
from gnubg_nactation.language.nactate import s_names_z
from gnubg_nactation.language.nactation import Nactation

__all__ = ["interpret"]

# Readers take the underlined and dotted B for S and Z (section 15).
_OTHER_NAMES = {"B_": "S", "B.": "Z"}


def interpret(nactation: Nactation, plays: Sequence[Play]) -> Play:
    """The play that a Nactation names among the legal plays of a roll; IllegalError if none."""
    row = nactation.family
    members = areal_members(row, plays)
    if not members and row.key == "S" and plays and s_names_z(plays):
        members = areal_members(family("Z"), plays)
    if nactation.member > len(members):
        raise IllegalError(_no_such_play(nactation, len(members), plays))
    return members[nactation.member - 1]


def _no_such_play(nactation: Nactation, members: int, plays: Sequence[Play]) -> str:
    if not plays:
        return f"{nactation} names no play: nothing can be played"
    where = f"{plays[0].roll} in {format_position_id(plays[0].before)}"
    if not members:
        return f"{nactation} names no play of {where}: no {nactation.family.key} is possible"
    return f"{nactation} names no play of {where}: {nactation.family.key} has {members} member(s)"
