"""Hooks for methods that call functions of upper rooms, such as `match.to_html()`.

Imports point down only: the method looks up a hook by name, and the front door registers how to
load its function.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers know this name

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_loaders: dict[str, Callable[[], Any]] = {}


def register(name: str, load: Callable[[], Any]) -> None:
    """Register `load`, which returns the function of a hook when that is used."""
    _loaders[name] = load


def hook(name: str) -> Any:
    """Return the function of a hook. Raises KeyError if none is registered."""
    return _loaders[name]()
