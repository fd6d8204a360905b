"""Adding Nactation to GNU Backgammon, and removing it.

It writes a small module into the user's folder of packages for the Python inside gnubg, and files
of commands that gnubg's window opens. The module imports this package, and no other from its
folder. The first line of each file has a checksum of the rest, so that a file that somebody else
wrote or changed is never replaced or removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import gnubg_nactation
from gnubg_nactation.engines.process import find_gnubg
from gnubg_nactation.errors import NactationError
from gnubg_nactation.showing import read_json
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.tasks.gnubg_menu import ENTRIES, PAGE, PLACE, TEXT, our_folder
from gnubg_nactation.tasks.settings import Settings, setting
from gnubg_nactation.values import NamedTuple

_OLDEST = (3, 10)
_MODULE, _AT_START = "nactation_plugin.py", "nactation_at_start.py"
_START_FILE = Path(".gnubg", "gnubgrc")  # in the home, on every system
_START_LINE = (
    b'>import importlib.util as u; u.find_spec("nactation_at_start") and '
    b'__import__("nactation_at_start")  # written by nactate gnubg-setup\n'
)
# An editor may have changed the end of the line.
_START = re.compile(rb"^" + re.escape(_START_LINE[:-1]) + rb"\r?(?:\n|\Z)", re.MULTILINE)
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
_FIND_IN_ARCHIVE = '''\
"""Nactation in GNU Backgammon: type `>import nactation_plugin` at its prompt."""

import os
import sys

_archive = os.fsdecode({archive!r})
if _archive not in sys.path:
    sys.path.insert(0, _archive)

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
# A script for gnubg's Python, which answers in a file, because gnubg prints text of its own.
# Builds for Windows may have no folder of the user's, but one next to the program.
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


class _OwnFile(NamedTuple):
    """The text of a file that this command wrote, and how many folders were made for it."""

    text: str
    folders: int


class _Gnubg(NamedTuple):
    """A GNU Backgammon with its Python's version and folder of packages.

    `searches` is whether it looks into that folder, `plugin` the plugin that it imports, if any.
    """

    program: str
    version: tuple[int, int]
    folder: Path
    searches: bool
    plugin: str

    def __str__(self) -> str:
        return f"{self.program} has Python {self.version[0]}.{self.version[1]}"


class SetupSettings(Settings):
    """What to do with the files in gnubg's folders, and with which gnubg."""

    at_start: bool = setting(
        False, "load the Nactation menu whenever gnubg starts", only_one="action"
    )
    dry_run: bool = setting(False, "show changes without making them")
    gnubg: str | None = setting(None, "set up this gnubg (default: the one installed)", "PROGRAM")


def set_up(settings: SetupSettings) -> Iterator[str]:
    """Write the files, and yield what is done. Raises NactationError."""
    if getattr(sys, "frozen", False):
        raise NactationError(
            "GNU Backgammon cannot load this executable: put the file nactation_plugin.py into its "
            "folder `scripts`"
        )
    gnubg = _ask(settings.gnubg)
    yield str(gnubg)
    if gnubg.version < _OLDEST:
        raise NactationError(f"the Python in gnubg must be {_OLDEST[0]}.{_OLDEST[1]} or newer")
    if not gnubg.searches:
        raise NactationError(f"the Python in gnubg does not search {gnubg.folder}")
    module = gnubg.folder / _MODULE
    modules = [module] + [gnubg.folder / _AT_START] * settings.at_start
    files = (*modules, *_command_files())
    _check(files)
    if settings.at_start:
        _read_start_file()  # an error before anything is written
    for file in files:
        yield _put(file, dry=settings.dry_run)
    if settings.at_start:
        yield from _change_start_file(loads=True, dry=settings.dry_run)
    if settings.dry_run:
        return
    plugin = _ask(settings.gnubg).plugin
    if not plugin:
        raise NactationError(f"{gnubg.program} does not find the plugin in {gnubg.folder}")
    if Path(plugin) != module:
        yield f"{gnubg.program} finds {plugin} first; remove it if it is not yours"
    yield "in GNU Backgammon type: >import nactation_plugin"
    yield f"or open a file of {our_folder()} with File > Open Commands"
    if settings.at_start:
        yield "or restart it and use the menu Nactation"


def _check(files: tuple[Path, ...]) -> None:
    """Raise NactationError if one of the files cannot be ours."""
    for file in files:
        if _read_own(file) is None and os.path.lexists(file):
            raise NactationError(
                f"{file} was written or changed by somebody else; move it away first"
            )
        for folder in file.parents:
            if folder.exists() and not folder.is_dir():
                raise NactationError(f"{folder} is not a folder; move it away first")


def _put(file: Path, *, dry: bool) -> str:
    """Write a file, unless it is up to date; return what was done."""
    old = _read_own(file)
    missing = sum(not folder.exists() for folder in file.parents)
    text = _text(file, missing if old is None else old.folders)
    if old is not None and old.text == text:
        return f"{file} is up to date"
    if dry:
        return f"{file} would be written"
    write_atomically(file, text.encode())
    return f"{file} written"


def remove(settings: SetupSettings) -> Iterator[str]:
    """Remove the files, and yield what is done. Raises NactationError."""
    dry = settings.dry_run
    done = False
    folders: list[Path] = []
    for file in _files(settings.gnubg):
        own = _read_own(file)
        if own is None:
            yield f"{file} kept: it was written or changed by somebody else"
            continue
        yield f"{file} {'would be removed' if dry else 'removed'}"
        done = True
        if not dry:
            file.unlink()
            cache = file.parent / "__pycache__"
            for compiled in cache.glob(f"{file.stem}.*.pyc"):
                compiled.unlink()
            folders += (cache, *list(file.parents)[: own.folders])
    if folders:
        for name in (PAGE, PLACE, TEXT):  # results of the plugin
            with contextlib.suppress(OSError):
                (our_folder() / name).unlink()
    for folder in sorted({*folders}, reverse=True):  # inner folders first
        with contextlib.suppress(OSError):  # it is not empty, or missing
            folder.rmdir()
    for line in _change_start_file(loads=False, dry=dry):  # last: it may be unreadable
        yield line
        done = True
    if not done:
        yield "nothing to undo"


def describe(settings: SetupSettings) -> Iterator[str]:
    """Yield what is installed."""
    try:
        gnubg = _ask(settings.gnubg)
    except NactationError as error:
        yield str(error)
    else:
        yield str(gnubg)
        if gnubg.plugin:
            yield f"it finds {gnubg.plugin}"
        else:
            yield "it does not find the plugin; install it with `nactate gnubg-setup`"
    for file in _files(settings.gnubg):
        own = _read_own(file)
        if own is None:
            yield f"{file} was written or changed by somebody else"
        elif own.text != _text(file, own.folders):
            yield f"{file} is of another installation; `nactate gnubg-setup` updates it"
        else:
            yield f"{file} is up to date"
    if _START.search(_read_start_file()):
        yield f"{_home() / _START_FILE} loads the plugin when gnubg starts"


def _home() -> Path:
    """Return the home that gnubg uses: GLib for Windows prefers the variable HOME."""
    home = os.environ.get("HOME", "")
    return Path(home) if sys.platform == "win32" and os.path.isdir(home) else Path.home()


def _change_start_file(*, loads: bool, dry: bool) -> Iterator[str]:
    """Add our line to gnubg's start-up file, or remove it; every other byte stays."""
    file, data = _home() / _START_FILE, _read_start_file()
    if bool(_START.search(data)) == loads:
        return
    if loads:
        verb = "would load" if dry else "loads"
        data += b"\n" * bool(data and not data.endswith(b"\n")) + _START_LINE
    else:
        verb = "would no longer load" if dry else "no longer loads"
        data = _START.sub(b"", data)
    if not dry:
        if data or file.is_symlink():
            write_atomically(file, data)
        else:
            file.unlink()
            with contextlib.suppress(OSError):
                file.parent.rmdir()
    yield f"{file} {verb} the plugin when gnubg starts"


def _read_start_file() -> bytes:
    try:
        return (_home() / _START_FILE).read_bytes()
    except FileNotFoundError:
        return b""


def _command_files() -> list[Path]:
    return [our_folder() / name for name in _COMMAND_FILES]


def _files(program: str | None) -> list[Path]:
    """Return the files that may be ours, for this gnubg and for earlier ones."""
    files = {*_command_files()}
    with contextlib.suppress(NactationError):
        folder = _ask(program).folder
        files.update(folder / name for name in _MODULES)
    # site.getuserbase() would return the home that this process started with.
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
    """Return a file's text; the first line has the number of new folders and the checksum."""
    if file.name in _MODULES:
        package = Path(gnubg_nactation.__file__).resolve().parent
        body = _FIND.format(package=os.fsencode(package))
        if package.parent.is_file():
            body = _FIND_IN_ARCHIVE.format(archive=os.fsencode(package.parent))
        body += _MODULES[file.name]
    else:
        body = f">import nactation_plugin; nactation_plugin.{_COMMAND_FILES[file.name]}\n"
    return f"{_HEAD_LINE.format(folders, _checksum(folders, body))}\n{body}"


def _checksum(folders: int, body: str) -> str:
    return hashlib.sha256(f"{folders}\n{body}".encode()).hexdigest()


def _read_own(file: Path) -> _OwnFile | None:
    """Read a file that this command, of any version, wrote; None if its checksum is wrong."""
    try:
        text = file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    head = _HEAD.match(text)
    if head is None or head[2] != _checksum(int(head[1]), text[head.end() :]):
        return None
    return _OwnFile(text, int(head[1]))


def _path_outside() -> str:
    """Return PATH without virtual environments, as gnubg has it when started from the desktop.

    Newer Pythons in gnubg follow the first python3 there, which may ignore the user's folder.
    """
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    outside = (p for p in places if not os.path.exists(os.path.join(p, os.pardir, "pyvenv.cfg")))
    return os.pathsep.join(outside)


def _ask(program: str | None) -> _Gnubg:
    """Find gnubg, and ask its Python where it searches for packages."""
    path = find_gnubg(program)
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
                # On Windows `-p FILE`, in two words, opens a Python shell. With -s, settings
                # are kept in that folder instead of the home.
                [os.path.abspath(path), "-t", "-q", "-r", "-s", folder, f"--python={question}"],
                cwd=folder,  # or gnubg would search the current folder
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=60,
                check=False,
            )
            fields = read_json(answer.read_bytes())
            major, minor = fields["version"]
            searched = [fields["folder"]] * fields["enabled"] + fields["scripts"]
            place = Path([*searched, fields["folder"]][0])
            return _Gnubg(path, (major, minor), place, bool(searched), fields["found"])
        except (OSError, ValueError, TypeError, LookupError, subprocess.TimeoutExpired):
            raise NactationError(f"{path} does not run Python scripts") from None
