"""The steps of one file of many: read, found up to date or not, written, noted as done."""

from __future__ import annotations

import os
from collections.abc import Callable

from gnubg_nactation.cli.delivery import Job, failure_of, write
from gnubg_nactation.cli.forms import AnnotateOptions
from gnubg_nactation.cli.inputs import MEGABYTES, read_input
from gnubg_nactation.cli.uptodate import ResultLog, key_of
from gnubg_nactation.cli.work import Failure, Result
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import BinaryIO


class BatchSettings(NamedTuple):
    """The options of a run that are the same for all its files."""

    wanted: AnnotateOptions
    force: bool  # even if the result is up to date
    log_of: Callable[[str], ResultLog]  # of the results in a folder
    stdin: BinaryIO
    megabytes: int = MEGABYTES  # that a file may have


class Read(NamedTuple):
    """A file that is to be annotated, and what its result depends on."""

    data: bytes
    key: str


class Done(NamedTuple):
    """What became of a file; a result that is `known` is up to date, and not made again.

    The bytes of a result are there only if they go to standard output.
    """

    outcome: Result | Failure
    known: bool = False


def begin(job: Job, settings: BatchSettings) -> Read | Done:
    """Read a file; one that cannot be read or is up to date is done."""
    try:
        data = read_input(job.source, settings.stdin, settings.megabytes)
    except OSError as error:
        return Done(failure_of(error, "unreadable"))
    if not job.target:
        return Read(data, "")
    key = key_of(data, settings.wanted)
    if not settings.force:
        known = settings.log_of(os.path.dirname(job.target)).find(job.target, key)
        if known:
            return Done(known, known=True)
    return Read(data, key)


def finish(job: Job, read: Read, outcome: Result | Failure, settings: BatchSettings) -> Done:
    """Write a result into its file and note it."""
    if isinstance(outcome, Failure) or not job.target:
        return Done(outcome)
    in_place = settings.wanted.in_place
    try:
        write(job.target, outcome.data, lasting=in_place)
    except OSError as error:
        return Done(failure_of(error, "unwritable"))
    # In place, the result is what the next run will read.
    key = key_of(outcome.data, settings.wanted) if in_place else read.key
    settings.log_of(os.path.dirname(job.target)).add(job.target, key, outcome)
    return Done(outcome._replace(data=b""))
