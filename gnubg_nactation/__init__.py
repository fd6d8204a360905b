"""Nactation, Nack Ballard's one-character notation for backgammon plays."""

from gnubg_nactation.annotate import AnnotatedMatch, annotate
from gnubg_nactation.backgammon.match import Match
from gnubg_nactation.backgammon.notation import format_play, parse_play
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.errors import (
    AmbiguousError,
    IllegalError,
    MalformedError,
    NactationError,
)
from gnubg_nactation.language.families import Families
from gnubg_nactation.language.interpret import interpret
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.preference import nactate

__version__ = "0.1.0"

__all__ = [
    "NACKGAMMON",
    "STANDARD",
    "AmbiguousError",
    "AnnotatedMatch",
    "Families",
    "IllegalError",
    "MalformedError",
    "Match",
    "Nactation",
    "NactationError",
    "Play",
    "Position",
    "Roll",
    "annotate",
    "format_play",
    "interpret",
    "legal_plays",
    "nactate",
    "parse_nactation",
    "parse_play",
]
