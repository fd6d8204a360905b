"""The engines for the tests of a module: a real gnubg, and the built-in one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.compiled import CompiledGnubg
from gnubg_nactation.engines.wasm import open_compiled
from tests.engines.built import FOLDER
from tests.gnubg.ingame import GNUBG


@pytest.fixture(scope="module")
def gnubg() -> Iterator[Gnubg]:
    with Gnubg(GNUBG, threads=2) as engine:
        yield engine


@pytest.fixture(scope="module")
def builtin() -> CompiledGnubg:
    return open_compiled(FOLDER)
