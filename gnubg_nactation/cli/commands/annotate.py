"""`nactate annotate`: annotate matches with Nactation."""

from __future__ import annotations

import os

from gnubg_nactation.cli.annotate_options import add_options, settings_from
from gnubg_nactation.cli.forms import AnnotateOptions, by_suffix
from gnubg_nactation.cli.inputs import read_input
from gnubg_nactation.cli.progress import count_progress
from gnubg_nactation.cli.results import on_terminal, width_of
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.targets import find_jobs, usage_error
from gnubg_nactation.cli.work import (
    Failure,
    Job,
    Result,
    attempt,
    failure_of,
    report_outcome,
    write,
)
from gnubg_nactation.system.litter import sweep_files
from gnubg_nactation.tasks.settings import SettingsError
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from gnubg_nactation.engines.engine import Analyser

DESCRIPTION = """\
Annotate matches with Nactation.
Reads .xg, .mat, .txt and .sgf files; writes text, SGF, JSON, web pages or forum posts."""
EXAMPLES = """\
  nactate annotate match.xg                         print the move list
  nactate annotate -o match.html match.xg           a web page with boards
  nactate annotate --analyse --traditional match.mat
  nactate annotate --to sgf -o annotated/ matches/  all files of a folder
  nactate annotate --to json - < match.mat

Folders are searched with their subfolders. Results that are up to date are not written again.
"""


_TEXTS = {"text", "plain"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options] FILE ..."
    add_options(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    options.to = options.to or ("sgf" if options.in_place else by_suffix(options.output))
    jobs = find_jobs(options)
    if not jobs:
        streams.report(f"annotate: no match files in {', '.join(options.files)}")
        return Status.FAILED
    if problem := usage_error(options, jobs):
        raise SettingsError(problem)
    settings = settings_from(options)
    if settings.db is not None:
        from gnubg_nactation.archive.database import open_archive

        open_archive(settings.db).close()  # report a missing database once, not for each file
        options.force = True  # earlier results may be of another state of the database
    is_printed = options.to in _TEXTS and options.output in {None, "-"}
    if is_printed and (streams.stdout.isatty() or options.color == "always"):
        streams = on_terminal(streams, options)
        settings = settings._replace(width=width_of(streams))
    engine = None
    if options.analyse and not options.scheduler:
        engine = options.open_engine()  # report a missing engine once
        plies = engine.bot.depth(options.plies).plies
        settings = settings._replace(fingerprint=engine.fingerprint, plies=plies)
    if len(jobs) == 1 and not (options.report or options.summary or options.scheduler):
        return _run_one(jobs[0], settings, engine, options.largest, streams)
    from gnubg_nactation.cli.batch import run_many

    return run_many(jobs, settings, options, streams)


def _run_one(
    job: Job, settings: AnnotateOptions, engine: Analyser | None, megabytes: int, streams: Streams
) -> int:
    outcome: Result | Failure
    try:
        data = read_input(job.source, streams.stdin, megabytes)
        with count_progress(streams, "turns analysed") as watch:
            outcome = attempt(data, settings, engine, watch)
        if isinstance(outcome, Result):
            if job.target:
                sweep_files(os.path.dirname(job.target))
                write(job.target, outcome.data, lasting=settings.in_place)
            elif settings.to in _TEXTS:
                streams.print(outcome.data.decode())
            else:
                streams.write(outcome.data)
    except OSError as error:
        outcome = failure_of(error, "unreadable")
    report_outcome(job, outcome, streams)
    return Status.FAILED if isinstance(outcome, Failure) else Status.OK
