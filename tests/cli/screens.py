"""The command line on a terminal with a given number of columns."""

from __future__ import annotations

import os
import pty
import re
import struct
import subprocess
import sys
from collections.abc import Mapping
from fcntl import ioctl
from termios import TIOCSWINSZ

from tests.cli.running import ROOT

STYLE = re.compile(r"\x1b\[([0-9;]*)m")


def on_screen(columns: int, *words: object, **environment: str) -> str:
    """Return the screen of a command with Unix line ends."""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    removed = {"COLUMNS", "NO_COLOR", "TERM"}
    inherited: Mapping[str, str] = {k: v for k, v in os.environ.items() if k not in removed}
    started = subprocess.Popen(
        [sys.executable, "-m", "gnubg_nactation", *map(str, words)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env={**inherited, "TERM": "xterm-256color", **environment},
    )
    os.close(theirs)
    data = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        data += more
    os.close(ours)
    _, errors = started.communicate(timeout=600)
    assert (started.returncode, errors) == (0, b"")
    return data.decode().replace("\r\n", "\n")


def bare(text: str) -> str:
    return STYLE.sub("", text)
