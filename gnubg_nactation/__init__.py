"""Nactation, Nack Ballard's one-character notation for backgammon plays.

Each name below is imported when it is first used. docs/library.md shows how to use them.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module

from gnubg_nactation.hooks import register

TYPE_CHECKING = False  # type checkers know this name

if TYPE_CHECKING:
    from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, AnnotatedTurn, annotate
    from gnubg_nactation.archive.database import open_archive
    from gnubg_nactation.backgammon.match import Double, Drop, Game, Match, Move, Take, Turn
    from gnubg_nactation.backgammon.notation import format_play, parse_play
    from gnubg_nactation.backgammon.plays import ROLLS, Play, Portion, Roll, legal_plays
    from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
    from gnubg_nactation.backgammon.state import GameState, Player
    from gnubg_nactation.decisions.severity import Judgement, blunders
    from gnubg_nactation.engines.nacbracs import nacbrac
    from gnubg_nactation.errors import (
        AmbiguousError,
        EngineError,
        IllegalError,
        MalformedError,
        NactationError,
    )
    from gnubg_nactation.exports.board import board_png, board_svg
    from gnubg_nactation.exports.post import post
    from gnubg_nactation.exports.sgf import annotate_sgf
    from gnubg_nactation.exports.text import game_sequences
    from gnubg_nactation.files.formats import read
    from gnubg_nactation.files.pasted import Pasted, read_pasted
    from gnubg_nactation.language.dialects import DIALECTS, Dialect, dialect_on
    from gnubg_nactation.language.nactation import Nactation, Naming, parse_nactation
    from gnubg_nactation.language.plays import Plays, Preferred, Reading
    from gnubg_nactation.language.ranking_reasons import Explanation
    from gnubg_nactation.prose.finder import read_prose
    from gnubg_nactation.prose.page import Finding
    from gnubg_nactation.sequences.decode import Decoded, DecodedTurn, decode
    from gnubg_nactation.sequences.moves import sequence
    from gnubg_nactation.showing import __version__ as __version__
    from gnubg_nactation.tasks.annotating import AnnotateSettings, annotate_files
    from gnubg_nactation.tasks.checking import check
    from gnubg_nactation.tasks.face import Library
    from gnubg_nactation.tasks.games import MyGameSettings, PlayerSettings
    from gnubg_nactation.tasks.library import (
        ExploreSettings,
        IndexSettings,
        LeaksSettings,
        explore,
        find,
        index,
        leaks,
        stats,
    )
    from gnubg_nactation.tasks.openings import RepliesSettings, replies
    from gnubg_nactation.tasks.scores import ScoresSettings, scores
    from gnubg_nactation.tasks.settings import Settings, SettingsError
    from gnubg_nactation.tasks.study import CardSettings, cards
    from gnubg_nactation.tasks.subjects import SequenceSettings
    from gnubg_nactation.tasks.transcribing import transcribe
    from gnubg_nactation.writing.spelling import spell

_ROOMS = {
    "annotation": "AnnotatedGame AnnotatedMatch AnnotatedTurn annotate",
    "backgammon.match": "Double Drop Game Match Move Take Turn",
    "backgammon.notation": "format_play parse_play",
    "backgammon.plays": "ROLLS Play Portion Roll legal_plays",
    "backgammon.position": "NACKGAMMON STANDARD Position",
    "backgammon.state": "GameState Player",
    "decisions.severity": "Judgement blunders",
    "engines.nacbracs": "nacbrac",
    "errors": "AmbiguousError EngineError IllegalError MalformedError NactationError",
    "exports.board": "board_png board_svg",
    "exports.post": "post",
    "exports.sgf": "annotate_sgf",
    "exports.text": "game_sequences",
    "files.formats": "read",
    "files.pasted": "Pasted read_pasted",
    "language.dialects": "DIALECTS Dialect dialect_on",
    "language.nactation": "Nactation Naming parse_nactation",
    "language.plays": "Plays Preferred Reading",
    "language.ranking_reasons": "Explanation",
    "prose.page": "Finding",
    "prose.finder": "read_prose",
    "sequences.decode": "Decoded DecodedTurn decode",
    "sequences.moves": "sequence",
    "showing": "__version__",
    "archive.database": "open_archive",
    "tasks.annotating": "AnnotateSettings annotate_files",
    "tasks.checking": "check",
    "tasks.library": "ExploreSettings IndexSettings LeaksSettings explore find index leaks stats",
    "tasks.openings": "RepliesSettings replies",
    "tasks.scores": "ScoresSettings scores",
    "tasks.settings": "Settings SettingsError",
    "tasks.study": "CardSettings cards",
    "tasks.transcribing": "transcribe",
    "tasks.face": "Library",
    "tasks.games": "MyGameSettings PlayerSettings",
    "tasks.subjects": "SequenceSettings",
    "writing.spelling": "spell",
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names.split()}
# The functions that lower rooms call by hooks.
_HOOKS = {
    "explain": "language.explain",
    "format_play": "backgammon.notation",
    "format_ogid": "backgammon.ogid",
    "format_position_id": "backgammon.ids",
    "format_xgid": "backgammon.ids",
    "parse_position": "backgammon.ids",
    "to_position": "backgammon.conversion",
    "to_roll": "backgammon.conversion",
    "to_state": "backgammon.conversion",
    "board_svg": "exports.board",
    "convert": "engines.importing",
    "evaluator": "engines.analysing",
    "embed": "exports.page.html",
    "format_columns": "exports.text",
    "format_html": "exports.page.html",
    "format_json": "exports.jsonlines",
    "format_mat": "exports.mat",
    "format_sgf": "exports.sgf",
}

__all__ = [
    "DIALECTS",
    "NACKGAMMON",
    "ROLLS",
    "STANDARD",
    "AmbiguousError",
    "AnnotateSettings",
    "AnnotatedGame",
    "AnnotatedMatch",
    "AnnotatedTurn",
    "CardSettings",
    "Decoded",
    "DecodedTurn",
    "Dialect",
    "Double",
    "Drop",
    "EngineError",
    "Explanation",
    "ExploreSettings",
    "Finding",
    "Game",
    "GameState",
    "IllegalError",
    "IndexSettings",
    "Judgement",
    "LeaksSettings",
    "Library",
    "MalformedError",
    "Match",
    "Move",
    "MyGameSettings",
    "Nactation",
    "NactationError",
    "Naming",
    "Pasted",
    "Play",
    "Player",
    "PlayerSettings",
    "Plays",
    "Portion",
    "Position",
    "Preferred",
    "Reading",
    "RepliesSettings",
    "Roll",
    "ScoresSettings",
    "SequenceSettings",
    "Settings",
    "SettingsError",
    "Take",
    "Turn",
    "annotate",
    "annotate_files",
    "annotate_sgf",
    "blunders",
    "board_png",
    "board_svg",
    "cards",
    "check",
    "decode",
    "dialect_on",
    "explore",
    "find",
    "format_play",
    "game_sequences",
    "index",
    "leaks",
    "legal_plays",
    "nacbrac",
    "open_archive",
    "parse_nactation",
    "parse_play",
    "post",
    "read",
    "read_pasted",
    "read_prose",
    "replies",
    "scores",
    "sequence",
    "spell",
    "stats",
    "transcribe",
]


def _load(name: str, room: str) -> object:
    return getattr(import_module(f"gnubg_nactation.{room}"), name)


def __getattr__(name: str) -> object:
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value = _load(name, _ROOM_OF[name])
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


for _name, _room in _HOOKS.items():
    register(_name, partial(_load, _name, _room))
