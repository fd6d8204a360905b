"""The built-in engine in wasmtime, which runs WebAssembly in CPython on any system."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from gnubg_nactation.engines.compiled import CompiledGnubg
from gnubg_nactation.errors import EngineError
from gnubg_nactation.showing import quoted
from gnubg_nactation.system.extras import import_extra
from gnubg_nactation.values import Any

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


def open_compiled(folder: Path) -> CompiledGnubg:
    """The engine in a folder, which starts at its first question. Raises EngineError."""
    digest = _digest(folder)
    runtime = _Runtime(folder / MODULE, digest)
    return CompiledGnubg(runtime.ask, f"{MODULE}:{digest}", runtime.stop)


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


class _Runtime:
    """The engine's module, started when needed; `digest` is the SHA-256 of its file."""

    def __init__(self, path: Path, digest: str) -> None:
        self._path = path
        self._digest = digest
        self._wasmtime = import_extra("wasmtime", _WHAT, "engine", EngineError)
        self._running: tuple[Any, Any] | None = None  # the store, and the module's exports

    def stop(self) -> None:
        """Free the memory; the next question starts the engine again."""
        self._running = None

    def ask(self, function: str, question: Sequence[int], *arguments: int) -> Sequence[float]:
        """See compiled.Ask. After an error the next question starts the engine again."""
        try:
            store, exports = self._running = self._running or self._start()
            memory = exports["memory"]
            numbers = struct.pack(f"<{len(question)}i", *question)
            memory.write(store, numbers, exports["question"](store))
            count = exports[function](store, *arguments)
            if count < 0:
                raise EngineError(f"{_WHAT} has no answer to {function}")
            start = exports["answer"](store)
            return struct.unpack(f"<{count}f", memory.read(store, start, start + 4 * count))
        except (self._wasmtime.WasmtimeError, self._wasmtime.Trap) as error:
            self.stop()
            reason = str(error).strip().splitlines()[-1].strip()
            raise EngineError(f"{_WHAT} failed and starts again: {reason}") from None
        except KeyError:
            raise _unusable(self._path, "belongs to another version") from None

    def _start(self) -> tuple[Any, Any]:
        module_bytes = _read_module(self._path, self._digest)
        config = self._wasmtime.Config()
        with suppress(self._wasmtime.WasmtimeError):  # the user's own settings may be wrong
            config.cache = True  # of compiled modules
        engine = self._wasmtime.Engine(config)
        module = self._wasmtime.Module(engine, module_bytes)
        linker = self._wasmtime.Linker(engine)
        linker.define_unknown_imports_as_traps(module)  # it has no access to anything
        store = self._wasmtime.Store(engine)
        exports = linker.instantiate(store, module).exports(store)
        exports["_initialize"](store)
        return store, exports


def _unusable(path: Path, trouble: str) -> EngineError:
    return EngineError(
        f"{path} {trouble}: install the extra `engine` again, or build it by scripts/engine.sh"
    )
