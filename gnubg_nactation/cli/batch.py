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
from gnubg_nactation.cli.steps import Done, Order, Read, begin, finish
from gnubg_nactation.cli.uptodate import DoneList
from gnubg_nactation.cli.work import Failure, Result, attempt, work
from gnubg_nactation.engines.engine import Analyser


def by_processes(
    jobs: Packed[Job], order: Order, processes: int, engine: Analyser | None = None
) -> Generator[Done, None, None]:
    """Do files with so many processes, or one after the other here, by the engine if it is one.

    The results come in the order of the files. However this ends, the processes end too.
    """
    if processes == 1:
        for job in jobs:
            yield _do(job, order, partial(attempt, wanted=order.wanted, engine=engine))
        return
    size = task_size(len(jobs), processes)
    size = 1 if order.wanted.plies is not None else size  # an analysis takes seconds
    wanted, force, megabytes = order.wanted, order.force, order.megabytes
    do = partial(_do_files, wanted=wanted, force=force, megabytes=megabytes)
    crashed = Done(Failure("crashed", "the process that annotated it has died"))
    yield from by_pool(_together(jobs, order, size), do, crashed, processes)


File = tuple[Job, bytes]  # with what is on standard input if the job is to read that


def _together(jobs: Iterable[Job], order: Order, size: int) -> Iterator[Sequence[File]]:
    """So many files at a time; the lists of what is done in their folders are put in order."""
    ordered: str | None = None
    todo = iter(jobs)
    while some := list(islice(todo, size)):
        for _, target in some:
            if target and (folder := os.path.dirname(target)) != ordered:
                order.done(folder).shorten()
                ordered = folder
        yield [_with_input(job, order) for job in some]


def _with_input(job: Job, order: Order) -> File:
    if not job.source.is_standard_input:
        return job, b""
    try:
        return job, read_at_most(order.stdin, order.megabytes)
    except OSError as error:
        return job._replace(source=job.source._replace(error=error)), b""


def _do(job: Job, order: Order, by: Callable[[bytes], Result | Failure]) -> Done:
    read = begin(job, order)
    return finish(job, read, by(read.data), order) if isinstance(read, Read) else read


_done_lists = lru_cache(maxsize=8)(DoneList)  # of the process that does the files


def _do_files(
    files: Sequence[File], wanted: AnnotateOptions, force: bool, megabytes: int
) -> list[Done]:
    orders = (Order(wanted, force, _done_lists, BytesIO(data), megabytes) for _, data in files)
    by = partial(work, wanted=wanted)
    return [_do(job, order, by) for (job, _), order in zip(files, orders, strict=True)]
