"""The command that adds an extra, for each kind of installation."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from gnubg_nactation.system import extras
from tests.cli.running import ROOT


def test_every_package_is_one_of_the_extra() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    lines = text.partition("[project.optional-dependencies]")[2].partition("\n[")[0].splitlines()
    for extra, packages in extras._PACKAGES.items():
        (line,) = (line for line in lines if line.startswith(f"{extra} = ["))
        assert re.findall(r'"([-\w]+)>=', line) == packages.split(), extra


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("pipx_metadata.json", "pipx inject gnubg-nactation genanki"),
        ("lib/pyproject.toml", 'pip install -e ".[cards]"'),
        ("readme", 'pip install "gnubg-nactation[cards]"'),
    ],
)
def test_the_command_suits_the_installation(
    file: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lib" / "package" / "system").mkdir(parents=True)
    (tmp_path / file).touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(extras, "__file__", str(tmp_path / "lib/package/system/extras.py"))
    assert extras.install_command("cards") == command
