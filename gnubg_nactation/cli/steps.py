"""Files annotated one by one: each is read, skipped if up to date, annotated and written."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from io import BytesIO
from itertools import islice

from gnubg_nactation.cli.forms import AnnotateOptions
from gnubg_nactation.cli.inputs import MEGABYTES, read_at_most, read_input
from gnubg_nactation.cli.pool import by_pool, task_size
from gnubg_nactation.cli.uptodate import ResultLog, key_of
from gnubg_nactation.cli.work import Failure, Job, Result, attempt, failure_of, work, write
from gnubg_nactation.engines.engine import Analyser
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import BinaryIO

result_log = lru_cache(maxsize=8)(ResultLog)  # files come folder by folder


class BatchSettings(NamedTuple):
    """The options of a run that are the same for all its files."""

    settings: AnnotateOptions
    force: bool  # even if the result is up to date
    stdin: BinaryIO
    megabytes: int = MEGABYTES  # the largest file


class Read(NamedTuple):
    """The bytes of a file to annotate, and the key of its result."""

    data: bytes
    key: str


class Done(NamedTuple):
    """The outcome for a file; the bytes of a result only if they go to standard output."""

    outcome: Result | Failure
    is_up_to_date: bool = False


def begin(job: Job, batch: BatchSettings) -> Read | Done:
    """Read a file; it is done if it cannot be read or its result is up to date."""
    try:
        data = read_input(job.source, batch.stdin, batch.megabytes)
    except OSError as error:
        return Done(failure_of(error, "unreadable"))
    if not job.target:
        return Read(data, "")
    key = key_of(data, batch.settings)
    if not batch.force:
        result = result_log(os.path.dirname(job.target)).find(job.target, key)
        if result:
            return Done(result, is_up_to_date=True)
    return Read(data, key)


def finish(job: Job, read: Read, outcome: Result | Failure, batch: BatchSettings) -> Done:
    """Write a result into its file and log it."""
    if isinstance(outcome, Failure) or not job.target:
        return Done(outcome)
    in_place = batch.settings.in_place
    try:
        write(job.target, outcome.data, lasting=in_place)
    except OSError as error:
        return Done(failure_of(error, "unwritable"))
    # The next run reads the file as it is now.
    key = key_of(outcome.data, batch.settings) if in_place else read.key
    result_log(os.path.dirname(job.target)).add(job.target, key, outcome)
    return Done(outcome._replace(data=b""))


def by_processes(
    jobs: Sequence[Job], batch: BatchSettings, processes: int, engine: Analyser | None = None
) -> Generator[Done, None, None]:
    """Annotate files with several processes, or in this one with the engine; results in order.

    The processes end with this generator.
    """
    if processes == 1:
        for job in jobs:
            yield _do(job, batch, partial(attempt, settings=batch.settings, engine=engine))
        return
    size = task_size(len(jobs), processes)
    if batch.settings.plies is not None:  # an analysis takes seconds
        size = 1
    do = partial(_do_files, batch=batch._replace(stdin=BytesIO()))
    crashed = Done(Failure("crashed", "the process that annotated it has died"))
    yield from by_pool(_tasks(jobs, batch, size), do, crashed, processes)


File = tuple[Job, bytes]  # the bytes are those of standard input if the job reads it


def _tasks(jobs: Iterable[Job], batch: BatchSettings, size: int) -> Iterator[Sequence[File]]:
    """Yield the files of each task, and shorten the logs of their folders."""
    shortened: str | None = None
    todo = iter(jobs)
    while files := list(islice(todo, size)):
        for _, target in files:
            if target and (folder := os.path.dirname(target)) != shortened:
                result_log(folder).shorten()
                shortened = folder
        yield [_with_input(job, batch) for job in files]


def _with_input(job: Job, batch: BatchSettings) -> File:
    if not job.source.is_standard_input:
        return job, b""
    try:
        return job, read_at_most(batch.stdin, batch.megabytes)
    except OSError as error:
        return job._replace(source=job.source._replace(error=error)), b""


def _do(job: Job, batch: BatchSettings, by: Callable[[bytes], Result | Failure]) -> Done:
    read = begin(job, batch)
    return finish(job, read, by(read.data), batch) if isinstance(read, Read) else read


def _do_files(files: Sequence[File], batch: BatchSettings) -> list[Done]:
    """Do the files of a task, in a worker."""
    by = partial(work, settings=batch.settings)
    return [_do(job, batch._replace(stdin=BytesIO(data)), by) for job, data in files]
