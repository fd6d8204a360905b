"""Which results are up to date, so that a stopped run can continue.

Each folder of results has a log in the user's cache folder. A result is up to date if its file
still has the logged size and time, and the same input, version and options would make it again.
Losing the log costs only time.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import suppress

from gnubg_nactation import __version__
from gnubg_nactation.cli.forms import AnnotateOptions
from gnubg_nactation.cli.work import Counts, Result
from gnubg_nactation.showing import read_json
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.system.cache_folder import cache_folder
from gnubg_nactation.values import Any

_NAME = re.compile(rb'\{"name": ("(?:[^"\\]|\\.)*"), ')  # at the start of a line
_MAX_SPARE = 200  # old lines before a log is rewritten


def key_of(data: bytes, settings: AnnotateOptions) -> str:
    """Return a hash of everything that the result for these bytes depends on."""
    origin = repr((__version__, tuple(settings))).encode()
    return hashlib.sha256(origin + b"\0" + data).hexdigest()[:32]


class ResultLog:
    """The log of the results in one folder."""

    def __init__(self, folder: str) -> None:
        name = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:32]
        self._file = cache_folder() / "done" / f"{name}.jsonl"
        lines: list[bytes] = []
        with suppress(OSError):
            lines = self._file.read_bytes().splitlines()
        self._lines = {match[1]: line for line in lines if (match := _NAME.match(line))}
        self._spare = len(lines) - 2 * len(self._lines)

    def find(self, target: str, key: str) -> Result | None:
        """Return a result that is up to date, without the bytes that its file has."""
        line = self._lines.get(json.dumps(os.path.basename(target)).encode())
        if line is None or key.encode() not in line:
            return None
        with suppress(ValueError, TypeError, KeyError):  # a damaged line counts as none
            row = read_json(line)
            if row["key"] == key and row["stat"] == _stat(target):
                return _result(row)
        return None

    def add(self, target: str, key: str, result: Result) -> None:
        """Log a result that was just written; several processes may do so at once."""
        row = {
            "name": os.path.basename(target),
            "key": key,
            "stat": _stat(target),
            "remarks": result.remarks,
            "counts": result.counts,
        }
        with suppress(OSError):  # the cache is optional
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("ab") as file:
                file.write(json.dumps(row).encode() + b"\n")

    def shorten(self) -> None:
        """Rewrite the log if most of it is old."""
        if self._spare > _MAX_SPARE:
            with suppress(OSError):
                text = b"".join(line + b"\n" for line in self._lines.values())
                write_atomically(self._file, text, lasting=False)


def _result(row: dict[str, Any]) -> Result:
    """Return the result of a line; ValueError, TypeError or KeyError for a foreign line."""
    remarks, counts = row["remarks"], Counts(*row["counts"])
    "".join(remarks).encode("utf-8", "surrogateescape")  # as they will be written
    if not isinstance(remarks, list) or not all(type(n) is int and n >= 0 for n in counts):
        raise ValueError(row)
    return Result(b"", tuple(remarks), counts)


def _stat(path: str) -> list[int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]
