"""`nactate explore`: see what was played in a position, and what it cost."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from contextlib import suppress

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.archive.filters import check_filters, describe_filters
from gnubg_nactation.archive.nodes import ORDERS, Node, reordered, with_ways
from gnubg_nactation.archive.trees import tree
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.cli.archive_options import add_filter_options, filters_of
from gnubg_nactation.cli.arguments import Joined, add_sequence_options, argument_type, between
from gnubg_nactation.cli.engine import NONE, add_plies_option, names_engine
from gnubg_nactation.cli.progress import waiting
from gnubg_nactation.cli.results import check_output, deliver
from gnubg_nactation.cli.results_old import add_color_option, add_result_options
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.subject import SUBJECT_HELP, read_subject
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.exports.explorer.rows import csv_text, json_lines, placed
from gnubg_nactation.exports.explorer.table import (
    check_known,
    format_node,
    format_tree,
    of_roll,
)
from gnubg_nactation.nacbracs.score import MONEY, at_score, score_of
from gnubg_nactation.sequences.notation import sequence as sequence_of
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.tasks.settings import SettingsError
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, replace

if TYPE_CHECKING:
    from gnubg_nactation.archive.book_at_score import BookAtScore

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
_STARTS = {STANDARD: "start", NACKGAMMON: "nackgammon"}
_DEPTH, _PAGE_DEPTH, _MAX_DEPTH = 1, 4, 40
_ORDER = "error"  # that of nodes


class _Place(NamedTuple):
    """A position to look up, with the sequence that leads there and the roll, if any."""

    sequence: str
    state: GameState
    roll: Roll | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options] [SUBJECT]"
    parser.add_argument(
        "what",
        metavar="SUBJECT",
        nargs="*",
        action=Joined,
        help=f"{SUBJECT_HELP} (default: start)",
    )
    add_result_options(parser, ("text", "json", "csv", "html"))
    parser.add_argument(
        "--roll", metavar="ROLL", type=argument_type(Roll.parse), help="only this roll, e.g. 31"
    )
    parser.add_argument(
        "--depth",
        type=between(int, 1, _MAX_DEPTH),
        metavar="N",
        help=f"follow games for N plays (default: {_DEPTH}, {_PAGE_DEPTH} for a page)",
    )
    parser.add_argument(
        "--order",
        choices=ORDERS,
        default=_ORDER,
        help="sort plays by mean error (default), count, adjusted or plain result",
    )
    parser.add_argument(
        "--book",
        metavar="FILE",
        help="compare with this book of nacbracs, `-`, or none (default: the book of this program)",
    )
    add_plies_option(parser)
    add_color_option(parser)
    add_filter_options(parser)
    add_sequence_options(parser, book=True)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    _check(options)
    place = _read(streams.text_of(options.what), options, streams)
    path = options.db or default_path()
    filters = filters_of(options)
    depth = options.depth or (_PAGE_DEPTH if options.to == "html" else _DEPTH)
    root = place.state.position
    with archive_at(path) as connection:
        check_filters(connection, filters)
        nodes = tree(connection, root, filters, depth)
        if options.to in {"json", "html"}:
            nodes = with_ways(connection, nodes, filters)
        check_known(nodes[root], path, place.sequence, describe_filters(filters))
        if options.order != _ORDER:
            nodes = {at: reordered(node, options.order) for at, node in nodes.items()}
        if place.roll:
            nodes[root] = of_roll(nodes[root], place.roll)
        text = _format(nodes, place, depth, options, streams)
    deliver(text, options, streams)
    return Status.OK


def _check(options: argparse.Namespace) -> None:
    """Raise SettingsError for options that do not go together."""
    if options.plies is not None and not names_engine(options):
        raise SettingsError("--plies goes with --engine")
    if names_engine(options) and (options.to in {"csv", "html"} or (options.depth or 1) > 1):
        raise SettingsError("--engine goes with one position, as text or JSON")
    if options.book not in {None, NONE} and options.to == "csv":
        raise SettingsError("--book does nothing for --csv")
    if options.to == "html" and options.roll:
        raise SettingsError("--roll does nothing for a page, which has all rolls")
    inputs = [options.db or default_path(), *({options.book} - {None, NONE})]
    check_output(options.output, inputs)


def _read(text: str, options: argparse.Namespace, streams: Streams) -> _Place:
    subject = read_subject(text or "start", options, streams)
    turns = subject.decoded.turns if subject.decoded else ()
    played = (turn for turn in turns if turn.how is not ReadingKind.TO_PLAY)
    sequence = sequence_of((turn, turn.nactation) for turn in played)
    before = subject.state.before_double
    return _Place(sequence, before, options.roll or before.roll)


def _format(
    nodes: dict[Position, Node],
    place: _Place,
    depth: int,
    options: argparse.Namespace,
    streams: Streams,
) -> str:
    root = place.state.position
    heading = place.sequence or _STARTS.get(root, "")
    about = describe_filters(filters_of(options))
    book = _book(options, streams, nodes.values())
    if options.to == "html":
        from gnubg_nactation.exports.explorer.html import format_explorer

        return format_explorer(
            nodes, place.state, heading, sequence=place.sequence, about=about, book=book
        )
    if options.to == "csv":
        return csv_text(list(placed(nodes, root, depth, place.sequence)))
    nacbracs = _nacbracs(nodes[root], place, options, streams)
    if options.to == "json":
        return json_lines(list(placed(nodes, root, depth, place.sequence)), nacbracs, book)
    if depth > 1:
        return format_tree(nodes, root, depth, heading, about, book)
    return format_node(nodes[root], heading, about, nacbracs, book)


def _book(
    options: argparse.Namespace, streams: Streams, nodes: Iterable[Node]
) -> BookAtScore | None:
    """Return the book of --book; without it, that of this program if it has one of the nodes."""
    if options.book == NONE or options.to == "csv":
        return None
    from gnubg_nactation.archive.book_at_score import BookAtScore, shipped_at
    from gnubg_nactation.cli.chart_sources import read_book

    score = score_of(at_score(GameState(), options.score or MONEY))
    if options.book:
        return BookAtScore(read_book(options.book, streams), score)
    return shipped_at(score, nodes)


def _nacbracs(
    node: Node, place: _Place, options: argparse.Namespace, streams: Streams
) -> dict[Roll, str]:
    """Return the engine's nacbrac of each roll with a choice; none without --engine."""
    if not names_engine(options):
        return {}
    from gnubg_nactation.decisions.nacbrac import nacbrac_text
    from gnubg_nactation.engines.book import NotInBookError
    from gnubg_nactation.engines.nacbracs import judge

    engine = options.open_engine()
    depth = Depth(engine.bot.usual if options.plies is None else options.plies)
    state = place.state if options.score is None else at_score(place.state, options.score)
    nacbracs = {}
    for row in node.rolls:
        if any(play.play for play in row.plays):
            about = f"{row.roll}: {engine.bot.level(depth)} by {engine.bot.name}"
            with waiting(streams, about), suppress(NotInBookError):
                decision = judge(engine, replace(state, roll=row.roll), depth)
                nacbracs[row.roll] = nacbrac_text(decision)
    return nacbracs
