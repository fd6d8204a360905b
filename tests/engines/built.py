"""The built-in engine of this clone, as `bash scripts/engine.sh build/engine` makes it."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest

from tests.gnubg.ingame import ROOT

FOLDER = ROOT / "build" / "engine"
# Where CI is set the tests run, and fail, without it.
needs_builtin = pytest.mark.skipif(
    not (os.environ.get("CI") or ((FOLDER / "gnubg.wasm").exists() and find_spec("wasmtime"))),
    reason="the built-in engine is not built, or wasmtime is not installed",
)
