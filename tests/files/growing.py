"""Read texts of growing size, each in a process of its own, for a program that counts its work.

Prints the name of a text and the numbers of the processes that read it, once, twice and three times
as long. Nothing but the size differs between them.
"""

from __future__ import annotations

import contextlib
import gc
import os
import re
import sys
from collections.abc import Callable
from functools import partial

from gnubg_nactation.errors import NactationError
from gnubg_nactation.files.copied import read_copied
from gnubg_nactation.files.pasted import read_pasted
from tests.files.copied_texts import ACTIONS, CUBE, PLAYS, START

_SIZE = 400  # characters


def _pasted(unit: str, size: int) -> None:
    with contextlib.suppress(NactationError):
        read_pasted(unit * (size // len(unit)) + " 31: 8/5 6/5")


def _copied(size: int) -> None:
    count = size // 200
    text = "\n".join([START + PLAYS, CUBE + ACTIONS, "a note / of 12/34 eq: +"] * count)
    assert len(read_copied(text)) == 2 * count


def _quadratic(size: int) -> None:
    re.sub(r"[0-9]+\)", "", "0" * size)


TEXTS: dict[str, Callable[[int], None]] = {
    **{unit: partial(_pasted, unit) for unit in ("8/", "1. ", "a ", "&am", "54S ", "C ", "11E.")},
    "copied": _copied,
    "quadratic": _quadratic,
}


def _main() -> None:
    gc.disable()
    for name, read in TEXTS.items():
        read(_SIZE // 3)  # imports modules and compiles patterns
        numbers = []
        for times in (1, 2, 3):
            number = os.fork()
            if not number:
                read(times * _SIZE)
                os._exit(0)
            assert os.waitpid(number, 0)[1] == 0
            numbers.append(number)
        sys.stdout.write(f"{name}\t{' '.join(map(str, numbers))}\n")


if __name__ == "__main__":
    _main()
