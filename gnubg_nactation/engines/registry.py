"""The engines: an entry for each, and the functions that open them.

An engine is a module with a class that follows `engine.Program`, and an entry in ENGINES.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib.util import find_spec

from gnubg_nactation.errors import EngineError
from gnubg_nactation.showing import quoted
from gnubg_nactation.system.extras import import_extra, install_command
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TypeAlias

    from gnubg_nactation.engines.cache import Cached
    from gnubg_nactation.engines.engine import Program, Report

AUTO, BOOK = "auto", "book"
Opener: TypeAlias = "Callable[[int, bool, Report | None], Program]"


class EngineEntry(NamedTuple):
    """The name of an engine for `--engine`, and how to find it.

    `find` returns the function that opens it, or raises EngineError if it is not installed. That
    function takes the number of processors for one question, whether to start at once, and a
    function that reports long waits.
    """

    name: str
    find: Callable[[], Opener]


def _find_gnubg() -> Opener:
    from gnubg_nactation.engines.process import find_gnubg  # noqa: PLC0415 (it imports json)

    return partial(_open_gnubg, find_gnubg())


def _open_gnubg(path: str, threads: int, at_once: bool, report: Report | None) -> Program:
    from gnubg_nactation.engines.process import Process  # noqa: PLC0415 (as above)

    process = Process(path, report) if at_once else None
    try:
        # Imported only now, while gnubg starts.
        from gnubg_nactation.engines.child import Gnubg  # noqa: PLC0415

        return Gnubg(path, threads=threads, process=process, report=report)
    except BaseException:
        if process:
            process.end()
        raise


def _find_builtin() -> Opener:
    if sys.platform == "emscripten":  # in a web page
        from gnubg_nactation.engines.javascript import open_in_page  # noqa: PLC0415 (as above)

        engine = open_in_page()
        return lambda *_: engine
    from gnubg_nactation.engines.wasm import find_folder  # noqa: PLC0415 (it imports hashlib)

    if not find_spec("wasmtime"):  # importing it would take long
        import_extra("wasmtime", "The built-in engine", "engine", EngineError)
    return partial(_open_builtin, find_folder())


def _open_builtin(folder: Path, threads: int, at_once: bool, report: Report | None) -> Program:  # noqa: ARG001
    from gnubg_nactation.engines.wasm import open_compiled  # noqa: PLC0415 (as above)

    return open_compiled(folder, threads=threads)


def _find_sage() -> Opener:
    if not find_spec("bgsage"):  # importing it would take long
        import_extra("bgsage", "Open Sage", "sage", EngineError)
    return _open_sage


def _open_sage(threads: int, at_once: bool, report: Report | None) -> Program:  # noqa: ARG001
    from gnubg_nactation.engines.sage import Sage  # noqa: PLC0415 (slow to import)

    return Sage(threads=threads)


# In the order in which `auto` tries them.
ENGINES = (
    EngineEntry("gnubg", _find_gnubg),
    EngineEntry("builtin", _find_builtin),
    EngineEntry("sage", _find_sage),
)


def open_book(instead_of: EngineError | None = None) -> Program:
    """Open the book of this package as an engine; OSError if the book is missing.

    `instead_of` is the reason why no other engine can be used.
    """
    from gnubg_nactation.engines.book import BookEngine  # noqa: PLC0415 (slow to import)
    from gnubg_nactation.nacbracs.book import shipped_book  # noqa: PLC0415 (as above)

    return BookEngine(shipped_book(), instead_of)


def open_engine(
    name: str = AUTO, *, threads: int, at_once: bool = False, report: Report | None = None
) -> Cached:
    """Open an engine that caches its answers; close it after use.

    `name` is the name of an entry, or `auto` for the first installed engine. `threads` is the
    number of processors for one question. The engine starts at its first question, or `at_once`;
    `report` shows long waits. Raises EngineError if the engine is not installed.
    """
    engine = _find(name)(threads, at_once, report)
    try:
        from gnubg_nactation.engines.cache import Cached, open_store  # noqa: PLC0415 (as above)

        return Cached(engine, open_store())
    except BaseException:
        engine.close()
        raise


def new_engine(name: str = AUTO) -> Program:
    """Open an engine without a cache; names and errors as for `open_engine`."""
    return _find(name)(1, False, None)


def wrong_gnubg() -> str:
    """Return what is wrong with NACTATION_GNUBG; empty if it is not set, right, or `none`."""
    from gnubg_nactation.engines.process import NO_GNUBG, find_gnubg  # noqa: PLC0415 (as above)

    if os.environ.get("NACTATION_GNUBG") not in {None, "", NO_GNUBG}:
        try:
            find_gnubg()
        except EngineError as error:
            return str(error)
    return ""


def _find(name: str) -> Opener:
    if name != AUTO:
        finders = {entry.name: entry.find for entry in ENGINES}
        if name not in finders:
            names = ", ".join((AUTO, *finders))
            raise EngineError(f"no engine is called {quoted(name)}; expected one of: {names}")
        return finders[name]()
    if os.environ.get("NACTATION_ENGINE"):
        from gnubg_nactation.engines.wasm import find_folder  # noqa: PLC0415 (as above)

        find_folder()  # a wrong folder is an error, even if gnubg is used
    try:
        return ENGINES[0].find()
    except EngineError as error:
        for entry in ENGINES[1:]:
            with suppress(EngineError):
                return entry.find()
        builtin, sage = install_command("engine"), install_command("sage")
        raise EngineError(
            f"{error}; or install the built-in engine: {builtin}, or Open Sage: {sage}"
        ) from None
