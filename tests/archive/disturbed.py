"""Indexing that is killed, or done by two processes at once; a program.

Each run is a fork, because the start of Python would take longer than the work. Kills depend on
processor time, so a busy machine does not matter.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
from pathlib import Path

from gnubg_nactation.archive.database import archive_at
from tests.archive.contents import check, content_of
from tests.cli.archives import small_matches
from tests.cli.running import run

_FILES = 8
_KILLS = 10  # of each round
_ROUNDS = 4


def main() -> None:
    """Disturb indexing in the current folder in the way of the argument."""
    folder = Path("in")
    folder.mkdir()
    for at, match in zip(range(_FILES), small_matches(), strict=False):
        (folder / f"{at}.mat").write_bytes(match)
    shutil.copy(folder / "1.mat", folder / "9.mat")
    {"kills": _kills, "both": _both}[sys.argv[1]](folder)


def _kills(folder: Path) -> None:
    """Kill it again and again, before and after a change of the folder; print the kills."""
    rng = random.Random(7)
    _index("old.db")
    old, new = folder / "0.mat", folder / "1.mat"
    new.write_bytes(old.read_bytes() + b"      Wins 1 point\n")  # the copy that counted
    old.unlink()
    start = os.times()
    _wait(_fork("--force", "--db", "undisturbed.db"))
    now = os.times()
    span = now.children_user + now.children_system - start.children_user - start.children_system
    expected, kills = content_of("undisturbed.db"), 0
    old_state, new_state = _state("old.db"), _state("undisturbed.db")
    for number in range(_ROUNDS):
        database = f"{number}.db"
        if number % 2:
            shutil.copy("old.db", database)
        while kills < (number + 1) * _KILLS:  # a run may end earlier
            moment = rng.uniform(0.001, span)
            words = "--force", "--jobs", "2" if number == _ROUNDS - 1 else "1", "--db", database
            kills += _wait(_fork(*words, seconds=moment)) == signal.SIGPROF
            state = _state(database) if number % 2 or os.path.exists(database) else set()
            assert state <= old_state | new_state
            assert not number % 2 or state >= old_state & new_state
        _index(database)
        assert content_of(database) == expected, number
    sys.stdout.write(f"{kills}\n")


def _state(database: str) -> set[tuple[object, ...]]:
    """The stored files, and the counted matches with their turns."""
    with archive_at(database, create=True) as archive:
        check(archive)
        files = archive.execute("SELECT path, digest FROM files").fetchall()
        matches = archive.execute(
            "SELECT content, count(*) FROM matches JOIN games ON match = matches.id"
            " JOIN turns ON game = games.id WHERE counted GROUP BY content"
        ).fetchall()
    return {*files, *matches}


def _both(folder: Path) -> None:
    """Let two processes index the same files."""
    del folder
    _index("one.db")
    for child in [_fork("--db", "two.db") for _ in range(2)]:
        assert _wait(child) == 0
    assert content_of("one.db") == content_of("two.db")
    for child in [_fork("--force", "--db", "two.db") for _ in range(2)]:
        assert _wait(child) == 0
    assert content_of("one.db") == content_of("two.db")


def _fork(*arguments: str, seconds: float = 0.0) -> int:
    """Start a child that indexes the folder; end it after `seconds` of processor time."""
    child = os.fork()
    if not child:
        if seconds:  # a worker whose parent is killed at the wrong moment prints a traceback
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        ran = run("index", *arguments, "in")
        if ran.status:
            os.write(2, ran.err.encode())
        os._exit(ran.status)
    return child


def _wait(child: int) -> int:
    """The signal that ended the child, or its status."""
    status = os.waitpid(child, 0)[1]
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def _index(database: str) -> None:
    ran = run("index", "--db", database, "in")
    assert ran.status == 0, ran.err


if __name__ == "__main__":
    main()
