"""Where the built-in engine and Debian's gnubg differ, the cause is a quick reciprocal.

Debian builds gnubg with `-ffast-math`: the nets then use `rcpps`, which has 12 bits, instead of a
division. Here the engine's C is compiled for this machine both ways.
"""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.analysing import analyse_match
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.compiled import CompiledGnubg
from gnubg_nactation.engines.engine import Depth
from tests.engines.built import FOLDER, needs_builtin
from tests.engines.recording import PLIES, answers_of, depth_of
from tests.engines.test_analysing import distances, in_gnubg
from tests.engines.test_compiled import WIDEST, apart
from tests.gnubg.ingame import ROOT, needs_gnubg

SAME = 0.00003  # the last digits of floats, after hundreds of sums
SAME_ANALYSIS = 0.0005  # of thousands of figures, in the six digits of an SGF
SOURCES = ROOT / "scripts" / "engine"
TABLES = Path("/usr/share/gnubg")  # of Debian's package
# 8/5 6/5 at 8 away, 3 away: after it two replies to 32 are nearly equal at 0-ply, not at 1-ply.
WIDEST_CELL = "XGID=-a----E-D-a-eD---c-eA---A-:0:0:1:31:0:5:0:8:10"
PARTS = "bearoff bearoffgammon matchequity mec positionid"
LIBRARY = "cache inputs isaac list md5 mt19937ar neuralnet"
FLAGS = """
    -fPIC -O1 -w -D_GNU_SOURCE -msse2 -fvisibility=hidden -ffunction-sections -fdata-sections
    -DUSE_SIMD_INSTRUCTIONS -DUSE_SSE2 -DHAVE_SSE -DDISABLE_SIMD_TEST
"""


def compile_natively(folder: Path) -> tuple[Path, Path]:
    """The engine as two libraries: with the division, and with the reciprocal."""
    tarball = next(FOLDER.glob("*.orig.tar.gz"), Path(os.environ.get("GNUBG_SOURCE", "missing")))
    source = folder / "source"
    source.mkdir()
    subprocess.run(
        ["tar", "-x", "-f", tarball, "-C", source, "--strip-components", "1"], check=True
    )
    flags = [*FLAGS.split(), f"-I{source}", f"-I{source}/lib", f"-I{TABLES}"]
    flags += ["-idirafter", f"{SOURCES}/shims"]

    def clang(*arguments: object) -> None:
        subprocess.run(["clang", *map(str, arguments)], cwd=folder, check=True, timeout=600)

    files = [
        SOURCES / name for name in ("entry.c", "bearoffs.c", "dice.c", "surroundings.c", "files.S")
    ]
    files += [source / f"{name}.c" for name in PARTS.split()]
    files += [source / "lib" / f"{name}.c" for name in LIBRARY.split()]
    clang(*flags, "-c", *files)
    objects = sorted(folder.glob("*.o"))
    exact, quick = folder / "exact.so", folder / "quick.so"
    nets = source / "lib" / "neuralnetsse.c"
    for library, more in ((exact, []), (quick, ["-ffast-math"])):
        clang(*flags, *more, "-c", nets, "-o", folder / "nets")
        clang(
            "-shared",
            "-Wl,-Bsymbolic,--gc-sections",
            "-o",
            library,
            *objects,
            folder / "nets",
            "-lm",
        )
    return exact, quick


def open_native(path: Path) -> CompiledGnubg:
    library = ctypes.CDLL(str(path))
    for name, kind in (("question", ctypes.c_int), ("answer", ctypes.c_float)):
        getattr(library, name).restype = ctypes.POINTER(kind)
    question, answer = library.question(), library.answer()

    def ask(function: str, numbers: Sequence[int], *arguments: int) -> Sequence[float]:
        for at, number in enumerate(numbers):
            question[at] = number
        count: int = getattr(library, function)(*arguments)
        answers: list[float] = answer[:count]
        return answers

    return CompiledGnubg(ask, "native", lambda: None)


@needs_builtin
@needs_gnubg
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the reciprocal is of another processor")
@pytest.mark.skipif(
    not (os.environ.get("CI") or shutil.which("clang")), reason="clang is not installed"
)
def test_only_the_reciprocal_differs(
    gnubg: Gnubg,
    builtin: CompiledGnubg,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    exact, quick = map(open_native, compile_natively(tmp_path))
    match, analysed = in_gnubg("match-3pt", tmp_path_factory)
    apart_by = {
        engine: distances(analyse_match(match, engine, Depth(0)), analysed)[-1]
        for engine in (builtin, exact, quick)
    }
    assert apart_by[quick] < SAME_ANALYSIS < apart_by[builtin]
    assert abs(apart_by[exact] - apart_by[builtin]) < SAME_ANALYSIS
    for xgid in (*WIDEST, WIDEST_CELL):
        state = GameState.parse(xgid)
        for depth in map(depth_of, PLIES):
            ours, theirs = (answers_of(engine, state, depth) for engine in (builtin, gnubg))
            assert max(apart(ours, answers_of(exact, state, depth))) < SAME
            assert max(apart(answers_of(quick, state, depth), theirs)) < SAME
