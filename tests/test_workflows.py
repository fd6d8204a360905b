"""The workflows of GitHub: their form, what they depend on, and what their steps run.

They cannot run here. Each step is a script that the checks run as well, or runs in these tests, or
is listed with the reason why it cannot.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.browser.conftest import missing
from tests.readme import ROOT

FOLDER = ROOT / ".github" / "workflows"
WORKFLOWS = {path.stem: yaml.safe_load(path.read_bytes()) for path in sorted(FOLDER.glob("*.yml"))}
# Scripts that the checks or the tests run themselves, with the file that does.
SCRIPTS = {
    "bash scripts/artifacts.sh dist": "scripts/release.sh",
    "bash scripts/engine.sh build/engine": "scripts/test.sh",
    "bash scripts/portable.sh": "CONTRIBUTING.md",
    "bash scripts/site.sh site": "scripts/test.sh",
    "bash scripts/test.sh": "scripts/release.sh",
    "sudo bash scripts/debian.sh": "CONTRIBUTING.md",
    "sudo bash scripts/debian.sh -p dist": "scripts/artifacts.sh",
    "PYINSTALLER=pyinstaller bash scripts/executable.sh dist": "scripts/artifacts.sh",
    "PYINSTALLER=$PWD/.venv/bin/pyinstaller bash scripts/artifacts.sh dist": "scripts/release.sh",
}
IMPOSSIBLE = {
    "apt-get": "changes the system; scripts/test.sh and scripts/debian.sh install what is missing",
    "sudo apt-get": "changes the system",
    "python -m pip install": "downloads; scripts/test.sh does the same with the extra dev",
    "python3 -m venv .venv": "downloads; scripts/test.sh does the same with the extra dev",
    "python -m cibuildwheel": "needs containers; scripts/compiled.sh builds the same wheel",
    "pipx run uv==0.13.9 publish": "needs the identity of the workflow",
    "gh release create": "needs the forge",
}
EXECUTED = {
    'git config --global --add safe.directory "$PWD"': ".gitconfig",
    'python3 scripts/release_notes.py "$GITHUB_REF_NAME" >notes.md': "notes.md",
}


def steps(workflow: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for job in workflow["jobs"].values():
        yield from job.get("steps", [])


def runs() -> list[str]:
    return [step["run"] for flow in WORKFLOWS.values() for step in steps(flow) if "run" in step]


def test_their_form_is_valid() -> None:
    program = shutil.which("check-jsonschema", path=str(Path(sys.executable).parent)) or ""
    if not program:
        missing("check-jsonschema")
    for schema, files in (
        ("github-workflows", sorted(FOLDER.glob("*.yml"))),
        ("dependabot", [FOLDER.parent / "dependabot.yml"]),
        ("citation-file-format", [FOLDER.parent / "CITATION.cff"]),
    ):
        command = [program, "--builtin-schema", f"vendor.{schema}", *map(str, files)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_actions_are_pinned_by_hash() -> None:
    for path in FOLDER.glob("*.yml"):
        for action in re.findall(r"uses: (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE):
            assert re.fullmatch(r"[\w/.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\./\S+", action), action
    pins = [step["uses"] for flow in WORKFLOWS.values() for step in steps(flow) if "uses" in step]
    assert len({*pins}) == len({pin.partition("@")[0] for pin in pins})  # one version of each


def test_programs_that_build_and_publish_are_pinned() -> None:
    """In one place, which dependabot reads; the job that publishes has no copy of it."""
    pins = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for step in runs():
        if "pip install" in step:
            assert re.search(r"'\.\[[a-z,]+\]'$", step), step
        for program in re.findall(r"pipx run (\S+)", step):
            assert "==" in program
            assert f'"{program}"' in pins


def test_nothing_is_published_before_the_checks() -> None:
    for name, job in (("pages", "site"), ("release", "build")):
        jobs = WORKFLOWS[name]["jobs"]
        assert jobs["checks"]["uses"] == "./.github/workflows/ci.yml"
        assert "checks" in jobs[job]["needs"]
    jobs = WORKFLOWS["release"]["jobs"]
    chain = [jobs[name]["needs"] for name in ("release", "publish", "debian", "build")]
    assert chain == ["publish", "debian", "build", "checks"]


@pytest.mark.parametrize("step", sorted({*runs()}))
def test_every_step_is_run_here_or_cannot_be(step: str, tmp_path: Path) -> None:
    for script in re.findall(r"scripts/\S+", step):
        assert (ROOT / script).is_file()
    if step in EXECUTED:
        environment = {"HOME": str(tmp_path), "GITHUB_REF_NAME": "v0.1.0", "PATH": "/usr/bin:/bin"}
        for name in ("scripts", "CHANGELOG.md"):
            (tmp_path / name).symlink_to(ROOT / name)
        subprocess.run(["bash", "-e", "-c", step], cwd=tmp_path, env=environment, check=True)
        assert (tmp_path / EXECUTED[step]).stat().st_size
    elif step in SCRIPTS:
        script = re.findall(r"scripts/\S+", step)[-1]
        assert script in (ROOT / SCRIPTS[step]).read_text(encoding="utf-8")
    else:
        assert any(step.startswith(f"{name} ") for name in IMPOSSIBLE), step
