"""A gnubg whose answers to the package are off by up to .002, as on another processor.

    NACTATION_DISTURBED=7 .venv/bin/python -m pytest tests/cli

runs tests with it; the number seeds the disturbance. `disturbed_gnubg` writes a program that runs
this file inside gnubg in place of `server.py`, and this runs that with a module `gnubg` that
disturbs. The same figure is always disturbed in the same way, because a processor has one answer,
too. Whole numbers stay: they are counted, not estimated.
"""

from __future__ import annotations

import os
import random
import re
import runpy
import shlex
import shutil
import sys
from pathlib import Path

TYPE_CHECKING = False  # checkers know this name

if TYPE_CHECKING:
    from typing import Any

LIMIT = 0.002
# The cube in a match is saved as chances to win it, of which a point is a part only.
_POINT = 0.3
_GAME = re.compile(rb"MI\[length:(\d+)\]")
_CUBE = re.compile(rb"(?<=DA\[)E [^]]*")
_PLAYS = re.compile(rb"\bA\[(\d+)\]((?:\[[^]]*\])+)")
_LUCK = re.compile(rb"(?<=LU\[)[-.\d]+")


def disturbed_gnubg(gnubg: str, seed: str, folder: Path) -> str:
    """Write a program `gnubg` into a folder, which runs the real one disturbed; its path."""
    program = folder / "gnubg"
    script = shutil.copy(__file__, folder)  # gnubg opens no path that is not ASCII
    program.write_text(
        "#!/bin/sh\n"
        "for word; do\n"
        "    shift\n"
        "    case $word in --python=*server.py)\n"
        f'        export SERVER="${{word#--python=}}" DISTURBED={shlex.quote(seed)}\n'
        f"        word=--python={shlex.quote(str(script))} ;;\n"
        "    esac\n"
        '    set -- "$@" "$word"\n'
        "done\n"
        f'exec {shlex.quote(gnubg)} "$@"\n'
    )
    program.chmod(0o755)
    return str(program)


class Disturbance:
    """Disturbs what gnubg answers, by a seed."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def equity(self, figure: float, limit: float = LIMIT) -> float:
        """An equity that is off by up to a limit; the opponent's is off the other way."""
        if figure == round(figure):
            return figure
        size = abs(figure)
        off = random.Random(f"{self._seed} {size:.4f}").uniform(-limit, limit)
        return (size + off) * (1 if figure > 0 else -1)

    def chances(self, figures: list[float]) -> list[float]:
        """Chances of one position that are off; none gets larger than one that it is part of."""
        off = random.Random(f"{self._seed} {figures[0]:.4f}").uniform(-LIMIT, LIMIT)
        return [chance + 4 * chance * (1 - chance) * off for chance in figures]

    def saved(self, data: bytes) -> bytes:
        """An SGF with its analysis disturbed, and with the plays in the order that follows."""
        _, *rest = starts = _GAME.split(data)
        games = zip(rest[::2], rest[1::2], strict=True)
        return starts[0] + b"".join(
            b"MI[length:" + length + b"]" + self._game(game, int(length)) for length, game in games
        )

    def _game(self, data: bytes, length: int) -> bytes:
        limit = LIMIT * _POINT / length if length else LIMIT

        def cube(value: re.Match[bytes]) -> bytes:
            words = value[0].split()
            for at in (13, 20):
                words[at] = b"%f" % self.equity(float(words[at]), limit)
            return b" ".join(words)

        data = _CUBE.sub(cube, data)
        data = _LUCK.sub(lambda luck: b"%f" % self.equity(float(luck[0])), data)
        return _PLAYS.sub(self._plays, data)

    def _plays(self, value: re.Match[bytes]) -> bytes:
        plays = [self._play(play.split()) for play in value[2][1:-1].split(b"][")]
        methods = [method for method, *_ in plays]
        # Those that were looked at deeper stay before the others.
        order = sorted(
            range(len(plays)), key=lambda at: (methods.index(methods[at]), -plays[at][1])
        )
        chosen = int(value[1])
        place = order.index(chosen) if chosen < len(order) else chosen
        return b"A[%d]" % place + b"".join(b"[" + plays[at][2] + b"]" for at in order)

    def _play(self, words: list[bytes]) -> tuple[bytes, float, bytes]:
        at = 9 if words[1] == b"E" else 5
        equity = self.equity(float(words[at]))
        words[at] = b"%f" % equity
        if words[1] == b"E":
            words[4:9] = [b"%f" % chance for chance in self.chances(list(map(float, words[4:9])))]
        return words[10] if words[1] == b"E" else words[1], equity, b" ".join(words)


class _Gnubg:
    """The module `gnubg` with its figures disturbed."""

    def __init__(self, gnubg: Any, disturbance: Disturbance) -> None:
        self._gnubg = gnubg
        self._disturbance = disturbance

    def __getattr__(self, name: str) -> Any:
        return getattr(self._gnubg, name)

    def evaluate(self, *question: Any) -> list[float]:
        *chances, equity = self._gnubg.evaluate(*question)[:6]
        return [*self._disturbance.chances(chances), self._disturbance.equity(equity)]

    def cfevaluate(self, *question: Any) -> list[float]:
        return list(map(self._disturbance.equity, self._gnubg.cfevaluate(*question)[:4]))

    def command(self, line: str) -> None:
        self._gnubg.command(line)
        if line.startswith("save match "):
            path = Path(line.removeprefix("save match ").strip('"'))
            path.write_bytes(self._disturbance.saved(path.read_bytes()))


if "SERVER" in os.environ:
    import gnubg  # type: ignore[import-not-found]

    sys.modules["gnubg"] = _Gnubg(gnubg, Disturbance(os.environ["DISTURBED"]))  # type: ignore[assignment]
    runpy.run_path(os.environ["SERVER"], run_name="__main__")
