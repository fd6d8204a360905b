"""Work for several processes, or for the workers of a Dask cluster, with results in order.

A process that dies costs one item. Workers of a cluster get and return bytes, so they need this
package and no shared folder. If a worker dies, the scheduler gives its work to others. If all have
gone for most of a minute, the run ends; the same command continues later.
"""

from __future__ import annotations

import logging
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
from contextlib import closing, contextmanager, suppress
from functools import partial
from importlib import import_module

from gnubg_nactation.errors import NactationError
from gnubg_nactation.showing import quoted
from gnubg_nactation.system.extras import import_extra
from gnubg_nactation.system.garbage import collect_seldom
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.values import Any, TypeVar

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
    collect_seldom()
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


# A cluster

_PREFIX = "dask://"
_AHEAD_OF_CLUSTER = 4  # tasks that wait for each thread of the cluster
_TIMEOUT = "10s"  # for the first answer of the scheduler
_LOOK = 10.0  # seconds to wait for a task between two counts of the workers
_MAX_LOOKS = 5  # in a row without any worker


class ClusterError(NactationError):
    """The cluster cannot be used."""


class LostError(ClusterError):
    """The workers or the scheduler have gone in the middle of the run."""


def tasks_by_scheduler(
    tasks: Iterable[Sequence[T]],
    do: Callable[[Sequence[T]], Sequence[U]],
    crashed: U,
    address: str,
) -> Generator[U, None, None]:
    """Yield the result of each item of each task, in order, from the workers of a cluster.

    `do` must return a result for each item; the result is `crashed` if workers died with its task
    again and again. Raises ClusterError if the cluster cannot be used, or if all workers have gone.
    """
    with closing(connect(address)) as client:
        killed: Any = import_module("distributed").KilledWorker

        def start(task: Sequence[T]) -> Callable[[], Sequence[U]]:
            with connected(client):
                future = client.submit(do, task, pure=False)

            def result() -> Sequence[U]:
                try:
                    with connected(client):
                        results: Sequence[U] = wait_for(client, future)
                        return results
                except killed:
                    return [crashed] * len(task)
                finally:
                    future.release()

            return result

        ahead = tasks_ahead(client)
        try:
            for results in in_order(tasks, start, ahead):
                yield from results
        except LostError as lost:
            raise ClusterError(
                f"{address}: {lost}; run the same command again to continue"
            ) from None


def connect(address: str) -> Any:
    """Return a client of the scheduler at `dask://host:port`. Raises ClusterError."""
    if not address.startswith(_PREFIX):
        raise ClusterError(f"not a scheduler: {quoted(address)}, expected {_PREFIX}host:port")
    distributed = import_extra("distributed", "--scheduler", "cluster", ClusterError)
    # A lost cluster is reported in one line, and dropped tasks are no error.
    for name in ("distributed.client", "distributed.core", "distributed.comm", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        return distributed.Client(f"tcp://{address.removeprefix(_PREFIX)}", timeout=_TIMEOUT)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no scheduler answers at {address}: {error}") from None


@contextmanager
def connected(client: Any) -> Iterator[None]:
    """Raise LostError for any exception if the scheduler has gone."""
    try:
        yield
    except Exception as error:
        if isinstance(error, OSError) or client.status != "running":
            raise LostError("the scheduler has gone") from None
        raise


def tasks_ahead(client: Any) -> int:
    """Return how many tasks a cluster should have, so that none of its threads waits."""
    threads: int = sum(client.nthreads().values())
    return max(threads, 1) * _AHEAD_OF_CLUSTER


def wait_for(client: Any, future: Any) -> Any:
    """Wait for the outcome of a task; LostError if no worker is left."""
    timeout: Any = import_module("distributed").TimeoutError
    looks = 0
    while looks < _MAX_LOOKS:
        with suppress(timeout):
            return future.result(timeout=_LOOK)
        looks = 0 if client.nthreads() else looks + 1
    raise LostError("no worker is left")
