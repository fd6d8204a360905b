"""The engine that is wanted, by its name: the one place that opens one."""

from __future__ import annotations

from contextlib import ExitStack
from importlib.util import find_spec

from gnubg_nactation.engines.process import Process, find_gnubg
from gnubg_nactation.errors import EngineError
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gnubg_nactation.engines.cache import Cached
    from gnubg_nactation.engines.engine import Program, Report

__all__ = ["new_engine", "open_engine"]


def open_engine(
    name: str = "auto", *, threads: int, at_once: bool = False, report: Report | None = None
) -> Cached:
    """An engine with the answers kept for it, to be closed.

    The name is `gnubg`, `sage` or `auto`: gnubg where it is found, else Open Sage. `threads` is
    how many processors one question may use. gnubg starts at its first question, or `at_once`;
    `report` shows that an answer of it takes long.
    Raises EngineError if there is none.
    """
    path = _gnubg(name)
    with ExitStack() as started:
        process = Process(path, report) if path and at_once else None
        if process:
            started.callback(process.end)
        # Only now: gnubg gets ready while the rest is imported.
        from gnubg_nactation.engines.cache import Cached, open_store  # noqa: PLC0415

        engine = Cached(_engine(path, threads, process, report), open_store())
        started.pop_all()  # the process is the engine's
    return engine


def new_engine(name: str = "auto", *, threads: int = 1) -> Program:
    """The same without any kept answers."""
    return _engine(_gnubg(name), threads)


def _gnubg(name: str) -> str | None:
    """The path of gnubg if that is to be asked; None for Open Sage."""
    if name == "sage":
        return None
    try:
        return find_gnubg()
    except EngineError as error:
        if name == "gnubg":
            raise
        if find_spec("bgsage"):
            return None
        raise EngineError(
            f"{error}; `pip install 'gnubg-nactation[sage]'` brings another engine, Open Sage"
        ) from None


def _engine(
    path: str | None,
    threads: int,
    process: Process | None = None,
    report: Report | None = None,
) -> Program:
    # They are slow to import.
    if path is None:
        from gnubg_nactation.engines.sage import Sage  # noqa: PLC0415

        return Sage(threads=threads)
    from gnubg_nactation.engines.child import Gnubg  # noqa: PLC0415

    return Gnubg(path, threads=threads, process=process, report=report)
