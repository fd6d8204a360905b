"""Folders that are filled once for all workers of pytest-xdist."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest


def shared_folder(
    factory: pytest.TempPathFactory, name: str, fill: Callable[[Path], object]
) -> Path:
    """The folder `name` of this run, which the first worker that needs it lets `fill` fill.

    Call it in a fixture of the session, and change nothing in the folder afterwards.
    """
    root = factory.getbasetemp()
    if root.name.startswith("popen-"):  # the folder of one worker
        root = root.parent
    folder, filled = root / name, root / f"{name}.filled"
    # A lock for every system, which ends with its process; 600 seconds only end a hopeless wait.
    with closing(sqlite3.connect(root / f"{name}.lock", 600, isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        if not filled.exists():
            folder.mkdir(exist_ok=True)
            fill(folder)
            filled.touch()
    return folder
