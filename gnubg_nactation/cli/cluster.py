"""Annotating by the workers of a Dask cluster: for archives bigger than one machine.

The files are read and the results written here; the workers get bytes and give bytes, so they
need this package and no shared folder. A worker that dies is no loss: the scheduler gives its
files to the others.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from functools import partial
from importlib import import_module

from gnubg_nactation import NactationError
from gnubg_nactation.cli.delivery import Job
from gnubg_nactation.cli.pool import in_order
from gnubg_nactation.cli.steps import Done, Order, begin, finish
from gnubg_nactation.cli.work import Failure, Result, work
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import Any

__all__ = ["by_scheduler"]

_PREFIX = "dask://"
_AHEAD = 4  # files that wait for each thread of the cluster
_TIMEOUT = "10s"  # until a scheduler must have answered


class ClusterError(NactationError):
    """The cluster cannot be used."""


def by_scheduler(jobs: Iterable[Job], order: Order, address: str) -> Generator[Done, None, None]:
    """Do files by the cluster whose scheduler is at `dask://host:port`, in order."""
    with closing(_connect(address)) as client:
        ahead = max(sum(client.nthreads().values()), 1) * _AHEAD
        yield from in_order(jobs, partial(_start, client, order), ahead)


def _connect(address: str) -> Any:
    if not address.startswith(_PREFIX):
        raise ClusterError(f"not a scheduler: {quoted(address)}, expected {_PREFIX}host:port")
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise ClusterError(
            "--scheduler needs the extra: pip install 'gnubg-nactation[cluster]'"
        ) from None
    for part in ("client", "core", "comm"):  # that a worker was lost is no trouble to tell
        logging.getLogger(f"distributed.{part}").setLevel(logging.ERROR)
    try:
        return distributed.Client(f"tcp://{address.removeprefix(_PREFIX)}", timeout=_TIMEOUT)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no scheduler answers at {address}: {error}") from None


def _start(client: Any, order: Order, job: Job) -> Callable[[], Done]:
    read = begin(job, order)
    if isinstance(read, Done):
        return lambda: read
    key = read._replace(data=b"")  # the bytes are kept by the cluster alone
    # `pure` is off: the same match twice is two tasks.
    future = client.submit(work, read.data, order.wanted, pure=False)

    def result() -> Done:
        try:
            found: Result | Failure = future.result()
        except Exception as error:  # Dask's, where workers die with the same file again and again
            found = Failure("crashed", f"the workers could not do it: {error}")
        finally:
            future.release()
        return finish(job, key, found, order)

    return result
