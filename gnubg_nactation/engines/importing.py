"""Files of other programs, turned into SGF by a gnubg of their own."""

from __future__ import annotations

import re

from gnubg_nactation.engines.process import Process, find_gnubg
from gnubg_nactation.errors import EngineError, MalformedError
from gnubg_nactation.files.foreign import Foreign, prepared

_SECONDS = 30.0  # of which a match takes a fraction of one
_TELLING = re.compile(r"WARNING|Unrecognised|Unparseable|Unknown|record found|not a valid")


def convert(text: str, foreign: Foreign) -> tuple[bytes, tuple[str, ...]]:
    """The SGF that gnubg makes of a file, and what it complained of meanwhile.

    The file stands in a folder of its own there, under a name of ours. Raises MalformedError if
    gnubg makes nothing of it, or is not there.
    """
    text = prepared(text, foreign)
    try:
        process = Process(find_gnubg())
    except EngineError as error:
        why = f"{foreign.name}, which GNU Backgammon would convert: {error}"
        raise MalformedError(why) from None
    try:
        process.version()
        process.give(text.encode())
        answer = process.ask({"import": foreign.command}, _SECONDS)
        said = [line.strip() for line in process.said().splitlines()]
        told = tuple(f"gnubg: {line}" for line in said if _TELLING.search(line))
        if not answer.get("imported"):
            why = f": {told[0].removeprefix('gnubg: ')}" if told else ""
            raise MalformedError(f"{foreign.name}, of which GNU Backgammon makes nothing{why}")
        return process.saved(), told
    except EngineError as error:
        raise MalformedError(f"{foreign.name} cannot be converted: {error}") from None
    finally:
        process.end()
