"""Temporary folders."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from gnubg_nactation.system.litter import LOCK_FILE, hold, remove_folder, sweep_folders

_PREFIX = "nactation-"


@contextmanager
def temporary_folder() -> Iterator[str]:
    """Create a folder and remove it at the end; if the process is killed, the next one does."""
    sweep_folders(tempfile.gettempdir(), _PREFIX)
    folder = tempfile.mkdtemp(prefix=_PREFIX)
    try:
        with open(os.path.join(folder, LOCK_FILE), "wb") as file:
            hold(file.fileno())
            yield folder
    finally:
        remove_folder(folder)
