"""Matches of BGBlitz (.bgf), in OGXM (.ogxm, .ogxms, .gvab) and of GammonView (.gva).

The package `gammonview` reads all of them into the same document, a dictionary. It trusts its
input more than we do, so this module checks sizes and the values of BGBlitz's binary JSON first.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timezone
from math import isfinite

from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAct,
    CubeAnalysis,
    MoveAnalysis,
    PlayAnalysis,
)
from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Drop,
    Game,
    Match,
    Move,
    Resign,
    SetCube,
    SetPosition,
    Take,
)
from gnubg_nactation.backgammon.notation import Hop, format_hops, parse_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import (
    BAR,
    HYPERGAMMON,
    NACKGAMMON,
    OFF,
    STANDARD,
    Position,
)
from gnubg_nactation.backgammon.state import USUAL_LIMIT, Player
from gnubg_nactation.errors import MalformedError, NactationError
from gnubg_nactation.files.figures import Figures
from gnubg_nactation.showing import quoted, read_json
from gnubg_nactation.system.extras import import_extra
from gnubg_nactation.values import Any, NamedTuple

AUTHOR = "gnubg-nactation"  # of our own annotations, which are not read back
EXTRA = "files"
# Keys of notes for what the formats have no place for: the score before a game that is not the sum
# of the games before it, the headers of a record, and an impossible play as it was recorded.
SCORE, HEADERS, PLAY = "x-nactation-score", "x-nactation-headers", "x-nactation-play"
# A match of 25 points with ten candidates a play takes .2 MB in OGXM, .6 MB in BGBlitz's form and
# 4 MB as JSON.
_MAX_MATCH_BYTES = 1 << 20
_MAX_VALUES_BYTES = 4 << 20
_MAX_JSON_BYTES = 8 << 20
_MAX_MATCHES = 1000
_MAGIC = b"OGXM"
_VALUES = re.compile(rb"\}\s*\n(?:\x1f\x8b|\x78[\x01\x9c\xda]|:\)\n)")  # of BGBlitz, after a line
_HEAD_BYTES = 4096
Document = Mapping[str, Any]


def read(data: bytes) -> tuple[Match, ...]:
    """Read the matches of a file of any of these formats; raises MalformedError."""
    if data.startswith(_MAGIC):
        documents = [_read_ogxm(member) for member in _members(data)]
    elif _VALUES.search(data[:_HEAD_BYTES]):
        documents = [_read_bgf(data)]
    else:
        documents = [_read_gva(data)]
    return tuple(map(_match, documents))


def gvformat() -> Any:
    """Import the library; raises MalformedError with the command that installs it."""
    return import_extra("gvformat", "a match of BGBlitz or in OGXM", EXTRA, MalformedError)


def _convert(name: str, convert: Callable[[], Any]) -> Document:
    """Have the library read a file, which raises almost anything if that is damaged."""
    try:
        document = convert()
    except NactationError:
        raise
    except RecursionError:
        raise MalformedError(f"{name} that is damaged: it is nested too deeply") from None
    except Exception as error:  # the library raises whatever its helpers do
        raise MalformedError(f"{name} that is damaged: {_reason(error)}") from None
    if not isinstance(document, dict):
        raise MalformedError(f"{name} that is damaged: it holds no match")
    return document


_MAX_REASON_CHARS = 200


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, (LookupError, AttributeError, TypeError)) or not text:
        return "values are missing or of another kind"
    return text if len(text) <= _MAX_REASON_CHARS else f"{text[:_MAX_REASON_CHARS]}..."


# OGXM

_OLD_HEAD, _HEAD = struct.Struct("<4sHHHHII"), struct.Struct("<4sHHHHI")


def _members(data: bytes) -> Iterator[bytes]:
    """Yield the matches of a file; a stream (.ogxms) has several, one after the other."""
    at = count = 0
    while at < len(data):
        count += 1
        where = "a match in OGXM" if count == 1 else f"match {count} of an OGXM stream"
        if count > _MAX_MATCHES:
            raise MalformedError(f"an OGXM stream of more than {_MAX_MATCHES:,} matches; split it")
        if len(data) - at < _OLD_HEAD.size or not data.startswith(_MAGIC, at):
            raise MalformedError(f"{where} that is cut off or damaged: no beginning")
        major = _HEAD.unpack_from(data, at)[1]
        size = _HEAD.unpack_from(data, at)[5]
        if major < 2:  # the first version has no streams, and need not state its size
            size = len(data) - at
        if not _OLD_HEAD.size <= size <= len(data) - at:
            raise MalformedError(f"{where} that is cut off: {size:,} bytes are stated")
        if size > _MAX_MATCH_BYTES:
            raise MalformedError(f"{where} of over {_MAX_MATCH_BYTES >> 20} MB")
        yield data[at : at + size]
        at += size


def _read_ogxm(data: bytes) -> Document:
    return _convert("a match in OGXM", lambda: gvformat().read_gvab(data))


# GammonView


def _read_gva(data: bytes) -> Document:
    name = "a match of GammonView (.gva)"
    if len(data) > _MAX_JSON_BYTES:
        raise MalformedError(f"{name} of over {_MAX_JSON_BYTES >> 20} MB")
    gvformat()  # JSON itself does not need it, but all these formats come with one extra
    return _convert(name, lambda: read_json(data))


# BGBlitz

_NAME = "a BGBlitz match (.bgf)"
_SMILE = b":)\n"
_MAX_DEPTH = 100
_MAX_NUMBER_BYTES = 10


def _read_bgf(data: bytes) -> Document:
    head, _, packed = data.partition(b"\n")
    values = _inflate(packed) if not packed.startswith(_SMILE) else packed
    if len(values) > _MAX_VALUES_BYTES:
        raise MalformedError(f"{_NAME} of over {_MAX_VALUES_BYTES >> 20} MB")
    if not values.startswith(_SMILE):
        raise MalformedError(f"{_NAME} that is damaged: no binary JSON in it")
    library = gvformat()
    _check_values(values)
    head = head.removeprefix(b"\xef\xbb\xbf")
    return _convert(_NAME, lambda: library.convert_bgf(head + b"\n" + values))


def _inflate(packed: bytes) -> bytes:
    inflater = zlib.decompressobj(wbits=47)  # gzip or zlib
    try:
        return inflater.decompress(packed, _MAX_VALUES_BYTES + 1)
    except zlib.error as error:
        raise MalformedError(f"{_NAME} that is damaged: {error}") from None


# The bytes after a token in binary JSON (Smile), for names and for values.
_NAME_BYTES = {0x30: 1, **dict.fromkeys(range(0x40, 0x80), 0)}
_NAME_BYTES |= {0x80 + size: size + 1 for size in range(64)}
_VALUE_BYTES = {0x28: 4, 0x29: 10, **dict.fromkeys([*range(0x20, 0x24), *range(0xC0, 0xE0)], 0)}
_VALUE_BYTES |= {0x40 + size: size + 1 for size in range(32)}
_VALUE_BYTES |= {0x60 + size: size + 2 for size in range(32)}
_ENDS, _BEGINS, _OBJECT = {0xF9, 0xFB, 0xFF}, {0xF8, 0xFA}, 0xFA
_NUMBERS, _LONG_TEXTS, _TEXT_END = {0x24, 0x25}, range(0xE0, 0xF0), b"\xfc"


def _check_values(data: bytes) -> None:
    """Raise MalformedError for numbers without an end or deep nesting, which cost the library much.

    Everything else that is wrong is left to the library.
    """
    at, is_name = len(_SMILE) + 1, False
    objects = [False]  # for each level whether its values have names
    while at < len(data) and objects:
        token, was_name = data[at], is_name
        at += 1
        size = (_NAME_BYTES if is_name else _VALUE_BYTES).get(token)
        if size is not None:
            at += size
            is_name = objects[-1] and not was_name
            continue
        if token in _ENDS:
            objects.pop()
        elif was_name:
            return
        elif token in _BEGINS:
            objects.append(token == _OBJECT)
            if len(objects) > _MAX_DEPTH:
                raise MalformedError(f"{_NAME} that is damaged: it is nested too deeply")
        elif token in _NUMBERS:
            at = _number_end(data, at)
        elif token in _LONG_TEXTS and (end := data.find(_TEXT_END, at)) > 0:
            at = end + 1
        else:
            return
        is_name = bool(objects) and objects[-1]


def _number_end(data: bytes, at: int) -> int:
    end = next(
        (end for end in range(at, at + _MAX_NUMBER_BYTES) if data[end : end + 1] > b"\x7f"), 0
    )
    if not end:
        raise MalformedError(f"{_NAME} that is damaged: a number without an end")
    return end + 1


# From a document to a match

_VARIATIONS = (STANDARD, NACKGAMMON, HYPERGAMMON)
DICE = tuple((low, high) for low in range(1, 7) for high in range(low, 7))  # by action
DOUBLE, TAKE, DROP, _OVER, _MATCH_OVER, _FINAL = range(21, 27)
RESIGN, _RESIGN_MATCH, _FORFEIT, _NULL, SET_POSITION, BEAVER, RACCOON = range(27, 34)
_SETTLE, SET_CUBE, _PASS = 34, 36, 37
_NO_ACTION = {_OVER, _MATCH_OVER, _FINAL, _NULL}
_CUBE_ACTIONS: dict[int, tuple[type[Double | Take | Drop], CubeAct]] = {
    DOUBLE: (Double, CubeAct.DOUBLE),
    TAKE: (Take, CubeAct.TAKE),
    DROP: (Drop, CubeAct.DROP),
}
DROPPED, RESIGNED = 1, 2  # ways to end a game
_UNKNOWN_PLAY = "illegal play"
_MAX_GAMES = 1000
_MAX_POINTS = 1 << 26
_MAX_CANDIDATES = 1024  # as many as OGXM has room for
_POINTS = 26


def variation_of(start: Position) -> int:
    """Return the number of the variation with this start; 0 also for a start of no variation."""
    return next((at for at, known in enumerate(_VARIATIONS) if known == start), 0)


def _match(document: Document) -> Match:
    problems: list[str] = []
    try:
        return _Reader(document, problems).match()
    except MalformedError:
        raise
    except NactationError as error:
        raise MalformedError(f"a match with impossible values: {error}") from None
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
        raise MalformedError("a match with values that are missing or of another kind") from None


_PLIES = re.compile(r"([0-9]{1,2})-?ply")
_XG_LEVELS = {"truncated1": "Roller", "truncated2": "Roller+", "truncated3": "Roller++"}
_BOOK = "database"


class Engine(NamedTuple):
    """The engine of an analysis: its name in methods, its name in files, how its plies differ.

    A level has a label in files, such as `3ply`, and is part of a method here, as in `XG 3-ply`.
    """

    name: str
    model: str
    plies_less: int = 0  # gnubg counts one ply less than players do

    def method(self, label: str) -> str:
        """The method of a level, as `Candidate.method` has it."""
        plies = _PLIES.fullmatch(label)
        if plies:
            level = f"{max(int(plies[1]) - self.plies_less, 0)}-ply"
        elif label == _BOOK:
            level = "book"
        elif label.partition(" ")[0] in _NAMES:
            return label  # a whole method, of an analysis by several engines
        else:
            level = _XG_LEVELS.get(label, label) if self.name == _XG.name else label
        return f"{self.name} {level}".strip()

    def label(self, method: str) -> str:
        """The label of a method, which `method` reads; of another engine the whole method."""
        name, level = _parts(method)
        if name != self.name:
            return method
        if plies := _PLIES.fullmatch(level):
            return f"{int(plies[1]) + self.plies_less}ply"
        if level == "book":
            return _BOOK
        if self.name == _XG.name:
            return next((label for label, known in _XG_LEVELS.items() if known == level), level)
        return level


_XG, _BGBLITZ, _SAGE = Engine("XG", "xg"), Engine("BGBlitz", "bgblitz"), Engine("Sage", "bgsage")
_GNUBG = Engine("", "gnubg", 1)
_ENGINES = (_GNUBG, _XG, _BGBLITZ, _SAGE)
_NAMES = {engine.name for engine in _ENGINES if engine.name}
_PRODUCERS = {1: _XG, 3: _BGBLITZ}


def engine_of(method: str) -> Engine:
    """Return the engine of a method."""
    name = _parts(method)[0]
    return next(engine for engine in _ENGINES if engine.name == name)


def _parts(method: str) -> tuple[str, str]:
    """Return the engine's name, empty for gnubg's, and the level of a method."""
    name, _, level = method.partition(" ")
    return (name, level) if name in _NAMES else ("", method)


def _engine_of_block(info: Mapping[str, Any]) -> Engine:
    model = str(info.get("model_id") or "").lower()
    if "sage" in model:
        return _SAGE
    known = next((engine for engine in _ENGINES if engine.model == model), None)
    if known := known or _PRODUCERS.get(info.get("producer") or 0):
        return known
    name = str(info.get("model_name") or "").split()
    return Engine(name[0] if name and name[0].isalpha() else "", model)


class _Reader:
    """Makes a match of a document, and collects its problems."""

    def __init__(self, document: Document, problems: list[str]) -> None:
        self._document, self._problems = document, problems
        self._figures = Figures()
        info = document.get("analysis_info") or {}
        self._engine = _engine_of_block(info)
        self._level = str(info.get("eval_level") or "")
        self._length = _count(document.get("match_length"), 10_000)

    def match(self) -> Match:
        document, length = self._document, self._length
        start = self._start()
        first, second = document.get("score_start") or (0, 0)
        score = _count(first, _MAX_POINTS), _count(second, _MAX_POINTS)
        games = []
        given = document["games"]
        if len(given) > _MAX_GAMES:
            raise MalformedError(f"a match of more than {_MAX_GAMES:,} games")
        for number, game in enumerate(given, 1):
            stated = _SCORE.fullmatch(_note(game, SCORE))
            score = (int(stated[1]), int(stated[2])) if stated else score
            games.append(self._game(number, game, score))
            score = score_after(score, length, games[-1].winner, games[-1].points)
        if not games:
            raise MalformedError("a match without a game")
        limit = document.get("cube_limit") or 0  # negative in some files of BGBlitz: none
        limit = limit.bit_length() - 1 if 0 < limit < 1 << USUAL_LIMIT else USUAL_LIMIT
        return Match(
            players=(_text(document.get("player_white")), _text(document.get("player_black"))),
            length=length,
            games=tuple(games),
            start=start,
            jacoby=bool(document.get("jacoby")) and not length,
            headers=tuple(read_headers(document)),
            comments=_comments(document),
            problems=(*self._problems, *self._figures.problems),
            beavers=bool(document.get("beaver")) and not length,
            limit=limit,
        )

    def _start(self) -> Position:
        variation = self._document.get("variant") or 0
        if not 0 <= variation < len(_VARIATIONS):
            raise MalformedError(
                "a match of a variation that is not known here, such as longgammon"
            )
        return _VARIATIONS[variation]

    def _game(self, number: int, game: Document, score: tuple[int, int]) -> Game:
        actions: list[Action] = []
        plies = game["plies"]
        value = _power(game.get("initial_cube_value", 1)) << _count(game.get("auto_doubles"), 20)
        owner = game.get("initial_cube_owner", 2)
        if owner in {0, 1}:
            actions.append(SetCube(value, Player(owner)))
            value = 1
        resigned = game.get("termination") == RESIGNED
        for ply, following in zip(plies, [*plies[1:], None], strict=False):
            actions += self._actions(number, ply, following)
            resigned |= isinstance(actions[-1], Resign) if actions else False
        winner = game.get("winner", -1)
        is_won = winner in {0, 1}
        return Game(
            number=number,
            score=score,
            actions=tuple(actions),
            winner=Player(winner) if winner in {0, 1} else None,
            points=_count(game.get("points_won"), _MAX_POINTS) if is_won else 0,
            resigned=resigned,
            crawford=bool(game.get("is_crawford")),
            cube=value,
            comments=_comments(game),
        )

    def _actions(self, game: int, ply: Document, following: Document | None) -> Iterator[Action]:
        """Yield the actions of a ply: none for a marker, two for an illegal play or a beaver."""
        action = ply.get("action_id", _NULL)
        player = Player.FIRST if ply.get("color") else Player.SECOND
        analysis = ply.get("analysis") or {}
        comment = "\n".join(_comments(ply, analysis))
        if 0 <= action < len(DICE) or (action == SET_POSITION and ply.get("d1")):
            low, high = (ply["d1"], ply["d2"]) if action == SET_POSITION else DICE[action]
            hops, text = tuple(_hops(player, ply.get("moves") or ())), _note(ply, PLAY)
            if text and not hops:
                with suppress(NactationError):
                    hops, text = parse_hops(text), ""
            analysed = self._rolled(player, analysis)
            is_lost = action == SET_POSITION and not hops
            text = text or (_UNKNOWN_PLAY if is_lost else format_hops(hops))
            yield Move(player, Roll(high, low), hops, text, comment, analysis=analysed)
            if is_lost:
                yield SetPosition(player.other, _board(player, ply["set_position"]).switch_sides())
        elif action == SET_POSITION:
            yield SetPosition(player, _board(player, ply["set_position"]), comment)
        elif action in _CUBE_ACTIONS:
            act, decision = _CUBE_ACTIONS[action]
            yield act(player, comment, analysis=self._cube(decision, analysis))
        elif action in {BEAVER, RACCOON}:
            yield Double(player, comment)
            answer = following.get("action_id") if following else None
            if answer not in {RACCOON, TAKE, DROP}:
                yield Take(player.other)
        elif action in {RESIGN, _RESIGN_MATCH, _FORFEIT}:
            yield Resign(player, comment)
        elif action == SET_CUBE:
            owner = ply.get("cube_owner")
            yield SetCube(
                _power(ply["cube_value"]), Player(owner) if owner in {0, 1} else None, comment
            )
        elif action not in _NO_ACTION:
            what = {_SETTLE: "a settlement", _PASS: "a turn without its roll"}.get(
                action, f"the action {action}"
            )
            self._problems.append(f"game {game}: {what} is left out")

    def _rolled(self, player: Player, analysis: Document) -> MoveAnalysis | None:
        """Return the analysis of a roll, with that of the cube before it."""
        cube = analysis.get("missed_double") or analysis.get("cube_decision") or {}
        luck = self._points(analysis.get("luck"))
        play, no_double = self._play(player, analysis), self._cube(CubeAct.NO_DOUBLE, cube)
        if play is None and luck is None and no_double is None:
            return None
        return MoveAnalysis(play, no_double, luck)

    def _play(self, player: Player, analysis: Document) -> PlayAnalysis | None:
        candidates: list[Candidate] = []
        rank = None
        for given in (analysis.get("alternatives") or ())[:_MAX_CANDIDATES]:
            hops = tuple(_hops(player, given["move"]))
            equity = self._points(given["equity"])
            if equity is None:  # perhaps of the best play, which all errors depend on
                return None
            if not hops:
                continue
            if given.get("is_played") and rank is None:
                rank = len(candidates)
            method = self._method_of(given, analysis)
            error = self._points(given.get("rollout_se"))
            candidates.append(Candidate(hops, equity, method, error, self._odds(given)))
        return PlayAnalysis(tuple(candidates), rank) if candidates else None

    def _method_of(self, *tiers: Document) -> str:
        """Return the method by the innermost level that is stated."""
        for tier in tiers:
            level = tier.get("level") or {}
            if label := level.get("preset") or ("rollout" if level.get("rollout") else ""):
                return self._engine.method(str(label))
            if label := tier.get("eval_level"):
                return self._engine.method(str(label))
        return self._engine.method(self._level) if self._level else self._engine.name

    def _odds(self, given: Document) -> tuple[float, ...]:
        chances = given.get("eval")
        if not chances:
            return ()
        names = ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")
        odds = tuple([float(chances[name]) for name in names])
        return odds if self._figures.are_chances(odds) else ()

    def _cube(self, act: CubeAct, given: Document) -> CubeAnalysis | None:
        if "no_double_equity" not in given:
            return None
        no_double = self._points(given["no_double_equity"])
        double_take = self._points(given["double_take_equity"])
        if no_double is None or double_take is None:
            return None
        return CubeAnalysis(act, no_double, double_take, self._method_of(given))

    def _points(self, number: object) -> float | None:
        """Return an equity; None if it is missing or impossible."""
        if not isinstance(number, int | float) or not isfinite(number):
            return None
        try:
            return self._figures.points(float(number))
        except ValueError:
            return None


def _count(number: object, most: int) -> int:
    """Return a whole number from 0 to `most`; 0 for a missing one."""
    if number is None:
        return 0
    if not isinstance(number, int) or not 0 <= number <= most:
        raise MalformedError(f"a match with an impossible number: {quoted(str(number))}")
    return number


def _power(number: object) -> int:
    value = _count(number, 1 << 20)
    if value < 1 or value & (value - 1):
        raise MalformedError(f"a cube of {value}")
    return value


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _hops(player: Player, steps: object) -> Iterator[Hop]:
    """Yield the hops of a play, whose steps are numbered from the second player's side."""
    if not isinstance(steps, list | tuple):
        raise TypeError(steps)
    for step in steps:
        source, pips = step["from"], step["pips"]
        if not 0 <= source <= BAR or not 0 < pips < BAR:
            raise MalformedError(f"a play from {source} by {pips} pips")
        source = BAR - source if player is Player.FIRST else source
        if source:  # a checker that is off
            yield Hop(source, max(source - pips, OFF))


def _board(player: Player, board: object) -> Position:
    """Return a board, numbered from the player; the document numbers it from the second."""
    if not isinstance(board, list | tuple) or len(board) != _POINTS:
        raise TypeError(board)
    own = list(reversed(board)) if player is Player.FIRST else [-checkers for checkers in board]
    return Position(tuple(own))


def score_after(
    score: tuple[int, int], length: int, winner: Player | None, points: int
) -> tuple[int, int]:
    """Return the score after a game; the last game of a match counts the points needed only."""
    if winner is None:
        return score
    if length:
        points = min(points, max(length - score[winner], 0))
    return (score[0], score[1] + points) if winner else (score[0] + points, score[1])


_SCORE = re.compile(r"([0-9]{1,7}),([0-9]{1,7})")


def _note(thing: Document, key: str) -> str:
    """Return the note with this key; empty without it."""
    notes = thing.get("annotations") or ()
    return next((_text(note.get("value")) for note in notes if note.get("key") == key), "")


def read_headers(document: Document) -> Iterator[tuple[str, str]]:
    """Yield the headers of a match, by the fields of its document or our own note."""
    if note := _note(document, HEADERS):
        for line in note.split("\n"):
            tag, is_tag, text = line.partition(": ")
            if is_tag:
                yield tag, text
        return
    if moment := document.get("timestamp"):
        day = datetime.fromtimestamp(_count(moment, 1 << 36), timezone.utc)
        yield "EventDate", f"{day:%Y.%m.%d}"
    if event := _text(document.get("event")):
        yield "Event", event
    round_ = document.get("round")
    if name := _text(document.get("stage")) or (str(round_) if isinstance(round_, int) else ""):
        yield "Round", name
    if site := _text(document.get("site") or document.get("city") or document.get("platform")):
        yield "Site", site


def _comments(*objects: Document) -> tuple[str, ...]:
    """Return the notes in prose, without those of programs (which have a key) and our own."""
    notes = [note for thing in objects for note in thing.get("annotations") or ()]
    return tuple(
        [
            str(note["value"]).strip()
            for note in notes
            if note.get("value") and not note.get("key") and note.get("author") != AUTHOR
        ]
    )
