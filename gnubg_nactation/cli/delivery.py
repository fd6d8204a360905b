"""Where the result of a file goes, and what is said about it."""

from __future__ import annotations

import os

from gnubg_nactation.cli.inputs import ChangedError, Input
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.cli.work import Failure, Result
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.values import NamedTuple


class Job(NamedTuple):
    """A file to read and where its result goes; None is standard output."""

    source: Input
    target: str | None

    @property
    def name(self) -> str:
        """What the file is called in messages."""
        return "standard input" if self.source.is_standard_input else self.source.path


def write(target: str, data: bytes, *, lasting: bool = False) -> None:
    """Write a result into its file, but not if that holds it already; OSError.

    The folder is swept by who calls this, once for all its files.
    """
    if not os.path.isfile(target) or _content(target) != data:
        write_atomically(target, data, lasting=lasting, sweeps=False)


def failure_of(error: OSError, kind: str) -> Failure:
    """The failure that an error of the system is."""
    if isinstance(error, BrokenPipeError):
        raise error  # the reader of our output has gone, which `main` deals with
    kind = "changing" if isinstance(error, ChangedError) else kind
    return Failure(kind, error.strerror or str(error), str(error.filename or ""))


def report_outcome(job: Job, outcome: Result | Failure, streams: Streams) -> None:
    """Complain of a failure, or of what was wrong in a file that was annotated all the same."""
    if isinstance(outcome, Failure):
        streams.report(f"{outcome.where or job.name}: {outcome.reason}")
        return
    for remark in outcome.remarks:
        streams.report(f"{job.name}: {remark}")


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
