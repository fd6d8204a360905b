"""Waived readings: a play that enters, named by its other portions (#29, #30, #46).

Only letters without a run can be waived readings (D J I, for doublets also A O N and the marked
ones). An entering play as a whole never has such a letter, so the readings do not clash.
"""

from __future__ import annotations

from gnubg_nactation.backgammon.plays import Play, Portion
from gnubg_nactation.backgammon.position import BAR
from gnubg_nactation.language import conventions
from gnubg_nactation.language.alphabet import Family
from gnubg_nactation.language.areas import family_of_portions
from gnubg_nactation.language.conventions import Convention


def waived_family(play: Play) -> Family | None:
    """The family of the portions after entering; None if the play has no waived reading."""
    if not play.before.bar:
        return None
    entered = after_entering(play)
    if not 0 < len(entered) < len(play.portions) or any(p.target >= 13 for p in entered):
        return None
    return family_of_portions(entered, play.roll)


def after_entering(play: Play) -> list[Portion]:
    """The portions of a play that do not enter."""
    return [portion for portion in play.portions if portion.source != BAR]


def _landings(play: Play) -> tuple[int, ...]:
    return conventions.landings(portion.target for portion in after_entering(play))


WAIVED_ORDER = conventions.HIT_MORE_6._replace(
    conventions=(
        conventions.MORE,
        conventions.SIX_POINTS,
        Convention(conventions.SIX_LANDINGS.name, _landings),
        conventions.HIGH_FROM_HIGH,
    )
)
