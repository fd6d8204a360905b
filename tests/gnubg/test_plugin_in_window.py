"""The plugin in gnubg's window, where this machine can show one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gnubg.ingame import GNUBG, ROOT, needs_gnubg

XVFB = shutil.which("Xvfb")

pytestmark = [
    needs_gnubg,
    pytest.mark.skipif(XVFB is None, reason="Xvfb, a display without a screen, is not installed"),
]


@pytest.fixture
def display() -> Iterator[str]:
    reading, writing = os.pipe()
    arguments = [str(XVFB), "-displayfd", str(writing), "-screen", "0", "1280x900x24"]
    with subprocess.Popen(
        arguments, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        os.close(writing)
        with os.fdopen(reading) as numbers:
            yield f":{numbers.readline().strip()}"
        server.terminate()


def test_the_board_in_the_window(tmp_path: Path, display: str) -> None:
    asked, answered = tmp_path / "question.json", tmp_path / "answer.json"
    calls = [
        ("decode", ["54S-63R-31"]),
        ("nacbrac", [1]),
        ("best", [0]),
        ("name", []),
        ("decode", ["54S"]),
        ("name", []),
    ]
    asked.write_text(json.dumps(calls))
    commands = tmp_path / "commands"  # in a window gnubg does not run the script of -p
    commands.write_text(f'load python "{Path(__file__).with_name("inside_window.py")}"\n')
    done = subprocess.run(
        [GNUBG, "-q", "-w", "-r", "-c", str(commands)],
        env={
            "ANSWER": str(answered),
            "DISPLAY": display,
            "HOME": str(tmp_path),
            "LC_ALL": "C.UTF-8",
            "PATH": os.environ["PATH"],
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(ROOT / "scripts"),
            "QUESTION": str(asked),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        cwd=tmp_path,
    )
    assert answered.exists(), done
    told = done.stdout.partition("board\n")[2].splitlines()
    assert told[0] == "54S 24/20 13/8, 63R 24/15, 31 to play"
    assert told[1].startswith("31 j[P ")
    assert told[2].startswith("31P  8/5 6/5  +0.")
    assert told[3:] == ["54S-63R-31", "54S 24/20 13/8", "54S"]
    assert json.loads(answered.read_text())["unchanged"]
