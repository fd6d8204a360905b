"""Many files by several processes, which read them and write the results themselves."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from io import BytesIO
from itertools import islice

from gnubg_nactation.cli.delivery import Job
from gnubg_nactation.cli.forms import AnnotateOptions
from gnubg_nactation.cli.inputs import read_at_most
from gnubg_nactation.cli.packed import Packed
from gnubg_nactation.cli.pool import by_pool, task_size
from gnubg_nactation.cli.steps import BatchSettings, Done, Read, begin, finish
from gnubg_nactation.cli.uptodate import ResultLog
from gnubg_nactation.cli.work import Failure, Result, attempt, work
from gnubg_nactation.engines.engine import Analyser


def by_processes(
    jobs: Packed[Job], settings: BatchSettings, processes: int, engine: Analyser | None = None
) -> Generator[Done, None, None]:
    """Do files with so many processes, or one after the other here, by the engine if it is one.

    The results come in the order of the files. However this ends, the processes end too.
    """
    if processes == 1:
        for job in jobs:
            yield _do(job, settings, partial(attempt, wanted=settings.wanted, engine=engine))
        return
    size = task_size(len(jobs), processes)
    size = 1 if settings.wanted.plies is not None else size  # an analysis takes seconds
    wanted, force, megabytes = settings.wanted, settings.force, settings.megabytes
    do = partial(_do_files, wanted=wanted, force=force, megabytes=megabytes)
    crashed = Done(Failure("crashed", "the process that annotated it has died"))
    yield from by_pool(_together(jobs, settings, size), do, crashed, processes)


File = tuple[Job, bytes]  # with what is on standard input if the job is to read that


def _together(jobs: Iterable[Job], settings: BatchSettings, size: int) -> Iterator[Sequence[File]]:
    """So many files at a time; the lists of what is done in their folders are put in order."""
    ordered: str | None = None
    todo = iter(jobs)
    while some := list(islice(todo, size)):
        for _, target in some:
            if target and (folder := os.path.dirname(target)) != ordered:
                settings.log_of(folder).shorten()
                ordered = folder
        yield [_with_input(job, settings) for job in some]


def _with_input(job: Job, settings: BatchSettings) -> File:
    if not job.source.is_standard_input:
        return job, b""
    try:
        return job, read_at_most(settings.stdin, settings.megabytes)
    except OSError as error:
        return job._replace(source=job.source._replace(error=error)), b""


def _do(job: Job, settings: BatchSettings, by: Callable[[bytes], Result | Failure]) -> Done:
    read = begin(job, settings)
    return finish(job, read, by(read.data), settings) if isinstance(read, Read) else read


_result_logs = lru_cache(maxsize=8)(ResultLog)  # of the process that does the files


def _do_files(
    files: Sequence[File], wanted: AnnotateOptions, force: bool, megabytes: int
) -> list[Done]:
    settings = (
        BatchSettings(wanted, force, _result_logs, BytesIO(data), megabytes) for _, data in files
    )
    by = partial(work, wanted=wanted)
    return [_do(job, its, by) for (job, _), its in zip(files, settings, strict=True)]
