"""The wheel, in an empty virtual environment: all that it needs is in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gnubg_nactation import __version__
from tests.gnubg.ingame import GNUBG, needs_gnubg
from tests.readme import ROOT


def run(*command: object, folder: Path, **env: object) -> str:
    done = subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env={"HOME": str(folder), "PATH": "/usr/bin:/bin"} | {k: str(v) for k, v in env.items()},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done
    return done.stdout


@pytest.fixture(scope="module")
def venv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment that holds the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", folder / "dist", ROOT], check=True)
    [wheel] = (folder / "dist").glob(f"gnubg_nactation-{__version__}-py3-none-any.whl")
    run(sys.executable, "-m", "venv", folder / "venv", folder=folder)
    made = folder / "venv"
    run(made / "bin" / "pip", "install", "--quiet", "--no-index", wheel, folder=folder)
    return made


def test_the_wheel_works_in_a_bare_environment(venv: Path, tmp_path: Path) -> None:
    nactate, share = venv / "bin" / "nactate", venv / "share" / "gnubg-nactation"
    assert run(nactate, "--version", folder=tmp_path).split()[-1] == __version__
    sample = share / "sample_matches" / "match-3pt-analysed.sgf"
    for form in ("text", "sgf", "json", "html", "markdown"):
        assert run(nactate, "annotate", "--to", form, sample, folder=tmp_path)
    assert "8/5 6/5" in run(nactate, "decode", "54S-63R-31P", folder=tmp_path)
    assert "</svg>" in run(nactate, "board", "--svg", "start", folder=tmp_path)
    samples = (ROOT / "sample_matches").iterdir()
    assert {path.name: path.read_bytes() for path in sample.parent.iterdir()} == {
        path.name: path.read_bytes() for path in samples
    }


@needs_gnubg
def test_the_batch_script_of_the_wheel_runs_in_gnubg(venv: Path, tmp_path: Path) -> None:
    share = venv / "share" / "gnubg-nactation"
    run(venv / "bin" / "nactate", "gnubg-setup", folder=tmp_path, NACTATION_GNUBG=GNUBG)
    files = {"NACTATE_FILES": share / "sample_matches" / "match-1pt.mat", "NACTATE_OUTPUT": "out"}
    batch = ["-t", "-q", "-r", "-p", share / "gnubg_batch.py"]
    said = run(GNUBG, *batch, folder=tmp_path, **files)
    assert "1 of 1 files annotated" in said
    assert b"C[Nactation: 64S]" in (tmp_path / "out" / "match-1pt.sgf").read_bytes()
