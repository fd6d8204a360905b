"""All seeds and some inputs made of them, in a process with its own limit of memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.readers import READERS, SEEDS

_SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "fuzz.py"
_SLOW = {"mat", "sgf", "sequence", "dialect", "pasted", "book"}  # which replay whole games


@pytest.mark.parametrize("reader", READERS)
def test_whatever_is_read_is_read_or_refused(reader: str) -> None:
    assert any((SEEDS / reader).iterdir())
    inputs = "50" if reader in _SLOW else "400"
    command = [sys.executable, str(_SCRIPT), reader, "--inputs", inputs, "--seed", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
