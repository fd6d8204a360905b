"""Many files: each is read, skipped if its result is up to date, annotated and written.

Each folder of results has a log in the user's cache folder, so that a stopped run can continue. A
result is up to date if its file still has the logged size and time, and the same input, version
and settings would make it again. Losing the log costs only time.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import lru_cache, partial
from io import BytesIO
from itertools import islice
from operator import add

from gnubg_nactation.engines.engine import Program
from gnubg_nactation.showing import FORMAT, __version__, counted, json_text, read_json
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.system.resources import cache_folder
from gnubg_nactation.tasks.annotating import Counts, Rendering, Result, attempt, work
from gnubg_nactation.tasks.outcomes import Failure, failure_of
from gnubg_nactation.tasks.processes import (
    ClusterError,
    LostError,
    by_pool,
    connect,
    connected,
    in_order,
    task_size,
    tasks_ahead,
    wait_for,
)
from gnubg_nactation.tasks.sources import MEGABYTES, Job, read_at_most, read_input, write
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing import BinaryIO

_NAME = re.compile(rb'\{"name": ("(?:[^"\\]|\\.)*"), ')  # at the start of a line
_MAX_SPARE = 200  # old lines before a log is rewritten


def key_of(data: bytes, settings: Rendering) -> str:
    """Return a hash of everything that the result for these bytes depends on."""
    origin = settings.key.encode()
    return hashlib.sha256(origin + b"\0" + data).hexdigest()[:32]


class ResultLog:
    """The log of the results in one folder."""

    def __init__(self, folder: str) -> None:
        name = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:32]
        self._file = cache_folder() / "done" / f"{name}.jsonl"
        lines: list[bytes] = []
        with suppress(OSError):
            lines = self._file.read_bytes().splitlines()
        self._lines = {match[1]: line for line in lines if (match := _NAME.match(line))}
        self._spare = len(lines) - 2 * len(self._lines)

    def find(self, target: str, key: str) -> Result | None:
        """Return a result that is up to date, without the bytes that its file has."""
        line = self._lines.get(json.dumps(os.path.basename(target)).encode())
        if line is None or key.encode() not in line:
            return None
        with suppress(ValueError, TypeError, KeyError):  # a damaged line counts as none
            row = read_json(line)
            if row["key"] == key and row["stat"] == _stat(target):
                return _result(row)
        return None

    def add(self, target: str, key: str, result: Result) -> None:
        """Log a result that was just written; several processes may do so at once."""
        row = {
            "name": os.path.basename(target),
            "key": key,
            "stat": _stat(target),
            "remarks": result.remarks,
            "counts": result.counts,
        }
        with suppress(OSError):  # the cache is optional
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("ab") as file:
                file.write(json.dumps(row).encode() + b"\n")

    def shorten(self) -> None:
        """Rewrite the log if most of it is old."""
        if self._spare > _MAX_SPARE:
            with suppress(OSError):
                text = b"".join(line + b"\n" for line in self._lines.values())
                write_atomically(self._file, text, lasting=False)


def _result(row: dict[str, Any]) -> Result:
    """Return the result of a line; ValueError, TypeError or KeyError for a foreign line."""
    remarks, counts = row["remarks"], Counts(*row["counts"])
    "".join(remarks).encode("utf-8", "surrogateescape")  # as they will be written
    if not isinstance(remarks, list) or not all(type(n) is int and n >= 0 for n in counts):
        raise ValueError(row)
    return Result(b"", tuple(remarks), counts)


def _stat(path: str) -> list[int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]


result_log = lru_cache(maxsize=8)(ResultLog)  # files come folder by folder


class BatchSettings(NamedTuple):
    """The options of a run that are the same for all its files."""

    settings: Rendering
    force: bool  # even if the result is up to date
    stdin: BinaryIO
    megabytes: int = MEGABYTES  # the largest file


class Read(NamedTuple):
    """The bytes of a file to annotate, and the key of its result."""

    data: bytes
    key: str


class Done(NamedTuple):
    """The outcome for a file; the bytes of a result only if they go to standard output."""

    outcome: Result | Failure
    is_up_to_date: bool = False


def begin(job: Job, batch: BatchSettings) -> Read | Done:
    """Read a file; it is done if it cannot be read or its result is up to date."""
    try:
        data = read_input(job.source, batch.stdin, batch.megabytes)
    except OSError as error:
        return Done(failure_of(error, "unreadable"))
    if not job.target:
        return Read(data, "")
    key = key_of(data, batch.settings)
    if not batch.force:
        result = result_log(os.path.dirname(job.target)).find(job.target, key)
        if result:
            return Done(result, is_up_to_date=True)
    return Read(data, key)


def finish(job: Job, read: Read, outcome: Result | Failure, batch: BatchSettings) -> Done:
    """Write a result into its file and log it."""
    if isinstance(outcome, Failure) or not job.target:
        return Done(outcome)
    in_place = batch.settings.in_place
    try:
        write(job.target, outcome.data, lasting=in_place)
    except OSError as error:
        return Done(failure_of(error, "unwritable"))
    # The next run reads the file as it is now.
    key = key_of(outcome.data, batch.settings) if in_place else read.key
    result_log(os.path.dirname(job.target)).add(job.target, key, outcome)
    return Done(outcome._replace(data=b""))


def by_processes(
    jobs: Sequence[Job], batch: BatchSettings, processes: int, engine: Program | None = None
) -> Generator[Done, None, None]:
    """Annotate files with several processes, or in this one with the engine; results in order.

    The processes end with this generator.
    """
    if processes == 1:
        for job in jobs:
            yield _do(job, batch, partial(attempt, settings=batch.settings, engine=engine))
        return
    size = task_size(len(jobs), processes)
    if batch.settings.plies is not None:  # an analysis takes seconds
        size = 1
    do = partial(_do_files, batch=batch._replace(stdin=BytesIO()))
    crashed = Done(Failure("crashed", "the process that annotated it has died"))
    yield from by_pool(_tasks(jobs, batch, size), do, crashed, processes)


File = tuple[Job, bytes]  # the bytes are those of standard input if the job reads it


def _tasks(jobs: Iterable[Job], batch: BatchSettings, size: int) -> Iterator[Sequence[File]]:
    """Yield the files of each task, and shorten the logs of their folders."""
    shortened: str | None = None
    todo = iter(jobs)
    while files := list(islice(todo, size)):
        for _, target in files:
            if target and (folder := os.path.dirname(target)) != shortened:
                result_log(folder).shorten()
                shortened = folder
        yield [_with_input(job, batch) for job in files]


def _with_input(job: Job, batch: BatchSettings) -> File:
    if not job.source.is_standard_input:
        return job, b""
    try:
        return job, read_at_most(batch.stdin, batch.megabytes)
    except OSError as error:
        return job._replace(source=job.source._replace(error=error)), b""


def _do(job: Job, batch: BatchSettings, by: Callable[[bytes], Result | Failure]) -> Done:
    read = begin(job, batch)
    return finish(job, read, by(read.data), batch) if isinstance(read, Read) else read


def _do_files(files: Sequence[File], batch: BatchSettings) -> list[Done]:
    """Do the files of a task, in a worker."""
    by = partial(work, settings=batch.settings)
    return [_do(job, batch._replace(stdin=BytesIO(data)), by) for job, data in files]


# A cluster


def by_scheduler(
    jobs: Sequence[Job], batch: BatchSettings, address: str
) -> Generator[Done, None, None]:
    """Annotate files, in order, with the cluster whose scheduler is at `dask://host:port`.

    Raises ClusterError if the cluster cannot be used, or if all workers have gone.
    """
    done = 0
    with closing(connect(address)) as client:
        try:
            for result in in_order(jobs, partial(_start, client, batch), tasks_ahead(client)):
                yield result
                done += 1
        except LostError as lost:
            raise ClusterError(
                f"{address}: {lost}; {done:,} of {len(jobs):,} files are done, "
                f"{len(jobs) - done:,} are not. Start one and run the same command again: "
                "it skips what is up to date"
            ) from None


def _start(client: Any, batch: BatchSettings, job: Job) -> Callable[[], Done]:
    read = begin(job, batch)
    if isinstance(read, Done):
        return lambda: read
    key = read._replace(data=b"")  # only the cluster keeps the bytes
    # `pure` is off: the same match twice is two tasks.
    with connected(client):
        future = client.submit(work, read.data, batch.settings, pure=False)

    def result() -> Done:
        outcome: Result | Failure
        try:
            with connected(client):
                outcome = wait_for(client, future)
        except ClusterError:
            raise
        except Exception as error:  # from Dask if workers die with the same file again and again
            outcome = Failure("crashed", f"the workers could not do it: {error}")
        finally:
            future.release()
        return finish(job, key, outcome, batch)

    return result


# The account of a run


class Account:
    """The counts of a run; `rows` only for a report, as they take memory."""

    def __init__(self, *, keeps_rows: bool = False) -> None:
        self.keeps_rows = keeps_rows
        self.files = self.up_to_date = self.with_remarks = 0
        self.counts = Counts()
        self.failures: Counter[str] = Counter()
        self.rows: list[dict[str, Any]] = []

    def add(self, job: Job, outcome: Result | Failure, *, is_up_to_date: bool) -> None:
        """Count a file."""
        self.files += 1
        row: dict[str, Any] = {"file": job.name}
        if isinstance(outcome, Failure):
            self.failures[outcome.kind] += 1
            row |= {"status": outcome.kind, "reason": outcome.reason}
        else:
            self.up_to_date += is_up_to_date
            self.with_remarks += bool(outcome.remarks)
            self.counts = Counts(*map(add, self.counts, outcome.counts))
            row |= {"status": "up to date" if is_up_to_date else "done", "output": job.target}
            row |= outcome.counts._asdict() | {"remarks": list(outcome.remarks)}
        if self.keeps_rows:
            self.rows.append(row)

    def summary(self) -> str:
        """Return the counts on one line."""
        games, plays = self.counts.games, self.counts.plays
        text = f"{counted(self.files, 'file')}, {counted(games, 'game')}, {counted(plays, 'play')}"
        if self.up_to_date:
            text += f"; {self.up_to_date} already up to date"
        if self.with_remarks:
            text += f"; {self.with_remarks} with warnings"
        failed = self.failures.total()
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.failures.items()))
        return f"{text}; {failed} failed ({kinds})" if failed else text

    def as_json(self) -> bytes:
        """Return the whole account as JSON."""
        value = {
            "format": FORMAT,
            "version": __version__,
            "files": self.files,
            "failed": self.failures.total(),
            "failures": dict(sorted(self.failures.items())),
            "up_to_date": self.up_to_date,
            "with_remarks": self.with_remarks,
            **self.counts._asdict(),
            "results": self.rows,
        }
        return f"{json_text(value, indent=1)}\n".encode("utf-8", "surrogateescape")
