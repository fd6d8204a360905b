"""What `bench.py` measures of the plugin: its import, and its work in gnubg's window."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benching import ROOT, RUNS, SAMPLES, Line, SkippedError, at_most, gnubg, home, run, show

from gnubg_nactation.backgammon.match import Game
from gnubg_nactation.files import mat
from gnubg_nactation.files.sgf import from_match

_LONGEST = 3.0  # seconds that a match to 25 points may take
_RECORDS = 2_000  # of a long one
_ONCE = "import nactation_plugin; nactation_plugin.annotate()"
_SCRIPT = """
import contextlib, io, json, os, time
import gnubg
with contextlib.redirect_stdout(io.StringIO()):
    import nactation_plugin
start = time.perf_counter()
gnubg.command('save match "{folder}/saved.sgf"')
saved = time.perf_counter()
nactation_plugin.annotate()
done = time.perf_counter()
nactation_plugin.annotate()
again = time.perf_counter()
with open("{folder}/times", "w") as file:
    json.dump([saved - start, done - saved, again - done], file)
os._exit(0)
"""


_IMPORT = """
import time
start = time.process_time()
import nactation_plugin
print("\\nseconds", start, time.process_time() - start)
"""


def plugin(_: Path) -> Iterator[Line]:
    """`import nactation_plugin` in gnubg, no match loaded, against gnubg itself starting.

    Both in time of the processor, which other programs bend less.
    """
    program = gnubg()
    with home() as (folder, env):
        script = Path(folder, "script.py")
        script.write_text(_IMPORT)
        path = {"PYTHONPATH": f"{ROOT / 'scripts'}"}
        times = []
        for _run in range(RUNS + 1):
            words = run([program, "-t", "-q", "-r", f"--python={script}"], env | path).split()
            at = words.index(b"seconds")
            times.append((float(words[at + 1]), float(words[at + 2])))
    starting, importing = map(statistics.median, zip(*times[1:], strict=True))
    line = at_most("plugin", importing, starting, "gnubg starting", None)
    yield line._replace(target="<= 20 ms", met=importing <= 0.02)


def window(_: Path) -> Iterator[Line]:
    """`annotate()` of a match to 25 points in gnubg's window against gnubg saving it."""
    program = gnubg()
    server = shutil.which("Xvfb")
    if not server:
        raise SkippedError("Xvfb is not installed")
    with home() as (folder, env):
        path = {"PYTHONPATH": f"{ROOT / 'scripts'}{os.pathsep}{ROOT}"}
        script, commands = Path(folder, "script.py"), Path(folder, "commands")
        commands.write_text(f'load match "{SAMPLES}/match-5pt.sgf"\n>{_ONCE}\n')
        run([program, "-t", "-q", "-r", "-c", str(commands)], env | path)  # its bytecode is kept
        script.write_text(_SCRIPT.format(folder=folder))
        commands.write_text(f'load match "{folder}/long.sgf"\nload python "{script}"\n')
        count = _write_long_match(Path(folder, "long.sgf"))
        reading, writing = os.pipe()
        arguments = [server, "-displayfd", str(writing), "-screen", "0", "1280x900x24"]
        with subprocess.Popen(arguments, pass_fds=[writing], stderr=subprocess.DEVNULL) as display:
            os.close(writing)
            with os.fdopen(reading) as numbers:
                name = f":{numbers.readline().strip()}"
            subprocess.run(
                [program, "-q", "-w", "-r", "-c", str(commands)],
                env=env | path | {"DISPLAY": name},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=300,
            )
            display.terminate()
        saving, first, again = json.loads(Path(folder, "times").read_text())
    reference = f"gnubg saving {count:,} records: {show(saving)}"
    reached, target = first <= _LONGEST, f"<= {_LONGEST:.0f} s"
    yield Line("window", show(first), reference, f"{first / saving:.0f}", target, reached)
    yield Line("window", show(again), "the same again", f"{again / first:.2f}", "", None)


def _write_long_match(file: Path) -> int:
    """A match to 25 points as long as such matches are: games of the samples, over and over."""
    games: list[Game] = []
    while sum(len(game.actions) for game in games) < _RECORDS:
        for sample in ("match-11pt.mat", "match-7pt.mat", "match-5pt.mat"):
            games += mat.read((SAMPLES / sample).read_bytes())[0].games
    numbered = [
        replace(game, number=number, score=(0, 0), crawford=False)
        for number, game in enumerate(games, 1)
    ]
    match = mat.read((SAMPLES / "match-11pt.mat").read_bytes())[0]
    file.write_bytes(from_match(replace(match, length=25, games=tuple(numbered))).data)
    return sum(len(game.actions) for game in games)
