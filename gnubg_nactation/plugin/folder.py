"""The folder in the user's home for our command files and for what we write."""

from __future__ import annotations

from pathlib import Path

# Files shown to the user, overwritten each time.
PAGE, PLACE, TEXT = "last page.html", "last place.html", "last moves.txt"


def our_folder() -> Path:
    """Nactation in the user's home, where gnubg's window opens files; it need not exist."""
    return Path.home() / "Nactation"
