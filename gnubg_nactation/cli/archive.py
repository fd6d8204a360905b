"""Many match files in one run: by several processes or a cluster, going on where a run stopped."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path

from gnubg_nactation.cli.batch import Outcome, Task, by_processes
from gnubg_nactation.cli.delivery import Job, failed, say, write
from gnubg_nactation.cli.forms import AnnotateOptions
from gnubg_nactation.cli.inputs import read_input
from gnubg_nactation.cli.progress import progress
from gnubg_nactation.cli.report import Account, format_report
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.uptodate import DoneList, key_of
from gnubg_nactation.cli.work import Failure, Result
from gnubg_nactation.system.atomic import write_atomically

__all__ = ["run_many"]


def run_many(
    jobs: Sequence[Job], wanted: AnnotateOptions, options: argparse.Namespace, streams: Streams
) -> int:
    """Annotate the files in order; whatever is wrong with one, the others are done."""
    account = Account(keeps_rows=options.report is not None)
    blank = b"\n" if wanted.to in {"text", "plain"} and wanted.layout == "columns" else b""
    between = b""
    done = lru_cache(maxsize=8)(DoneList)  # files come folder by folder
    tasks = _tasks(jobs, wanted, options, streams, done)
    with (
        progress(streams, len(jobs)) as shown,
        closing(_outcomes(tasks, len(jobs), options)) as outcomes,
    ):
        for job, (task, found) in zip(jobs, outcomes, strict=True):
            known = task.known is not None
            outcome = found if known else _deliver(job, task, found, streams, between, done)
            if isinstance(outcome, Result):
                between = blank
            if isinstance(outcome, Failure) or outcome.remarks:
                shown.clear()
                say(job, outcome, streams)
            account.add(job.name, outcome, job.target, known=known)
            shown.show(account.files, account.failures.total())
    if options.report:
        write_atomically(Path(options.report), format_report(account))
    if options.summary or options.report or streams.stderr.isatty():
        streams.complain(account.summary())
    return Status.FAILED if account.failures else Status.OK


def _outcomes(
    tasks: Iterator[Task], count: int, options: argparse.Namespace
) -> Generator[Outcome, None, None]:
    """The tasks done, by processes or by a cluster."""
    if options.scheduler:
        from gnubg_nactation.cli.cluster import by_scheduler

        return by_scheduler(tasks, options.scheduler)
    engine = options.open_engine() if options.analyse else None
    return by_processes(tasks, min(options.jobs, count), engine)


def _tasks(
    jobs: Sequence[Job],
    wanted: AnnotateOptions,
    options: argparse.Namespace,
    streams: Streams,
    done: Callable[[Path], DoneList],
) -> Iterator[Task]:
    """Read the files one by one; what is up to date or cannot be read is a task that is done."""
    for job in jobs:
        known: Result | Failure | None = None
        data = b""
        try:
            data = read_input(job.source, streams.stdin)
        except OSError as error:
            known = failed(error, "unreadable")
        else:
            if job.target and not options.force:
                known = done(job.target.parent).find(job.target, key_of(data, wanted))
        yield Task(b"" if known else data, wanted, known)


def _deliver(
    job: Job,
    task: Task,
    outcome: Result | Failure,
    streams: Streams,
    between: bytes,
    done: Callable[[Path], DoneList],
) -> Result | Failure:
    """Write a result and note it as done."""
    if isinstance(outcome, Failure):
        return outcome
    try:
        write(job, outcome, streams, between)
    except OSError as error:
        return failed(error, "unwritable")
    if job.target:
        # In place, the result is what the next run will read.
        key = key_of(outcome.data if task.wanted.in_place else task.data, task.wanted)
        done(job.target.parent).add(job.target, key, outcome)
    return outcome
