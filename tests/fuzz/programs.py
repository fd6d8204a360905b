"""Readers that need a whole program: the answers of the playground, and commands.

Answers are valid JSON, messages have no control characters, and no error is an internal one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from gnubg_nactation.exports.targets import TARGETS
from gnubg_nactation.playground.answers import handle
from tests.cli.running import Ran, run
from tests.fuzz.strict import strict_json

CONTROL = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def _check_answer(name: str, *arguments: object, data: bytes = b"") -> None:
    answer = strict_json(handle(name, json.dumps(arguments), data))
    message = answer.get("error", "")
    assert "internal error" not in message, message
    assert not CONTROL.search(message), f"a message that controls: {message!r}"


def _playground_text(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    _check_answer("read_text", text)
    _check_answer("as_post", text, list(TARGETS)[len(text) % len(TARGETS)])


def _playground_post(data: bytes) -> None:
    _check_answer("find_in_post", data.decode("utf-8", "replace"))


def _playground_answer(data: bytes) -> None:
    """A board, a roll, a play and a letter, separated by bars."""
    board, roll, play, letter, *_ = (*data.decode("utf-8", "replace").split("|"), "", "", "")
    _check_answer("check_answer", board, roll, play, letter)
    _check_answer("explain_play", board, roll, play)
    _check_answer("board_image", board, roll, play, letter, len(data) % 2)


def _page(data: bytes) -> None:
    if data:
        forms = ("sgf", "text", *TARGETS)
        _check_answer("match", data=data)
        _check_answer("export_match", forms[len(data) % len(forms)], data=data)
        _check_answer("letters", 1, 3, data=data)


def _check(data: bytes) -> None:
    ended(run("check", "--engine", "none", "-", stdin=data))


def ended(ran: Ran) -> None:
    assert ran.status in {0, 1}, ran
    assert not CONTROL.search(ran.err), f"a message that controls: {ran.err!r}"
    assert "internal error" not in ran.err, ran.err


PROGRAMS: dict[str, Callable[[bytes], None]] = {
    "typed": _playground_text,
    "found": _playground_post,
    "judged": _playground_answer,
    "page": _page,
    "check": _check,
}
