"""The options of `nactate annotate`."""

from __future__ import annotations

import argparse
import os
import re
from contextlib import suppress

from gnubg_nactation.cli.engine import add_analyst_options
from gnubg_nactation.cli.forms import FORMS, LAYOUTS, AnnotateOptions
from gnubg_nactation.cli.inputs import MEGABYTES, add_encoding_option
from gnubg_nactation.cli.terminal import add_color_option
from gnubg_nactation.cli.writing_options import add_characters_option, add_style_options
from gnubg_nactation.decisions.severity import BLUNDER
from gnubg_nactation.engines.engine import GNUBG
from gnubg_nactation.showing import quoted


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare all options."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="a match file, a folder (searched for .mat, .txt, .sgf and .xg), a pattern, or `-`",
    )
    parser.add_argument("--to", choices=FORMS, help="the form of the result (default: text)")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE-or-FOLDER",
        help="where to write; a folder if it ends in / or is one, or if there are several files",
    )
    parser.add_argument(
        "--in-place", action="store_true", help="write the comments into the SGF files themselves"
    )
    add_encoding_option(parser)
    parser.add_argument(
        "--db",
        metavar="FILE",
        help="of --to html: tell beside each play how often it was made, and what it lost, in the "
        "games of this database, which `nactate index` makes",
    )
    add_largest_option(parser)
    _add_analysis_options(parser.add_argument_group("analysis"))
    _add_text_options(parser.add_argument_group("text and posts"))
    add_color_option(parser)
    _add_archive_options(parser.add_argument_group("archives"))


def _add_analysis_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--analyse",
        action="store_true",
        help="have an engine analyse the match anew, and tell the errors",
    )
    add_analyst_options(group)
    group.add_argument(
        "--errors",
        action="store_true",
        help="tell what was lost, in points, where the file holds an analysis",
    )
    group.add_argument(
        "--blunder",
        type=_points,
        default=BLUNDER,
        metavar="POINTS",
        help=f"what a blunder loses at least (default: {BLUNDER:.3f}; gnubg has 0.12); errors are "
        "from half of it, inaccuracies from a quarter",
    )
    group.add_argument(
        "--words",
        choices=("encouraging", "gnubg"),
        default="encouraging",
        help="words for the ratings: beside PR, to go on playing (default), or gnubg's own",
    )


def _add_text_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--layout",
        choices=LAYOUTS,
        default="columns",
        help="two columns (default), a row of tokens for each game, a row with the tokens in "
        "pairs, or a column of three characters a turn",
    )
    group.add_argument(
        "--traditional", action="store_true", help="add the plays in traditional notation"
    )
    add_characters_option(group)
    add_style_options(group)
    group.add_argument(
        "--boards",
        type=_boards,
        default="none",
        metavar="none|comments|blunders|N",
        help="draw the board where there is a comment, at blunders, or every N turns",
    )


def _add_archive_options(group: argparse._ArgumentGroup) -> None:
    add_jobs_option(group, "annotate")
    group.add_argument(
        "--scheduler",
        metavar="dask://HOST:PORT",
        help="let the workers of a Dask cluster annotate (needs the extra `cluster`)",
    )
    group.add_argument(
        "--force", action="store_true", help="annotate again what is up to date already"
    )
    group.add_argument(
        "--report", metavar="FILE", help="write what became of each file as JSON (and --summary)"
    )
    group.add_argument(
        "--summary",
        action="store_true",
        help="end with the numbers of files, games, plays and failures (default on a terminal)",
    )


def add_largest_option(parser: argparse._ActionsContainer) -> None:
    """Declare how large a file may be."""
    parser.add_argument(
        "--largest",
        type=_megabytes,
        default=MEGABYTES,
        metavar="MB",
        help=f"how many megabytes a file may have, or what comes by a pipe (default: {MEGABYTES})",
    )


def add_jobs_option(group: argparse._ActionsContainer, does: str) -> None:
    """Declare how many processes do what is done."""
    group.add_argument(
        "--jobs",
        type=_jobs,
        default=1,
        metavar="N",
        help=f"{does} N files at a time, 0: as many as there are processors (default: 1)",
    )


def settings_from(options: argparse.Namespace) -> AnnotateOptions:
    """What the options ask for; an analysis, of gnubg's usual depth, is to show the errors."""
    given = {
        name: getattr(options, name) for name in AnnotateOptions._fields if hasattr(options, name)
    }
    wanted = AnnotateOptions(**given)
    if not options.analyse:
        return wanted
    plies = GNUBG.depth(options.plies).plies
    return wanted._replace(plies=plies, errors=True)


def _boards(text: str) -> str | int:
    if text in {"none", "comments", "blunders"}:
        return text
    turns = re.fullmatch(r"(?:every[ -]?)?([1-9][0-9]{0,5})", text, re.ASCII)
    if turns:
        return int(turns[1])
    raise argparse.ArgumentTypeError(f"not none, comments, blunders or a number: {quoted(text)}")


def _points(text: str) -> float:
    with suppress(ValueError):
        if 0.001 <= float(text) <= 10:
            return float(text)
    raise argparse.ArgumentTypeError(f"not from 0.001 to 10 points: {quoted(text)}")


def _megabytes(text: str) -> int:
    if text.isdecimal() and 0 < int(text[:9]) <= 1_000_000:
        return int(text)
    raise argparse.ArgumentTypeError(f"not a number of megabytes: {text!r}")


def _jobs(text: str) -> int:
    if not text.isdecimal() or int(text) > 1000:
        raise argparse.ArgumentTypeError(f"not a number of processes: {quoted(text)}")
    return int(text) or os.cpu_count() or 1
