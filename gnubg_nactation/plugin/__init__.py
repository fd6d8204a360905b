"""Nactation inside GNU Backgammon: what `>import nactation_plugin` offers there.

The functions that print are for the user's prompt: each says in a line what it did or why it
could not. `loaded_match` and `add_comments` are for programs and raise instead.
"""

from gnubg_nactation.errors import NactationError
from gnubg_nactation.plugin.match import (
    add_comments,
    annotate,
    describe,
    export_sgf,
    export_text,
    show,
)
from gnubg_nactation.plugin.program import loaded_match, quoted, run_command, say, spoken
from gnubg_nactation.plugin.ranking import best, nacbrac
from gnubg_nactation.plugin.sequences import name
from gnubg_nactation.plugin.setting_up import decode

__all__ = [
    "add_comments",
    "annotate",
    "best",
    "decode",
    "export_sgf",
    "export_text",
    "greet",
    "loaded_match",
    "nacbrac",
    "name",
    "quoted",
    "run_command",
    "say",
    "show",
]

_CALLS = """\
  nactation_plugin.show()             its moves on the screen
  nactation_plugin.annotate()         a comment for each of its moves, here in gnubg
  nactation_plugin.export_sgf(path)   the match with these comments, as a file for gnubg
  nactation_plugin.export_text(path)  its moves, as a file of text
For the position on the board:
  nactation_plugin.nacbrac()          its best plays and what the others lose, as in [P @87 H94]
  nactation_plugin.best()             its best play
  nactation_plugin.name()             the sequence that leads to it, as the name of a file
  nactation_plugin.decode("54S-63R")  puts the position behind a sequence on the board"""


@spoken
def greet() -> str:
    """Print which match is loaded and what can be done with it."""
    try:
        loaded = describe(loaded_match().match)
    except NactationError as error:
        loaded = str(error)
    return f"Nactation for the loaded match ({loaded}):\n{_CALLS}"
