"""`nactate book`: compute a book of the first rolls, and look at books."""

from __future__ import annotations

import argparse
from contextlib import closing
from functools import partial

from gnubg_nactation.archive.book_making import (
    MAX_ROLLS,
    MakingSettings,
    first_nodes,
    second_nodes,
    third_nodes,
)
from gnubg_nactation.cli.annotate_options import add_jobs_option, add_scheduler_option
from gnubg_nactation.cli.arguments import between, score_type
from gnubg_nactation.cli.book_writing import Level, computer, write_book
from gnubg_nactation.cli.books import check_text, compare_text, show_text
from gnubg_nactation.cli.chart_sources import opening_type
from gnubg_nactation.cli.dates import date_type, today
from gnubg_nactation.cli.progress import count_progress
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.engines import registry
from gnubg_nactation.engines.engine import MAX_PLIES
from gnubg_nactation.nacbracs.book import SHIPPED
from gnubg_nactation.nacbracs.book_format import format_header
from gnubg_nactation.nacbracs.score import MONEY, name_of_score
from gnubg_nactation.sequences.openings import OPENINGS, openings
from gnubg_nactation.tasks.settings import SettingsError

DESCRIPTION = """\
Compute a book, the best plays of the first rolls, and show, compare or check books.
`replies`, `explore` and `cards` read it. An interrupted `make` continues."""
EXAMPLES = f"""\
  nactate book show                       what the book of this program has
  nactate book show --at 31P              its replies to 31P
  nactate book check --engine builtin     compute a sample again
  nactate book make -o my.book            the replies for money
  nactate book make --rolls 3 --score money --score dmp --jobs 4 -o my.book
  nactate book compare my.book            with the book of this program

A FILE is a book, or `{SHIPPED}` (default) for the book of this program.
"""
_AFTER, _PLIES, _SAMPLE = 0.02, 2, 20
_FILES = {"make": 0, "show": 1, "compare": 2, "check": 1}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options] {make,show,compare,check} [FILE ...]"
    parser.add_argument("action", choices=tuple(_FILES), help="what to do")
    parser.add_argument(
        "files", metavar="FILE", nargs="*", help=f"books to read (default: {SHIPPED})"
    )
    parser.add_argument("--at", metavar="SEQUENCE", help="show the plays after this sequence")
    _add_engine_options(parser.add_argument_group("engine"))
    _add_making_options(parser.add_argument_group("make"))
    check = parser.add_argument_group("check")
    check.add_argument(
        "--sample",
        type=between(int, 1, 10**6),
        default=_SAMPLE,
        metavar="N",
        help=f"recompute N decisions (default: {_SAMPLE})",
    )
    check.add_argument(
        "--seed", type=int, default=1, metavar="N", help="which decisions to compute (default: 1)"
    )


def _add_engine_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--engine",
        choices=[entry.name for entry in registry.ENGINES],
        default=registry.ENGINES[0].name,
        help="engine that rates the plays (default: gnubg)",
    )
    group.add_argument(
        "--plies",
        type=int,
        choices=range(MAX_PLIES + 1),
        default=_PLIES,
        metavar="N",
        help=f"search depth in plies (0-{MAX_PLIES}, default: {_PLIES})",
    )


def _add_making_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("-o", "--output", metavar="FILE", help="book to write; .gz compresses it")
    group.add_argument(
        "--rolls",
        type=between(int, 1, MAX_ROLLS),
        default=2,
        metavar="N",
        help=f"number of rolls of a game (1-{MAX_ROLLS}, default: 2)",
    )
    group.add_argument(
        "--score",
        action="append",
        type=score_type,
        metavar="SCORE",
        help="score of the first two rolls; repeatable (default: money)",
    )
    group.add_argument(
        "--after",
        type=between(float, 0, 10, " points"),
        default=_AFTER,
        metavar="POINTS",
        help=f"with --rolls 3: only after replies that lose at most POINTS (default: {_AFTER})",
    )
    group.add_argument(
        "--third",
        action="append",
        type=opening_type,
        metavar="OPENING",
        help=f"with --rolls 3: only after this opening; repeatable (default: all {len(OPENINGS)})",
    )
    group.add_argument(
        "--date", type=date_type, metavar="YYYY-MM-DD", help="date in the header (default: today)"
    )
    add_jobs_option(group, "compute N rolls")
    add_scheduler_option(group, "compute")


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    if len(options.files) > _FILES[options.action]:
        raise SettingsError(f"too many files for {options.action}")
    if (options.output is None) == (options.action == "make"):
        raise SettingsError("-o goes with make, which needs it")
    if options.at and options.action != "show":
        raise SettingsError("--at goes with show")
    if options.action == "make":
        _make(options, streams)
        return Status.OK
    first, second = [*options.files, SHIPPED, SHIPPED][:2]
    if options.action == "show":
        streams.print(show_text(first, options.at, streams))
        return Status.OK
    if options.action == "compare":
        streams.print(compare_text(first, second, streams))
        return Status.OK
    text, is_right = check_text(first, options, streams)
    streams.print(text)
    return Status.OK if is_right else Status.FAILED


def _make(options: argparse.Namespace, streams: Streams) -> None:
    scores = list(dict.fromkeys(options.score or [MONEY]))
    if options.rolls == MAX_ROLLS and MONEY not in scores:
        raise SettingsError("third rolls come after the replies for money; add --score money")
    levels: list[Level] = [
        lambda _: first_nodes(scores),
        lambda _: second_nodes(scores),
        partial(third_nodes, within=options.after, firsts=options.third or openings()),
    ]
    settings = MakingSettings(options.engine, options.plies)
    compute = computer(settings, options.jobs, options.scheduler)
    header = _header(options, scores)
    with count_progress(streams, "positions") as watch:
        write_book(options.output, header, levels[: options.rolls], compute, watch)


def _header(options: argparse.Namespace, scores: list[str]) -> str:
    with closing(registry.new_engine(options.engine)) as engine:
        name, source = engine.name, engine.bot.label(engine.bot.depth(options.plies))
    names = [name_of_score(score) for score in scores]
    command = f"nactate book make --engine {options.engine} --plies {options.plies}"
    command += f" --rolls {options.rolls}" + "".join(f" --score={name}" for name in names)
    if options.rolls == MAX_ROLLS:
        command += f" --after {options.after}"
        command += "".join(f" --third={opening.token}" for opening in options.third or ())
    return format_header(
        {
            "source": source,
            "engine": name,
            "plies": str(options.plies),
            "date": options.date or today(),
            "scores": " ".join(names),
            "command": command,
        }
    )
