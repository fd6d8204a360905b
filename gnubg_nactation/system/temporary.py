"""Folders for what is temporary."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from gnubg_nactation.system.litter import HELD, hold, sweep_folders

_PREFIX = "nactation-"


@contextmanager
def temporary_folder() -> Iterator[str]:
    """A new folder that goes away in the end; if the process is killed, with the next one."""
    sweep_folders(tempfile.gettempdir(), _PREFIX)
    folder = tempfile.mkdtemp(prefix=_PREFIX)
    try:
        with open(os.path.join(folder, HELD), "wb") as file:
            hold(file.fileno())
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
