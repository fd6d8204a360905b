"""The garbage collector runs seldom in processes of our own, and values can do without it."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType

import pytest

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.formats import read_sources
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.tasks.processes import by_pool
from tests.strategies import random_positions

_THRESHOLD = """
import atexit, gc
atexit.register(lambda: print(gc.get_threshold()[0]))
from gnubg_nactation.__main__ import start
start()
"""
_SELDOM = 100_000  # values; a long game has fewer


@pytest.fixture
def living() -> Iterator[Callable[[type], int]]:
    """Count the values of a type that have not been freed, while the collector does not run."""
    gc.collect()
    gc.disable()
    yield lambda kind: sum(type(value) is kind for value in gc.get_objects())
    gc.enable()


def threshold_there(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """The process, and what its collector waits for, once for each number."""
    return [(os.getpid(), gc.get_threshold()[0]) for _ in numbers]


def test_the_command_line_collects_seldom() -> None:
    command = [sys.executable, "-c", _THRESHOLD, "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout.split()[-1]) > _SELDOM


def test_its_workers_collect_seldom_and_this_process_as_ever() -> None:
    [(process, threshold)] = by_pool([[1]], threshold_there, (0, 0), 1)
    assert process != os.getpid()
    assert threshold > _SELDOM > gc.get_threshold()[0]


@pytest.mark.parametrize(
    "data",
    [
        b"\0 5 point match\n",
        b"no match text\n",
        b" 5 point match\n\n no game\n",
        b"(;FF[4]GM[1])",
        b"RGMH and no more",
        b"PK\3\4 and no more",
    ],
)
def test_an_unreadable_file_is_not_kept_until_the_next_time(
    living: Callable[[type], int], data: bytes
) -> None:
    before = living(TracebackType)
    _read_in_vain(data)  # its traceback has the frames that hold the bytes
    assert living(TracebackType) == before


def _read_in_vain(data: bytes) -> None:
    try:
        read_sources(data)
    except MalformedError:
        return
    pytest.fail("it was read")


def test_plays_and_their_readings_are_freed_without_the_collector(
    living: Callable[[type], int],
) -> None:
    before = living(Plays)
    for position, roll in random_positions(20, seed=25):
        plays = Plays(position, roll)
        for play in plays[:5]:
            plays.names(play)
            plays.explain(play)
        assert living(Plays) == before + 1
