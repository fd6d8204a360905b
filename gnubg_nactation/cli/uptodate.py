"""Which results are up to date, so that a run that was stopped goes on where it stood.

For each folder of results a list is kept in the user's cache folder: what was written, of which
bytes, by which version and options. A result is up to date if the file is as it was written (size
and time) and would be made anew from the same bytes, version and options. Losing the list costs
time and nothing else.
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

_NAME = re.compile(rb'\{"name": ("(?:[^"\\]|\\.)*"), ')  # of a line, as it stands there
_SPARE = 200  # lines that are out of date before a list is written anew


def key_of(data: bytes, wanted: AnnotateOptions) -> str:
    """What the result of a file depends on, in one word."""
    made_by = repr((__version__, tuple(wanted))).encode()
    return hashlib.sha256(made_by + b"\0" + data).hexdigest()[:32]


class ResultLog:
    """The results written into one folder; they may come in any order."""

    def __init__(self, folder: str) -> None:
        name = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:32]
        self._file = cache_folder() / "done" / f"{name}.jsonl"
        lines: list[bytes] = []
        with suppress(OSError):
            lines = self._file.read_bytes().splitlines()
        self._lines = {found[1]: line for line in lines if (found := _NAME.match(line))}
        self._spare = len(lines) - 2 * len(self._lines)

    def find(self, target: str, key: str) -> Result | None:
        """What is known of a result that is up to date; its bytes are in the file."""
        line = self._lines.get(json.dumps(os.path.basename(target)).encode())
        if line is None or key.encode() not in line:
            return None
        with suppress(ValueError, TypeError, KeyError):  # as good as none
            row = read_json(line)
            if row["key"] == key and row["stat"] == _stat(target):
                return _result(row)
        return None

    def add(self, target: str, key: str, result: Result) -> None:
        """Note a result that has just been written; several processes may do so at once."""
        row = {
            "name": os.path.basename(target),
            "key": key,
            "stat": _stat(target),
            "remarks": result.remarks,
            "counts": result.counts,
        }
        with suppress(OSError):  # a cache that cannot be written is no trouble
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("ab") as file:
                file.write(json.dumps(row).encode() + b"\n")

    def shorten(self) -> None:
        """Write the list anew if most of it is out of date."""
        if self._spare > _SPARE:
            with suppress(OSError):
                text = b"".join(line + b"\n" for line in self._lines.values())
                write_atomically(self._file, text, lasting=False)


def _result(row: dict[str, Any]) -> Result:
    """What a line says of a result; one that `add` did not write raises ValueError or the like."""
    remarks, counts = row["remarks"], Counts(*row["counts"])
    "".join(remarks).encode("utf-8", "surrogateescape")  # as they will be written
    if not isinstance(remarks, list) or not all(type(one) is int and one >= 0 for one in counts):
        raise ValueError(row)
    return Result(b"", tuple(remarks), counts)


def _stat(path: str) -> list[int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return [found.st_size, found.st_mtime_ns]
