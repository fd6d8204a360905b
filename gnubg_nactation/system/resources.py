"""Files of this package, the user's cache, and paths in messages and links."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path, PurePath, PurePosixPath

from gnubg_nactation.values import Any

_TOP = os.path.dirname(os.path.dirname(__file__))


def package_file(path: str) -> bytes:
    """Return the content of a file of this package; raises OSError if it is missing."""
    # Like pkgutil.get_data; that module and importlib.resources are slow to import.
    loader: Any = __spec__ and __spec__.loader
    data: bytes = loader.get_data(os.path.join(_TOP, *path.split("/")))
    return data


def package_text(path: str) -> str:
    """Return the text of a file of this package; raises OSError if it is missing."""
    return package_file(path).decode()


def near(path: str) -> str:
    """Return an absolute path relative to the current folder if it is below it.

    It begins with no hyphen, or a command that gets it would see an option.
    """
    head = os.path.join(os.getcwd(), "")
    if not path.startswith(head):
        return path
    inner = path[len(head) :]
    return os.path.join(os.curdir, inner) if inner.startswith("-") else inner


def relative_link(path: str, folder: str) -> str:
    """Return the address of a file in a page in this folder, percent-encoded."""
    relative = PurePath(os.path.relpath(path, folder)).as_posix()
    return PurePosixPath("/", relative).as_uri().removeprefix("file:///")


def cache_folder() -> Path:
    """Return the program's folder in the user's cache; it may not exist yet.

    Without a home it cannot be made, as in a container whose user is only a number.
    """
    with suppress(RuntimeError):
        return Path(_caches(), "gnubg-nactation")
    return Path(os.devnull, "gnubg-nactation")


def _caches() -> str | Path:
    """Return the user's folder for caches. Raises RuntimeError without a home."""
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"


def command_line(*words: str) -> str:
    """A call of the program as it is typed, with quotes where the shell needs them."""
    if sys.platform == "win32":
        from subprocess import list2cmdline  # noqa: PLC0415 (few runs print a command)

        return list2cmdline(["nactate", *words])
    from shlex import join  # noqa: PLC0415 (as above)

    return join(["nactate", *words])
