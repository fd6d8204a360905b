"""The folder for files that can be created again."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def cache_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return the program's folder in the user's cache; it may not exist yet."""
    if platform == "win32":
        home = environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif platform == "darwin":
        home = Path.home() / "Library" / "Caches"
    else:
        home = environment.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home, "gnubg-nactation")
