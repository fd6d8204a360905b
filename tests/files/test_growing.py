"""Readers of pasted and copied texts take instructions in proportion to the text.

valgrind counts all of them, also those of patterns and of methods of strings.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.files.growing import TEXTS
from tests.readme import ROOT


@pytest.mark.thorough
@pytest.mark.skipif(
    not (shutil.which("valgrind") or os.environ.get("CI")), reason="valgrind is not installed"
)
def test_the_instructions_grow_with_the_text(tmp_path: Path) -> None:
    files = (f"--{name}-out-file={os.devnull}" for name in ("bb", "pc"))
    tool = ["--tool=exp-bbv", "--instr-count-only=yes", *files, f"--log-file={tmp_path}/%p"]
    done = subprocess.run(
        ["valgrind", *tool, sys.executable, "-m", "tests.files.growing"],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    bends = {}
    for line in done.stdout.splitlines():
        name, numbers = line.split("\t")
        once, twice, thrice = (_instructions(tmp_path / number) for number in numbers.split())
        bends[name] = (thrice - twice) / (twice - once)
    assert bends.pop("quadratic") > 1.3
    assert bends.keys() == TEXTS.keys() - {"quadratic"}
    assert not {name: bend for name, bend in bends.items() if bend > 1.08}


def _instructions(log: Path) -> int:
    found = re.search(r"Total instructions: ([0-9]+)", log.read_text())
    assert found
    return int(found[1])
