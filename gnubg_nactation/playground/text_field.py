"""What is typed in the text field: a position, a sequence, or a sequence after a position."""

from __future__ import annotations

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.exports.views import View, progress_view
from gnubg_nactation.playground.suggestions import suggest
from gnubg_nactation.sequences.incremental import read_progress

_MAX_CHARS = 20_000  # of a sequence


def read_text(text: str) -> View:
    """Read a text as far as possible.

    `turns` are those that can be read, `state` the board after them, `options` what may follow, of
    which the `token` belongs after `keep`: all plays of the last roll, or the answers to a double.
    `front` counts the characters of the position. `error` is what is wrong and where, with the
    looks of what is `possible` there, and `unfinished` says that a token has only begun. `instead`
    are texts that can be read and may be meant, the likeliest first, and `prose` says that it is
    rather a post. Raises MalformedError for a wrong position, and if the text is too long.
    """
    if len(text) > _MAX_CHARS:
        raise MalformedError(f"a text of {len(text)} characters is no sequence")
    progress = read_progress(text)
    suggestions = suggest(progress)
    value = progress_view(progress) | {"front": progress.front}
    if suggestions.texts:
        value["instead"] = list(suggestions.texts)
    return value | {"prose": True} if suggestions.is_post else value
