"""The options of `nactate annotate`."""

from __future__ import annotations

import argparse
import os
import re
from contextlib import suppress

from gnubg_nactation.cli.engine import add_analyst_options
from gnubg_nactation.cli.inputs import add_encoding_option
from gnubg_nactation.cli.results_old import add_color_option
from gnubg_nactation.cli.writing_options import add_characters_option, add_style_options
from gnubg_nactation.decisions.severity import BLUNDER
from gnubg_nactation.engines.engine import GNUBG
from gnubg_nactation.showing import quoted
from gnubg_nactation.tasks.annotating import FORMS, LAYOUTS, Rendering
from gnubg_nactation.tasks.sources import MEGABYTES


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare all options."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="a match file (.xg, .mat, .txt, .sgf), a folder, a pattern, or `-` (standard input)",
    )
    parser.add_argument(
        "--to", choices=FORMS, help="format (default: by the ending of -o, else text)"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE-or-FOLDER",
        help="file to write, or a folder ending in / (default: standard output)",
    )
    parser.add_argument(
        "--in-place", action="store_true", help="write comments into the SGF files themselves"
    )
    add_encoding_option(parser)
    parser.add_argument(
        "--db",
        metavar="FILE",
        help="with --to html, add statistics from this database of `nactate index`",
    )
    add_largest_option(parser)
    _add_analysis_options(parser.add_argument_group("analysis"))
    _add_text_options(parser.add_argument_group("text and posts"))
    add_color_option(parser)
    _add_archive_options(parser.add_argument_group("many files"))


def _add_analysis_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--analyse",
        action="store_true",
        help="analyse the match with an engine, and show errors",
    )
    add_analyst_options(group)
    group.add_argument(
        "--errors",
        action="store_true",
        help="show errors in points, from the analysis in the file",
    )
    group.add_argument(
        "--blunder",
        type=_points,
        default=BLUNDER,
        metavar="POINTS",
        help="smallest loss of a blunder; half is an error, a quarter an inaccuracy "
        f"(default: {BLUNDER:.3f}; gnubg: 0.12)",
    )
    group.add_argument(
        "--words",
        choices=("encouraging", "gnubg"),
        default="encouraging",
        help="words for ratings: encouraging (default) or gnubg's",
    )


def _add_text_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--layout",
        choices=LAYOUTS,
        default="columns",
        help="arrange a game in two columns, a row, a row of pairs, or a column of turns "
        "(default: columns)",
    )
    group.add_argument(
        "--traditional", action="store_true", help="add each play in traditional notation"
    )
    add_characters_option(group)
    add_style_options(group)
    group.add_argument(
        "--boards",
        type=_boards,
        default="none",
        metavar="none|comments|blunders|N",
        help="draw boards at comments, at blunders, or every N turns (default: none)",
    )


def _add_archive_options(group: argparse._ArgumentGroup) -> None:
    add_jobs_option(group, "annotate N files")
    add_scheduler_option(group, "annotate")
    group.add_argument(
        "--force", action="store_true", help="annotate again even if results are up to date"
    )
    group.add_argument(
        "--report", metavar="FILE", help="write the result of each file as JSON; implies --summary"
    )
    group.add_argument(
        "--summary",
        action="store_true",
        help="end with a count of files, games, plays and failures (default: on a terminal)",
    )


def add_largest_option(parser: argparse._ActionsContainer) -> None:
    """Declare --largest, in megabytes."""
    parser.add_argument(
        "--largest",
        type=_megabytes,
        default=MEGABYTES,
        metavar="MB",
        help=f"largest input in MB (default: {MEGABYTES})",
    )


def add_jobs_option(group: argparse._ActionsContainer, work: str) -> None:
    """Declare --jobs, the number of processes."""
    group.add_argument(
        "--jobs",
        type=_jobs,
        default=1,
        metavar="N",
        help=f"{work} at a time (0: one per processor, default: 1)",
    )


def add_scheduler_option(group: argparse._ActionsContainer, verb: str) -> None:
    """Declare --scheduler, the address of a cluster."""
    group.add_argument(
        "--scheduler",
        metavar="dask://HOST:PORT",
        help=f"{verb} on a Dask cluster (needs the extra `cluster`)",
    )


def settings_from(options: argparse.Namespace) -> Rendering:
    """Return the settings that the options make; an analysis also shows errors."""
    names = (name for name in Rendering._fields if hasattr(options, name))
    settings = Rendering(**{name: getattr(options, name) for name in names})
    if not options.analyse:
        return settings
    return settings._replace(plies=GNUBG.depth(options.plies).plies, errors=True)


def _boards(text: str) -> str | int:
    if text in {"none", "comments", "blunders"}:
        return text
    turns = re.fullmatch(r"(?:every[ -]?)?([1-9][0-9]{0,5})", text, re.ASCII)
    if turns:
        return int(turns[1])
    raise argparse.ArgumentTypeError(f"{quoted(text)} is not none, comments, blunders or a number")


def _points(text: str) -> float:
    with suppress(ValueError):
        if 0.001 <= float(text) <= 10:
            return float(text)
    raise argparse.ArgumentTypeError(f"{quoted(text)} is not between 0.001 and 10 points")


def _megabytes(text: str) -> int:
    if text.isdecimal() and 0 < int(text[:9]) <= 1_000_000:
        return int(text)
    raise argparse.ArgumentTypeError(f"{quoted(text)} is not a number of megabytes")


def _jobs(text: str) -> int:
    if not text.isdecimal() or int(text) > 1000:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a number of processes")
    return int(text) or os.cpu_count() or 1
