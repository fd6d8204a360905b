"""What was played in the position on gnubg's board, by a database of matches."""

from __future__ import annotations

import os

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.archive.nodes import node
from gnubg_nactation.exports.explorer.table import check_known, format_node, of_roll
from gnubg_nactation.plugin.board import shown_state
from gnubg_nactation.plugin.program import gnubg_module


def explore(path: str | None = None) -> str:
    """Print what was played in the position on the board; of its roll alone, if it has one."""
    state, _ = shown_state(gnubg_module())
    state = state.before_double
    file = os.path.expanduser(path or default_path())
    with archive_at(file) as connection:
        found = node(connection, state.position)
        check_known(found, file)
        if state.roll:
            found = of_roll(found, state.roll)
        return format_node(found, "", "", {}).rstrip()
