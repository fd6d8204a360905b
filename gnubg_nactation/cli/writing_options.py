"""The options for how Nactation is written."""

from __future__ import annotations

from gnubg_nactation.sequences.habits import CHARACTERS
from gnubg_nactation.sequences.notation import START_MARKS
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_characters_option(group: argparse._ActionsContainer, default: str = "preferred") -> None:
    """Declare --characters, a key of CHARACTERS."""
    group.add_argument(
        "--characters",
        choices=CHARACTERS,
        default=default,
        help="which Nactation to write (assumption: a simple character where the rest is obvious; "
        f"default: {default})",
    )


def add_style_options(group: argparse._ActionsContainer) -> None:
    """Declare --spoken, and how fans, forced plays and the second player's start are written."""
    add_spoken_option(group)
    group.add_argument(
        "--fans", choices=("F", "^", "roll"), default="F", help="write a fan as F, 31^ or 31"
    )
    group.add_argument(
        "--forced",
        choices=("roll", "name"),
        default="roll",
        help="write the only legal play as its roll (default) or with its character",
    )
    group.add_argument(
        "--start-mark",
        choices=START_MARKS,
        default="-",
        help="mark of a game that the second player starts, as --start-mark=-",
    )


def add_spoken_option(group: argparse._ActionsContainer) -> None:
    """Declare --spoken."""
    group.add_argument(
        "--spoken", action="store_true", help="write words: 54-split, 63-run, 31-point"
    )
