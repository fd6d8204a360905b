"""Print the notes of a version, its part of CHANGELOG.md.

python scripts/release_notes.py 0.2.0
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"


def notes(changelog: str, version: str) -> str:
    """Return the part of a version. Raises ValueError if there is none, or nothing in it."""
    parts = re.split(r"^## (.+)$", changelog, flags=re.MULTILINE)
    for title, text in zip(parts[1::2], parts[2::2], strict=True):
        if title.split()[0] == version and text.strip():
            return text.strip() + "\n"
    raise ValueError(f"CHANGELOG.md says nothing of {version}")


if __name__ == "__main__":
    try:
        print(notes(CHANGELOG.read_text(encoding="utf-8"), sys.argv[1].removeprefix("v")), end="")
    except ValueError as error:
        sys.exit(str(error))
