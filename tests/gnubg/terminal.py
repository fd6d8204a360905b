"""gnubg in a terminal, as a user has it before him."""

from __future__ import annotations

import os
import pty
import select
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.gnubg.ingame import GNUBG, ROOT

INTERRUPT = "\x03"
_PATIENCE = 600  # seconds, for a busy machine


class Terminal:
    """A gnubg to type into; `wait` returns its output up to a text."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._shown = b""

    def type(self, text: str) -> None:
        os.write(self._number, text.encode())

    def wait(self, text: str) -> str:
        end = text.encode()
        deadline = time.monotonic() + _PATIENCE
        while end not in self._shown:
            assert time.monotonic() < deadline, (text, self._shown)
            if select.select([self._number], [], [], 0.2)[0]:
                self._shown += os.read(self._number, 4096)
        output, _, self._shown = self._shown.partition(end)
        return (output + end).decode("utf-8", "replace").replace("\r\n", "\n")


@contextmanager
def gnubg_in_terminal(folder: Path) -> Iterator[Terminal]:
    """gnubg that waits at its prompt, with the plugin's folder in PYTHONPATH."""
    environment = {
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "PATH": os.environ["PATH"],
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(ROOT / "scripts"),
        "TERM": "dumb",
        "TMPDIR": str(folder),  # it is killed at the end
    }
    arguments = [GNUBG, "-t", "-q", "-r"]
    shell = f"cd '{folder}' && exec {' '.join(arguments)}"
    pid, number = pty.fork()
    if not pid:
        os.execve("/bin/sh", ["sh", "-c", shell], environment)
    try:
        terminal = Terminal(number)
        terminal.wait("(No game) ")
        yield terminal
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        os.close(number)
