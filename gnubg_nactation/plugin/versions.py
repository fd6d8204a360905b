"""The versions of gnubg and GTK in whose window the plugin may call GTK.

A function of GTK that is called in a wrong way would end gnubg, and with it the match that the user
has not saved. So it is called only in the versions that were tested.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Sequence
from functools import cache

_TESTED = {"1.07": (2, 24), "1.08": (3, 24)}  # the GTK of each gnubg
_NAME = re.compile(rb"GNU Backgammon[ :](\d{1,3}\.\d{2})")
_MAX_PATH = 4096


def untested(libraries: Sequence[ctypes.CDLL]) -> str:
    """Why GTK of these libraries is not called; empty if this gnubg and its GTK were tested."""
    gtk = next((each for each in libraries if hasattr(each, "gtk_check_version")), None)
    if gtk is None:
        return "gnubg has no GTK"
    version = gnubg_version()
    if version not in _TESTED:
        return f"gnubg {version or 'of an unknown version'} was not tested"
    return (
        "" if _is_gtk(gtk, *_TESTED[version]) else f"gnubg {version} with this GTK was not tested"
    )


def _is_gtk(library: ctypes.CDLL, major: int, minor: int) -> bool:
    check = library.gtk_check_version
    check.restype, check.argtypes = ctypes.c_char_p, [ctypes.c_uint] * 3
    return check(major, minor, 0) is None  # else the reason why it is another


@cache
def gnubg_version() -> str:
    """The version of the gnubg that this runs in, such as 1.07; empty if it cannot be read.

    gnubg shows it to users only, so it is read from the program's file.
    """
    try:
        with open(_program(), "rb") as file:
            name = _NAME.search(file.read())
    except OSError:
        return ""
    return name[1].decode() if name else ""


def _program() -> str:
    if os.name != "nt":
        return "/proc/self/exe"
    path = ctypes.create_unicode_buffer(_MAX_PATH)
    ctypes.windll.kernel32.GetModuleFileNameW(None, path, _MAX_PATH)  # type: ignore[attr-defined]
    return path.value
