"""`nactate gnubg-setup`: the files it writes for a simulated gnubg and for the real one."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from gnubg_nactation.cli.main import main
from gnubg_nactation.cli.streams import Streams
from tests.gnubg.ingame import GNUBG, OUTSIDE, needs_gnubg

MODULE = "nactation_plugin.py"
COMMANDS = [
    "annotate this match",
    "best play",
    "explore this position",
    "export text",
    "load a sequence",
    "nacbrac of the cube",
    "nacbrac of this roll",
    "nacbracs of all rolls",
    "name of this position",
    "page in the browser",
    "quiz",
    "remove Nactation comments",
    "save as SGF",
    "show",
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in ("PYTHONPATH", "PYTHONUSERBASE", "PYTHONNOUSERSITE"):
        monkeypatch.delenv(name, raising=False)
    return folder


def run(*arguments: str) -> tuple[int, list[str], str]:
    stdout, stderr = io.BytesIO(), io.BytesIO()
    status = main(["gnubg-setup", *arguments], Streams(io.BytesIO(), stdout, stderr))
    return status, stdout.getvalue().decode().splitlines(), stderr.getvalue().decode()


def fake_gnubg(folder: Path, site: Path, version: str = "[3, 11]", enabled: str = "True") -> str:
    """A program that answers like gnubg, and finds the module if it exists."""
    program = folder / "gnubg"
    program.write_text(
        f"#!/bin/sh\nexec {shlex.quote(sys.executable)} - <<'END'\n"
        "import json, os\n"
        f"site = {str(site)!r}\n"
        f"module = os.path.join(site, {MODULE!r})\n"
        f"answer = {{'version': {version}, 'folder': site, 'enabled': {enabled},\n"
        "          'found': module if os.path.exists(module) else '', 'scripts': []}\n"
        "json.dump(answer, open(os.environ['NACTATE_ANSWER'], 'w'))\nEND\n"
    )
    program.chmod(0o755)
    return str(program)


def tree(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def command_files(home: Path) -> list[Path]:
    return [home / "Nactation" / f"Nactation - {name}" for name in COMMANDS]


def removed(home: Path, *files: Path) -> list[str]:
    return [f"{file} removed" for file in sorted([*command_files(home), *files])]


def test_set_up_can_be_repeated_and_undone(home: Path, tmp_path: Path) -> None:
    site = home / ".local/lib/python3.11/site-packages"
    (home / ".local").mkdir()
    gnubg = fake_gnubg(tmp_path, site)

    status, lines, _ = run("--gnubg", gnubg, "--dry-run")
    assert status == 0
    assert lines[1] == f"{site / MODULE} would be written"
    assert {*lines[2:]} == {f"{file} would be written" for file in command_files(home)}
    assert tree(home) == [".local"]

    status, lines, _ = run("--gnubg", gnubg)
    assert status == 0
    assert lines[0] == f"{gnubg} has Python 3.11"
    assert lines[1] == f"{site / MODULE} written"
    assert {*lines[2:-2]} == {f"{file} written" for file in command_files(home)}
    assert lines[-2:] == [
        "in GNU Backgammon type: >import nactation_plugin",
        f"or open a file of {home / 'Nactation'} with File > Open Commands",
    ]
    output = (site / MODULE).read_bytes()

    _, lines, _ = run("--gnubg", gnubg)
    assert lines[1] == f"{site / MODULE} is up to date"
    assert (site / MODULE).read_bytes() == output

    _, lines, _ = run("--gnubg", gnubg, "--status")
    assert f"{site / MODULE} is up to date" in lines

    (site / "__pycache__").mkdir()
    (site / "__pycache__" / "nactation_plugin.cpython-311.pyc").touch()
    _, lines, _ = run("--gnubg", gnubg, "--undo", "--dry-run")
    assert f"{site / MODULE} would be removed" in lines
    assert (site / MODULE).read_bytes() == output

    status, lines, _ = run("--gnubg", gnubg, "--undo")
    assert (status, lines) == (0, removed(home, site / MODULE))
    assert tree(home) == [".local"]
    assert run("--gnubg", gnubg, "--undo")[:2] == (0, ["nothing to undo"])


def test_undo_keeps_other_files(home: Path, tmp_path: Path) -> None:
    site = home / "site-packages"
    gnubg = fake_gnubg(tmp_path, site)
    run("--gnubg", gnubg)
    (site / "other.py").touch()
    run("--gnubg", gnubg, "--undo")
    assert tree(site) == ["other.py"]


@pytest.mark.parametrize("content", [b"print('mine')\n", b"\xff", b""])
def test_a_foreign_file_is_kept(home: Path, tmp_path: Path, content: bytes) -> None:
    gnubg = fake_gnubg(tmp_path, home)
    (home / MODULE).write_bytes(content)
    status, _, error = run("--gnubg", gnubg)
    assert status == 1
    assert "was written or changed by somebody else" in error
    status, lines, _ = run("--gnubg", gnubg, "--undo")
    assert lines == [
        f"{home / MODULE} kept: it was written or changed by somebody else",
        "nothing to undo",
    ]
    assert (home / MODULE).read_bytes() == content
    assert tree(home) == [MODULE]


def test_a_changed_file_is_kept(home: Path, tmp_path: Path) -> None:
    gnubg = fake_gnubg(tmp_path, home)
    run("--gnubg", gnubg)
    changed = (home / MODULE).read_bytes() + b"# mine\n"
    (home / MODULE).write_bytes(changed)
    assert run("--gnubg", gnubg)[0] == 1
    run("--gnubg", gnubg, "--undo")
    assert (home / MODULE).read_bytes() == changed
    assert run("--gnubg", gnubg, "--status")[1][-1].endswith("changed by somebody else")


def test_the_module_of_another_installation_is_renewed(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = home / "a"
    gnubg = fake_gnubg(tmp_path, site)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr("gnubg_nactation.__file__", str(tmp_path / "old" / "__init__.py"))
        run("--gnubg", gnubg)
    assert "another installation" in run("--gnubg", gnubg, "--status")[1][-1]
    _, lines, _ = run("--gnubg", gnubg)
    assert lines[1] == f"{site / MODULE} written"
    run("--gnubg", gnubg, "--undo")
    assert tree(home) == []  # and the folder of the first run


def test_the_module_for_an_older_python_is_undone(home: Path, tmp_path: Path) -> None:
    old = home / ".local/lib/python3.9/site-packages"
    run("--gnubg", fake_gnubg(tmp_path, old, "[3, 10]"))
    new = fake_gnubg(tmp_path, home / ".local/lib/python3.13/site-packages", "[3, 13]")
    assert run("--gnubg", new, "--undo")[1] == removed(home, old / MODULE)
    assert tree(home) == []


def test_a_missing_gnubg_is_an_error_but_not_for_undo(home: Path, tmp_path: Path) -> None:
    status, lines, error = run("--gnubg", "no-such-gnubg")
    assert (status, lines) == (1, [])
    assert "install gnubg" in error
    assert error.count("\n") == 1
    assert "install gnubg" in run("--gnubg", "no-such-gnubg", "--status")[1][0]
    site = home / ".local/lib/python3.11/site-packages"
    run("--gnubg", fake_gnubg(tmp_path, site))
    assert run("--gnubg", "no-such-gnubg", "--undo")[1] == removed(home, site / MODULE)


@pytest.mark.parametrize(
    "site",
    [
        ".local/lib/python3.13/site-packages",
        "Library/Python/3.12/lib/python/site-packages",  # of macOS
        "AppData/Roaming/Python/Python312/site-packages",  # of Windows
    ],
)
def test_the_folder_of_each_system_is_undone_without_gnubg(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: str
) -> None:
    monkeypatch.setenv("APPDATA", str(home / "AppData" / "Roaming"))
    assert run("--gnubg", fake_gnubg(tmp_path, home / site))[0] == 0
    assert (home / site / MODULE).exists()
    assert run("--gnubg", "no-such-gnubg", "--undo")[0] == 0
    assert tree(home) == []


def test_the_settings_on_windows_are_where_gnubg_looks(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In HOME if a shell sets it, else in the user's profile."""
    profile = tmp_path / "profile"
    profile.mkdir()
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr("shutil.which", str)  # from Python 3.12 on it calls Windows
    monkeypatch.setattr(Path, "home", lambda: profile)
    gnubg = fake_gnubg(tmp_path, tmp_path / "site")
    run("--gnubg", gnubg, "--at-start")
    assert (home / ".gnubg" / "gnubgrc").exists()
    monkeypatch.delenv("HOME")
    run("--gnubg", gnubg, "--at-start")
    assert (profile / ".gnubg" / "gnubgrc").exists()


def test_at_start_can_be_repeated_and_undone(home: Path, tmp_path: Path) -> None:
    site = home / "site"
    gnubg = fake_gnubg(tmp_path, site)
    rc = home / ".gnubg" / "gnubgrc"
    _, lines, _ = run("--gnubg", gnubg, "--at-start")
    assert f"{rc} loads the plugin when gnubg starts" in lines
    assert "nactation_at_start" in rc.read_text()
    assert (site / "nactation_at_start.py").exists()
    once = rc.read_bytes()
    run("--gnubg", gnubg, "--at-start")
    assert rc.read_bytes() == once
    assert f"{rc} loads the plugin when gnubg starts" in run("--gnubg", gnubg, "--status")[1]
    assert run("--gnubg", gnubg, "--undo")[0] == 0
    assert tree(home) == []


def test_the_users_own_start_file_is_kept(home: Path, tmp_path: Path) -> None:
    gnubg = fake_gnubg(tmp_path, home / "site")
    rc = home / ".gnubg" / "gnubgrc"
    rc.parent.mkdir()
    own = b"set panels on\r\n# caf\xe9 \x0c \xe2\x80\xa8 y\n"
    rc.write_bytes(own)
    _, lines, _ = run("--gnubg", gnubg, "--at-start", "--dry-run")
    assert f"{rc} would load the plugin when gnubg starts" in lines
    assert rc.read_bytes() == own
    run("--gnubg", gnubg, "--at-start")
    assert rc.read_bytes().startswith(own + b">import ")
    run("--gnubg", gnubg, "--undo")
    assert rc.read_bytes() == own


@pytest.mark.parametrize(
    ("old", "new"), [(b"\n", b"\r\n"), (b"setup\n", b"setup")], ids=["CRLF", "no last line end"]
)
def test_our_line_is_found_after_an_editor_has_changed_its_end(
    home: Path, tmp_path: Path, old: bytes, new: bytes
) -> None:
    gnubg = fake_gnubg(tmp_path, home / "site")
    rc = home / ".gnubg" / "gnubgrc"
    rc.parent.mkdir()
    rc.write_bytes(b"set panels on\n")
    run("--gnubg", gnubg, "--at-start")
    edited = rc.read_bytes().replace(old, new)
    rc.write_bytes(edited)
    assert f"{rc} loads the plugin when gnubg starts" in run("--gnubg", gnubg, "--status")[1]
    run("--gnubg", gnubg, "--at-start")
    assert rc.read_bytes() == edited
    run("--gnubg", gnubg, "--undo")
    assert rc.read_bytes() == b"set panels on\n".replace(old, new)


def test_a_link_to_a_start_file_stays(home: Path, tmp_path: Path) -> None:
    gnubg = fake_gnubg(tmp_path, home / "site")
    link, target = home / ".gnubg" / "gnubgrc", tmp_path / "settings"
    link.parent.mkdir()
    target.touch()
    link.symlink_to(target)
    run("--gnubg", gnubg, "--at-start")
    assert b"nactation_at_start" in target.read_bytes()
    run("--gnubg", gnubg, "--undo")
    assert link.is_symlink()
    assert target.read_bytes() == b""


def test_an_unreadable_start_file_is_kept(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rc = home / ".gnubg" / "gnubgrc"
    rc.parent.mkdir()
    rc.write_text("set player 1 name Precious")
    read = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path == rc:
            raise PermissionError(13, "Permission denied", str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    status, _, error = run("--gnubg", fake_gnubg(tmp_path, home / "site"), "--at-start")
    assert status == 1
    assert "Permission denied" in error
    assert rc.read_text() == "set player 1 name Precious"


@pytest.mark.parametrize("is_folder", [False, True], ids=["file .gnubg", "folder gnubgrc"])
def test_an_unusable_start_file_stops_set_up_at_once_and_undo_at_the_end(
    home: Path, tmp_path: Path, is_folder: bool
) -> None:
    gnubg = fake_gnubg(tmp_path, home / "site")
    settings = home / ".gnubg"
    if is_folder:
        (settings / "gnubgrc").mkdir(parents=True)
    else:
        settings.touch()
    before = tree(home)
    status, _, error = run("--gnubg", gnubg, "--at-start")
    assert status == 1
    assert error.count("\n") == 1
    assert tree(home) == before
    assert run("--gnubg", gnubg)[0] == 0
    status, _, error = run("--gnubg", gnubg, "--undo")
    assert status == 1
    assert error.count("\n") == 1
    assert tree(home) == before


def test_nothing_is_written_if_a_file_has_the_name_of_the_folder(
    home: Path, tmp_path: Path
) -> None:
    (home / "Nactation").write_text("a file")
    status, _, error = run("--gnubg", fake_gnubg(tmp_path, home / "site"))
    assert status == 1
    assert f"{home / 'Nactation'} is not a folder" in error
    assert tree(home) == ["Nactation"]


def test_files_of_the_user_in_our_folder_are_kept(home: Path, tmp_path: Path) -> None:
    gnubg = fake_gnubg(tmp_path, home / "site")
    run("--gnubg", gnubg)
    for name in ("match.txt", "last page.html"):
        (home / "Nactation" / name).touch()
    run("--gnubg", gnubg, "--undo")
    assert tree(home) == ["Nactation", "Nactation/match.txt"]


def test_a_python_without_user_folder_uses_scripts(home: Path, tmp_path: Path) -> None:
    """gnubg's builds for Windows search `scripts` next to the program."""
    scripts = tmp_path / "gnubg files" / "scripts"
    scripts.mkdir(parents=True)
    gnubg = Path(fake_gnubg(tmp_path, home / "site", enabled="False"))
    text = gnubg.read_text().replace("'scripts': []", f"'scripts': [{str(scripts)!r}]")
    gnubg.write_text(text.replace("site, 'nact", f"{str(scripts)!r}, 'nact"))
    assert run("--gnubg", str(gnubg))[0] == 0
    assert (scripts / MODULE).exists()
    run("--gnubg", str(gnubg), "--undo")
    assert tree(scripts) == []
    assert tree(home) == []


def test_an_active_virtual_environment_is_not_used(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """gnubg 1.08 uses the first Python on PATH, and a virtual environment has no user folder."""
    active = tmp_path / "venv" / "bin"
    active.mkdir(parents=True)
    (tmp_path / "venv" / "pyvenv.cfg").touch()
    monkeypatch.setenv("PATH", os.pathsep.join([str(active), os.environ["PATH"]]))
    enabled = f"{str(active)!r} not in os.environ['PATH'].split(os.pathsep)"
    gnubg = fake_gnubg(tmp_path, home / "site", enabled=enabled)
    assert run("--gnubg", gnubg)[0] == 0
    assert (home / "site" / MODULE).exists()


@pytest.mark.parametrize(
    ("version", "enabled", "message"),
    [
        ("[3, 9]", "True", "must be 3.10 or newer"),
        ("[3, 11]", "False", "does not search"),
        ("nonsense", "True", "does not run Python scripts"),
        ("3", "True", "does not run Python scripts"),
    ],
)
def test_an_unusable_gnubg_is_an_error(
    home: Path, tmp_path: Path, version: str, enabled: str, message: str
) -> None:
    status, _, error = run("--gnubg", fake_gnubg(tmp_path, home / "site", version, enabled))
    assert status == 1
    assert message in error
    assert tree(home) == []


def test_a_folder_that_cannot_be_created_is_an_error(home: Path, tmp_path: Path) -> None:
    (home / "file").write_text("in the way")
    status, _, error = run("--gnubg", fake_gnubg(tmp_path, home / "file" / "site"))
    assert status == 1
    assert error.count("\n") == 1
    assert tree(home) == ["file"]


def type_in_gnubg(folder: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    commands = folder / "commands"
    commands.write_text("".join(f"{line}\n" for line in lines))
    return subprocess.run(
        [GNUBG, "-t", "-q", "-r", "-c", str(commands)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
        cwd=folder,
        env={**os.environ, "PATH": OUTSIDE},
    )


@needs_gnubg
def test_the_real_gnubg_loads_the_plugin(home: Path, tmp_path: Path) -> None:
    status, lines, error = run("--gnubg", GNUBG)
    assert (status, error) == (0, "")
    file = Path(lines[1].removesuffix(" written"))
    assert file.is_relative_to(home)
    assert not (home / ".gnubg").exists()
    lines = [">import nactation_plugin", ">nactation_plugin.show()"]
    done = type_in_gnubg(tmp_path, *lines)
    assert "nactation_plugin.annotate()" in done.stdout
    assert "nactation: no match is loaded" in done.stdout
    assert f"it finds {file}" in run("--gnubg", GNUBG, "--status")[1]
    assert run("--gnubg", GNUBG, "--undo")[1] == removed(home, file)
    assert not (home / ".local").exists()
    assert not (home / "Nactation").exists()
    assert "No module named 'nactation_plugin'" in type_in_gnubg(tmp_path, *lines).stderr


@pytest.mark.usefixtures("home")
@needs_gnubg
def test_the_real_gnubg_reports_a_missing_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gnubg_nactation.__file__", str(tmp_path / "gone" / "__init__.py"))
    status, _, error = run("--gnubg", GNUBG)
    assert status == 1
    assert "does not find the plugin" in error
    done = type_in_gnubg(tmp_path, ">import nactation_plugin")
    assert "run `nactate gnubg-setup` again" in done.stderr
