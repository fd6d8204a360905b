"""The option `--quick` of pytest: tests skip themselves when they start another process.

The built-in engine counts as one. Nothing lists these tests, so the rule holds for new ones, too.
Those that only take long are marked `thorough`.
"""

from __future__ import annotations

import sys
from collections.abc import Generator

import pytest

_STARTS = {"os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen"}
_IMPORTS = {"multiprocessing.popen_spawn_posix", "wasmtime"}


class Quick:
    """The hooks of a quick run."""

    def __init__(self) -> None:
        self._in_test = False
        sys.addaudithook(self._audit)

    def _audit(self, event: str, arguments: tuple[object, ...]) -> None:
        if self._in_test and (event in _STARTS or (event == "import" and arguments[0] in _IMPORTS)):
            pytest.skip("starts another process")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        if item.get_closest_marker("thorough"):
            pytest.skip("takes long")
        self._in_test = True
        try:
            return (yield)
        finally:
            self._in_test = False

    pytest_runtest_call = pytest_runtest_setup
