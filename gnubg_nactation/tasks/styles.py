"""How Nactation is written: its characters, fans, forced plays, and the second player's start."""

from __future__ import annotations

from gnubg_nactation.sequences.habits import CHARACTERS
from gnubg_nactation.sequences.notation import START_MARKS
from gnubg_nactation.tasks.settings import setting
from gnubg_nactation.values import Any


def characters_setting(default: str = "preferred", group: str = "") -> Any:
    """Declare which Nactation is written, a key of CHARACTERS."""
    return setting(
        default,
        "which Nactation to write (assumption: a simple character where the rest is obvious; "
        f"default: {default})",
        choices=CHARACTERS,
        group=group,
    )


def spoken_setting(group: str = "") -> Any:
    """Declare whether words are written instead of characters."""
    return setting(False, "write words: 54-split, 63-run, 31-point", group=group)


def fans_setting(group: str = "") -> Any:
    """Declare how a fan is written."""
    return setting("F", "write a fan as F, 31^ or 31", choices=("F", "^", "roll"), group=group)


def forced_setting(group: str = "") -> Any:
    """Declare how the only legal play is written."""
    return setting(
        "roll",
        "write the only legal play as its roll (default) or with its character",
        choices=("roll", "name"),
        group=group,
    )


def start_mark_setting(group: str = "") -> Any:
    """Declare the mark of a game that the second player starts."""
    return setting(
        "-",
        "mark of a game that the second player starts, as --start-mark=-",
        choices=START_MARKS,
        group=group,
    )
