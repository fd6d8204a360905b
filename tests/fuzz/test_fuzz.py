"""All seeds and some mutations of them, in a process with a memory limit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.readers import READERS, seeds_of

_SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "fuzz.py"
# Readers that replay whole games or run commands.
_SLOW = {
    *("mat", "sgf", "sequence", "dialect", "pasted", "sheet", "book", "page", "check"),
    *("copied", "database", "found", "prose", "typed"),
}


@pytest.mark.parametrize("reader", READERS)
def test_any_input_is_read_or_refused(reader: str) -> None:
    assert seeds_of(reader)
    inputs = "5" if reader == "post" else "50" if reader in _SLOW else "400"
    # The seconds only end a hopeless wait.
    options = ["--inputs", inputs, "--seed", "1", "--seconds", "600"]
    command = [sys.executable, str(_SCRIPT), reader, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
