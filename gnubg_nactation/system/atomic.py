"""Writes a file completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from gnubg_nactation.system.litter import hold, new_name, sweep_files


def write_atomically(
    path: str | os.PathLike[str],
    data: bytes | Iterable[bytes],
    *,
    lasting: bool = True,
    sweeps: bool = True,
) -> None:
    """Write a temporary file next to `path` and rename it; OSError leaves no file.

    `data` may be in pieces, if it does not fit into memory. A replaced file keeps its mode. The
    target of a link is replaced, not the link; a device or a pipe is written to. With `lasting`
    the function waits until the file is on the disk. With `sweeps` it first removes the temporary
    files of killed processes; to write many files, sweep the folder once.
    """
    pieces = [data] if isinstance(data, bytes) else data
    exists = os.path.exists(path)
    if exists and not os.path.isfile(path):  # /dev/stdout is a link to a pipe without a path
        with _naming(path), open(path, "wb") as device:
            for piece in pieces:
                device.write(piece)
        return
    given, path = path, os.path.realpath(path)
    folder, name = os.path.split(path)
    _make_folder(folder)
    if sweeps:
        sweep_files(folder)
    temporary = os.path.join(folder, new_name(name))
    try:
        with _naming(given):
            with open(temporary, "xb") as file:
                hold(file.fileno())
                for piece in pieces:
                    file.write(piece)
                if lasting:
                    file.flush()
                    os.fsync(file.fileno())
            if exists:
                os.chmod(temporary, os.stat(path).st_mode & 0o777)
            os.replace(temporary, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


@contextmanager
def _naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Let errors name the file to write, not the temporary file or none."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def _make_folder(path: str) -> None:
    try:
        os.mkdir(path)
    except FileNotFoundError:
        parent = os.path.dirname(path)
        if parent == path:  # a drive of Windows that is not there
            raise
        _make_folder(parent)
        _make_folder(path)
    except OSError:
        if not os.path.isdir(path):
            raise
