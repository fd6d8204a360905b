"""Annotating by the workers of a Dask cluster: for archives bigger than one machine.

The files are read and the results written here; the workers get bytes and give bytes, so they
need this package and no shared folder. A worker that dies is no loss: the scheduler gives its
files to the others. When none is left for most of a minute, the run ends; the next one goes on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from importlib import import_module

from gnubg_nactation import NactationError
from gnubg_nactation.cli.delivery import Job
from gnubg_nactation.cli.packed import Packed
from gnubg_nactation.cli.pool import in_order
from gnubg_nactation.cli.steps import BatchSettings, Done, begin, finish
from gnubg_nactation.cli.work import Failure, Result, work
from gnubg_nactation.showing import quoted
from gnubg_nactation.system.extras import import_extra
from gnubg_nactation.values import Any

_PREFIX = "dask://"
_AHEAD = 4  # files that wait for each thread of the cluster
_TIMEOUT = "10s"  # until a scheduler must have answered
_LOOK = 10.0  # seconds of waiting for a file before the workers are counted
_MAX_LOOKS = 5  # in a row without any worker


class ClusterError(NactationError):
    """The cluster cannot be used."""


class _LostError(ClusterError):
    """The workers or the scheduler have gone in the middle of the run."""


def by_scheduler(
    jobs: Packed[Job], settings: BatchSettings, address: str
) -> Generator[Done, None, None]:
    """Do files by the cluster whose scheduler is at `dask://host:port`, in order.

    Raises ClusterError if it cannot be used, or is lost: no worker is left and none comes back.
    """
    done = 0
    with closing(_connect(address)) as client:
        ahead = max(sum(client.nthreads().values()), 1) * _AHEAD
        try:
            for result in in_order(jobs, partial(_start, client, settings), ahead):
                yield result
                done += 1
        except _LostError as lost:
            raise ClusterError(
                f"{address}: {lost}; {done:,} of {len(jobs):,} files are done, "
                f"{len(jobs) - done:,} are not. Start one and run the same command again: "
                "it skips what is up to date"
            ) from None


def _connect(address: str) -> Any:
    if not address.startswith(_PREFIX):
        raise ClusterError(f"not a scheduler: {quoted(address)}, expected {_PREFIX}host:port")
    distributed = import_extra("distributed", "--scheduler", "cluster", ClusterError)
    # What is lost is reported in one line, and waiting tasks that are given up are no error.
    for name in ("distributed.client", "distributed.core", "distributed.comm", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        return distributed.Client(f"tcp://{address.removeprefix(_PREFIX)}", timeout=_TIMEOUT)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no scheduler answers at {address}: {error}") from None


@contextmanager
def _connected(client: Any) -> Iterator[None]:
    """Raise _LostError if what is asked of the cluster fails because its scheduler has gone."""
    try:
        yield
    except Exception as error:
        if isinstance(error, OSError) or client.status != "running":
            raise _LostError("the scheduler has gone") from None
        raise


def _start(client: Any, settings: BatchSettings, job: Job) -> Callable[[], Done]:
    read = begin(job, settings)
    if isinstance(read, Done):
        return lambda: read
    key = read._replace(data=b"")  # the bytes are kept by the cluster alone
    # `pure` is off: the same match twice is two tasks.
    with _connected(client):
        future = client.submit(work, read.data, settings.wanted, pure=False)

    def result() -> Done:
        try:
            with _connected(client):
                found: Result | Failure = _result(client, future)
        except ClusterError:
            raise
        except Exception as error:  # Dask's, where workers die with the same file again and again
            found = Failure("crashed", f"the workers could not do it: {error}")
        finally:
            future.release()
        return finish(job, key, found, settings)

    return result


def _result(client: Any, future: Any) -> Result | Failure:
    """Wait for what a worker makes of a file; _LostError if there is none to wait for."""
    timeout: Any = import_module("distributed").TimeoutError
    looks = 0
    while looks < _MAX_LOOKS:
        with suppress(timeout):
            result: Result | Failure = future.result(timeout=_LOOK)
            return result
        looks = 0 if client.nthreads() else looks + 1
    raise _LostError("no worker is left")
