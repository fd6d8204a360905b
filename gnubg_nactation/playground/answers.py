"""The one way from the page to Python: it calls a function by name and gets JSON back.

The functions in ANSWERS take and return JSON values; some get the bytes of a match first. A board
is an XGID, a player 0 or 1 as in Player, and a play is in traditional notation. Everything is
imported here, because the page keeps the memory of a Python that has imported this module.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable

from gnubg_nactation.errors import NactationError
from gnubg_nactation.playground.copies import as_post, board_image
from gnubg_nactation.playground.editing import check_position
from gnubg_nactation.playground.equities import equities, resolve
from gnubg_nactation.playground.handouts import opening_cards, opening_chart
from gnubg_nactation.playground.letters import alphabet, check_answer, explain_play, letters
from gnubg_nactation.playground.matches import analyse, export_match, match
from gnubg_nactation.playground.openings import opening
from gnubg_nactation.playground.posts import find_in_post
from gnubg_nactation.playground.text_field import read_text
from gnubg_nactation.playground.training import (
    play_named,
    training_question,
    training_questions,
)
from gnubg_nactation.playground.writing import new_match, save_match, write_match
from gnubg_nactation.showing import json_text
from gnubg_nactation.values import Any

ANSWERS: dict[str, Callable[..., Any]] = {
    answer.__name__: answer
    for answer in (
        read_text,
        explain_play,
        equities,
        resolve,
        as_post,
        board_image,
        match,
        analyse,
        export_match,
        find_in_post,
        alphabet,
        letters,
        check_answer,
        new_match,
        write_match,
        save_match,
        check_position,
        opening,
        training_questions,
        training_question,
        play_named,
        opening_chart,
        opening_cards,
    )
}


def handle(name: str, arguments: str, data: bytes = b"") -> str:
    """Call a function of ANSWERS; returns JSON: `{"value": ...}` or `{"error": message}`.

    `arguments` is a JSON list; `data`, if there is any, is the argument before them. Never raises.
    """
    reply: dict[str, Any]
    try:
        reply = {"value": ANSWERS[name](*([data] if data else []), *json.loads(arguments))}
    except NactationError as error:
        reply = {"error": str(error)}
    except (MemoryError, RecursionError):
        reply = {"error": "this needs more memory than a page has"}
    except Exception as error:  # a bug: report its place
        at = traceback.extract_tb(error.__traceback__)[-1]
        reply = {"error": f"internal error at {at.name}, line {at.lineno}: {error!r}"[:500]}
    return json_text(reply, close=True)
