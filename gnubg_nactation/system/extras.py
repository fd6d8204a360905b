"""Packages that the extras of this one install."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from gnubg_nactation.errors import NactationError
from gnubg_nactation.values import Any

_PACKAGES = {
    "cards": "genanki",
    "cluster": "distributed",
    "files": "gammonview",
    "engine": "gnubg-nactation-engine wasmtime",
    "parquet": "duckdb",
    "png": "resvg-py",
    "sage": "bgsage",
}
_PIPX_FILE = "pipx_metadata.json"


def import_extra(
    module: str, what: str, extra: str, error: type[NactationError] = NactationError
) -> Any:
    """Import a module of an extra; without it, raise `error` with the command that installs it."""
    try:
        return import_module(module)
    except ImportError:
        raise error(f"{what} needs an extra package: {install_command(extra)}") from None


def install_command(extra: str) -> str:
    """Return the command that adds an extra to this installation: pipx, a clone or pip."""
    if os.path.exists(os.path.join(sys.prefix, _PIPX_FILE)):
        return f"pipx inject gnubg-nactation {_PACKAGES[extra]}"
    system = os.path.dirname(__file__)
    if os.path.exists(os.path.join(system, "..", "..", "pyproject.toml")):
        wheels = "--find-links dist " if extra == "engine" else ""  # scripts/engine_wheel.sh dist
        return f'pip install {wheels}-e ".[{extra}]"'
    return f'pip install "gnubg-nactation[{extra}]"'
