"""What killed processes leave behind goes with the next run; what is in use stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gnubg_nactation.system.litter import hold, new_name, remove_folder, sweep_files
from gnubg_nactation.system.temporary import temporary_folder
from tests.cli.running import MATCH, ROOT, run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no locks, so nothing is swept")

_LONG_AGO = 1_000_000_000  # in 2001
_HOLDING = """
import sys
import time
from gnubg_nactation.system.litter import hold
from gnubg_nactation.system.temporary import temporary_folder
with open(sys.argv[1], "xb") as file, temporary_folder() as folder:
    hold(file.fileno())
    print(folder, flush=True)
    time.sleep(600)
"""
_WRITING = """
import sys
import time
from gnubg_nactation.system.atomic import write_atomically
def pieces(path):
    yield b"half of it"
    if later := paths.pop():
        write_atomically(later, pieces(later))
    print(flush=True)
    time.sleep(600)
paths = ["", *sys.argv[1:]]
write_atomically(paths[-1], pieces(paths.pop()))
"""


def killed_while_writing(*paths: Path) -> list[Path]:
    """Kill a process that has written half of these files, an hour ago; what it leaves behind."""
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITING, *paths],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )
    assert writer.stdout
    with writer.stdout:
        writer.stdout.readline()
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    halves = [half for path in paths for half in path.parent.glob(f".{path.name}.*")]
    for half in halves:
        os.utime(half, (_LONG_AGO, _LONG_AGO))
    assert len(halves) == len(paths)
    return halves


def test_what_a_killed_process_leaves_goes_with_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "a.mat").write_bytes(MATCH)
    half = tmp_path / new_name("a.txt")
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLDING, str(half)],
        env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout
    folder = Path(holder.stdout.readline().strip())
    for path in (half, folder / "held"):
        os.utime(path, (_LONG_AGO, _LONG_AGO))

    def next_run() -> None:
        for arguments in (["a.mat"], ["a.mat", "b.mat"]):
            files = [tmp_path / name for name in arguments]
            files[-1].write_bytes(MATCH)
            assert run("annotate", "-o", f"{tmp_path}/", *files).status == 0
        with temporary_folder():
            pass

    next_run()
    assert half.exists()
    assert folder.exists()
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    next_run()
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"a.mat", "a.txt", "b.mat", "b.txt"}
    holder.stdout.close()


def test_a_folder_that_is_half_removed_still_goes_with_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    removed: list[str] = []
    unlink = os.unlink

    def interrupted(path: str, **options: int) -> None:
        removed.append(Path(path).name)
        unlink(path, **options)
        if len(removed) == 5:
            raise KeyboardInterrupt

    names = [f"{name}.sgf" for name in "abcdefgh"]
    with temporary_folder() as folder:
        for name in names:
            (Path(folder) / name).write_bytes(b"")
        monkeypatch.setattr(os, "unlink", interrupted)
        with pytest.raises(KeyboardInterrupt):
            remove_folder(folder)
    assert sorted(removed) == [*names, "held"]
    assert removed[-1] == "held"
    assert not [*tmp_path.iterdir()]


def test_half_a_file_goes_with_the_next_one_of_its_folder(tmp_path: Path) -> None:
    killed_while_writing(tmp_path / "half.svg")
    assert run("board", "31P", "-o", tmp_path / "board.svg").status == 0
    assert os.listdir(tmp_path) == ["board.svg"]


def test_what_may_be_another_s_stays(tmp_path: Path) -> None:
    young = tmp_path / new_name("young.txt")
    young.write_bytes(b"")
    locked = tmp_path / new_name("held.txt")
    names = (".vimrc.tmp", ".a.txt.12345678.tmp", "a.12345678.nactate.tmp", locked.name)
    for name in names:
        (tmp_path / name).write_bytes(b"")
        os.utime(tmp_path / name, (_LONG_AGO, _LONG_AGO))
    (tmp_path / new_name("link")).symlink_to("/etc/passwd")
    (tmp_path / new_name("folder")).mkdir()
    earlier = sorted(tmp_path.iterdir())
    with locked.open() as file:
        hold(file.fileno())
        sweep_files(str(tmp_path))
    assert sorted(tmp_path.iterdir()) == earlier


def test_folders_without_a_lock_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for name in ("nactation-of-old", "other"):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (_LONG_AGO, _LONG_AGO))
    (tmp_path / "other" / "held").write_bytes(b"")
    os.utime(tmp_path / "other" / "held", (_LONG_AGO, _LONG_AGO))
    with temporary_folder() as folder:
        assert Path(folder).parent == tmp_path
    assert {path.name for path in tmp_path.iterdir()} == {"nactation-of-old", "other"}
