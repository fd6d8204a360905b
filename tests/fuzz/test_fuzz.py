"""All seeds and some inputs made of them, in a process with its own limit of memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.readers import READERS, seeds_of

_SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "fuzz.py"
# Those that replay whole games or run commands.
_SLOW = {"mat", "sgf", "sequence", "dialect", "pasted", "book", "page", "check", "database"}


@pytest.mark.parametrize("reader", READERS)
def test_whatever_is_read_is_read_or_refused(reader: str) -> None:
    assert seeds_of(reader)
    inputs = "5" if reader == "post" else "50" if reader in _SLOW else "400"
    command = [
        sys.executable,
        str(_SCRIPT),
        reader,
        "--inputs",
        inputs,
        "--seed",
        "1",
        "--seconds",
        "10",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
