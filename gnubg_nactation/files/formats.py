"""Telling match text from SGF."""

from __future__ import annotations

import re

__all__ = ["is_sgf"]

_SGF = re.compile(rb"(?:\xef\xbb\xbf)?\s*\(\s*;")


def is_sgf(data: bytes) -> bool:
    """Whether the bytes begin like a game tree of SGF."""
    return _SGF.match(data) is not None
