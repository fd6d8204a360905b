"""Removes temporary files of killed processes; a lock shows that a file is still in use.

A lock ends with its process, however that ends. Windows has no such locks, so nothing is removed
there.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from time import time

LOCK_FILE = "held"  # in a folder in use
_ENDING = ".nactate.tmp"
_GRACE = 60.0  # seconds in which a new file may not be locked yet


def new_name(name: str) -> str:
    """Return a temporary name for a file, which a sweep recognises."""
    # Importing tempfile would take longer than annotating a game.
    return f".{name[:40]}.{os.urandom(4).hex()}{_ENDING}"


def hold(descriptor: int) -> None:
    """Lock an open file until it is closed."""
    if sys.platform != "win32":
        import fcntl  # noqa: PLC0415 (not there on every system)

        with suppress(OSError):  # the file system may have no locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)


def sweep_files(folder: str) -> None:
    """Remove the temporary files of killed processes from a folder."""
    with suppress(OSError):
        for name in os.listdir(folder or "."):
            if name.startswith(".") and name.endswith(_ENDING):
                path = os.path.join(folder, name)
                with suppress(OSError):
                    if _is_dead(path):
                        os.unlink(path)


def sweep_folders(parent: str, prefix: str) -> None:
    """Remove this user's folders of killed processes: with the prefix and a LOCK_FILE."""
    with suppress(OSError):
        for name in os.listdir(parent):
            path = os.path.join(parent, name)
            if name.startswith(prefix) and _is_dead(os.path.join(path, LOCK_FILE)):
                remove_folder(path)


def remove_folder(path: str) -> None:
    """Remove a folder, its LOCK_FILE last: a process killed earlier leaves it to the next sweep."""
    import shutil  # noqa: PLC0415 (slow to import)

    with suppress(OSError), os.scandir(path) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            elif entry.name != LOCK_FILE:
                os.unlink(entry.path)
    shutil.rmtree(path, ignore_errors=True)


def _is_dead(path: str) -> bool:
    """Whether a file of this user is no longer locked by any process."""
    if sys.platform == "win32":
        return False
    import fcntl  # noqa: PLC0415 (as above)

    with (
        suppress(OSError),
        open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)) as file,
    ):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        status = os.fstat(file.fileno())
        return status.st_uid == os.getuid() and time() - status.st_mtime > _GRACE
    return False
