"""What an engine has answered before, kept in a file that several processes may use at once."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep, time

from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAct,
    CubeAnalysis,
    Luck,
    MoveAnalysis,
    PlayAnalysis,
    RatedPlay,
    is_equity,
)
from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.plays import legal_plays
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.rating import rate_plays
from gnubg_nactation.engines.engine import Depth, Evaluation, Program, Watch
from gnubg_nactation.engines.questions import stake_of
from gnubg_nactation.errors import NactationError
from gnubg_nactation.showing import read_json
from gnubg_nactation.system.cache_folder import cache_folder
from gnubg_nactation.values import Any, TypeVar, replace

T = TypeVar("T")
_FORMAT = 2  # to be raised with what engines are told, and with how an answer is kept
_MOST_BYTES = 256 * 2**20
_DAY = 86400
_TIMEOUT = 3.0  # seconds to wait for another process that writes
_ATTEMPTS, _PAUSE = 2, 0.2  # to open a file that others make at the same time
_LONGEST = 2**20  # bytes of an answer
_MISFITS = (ValueError, TypeError, LookupError)  # which other answers give
_LONGEST_ODDS = 100  # characters of five numbers
_AT_ONCE = 40  # answers of an analysis kept together
_encode = json.JSONEncoder(separators=(",", ":")).encode  # made once, not for each answer
_SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = OFF;
CREATE TABLE IF NOT EXISTS answers
    (key TEXT PRIMARY KEY, value BLOB NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_age ON answers (used);
"""
_SIZE = """
SELECT (page_count - freelist_count) * page_size
FROM pragma_page_count, pragma_freelist_count, pragma_page_size
"""
_FORGET = """
DELETE FROM answers WHERE key IN
    (SELECT key FROM answers ORDER BY used LIMIT (SELECT count(*) / 4 + 1 FROM answers))
"""


def open_store() -> Store:
    """The store named by NACTATION_CACHE, else the one in the user's cache folder.

    That one is made anew if it is damaged. A store in memory, which ends with the process, stands
    in for one that is no use.
    """
    named = os.environ.get("NACTATION_CACHE")
    path = Path(os.path.expanduser(named)) if named else cache_folder() / "answers.sqlite"
    for attempt in range(_ATTEMPTS):
        sleep(_PAUSE * attempt)
        try:
            return Store(path)
        except sqlite3.OperationalError:  # busy, or a folder that cannot be written
            continue
        except (OSError, sqlite3.DatabaseError):
            if path.parent == cache_folder():
                _remove(path)
    return Store(Path(":memory:"))


def _remove(path: Path) -> None:
    """Remove a store with the files that SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        with suppress(OSError):
            Path(f"{path}{suffix}").unlink()


class Store:
    """A file of answers by key; the oldest go when it holds more than `most_bytes`.

    Opening raises OSError or sqlite3.Error if the file cannot be used. After later trouble it is
    given up: an answer that is not kept is asked for again. Threads may use it in turn.
    """

    def __init__(self, path: Path, *, most_bytes: int = _MOST_BYTES) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._most_bytes = most_bytes
        self._damaged = self._given_up = False
        self._connection = sqlite3.connect(
            path, timeout=_TIMEOUT, isolation_level=None, check_same_thread=False
        )
        self._connection.text_factory = bytes  # what is no blob need not be text either
        try:
            self._connection.executescript(_SCHEMA)
        except sqlite3.Error:
            self._connection.close()
            raise

    def close(self) -> None:
        """Let go of the file; it is removed if it has turned out to be damaged."""
        self._connection.close()
        if self._damaged:
            _remove(self._path)

    def get(self, key: str) -> Any:
        """The answer kept for the key; None if there is none."""
        if self._given_up:
            return None
        with self._passing_over_trouble():
            select = "SELECT value, used FROM answers WHERE key = ?"
            if row := self._connection.execute(select, (key,)).fetchone():
                value, used = row
                if used < (now := int(time())) - _DAY:
                    update = "UPDATE answers SET used = ? WHERE key = ?"
                    self._connection.execute(update, (now, key))
                return read_json(zlib.decompressobj().decompress(value, _LONGEST))
        return None

    def put(self, answers: Iterable[tuple[str, Any]]) -> None:
        """Keep answers by their keys."""
        now = int(time())
        rows = [(key, zlib.compress(_encode(value).encode(), 1), now) for key, value in answers]
        if self._given_up or not rows:  # writing nothing would still lock the file
            return
        with self._passing_over_trouble(), self._connection as connection:  # one transaction
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows)
            (size,) = connection.execute(_SIZE).fetchone()
            if size > self._most_bytes:
                connection.execute(_FORGET)

    @contextmanager
    def _passing_over_trouble(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError:  # busy all the time, or a full disk
            self._given_up = True
        except sqlite3.DatabaseError:
            self._damaged = True
        except (zlib.error, *_MISFITS):  # of this answer alone
            pass


class Cached:
    """An engine that is asked only what the store does not hold yet; see Engine and Analyser."""

    def __init__(self, program: Program, store: Store) -> None:
        self._program = program
        self._store = store
        self.bot = program.bot
        self.fingerprint = program.fingerprint  # once, as every key has it

    def close(self) -> None:
        """End the engine and let go of the store."""
        self._program.close()
        self._store.close()

    def rank(
        self, state: GameState, depth: Depth, watch: Watch | None = None
    ) -> tuple[RatedPlay, ...]:
        """See Engine."""
        key = self._key("rank", state, depth)
        if state.roll and (kept := self._kept(key, _candidates)) is None and not depth.plays:
            turn = self._kept(self._key("turn", state, depth), _analysis)
            kept = turn.play.candidates if turn and turn.play else None
        if state.roll and kept:
            with suppress(NactationError):  # it may be of another position
                return rate_plays(kept, legal_plays(state.position, state.roll))
        rated = self._program.rank(state, depth, watch)
        if rated:
            value = [[[p[:2] for p in play.portions], *_told(found)] for play, *found in rated]
            self._store.put([(key, value)])
        return rated

    def evaluate(self, state: GameState, depth: Depth) -> Evaluation:
        """See Engine."""
        key = self._key("evaluate", state, depth)
        kept = self._kept(key, _evaluation)
        if kept is not None:
            return kept
        evaluation = self._program.evaluate(state, depth)
        self._store.put([(key, evaluation)])
        return evaluation

    def judge_cube(self, state: GameState, depth: Depth) -> CubeAnalysis:
        """See Engine."""
        key = self._key("cube", replace(state, roll=None), depth)
        kept = self._kept(key, lambda value: _cube(*value))
        if kept is not None:
            return kept
        cube = self._program.judge_cube(state, depth)
        self._store.put([(key, _cube_value(cube))])
        return cube

    def analyse(
        self, states: Sequence[GameState], depth: Depth
    ) -> Iterator[tuple[int, MoveAnalysis]]:
        """See Analyser; what is kept comes first."""
        places: dict[str, list[int]] = {}
        for place, state in enumerate(states):
            places.setdefault(self._key("turn", state, depth), []).append(place)
        missing = []
        for key, alike in places.items():
            kept = self._kept(key, _analysis)
            if kept is None:
                missing.append(key)
            else:
                yield from ((place, kept) for place in alike)
        found: list[tuple[str, Any]] = []
        try:
            asked = [states[places[key][0]] for key in missing]
            for number, analysis in self._program.analyse(asked, depth):
                found.append((missing[number], _value(analysis)))
                yield from ((place, analysis) for place in places[missing[number]])
                if len(found) >= _AT_ONCE:
                    self._store.put(found)
                    found = []
        finally:
            self._store.put(found)

    def _kept(self, key: str, read: Callable[[Any], T]) -> T | None:
        """The answer kept for the key; None without one, and for what is none of ours."""
        value = self._store.get(key)
        with suppress(*_MISFITS):
            return None if value is None else read(value)
        return None

    def _key(self, kind: str, state: GameState, depth: Depth) -> str:
        """All that an answer depends on."""
        owner = "" if state.owner is None else int(state.owner is state.player)
        length, score, *rules = stake_of(state)
        away = [length - points for points in score]
        stake = ",".join(str(int(one)) for one in (*away, *rules))
        plays = str(depth.plays if depth.plies or depth.trials else 0)
        plays += f",{depth.truncate}" if depth.trials else ""
        return (
            f"{_FORMAT} {self.fingerprint} {kind} {depth.plies},{depth.trials},{plays}"
            f" {format_position_id(state.position)} {state.roll or ''} {state.cube}{owner} {stake}"
        )


def _value(analysis: MoveAnalysis) -> list[Any]:
    play, cube = analysis.play, analysis.cube
    return [
        play and [_kept_candidate(*one) for one in play.candidates],
        cube and _cube_value(cube),
        analysis.luck,
        analysis.luck_mark and analysis.luck_mark.value,
    ]


def _kept_candidate(hops: tuple[Hop, ...], *told: Any) -> list[Any]:
    *rest, odds = told
    rest = [*rest, odds.decode()] if odds else _told(rest)
    return [[hop[:2] for hop in hops], *rest]


def _cube_value(cube: CubeAnalysis) -> list[Any]:
    return [cube.no_double, cube.double_take, cube.method]


def _told(found: list[Any]) -> list[Any]:
    """Equity and method, and the standard error of a rollout."""
    return found if found[-1] is not None else found[:-1]


# What is read may come from anywhere: whatever does not fit raises one of _MISFITS.


def _evaluation(value: Any) -> Evaluation:
    chances, cubeless, cubeful = value
    win, gammon, backgammon, lose_gammon, lose_backgammon = map(_number, chances)
    chances = (win, gammon, backgammon, lose_gammon, lose_backgammon)
    return Evaluation(chances, _number(cubeless), _number(cubeful))


def _analysis(value: Any) -> MoveAnalysis:
    plays, cube, luck, luck_mark = value
    return MoveAnalysis(
        None if plays in (None, []) else PlayAnalysis(_candidates(plays), None),
        None if cube is None else _cube(*cube),
        None if luck is None else _number(luck),
        None if luck_mark is None else Luck(luck_mark),
    )


def _candidates(value: Any) -> tuple[Candidate, ...]:
    if not value:
        raise ValueError(value)
    return tuple([_candidate(*one) for one in value])


def _candidate(hops: Any, equity: Any, method: Any, error: Any = None, odds: Any = "") -> Candidate:
    places = tuple([_HOPS[source, target] for source, target in hops])
    if error is not None and method != "rollout":
        raise ValueError(error)
    standard_error = None if error is None else _number(error)
    return Candidate(places, _number(equity), _text(method), standard_error, _odds(odds))


def _odds(value: Any) -> bytes:
    if not isinstance(value, str) or len(value) > _LONGEST_ODDS:
        raise ValueError(value)
    return value.encode("ascii")


def _cube(no_double: Any, double_take: Any, method: Any) -> CubeAnalysis:
    equities = [None if one is None else _number(one) for one in (no_double, double_take)]
    return CubeAnalysis(CubeAct.NO_DOUBLE, equities[0], equities[1], _text(method))


def _number(value: Any) -> float:
    if isinstance(value, int | float) and is_equity(value):
        return value
    raise ValueError(value)


def _text(value: Any) -> str:
    if isinstance(value, str) and _METHOD.fullmatch(value):
        return value
    raise ValueError(value)


_METHOD = re.compile("(?:[A-Z][A-Za-z]+ )?[0-9]-ply|rollout|")
_HOPS = {(source, target): Hop(source, target) for source in range(1, 26) for target in range(25)}
