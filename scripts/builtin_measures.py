"""Measures of `bench.py`: the built-in engine against gnubg, with one thread each."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from benching import (
    ROOT,
    SAMPLES,
    SEVEN,
    Line,
    SkippedError,
    alternate,
    at_most,
    clock,
    cpu_of_children,
    gnubg,
    home,
    run,
)

from gnubg_nactation.backgammon.match import Match, replay
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import USUAL, nacbrac_text
from gnubg_nactation.engines.analysing import analyse_match
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.engine import Depth, Engine, Program
from gnubg_nactation.engines.nacbracs import judge
from gnubg_nactation.engines.questions import commands_for
from gnubg_nactation.engines.wasm import find_folder, open_compiled
from gnubg_nactation.errors import EngineError
from gnubg_nactation.files.formats import read
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.tasks.face import Library
from gnubg_nactation.tasks.scores import ScoresSettings
from gnubg_nactation.tasks.scores import scores as score_table

_ANALYSE = """
import time
import gnubg
for line in {commands!r}:
    gnubg.command(line)
start = time.{clock}()
gnubg.command("analyse match")
print("seconds", time.{clock}() - start)
"""
_BEAR_OFF = GameState(Position((0, 3, 2, 1, *[0] * 18, -1, -2, -3, 0)))  # 6 checkers each
_ROLLED_OUT = "54S-63R-31"
_TRIALS, _TRUNCATE = 144, 7
_BLOCK = 10  # decisions that an engine judges before the other one does


def builtin(_: Path) -> Iterator[Line]:
    """Its start, nacbracs of new positions, and a match to 7 points analysed at 2-ply."""
    folder, program = _folder(), gnubg()
    times = alternate(
        partial(_first_answer, partial(open_compiled, folder)),
        partial(_first_answer, partial(Gnubg, program)),
    )
    yield at_most("builtin, start", *times, "gnubg's, until the first answer", 1.0)
    with closing(open_compiled(folder)) as engine:
        engine.evaluate(GameState(), Depth(0))
        seconds = clock(partial(engine.evaluate, _BEAR_OFF, Depth(0)))
    table = f"{1000 * seconds:.0f} ms", "once in a process, near the end of a game"
    yield Line("builtin, bear-offs", *table, "", "< 500 ms", seconds < 0.5)
    states = list(_decisions())
    for plies, count, target in ((0, 400, 1 / 8), (2, 40, 1.5)):
        sample = states[:: len(states) // count]
        with closing(open_compiled(folder)) as ours, closing(Gnubg(program)) as theirs:
            times = _judged(ours, theirs, sample, Depth(plies))
        subject = f"gnubg through its pipe, {len(sample) // 2} nacbracs"
        yield at_most(f"builtin, {plies}-ply", *times, subject, target)
    for threads, goal in ((1, 1.5), (os.cpu_count() or 1, None)):
        seconds = _gnubg_analysis(program, threads)
        match = read(Path(SEVEN))[0]
        with closing(open_compiled(folder, threads=threads)) as engine:
            mine = _own_analysis(engine, match, threads)
        unit = "CPU, " * (threads == 1)
        reference = f"{unit}gnubg, `analyse match` at 2 plies, threads: {threads}"
        yield at_most("builtin, analysis", mine, seconds, reference, goal)


def scores(_: Path) -> Iterator[Line]:
    """A table of all scores, and rollouts of the two best plays, by one thread each."""
    folder, program = _folder(), gnubg()
    state = decode(_ROLLED_OUT).state
    _first_answer(partial(open_compiled, folder))  # compiles the module, if it is new here
    # At 2 plies fewer scores: the table of 9 points takes gnubg minutes.
    for plies, away, target in ((0, 9, 0.75), (2, 4, 1.5)):
        settings = ScoresSettings(away=away, plies=plies)
        times = _cpu_times(folder, program, partial(_score_table, state, settings))
        subject = f"CPU, gnubg through its pipe, {away} x {away} scores"
        yield at_most(f"scores, {plies}-ply", *times, subject, target)
    for ends in (2, 0):  # the playground's rollouts end at 0 plies
        depth = Depth(trials=_TRIALS, truncate=_TRUNCATE, ends=ends, plays=2)
        times = _cpu_times(folder, program, partial(_rank, state, depth))
        subject = f"CPU, gnubg, {_TRIALS} trials of 2 plays, truncated at {_TRUNCATE} plies"
        yield at_most(f"rollout, ends at {ends}-ply", *times, subject, 1.5 if ends else None)


def _score_table(state: GameState, settings: ScoresSettings, engine: Program) -> None:
    score_table(state, settings, Library(engine))


def _rank(state: GameState, depth: Depth, engine: Program) -> None:
    engine.rank(state, depth)


def _cpu_times(folder: Path, program: str, ask: Callable[[Program], object]) -> tuple[float, float]:
    """The processor times of new engines, the built-in one and gnubg, with their start."""

    def answer(opener: Callable[[], Program]) -> None:
        with closing(opener()) as engine:
            ask(engine)

    start = time.process_time()
    answer(partial(open_compiled, folder))
    ours = time.process_time() - start
    return ours, cpu_of_children(partial(answer, partial(Gnubg, program)))


def _folder() -> Path:
    built = ROOT / "build" / "engine"
    if (built / "gnubg.wasm").is_file():
        return built
    try:
        return find_folder()
    except EngineError as error:
        raise SkippedError(str(error)) from None


def _first_answer(opener: Callable[[], Program]) -> None:
    with closing(opener()) as engine:
        engine.rank(GameState(roll=Roll(3, 1)), Depth(0))


def _decisions() -> Iterator[GameState]:
    for path in sorted(SAMPLES.glob("*.mat")):
        for match in read(path):
            for game in match.games:
                for turn in replay(match, game):
                    if turn.state and turn.play and len(turn.plays) > 1:
                        yield turn.state


def _judged(
    ours: Engine, theirs: Engine, states: Sequence[GameState], depth: Depth
) -> tuple[float, float]:
    """The times of two engines that judge blocks of states in turn, so that all are new.

    The built-in engine makes its table of bear-offs once in a process, before that.
    """
    times = [0.0, 0.0]
    for engine in (ours, theirs):
        engine.evaluate(min(states, key=lambda state: state.position.pips), depth)
    for start in range(1, len(states) - 2 * _BLOCK + 1, 2 * _BLOCK):
        for number, engine in enumerate((ours, theirs)):
            at = start + number * _BLOCK
            times[number] += clock(partial(_judge, engine, states[at : at + _BLOCK], depth))
    return times[0], times[1]


def _judge(engine: Engine, states: Sequence[GameState], depth: Depth) -> None:
    for state in states:
        nacbrac_text(judge(engine, state, depth, USUAL))


def _own_analysis(engine: Program, match: Match, threads: int) -> float:
    now = getattr(time, _clock(threads))
    start: float = now()
    analyse_match(match, engine, Depth(2))
    return float(now() - start)


def _clock(threads: int) -> str:
    """The clock for a number of threads: one thread is compared by the time of its processor."""
    return "process_time" if threads == 1 else "perf_counter"


def _gnubg_analysis(program: str, threads: int) -> float:
    """The seconds of gnubg's own analysis, with the settings that we give it."""
    commands = [f'import mat "{SEVEN}"', *commands_for(Depth(2), whole=True, threads=threads)]
    with home() as (folder, env):
        script = Path(folder, "analyse.py")
        script.write_text(
            _ANALYSE.format(commands=["set display off", *commands], clock=_clock(threads))
        )
        words = run([program, "-t", "-q", "-r", f"--python={script}"], env).split()
    return float(words[words.index(b"seconds") + 1])
