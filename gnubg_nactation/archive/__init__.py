"""A database of every turn of many matches, and queries of it.

This is the interface for programs, see docs/database.md. Each name is imported on first use.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # type checkers know this name

if TYPE_CHECKING:
    from gnubg_nactation.archive.database import UNIT as UNIT
    from gnubg_nactation.archive.database import archive_at as archive_at
    from gnubg_nactation.archive.database import default_path as default_path
    from gnubg_nactation.archive.database import open_archive as open_archive
    from gnubg_nactation.archive.filters import Filters as Filters
    from gnubg_nactation.archive.finding import find_position as find_position
    from gnubg_nactation.archive.finding import find_sequence as find_sequence
    from gnubg_nactation.archive.indexing import FileRow as FileRow
    from gnubg_nactation.archive.indexing import add_file as add_file
    from gnubg_nactation.archive.indexing import add_handles as add_handles
    from gnubg_nactation.archive.indexing import forget as forget
    from gnubg_nactation.archive.indexing import read_rows as read_rows
    from gnubg_nactation.archive.leaks import find_leaks as find_leaks
    from gnubg_nactation.archive.nodes import Node as Node
    from gnubg_nactation.archive.nodes import node as node
    from gnubg_nactation.archive.nodes import plays_of as plays_of
    from gnubg_nactation.archive.nodes import with_ways as with_ways
    from gnubg_nactation.archive.parquet import export_parquet as export_parquet
    from gnubg_nactation.archive.replies import chart_of_archive as chart_of_archive
    from gnubg_nactation.archive.replies import chart_of_book as chart_of_book
    from gnubg_nactation.archive.replies import chart_of_engine as chart_of_engine
    from gnubg_nactation.archive.stats import find_statistics as find_statistics
    from gnubg_nactation.archive.trees import branches as branches
    from gnubg_nactation.archive.trees import tree as tree
    from gnubg_nactation.nacbracs.book import Book as Book
    from gnubg_nactation.nacbracs.book import read_book as read_book

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

__all__ = list(_ROOM_OF)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_ROOM_OF[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
