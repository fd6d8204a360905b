"""Methods whose work is done further up, such as `match.to_html()` or `position.id`.

Imports point down only. The method asks for a hook by name; the front door registers how to load
the function behind it.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers know this name

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_loaders: dict[str, Callable[[], Any]] = {}


def register(name: str, load: Callable[[], Any]) -> None:
    """Let `load` return the function behind the hook; it is called when the hook is used."""
    _loaders[name] = load


def hook(name: str) -> Any:
    """Return the function behind a hook. Raises KeyError if nothing is registered."""
    return _loaders[name]()
