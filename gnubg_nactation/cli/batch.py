"""Many files by several processes: the results in the order of the files, whoever is faster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
import threading
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import NamedTuple

from gnubg_nactation.cli.forms import AnnotateOptions
from gnubg_nactation.cli.work import Failure, Result, attempt, work
from gnubg_nactation.engines.engine import Analyser

__all__ = ["Outcome", "Task", "by_processes", "in_order"]

_AHEAD = 4  # files that wait for each process, so that none is idle and memory stays flat


class Task(NamedTuple):
    """A file's bytes and what is to be made of them; `number` tells the caller which it is.

    `known` is the outcome where nothing is left to do.
    """

    number: int
    data: bytes
    wanted: AnnotateOptions
    sgf_only: bool
    known: Result | Failure | None = None


class Outcome(NamedTuple):
    """What became of a task."""

    task: Task
    result: Result | Failure


def by_processes(
    tasks: Iterator[Task], jobs: int, engine: Analyser | None = None
) -> Generator[Outcome, None, None]:
    """Do tasks with this many processes, one after the other here and by the engine if it is one.

    However this ends, the processes end too.
    """
    if jobs == 1:
        for task in tasks:
            known = task.known
            yield Outcome(task, known or attempt(task.data, task.wanted, task.sgf_only, engine))
        return
    # Spawned on every system alike: a fork would take over the locks of the caller's threads.
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="nactation-", ignore_cleanup_errors=True) as folder:
        pool = ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_begin_worker, initargs=(folder,)
        )
        try:
            yield from in_order(pool, tasks, jobs * _AHEAD)
        except BaseException:
            _end(pool)
            raise
        pool.shutdown()


def in_order(pool: Executor, tasks: Iterator[Task], ahead: int) -> Iterator[Outcome]:
    """Do tasks by a pool, no more than `ahead` at a time."""
    waiting: deque[tuple[Task, Future[Result | Failure] | None]] = deque()
    for task in tasks:
        waiting.append((task, None if task.known else _submit(pool, task)))
        if len(waiting) >= ahead:
            yield _take(*waiting.popleft())
    while waiting:
        yield _take(*waiting.popleft())


def _submit(pool: Executor, task: Task) -> Future[Result | Failure]:
    try:
        return pool.submit(work, task.data, task.wanted, task.sgf_only)
    except BrokenProcessPool as error:
        broken: Future[Result | Failure] = Future()
        broken.set_exception(error)
        return broken


def _take(task: Task, future: Future[Result | Failure] | None) -> Outcome:
    if future is None:
        return Outcome(task, task.known or _CRASHED)
    try:
        return Outcome(task, future.result())
    except BrokenProcessPool:
        return Outcome(task, _alone(task))


def _alone(task: Task) -> Result | Failure:
    """Try again in a process of its own, for it may have been another file that broke the pool."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        1, mp_context=context, initializer=_begin_worker, initargs=(tempfile.gettempdir(),)
    )
    with pool:
        try:
            return pool.submit(work, task.data, task.wanted, task.sgf_only).result()
        except BrokenProcessPool:
            return _CRASHED


_CRASHED = Failure("crashed", "the process that annotated it has died")


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
