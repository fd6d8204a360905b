"""Tasks done by several processes, the results in order: a process that dies costs one item."""

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


def task_size(files: int, processes: int) -> int:
    """How many files one task should have."""
    return max(1, min(_TOGETHER, files // (processes * _SHARES)))


def by_pool(
    tasks: Iterable[Sequence[T]],
    do: Callable[[Sequence[T]], Sequence[U]],
    crashed: U,
    processes: int,
) -> Generator[U, None, None]:
    """The result of each item of each task, by so many processes; `crashed` where one has died.

    `do` must give a result for each item of a task. However this ends, the processes end too.
    """
    with temporary_folder() as folder:
        new = partial(_pool, processes, folder)
        pools = [new()]  # of which the last is in use
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
    work: Callable[[Sequence[T]], Sequence[U]],
    crashed: U,
    task: Sequence[T],
) -> Callable[[], Sequence[U]]:
    """Hand a task over; where a process has died, which ends its pool, to a new pool."""
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
    """Hand a task over. Ctrl-C waits so long: a process that starts meanwhile never sees it."""
    if sys.platform == "win32":
        return pool.submit(work, task)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(work, task)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _alone(
    work: Callable[[Sequence[T]], Sequence[U]], crashed: U, task: Sequence[T]
) -> Sequence[U]:
    """Try again one by one, each in the process that none has ended so far."""
    found: list[U] = []
    while len(found) < len(task):
        with _pool(1, tempfile.gettempdir()) as pool, suppress(BrokenProcessPool):
            for item in task[len(found) :]:
                found += _submit(pool, work, [item]).result()
            break
        found.append(crashed)
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


def _work(do: Callable[[Sequence[T]], Sequence[U]], task: Sequence[T]) -> Sequence[U]:
    """Do a task; whoever is told to end meanwhile clears up first, else it ends at once."""
    try:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        try:
            return do(task)
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
    except SystemExit:  # nothing is half written any more; a pool would go on
        os._exit(1)
