"""Many match files in one run: by several processes or a cluster, going on where a run stopped."""

from __future__ import annotations

import argparse
import os
from collections.abc import Generator
from contextlib import closing
from functools import lru_cache
from itertools import groupby

from gnubg_nactation.cli.batch import by_processes
from gnubg_nactation.cli.cluster import by_scheduler
from gnubg_nactation.cli.delivery import Job, failure_of, report_outcome
from gnubg_nactation.cli.forms import AnnotateOptions
from gnubg_nactation.cli.packed import Packed
from gnubg_nactation.cli.progress import progress
from gnubg_nactation.cli.report import Account, format_report
from gnubg_nactation.cli.steps import BatchSettings, Done
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.uptodate import ResultLog
from gnubg_nactation.cli.work import Failure, Result
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.system.litter import sweep_files


def run_many(
    jobs: Packed[Job], wanted: AnnotateOptions, options: argparse.Namespace, streams: Streams
) -> int:
    """Annotate the files in order; whatever is wrong with one, the others are done."""
    for folder, _ in groupby(os.path.dirname(target) for _, target in jobs if target):
        sweep_files(folder)
    account = Account(keeps_rows=options.report is not None)
    blank = b"\n" if wanted.to in {"text", "plain"} and wanted.layout == "columns" else b""
    between = b""
    log_of = lru_cache(maxsize=8)(ResultLog)  # files come folder by folder
    settings = BatchSettings(wanted, options.force, log_of, streams.stdin, options.largest)
    with (
        progress(streams, len(jobs)) as shown,
        closing(_all_done(jobs, settings, options)) as all_done,
    ):
        for job, (found, known) in zip(jobs, all_done, strict=True):
            outcome = found
            if isinstance(found, Result) and not job.target:
                outcome = _print(found, between, streams)
            if isinstance(outcome, Result):
                between = blank
            if isinstance(outcome, Failure) or outcome.remarks:
                shown.clear()
                report_outcome(job, outcome, streams)
            account.add(job.name, outcome, job.target, known=known)
            shown.show(account.files, account.failures.total())
    if options.report:
        write_atomically(options.report, format_report(account))
    streams.flush()  # what went wrong there comes before what became of all
    if options.summary or options.report or streams.stderr.isatty():
        streams.report(account.summary())
    return Status.FAILED if account.failures else Status.OK


def _all_done(
    jobs: Packed[Job], settings: BatchSettings, options: argparse.Namespace
) -> Generator[Done, None, None]:
    """What becomes of the files, one after the other, by processes or by a cluster."""
    if options.scheduler:
        return by_scheduler(jobs, settings, options.scheduler)
    engine = options.open_engine() if options.analyse else None
    return by_processes(jobs, settings, min(options.jobs, len(jobs)), engine)


def _print(result: Result, between: bytes, streams: Streams) -> Result | Failure:
    try:
        streams.print((between + result.data).decode("utf-8", "surrogateescape"))
    except OSError as error:
        return failure_of(error, "unwritable")
    return result
