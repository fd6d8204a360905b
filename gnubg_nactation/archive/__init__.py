"""A database of every turn of many matches, and queries of it.

This is the interface for programs, see docs/database.md. Each name is imported on first use.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # type checkers know this name

if TYPE_CHECKING:
    from gnubg_nactation.archive.database import UNIT, archive_at, default_path, open_archive
    from gnubg_nactation.archive.filters import Filters
    from gnubg_nactation.archive.finding import find_position, find_sequence
    from gnubg_nactation.archive.indexing import (
        FileRow,
        add_file,
        add_handles,
        forget,
        read_rows,
    )
    from gnubg_nactation.archive.leaks import find_leaks
    from gnubg_nactation.archive.nodes import Node, node, plays_of, with_ways
    from gnubg_nactation.archive.parquet import export_parquet
    from gnubg_nactation.archive.replies import chart_of_archive, chart_of_book, chart_of_engine
    from gnubg_nactation.archive.stats import find_statistics
    from gnubg_nactation.archive.trees import branches, tree
    from gnubg_nactation.nacbracs.book import Book, read_book

_ROOMS = {
    ".nacbracs.book": ("Book", "read_book"),
    "database": ("UNIT", "archive_at", "default_path", "open_archive"),
    "filters": ("Filters",),
    "finding": ("find_position", "find_sequence"),
    "indexing": ("FileRow", "add_file", "add_handles", "forget", "read_rows"),
    "leaks": ("find_leaks",),
    "nodes": ("Node", "node", "plays_of", "with_ways"),
    "trees": ("branches", "tree"),
    "parquet": ("export_parquet",),
    "stats": ("find_statistics",),
    "replies": ("chart_of_archive", "chart_of_book", "chart_of_engine"),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "UNIT",
    "Book",
    "FileRow",
    "Filters",
    "Node",
    "add_file",
    "add_handles",
    "archive_at",
    "branches",
    "chart_of_archive",
    "chart_of_book",
    "chart_of_engine",
    "default_path",
    "export_parquet",
    "find_leaks",
    "find_position",
    "find_sequence",
    "find_statistics",
    "forget",
    "node",
    "open_archive",
    "plays_of",
    "read_book",
    "read_rows",
    "tree",
    "with_ways",
]


def __getattr__(name: str) -> object:
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_ROOM_OF[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
