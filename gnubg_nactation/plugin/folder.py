"""The folder in the user's home for our command files and for what we write."""

from __future__ import annotations

from pathlib import Path

# Files shown to the user, overwritten each time.
PAGE, QUIZ, TEXT = "last page.html", "last quiz.html", "last moves.txt"


def our_folder() -> Path:
    """Nactation in the user's home, where gnubg's window opens files; it need not exist."""
    return Path.home() / "Nactation"
