"""Files of this package, which may be in an archive."""

from __future__ import annotations

import os

from gnubg_nactation.values import Any

_TOP = os.path.dirname(os.path.dirname(__file__))


def package_file(path: str) -> bytes:
    """Return the content of a file of this package; raises OSError if it is missing."""
    # Like pkgutil.get_data; that module and importlib.resources are slow to import.
    loader: Any = __spec__ and __spec__.loader
    data: bytes = loader.get_data(os.path.join(_TOP, *path.split("/")))
    return data


def package_text(path: str) -> str:
    """Return the text of a file of this package; raises OSError if it is missing."""
    return package_file(path).decode()
