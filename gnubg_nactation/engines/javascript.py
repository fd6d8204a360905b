"""The built-in engine in a web page, where playground/worker.js runs it."""

from __future__ import annotations

import binascii
from collections.abc import Sequence
from importlib import import_module

from gnubg_nactation.engines.compiled import Ask, CompiledGnubg, failure
from gnubg_nactation.errors import EngineError
from gnubg_nactation.values import Any


def ask(function: str, question: Sequence[int], *arguments: int) -> Sequence[float]:
    """See compiled.Ask. After an error the next question starts the engine again."""
    ffi = import_module("pyodide.ffi")
    try:
        answer = _module().ask(function, ffi.to_js(question), *arguments)
    except ffi.JsException as error:
        raise failure(error.message) from None
    numbers: Sequence[float] = answer.to_py().tolist()
    return numbers


def open_in_page(ask: Ask = ask) -> CompiledGnubg:
    """The engine of the page, which asks by `ask`. Raises EngineError if the page has none."""
    digest = binascii.a2b_base64(_module().integrity.removeprefix("sha256-")).hex()
    return CompiledGnubg(ask, f"gnubg.wasm:{digest}", lambda: None)


def _module() -> Any:
    try:
        return import_module("nactation_engine")
    except ImportError:
        raise EngineError("this page has no engine, or it has not started yet") from None
