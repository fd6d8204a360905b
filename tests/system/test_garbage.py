"""The garbage collector runs seldom in processes of our own."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Sequence

from gnubg_nactation.tasks.processes import by_pool

_THRESHOLD = """
import atexit, gc
atexit.register(lambda: print(gc.get_threshold()[0]))
from gnubg_nactation.__main__ import start
start()
"""
_SELDOM = 100_000  # values; a long game has fewer


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
