"""What commands show on terminals and in pipes, kept for people to read.

The files are `screen-*.txt`, with a section for each kind of screen. An escape character is
\u241b, and the end of a line that ends with a blank \u2424. To renew the files:

    python -m tests.golden.screens
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.cli.running import ROOT
from tests.cli.screens import on_screen

FOLDER = Path(__file__).parent
_ANALYSED = "sample_matches/match-3pt-analysed.sgf"
_COLUMNS = 80, 60
CODE_PAGES = "cp437", "cp850", "cp1252"
SCREENS: dict[str, tuple[str, ...]] = {
    "errors": ("annotate", "--errors", _ANALYSED),
    "decode": ("decode", "--engine=none", "54S-63R-31P"),
    "explain": ("explain", "--engine=none", "54S-63R-31P"),
    "find": ("find", "--db={}", "63R"),
    "leaks": ("leaks", "--db={}", "--player=Bob", "--top=3"),
    "plays": ("plays", "4HPwCSDg8+ABIQ", "31"),
    "replies": ("replies", "--engine=book", "31P"),
    "stats": ("stats", "--db={}", "--player=Bob"),
    "welcome": (),
}


def make_database(path: Path) -> None:
    """Index the sample by its path from the root, which is the same everywhere."""
    assert not piped("utf-8", "index", "--db", str(path), _ANALYSED)[1]


def piped(encoding: str, *words: str) -> tuple[str, str]:
    """Return the text in a pipe of this encoding, and the errors."""
    done = subprocess.run(
        [sys.executable, "-m", "gnubg_nactation", *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    return done.stdout.decode(encoding), done.stderr.decode(encoding)


def screens(name: str, database: Path) -> str:
    """Return all screens of a command."""
    words = [word.format(database) for word in SCREENS[name]]
    sections = {"pipe": piped("utf-8", *words)[0]} if words else {}
    for columns in _COLUMNS:
        sections[f"{columns} columns"] = on_screen(columns, *words, NO_COLOR="1")
    sections[f"{_COLUMNS[0]} columns, colours"] = on_screen(_COLUMNS[0], *words)
    if words:
        sections["cp437"] = piped("cp437", *words)[0]
    texts: list[str] = []
    first: dict[str, str] = {}
    for title, text in sections.items():
        same = first.setdefault(text, title)
        body = text if same == title else f"(as {same})\n"
        texts.append(f"--- {title}\n{body}")
    text = "".join(texts).replace("\x1b", "\u241b").replace(os.linesep, "\n")
    return re.sub(r"(?m)(?<= )$", "\u2424", text)


def renew() -> None:
    """Write all files anew."""
    with TemporaryDirectory() as folder:
        database = Path(folder, "games.db")
        make_database(database)
        for name in SCREENS:
            text = screens(name, database)
            (FOLDER / f"screen-{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    renew()
