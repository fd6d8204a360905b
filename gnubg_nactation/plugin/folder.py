"""The folder in the user's home where gnubg's window finds our command files, and we write."""

from __future__ import annotations

from pathlib import Path

# What is shown to the user, and written anew each time.
PAGE, QUIZ, TEXT = "last page.html", "last quiz.html", "last moves.txt"


def our_folder() -> Path:
    """Nactation in the user's home, where gnubg's window looks for files; it need not exist."""
    return Path.home() / "Nactation"
