"""The built-in engine in Node: the same module gives the bytes that it gives in CPython.

tests/browser/test_engine.py asks some of these questions in Chromium.
"""

from __future__ import annotations

import json
import platform
import shutil
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.engines.compiled import CompiledGnubg
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.engines.wasm import open_compiled
from tests.browser.conftest import missing
from tests.engines.built import FOLDER, needs_builtin
from tests.engines.recording import PLIES, answers_of, depth_of
from tests.engines.test_compiled import TRAP, recorded
from tests.strategies import random_positions

Question = list[Any]  # the name of the function, the question, and further arguments
STEP = 3  # between the states of these questions


def answers_in_node(
    module: Path, questions: Sequence[Question], folder: Path, *options: str
) -> list[str]:
    node = shutil.which("node") or ""
    if not node:
        missing("node")
    file = folder / "questions.json"
    file.write_text(json.dumps(questions), encoding="utf-8")
    done = subprocess.run(
        [node, *options, Path(__file__).with_name("engine.mjs"), module, file],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    answers: list[str] = json.loads(done.stdout)
    return answers


def questions_with_answers(*, step: int = 1) -> tuple[list[Question], list[str]]:
    """The questions of the agreement with gnubg, and the bytes of CPython's answers, in hex.

    These are the states that are compared with gnubg's recorded answers, or each `step`-th of
    them, at each depth. Others follow, and what an analysis asks.
    """
    python = open_compiled(FOLDER)
    questions: list[Question] = []
    answers: list[str] = []

    def ask(function: str, question: Sequence[int], *arguments: int) -> Sequence[float]:
        answer = python._ask(function, question, *arguments)
        questions.append([function, question, *arguments])
        answers.append(struct.pack(f"<{len(answer)}f", *answer).hex())
        return answer

    engine = CompiledGnubg(ask, python.fingerprint, python.close)
    compared = [entry.state for entry in recorded()][::step]
    for plies in PLIES:
        for state in compared:
            answers_of(engine, state, depth_of(plies))
    others = [
        GameState(position, roll=roll, length=7, score=(2, 5), cube=2, owner=Player.FIRST)
        for position, roll in random_positions(400, 8)[:: 10 * step]
    ]
    others += [GameState(roll=Roll(3, 1)), GameState(roll=Roll(6, 5), jacoby=True)]
    states = compared + others
    assert len(list(engine.analyse(states, Depth(0)))) == len(states)
    for state in others:
        engine.evaluate(state, Depth(0))
    for state in others[-3:]:  # of a match, for money and with the Jacoby rule
        engine.rank(state, Depth(0, trials=3, plays=2, truncate=3))
    engine.rank(others[-1], Depth(0, trials=1, plays=1))
    python.close()
    assert {name for name, *_ in questions} == {"rate", "judge", "evaluate", "luck", "roll_out"}
    return questions, answers


@needs_builtin
def test_answers_are_equal_byte_for_byte(tmp_path: Path) -> None:
    questions, answers = questions_with_answers(step=STEP)
    assert answers_in_node(FOLDER / "gnubg.wasm", questions, tmp_path) == answers


@needs_builtin
def test_after_a_trap_the_engine_starts_again(tmp_path: Path) -> None:
    wasmtime: Any = pytest.importorskip("wasmtime")
    (tmp_path / "trap.wasm").write_bytes(bytes(wasmtime.wat2wasm(TRAP)))
    answers = answers_in_node(tmp_path / "trap.wasm", [["judge", [1, 2]]] * 3, tmp_path)
    assert answers == ["0000803f" * 4, "unreachable", "0000803f" * 4]


@needs_builtin
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the option is of another processor")
def test_without_simd_the_page_has_a_plain_message(tmp_path: Path) -> None:
    """As in Safari before 16.4. The page shows it after `No equities: `."""
    module = FOLDER / "gnubg.wasm"
    answers = answers_in_node(module, [["judge", [1, 2]]], tmp_path, "--no-enable-sse4-1")
    assert answers == ["this browser cannot run them. Please use one from 2023 or later."]
