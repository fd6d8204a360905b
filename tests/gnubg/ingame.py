"""Run a script of this folder inside the real GNU Backgammon and bring its answer back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

GNUBG = shutil.which("gnubg") or "/usr/games/gnubg"
_IS_MISSING = not Path(GNUBG).exists() or os.environ.get("NACTATION_GNUBG") == "none"
# For tests that start gnubg themselves; where CI is set they run, and fail, without it.
needs_gnubg = pytest.mark.skipif(
    _IS_MISSING and not os.environ.get("CI"), reason="GNU Backgammon is not installed"
)
ROOT = Path(__file__).parents[2]
OUTSIDE = "/usr/bin:/bin:/usr/games"  # PATH without the virtual environment of the tests


def gnubg_version() -> str:
    """The version of gnubg, as in `1.08.003`."""
    done = subprocess.run([GNUBG, "--version"], capture_output=True, text=True, check=True)
    return done.stdout.split()[2]


def run_in_gnubg(script: str, question: object, folder: Path) -> Any:
    """What `script` (a file name in this folder) answers to `question`; both travel as JSON.

    The script finds the file names of both in the environment. Skips the test where gnubg is
    not installed, but fails it in CI, where it must be.
    """
    if not Path(GNUBG).exists():
        reason = "GNU Backgammon is not installed"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    question_file, answer_file = folder / "question.json", folder / "answer.json"
    question_file.write_text(json.dumps(question), encoding="utf-8")
    answer_file.unlink(missing_ok=True)
    shutil.copy(Path(__file__).with_name(script), folder)  # gnubg opens no path that is not ASCII
    done = subprocess.run(
        [GNUBG, "-t", "-q", "-r", f"--python={script}"],
        env=os.environ
        | {
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "QUESTION": str(question_file),
            "ANSWER": str(answer_file),
            "HOME": str(folder),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=600,
        check=False,
        cwd=folder,
    )
    assert answer_file.exists(), f"{script} in gnubg said:\n{done.stdout!r}\n{done.stderr!r}"
    return json.loads(answer_file.read_text(encoding="utf-8"))
