"""Archives for tests: many small matches, made of the samples by cutting and renaming."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

from tests.cli.running import SAMPLES

DAMAGED = b"\n\nbread 2, milk 1\n"


def small_matches(rows: int = 6) -> Iterator[bytes]:
    """The beginnings of the first games of the samples, each time with other players."""
    games = []
    for file in sorted(SAMPLES.glob("*.mat")):
        lines = file.read_bytes().splitlines(keepends=True)
        first = next(at for at, line in enumerate(lines) if b"Game 1" in line)
        names = lines[first + 1]
        if b"Alice" in names:
            games.append((b" 0 point match\n\n Game 1\n" + names, lines[first + 2 :][:rows]))
    for number in itertools.count():
        head, body = games[number % len(games)]
        player = f"P{number:04}".encode()
        yield head.replace(b"Alice", player) + b"".join(body)


def make_archive(folder: Path, count: int, damaged: int, rows: int = 6) -> list[str]:
    """Write `count` matches, in folders of 100; return the names of the damaged files."""
    every = count // damaged if damaged else count + 1
    bad = []
    for number, match in zip(range(count), small_matches(rows), strict=False):
        file = folder / f"{number // 100:02}" / f"{number:04}.mat"
        file.parent.mkdir(parents=True, exist_ok=True)
        broken = number % every == every - 1
        file.write_bytes(DAMAGED if broken else match)
        if broken:
            bad.append(str(file))
    return bad


def finished(folder: Path) -> int:
    """Return the number of results that a run has written, without half-written files."""
    return sum(not path.name.startswith(".") for path in folder.rglob("*.txt"))


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder with their bytes."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}
