"""The command line called as a function and as a program, and a match to call it on."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from jsonschema import Draft202012Validator

from gnubg_nactation.cli.main import main
from gnubg_nactation.cli.schemas import schema_text
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
    """Call the command line within this process; its JSON must fit the published schema."""
    ran = run_unchecked(*arguments, stdin=stdin)
    words = [str(argument) for argument in arguments]
    if "json" in words or "--json" in words:
        check_lines(words[0], ran.out)
    return ran


def run_unchecked(*arguments: object, stdin: bytes = b"") -> Ran:
    """Call the command line within this process."""
    out, err = io.BytesIO(), io.BytesIO()
    words = [str(argument) for argument in arguments]
    status = main(words, Streams(io.BytesIO(stdin), out, err))
    texts = (stream.getvalue().decode("utf-8", "surrogateescape") for stream in (out, err))
    return Ran(status, *texts)


def check_lines(command: str, text: str) -> None:
    """Fail with the first place in the output of a command that its schema does not allow."""
    for line in text.splitlines():
        wrong = [
            f"{it.json_path}: {it.message}" for it in validator(command).iter_errors(read(line))
        ]
        assert not wrong, f"{wrong[0]} in {line[:500]}"


def read(line: str) -> Any:
    """The JSON of a line that begins with its format."""
    assert re.match(r'\{"format": ?1,', line), line[:100]
    return json.loads(line)


@cache
def validator(command: str) -> Draft202012Validator:
    """The validator by the schema that the command line prints."""
    schema = json.loads(schema_text(command))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


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
