"""Nactation, Nack Ballard's one-character notation for backgammon plays.

The names below are the front door; what stands behind them is imported when first asked for.
docs/library.md shows what can be done with them.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # type checkers know this name

if TYPE_CHECKING:
    from gnubg_nactation.annotation import AnnotatedMatch, annotate
    from gnubg_nactation.backgammon.match import Match
    from gnubg_nactation.backgammon.notation import format_play, parse_play
    from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
    from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
    from gnubg_nactation.engines.nacbracs import nacbrac
    from gnubg_nactation.errors import (
        AmbiguousError,
        EngineError,
        IllegalError,
        MalformedError,
        NactationError,
    )
    from gnubg_nactation.exports.board.rendering import board_svg
    from gnubg_nactation.exports.sgf import annotate_sgf
    from gnubg_nactation.exports.text import game_sequences
    from gnubg_nactation.files.formats import read
    from gnubg_nactation.language.dialects import DIALECTS, dialect_on
    from gnubg_nactation.language.nactation import Nactation, parse_nactation
    from gnubg_nactation.language.plays import Plays
    from gnubg_nactation.sequences.decode import decode
    from gnubg_nactation.writing.spelling import spell

__version__ = "0.1.0"

_ROOMS = {
    "annotation": ("AnnotatedMatch", "annotate"),
    "backgammon.match": ("Match",),
    "backgammon.notation": ("format_play", "parse_play"),
    "backgammon.plays": ("Play", "Roll", "legal_plays"),
    "backgammon.position": ("NACKGAMMON", "STANDARD", "Position"),
    "engines.nacbracs": ("nacbrac",),
    "errors": (
        *("AmbiguousError", "EngineError", "IllegalError", "MalformedError"),
        "NactationError",
    ),
    "exports.board.rendering": ("board_svg",),
    "exports.sgf": ("annotate_sgf",),
    "exports.text": ("game_sequences",),
    "files.formats": ("read",),
    "sequences.decode": ("decode",),
    "language.dialects": ("DIALECTS", "dialect_on"),
    "language.nactation": ("Nactation", "parse_nactation"),
    "language.plays": ("Plays",),
    "writing.spelling": ("spell",),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "DIALECTS",
    "NACKGAMMON",
    "STANDARD",
    "AmbiguousError",
    "AnnotatedMatch",
    "EngineError",
    "IllegalError",
    "MalformedError",
    "Match",
    "Nactation",
    "NactationError",
    "Play",
    "Plays",
    "Position",
    "Roll",
    "annotate",
    "annotate_sgf",
    "board_svg",
    "decode",
    "dialect_on",
    "format_play",
    "game_sequences",
    "legal_plays",
    "nacbrac",
    "parse_nactation",
    "parse_play",
    "read",
    "spell",
]


def __getattr__(name: str) -> object:
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_ROOM_OF[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
