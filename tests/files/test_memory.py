"""The memory that reading a file takes, measured in a new process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.cli.running import ROOT

# Not ru_maxrss: it includes the parent's memory at the fork, here that of a whole test run.
_MEASURE = """
import sys
from gnubg_nactation.files import sgf
(match,) = sgf.read_all(eval(sys.argv[1]))
print(sum(len(game.actions) for game in match.match.games))
with open("/proc/self/status") as file:
    print(next(line for line in file if line.startswith("VmHWM")).split()[1])
"""
_ROOT = b"(;FF[4]GM[6]PW[A]PB[B]"
_MAX_MEGABYTES = 90 * 2**10  # kilobytes, with 20 MB of Python


@pytest.mark.skipif(sys.platform != "linux", reason="/proc shows the memory of a process")
@pytest.mark.parametrize(
    ("unit", "times", "actions"),
    [
        (";W[31hefe]DA[1]X[1]Y[1]C[a]", 50_000, 50_000),
        ("X[1]", 250_000, 0),
        ("[1]", 250_000, 0),
        (";AE[a:y]AW" + "[a:y]" * 10**3, 250, 0),
    ],
    ids=["five a node", "one node", "values", "checkers"],
)
def test_a_quarter_of_a_million_properties_take_less_than_90_mb(
    unit: str, times: int, actions: int
) -> None:
    data = f"{_ROOT!r} + {unit.encode()!r} * {times} + b')'"
    ran = subprocess.run(
        [sys.executable, "-c", _MEASURE, data],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )
    count, peak = map(int, ran.stdout.split())
    assert count == actions
    assert peak < _MAX_MEGABYTES
