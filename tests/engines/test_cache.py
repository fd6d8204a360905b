"""The store of answers: stored answers are not computed again, also with other writers."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis, MoveAnalysis, RatedPlay
from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.engines.cache import Cached, Store, open_store
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.compiled import CompiledGnubg
from gnubg_nactation.engines.engine import GNUBG as BOT
from gnubg_nactation.engines.engine import Depth, Evaluation
from tests.engines.built import needs_builtin
from tests.gnubg.ingame import GNUBG, needs_gnubg

REPLY = GameState(parse_position_id("4HPwCSDg8+ABIQ"), roll=Roll(3, 1))


@needs_gnubg
def test_an_answered_question_is_not_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    no_roll = replace(REPLY, roll=None)
    with closing(Cached(Gnubg(GNUBG), Store(path))) as engine:
        first = (
            engine.rank(REPLY, Depth(0)),
            engine.evaluate(no_roll, Depth(0)),
            engine.judge_cube(REPLY, Depth(0)),
            sorted(engine.analyse([REPLY, no_roll], Depth(1))),
        )
    silent = Gnubg(GNUBG)
    with closing(Cached(silent, Store(path))) as engine:
        again = (
            engine.rank(REPLY, Depth(0)),
            engine.evaluate(no_roll, Depth(0)),
            engine.judge_cube(no_roll, Depth(0)),
            sorted(engine.analyse([REPLY, no_roll], Depth(1))),
        )
    assert again == first
    assert silent._process is None  # it was not even started


@needs_gnubg
def test_a_rollout_is_kept_with_its_standard_errors(tmp_path: Path) -> None:
    """Each truncation has its own answers."""
    path, depth = tmp_path / "answers.sqlite", Depth(0, trials=12, plays=1, truncate=1)
    with closing(Cached(Gnubg(GNUBG), Store(path))) as engine:
        first = engine.rank(REPLY, depth)
        truncated_later = engine.rank(REPLY, replace(depth, truncate=2))
    assert first[0].standard_error
    assert first[0].equity != truncated_later[0].equity
    silent = Gnubg(GNUBG)
    with closing(Cached(silent, Store(path))) as engine:
        assert engine.rank(REPLY, depth) == first
    assert silent._process is None


@needs_gnubg
def test_an_analysed_turn_answers_for_its_plays(tmp_path: Path) -> None:
    gnubg = Gnubg(GNUBG)
    with closing(Cached(gnubg, Store(tmp_path / "answers.sqlite"))) as engine:
        list(engine.analyse([REPLY], Depth(0)))
        gnubg.close()
        ranked = engine.rank(REPLY, Depth(0))
        assert gnubg._process is None
        assert ranked == gnubg.rank(REPLY, Depth(0))


def test_everything_that_changes_the_answer_changes_the_key(tmp_path: Path) -> None:
    other_cube = replace(REPLY, cube=2, owner=Player.FIRST)
    states = [
        REPLY,
        replace(REPLY, position=STANDARD),
        replace(REPLY, roll=Roll(3, 2)),
        replace(REPLY, roll=None),
        other_cube,
        replace(other_cube, owner=Player.SECOND),
        replace(REPLY, jacoby=True),
        replace(REPLY, length=5),
        replace(REPLY, length=5, score=(1, 0)),
        replace(REPLY, length=5, score=(0, 1)),
        replace(REPLY, length=5, score=(4, 1)),
        replace(REPLY, length=5, score=(4, 1), crawford=True),
    ]
    engine = Cached(Gnubg("/bin/true"), Store(tmp_path / "answers.sqlite"))
    engine.close()  # a key is made without either
    keys = {
        engine._key(kind, state, depth)
        for kind in ("rank", "turn")
        for state in states
        for depth in (Depth(0), Depth(2), Depth(2, plays=8), Depth(0, trials=36, plays=8))
    }
    assert len(keys) == 2 * len(states) * 4
    exchanged = replace(REPLY, player=Player.SECOND, length=5, score=(1, 0))
    same = replace(REPLY, player=Player.FIRST, length=5, score=(0, 1))
    assert engine._key("rank", exchanged, Depth(0)) == engine._key("rank", same, Depth(0))


def test_the_store_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    store = Store(path, max_bytes=200_000)
    for number in range(300):
        value = [hash((number, at)) for at in range(300)]
        store.put([(f"{number}", value)])
    assert store.get("299")
    assert store.get("0") is None
    store.close()
    assert path.stat().st_size < 400_000


@pytest.mark.parametrize(("writers", "count"), [(3, 100), (6, 1)])
def test_several_processes_open_a_new_file_and_write(
    tmp_path: Path, writers: int, count: int
) -> None:
    path = tmp_path / "new" / "answers.sqlite"
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_write, args=(path, n, count)) for n in range(writers)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * writers
    with closing(Store(path)) as store:
        assert all(store.get(f"{n} {at}") for n in range(writers) for at in range(count))


def _write(path: Path, number: int, count: int) -> None:
    os.environ["NACTATION_CACHE"] = str(path)
    with closing(open_store()) as store:
        for at in range(count):
            store.put([(f"{number} {at}", [number] * 50)])


def test_a_damaged_row_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    store = Store(path)
    store.put([("key", [1])])
    for column, value in _FOREIGN:
        with sqlite3.connect(path) as connection:
            connection.execute(f"UPDATE answers SET {column} = ?", (value,))
        connection.close()
        assert store.get("key") is None
    store.put([("key", [2])])
    assert store.get("key") == [2]  # it is not given up
    store.close()


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode())


_FOREIGN = [
    ("value", b"\0"),
    ("value", "text"),
    ("value", 7),
    ("value", b"\xff\xfe".decode("latin-1")),
    ("value", _packed("[" * 100_000 + "]" * 100_000)),
    ("value", _packed("[" + " " * 2**24 + "1]")),
    ("value", _packed("9" * 5000)),
    ("used", "text"),
]


class Scripted:
    """A stand-in for gnubg that counts questions and gives constant answers."""

    bot, fingerprint = BOT, "scripted"
    played = RatedPlay(legal_plays(REPLY.position, Roll(3, 1))[0], 0.5, "0-ply")
    worth = Evaluation((0.5, 0.1, 0.0, 0.1, 0.0), 0.0, 0.1)
    cube = CubeAnalysis(CubeAct.NO_DOUBLE, 0.25, -0.5, "0-ply")

    def __init__(self) -> None:
        self.asked = 0

    def start(self) -> None:
        pass

    def rank(self, *_: object) -> tuple[RatedPlay, ...]:
        self.asked += 1
        return (self.played,)

    def evaluate(self, *_: object) -> Evaluation:
        self.asked += 1
        return self.worth

    def judge_cube(self, *_: object) -> CubeAnalysis:
        self.asked += 1
        return self.cube

    def analyse(self, states: Sequence[GameState], _: Depth) -> Iterator[tuple[int, MoveAnalysis]]:
        for place in range(len(states)):
            self.asked += 1
            yield place, MoveAnalysis(luck=0.25)


_GOOD = [[[8, 5], [6, 5]], 0.5, "0-ply"]
_MISFITS: list[object] = [
    *([], {}, "", "text", 0, 7, True, [1], [[]], {"a": 1}, [None] * 3, [[None] * 3], [0, 0, 0, 0]),
    *([_GOOD[:2]], [[*_GOOD, 1]], [["8/5", 0.5, "0-ply"]], [[[[8, 99]], 0.5, "0-ply"]]),
    *([[[[8, 5]], "0.5", "0-ply"]], [[[[8, 5]], 0.5, "\x1b[31m"]], [[[[8, 5]], 0.5, 7]]),
    [[[[8, 5]], float("inf"), "0-ply"]],
    [[[[24, 1]], 0.5, "0-ply"]],  # not a play of the position
    [[0.5, 0.1, 0, 0.1], 0.0, 0.1],
    [[0.5, 0.1, 0, 0.1, None], 0.0, 0.1],
    *([[0.5, 0.1, 0, 0.1, 0.0], 0.0, worth] for worth in (float("nan"), 1e308, 10**400)),
    [[_GOOD], None, None, "lucky?"],
    [[_GOOD], [1.0, 2.0], None, None],
    [[_GOOD], None, "1", None],
    [[[[[8, -1]], 0.5, "0-ply"]], None, None, None],
]


@pytest.mark.parametrize("value", _MISFITS, ids=repr)
def test_an_answer_in_another_form_is_ignored(tmp_path: Path, value: object) -> None:
    scripted = Scripted()
    store = Store(tmp_path / "answers.sqlite")
    cached = Cached(cast("Gnubg", scripted), store)
    kinds = ("rank", "evaluate", "turn")
    store.put([(cached._key(kind, REPLY, Depth(0)), value) for kind in kinds])
    store.put([(cached._key("cube", replace(REPLY, roll=None), Depth(0)), value)])
    for questions in (4, 4):  # its answers replace the misfit
        assert cached.rank(REPLY, Depth(0)) == (Scripted.played,)
        assert cached.evaluate(REPLY, Depth(0)) == Scripted.worth
        assert cached.judge_cube(REPLY, Depth(0)) == Scripted.cube
        assert dict(cached.analyse([REPLY], Depth(0))) == {0: MoveAnalysis(luck=0.25)}
        assert scripted.asked == questions
    store.close()


def test_a_damaged_file_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("NACTATION_CACHE", raising=False)
    path = tmp_path / "gnubg-nactation" / "answers.sqlite"
    path.parent.mkdir()
    path.write_bytes(b"no database " * 1000)
    store = open_store()
    store.put([("key", [1])])
    store.close()
    with closing(Store(path)) as new_store:
        assert new_store.get("key") == [1]


@pytest.mark.parametrize("name", ["a file/answers.sqlite", "a file"])
def test_without_a_usable_file_answers_are_kept_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "a file").write_text("another file of the user" * 100)
    text = (tmp_path / "a file").read_text()
    monkeypatch.setenv("NACTATION_CACHE", str(tmp_path / name))
    store = open_store()
    store.put([("key", [1])])
    assert store.get("key") == [1]
    store.close()
    assert (tmp_path / "a file").read_text() == text


def test_damage_that_shows_later_ends_with_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NACTATION_CACHE", str(tmp_path / "answers.sqlite"))
    path = tmp_path / "answers.sqlite"
    store = open_store()
    store.put([(f"{number}", [number] * 500) for number in range(500)])
    store.close()
    data = bytearray(path.read_bytes())
    data[4096:] = b"x" * (len(data) - 4096)
    path.write_bytes(data)
    store = open_store()
    assert store.get("7") is None
    store.close()
    store = open_store()
    store.put([("7", [7])])
    assert store.get("7") == [7]
    store.close()
    assert {file.name for file in tmp_path.iterdir()} <= {path.name}


def test_a_file_that_stays_locked_is_is_disabled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "answers.sqlite"
    monkeypatch.setenv("NACTATION_CACHE", str(path))
    monkeypatch.setattr("gnubg_nactation.engines.cache._TIMEOUT", 0.1)
    Store(path).close()
    holder = sqlite3.connect(path, isolation_level=None)
    store = open_store()
    holder.execute("BEGIN IMMEDIATE")
    store.put([("key", [1])])
    assert store._is_disabled
    holder.execute("ROLLBACK")
    holder.close()
    store.close()


@needs_builtin
@pytest.mark.parametrize(
    "value",
    [
        *([], "", 7, [1], {"8/5 6/5": []}, {"8/5 6/5": 5}, {"8/5 6/5": [36, 0.1, 2, 0.1]}),
        *({"8/5 6/5": [games, 0.1, 2.0, 0.1, 2.0]} for games in (-1, 3.5, "36", None)),
        *({"8/5 6/5": [36, 0.1, 2.0, 0.1, bad]} for bad in ("2.0", None, float("nan"), 1e300)),
    ],
    ids=repr,
)
def test_sums_in_another_form_are_ignored(
    builtin: CompiledGnubg, tmp_path: Path, value: object
) -> None:
    depth = Depth(0, 12, 1, truncate=1)
    store = Store(tmp_path / "answers.sqlite")
    cached = Cached(builtin, store)
    state = GameState(roll=Roll(3, 1))
    store.put([(cached._key("games", state, replace(depth, trials=1)), value)])
    assert cached.rank(state, depth) == builtin.rank(state, depth)
    store.close()
