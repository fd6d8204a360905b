"""The main commands without the Unix parts of Python, as on Windows, and on macOS.

The machine is still this one: differences of other systems are not tested here.
"""

from __future__ import annotations

import ast
import errno
import io
import subprocess
import sys
from pathlib import Path

import pytest

from gnubg_nactation.cli.main import main
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.system.atomic import write_atomically
from tests.gnubg.ingame import GNUBG, ROOT, needs_gnubg
from tests.test_house import MODULES, PACKAGE

# Remove names that Windows lacks, after importing modules that have a Windows branch.
_PRELUDE = """
import argparse, concurrent.futures.process, ctypes, glob, logging, multiprocessing.spawn, os
import shutil, signal, socket, sqlite3, subprocess, sys, tempfile, types, webbrowser, zipfile
shutil._use_fd_functions = False
shutil.sys = types.SimpleNamespace(**vars(sys))  # programs have the names that they have here
platform = sys.argv.pop(1)
if platform == "win32":
    for name in '''
        chown chroot confstr ctermid fchdir fchown fork forkpty getegid geteuid getgid getgrouplist
        getgroups getloadavg getpgid getpgrp getpriority getresgid getresuid getsid getuid
        initgroups killpg lchown lockf major makedev minor mkfifo mknod nice openpty pathconf pipe2
        posix_fadvise posix_fallocate posix_spawn posix_spawnp pread preadv pwrite pwritev readv
        sched_getaffinity sched_setaffinity sched_yield sendfile setegid seteuid setgid setgroups
        setpgid setpriority setregid setsid setuid statvfs sync sysconf tcgetpgrp tcsetpgrp ttyname
        uname wait wait3 wait4 waitid writev O_CLOEXEC O_DIRECTORY O_NDELAY O_NOCTTY O_NOFOLLOW
        O_NONBLOCK O_SYNC
    '''.split():
        if hasattr(os, name):
            delattr(os, name)
    for name in '''
        SIGALRM SIGBUS SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGTTIN
        SIGUSR1 SIGUSR2 SIGWINCH alarm pause pthread_kill pthread_sigmask setitimer siginterrupt
        sigpending sigtimedwait sigwait sigwaitinfo
    '''.split():
        delattr(signal, name)
    for name in "fcntl grp posix pty pwd readline resource syslog termios tty".split():
        sys.modules[name] = None
    subprocess.Popen.kill = lambda process: os.kill(process.pid, 9)
sys.platform = platform
from gnubg_nactation.__main__ import start
start()
"""
_MATCH = str(ROOT / "sample_matches" / "match-1pt.mat")
_SYSTEMS = pytest.mark.parametrize("platform", ["win32", "darwin"])


def run(platform: str, folder: Path, *words: str) -> str:
    """The output of a command; fails if there is any message."""
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", _PRELUDE, platform, *words],
        env={"PATH": "", "HOME": str(folder), "PYTHONPATH": str(ROOT), "NACTATION_GNUBG": GNUBG},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@_SYSTEMS
@pytest.mark.parametrize(
    "words",
    [
        ("annotate", _MATCH),
        ("annotate", "--to", "html", _MATCH),
        ("annotate", "--to", "sgf", "-o", "out/a/b.sgf", _MATCH),
        ("annotate", "--to", "json", "-o", "out", str(ROOT / "sample_matches" / "*.mat")),
        ("decode", "43Z-32H-54"),
        ("explain", "43Z-32H"),
        ("board", "54S-63R-31P", "-o", "board.svg"),
        ("read", str(ROOT / "docs" / "decode.md")),
        ("post", "43Z-32H"),
    ],
    ids=" ".join,
)
def test_what_needs_no_engine(platform: str, words: tuple[str, ...], tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    assert run(platform, there, *words) == run(sys.platform, here, *words)
    assert _tree(there) == _tree(here)


def _tree(folder: Path) -> dict[str, bytes]:
    """The files written, except the caches, whose folder depends on the system."""
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    caches = (".cache", "AppData", "Library")
    return {name: path.read_bytes() for name, path in files.items() if not name.startswith(caches)}


@needs_gnubg
@_SYSTEMS
@pytest.mark.parametrize(
    "words",
    [
        ("nacbrac", "--plies", "0", "54S-63R-31"),
        ("annotate", "--analyse", "--plies", "0", _MATCH),
        ("gnubg-setup", "--dry-run"),
    ],
    ids=" ".join,
)
def test_with_gnubg(platform: str, words: tuple[str, ...], tmp_path: Path) -> None:
    assert run(platform, tmp_path, *words) == run(sys.platform, tmp_path, *words)


def test_a_drive_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parent folders cannot be created."""

    def missing(path: str) -> None:
        raise FileNotFoundError(3, "The system cannot find the path specified", path)

    monkeypatch.setattr("os.mkdir", missing)
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "a" / "b" / "c", b"")


class _Closed(io.BytesIO):
    def flush(self) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")


def test_a_reader_that_has_gone_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """There it is an argument that is invalid, and no broken pipe."""
    stderr = io.BytesIO()
    streams = Streams(io.BytesIO(), _Closed(), stderr)
    assert main(["alphabet"], streams) == Status.FAILED
    assert stderr.getvalue() == b"nactate: standard output: Invalid argument\n"
    monkeypatch.setattr("sys.platform", "win32")
    assert main(["alphabet"], streams) == Status.OK


# Every module that asks for the system, or uses what one of them lacks: what Windows gets there,
# and what shows it. "Simulated" is a test here with Python's Unix parts removed; "read" means that
# nothing but the documentation of Python supports it.
PLACES = {
    "__main__.py": "Ctrl-C ends it, also where no handler is inherited: simulated",
    "cli/live.py": "the screen is drawn without escape codes: read",
    "cli/main.py": "SIGTERM exists but is never sent: simulated",
    "cli/streams.py": "bytes of UTF-8; EINVAL for a broken pipe: simulated; lines of spaces: read",
    "engines/process.py": "no window, a group of its own, TerminateProcess for killpg: simulated",
    "engines/registry.py": "in a web page no program can be started: tests of the playground",
    "engines/server.py": "the end of its input ends it; prctl is for Linux: simulated",
    "plugin/program.py": "the C library of gnubg is msvcrt: read",
    "plugin/window.py": "the DLLs of GTK: read; the folder of gnubg.exe: tests of copied folders",
    "system/atomic.py": "chmod sets read-only alone, replace is atomic: simulated",
    "system/resources.py": "LOCALAPPDATA, on macOS Library/Caches: simulated",
    "system/keys.py": "msvcrt for termios: read",
    "system/litter.py": "no locks, so nothing is swept: simulated",
    "tasks/gnubg_setup.py": "HOME, else the profile: simulated",
    "tasks/processes.py": "spawn everywhere, 61 processes at most, no signal masks: simulated",
}
_SYSTEMS_MODULES = {"ctypes", "fcntl", "msvcrt", "multiprocessing", "signal", "termios", "tty"}
_CALLS = {"chmod", "getuid", "killpg", "chown", "fork", "mkfifo", "statvfs", "symlink", "umask"}


def depends_on_the_system(path: Path) -> bool:
    for node in ast.walk(ast.parse(path.read_bytes())):
        match node:
            case ast.Attribute(value=ast.Name(id="sys"), attr="platform"):
                return True
            case ast.Attribute(value=ast.Name(id="os"), attr=name) if name in _CALLS | {"name"}:
                return True
            case ast.Import(names=names):
                if any(alias.name in _SYSTEMS_MODULES for alias in names):
                    return True
    return False


def test_what_depends_on_the_system_is_listed() -> None:
    places = {
        path.relative_to(PACKAGE).as_posix() for path in MODULES if depends_on_the_system(path)
    }
    assert places == {*PLACES}


def test_texts_have_an_encoding() -> None:
    """Without, it is the one of the console: cp1252 on many machines with Windows."""
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                words = {word.arg for word in node.keywords}
                if node.func.attr in {"run", "Popen"}:
                    assert not words & {"text", "universal_newlines"}, (path, node.lineno)
                positions = {"read_text": 1, "write_text": 2}.get(node.func.attr, 0)
                if len(node.args) < positions:
                    assert "encoding" in words, (path, node.lineno)
