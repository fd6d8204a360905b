"""Finding gnubg, in folders like those of each system; only Linux was available."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gnubg_nactation.engines import process
from gnubg_nactation.engines.process import find_gnubg

CLI = "gnubg-cli.exe"
VARIABLES = (*process._WINDOWS, "HOME", "PATH", "NACTATION_GNUBG")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with nothing on it."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    original = process._installed
    monkeypatch.setattr(process, "_installed", lambda platform: original(platform, tmp_path))
    return tmp_path


def install(program: Path) -> str:
    program.parent.mkdir(parents=True, exist_ok=True)
    program.touch(0o755)
    return str(program)


@pytest.mark.parametrize(
    ("variable", "place"),
    [
        ("PROGRAMFILES", f"gnubg/{CLI}"),
        ("PROGRAMFILES(X86)", f"gnubg/{CLI}"),
        ("PROGRAMFILES(X86)", f"GNU Backgammon 1.08/{CLI}"),
        ("PROGRAMW6432", f"gnubg-1.08.003/{CLI}"),
        ("PROGRAMFILES", f"WinGet/Links/{CLI}"),
        ("LOCALAPPDATA", f"gnubg/{CLI}"),
        ("LOCALAPPDATA", f"Programs/gnubg/{CLI}"),
        ("LOCALAPPDATA", f"Microsoft/WinGet/Links/{CLI}"),
        ("LOCALAPPDATA", f"Microsoft/WinGet/Packages/GNU.gnubg_Microsoft.Winget.Source_8/{CLI}"),
        ("LOCALAPPDATA", f"Microsoft/WinGet/Packages/GNU.gnubg_Microsoft/gnubg/{CLI}"),
        ("APPDATA", f"gnubg/{CLI}"),
        ("CHOCOLATEYINSTALL", f"bin/{CLI}"),
        ("CHOCOLATEYINSTALL", f"lib/gnubg.portable/tools/gnubg/{CLI}"),
        ("PROGRAMDATA", f"chocolatey/bin/{CLI}"),
        ("USERPROFILE", f"scoop/apps/gnubg/current/{CLI}"),
    ],
)
def test_on_windows(
    machine: Path, monkeypatch: pytest.MonkeyPatch, variable: str, place: str
) -> None:
    folder = machine / "C" / "a folder"
    monkeypatch.setenv(variable, str(folder))
    program = install(folder / place)
    assert find_gnubg(platform="win32") == program


def test_on_windows_the_program_without_a_window_is_taken(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program with a window has no standard output, so its name means the other one."""
    window = install(machine / "gnubg" / "gnubg.exe")
    assert find_gnubg(window, platform="win32") == window
    cli = install(machine / "gnubg" / CLI)
    assert find_gnubg(window, platform="win32") == cli
    monkeypatch.setenv("NACTATION_GNUBG", window)
    assert find_gnubg(platform="win32") == cli


def test_the_newest_of_several(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROGRAMFILES", str(machine))
    install(machine / "gnubg-1.07" / CLI)
    newest = install(machine / "gnubg-1.08" / CLI)
    install(machine / "gnubg-1.06" / CLI)
    assert find_gnubg(platform="win32") == newest


@pytest.mark.parametrize(
    "place",
    [
        "opt/homebrew/bin/gnubg",  # Apple silicon
        "usr/local/bin/gnubg",  # Intel
        "opt/homebrew/opt/gnubg/bin/gnubg",
        "usr/local/opt/gnubg/bin/gnubg",
        "opt/local/bin/gnubg",
        "Applications/GNU Backgammon.app/Contents/MacOS/gnubg",
        "Applications/gnubg.app/Contents/Resources/bin/gnubg",
        "home/Applications/GNUbg 1.08.app/Contents/MacOS/gnubg",
    ],
)
def test_on_macos(machine: Path, place: str) -> None:
    program = install(machine / place)
    assert find_gnubg(platform="darwin") == program


@pytest.mark.parametrize("place", ["usr/games/gnubg", "usr/local/games/gnubg"])
def test_on_linux(machine: Path, place: str) -> None:
    program = install(machine / place)
    assert find_gnubg(platform="linux") == program


@pytest.mark.parametrize("platform", ["win32", "darwin", "linux"])
def test_what_is_on_the_path_goes_before(
    machine: Path, monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    for place in ("usr/games/gnubg", "usr/local/bin/gnubg", f"gnubg/{CLI}"):
        install(machine / place)
    monkeypatch.setenv("PROGRAMFILES", str(machine))
    mine = install(machine / "mine" / "gnubg")
    monkeypatch.setenv("PATH", os.path.dirname(mine))
    assert find_gnubg(platform=platform) == mine
