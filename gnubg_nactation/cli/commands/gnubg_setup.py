"""`nactate gnubg-setup`: make `>import nactation_plugin` work in GNU Backgammon.

That is a small module in the user's own folder of packages for the Python inside gnubg, and files
of commands that gnubg's window opens. The module leads to the package where that is installed,
and puts no other package of that place in reach. The first line of each file proves that the rest
is as it was written here, so that nothing that somebody else wrote or changed is ever replaced or
taken away.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import gnubg_nactation
from gnubg_nactation import NactationError
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.engines.process import find_gnubg
from gnubg_nactation.plugin.folder import PAGE, QUIZ, TEXT, our_folder
from gnubg_nactation.plugin.menu import ENTRIES
from gnubg_nactation.showing import read_json
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.values import NamedTuple

DESCRIPTION = (
    "Put a small module into your own folder of Python packages, where GNU "
    "Backgammon finds it: `>import nactation_plugin` then works in it. Files of commands for "
    "its window, to be opened with File > Open Commands, go into the folder Nactation of "
    "your home."
)
EXAMPLES = """\
  nactate gnubg-setup              then, in gnubg: >import nactation_plugin
  nactate gnubg-setup --at-start   the menu Nactation is there whenever gnubg starts
  nactate gnubg-setup --dry-run
  nactate gnubg-setup --status
  nactate gnubg-setup --undo
"""
_OLDEST = (3, 10)
_MODULE, _AT_START = "nactation_plugin.py", "nactation_at_start.py"
_START_FILE = Path(".gnubg", "gnubgrc")  # in the home, on every system
_START_LINE = (
    b'>import importlib.util as u; u.find_spec("nactation_at_start") and '
    b'__import__("nactation_at_start")  # written by nactate gnubg-setup\n'
)
_HEAD_LINE = "# Written by nactate gnubg-setup; folders made: {}; checksum: {}"
_HEAD = re.compile(_HEAD_LINE.format("([0-9]{1,3})", "([0-9a-f]{64})") + "\n")
_FIND = '''\
"""Nactation in GNU Backgammon: type `>import nactation_plugin` at its prompt."""

import importlib.util
import os
import sys

if "gnubg_nactation" not in sys.modules:
    _package = os.fsdecode({package!r})
    _spec = importlib.util.spec_from_file_location(
        "gnubg_nactation", _package + "/__init__.py", submodule_search_locations=[_package]
    )
    _module = importlib.util.module_from_spec(_spec)
    sys.modules["gnubg_nactation"] = _module
    try:
        _spec.loader.exec_module(_module)
    except BaseException as error:
        del sys.modules["gnubg_nactation"]
        if isinstance(error, FileNotFoundError):
            raise ImportError(
                "Nactation is no longer in " + _package + "; run `nactate gnubg-setup` again"
            ) from None
        raise

'''
_MODULES = {
    _MODULE: """\
from gnubg_nactation.plugin import *
from gnubg_nactation.plugin import greet_at_each_import

greet_at_each_import(__name__)
""",
    _AT_START: """\
from gnubg_nactation.plugin import add_menu

add_menu()
""",
}
_COMMAND_FILES = {
    f"Nactation - {entry.file or entry.label[0].lower() + entry.label[1:]}": entry.call
    for entry in ENTRIES
}
# What gnubg is asked, in its Python; the answer goes to a file, as gnubg itself prints too.
# Its builds for Windows may have no folder of the user's, but one beside the program.
_QUESTION = """\
import json, os, site, sys
try:
    import nactation_plugin
    found = os.path.abspath(nactation_plugin.__file__)
except Exception as error:
    found = ""
scripts = [os.path.abspath(place) for place in sys.path if not os.path.isabs(place)]
answer = {
    "version": list(sys.version_info[:2]),
    "folder": site.getusersitepackages(),
    "enabled": bool(site.ENABLE_USER_SITE),
    "found": found,
    "scripts": [place for place in scripts if os.path.isdir(place) and os.access(place, os.W_OK)],
}
with open(os.environ["NACTATE_ANSWER"], "w") as file:
    json.dump(answer, file)
"""


class _Ours(NamedTuple):
    """A file of ours as it stands, and how many folders were made for it."""

    text: str
    folders: int


class _Gnubg(NamedTuple):
    """A GNU Backgammon, and what its Python says of itself: whether it `looks` into a folder."""

    program: str
    version: tuple[int, int]
    folder: Path
    looks: bool
    found: str

    def __str__(self) -> str:
        return f"{self.program} has Python {self.version[0]}.{self.version[1]}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--undo", action="store_true", help="take away what was put there")
    what.add_argument("--status", action="store_true", help="tell what is there, change nothing")
    what.add_argument(
        "--at-start",
        action="store_true",
        help="load the plugin whenever gnubg starts, for the menu Nactation in its window",
    )
    parser.add_argument("--dry-run", action="store_true", help="tell what would be done")
    parser.add_argument("--gnubg", metavar="PROGRAM", help="the gnubg to set up")


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    act = _status if options.status else _undo if options.undo else _set_up
    for line in act(options):
        streams.print(f"{line}\n")
    return Status.OK


def _set_up(options: argparse.Namespace) -> Iterator[str]:
    gnubg = _ask(options.gnubg)
    yield str(gnubg)
    if gnubg.version < _OLDEST:
        raise NactationError(f"the Python in gnubg must be {_OLDEST[0]}.{_OLDEST[1]} or newer")
    if not gnubg.looks:
        raise NactationError(f"the Python in gnubg does not look into {gnubg.folder}")
    module = gnubg.folder / _MODULE
    modules = [module] + [gnubg.folder / _AT_START] * options.at_start
    files = (*modules, *_command_files())
    for file in files:
        if _read_ours(file) is None and os.path.lexists(file):
            raise NactationError(
                f"{file} was written or changed by somebody else; move it away first"
            )
        for folder in file.parents:
            if folder.exists() and not folder.is_dir():
                raise NactationError(f"{folder} is no folder; move it away first")
    for file in files:
        yield _put(file, dry=options.dry_run)
    if options.at_start:
        yield from _start(wanted=True, dry=options.dry_run)
    if options.dry_run:
        return
    found = _ask(options.gnubg).found
    if not found:
        raise NactationError(f"{gnubg.program} does not find it")
    if Path(found) != module:
        yield f"{gnubg.program} finds {found} first, which is as good if it is yours"
    yield "in GNU Backgammon type: >import nactation_plugin"
    yield f"or by mouse: File > Open Commands, and a file of {our_folder()}"
    if options.at_start:
        yield "or see the menu Nactation when it has started again"


def _put(file: Path, *, dry: bool) -> str:
    """Write a file of ours, and say so."""
    old = _read_ours(file)
    missing = sum(not folder.exists() for folder in file.parents)
    text = _text(file, missing if old is None else old.folders)
    if old is not None and old.text == text:
        return f"{file} is there already"
    if dry:
        return f"{file} would be written"
    write_atomically(file, text.encode())
    return f"{file} written"


def _undo(options: argparse.Namespace) -> Iterator[str]:
    dry = options.dry_run
    done = False
    folders: list[Path] = []
    for file in _files(options.gnubg):
        ours = _read_ours(file)
        if ours is None:
            yield f"{file} stays: it was written or changed by somebody else"
            continue
        yield f"{file} {'would be removed' if dry else 'removed'}"
        done = True
        if not dry:
            file.unlink()
            cache = file.parent / "__pycache__"
            for compiled in cache.glob(f"{file.stem}.*.pyc"):
                compiled.unlink()
            folders += (cache, *list(file.parents)[: ours.folders])
    for line in _start(wanted=False, dry=dry):
        yield line
        done = True
    if folders:
        for name in (PAGE, QUIZ, TEXT):  # which we write anew each time
            with contextlib.suppress(OSError):
                (our_folder() / name).unlink()
    for folder in sorted({*folders}, reverse=True):  # what is inside comes first
        with contextlib.suppress(OSError):  # it holds something else, or is not there
            folder.rmdir()
    if not done:
        yield "nothing to undo"


def _status(options: argparse.Namespace) -> Iterator[str]:
    try:
        gnubg = _ask(options.gnubg)
    except NactationError as error:
        yield str(error)
    else:
        yield str(gnubg)
        if gnubg.found:
            yield f"it finds {gnubg.found}"
        else:
            yield "it does not find the plugin; `nactate gnubg-setup` puts it there"
    for file in _files(options.gnubg):
        ours = _read_ours(file)
        if ours is None:
            yield f"{file} was written or changed by somebody else"
        elif ours.text != _text(file, ours.folders):
            yield f"{file} is of another installation; `nactate gnubg-setup` renews it"
        else:
            yield f"{file} is as `nactate gnubg-setup` wrote it"
    if _START_LINE in _read_start():
        yield f"{_home() / _START_FILE} loads it when gnubg starts"


def _home() -> Path:
    """The home as gnubg has it: GLib for Windows takes HOME, where that is set, for it."""
    named = os.environ.get("HOME", "")
    return Path(named) if sys.platform == "win32" and os.path.isdir(named) else Path.home()


def _start(*, wanted: bool, dry: bool) -> Iterator[str]:
    """Put our line into gnubg's start-up file, or take it away; every other byte stays."""
    file, data = _home() / _START_FILE, _read_start()
    if (_START_LINE in data) == wanted:
        return
    if wanted:
        verb = "would load it when gnubg starts" if dry else "loads it when gnubg starts"
        data += b"\n" * bool(data and not data.endswith(b"\n")) + _START_LINE
    else:
        verb = "would no longer load it" if dry else "no longer loads it"
        data = data.replace(_START_LINE, b"")
    if not dry:
        if data:
            write_atomically(file, data)
        else:
            file.unlink()
            with contextlib.suppress(OSError):
                file.parent.rmdir()
    yield f"{file} {verb}"


def _read_start() -> bytes:
    try:
        return (_home() / _START_FILE).read_bytes()
    except FileNotFoundError:
        return b""


def _command_files() -> list[Path]:
    return [our_folder() / name for name in _COMMAND_FILES]


def _files(program: str | None) -> list[Path]:
    """The files that may be ours: for the gnubg there is, and for others that there were."""
    files = {*_command_files()}
    with contextlib.suppress(NactationError):
        folder = _ask(program).folder
        files.update(folder / name for name in _MODULES)
    # Not site.getuserbase(): that is the home of when this process began.
    base = Path(os.environ.get("PYTHONUSERBASE") or Path.home() / ".local")
    bases = {
        base: ("lib/python3*/site-packages", "Python3*/site-packages"),
        Path(os.environ.get("APPDATA") or base, "Python"): ("Python3*/site-packages",),
        Path.home() / "Library" / "Python": ("3.*/lib/python/site-packages",),  # of macOS
    }
    for place, patterns in bases.items():
        for pattern in patterns:
            for name in _MODULES:
                files.update(place.glob(f"{pattern}/{name}"))
    return sorted(file for file in files if os.path.lexists(file))


def _text(file: Path, folders: int) -> str:
    """A file of ours, its first line with the number of folders made for it and its checksum."""
    if file.name in _MODULES:
        package = Path(gnubg_nactation.__file__).resolve().parent
        body = _FIND.format(package=os.fsencode(package)) + _MODULES[file.name]
    else:
        body = f">import nactation_plugin; nactation_plugin.{_COMMAND_FILES[file.name]}\n"
    return f"{_HEAD_LINE.format(folders, _checksum(folders, body))}\n{body}"


def _checksum(folders: int, body: str) -> str:
    return hashlib.sha256(f"{folders}\n{body}".encode()).hexdigest()


def _read_ours(file: Path) -> _Ours | None:
    """The file if it stands as it was written here, whenever that was."""
    try:
        text = file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    head = _HEAD.match(text)
    if head is None or head[2] != _checksum(int(head[1]), text[head.end() :]):
        return None
    return _Ours(text, int(head[1]))


def _path_outside() -> str:
    """PATH without virtual environments, as gnubg has it when it is started from the desktop.

    A newer Python in gnubg is that of the first python3 there, which may know no user's folder.
    """
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    outside = [place for place in places if not Path(place, os.pardir, "pyvenv.cfg").exists()]
    return os.pathsep.join(outside)


def _ask(program: str | None) -> _Gnubg:
    """Find gnubg and ask it where its Python looks."""
    found = find_gnubg(program)
    with temporary_folder() as folder:
        question, answer = Path(folder, "question.py"), Path(folder, "answer.json")
        question.write_text(_QUESTION, encoding="utf-8")
        environment = os.environ | {
            "PATH": _path_outside(),
            "NACTATE_ANSWER": str(answer),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        try:
            subprocess.run(
                # Two words, `-p FILE`, open a Python shell on Windows. With -s it keeps its
                # settings in that folder and not in the home.
                [os.path.abspath(found), "-t", "-q", "-r", "-s", folder, f"--python={question}"],
                cwd=folder,  # scripts in the current folder are none of its business
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=60,
                check=False,
            )
            told = read_json(answer.read_bytes())
            major, minor = told["version"]
            looked = [told["folder"]] * told["enabled"] + told["scripts"]
            place = Path([*looked, told["folder"]][0])
            return _Gnubg(found, (major, minor), place, bool(looked), told["found"])
        except (OSError, ValueError, TypeError, LookupError, subprocess.TimeoutExpired):
            raise NactationError(f"{found} does not run Python scripts") from None
