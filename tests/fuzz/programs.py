"""Readers that need a whole program: the answers of the playground, and commands.

Answers are valid JSON, messages have no control characters, and no error is an internal one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from gnubg_nactation.exports.post.targets import TARGETS
from gnubg_nactation.playground.answers import handle
from tests.cli.running import Ran, run
from tests.fuzz.strict import strict_json

CONTROL = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def _answered(name: str, *arguments: object, data: bytes = b"") -> None:
    told = strict_json(handle(name, json.dumps(arguments), data))
    message = told.get("error", "")
    assert "internal error" not in message, message
    assert not CONTROL.search(message), f"a message that controls: {message!r}"


def _typed(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    _answered("read_text", text)
    _answered("as_post", text, list(TARGETS)[len(text) % len(TARGETS)])


def _found(data: bytes) -> None:
    _answered("find_in_post", data.decode("utf-8", "replace"))


def _judged(data: bytes) -> None:
    """A board, a roll, a play and a letter, separated by bars; a picture of the play, too."""
    board, roll, said, argument, *_ = (*data.decode("utf-8", "replace").split("|"), "", "", "")
    _answered("check_answer", board, roll, said, argument)
    _answered("explain_play", board, roll, said)
    _answered("board_image", board, roll, said, argument, len(data) % 2)


def _page(data: bytes) -> None:
    if data:
        forms = ("sgf", "text", *TARGETS)
        _answered("match", data=data)
        _answered("export_match", forms[len(data) % len(forms)], data=data)
        _answered("letters", 1, 3, data=data)


def _check(data: bytes) -> None:
    ended(run("check", "--engine", "none", "-", stdin=data))


def ended(ran: Ran) -> None:
    assert ran.status in {0, 1}, ran
    assert not CONTROL.search(ran.err), f"a message that controls: {ran.err!r}"
    assert "internal error" not in ran.err, ran.err


PROGRAMS: dict[str, Callable[[bytes], None]] = {
    "typed": _typed,
    "found": _found,
    "judged": _judged,
    "page": _page,
    "check": _check,
}
