"""The plays made in the position on gnubg's board, from a database of games."""

from __future__ import annotations

import os

from gnubg_nactation.archive.book_at_score import shipped_at
from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.archive.nodes import node
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.explorer.table import check_known, format_node, of_roll
from gnubg_nactation.nacbracs.score import MONEY
from gnubg_nactation.plugin.board import shown_state
from gnubg_nactation.plugin.program import gnubg_module


def explore(path: str | None = None) -> str:
    """Print the plays made in the position on the board, with its roll if it has one."""
    state, _ = shown_state(gnubg_module())
    state = state.before_double
    file = os.path.expanduser(path or default_path())
    if path is None and not os.path.exists(file):
        raise NactationError(f"no games to explore: make {file} from your matches (nactate index)")
    with archive_at(file) as connection:
        entry = node(connection, state.position)
        check_known(entry, file)
        if state.roll:
            entry = of_roll(entry, state.roll)
        book = shipped_at(MONEY, [entry])
        return format_node(entry, "", "", {}, book).rstrip()
