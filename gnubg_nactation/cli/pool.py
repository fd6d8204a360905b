"""Tasks for several processes, with results in order; a process that dies costs one item."""

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
from functools import partial

from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.values import TypeVar

_MAX_TASK_FILES = 32  # handing a task over takes as long as a short file
_MAX_PROCESSES_ON_WINDOWS = 61
_AHEAD = 3  # waiting tasks per process, so that it is never idle and memory stays flat
_MIN_TASKS = 8  # per process, so that all end at about the same time
_END_SECONDS = 5.0  # a process may take to clean up
T = TypeVar("T")
U = TypeVar("U")


def in_order(tasks: Iterable[T], start: Callable[[T], Callable[[], U]], ahead: int) -> Iterator[U]:
    """Yield the results of tasks, at most `ahead` at a time.

    `start` begins a task and returns a function that waits for its result.
    """
    waiting: deque[Callable[[], U]] = deque()
    for task in tasks:
        waiting.append(start(task))
        if len(waiting) >= ahead:
            yield waiting.popleft()()
    while waiting:
        yield waiting.popleft()()


def task_size(files: int, processes: int) -> int:
    """Return how many files a task should have."""
    return max(1, min(_MAX_TASK_FILES, files // (processes * _MIN_TASKS)))


def by_pool(
    tasks: Iterable[Sequence[T]],
    do: Callable[[Sequence[T]], Sequence[U]],
    crashed: U,
    processes: int,
) -> Generator[U, None, None]:
    """Yield the result of each item of each task, or `crashed` if the process died.

    `do` must return a result for each item. The processes end with this generator.
    """
    with temporary_folder() as folder:
        new = partial(_pool, processes, folder)
        pools = [new()]  # the last one is in use
        try:
            start = partial(_start, pools, new, partial(_work, do), crashed)
            for done in in_order(tasks, start, processes * _AHEAD):
                yield from done
        except BaseException:
            for pool in pools:
                _end(pool)
            raise
        for pool in pools:
            pool.shutdown()


# In the process that hands out the tasks


def _pool(processes: int, folder: str) -> ProcessPoolExecutor:
    # Spawned on every system: a fork would inherit the locks of the caller's threads.
    context = multiprocessing.get_context("spawn")
    if sys.platform == "win32":
        processes = min(processes, _MAX_PROCESSES_ON_WINDOWS)
    return ProcessPoolExecutor(
        processes, mp_context=context, initializer=_begin_worker, initargs=(folder,)
    )


def _start(
    pools: list[ProcessPoolExecutor],
    new: Callable[[], ProcessPoolExecutor],
    work: Callable[[Sequence[T]], Sequence[U]],
    crashed: U,
    task: Sequence[T],
) -> Callable[[], Sequence[U]]:
    """Hand a task over, to a new pool if a dead process has ended the old one."""
    try:
        future = _submit(pools[-1], work, task)
    except BrokenProcessPool:
        pools.append(new())
        future = _submit(pools[-1], work, task)

    def result() -> Sequence[U]:
        with suppress(BrokenProcessPool):
            return future.result()
        return _alone(work, crashed, task)

    return result


def _submit(
    pool: ProcessPoolExecutor, work: Callable[[Sequence[T]], Sequence[U]], task: Sequence[T]
) -> Future[Sequence[U]]:
    """Hand a task over while Ctrl-C is blocked, so that a process started here never sees it."""
    if sys.platform == "win32":
        return pool.submit(work, task)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(work, task)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _alone(
    work: Callable[[Sequence[T]], Sequence[U]], crashed: U, task: Sequence[T]
) -> Sequence[U]:
    """Try the items again one by one, after each crash in a new process."""
    results: list[U] = []
    while len(results) < len(task):
        with _pool(1, tempfile.gettempdir()) as pool, suppress(BrokenProcessPool):
            for item in task[len(results) :]:
                results += _submit(pool, work, [item]).result()
            break
        results.append(crashed)
    return results


def _end(pool: ProcessPoolExecutor) -> None:
    """End the processes now, even in the middle of a task."""
    processes = list((pool._processes or {}).values())  # noqa: SLF001 (public from Python 3.14 on)
    for process in processes:
        with suppress(OSError, ValueError):
            process.terminate()
    for process in processes:
        process.join(_END_SECONDS)
    # Its thread, too: at exit, Python wakes it up through a pipe that may already be closed.
    pool.shutdown(cancel_futures=True)


# In a worker


def _begin_worker(folder: str) -> None:
    """Leave Ctrl-C to the process that hands out the tasks, and end with it.

    Temporary files go into its folder, which it removes.
    """
    tempfile.tempdir = folder
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(do: Callable[[Sequence[T]], Sequence[U]], task: Sequence[T]) -> Sequence[U]:
    """Do a task; SIGTERM lets it clean up, and between tasks ends the process at once."""
    try:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        try:
            return do(task)
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
    except SystemExit:  # cleaned up; a pool would go on
        os._exit(1)
