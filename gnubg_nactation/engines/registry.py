"""The engines: an entry for each, and the one place that opens them.

An engine is a module with a class that follows `engine.Program`, and an entry in ENGINES.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

from gnubg_nactation.errors import EngineError
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gnubg_nactation.engines.cache import Cached
    from gnubg_nactation.engines.engine import Program, Report

AUTO = "auto"


class EngineEntry(NamedTuple):
    """How `--engine` names an engine, and how it is opened.

    `missing` says what is not installed, empty if all is. `open` takes the number of processors
    for one question, whether to start at once, and what reports a long wait. The engine itself
    knows its bot and its fingerprint.
    """

    name: str
    missing: Callable[[], str]
    open: Callable[[int, bool, Report | None], Program]


def _missing_gnubg() -> str:
    from gnubg_nactation.engines.process import find_gnubg  # noqa: PLC0415 (it imports json)

    try:
        find_gnubg()
    except EngineError as error:
        return str(error)
    return ""


def _open_gnubg(threads: int, at_once: bool, report: Report | None) -> Program:
    from gnubg_nactation.engines.process import Process, find_gnubg  # noqa: PLC0415 (as above)

    path = find_gnubg()
    process = Process(path, report) if at_once else None
    try:
        # Only now: gnubg gets ready while this is imported.
        from gnubg_nactation.engines.child import Gnubg  # noqa: PLC0415

        return Gnubg(path, threads=threads, process=process, report=report)
    except BaseException:
        if process:
            process.end()
        raise


def _missing_sage() -> str:
    return "" if find_spec("bgsage") else "Open Sage is not installed"


def _open_sage(threads: int, at_once: bool, report: Report | None) -> Program:  # noqa: ARG001
    from gnubg_nactation.engines.sage import Sage  # noqa: PLC0415 (slow to import)

    return Sage(threads=threads)


# In the order in which `auto` tries them.
ENGINES = (
    EngineEntry("gnubg", _missing_gnubg, _open_gnubg),
    EngineEntry("sage", _missing_sage, _open_sage),
)


def open_engine(
    name: str = AUTO, *, threads: int, at_once: bool = False, report: Report | None = None
) -> Cached:
    """Open an engine whose answers are kept in the cache; close it after use.

    `name` is that of an entry, or `auto` for the first that is installed. `threads` is the number
    of processors for one question. The engine starts at its first question, or `at_once`;
    `report` shows what is waited for. Raises EngineError if there is no such engine.
    """
    engine = _entry(name).open(threads, at_once, report)
    try:
        from gnubg_nactation.engines.cache import Cached, open_store  # noqa: PLC0415 (as above)

        return Cached(engine, open_store())
    except BaseException:
        engine.close()
        raise


def new_engine(name: str = AUTO, *, threads: int = 1) -> Program:
    """Open an engine without a cache; errors as of `open_engine`."""
    return _entry(name).open(threads, False, None)


def _entry(name: str) -> EngineEntry:
    if name != AUTO:
        return next(entry for entry in ENGINES if entry.name == name)
    problems = []
    for entry in ENGINES:
        problem = entry.missing()
        if not problem:
            return entry
        problems.append(problem)
    raise EngineError(
        f"{problems[0]}; `pip install 'gnubg-nactation[sage]'` brings another engine, Open Sage"
    )
