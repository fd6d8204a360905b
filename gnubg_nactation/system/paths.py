"""Paths in messages and links."""

from __future__ import annotations

import os
from pathlib import PurePath, PurePosixPath


def near(path: str) -> str:
    """Return an absolute path relative to the current folder if it is below it."""
    head = os.path.join(os.getcwd(), "")
    return path[len(head) :] if path.startswith(head) else path


def relative_link(path: str, folder: str) -> str:
    """Return the address of a file in a page in this folder, percent-encoded."""
    relative = PurePath(os.path.relpath(path, folder)).as_posix()
    return PurePosixPath("/", relative).as_uri().removeprefix("file:///")
