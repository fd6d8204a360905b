"""The one door between the page and Python: a question by name, its answer as JSON.

Each of ANSWERS takes and returns values that JSON has; the page sends the bytes of a match with
them. A board is an XGID; the player is 0 or 1, as in Player; a play is in traditional notation.

All that is needed is imported here: the page keeps the memory of a Python that has done so.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable

from gnubg_nactation.errors import NactationError
from gnubg_nactation.playground.copies import as_post, board_image
from gnubg_nactation.playground.letters import alphabet, check_answer, explain_play, letters
from gnubg_nactation.playground.matches import export_match, match
from gnubg_nactation.playground.posts import find_in_post
from gnubg_nactation.playground.text_field import read_text
from gnubg_nactation.showing import json_text
from gnubg_nactation.values import Any

ANSWERS: dict[str, Callable[..., Any]] = {
    answer.__name__: answer
    for answer in (
        read_text,
        explain_play,
        as_post,
        board_image,
        match,
        export_match,
        find_in_post,
        alphabet,
        letters,
        check_answer,
    )
}


def handle(name: str, arguments: str, data: bytes = b"") -> str:
    """Answer a question as JSON: `{"value": ...}` or `{"error": message}`; raises nothing.

    `arguments` is a JSON list; if there is `data`, it comes before them.
    """
    reply: dict[str, Any]
    try:
        reply = {"value": ANSWERS[name](*([data] if data else []), *json.loads(arguments))}
    except NactationError as error:
        reply = {"error": str(error)}
    except (MemoryError, RecursionError):
        reply = {"error": "that is too much for the memory of a page"}
    except Exception as error:  # a mistake in this program, with its place
        at = traceback.extract_tb(error.__traceback__)[-1]
        reply = {"error": f"internal error at {at.name}, line {at.lineno}: {error!r}"[:500]}
    return json_text(reply, close=True)
