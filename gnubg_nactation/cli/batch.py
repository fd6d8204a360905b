"""Many files by several processes: the results in the order of the files, whoever is faster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import lru_cache, partial
from io import BytesIO
from itertools import islice

from gnubg_nactation.cli.delivery import Job
from gnubg_nactation.cli.forms import AnnotateOptions
from gnubg_nactation.cli.inputs import read_at_most
from gnubg_nactation.cli.packed import Packed
from gnubg_nactation.cli.steps import Done, Order, Read, begin, finish
from gnubg_nactation.cli.uptodate import DoneList
from gnubg_nactation.cli.work import Failure, Result, attempt, work
from gnubg_nactation.engines.engine import Analyser
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.values import TypeVar

__all__ = ["by_processes", "in_order"]

_TOGETHER = 32  # files of one task, at most: handing a task over takes as long as a short file
_MOST_ON_WINDOWS = 61  # processes of a pool there
_AHEAD = 3  # tasks that wait for each process, so that none is idle and memory stays flat
_SHARES = 8  # tasks for each process, at least, so that all end at about the same time
_ENDING = 5.0  # seconds that a process has to clear up what it is at
T = TypeVar("T")
U = TypeVar("U")


def in_order(tasks: Iterable[T], start: Callable[[T], Callable[[], U]], ahead: int) -> Iterator[U]:
    """Do tasks, no more than `ahead` at a time.

    `start` begins a task and gives a function that waits for its result.
    """
    waiting: deque[Callable[[], U]] = deque()
    for task in tasks:
        waiting.append(start(task))
        if len(waiting) >= ahead:
            yield waiting.popleft()()
    while waiting:
        yield waiting.popleft()()


def by_processes(
    jobs: Packed[Job], order: Order, processes: int, engine: Analyser | None = None
) -> Generator[Done, None, None]:
    """Do files with so many processes, or one after the other here, by the engine if it is one.

    The processes read and write the files themselves. However this ends, they end too.
    """
    if processes == 1:
        for job in jobs:
            yield _do(job, order, partial(attempt, wanted=order.wanted, engine=engine))
        return
    size = max(1, min(_TOGETHER, len(jobs) // (processes * _SHARES)))
    size = 1 if order.wanted.plies is not None else size  # an analysis takes seconds
    with temporary_folder() as folder:
        new = partial(_pool, processes, folder)
        pools = [new()]  # of which the last is in use
        try:
            start = partial(_start, pools, new, order)
            for done in in_order(_together(jobs, order, size), start, processes * _AHEAD):
                yield from done
        except BaseException:
            for pool in pools:
                _end(pool)
            raise
        for pool in pools:
            pool.shutdown()


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


# --- in the process that gives the tasks ----------------------------------------------------


def _pool(processes: int, folder: str) -> ProcessPoolExecutor:
    # Spawned on every system alike: a fork would take over the locks of the caller's threads.
    context = multiprocessing.get_context("spawn")
    if sys.platform == "win32":
        processes = min(processes, _MOST_ON_WINDOWS)
    return ProcessPoolExecutor(
        processes, mp_context=context, initializer=_begin_worker, initargs=(folder,)
    )


def _start(
    pools: list[ProcessPoolExecutor],
    new: Callable[[], ProcessPoolExecutor],
    order: Order,
    files: Sequence[File],
) -> Callable[[], Sequence[Done]]:
    """Hand files over; where a process has died, which ends its pool, to a new pool."""
    try:
        future = _submit(pools[-1], order, files)
    except BrokenProcessPool:
        pools.append(new())
        future = _submit(pools[-1], order, files)

    def result() -> Sequence[Done]:
        with suppress(BrokenProcessPool):
            return future.result()
        return _alone(order, files)

    return result


def _submit(pool: ProcessPoolExecutor, order: Order, files: Sequence[File]) -> Future[list[Done]]:
    """Hand the files over. Ctrl-C waits so long: a process that starts meanwhile never sees it."""
    if sys.platform == "win32":
        return pool.submit(_do_files, files, order.wanted, order.force, order.megabytes)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_do_files, files, order.wanted, order.force, order.megabytes)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _alone(order: Order, files: Sequence[File]) -> Sequence[Done]:
    """Try again one by one, each in the process that none has ended so far."""
    found: list[Done] = []
    while len(found) < len(files):
        with _pool(1, tempfile.gettempdir()) as pool, suppress(BrokenProcessPool):
            for file in files[len(found) :]:
                found += _submit(pool, order, [file]).result()
            break
        found.append(Done(Failure("crashed", "the process that annotated it has died")))
    return found


def _end(pool: ProcessPoolExecutor) -> None:
    """End the processes now, whatever they are at."""
    processes = list((pool._processes or {}).values())  # noqa: SLF001 (public from Python 3.14 on)
    for process in processes:
        with suppress(OSError, ValueError):
            process.terminate()
    for process in processes:
        process.join(_ENDING)
    # Its thread, too: Python's end would wake it up while it closes what wakes it up.
    pool.shutdown(cancel_futures=True)


# --- in a process that does them ------------------------------------------------------------

_done_lists = lru_cache(maxsize=8)(DoneList)  # of this process


def _begin_worker(folder: str) -> None:
    """Leave Ctrl-C to the process that gives the tasks, and end with it.

    What is temporary goes into its folder, which outlives no worker that is ended.
    """
    tempfile.tempdir = folder
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do_files(
    files: Sequence[File], wanted: AnnotateOptions, force: bool, megabytes: int
) -> list[Done]:
    """Do the files; whoever is told to end meanwhile clears up first, else it ends at once."""
    try:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        try:
            orders = (
                Order(wanted, force, _done_lists, BytesIO(data), megabytes) for _, data in files
            )
            by = partial(work, wanted=wanted)
            return [_do(job, order, by) for (job, _), order in zip(files, orders, strict=True)]
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
    except SystemExit:  # nothing is half written any more; a pool would go on
        os._exit(1)
