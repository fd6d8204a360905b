"""Where what can be made again is kept between runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def cache_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The program's folder among the caches of the user; it need not exist."""
    if platform == "win32":
        home = environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif platform == "darwin":
        home = Path.home() / "Library" / "Caches"
    else:
        home = environment.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home, "gnubg-nactation")
