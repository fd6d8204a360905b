"""Files of other programs, which a gnubg converts to SGF."""

from __future__ import annotations

import re

from gnubg_nactation.engines.process import Process, find_gnubg
from gnubg_nactation.errors import EngineError, MalformedError
from gnubg_nactation.files.foreign import Foreign, prepared

_SECONDS = 30.0  # to wait; a match takes less than one
_WARNINGS = re.compile(r"WARNING|Unrecognised|Unparseable|Unknown|record found|not a valid")


def convert(text: str, foreign: Foreign) -> tuple[bytes, tuple[str, ...]]:
    """The SGF that gnubg converts a file to, and gnubg's warnings.

    Raises MalformedError if gnubg cannot convert the file or is not installed.
    """
    text = prepared(text, foreign)
    try:
        process = Process(find_gnubg())
    except EngineError as error:
        message = f"{foreign.name}, which needs GNU Backgammon: {error}"
        raise MalformedError(message) from None
    try:
        process.version()
        process.write_import(text.encode())
        answer = process.ask({"import": foreign.command}, _SECONDS)
        lines = (line.strip() for line in process.output().splitlines())
        warnings = [line for line in lines if _WARNINGS.search(line)]
        if not answer.get("imported"):
            reason = f": {warnings[0]}" if warnings else ""
            raise MalformedError(f"{foreign.name}, which GNU Backgammon cannot convert{reason}")
        return process.saved(), tuple(f"gnubg: {line}" for line in warnings)
    except EngineError as error:
        raise MalformedError(f"{foreign.name} cannot be converted: {error}") from None
    finally:
        process.end()
