"""Paths in messages."""

from __future__ import annotations

import os


def near(path: str) -> str:
    """Return an absolute path relative to the current folder if it is below it."""
    head = os.path.join(os.getcwd(), "")
    return path[len(head) :] if path.startswith(head) else path
