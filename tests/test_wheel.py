"""The wheel works in an empty virtual environment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gnubg_nactation import __version__
from tests.cli.running import run as call
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
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that everybody gets, or the one that NACTATION_WHEEL names."""
    if path := os.environ.get("NACTATION_WHEEL"):
        return Path(path)
    folder = tmp_path_factory.mktemp("dist")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", folder, ROOT], check=True)
    [wheel] = folder.glob(f"gnubg_nactation-{__version__}-py3-none-any.whl")
    return wheel


@pytest.fixture(scope="module")
def venv(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment that holds the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "venv", folder / "venv", folder=folder)
    venv = folder / "venv"
    run(venv / "bin" / "pip", "install", "--quiet", "--no-index", wheel, folder=folder)
    return venv


def test_the_wheel_works_in_a_bare_environment(venv: Path, tmp_path: Path) -> None:
    nactate, share = venv / "bin" / "nactate", venv / "share" / "gnubg-nactation"
    assert run(nactate, "--version", folder=tmp_path).split()[-1] == __version__
    sample = share / "sample_matches" / "match-3pt-analysed.sgf"
    for form in ("text", "sgf", "json", "html", "markdown"):
        assert run(nactate, "annotate", "--to", form, sample, folder=tmp_path)
    assert "8/5 6/5" in run(nactate, "decode", "54S-63R-31P", folder=tmp_path)
    # Ready in the wheel: this environment has no shtab.
    for shell in ("bash", "zsh", "fish"):
        assert (
            run(nactate, "help", "completion", shell, folder=tmp_path)
            == call("help", "completion", shell).out
        )
    assert run(nactate, "help", "manpage", folder=tmp_path) == call("help", "manpage").out
    manual = venv / "share" / "man" / "man1" / "nactate.1"  # pipx links it
    assert manual.read_text("utf-8") == call("help", "manpage").out
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
    batch = ["-t", "-q", "-r", f"--python={share / 'gnubg_batch.py'}"]
    output = run(GNUBG, *batch, folder=tmp_path, **files)
    assert "1 of 1 files annotated" in output
    assert b"C[Nactation: 64S]" in (tmp_path / "out" / "match-1pt.sgf").read_bytes()


def test_links_of_the_readme_work_on_the_index_page(venv: Path) -> None:
    (metadata,) = venv.glob("lib/python3*/site-packages/gnubg_nactation-*.dist-info/METADATA")
    head, _, readme = metadata.read_text(encoding="utf-8").partition("\n\n")
    [source] = re.findall("^Project-URL: Source, (.+)$", head, re.MULTILINE)
    links = re.findall(r"\]\(([^)]+)\)", readme)
    assert len(links) > 9
    assert all(link.startswith("https://") for link in links)
    for link in links:
        view, _, path = link.removeprefix(f"{source}/").partition("/main/")
        assert (view in {"blob", "raw"} and (ROOT / path).exists()) or source not in link
    [picture] = re.findall(r"!\[The window.*\]\(([^)]+)\)", readme)
    assert picture == f"{source}/raw/main/tests/golden/readme-gnubg.png"


def test_the_index_knows_the_version_of_the_metadata(venv: Path) -> None:
    """`twine check` refuses newer ones than 2.4, the first with a licence expression."""
    (metadata,) = venv.glob("lib/python3*/site-packages/gnubg_nactation-*.dist-info/METADATA")
    assert metadata.read_text(encoding="utf-8").startswith("Metadata-Version: 2.4\n")


@needs_gnubg
def test_the_wheel_holds_the_module_that_gnubg_imports(venv: Path, tmp_path: Path) -> None:
    """Without gnubg-setup, if it is where gnubg's Python looks, as Debian's package is."""
    (packages,) = venv.glob("lib/python3*/site-packages")
    question = tmp_path / "question.py"
    question.write_text("import nactation_plugin; print('from', nactation_plugin.__file__)")
    script = f"--python={question}"
    output = run(GNUBG, "-t", "-q", "-r", script, folder=tmp_path, PYTHONPATH=packages)
    assert f"from {packages}/nactation_plugin.py" in output


_WHAT_RUNS = """
import nactation_plugin, sys
from gnubg_nactation.backgammon import plays
print("python", *sys.version_info[:2], "runs", plays.__file__)
"""


@needs_gnubg
def test_gnubg_runs_what_the_wheel_holds(venv: Path, wheel: Path, tmp_path: Path) -> None:
    run(venv / "bin" / "nactate", "gnubg-setup", folder=tmp_path, NACTATION_GNUBG=GNUBG)
    question = tmp_path / "question.py"
    question.write_text(_WHAT_RUNS)
    output = run(GNUBG, "-t", "-q", "-r", f"--python={question}", folder=tmp_path)
    [versions] = [line.split() for line in output.splitlines() if line.startswith("python ")]
    assert Path(versions[-1]).is_relative_to(venv)
    fits = (
        f"-cp{versions[1]}{versions[2]}-" in wheel.name
    )  # else gnubg runs the sources in the wheel
    assert Path(versions[-1]).suffix != ".py" if fits else Path(versions[-1]).suffix == ".py"
