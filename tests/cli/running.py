"""The command line called as a function and as a program, and a match to call it on."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from gnubg_nactation.cli.main import main
from gnubg_nactation.cli.streams import Streams

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_matches"

# The game with which the tutorial introduces sequences: 54S-63R-31P.
MATCH = b"""\
 3 point match

 Game 1
 Ann : 0                        Ben : 0
  1) 54: 24/20 13/8             63: 24/15
  2) 31: 8/5 6/5
"""
ROW = "54S-63R-31P\n"
SHEET = f"Ann - Ben, 3 point match\n\n{ROW}"  # what `annotate --layout row` writes
ILLEGAL = MATCH.replace(b"63: 24/15", b"63: 24/14")


class Ran(NamedTuple):
    """The exit status and the output of a run."""

    status: int
    out: str
    err: str


def run(*arguments: object, stdin: bytes = b"") -> Ran:
    """Call the command line within this process."""
    out, err = io.BytesIO(), io.BytesIO()
    words = [str(argument) for argument in arguments]
    status = main(words, Streams(io.BytesIO(stdin), out, err))
    texts = (stream.getvalue().decode("utf-8", "surrogateescape") for stream in (out, err))
    return Ran(status, *texts)


def output_of(*arguments: object, stdin: bytes = b"") -> str:
    """Return the output of a run without errors."""
    ran = run(*arguments, stdin=stdin)
    assert (ran.status, ran.err) == (0, "")
    return ran.out


def error_of(*arguments: object, stdin: bytes = b"", status: int = 1) -> str:
    """Return the errors of a run that fails with this status and prints nothing else."""
    ran = run(*arguments, stdin=stdin)
    assert (ran.status, ran.out) == (status, "")
    return ran.err


_PROGRAM = (sys.executable, "-m", "gnubg_nactation")


def start(
    *arguments: object,
    stdout: BinaryIO | int = subprocess.PIPE,
    program: Sequence[object] = _PROGRAM,
    path: Path = ROOT,
    start_new_session: bool = False,
) -> subprocess.Popen[bytes]:
    """Start the command line as a program; its standard streams are pipes by default."""
    return subprocess.Popen(
        [*map(str, program), *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(path)},
        stdin=subprocess.PIPE,
        stdout=stdout,
        stderr=subprocess.PIPE,
        start_new_session=start_new_session,
    )
