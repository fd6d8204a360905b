"""`nactate explore`: what was played in a position, in your own games, and what it cost."""

from __future__ import annotations

import argparse

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.archive.filters import check_filters, describe_filters
from gnubg_nactation.archive.nodes import ORDERS, Node, reordered, tree
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.cli.archive_options import add_filter_options, filters_of
from gnubg_nactation.cli.arguments import Joined, add_sequence_options, between
from gnubg_nactation.cli.engine import add_plies_option, is_weighed
from gnubg_nactation.cli.progress import waiting
from gnubg_nactation.cli.results import add_result_options, deliver, overwritten
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.subject import SUBJECT_HELP, read_subject
from gnubg_nactation.cli.terminal import add_color_option
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.errors import MalformedError
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
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, replace

if TYPE_CHECKING:
    from gnubg_nactation.archive.book_at_score import BookAtScore

DESCRIPTION = (
    "Tell what was played in a position by the games of a database that `nactate index` made: how "
    "often, what it lost by the analyses in the files, and what it brought with luck taken out and "
    "as it came. A position counts whatever sequence led to it. Behind each mean stands how far "
    "it may be off, 95 times of 100; results, which need thousands of games, order plays only if "
    "that is asked for."
)
EXAMPLES = """\
  nactate explore                          the first rolls of all games
  nactate explore 31P                      what was played after 31P
  nactate explore 31P-63                   only the 63
  nactate explore --me --since 2024 43D    in my own games since then
  nactate explore --depth 3 --min 10       the tree of openings
  nactate explore --engine gnubg 31P-63    with gnubg's nacbrac beside
  nactate explore --book theory.txt 31P    which plays leave a book of nacbracs
  nactate explore --to html -o openings.html
  nactate explore --json 4HPwATDgc/ABMA
  nactate explore match.sgf#2.13b          the position and roll of a decision
"""
_STARTS = {STANDARD: "start", NACKGAMMON: "nackgammon"}
_DEPTH, _PAGE_DEPTH, _DEEPEST = 1, 4, 40


class _Place(NamedTuple):
    """Where one looks: the sequence that leads there, if one is given, the state, and the roll."""

    sequence: str
    state: GameState
    roll: Roll | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "what",
        metavar="SUBJECT",
        nargs="*",
        action=Joined,
        help=f"{SUBJECT_HELP} (default: start)",
    )
    add_result_options(parser, ("text", "json", "csv", "html"))
    parser.add_argument(
        "--roll", metavar="ROLL", type=_roll, help="only this roll, two digits as in 31"
    )
    parser.add_argument(
        "--depth",
        type=between(int, 1, _DEEPEST),
        metavar="N",
        help="the tree of so many plays that follow each other (default: the plays of the "
        f"position alone; of a page {_PAGE_DEPTH})",
    )
    parser.add_argument(
        "--order",
        choices=ORDERS,
        default="error",
        help="what orders the plays of a roll: the mean error where two at least are known, else "
        "how often they were made (error, the default), that alone (count), or the mean result, "
        "adjusted for luck or plain",
    )
    parser.add_argument(
        "--book",
        metavar="FILE",
        help="a book of nacbracs, as `replies` reads it, to say which plays leave it; or `-`",
    )
    add_filter_options(parser)
    add_sequence_options(parser)
    add_plies_option(parser)
    add_color_option(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    if conflict := _option_conflict(options):
        streams.report(f"explore: {conflict}")
        return Status.USAGE
    place = _read(streams.text_of(options.what), options, streams)
    path = options.db or default_path()
    filters = filters_of(options)
    depth = options.depth or (_PAGE_DEPTH if options.to == "html" else _DEPTH)
    root = place.state.position
    with archive_at(path) as connection:
        check_filters(connection, filters)
        nodes = tree(connection, root, filters, depth)
        check_known(nodes[root], path, place.sequence, describe_filters(filters))
        nodes = {at: reordered(one, options.order) for at, one in nodes.items()}
        if place.roll:
            nodes[root] = of_roll(nodes[root], place.roll)
        text = _format(nodes, place, depth, options, streams)
    deliver(text, options, streams)
    return Status.OK


def _option_conflict(options: argparse.Namespace) -> str:
    """That options do not go together; empty if all do."""
    if options.plies is not None and not is_weighed(options):
        return "--plies goes with --engine"
    if is_weighed(options) and (options.to in {"csv", "html"} or (options.depth or 1) > 1):
        return "--engine tells of the rolls of one position, as text or JSON"
    if options.book and options.to == "csv":
        return "--book does nothing for --csv"
    if options.to == "html" and options.roll:
        return "--roll does nothing for a page, which has all of them"
    inputs = [options.db or default_path(), *filter(None, [options.book])]
    if found := overwritten(options.output, inputs):
        return f"-o would overwrite {found}"
    return ""


def _roll(text: str) -> Roll:
    try:
        return Roll.parse(text)
    except MalformedError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


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
    book = _book(options, streams)
    if options.to == "html":
        from gnubg_nactation.exports.explorer.html import format_explorer

        return format_explorer(
            nodes, place.state, heading, sequence=place.sequence, about=about, book=book
        )
    if options.to in {"json", "csv"}:
        found = list(placed(nodes, root, depth, place.sequence))
        return (
            csv_text(found)
            if options.to == "csv"
            else json_lines(found, _judged(nodes[root], place, options, streams), book)
        )
    if depth > 1:
        return format_tree(nodes, root, depth, heading, about, book)
    nacbracs = _judged(nodes[root], place, options, streams)
    return format_node(nodes[root], heading, about, nacbracs, book)


def _book(options: argparse.Namespace, streams: Streams) -> BookAtScore | None:
    """The book that is asked for, at the score that is."""
    if not options.book:
        return None
    from gnubg_nactation.archive.book_at_score import BookAtScore
    from gnubg_nactation.cli.chart_sources import read_book

    score = score_of(at_score(GameState(), options.score or MONEY))
    return BookAtScore(read_book(options.book, streams), score)


def _judged(
    node: Node, place: _Place, options: argparse.Namespace, streams: Streams
) -> dict[Roll, str]:
    """The nacbracs of an engine that is named, of each roll that leaves a choice."""
    if not is_weighed(options):
        return {}
    from gnubg_nactation.decisions.nacbrac import nacbrac_text
    from gnubg_nactation.engines.nacbracs import judge

    engine = options.open_engine()
    depth = Depth(engine.bot.usual if options.plies is None else options.plies)
    state = place.state if options.score is None else at_score(place.state, options.score)
    found = {}
    for row in node.rolls:
        if any(play.play for play in row.plays):
            with waiting(streams, f"{row.roll}: {engine.bot.level(depth)} by {engine.bot.name}"):
                decision = judge(engine, replace(state, roll=row.roll), depth)
            found[row.roll] = nacbrac_text(decision)
    return found
