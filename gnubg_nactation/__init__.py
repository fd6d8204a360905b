"""Nactation, Nack Ballard's one-character notation for backgammon plays.

Each name below is imported when it is first used. docs/library.md shows how to use them.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module

from gnubg_nactation.hooks import register

TYPE_CHECKING = False  # type checkers know this name

if TYPE_CHECKING:
    from gnubg_nactation.annotation import AnnotatedGame as AnnotatedGame
    from gnubg_nactation.annotation import AnnotatedMatch as AnnotatedMatch
    from gnubg_nactation.annotation import AnnotatedTurn as AnnotatedTurn
    from gnubg_nactation.annotation import annotate as annotate
    from gnubg_nactation.archive.database import open_archive as open_archive
    from gnubg_nactation.backgammon.match import Double as Double
    from gnubg_nactation.backgammon.match import Drop as Drop
    from gnubg_nactation.backgammon.match import Game as Game
    from gnubg_nactation.backgammon.match import Match as Match
    from gnubg_nactation.backgammon.match import Move as Move
    from gnubg_nactation.backgammon.match import Take as Take
    from gnubg_nactation.backgammon.match import Turn as Turn
    from gnubg_nactation.backgammon.notation import format_play as format_play
    from gnubg_nactation.backgammon.notation import parse_play as parse_play
    from gnubg_nactation.backgammon.plays import ROLLS as ROLLS
    from gnubg_nactation.backgammon.plays import Play as Play
    from gnubg_nactation.backgammon.plays import Portion as Portion
    from gnubg_nactation.backgammon.plays import Roll as Roll
    from gnubg_nactation.backgammon.plays import legal_plays as legal_plays
    from gnubg_nactation.backgammon.position import NACKGAMMON as NACKGAMMON
    from gnubg_nactation.backgammon.position import STANDARD as STANDARD
    from gnubg_nactation.backgammon.position import Position as Position
    from gnubg_nactation.backgammon.state import GameState as GameState
    from gnubg_nactation.backgammon.state import Player as Player
    from gnubg_nactation.decisions.severity import Judgement as Judgement
    from gnubg_nactation.decisions.severity import blunders as blunders
    from gnubg_nactation.engines.nacbracs import nacbrac as nacbrac
    from gnubg_nactation.errors import AmbiguousError as AmbiguousError
    from gnubg_nactation.errors import ArchiveError as ArchiveError
    from gnubg_nactation.errors import EngineError as EngineError
    from gnubg_nactation.errors import IllegalError as IllegalError
    from gnubg_nactation.errors import MalformedError as MalformedError
    from gnubg_nactation.errors import NactationError as NactationError
    from gnubg_nactation.errors import UnknownError as UnknownError
    from gnubg_nactation.errors import UnreadError as UnreadError
    from gnubg_nactation.exports.board import board_png as board_png
    from gnubg_nactation.exports.board import board_svg as board_svg
    from gnubg_nactation.exports.post import post as post
    from gnubg_nactation.exports.sgf import annotate_sgf as annotate_sgf
    from gnubg_nactation.exports.text import game_sequences as game_sequences
    from gnubg_nactation.files.formats import read as read
    from gnubg_nactation.files.pasted import Pasted as Pasted
    from gnubg_nactation.files.pasted import read_pasted as read_pasted
    from gnubg_nactation.language.dialects import DIALECTS as DIALECTS
    from gnubg_nactation.language.dialects import Dialect as Dialect
    from gnubg_nactation.language.dialects import dialect_on as dialect_on
    from gnubg_nactation.language.nactation import Nactation as Nactation
    from gnubg_nactation.language.nactation import Naming as Naming
    from gnubg_nactation.language.nactation import parse_nactation as parse_nactation
    from gnubg_nactation.language.plays import Plays as Plays
    from gnubg_nactation.language.plays import Preferred as Preferred
    from gnubg_nactation.language.plays import Reading as Reading
    from gnubg_nactation.language.ranking_reasons import Explanation as Explanation
    from gnubg_nactation.prose.finder import read_prose as read_prose
    from gnubg_nactation.prose.page import Finding as Finding
    from gnubg_nactation.sequences.decode import Decoded as Decoded
    from gnubg_nactation.sequences.decode import DecodedTurn as DecodedTurn
    from gnubg_nactation.sequences.decode import decode as decode
    from gnubg_nactation.sequences.moves import sequence as sequence
    from gnubg_nactation.showing import __version__ as __version__
    from gnubg_nactation.tasks.annotating import AnnotateSettings as AnnotateSettings
    from gnubg_nactation.tasks.annotating import annotate_files as annotate_files
    from gnubg_nactation.tasks.checking import check as check
    from gnubg_nactation.tasks.face import Library as Library
    from gnubg_nactation.tasks.games import MyGameSettings as MyGameSettings
    from gnubg_nactation.tasks.games import PlayerSettings as PlayerSettings
    from gnubg_nactation.tasks.library import ExploreSettings as ExploreSettings
    from gnubg_nactation.tasks.library import IndexSettings as IndexSettings
    from gnubg_nactation.tasks.library import LeaksSettings as LeaksSettings
    from gnubg_nactation.tasks.library import explore as explore
    from gnubg_nactation.tasks.library import find as find
    from gnubg_nactation.tasks.library import index as index
    from gnubg_nactation.tasks.library import leaks as leaks
    from gnubg_nactation.tasks.library import stats as stats
    from gnubg_nactation.tasks.openings import RepliesSettings as RepliesSettings
    from gnubg_nactation.tasks.openings import replies as replies
    from gnubg_nactation.tasks.scores import ScoresSettings as ScoresSettings
    from gnubg_nactation.tasks.scores import scores as scores
    from gnubg_nactation.tasks.settings import Settings as Settings
    from gnubg_nactation.tasks.settings import SettingsError as SettingsError
    from gnubg_nactation.tasks.study import CardSettings as CardSettings
    from gnubg_nactation.tasks.study import cards as cards
    from gnubg_nactation.tasks.subjects import SequenceSettings as SequenceSettings
    from gnubg_nactation.tasks.transcribing import transcribe as transcribe
    from gnubg_nactation.writing.spelling import spell as spell

_ROOMS = {
    "annotation": "AnnotatedGame AnnotatedMatch AnnotatedTurn annotate",
    "backgammon.match": "Double Drop Game Match Move Take Turn",
    "backgammon.notation": "format_play parse_play",
    "backgammon.plays": "ROLLS Play Portion Roll legal_plays",
    "backgammon.position": "NACKGAMMON STANDARD Position",
    "backgammon.state": "GameState Player",
    "decisions.severity": "Judgement blunders",
    "engines.nacbracs": "nacbrac",
    "errors": "AmbiguousError ArchiveError EngineError IllegalError MalformedError NactationError "
    "UnknownError UnreadError",
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

__all__ = [name for name in _ROOM_OF if name[0] != "_"]  # pyright: ignore[reportUnsupportedDunderAll]


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
