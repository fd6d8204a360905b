"""Annotating by the workers of a Dask cluster: for archives bigger than one machine.

The files are read and the results written here; the workers get bytes and give bytes, so they
need this package and no shared folder. A worker that dies is no loss: the scheduler gives its
files to the others.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import closing
from importlib import import_module
from typing import Any

from gnubg_nactation.cli.batch import Outcome, Task
from gnubg_nactation.cli.work import Failure, Result, work
from gnubg_nactation.errors import NactationError

__all__ = ["by_scheduler"]

_PREFIX = "dask://"
_AHEAD = 4  # files that wait for each thread of the cluster
_TIMEOUT = "10s"  # until a scheduler must have answered


class ClusterError(NactationError):
    """The cluster cannot be used."""


def by_scheduler(tasks: Iterator[Task], address: str) -> Generator[Outcome, None, None]:
    """Do tasks by the cluster whose scheduler is at `dask://host:port`, in order."""
    client = _connect(address)
    with closing(client):
        ahead = max(sum(client.nthreads().values()), 1) * _AHEAD
        waiting: deque[tuple[Task, Any]] = deque()
        for task in tasks:
            waiting.append((task, None if task.known else _submit(client, task)))
            if len(waiting) >= ahead:
                yield _take(*waiting.popleft())
        while waiting:
            yield _take(*waiting.popleft())


def _connect(address: str) -> Any:
    if not address.startswith(_PREFIX):
        raise ClusterError(f"not a scheduler: {address!r}, expected {_PREFIX}host:port")
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


def _submit(client: Any, task: Task) -> Any:
    # `pure` is off: the same match twice is two tasks.
    return client.submit(work, task.data, task.wanted, task.sgf_only, pure=False)


def _take(task: Task, future: Any) -> Outcome:
    if task.known is not None:
        return Outcome(task, task.known)
    try:
        result: Result | Failure = future.result()
    except (
        Exception
    ) as error:  # as Dask reports workers that die with the same file again and again
        return Outcome(task, Failure("crashed", f"the workers could not do it: {error}"))
    finally:
        future.release()
    return Outcome(task, result)
