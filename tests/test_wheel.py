"""The wheel, in an empty virtual environment: all that it needs is in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from gnubg_nactation import __version__
from tests.readme import ROOT


def run(*command: object, folder: Path) -> str:
    done = subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env={"HOME": str(folder), "PATH": "/usr/bin:/bin"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done
    return done.stdout


def test_the_wheel_works_in_a_bare_environment(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", tmp_path / "dist", ROOT], check=True)
    [wheel] = (tmp_path / "dist").glob(f"gnubg_nactation-{__version__}-py3-none-any.whl")
    run(sys.executable, "-m", "venv", tmp_path / "venv", folder=tmp_path)
    programs = tmp_path / "venv" / "bin"
    run(programs / "pip", "install", "--quiet", "--no-index", wheel, folder=tmp_path)
    assert run(programs / "nactate", "--version", folder=tmp_path).split()[-1] == __version__
    sample = ROOT / "sample_matches" / "match-3pt-analysed.sgf"
    for form in ("text", "sgf", "json", "html", "markdown"):
        assert run(programs / "nactate", "annotate", "--to", form, sample, folder=tmp_path)
    assert "8/5 6/5" in run(programs / "nactate", "decode", "54S-63R-31P", folder=tmp_path)
    assert "</svg>" in run(programs / "nactate", "board", "--svg", "start", folder=tmp_path)
