"""What a killed process leaves behind, told by locks from what is still in use.

A lock ends with the process that holds it, however that ends. Where a system has none, as
Windows, nothing is ever swept.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from time import time

HELD = "held"  # the file by which a folder is held
_ENDING = ".nactate.tmp"  # behind a name that begins with a dot
_YOUNG = 60.0  # seconds in which a new file may not be locked yet


def new_name(name: str) -> str:
    """A name for what is to become the file of that name, which a sweep knows again."""
    # Importing tempfile would take longer than annotating a game.
    return f".{name[:40]}.{os.urandom(4).hex()}{_ENDING}"


def hold(descriptor: int) -> None:
    """Lock an open file until it is closed."""
    if sys.platform != "win32":
        import fcntl  # noqa: PLC0415 (not there on every system)

        with suppress(OSError):  # of a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)


def sweep_files(folder: str) -> None:
    """Remove what killed processes have half written into a folder."""
    with suppress(OSError):
        for name in os.listdir(folder or "."):
            if name.startswith(".") and name.endswith(_ENDING):
                path = os.path.join(folder, name)
                with suppress(OSError):
                    if _is_dead(path):
                        os.unlink(path)


def sweep_folders(parent: str, prefix: str) -> None:
    """Remove the folders of killed processes: this user's, with the prefix and a file HELD."""
    with suppress(OSError):
        for name in os.listdir(parent):
            path = os.path.join(parent, name)
            if name.startswith(prefix) and _is_dead(os.path.join(path, HELD)):
                import shutil  # noqa: PLC0415 (seldom needed)

                shutil.rmtree(path, ignore_errors=True)


def _is_dead(path: str) -> bool:
    """Whether a file of this user is no longer held by anybody."""
    if sys.platform == "win32":
        return False
    import fcntl  # noqa: PLC0415 (as above)

    with (
        suppress(OSError),
        open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)) as file,
    ):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        found = os.fstat(file.fileno())
        return found.st_uid == os.getuid() and time() - found.st_mtime > _YOUNG
    return False
