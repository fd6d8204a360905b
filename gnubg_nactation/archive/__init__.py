"""Many matches in one database: every turn of every game, and what can be asked of them.

The functions below are the front door for programs, each imported when it is first asked for.
docs/database.md shows what can be done with them.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # type checkers know this name

if TYPE_CHECKING:
    from gnubg_nactation.archive.database import UNIT, archive_at, default_path, open_archive
    from gnubg_nactation.archive.filters import Filters
    from gnubg_nactation.archive.indexing import (
        FileRow,
        add_file,
        add_handles,
        forget,
        read_rows,
    )
    from gnubg_nactation.archive.nodes import Node, branches, node, plays_of, tree
    from gnubg_nactation.archive.parquet import export_parquet

_ROOMS = {
    "database": ("UNIT", "archive_at", "default_path", "open_archive"),
    "filters": ("Filters",),
    "indexing": ("FileRow", "add_file", "add_handles", "forget", "read_rows"),
    "nodes": ("Node", "branches", "node", "plays_of", "tree"),
    "parquet": ("export_parquet",),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "UNIT",
    "FileRow",
    "Filters",
    "Node",
    "add_file",
    "add_handles",
    "archive_at",
    "branches",
    "default_path",
    "export_parquet",
    "forget",
    "node",
    "open_archive",
    "plays_of",
    "read_rows",
    "tree",
]


def __getattr__(name: str) -> object:
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ROOM_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
