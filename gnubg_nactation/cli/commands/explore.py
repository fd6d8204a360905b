"""`nactate explore`: see what was played in a position, and what it cost."""

from __future__ import annotations

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD
from gnubg_nactation.cli.results import OfDatabase, Printed, check_output, deliver, form_setting
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.exports.explorer.table import (
    csv_nodes,
    format_node,
    format_tree,
    json_lines,
    placed,
)
from gnubg_nactation.tasks.engines import NONE, names_engine
from gnubg_nactation.tasks.library import Explored, ExploreSettings, explore, root_of
from gnubg_nactation.tasks.settings import SettingsError, setting
from gnubg_nactation.tasks.subjects import SUBJECT_HELP
from gnubg_nactation.values import replace

DESCRIPTION = """\
See what was played in a position, how often, and what it cost.
Reads the games stored by `nactate index`; prints text, JSON or CSV, or writes a page."""
EXAMPLES = """\
  nactate explore                          the first rolls of all games
  nactate explore 31P-63                   what was played with a 63 after 31P
  nactate explore --me --since 2024 43D
  nactate explore --depth 3 --min 10       the tree of openings
  nactate explore --to html -o openings.html
"""
USAGE = "[SUBJECT]"
_STARTS = {STANDARD: "start", NACKGAMMON: "nackgammon"}
_PAGE_DEPTH = 4


class Options(
    ExploreSettings,
    Printed,
    OfDatabase,
    first="what to output roll depth order book plies color db",
):
    """The settings of the task, and of its result."""

    what: str = setting("", f"{SUBJECT_HELP} (default: start)", "SUBJECT", words="rest")
    to: str = form_setting("text", "json", "csv", "html")


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    path = settings.db or default_path()
    _check(settings, path)
    if settings.to == "html":
        settings = replace(settings, depth=settings.depth or _PAGE_DEPTH)
    elif settings.to == "csv":
        settings = replace(settings, book=NONE)
    root = root_of(streams.text_of(settings.what), settings, streams)
    with archive_at(path) as archive:
        has_ways = settings.to in {"json", "html"}
        explored = explore(archive, root, settings, streams, name=path, ways=has_ways)
        text = _format(explored, settings.to)
    deliver(text, settings.to, settings, streams)
    return Status.OK


def _check(settings: Options, path: str) -> None:
    """Raise SettingsError for options that do not go together."""
    if settings.plies is not None and not names_engine(settings):
        raise SettingsError("--plies goes with --engine")
    if names_engine(settings) and (settings.to in {"csv", "html"} or (settings.depth or 1) > 1):
        raise SettingsError("--engine goes with one position, as text or JSON")
    if settings.book not in {None, NONE} and settings.to == "csv":
        raise SettingsError("--book does nothing for --csv")
    if settings.to == "html" and settings.roll:
        raise SettingsError("--roll does nothing for a page, which has all rolls")
    books = [settings.book] if settings.book and settings.book != NONE else []
    check_output(settings.output, [path, *books])


def _format(explored: Explored, form: str) -> str:
    (state, sequence, _), depth, nodes, about, book, nacbracs = explored
    root = state.position
    heading = sequence or _STARTS.get(root, "")
    if form == "html":
        from gnubg_nactation.exports.explorer.html import format_explorer

        return format_explorer(nodes, state, heading, sequence=sequence, about=about, book=book)
    if form == "csv":
        return csv_nodes(placed(nodes, root, depth, sequence))
    if form == "json":
        return json_lines(list(placed(nodes, root, depth, sequence)), nacbracs, book)
    if depth > 1:
        return format_tree(nodes, root, depth, heading, about, book)
    return format_node(nodes[root], heading, about, nacbracs, book)
