"""Work done by the workers of a Dask cluster, for archives bigger than one machine.

This process reads the files and writes the results. Workers get and return bytes, so they need
this package and no shared folder. If a worker dies, the scheduler gives its files to others. If
all have gone for most of a minute, the run ends; the same command continues later.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from importlib import import_module

from gnubg_nactation import NactationError
from gnubg_nactation.cli.pool import in_order
from gnubg_nactation.cli.steps import BatchSettings, Done, begin, finish
from gnubg_nactation.cli.work import Failure, Job, Result, work
from gnubg_nactation.showing import quoted
from gnubg_nactation.system.extras import import_extra
from gnubg_nactation.values import Any, TypeVar

_PREFIX = "dask://"
_AHEAD = 4  # files that wait for each thread of the cluster
_TIMEOUT = "10s"  # for the first answer of the scheduler
T = TypeVar("T")
U = TypeVar("U")
_LOOK = 10.0  # seconds to wait for a file between two counts of the workers
_MAX_LOOKS = 5  # in a row without any worker


class ClusterError(NactationError):
    """The cluster cannot be used."""


class _LostError(ClusterError):
    """The workers or the scheduler have gone in the middle of the run."""


def by_scheduler(
    jobs: Sequence[Job], batch: BatchSettings, address: str
) -> Generator[Done, None, None]:
    """Annotate files, in order, with the cluster whose scheduler is at `dask://host:port`.

    Raises ClusterError if the cluster cannot be used, or if all workers have gone.
    """
    done = 0
    with closing(_connect(address)) as client:
        ahead = max(sum(client.nthreads().values()), 1) * _AHEAD
        try:
            for result in in_order(jobs, partial(_start, client, batch), ahead):
                yield result
                done += 1
        except _LostError as lost:
            raise ClusterError(
                f"{address}: {lost}; {done:,} of {len(jobs):,} files are done, "
                f"{len(jobs) - done:,} are not. Start one and run the same command again: "
                "it skips what is up to date"
            ) from None


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
    with closing(_connect(address)) as client:
        killed: Any = import_module("distributed").KilledWorker

        def start(task: Sequence[T]) -> Callable[[], Sequence[U]]:
            with _connected(client):
                future = client.submit(do, task, pure=False)

            def result() -> Sequence[U]:
                try:
                    with _connected(client):
                        results: Sequence[U] = _wait(client, future)
                        return results
                except killed:
                    return [crashed] * len(task)
                finally:
                    future.release()

            return result

        ahead = max(sum(client.nthreads().values()), 1) * _AHEAD
        try:
            for results in in_order(tasks, start, ahead):
                yield from results
        except _LostError as lost:
            raise ClusterError(
                f"{address}: {lost}; run the same command again to continue"
            ) from None


def _connect(address: str) -> Any:
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
def _connected(client: Any) -> Iterator[None]:
    """Raise _LostError for any exception if the scheduler has gone."""
    try:
        yield
    except Exception as error:
        if isinstance(error, OSError) or client.status != "running":
            raise _LostError("the scheduler has gone") from None
        raise


def _start(client: Any, batch: BatchSettings, job: Job) -> Callable[[], Done]:
    read = begin(job, batch)
    if isinstance(read, Done):
        return lambda: read
    key = read._replace(data=b"")  # only the cluster keeps the bytes
    # `pure` is off: the same match twice is two tasks.
    with _connected(client):
        future = client.submit(work, read.data, batch.settings, pure=False)

    def result() -> Done:
        outcome: Result | Failure
        try:
            with _connected(client):
                outcome = _wait(client, future)
        except ClusterError:
            raise
        except Exception as error:  # from Dask if workers die with the same file again and again
            outcome = Failure("crashed", f"the workers could not do it: {error}")
        finally:
            future.release()
        return finish(job, key, outcome, batch)

    return result


def _wait(client: Any, future: Any) -> Any:
    """Wait for the outcome of a task; _LostError if no worker is left."""
    timeout: Any = import_module("distributed").TimeoutError
    looks = 0
    while looks < _MAX_LOOKS:
        with suppress(timeout):
            return future.result(timeout=_LOOK)
        looks = 0 if client.nthreads() else looks + 1
    raise _LostError("no worker is left")
