"""`nactate gnubg-setup`: put the plugin where the user's GNU Backgammon finds it.

That is one small module in the user's own folder of packages for the Python inside gnubg. It
leads to the package where that is installed, and puts no other package of that place in reach.
The first line of the file proves that the rest is as it was written here, so that nothing that
somebody else wrote or changed is ever replaced or taken away.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import gnubg_nactation
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import NactationError
from gnubg_nactation.files.atomic import write_atomically

if TYPE_CHECKING:
    from argparse import _SubParsersAction

__all__ = ["add_parser"]

_EXAMPLES = """\
examples:
  nactate gnubg-setup            then, in gnubg: >import nactation_plugin
  nactate gnubg-setup --dry-run
  nactate gnubg-setup --status
  nactate gnubg-setup --undo
"""
_PLACES = ("/usr/games/gnubg", "/usr/local/bin/gnubg", "/usr/bin/gnubg")
_OLDEST = (3, 10)
_MODULE = "nactation_plugin.py"
_HEAD_LINE = "# Written by nactate gnubg-setup; folders made: {}; checksum: {}"
_HEAD = re.compile(_HEAD_LINE.format("([0-9]{1,3})", "([0-9a-f]{64})") + "\n")
_BODY = '''\
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

from gnubg_nactation.plugin import (
    annotate,
    best,
    decode,
    export_sgf,
    export_text,
    greet,
    nacbrac,
    name,
    show,
)

greet()
'''
# What gnubg is asked, in its Python; the answer goes to a file, as gnubg itself prints too.
_QUESTION = """\
import json, os, site, sys
try:
    import nactation_plugin
    found = os.path.abspath(nactation_plugin.__file__)
except Exception as error:
    found = ""
answer = {
    "version": list(sys.version_info[:2]),
    "folder": site.getusersitepackages(),
    "enabled": bool(site.ENABLE_USER_SITE),
    "found": found,
}
with open(os.environ["NACTATE_ANSWER"], "w") as file:
    json.dump(answer, file)
"""


class _Ours(NamedTuple):
    """A module of ours as it stands, and how many folders were made for it."""

    text: str
    folders: int


class _Gnubg(NamedTuple):
    """A GNU Backgammon, and what its Python says of itself."""

    program: str
    version: tuple[int, int]
    folder: Path
    enabled: bool
    found: str


def add_parser(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "gnubg-setup",
        help="make `>import nactation_plugin` work in GNU Backgammon",
        description="Put a small module into your own folder of Python packages, where GNU "
        "Backgammon finds it: `>import nactation_plugin` then works in it.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--undo", action="store_true", help="take away what was put there")
    what.add_argument("--status", action="store_true", help="tell what is there, change nothing")
    parser.add_argument("--dry-run", action="store_true", help="tell what would be done")
    parser.add_argument("--gnubg", metavar="PROGRAM", help="the gnubg to set up")
    parser.set_defaults(command=_run, parser=parser)


def _run(options: argparse.Namespace, streams: Streams) -> int:
    if options.status:
        lines = _status(options.gnubg)
    elif options.undo:
        lines = _undo(options.gnubg, dry=options.dry_run)
    else:
        lines = _set_up(options.gnubg, dry=options.dry_run)
    for line in lines:
        streams.print(f"{line}\n")
    return Status.OK


def _set_up(program: str | None, *, dry: bool) -> Iterator[str]:
    gnubg = _ask(program)
    yield f"{gnubg.program} has Python {gnubg.version[0]}.{gnubg.version[1]}"
    if gnubg.version < _OLDEST:
        raise NactationError(f"the Python in gnubg must be {_OLDEST[0]}.{_OLDEST[1]} or newer")
    if not gnubg.enabled:
        raise NactationError(f"the Python in gnubg does not look into {gnubg.folder}")
    file = gnubg.folder / _MODULE
    old = _read_ours(file)
    if old is None and os.path.lexists(file):
        raise NactationError(f"{file} was written or changed by somebody else; move it away first")
    folders = _count_missing(gnubg.folder) if old is None else old.folders
    text = _text(folders)
    if old is not None and old.text == text:
        yield f"{file} is there already"
    elif dry:
        yield f"{file} would be written"
    else:
        write_atomically(file, text.encode())
        yield f"{file} written"
    if dry:
        return
    found = _ask(program).found
    if not found:
        raise NactationError(f"{gnubg.program} does not find it")
    if Path(found) != file:
        yield f"{gnubg.program} finds {found} first, which is as good if it is yours"
    yield "in GNU Backgammon type: >import nactation_plugin"


def _undo(program: str | None, *, dry: bool) -> Iterator[str]:
    done = False
    for file in _files(program):
        ours = _read_ours(file)
        if ours is None:
            yield f"{file} stays: it was written or changed by somebody else"
            continue
        yield f"{file} {'would be removed' if dry else 'removed'}"
        done = True
        if not dry:
            _remove(file, ours.folders)
    if not done:
        yield "nothing to undo"


def _status(program: str | None) -> Iterator[str]:
    try:
        gnubg = _ask(program)
    except NactationError as error:
        yield str(error)
    else:
        yield f"{gnubg.program} has Python {gnubg.version[0]}.{gnubg.version[1]}"
        if gnubg.found:
            yield f"it finds {gnubg.found}"
        else:
            yield "it does not find the plugin; `nactate gnubg-setup` puts it there"
    for file in _files(program):
        ours = _read_ours(file)
        if ours is None:
            yield f"{file} was written or changed by somebody else"
        elif ours.text != _text(ours.folders):
            yield f"{file} is of another installation; `nactate gnubg-setup` renews it"
        else:
            yield f"{file} is as `nactate gnubg-setup` wrote it"


def _files(program: str | None) -> list[Path]:
    """The modules that may be ours: for the gnubg there is, and for others that there were."""
    files = set()
    with contextlib.suppress(NactationError):
        files.add(_ask(program).folder / _MODULE)
    # Not site.getuserbase(): that is the home of when this process began.
    base = Path(os.environ.get("PYTHONUSERBASE") or Path.home() / ".local")
    for pattern in ("lib/python3*/site-packages", "Python3*/site-packages"):
        files.update(base.glob(f"{pattern}/{_MODULE}"))
    return sorted(file for file in files if os.path.lexists(file))


def _text(folders: int) -> str:
    """The module, its first line with the number of folders made for it and its checksum."""
    package = Path(gnubg_nactation.__file__).resolve().parent
    body = _BODY.format(package=os.fsencode(package))
    return f"{_HEAD_LINE.format(folders, _checksum(folders, body))}\n{body}"


def _checksum(folders: int, body: str) -> str:
    return hashlib.sha256(f"{folders}\n{body}".encode()).hexdigest()


def _read_ours(file: Path) -> _Ours | None:
    """The module if it stands as it was written here, whenever that was."""
    try:
        text = file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    head = _HEAD.match(text)
    if head is None or head[2] != _checksum(int(head[1]), text[head.end() :]):
        return None
    return _Ours(text, int(head[1]))


def _count_missing(folder: Path) -> int:
    return sum(not place.exists() for place in (folder, *folder.parents))


def _remove(file: Path, folders: int) -> None:
    """Remove the module and what Python kept of it, then the folders made for it if empty."""
    file.unlink()
    cache = file.parent / "__pycache__"
    for compiled in cache.glob(f"{file.stem}.*.pyc"):
        compiled.unlink()
    for folder in (cache, *list(file.parents)[:folders]):
        with contextlib.suppress(OSError):  # it holds something else, or is not there
            folder.rmdir()


def _ask(program: str | None) -> _Gnubg:
    """Find gnubg and ask it where its Python looks."""
    found = shutil.which(program or "gnubg")
    found = found or next(
        (place for place in _PLACES if not program and Path(place).exists()), None
    )
    if found is None:
        where = f"no program {program!r}" if program else "GNU Backgammon was not found"
        raise NactationError(
            f"{where}; install it (on Debian: apt install gnubg) or name it with --gnubg PROGRAM"
        )
    with tempfile.TemporaryDirectory() as folder:
        question, answer = Path(folder, "question.py"), Path(folder, "answer.json")
        question.write_text(_QUESTION, encoding="utf-8")
        environment = os.environ | {
            "NACTATE_ANSWER": str(answer),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        try:
            subprocess.run(
                [os.path.abspath(found), "-t", "-q", "-r", "-p", str(question)],
                cwd=folder,  # scripts in the current folder are none of its business
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=60,
                check=False,
            )
            told = json.loads(answer.read_text(encoding="utf-8"))
        except (OSError, ValueError, subprocess.TimeoutExpired):
            raise NactationError(f"{found} does not run Python scripts") from None
    major, minor = told["version"]
    return _Gnubg(found, (major, minor), Path(told["folder"]), told["enabled"], told["found"])
