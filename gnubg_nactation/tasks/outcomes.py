"""What can become of the work on a file: a result, or a failure that stops no other file."""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gnubg_nactation.errors import EngineError, NactationError
from gnubg_nactation.tasks.sources import ChangedError
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from gnubg_nactation.engines.cache import Cached

T = TypeVar("T")
DEBUG = "NACTATION_DEBUG"  # a variable of the environment
_engines: list[Cached] = []  # of this worker, which may have several threads
_idle: dict[str, list[Cached]] = {}  # those that do nothing, by name


class Failure(NamedTuple):
    """The reason why a file has no result; `where` names another file that causes it."""

    kind: str
    reason: str
    where: str = ""


def failure_of(error: OSError, kind: str) -> Failure:
    """Return the failure for an error of the system."""
    if isinstance(error, BrokenPipeError):
        raise error  # the reader of our output has gone; `main` handles this
    kind = "changing" if isinstance(error, ChangedError) else kind
    return Failure(kind, error.strerror or str(error), str(error.filename or ""))


def guarded(task: Callable[[], T]) -> T | Failure:
    """Return the result of a task, or the failure for its exception."""
    try:
        return task()
    except EngineError as error:
        return Failure("engine", str(error))
    except NactationError as error:
        return Failure("malformed", str(error))
    except MemoryError:
        return Failure("memory", "not enough memory")
    except Exception as error:
        if is_debugging():
            raise
        return Failure("internal", internal_error(error))


@contextmanager
def engine_of_worker(name: str) -> Iterator[Cached]:
    """Yield an engine, which stays open until the worker ends. Raises EngineError."""
    idle = _idle.setdefault(name, [])
    try:
        engine = idle.pop()
    except IndexError:
        from gnubg_nactation.engines.registry import open_engine

        engine = open_engine(name, threads=1)  # other workers use the other processors
        _engines.append(engine)
    try:
        yield engine
    finally:
        idle.append(engine)


@atexit.register
def close_engines() -> None:
    """Close the engines of this worker, also those at work."""
    _idle.clear()
    while _engines:
        _engines.pop().close()


def is_debugging() -> bool:
    """Whether internal errors show their traceback."""
    return os.environ.get(DEBUG, "0") not in {"", "0"}


def internal_error(error: Exception) -> str:
    """Return a line about an error that nothing in this program expects."""
    import traceback

    at = traceback.extract_tb(error.__traceback__)[-1]
    reason = f"{type(error).__name__}: {error}".splitlines()[0]
    hint = "" if is_debugging() else " (--debug shows the traceback)"
    return f"internal error at {at.name}, line {at.lineno}: {reason}{hint}"
