"""Packages that the extras of this one install."""

from __future__ import annotations

from importlib import import_module

from gnubg_nactation.errors import NactationError
from gnubg_nactation.values import Any


def import_extra(
    module: str, what: str, extra: str, error: type[NactationError] = NactationError
) -> Any:
    """Import a module of an extra; without it, raise `error` with the command that installs it."""
    try:
        return import_module(module)
    except ImportError:
        command = f"pip install 'gnubg-nactation[{extra}]'"
        raise error(f"{what} needs an extra package: {command}") from None
