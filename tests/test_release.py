"""What a release builds: the files that run without being installed."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.cli.running import error_of
from tests.gnubg.ingame import GNUBG, needs_gnubg
from tests.readme import ROOT


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build(folder)
    return folder


def build(folder: Path) -> None:
    subprocess.run([sys.executable, ROOT / "scripts" / "single_files.py", folder], check=True)


def test_without_shtab_the_plugin_is_built(dist: Path, tmp_path: Path) -> None:
    script = ROOT / "scripts" / "single_files.py"
    start = f"import runpy, sys; sys.modules['shtab'] = None; runpy.run_path({str(script)!r}, "
    command = [sys.executable, "-c", f"{start}run_name='__main__')", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "pip install shtab" in done.stderr
    name = "nactation_plugin.py"
    assert (tmp_path / name).read_bytes() == (dist / name).read_bytes()


def in_gnubg(commands: str, folder: Path) -> str:
    """The output of gnubg in a folder that is also the home."""
    done = subprocess.run(
        [GNUBG, "-t", "-q", "-r"],
        cwd=folder,
        env={"HOME": str(folder), "PATH": "/usr/bin:/bin"},
        input=commands,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout + done.stderr


def test_ten_commands_of_the_program_in_one_file(dist: Path) -> None:
    smoke = ROOT / "scripts" / "smoke.sh"
    command = ["bash", str(smoke), sys.executable, str(dist / "nactate.pyz")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("nactate") == 10


_IN_GNUBG = """\
>import nactation_plugin
>nactation_plugin.decode("54S-63R-31")
>nactation_plugin.best()
>import gnubg_nactation; print("runs", gnubg_nactation.__file__)
"""


@needs_gnubg
def test_the_plugin_file_alone_works_in_gnubg(dist: Path, tmp_path: Path) -> None:
    place = tmp_path / "scripts" / "nactation_plugin.py"
    place.parent.mkdir()
    place.write_bytes((dist / place.name).read_bytes())
    output = in_gnubg(_IN_GNUBG, tmp_path)
    assert "\n31P  8/5 6/5  " in output  # by a second gnubg, which runs a script of the archive
    assert "scripts/nactation_plugin.py/gnubg_nactation/__init__.py" in output
    assert "Traceback" not in output


@needs_gnubg
def test_the_program_in_one_file_adds_itself_to_gnubg(dist: Path, tmp_path: Path) -> None:
    archive = dist / "nactate.pyz"
    environment = os.environ | {"HOME": str(tmp_path), "NACTATION_GNUBG": GNUBG}
    command = [sys.executable, str(archive), "gnubg-setup"]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    output = in_gnubg(_IN_GNUBG, tmp_path)
    assert f"runs {archive}/gnubg_nactation/__init__.py" in output
    assert "54S 24/20 13/8, 63R 24/15, 31 to play" in output


def test_an_executable_names_the_plugin_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert "put the file nactation_plugin.py into its folder `scripts`" in error_of("gnubg-setup")


def test_the_files_are_the_same_each_time(dist: Path, tmp_path: Path) -> None:
    build(tmp_path)
    for name in ("nactate.pyz", "nactation_plugin.py"):
        assert (dist / name).read_bytes() == (tmp_path / name).read_bytes()


def test_the_notes_of_a_release_are_its_part_of_the_changelog() -> None:
    def printed(version: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(ROOT / "scripts" / "release_notes.py"), version]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert printed("v0.1.0").stdout.startswith("The first version.")
    assert "## " not in printed("0.1.0").stdout.replace("### ", "")
    assert printed("9.9").returncode == 1
    assert "says nothing of 9.9" in printed("9.9").stderr


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 reads no TOML")
def test_recipes_have_the_version_and_the_checksum_of_the_sources(tmp_path: Path) -> None:
    sources = tmp_path / "gnubg_nactation-1.2.3.tar.gz"
    sources.write_bytes(b"sources")
    program = ROOT / "scripts" / "recipes.py"
    subprocess.run([sys.executable, program, sources, tmp_path], check=True)
    conda = yaml.safe_load((tmp_path / "recipe.yaml").read_text(encoding="utf-8"))
    formula = (tmp_path / "gnubg-nactation.rb").read_text(encoding="utf-8")
    digest = hashlib.sha256(b"sources").hexdigest()
    assert conda["package"] == {"name": "gnubg-nactation", "version": "1.2.3"}
    assert conda["source"]["sha256"] == digest
    assert conda["source"]["url"].endswith("/releases/download/v1.2.3/gnubg_nactation-1.2.3.tar.gz")
    assert conda["requirements"]["run"] == ["python >=3.10"]
    assert f'url "{conda["source"]["url"]}"\n  sha256 "{digest}"' in formula
    assert len(re.findall("^ *(?:class|def|test) ", formula, re.MULTILINE)) == 3
    assert len(re.findall("^ *end$", formula, re.MULTILINE)) == 3
