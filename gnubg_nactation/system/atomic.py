"""Writing a file so that it is there whole or not at all."""

from __future__ import annotations

import os

from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["write_atomically"]


def write_atomically(path: Path, data: bytes) -> None:
    """Write a temporary file beside `path`, then rename it; OSError leaves nothing behind.

    A file that is replaced hands on its mode. What a link leads to is replaced and not the link;
    a device or a pipe is written to.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    # Importing tempfile would take longer than annotating a game.
    temporary = path.with_name(f".{path.name[:40]}.{os.urandom(4).hex()}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            temporary.chmod(path.stat().st_mode & 0o777)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
