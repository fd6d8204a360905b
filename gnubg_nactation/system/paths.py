"""Paths as people get to see them."""

from __future__ import annotations

import os


def near(path: str) -> str:
    """A whole path as it is written from the current folder, where it leads below that."""
    head = os.path.join(os.getcwd(), "")
    return path[len(head) :] if path.startswith(head) else path
