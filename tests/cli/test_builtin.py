"""Commands on a machine without gnubg, but with the built-in engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.cli.running import ROOT, SAMPLES, error_of, output_of, run
from tests.engines.built import FOLDER, needs_builtin

pytestmark = [needs_builtin, pytest.mark.usefixtures("no_gnubg")]
NACBRAC = "54S-63R-31 [P H76 @79 X85] gnubg 2-ply\n"


@pytest.fixture
def builtin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NACTATION_ENGINE", str(FOLDER))


@pytest.mark.usefixtures("builtin")
@pytest.mark.parametrize("options", [(), ("--engine", "builtin")], ids=str)
def test_a_nacbrac_is_that_of_gnubg(options: tuple[str, ...]) -> None:
    assert output_of("nacbrac", *options, "54S-63R-31") == NACBRAC


@pytest.mark.usefixtures("builtin")
def test_what_else_needs_an_engine() -> None:
    assert output_of("nacbrac", "--cube", "54S-63R").startswith("54S-63R [N D/T 21")
    (value,) = map(json.loads, run("nacbrac", "--plies", "0", "--json", "31").out.splitlines())
    assert (value["engine"], value["plies"]) == ("gnubg", 0)
    assert "by gnubg 2-ply)" in output_of("decode", "--assume", "65R-43Z-66U")
    checked = output_of("decode", "--check", "--plies", "0", "54S-63R-31 [P @87 H94]")
    assert "checked by gnubg, 0-ply" in checked


@pytest.mark.usefixtures("builtin")
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_analysis_has_luck(jobs: int) -> None:
    samples = [SAMPLES / "match-1pt.mat", SAMPLES / "match-3pt.mat"]
    account = output_of("annotate", "--analyse", "--plies", "0", "--jobs", jobs, *samples)
    luck = [line.split()[3:] for line in account.splitlines() if "luck, in points" in line]
    assert len(luck) == 2
    assert all(abs(float(points)) < 5 for pair in luck for points in pair)


@pytest.mark.usefixtures("builtin")
def test_limits_are_lines() -> None:
    assert "no rollouts" in error_of("nacbrac", "--rollout", "36", "31")
    assert "at most 3 plies ahead, not 4" in error_of("nacbrac", "--plies", "4", "31")


def test_without_its_files_the_extra_is_named() -> None:
    error = error_of("nacbrac", "--engine", "builtin", "31")
    assert error == (
        "nactate: The built-in engine needs an extra package: "
        'pip install --find-links dist -e ".[engine]"\n'
    )


def test_the_wheel_of_its_files_is_found(tmp_path: Path) -> None:
    subprocess.run(["bash", ROOT / "scripts" / "engine_wheel.sh", tmp_path], check=True)
    (wheel,) = tmp_path.glob("gnubg_nactation_engine-*-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-m", "gnubg_nactation", "nacbrac", "54S-63R-31"],
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path / 'site'}"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, NACBRAC, "")
