"""Fixtures for all tests."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.engines.built import FOLDER, needs_builtin
from tests.gnubg.disturbing import disturbed_gnubg
from tests.gnubg.ingame import needs_gnubg
from tests.leftovers import Leftovers
from tests.quick import Quick
from tests.sharing import shared_folder

# No example is too slow for a busy machine, and the same ones are tried at every run of the CI.
settings.register_profile(
    "project",
    deadline=None,
    print_blob=True,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("project")

# Background jobs of a shell ignore Ctrl-C, and so do the processes that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Selenium would ask a proxy for this machine.
for _name in ("no_proxy", "NO_PROXY"):
    os.environ[_name] = ",".join(filter(None, (os.environ.get(_name), "localhost,127.0.0.1")))

# A worker of xdist inherits the PATH of the process that has disturbed gnubg already.
if "NACTATION_DISTURBED" in os.environ and "UNDISTURBED_GNUBG" not in os.environ:
    _PROGRAMS = tempfile.TemporaryDirectory()  # for as long as the tests run
    _gnubg = shutil.which("gnubg") or "/usr/games/gnubg"
    disturbed_gnubg(_gnubg, os.environ["NACTATION_DISTURBED"], Path(_PROGRAMS.name))
    os.environ["UNDISTURBED_GNUBG"] = _gnubg
    os.environ["PATH"] = os.pathsep.join([_PROGRAMS.name, os.environ["PATH"]])

# Rooms whose tests wait for other programs, so that they do not end the run alone.
_FIRST = ("browser", "gnubg", "engines", "cli")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick", action="store_true", help="skip tests that start another process or are thorough"
    )


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Leftovers())
    if config.getoption("quick"):
        config.pluginmanager.register(Quick())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.parent.name not in _FIRST)


def pytest_collection_finish() -> None:
    """Collect garbage less often, and not among the tests: it took a seventh of their time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session")
def machine_code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where wasmtime keeps the built-in engine compiled, which takes it half a second."""
    return shared_folder(tmp_path_factory, "wasmtime", lambda _: None)


@pytest.fixture(autouse=True)
def no_engine_stays() -> Iterator[None]:
    """End the engines that work on files has opened; the next test may want another one.

    xdist kills a worker that needs ten seconds to end, and with it what would remove their folders.
    """
    yield
    if outcomes := sys.modules.get("gnubg_nactation.tasks.outcomes"):
        outcomes.close_engines()


@pytest.fixture(autouse=True)
def cache(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, machine_code: Path
) -> Path:
    """A cache folder for each test instead of the user's; a built-in engine must be named."""
    folder = tmp_path_factory.mktemp("cache")
    if sys.platform != "win32":
        (folder / "wasmtime").symlink_to(machine_code)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    for name in ("CACHE", "DB", "DEBUG", "ENGINE"):
        monkeypatch.delenv(f"NACTATION_{name}", raising=False)
    return folder


@pytest.fixture
def no_gnubg(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without gnubg."""
    monkeypatch.setenv("NACTATION_GNUBG", "none")


@pytest.fixture(
    params=[
        pytest.param("gnubg", marks=needs_gnubg),
        pytest.param("builtin", marks=needs_builtin),
    ]
)
def each_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of the only engine: a machine with gnubg, and one with the built-in engine."""
    name: str = request.param
    if name == "builtin":
        monkeypatch.setenv("NACTATION_GNUBG", "none")
        monkeypatch.setenv("NACTATION_ENGINE", str(FOLDER))
    return name


@pytest.fixture
def no_engine(monkeypatch: pytest.MonkeyPatch, no_gnubg: None) -> None:  # noqa: ARG001
    """A machine without any engine."""
    for name in ("bgsage", "bgsage.weights", "gnubg_nactation_engine", "wasmtime"):
        monkeypatch.setitem(sys.modules, name, None)
