"""What `bench.py` measures of the engine: analyses and nacbracs, with a gnubg of our own."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from benching import (
    ANNOTATE,
    RUNS,
    Line,
    SkippedError,
    alternate,
    at_most,
    environment,
    run,
    seven_pointer,
    show,
)

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.analysing import analyse_match
from gnubg_nactation.engines.cache import Cached, Store
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.engines.process import find_gnubg
from gnubg_nactation.engines.shortlist import rank_best
from gnubg_nactation.errors import EngineError
from gnubg_nactation.files import mat
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.nacbrac import format_nacbrac, nacbrac_of
from gnubg_nactation.sequences.decode import decode

__all__ = ["analysis", "nacbracs"]

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
    """A match to 7 points at 0 plies against gnubg's own `analyse match`, none asked before."""
    gnubg = _gnubg()
    file = seven_pointer()
    match = mat.read(file.read_bytes())[0]
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "analyse.py")
        script.write_text(_ANALYSE.format(file=file, folder=folder))
        env = environment(folder)
        theirs = [gnubg, "-t", "-q", "-r", "-p", str(script)]
        times = []
        for _run in range(RUNS + 1):
            with Gnubg(gnubg) as engine:
                engine.name  # noqa: B018 - it has started when it says its name
                start = time.perf_counter()
                analyse_match(match, engine, Depth(0))
                ours = time.perf_counter() - start
            said = run(theirs, env).split()
            times.append((ours, float(said[said.index(b"seconds") + 1])))
        first, second = map(statistics.median, zip(*times[1:], strict=True))
        yield at_most("analysis", first, second, "gnubg, `analyse match` at 0 plies", 1.3)
        arguments = ["--analyse", "--plies", "0", "-o", f"{folder}/ours.txt", str(file)]
        with ExitStack() as caches:

            def annotate_anew() -> None:
                cache = caches.enter_context(tempfile.TemporaryDirectory())
                run([*ANNOTATE, *arguments], env | {"XDG_CACHE_HOME": cache})

            first, second = alternate(annotate_anew, partial(run, theirs, env))
    yield at_most("analysis", first, second, "gnubg, import, analyse, save as SGF", None)


def nacbracs(_: Path) -> Iterator[Line]:
    """Nacbracs of positions that the engine has not seen, the engine running."""
    gnubg = _gnubg()
    targets = {0: 0.2, 2: 3.0}
    for plies, target in targets.items():
        with Gnubg(gnubg, threads=2) as child:
            engine = Cached(child, Store(Path(":memory:")))
            engine.rank(decode("31").state, Depth(plies))
            times = []
            for text in _SEQUENCES:
                for roll in (Roll(3, 1), Roll(4, 4)):
                    state = GameState(decode(text).state.position, roll=roll)
                    start = time.perf_counter()
                    rated = rank_best(engine, state, Depth(plies), within=0.1)
                    families = Plays(state.position, roll)
                    format_nacbrac(nacbrac_of(rated, families, within=0.1))
                    times.append(time.perf_counter() - start)
        name = f"slowest of {len(times)}, half in {show(statistics.median(times))}"
        met = max(times) <= target
        yield Line(f"nacbrac {plies}", show(max(times)), name, "", f"<= {target} s", met)


def _gnubg() -> str:
    try:
        return find_gnubg()
    except EngineError:
        raise SkippedError("gnubg is not installed") from None
