"""Measures of `bench.py`: analyses and nacbracs by a child gnubg."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

from benching import (
    ANNOTATE,
    RUNS,
    SEVEN,
    Line,
    alternate,
    at_most,
    clock,
    gnubg,
    home,
    run,
    show,
)

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import Listing, nacbrac_text
from gnubg_nactation.engines.analysing import analyse_match
from gnubg_nactation.engines.cache import Cached, Store
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.engine import Depth, Engine
from gnubg_nactation.engines.nacbracs import judge
from gnubg_nactation.files import mat
from gnubg_nactation.sequences.decode import decode

_ANALYSE = """
import time
import gnubg
for line in ("set display off", 'import mat "{file}"',
             "set analysis chequerplay evaluation plies 0",
             "set analysis cubedecision evaluation plies 0"):
    gnubg.command(line)
start = time.perf_counter()
gnubg.command("analyse match")
print("seconds", time.perf_counter() - start)
gnubg.command('save match "{folder}/theirs.sgf"')
"""
_SEQUENCES = ("54S-63R", "65R-43Z", "43D-42P", "51S-41K-1-52V-21H-43H", "21$-52S", "62S-52X-F")


def analysis(_: Path) -> Iterator[Line]:
    """A match to 7 points at 0-ply against gnubg's own `analyse match`, with empty caches."""
    program = gnubg()
    match = mat.read(Path(SEVEN).read_bytes())[0]
    with home() as (folder, env):
        script = Path(folder, "analyse.py")
        script.write_text(_ANALYSE.format(file=SEVEN, folder=folder))
        theirs = [program, "-t", "-q", "-r", f"--python={script}"]
        times = []
        for _run in range(RUNS + 1):
            with Gnubg(program) as engine:
                engine.name  # noqa: B018 - waits until it has started
                start = time.perf_counter()
                analyse_match(match, engine, Depth(0))
                ours = time.perf_counter() - start
            words = run(theirs, env).split()
            times.append((ours, float(words[words.index(b"seconds") + 1])))
        first, second = map(statistics.median, zip(*times[1:], strict=True))
        yield at_most("analysis", first, second, "gnubg, `analyse match` at 0 plies", 1.3)
        arguments = ["--analyse", "--plies", "0", "-o", f"{folder}/ours.txt", SEVEN]
        first, second = alternate(
            lambda: run([*ANNOTATE, *arguments], env | {"XDG_CACHE_HOME": mkdtemp(dir=folder)}),
            partial(run, theirs, env),
        )
    yield at_most("analysis", first, second, "gnubg, import, analyse, save as SGF", 1.2)


def nacbracs(_: Path) -> Iterator[Line]:
    """Nacbracs of new positions, against a second gnubg that only ranks the plays."""
    program = gnubg()
    for plies, target in {0: 0.2, 2: 3.0}.items():
        with Gnubg(program, threads=2) as child, Gnubg(program, threads=2) as reference:
            engine = Cached(child, Store(Path(":memory:")))
            for each in (engine, reference):
                each.rank(decode("31").state, Depth(plies))
            times = []
            for text in _SEQUENCES:
                for roll in (Roll(3, 1), Roll(4, 4)):
                    state = GameState(decode(text).state.position, roll=roll)
                    ours = clock(partial(_nacbrac, engine, state, Depth(plies)))
                    times.append((ours, clock(partial(reference.rank, state, Depth(plies)))))
            engine.close()
        slowest, theirs = max(times)
        half = show(statistics.median(ours for ours, _ in times))
        name = f"gnubg ranking the plays: {show(theirs)} (half of ours in {half})"
        ratio, is_met = f"{slowest / theirs:.2f}", slowest <= target
        yield Line(f"nacbrac {plies}", show(slowest), name, ratio, f"<= {target} s", is_met)


def _nacbrac(engine: Engine, state: GameState, depth: Depth) -> str:
    return nacbrac_text(judge(engine, state, depth, Listing(within=0.1)))
