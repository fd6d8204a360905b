"""Many match files in one run, with a summary and a report."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import groupby
from operator import add

from gnubg_nactation import __version__
from gnubg_nactation.cli.cluster import by_scheduler
from gnubg_nactation.cli.contents import write_contents
from gnubg_nactation.cli.forms import AnnotateOptions
from gnubg_nactation.cli.progress import progress
from gnubg_nactation.cli.steps import BatchSettings, Done, by_processes, result_log
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.work import Counts, Failure, Job, Result, failure_of, report_outcome
from gnubg_nactation.showing import FORMAT, counted, json_text
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.system.litter import sweep_files
from gnubg_nactation.values import Any


def run_many(
    jobs: Sequence[Job], settings: AnnotateOptions, options: argparse.Namespace, streams: Streams
) -> int:
    """Annotate files in order; a failure does not stop the run."""
    for folder, _ in groupby(os.path.dirname(target) for _, target in jobs if target):
        sweep_files(folder)
    account = _Account(keeps_rows=options.report is not None)
    blank = b"\n" if settings.to in {"text", "plain"} and settings.layout == "columns" else b""
    between = b""
    batch = BatchSettings(settings, options.force, streams.stdin, options.largest)
    result_log.cache_clear()  # another process may have written since
    with (
        progress(streams, len(jobs)) as bar,
        closing(_all_done(jobs, batch, options)) as all_done,
    ):
        for job, done in zip(jobs, all_done, strict=True):
            outcome = done.outcome
            if isinstance(outcome, Result) and not job.target:
                outcome = _print(outcome, between, streams)
            if isinstance(outcome, Result):
                between = blank
            if isinstance(outcome, Failure) or outcome.remarks:
                bar.clear()
                report_outcome(job, outcome, streams)
            account.add(job, outcome, is_up_to_date=done.is_up_to_date)
            bar.show(account.files, account.failures.total())
    if settings.to == "html":
        write_contents([target for _, target in jobs if target], options.output)
    if options.report:
        write_atomically(options.report, account.as_json())
    streams.flush()  # an error of standard output comes before the summary
    if options.summary or options.report or streams.stderr.isatty():
        streams.report(account.summary())
    return Status.FAILED if account.failures else Status.OK


def _all_done(
    jobs: Sequence[Job], batch: BatchSettings, options: argparse.Namespace
) -> Generator[Done, None, None]:
    if options.scheduler:
        return by_scheduler(jobs, batch, options.scheduler)
    engine = options.open_engine() if options.analyse else None
    return by_processes(jobs, batch, min(options.jobs, len(jobs)), engine)


def _print(result: Result, between: bytes, streams: Streams) -> Result | Failure:
    try:
        streams.print((between + result.data).decode("utf-8", "surrogateescape"))
    except OSError as error:
        return failure_of(error, "unwritable")
    return result


@dataclass
class _Account:
    """The counts of a run; `rows` only for a report, as they take memory."""

    keeps_rows: bool = False
    files: int = 0
    up_to_date: int = 0
    with_remarks: int = 0
    counts: Counts = field(default_factory=Counts)
    failures: Counter[str] = field(default_factory=Counter)
    rows: list[dict[str, Any]] = field(default_factory=list)

    def add(self, job: Job, outcome: Result | Failure, *, is_up_to_date: bool) -> None:
        """Count a file."""
        self.files += 1
        row: dict[str, Any] = {"file": job.name}
        if isinstance(outcome, Failure):
            self.failures[outcome.kind] += 1
            row |= {"status": outcome.kind, "reason": outcome.reason}
        else:
            self.up_to_date += is_up_to_date
            self.with_remarks += bool(outcome.remarks)
            self.counts = Counts(*map(add, self.counts, outcome.counts))
            row |= {"status": "up to date" if is_up_to_date else "done", "output": job.target}
            row |= outcome.counts._asdict() | {"remarks": list(outcome.remarks)}
        if self.keeps_rows:
            self.rows.append(row)

    def summary(self) -> str:
        """Return the counts on one line."""
        games, plays = self.counts.games, self.counts.plays
        text = f"{counted(self.files, 'file')}, {counted(games, 'game')}, {counted(plays, 'play')}"
        if self.up_to_date:
            text += f"; {self.up_to_date} already up to date"
        if self.with_remarks:
            text += f"; {self.with_remarks} with warnings"
        failed = self.failures.total()
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.failures.items()))
        return f"{text}; {failed} failed ({kinds})" if failed else text

    def as_json(self) -> bytes:
        """Return the whole account as JSON."""
        value = {
            "format": FORMAT,
            "version": __version__,
            "files": self.files,
            "failed": self.failures.total(),
            "failures": dict(sorted(self.failures.items())),
            "up_to_date": self.up_to_date,
            "with_remarks": self.with_remarks,
            **self.counts._asdict(),
            "results": self.rows,
        }
        return f"{json_text(value, indent=1)}\n".encode("utf-8", "surrogateescape")
