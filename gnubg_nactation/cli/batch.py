"""Many files by several processes: the results in the order of the files, whoever is faster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial

from gnubg_nactation.cli.forms import AnnotateOptions
from gnubg_nactation.cli.work import Failure, Result, attempt, work
from gnubg_nactation.engines.engine import Analyser
from gnubg_nactation.values import NamedTuple

__all__ = ["Outcome", "Task", "by_processes", "in_order"]

_AHEAD = 4  # files that wait for each process, so that none is idle and memory stays flat


class Task(NamedTuple):
    """A file's bytes and what is to be made of them; `known` is the result if there is one."""

    data: bytes
    wanted: AnnotateOptions
    known: Result | Failure | None = None


class Outcome(NamedTuple):
    """What became of a task."""

    task: Task
    result: Result | Failure


Start = Callable[[Task], Callable[[], "Result | Failure"]]


def in_order(tasks: Iterable[Task], start: Start, ahead: int) -> Iterator[Outcome]:
    """Do tasks, no more than `ahead` at a time.

    `start` begins a task and gives a function that waits for its result.
    """
    waiting: deque[tuple[Task, Result | Failure | Callable[[], Result | Failure]]] = deque()

    def first() -> Outcome:
        task, found = waiting.popleft()
        return Outcome(task, found() if callable(found) else found)

    for task in tasks:
        waiting.append((task, task.known or start(task)))
        if len(waiting) >= ahead:
            yield first()
    while waiting:
        yield first()


def by_processes(
    tasks: Iterable[Task], jobs: int, engine: Analyser | None = None
) -> Generator[Outcome, None, None]:
    """Do tasks with this many processes, one after the other here and by the engine if it is one.

    However this ends, the processes end too.
    """
    if jobs == 1:
        yield from in_order(tasks, lambda task: partial(attempt, task.data, task.wanted, engine), 1)
        return
    with tempfile.TemporaryDirectory(prefix="nactation-", ignore_cleanup_errors=True) as folder:
        pool = _pool(jobs, folder)
        try:
            yield from in_order(tasks, partial(_start, pool), jobs * _AHEAD)
        except BaseException:
            _end(pool)
            raise
        pool.shutdown()


def _pool(jobs: int, folder: str) -> ProcessPoolExecutor:
    # Spawned on every system alike: a fork would take over the locks of the caller's threads.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_begin_worker, initargs=(folder,)
    )


def _start(pool: ProcessPoolExecutor, task: Task) -> Callable[[], Result | Failure]:
    with suppress(BrokenProcessPool):
        future = pool.submit(work, task.data, task.wanted)

        def result() -> Result | Failure:
            with suppress(BrokenProcessPool):
                return future.result()
            return _alone(task)

        return result
    return partial(_alone, task)


def _alone(task: Task) -> Result | Failure:
    """Try again in a process of its own, for it may have been another file that broke the pool."""
    with _pool(1, tempfile.gettempdir()) as pool:
        try:
            return pool.submit(work, task.data, task.wanted).result()
        except BrokenProcessPool:
            return Failure("crashed", "the process that annotated it has died")


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


def _end(pool: ProcessPoolExecutor) -> None:
    """End the processes now, whatever they are at."""
    processes = list((pool._processes or {}).values())  # noqa: SLF001 (public from Python 3.14 on)
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        with suppress(OSError, ValueError):
            process.terminate()
    for process in processes:
        process.join(5)
