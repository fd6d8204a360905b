"""Where the result of a file goes, and how its failure is reported."""

from __future__ import annotations

import os
from pathlib import Path

from gnubg_nactation.cli.inputs import ChangedError, Input
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.cli.work import Failure, Result
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.values import NamedTuple


class Job(NamedTuple):
    """A file to read and the file for its result; None is standard output."""

    source: Input
    target: str | None

    @property
    def name(self) -> str:
        """The name of the file in messages."""
        return "standard input" if self.source.is_standard_input else self.source.path


def write(target: str, data: bytes, *, lasting: bool = False) -> None:
    """Write a result, unless the file holds it already. Raises OSError.

    The caller removes what an earlier run may have left in the folder.
    """
    if not os.path.isfile(target) or Path(target).read_bytes() != data:
        write_atomically(target, data, lasting=lasting, sweeps=False)


def failure_of(error: OSError, kind: str) -> Failure:
    """Return the failure for an error of the system."""
    if isinstance(error, BrokenPipeError):
        raise error  # nobody reads our output any more, which `main` handles
    kind = "changing" if isinstance(error, ChangedError) else kind
    return Failure(kind, error.strerror or str(error), str(error.filename or ""))


def report_outcome(job: Job, outcome: Result | Failure, streams: Streams) -> None:
    """Report a failure, or the warnings about a file that was annotated."""
    if isinstance(outcome, Failure):
        streams.report(f"{outcome.where or job.name}: {outcome.reason}")
        return
    for remark in outcome.remarks:
        streams.report(f"{job.name}: {remark}")
