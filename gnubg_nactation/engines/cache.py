"""A cache of engine answers in a SQLite file, which several processes may use at once."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import starmap
from pathlib import Path
from time import sleep, time

from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAct,
    CubeAnalysis,
    Luck,
    MoveAnalysis,
    PlayAnalysis,
    is_equity,
)
from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.plays import legal_plays
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.severity import rate_plays
from gnubg_nactation.engines.engine import (
    USUAL_ENDS,
    USUAL_SEED,
    Analyses,
    Depth,
    Evaluation,
    Program,
    Ranking,
    Watch,
)
from gnubg_nactation.engines.questions import stake_of
from gnubg_nactation.errors import NactationError
from gnubg_nactation.showing import read_json
from gnubg_nactation.system.resources import cache_folder
from gnubg_nactation.values import Any, TypeVar, replace

T = TypeVar("T")
_FORMAT = 2  # increase it when questions to engines or the form of answers change
_MAX_FILE_BYTES = 256 * 2**20
_MAX_ANSWER_BYTES = 2**20
_MAX_ODDS_CHARS = 100
_DAY = 86400
_TIMEOUT = 3.0  # seconds to wait for another process that writes
_ATTEMPTS, _PAUSE = 2, 0.2  # to open a file that others create at the same time
_INVALID = (ValueError, TypeError, LookupError)  # raised for answers in another form
_BATCH = 40  # answers of an analysis stored together
_encode = json.JSONEncoder(separators=(",", ":")).encode  # one encoder for all answers
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
    """Open the store that NACTATION_CACHE names, or the one in the user's cache folder.

    A damaged store in the cache folder is replaced. If no file can be used, the store is in memory
    and ends with the process.
    """
    variable = os.environ.get("NACTATION_CACHE")
    path = Path(os.path.expanduser(variable)) if variable else cache_folder() / "answers.sqlite"
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
    for suffix in ("", "-wal", "-shm"):  # SQLite's files
        with suppress(OSError):
            Path(f"{path}{suffix}").unlink()


class Store:
    """A file of answers by key; when it exceeds `max_bytes`, the oldest quarter is deleted.

    Opening raises OSError or sqlite3.Error if the file cannot be used. After a later error the
    store stays empty, so engines are asked again. Threads may take turns with it.
    """

    def __init__(self, path: Path, *, max_bytes: int = _MAX_FILE_BYTES) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._max_bytes = max_bytes
        self._is_damaged = self._is_disabled = False
        self._connection = sqlite3.connect(
            path, timeout=_TIMEOUT, isolation_level=None, check_same_thread=False
        )
        self._connection.text_factory = bytes  # a damaged row may hold any bytes
        try:
            self._connection.executescript(_SCHEMA)
        except sqlite3.Error:
            self._connection.close()
            raise

    def close(self) -> None:
        """Close the file, and remove it if it is damaged."""
        self._connection.close()
        if self._is_damaged:
            _remove(self._path)

    def get(self, key: str) -> Any:
        """The answer stored for the key; None if there is none."""
        if self._is_disabled:
            return None
        with self._without_errors():
            select = "SELECT value, used FROM answers WHERE key = ?"
            if row := self._connection.execute(select, (key,)).fetchone():
                value, used = row
                if used < (now := int(time())) - _DAY:
                    update = "UPDATE answers SET used = ? WHERE key = ?"
                    self._connection.execute(update, (now, key))
                return read_json(zlib.decompressobj().decompress(value, _MAX_ANSWER_BYTES))
        return None

    def put(self, answers: Iterable[tuple[str, Any]]) -> None:
        """Store answers by their keys."""
        now = int(time())
        rows = [(key, zlib.compress(_encode(value).encode(), 1), now) for key, value in answers]
        if self._is_disabled or not rows:  # writing nothing would still lock the file
            return
        with self._without_errors(), self._connection as connection:  # one transaction
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows)
            (size,) = connection.execute(_SIZE).fetchone()
            if size > self._max_bytes:
                connection.execute(_FORGET)

    @contextmanager
    def _without_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError:  # still busy, or a full disk
            self._is_disabled = True
        except sqlite3.DatabaseError:
            self._is_damaged = True
        except (zlib.error, *_INVALID):  # of this answer alone
            pass


class Cached:
    """An engine that answers from a store, and asks the program for the rest; see Program."""

    def __init__(self, program: Program, store: Store) -> None:
        self._program = program
        self._store = store
        self.bot = program.bot
        self.fingerprint = program.fingerprint  # looked up once, as each key contains it

    @property
    def name(self) -> str:
        """See Program."""
        return self._program.name

    def close(self) -> None:
        """Close the engine and the store."""
        self._program.close()
        self._store.close()

    def rank(self, state: GameState, depth: Depth, watch: Watch | None = None) -> Ranking:
        """See Engine."""
        key = self._key("rank", state, depth)
        candidates = self._get(key, _read_candidates)
        if candidates is None and not depth.plays:
            turn = self._get(self._key("turn", state, depth), read_analysis)
            candidates = turn.play.candidates if turn and turn.play else None
        if state.roll and candidates:
            with suppress(NactationError):  # they may belong to another position
                return rate_plays(candidates, legal_plays(state.position, state.roll))
        rated = self._rank(state, depth, watch)
        if rated:
            value = [
                _candidate_value(play.portions, equity, method, error)
                for play, equity, method, error, _ in rated
            ]
            self._store.put([(key, value)])
        return rated

    def _rank(self, state: GameState, depth: Depth, watch: Watch | None) -> Ranking:
        """The program's answer; the built-in engine goes on with what it has rolled out before."""
        if depth.trials:
            from gnubg_nactation.engines.compiled import CompiledGnubg  # noqa: PLC0415 (seldom)

            if isinstance(self._program, CompiledGnubg):
                key = self._key("games", state, replace(depth, trials=1))  # any number of them
                begun = self._get(key, _read_sums)
                return self._program.rank(
                    state, depth, watch, begun, lambda sums: self._store.put([(key, sums)])
                )
        return self._program.rank(state, depth, watch)

    def evaluate(self, state: GameState, depth: Depth) -> Evaluation:
        """See Engine."""
        key = self._key("evaluate", state, depth)
        evaluation = self._get(key, _read_evaluation)
        if evaluation is None:
            evaluation = self._program.evaluate(state, depth)
            self._store.put([(key, evaluation)])
        return evaluation

    def judge_cube(self, state: GameState, depth: Depth) -> CubeAnalysis:
        """See Engine."""
        key = self._key("cube", replace(state, roll=None), depth)
        cube = self._get(key, _read_cube)
        if cube is None:
            cube = self._program.judge_cube(state, depth)
            self._store.put([(key, _cube_value(cube))])
        return cube

    def analyse(self, states: Sequence[GameState], depth: Depth) -> Analyses:
        """See Analyser; stored answers come first."""
        indices: dict[str, list[int]] = {}
        for index, state in enumerate(states):
            indices.setdefault(self._key("turn", state, depth), []).append(index)
        missing = []
        for key, same in indices.items():
            analysis = self._get(key, read_analysis)
            if analysis is None:
                missing.append(key)
            else:
                yield from ((index, analysis) for index in same)
        batch: list[tuple[str, Any]] = []
        try:
            unknown = [states[indices[key][0]] for key in missing]
            for number, analysis in self._program.analyse(unknown, depth):
                key = missing[number]
                batch.append((key, analysis_value(analysis)))
                yield from ((index, analysis) for index in indices[key])
                if len(batch) >= _BATCH:
                    self._store.put(batch)
                    batch = []
        finally:
            self._store.put(batch)

    def _get(self, key: str, read: Callable[[Any], T]) -> T | None:
        """The stored answer; None if there is none, or if it cannot be read."""
        value = self._store.get(key)
        with suppress(*_INVALID):
            return None if value is None else read(value)
        return None

    def _key(self, kind: str, state: GameState, depth: Depth) -> str:
        """Everything that an answer depends on."""
        owner = "" if state.owner is None else int(state.owner is state.player)
        length, score, *rules = stake_of(state)
        away = [length - points for points in score]
        stake = ",".join(str(int(number)) for number in (*away, *rules))
        plays = str(depth.plays if depth.plies or depth.trials else 0)
        plays += f",{depth.truncate}" if depth.trials else ""
        plays += f" by {depth.ends}" if depth.trials and depth.ends != USUAL_ENDS else ""
        if depth.trials and (depth.seed, depth.until) != (USUAL_SEED, 0.0):
            plays += f",{depth.seed},{depth.until}"
        return (
            f"{_FORMAT} {self.fingerprint} {kind} {depth.plies},{depth.trials},{plays}"
            f" {format_position_id(state.position)} {state.roll or ''} {state.cube}{owner} {stake}"
        )


# Answers keep full precision and all candidates, unlike the JSON for people in `exports.views`.


def analysis_value(analysis: MoveAnalysis) -> list[Any]:
    """The JSON of an analysis, which `read_analysis` reads."""
    play, cube = analysis.play, analysis.cube
    return [
        play and list(starmap(_candidate_value, play.candidates)),
        cube and _cube_value(cube),
        analysis.luck,
        analysis.luck_mark and analysis.luck_mark.value,
    ]


def _candidate_value(
    hops: Iterable[Sequence[Any]],
    equity: float,
    method: str,
    error: float | None = None,
    odds: bytes = b"",
) -> list[Any]:
    value: list[Any] = [[hop[:2] for hop in hops], equity, method]
    if error is not None or odds:
        value.append(error)
    return [*value, odds.decode()] if odds else value


def _cube_value(cube: CubeAnalysis) -> list[Any]:
    return [cube.no_double, cube.double_take, cube.method]


# The file may hold anything: these raise one of _INVALID for a value in another form.


def _read_evaluation(value: Any) -> Evaluation:
    chances, cubeless, cubeful = value
    win, gammon, backgammon, lose_gammon, lose_backgammon = map(_number, chances)
    chances = (win, gammon, backgammon, lose_gammon, lose_backgammon)
    return Evaluation(chances, _number(cubeless), _number(cubeful))


def read_analysis(value: Any) -> MoveAnalysis:
    """The analysis of a JSON value; raises ValueError, TypeError or LookupError for another."""
    plays, cube, luck, luck_mark = value
    return MoveAnalysis(
        None if plays in (None, []) else PlayAnalysis(_read_candidates(plays), None),
        None if cube is None else _read_cube(cube),
        None if luck is None else _number(luck),
        None if luck_mark is None else Luck(luck_mark),
    )


def _read_sums(value: Any) -> dict[str, list[float]]:
    sums = {play: [games, *map(float, rest)] for play, (games, *rest) in dict(value).items()}
    for games, mean, squares, cubeful_mean, cubeful_squares in sums.values():
        numbers = mean, cubeful_mean, squares / max(1, games), cubeful_squares / max(1, games)
        if not isinstance(games, int) or games < 0 or not all(map(is_equity, numbers)):
            raise ValueError(value)
    return sums


def _read_candidates(value: Any) -> tuple[Candidate, ...]:
    if not value:
        raise ValueError(value)
    return tuple([_candidate(*fields) for fields in value])


def _candidate(hops: Any, equity: Any, method: Any, error: Any = None, odds: Any = "") -> Candidate:
    if error is not None and method != "rollout":
        raise ValueError(error)
    if not isinstance(odds, str) or len(odds) > _MAX_ODDS_CHARS:
        raise ValueError(odds)
    return Candidate(
        tuple([_HOPS[source, target] for source, target in hops]),
        _number(equity),
        _method(method),
        None if error is None else _number(error),
        odds.encode("ascii"),
    )


def _read_cube(value: Any) -> CubeAnalysis:
    *values, method = value
    no_double, double_take = (None if equity is None else _number(equity) for equity in values)
    return CubeAnalysis(CubeAct.NO_DOUBLE, no_double, double_take, _method(method))


def _number(value: Any) -> float:
    if isinstance(value, int | float) and is_equity(value):
        return value
    raise ValueError(value)


def _method(value: Any) -> str:
    if isinstance(value, str) and _METHOD.fullmatch(value):
        return value
    raise ValueError(value)


_METHOD = re.compile("(?:[A-Z][A-Za-z]+ )?[0-9]-ply|rollout|")
_HOPS = {(source, target): Hop(source, target) for source in range(1, 26) for target in range(25)}
