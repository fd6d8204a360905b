"""The built-in engine in wasmtime, which runs WebAssembly in CPython on any system."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TypeVar

from gnubg_nactation.engines.compiled import CompiledGnubg, failure
from gnubg_nactation.errors import EngineError
from gnubg_nactation.showing import quoted
from gnubg_nactation.system.extras import import_extra
from gnubg_nactation.values import Any, NamedTuple

T = TypeVar("T")
R = TypeVar("R")

_MAX_THREADS = 8  # each takes up to 40 MB
_WHAT = "The built-in engine"
MODULE, _SUMS = "gnubg.wasm", "SHA256SUMS"
SOURCE = "source.tar.gz"  # scripts/engine.sh and scripts/engine, for those who get the module


def find_folder() -> Path:
    """The folder of the engine: NACTATION_ENGINE, or that of the extra `engine`.

    Raises EngineError if there is none.
    """
    if variable := os.environ.get("NACTATION_ENGINE"):
        folder = Path(os.path.expanduser(variable))
        if not (folder / MODULE).is_file():
            raise EngineError(f"NACTATION_ENGINE names {quoted(variable)}, which has no {MODULE}")
        return folder
    package = import_extra("gnubg_nactation_engine", _WHAT, "engine", EngineError)
    return Path(package.__file__).parent


def open_compiled(folder: Path, *, threads: int = 1) -> CompiledGnubg:
    """The engine in a folder, which starts at its first question. Raises EngineError.

    `threads` is the number of processors for one question.
    """
    digest = _digest(folder)
    runtime = _Runtime(folder / MODULE, digest, threads)
    return CompiledGnubg(runtime.ask, f"{MODULE}:{digest}", runtime.stop, runtime.each)


def read_files(folder: Path) -> dict[str, bytes]:
    """The engine's module and the source of its build, by their names. Raises EngineError."""
    module = _read_module(folder / MODULE, _digest(folder))
    return {MODULE: module, SOURCE: _read(folder / SOURCE)}


def _digest(folder: Path) -> str:
    try:
        return (folder / _SUMS).read_text("ascii").split()[0]
    except (OSError, ValueError, IndexError):
        raise _unusable(folder / _SUMS, "is missing or damaged") from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unusable(path, f"cannot be read: {error.strerror}") from None


def _read_module(path: Path, digest: str) -> bytes:
    data = _read(path)
    if sha256(data).hexdigest() != digest:
        raise _unusable(path, "is damaged")
    return data


class _Instance(NamedTuple):
    """The engine in memory of its own, and the addresses of its question and its answer there."""

    store: Any
    exports: Any
    memory: Any
    question: int
    answer: int


class _Runtime:
    """The engine's module, started when needed; `digest` is the SHA-256 of its file.

    `threads` is how many questions it answers at the same time. Each takes memory of its own.
    """

    def __init__(self, path: Path, digest: str, threads: int) -> None:
        self._path = path
        self._digest = digest
        self._threads = min(threads, _MAX_THREADS)
        self._wasmtime = import_extra("wasmtime", _WHAT, "engine", EngineError)
        self._starting = Lock()
        self._compiled: tuple[Any, Any] | None = None  # wasmtime's engine, and the module
        self._idle: list[_Instance] = []
        self._pool: Any = None
        self._is_stopping = False

    def stop(self) -> None:
        """Free the memory when present questions are answered; the next one starts it again."""
        pool, self._pool = self._pool, None
        if pool:
            self._is_stopping = True
            pool.shutdown(cancel_futures=True)
            self._is_stopping = False
        self._idle.clear()

    def each(self, function: Callable[[T], R], values: Iterable[T]) -> Iterator[R]:
        """See compiled.Each."""
        if self._threads == 1:
            return map(function, values)
        if not self._pool:
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 (slow to import)

            self._pool = ThreadPoolExecutor(self._threads)
        results: Iterator[R] = self._pool.map(function, values)
        return results

    def ask(self, function: str, question: Sequence[int], *arguments: int) -> Sequence[float]:
        """See compiled.Ask. After an error the next question starts the engine again."""
        if self._is_stopping:
            raise EngineError(f"{_WHAT} was stopped")
        try:
            instance = self._take()
            store, exports, memory, at, start = instance
            memory.write(store, struct.pack(f"<{len(question)}i", *question), at)
            count = exports[function](store, *arguments)
            if count < 0:
                raise EngineError(f"{_WHAT} has no answer to {function}")
            answer = struct.unpack(f"<{count}f", memory.read(store, start, start + 4 * count))
        except (self._wasmtime.WasmtimeError, self._wasmtime.Trap) as error:
            reason = str(error).strip().splitlines()[-1].strip()
            raise failure(reason) from None
        except KeyError:
            raise _unusable(self._path, "belongs to another version") from None
        self._idle.append(instance)
        return answer

    def _take(self) -> _Instance:
        with suppress(IndexError):  # other threads take instances as well
            return self._idle.pop()
        return self._start()

    def _start(self) -> _Instance:
        with self._starting:
            engine, module = self._compiled = self._compiled or self._compile()
        linker = self._wasmtime.Linker(engine)
        linker.define_unknown_imports_as_traps(module)  # it has no access to anything
        store = self._wasmtime.Store(engine)
        exports = linker.instantiate(store, module).exports(store)
        exports["_initialize"](store)
        question, answer = exports["question"](store), exports["answer"](store)
        return _Instance(store, exports, exports["memory"], question, answer)

    def _compile(self) -> tuple[Any, Any]:
        module_bytes = _read_module(self._path, self._digest)
        config = self._wasmtime.Config()
        with suppress(self._wasmtime.WasmtimeError):  # the user's own settings may be wrong
            config.cache = True  # of compiled modules
        engine = self._wasmtime.Engine(config)
        return engine, self._wasmtime.Module(engine, module_bytes)


def _unusable(path: Path, trouble: str) -> EngineError:
    return EngineError(
        f"{path} {trouble}: install the extra `engine` again, or build it by scripts/engine.sh"
    )
