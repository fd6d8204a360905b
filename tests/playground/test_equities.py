"""Equities and analyses in the page, with its engine in wasmtime instead of JavaScript."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis, RatedPlay
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import decide_cube
from gnubg_nactation.engines.compiled import Ask, CompiledGnubg
from gnubg_nactation.engines.engine import Evaluation
from gnubg_nactation.engines.wasm import open_compiled
from gnubg_nactation.errors import EngineError, IllegalError
from gnubg_nactation.playground import answers
from gnubg_nactation.playground.answers import (
    equities,
    plays_to_roll_out,
    resolve,
    rolled_out,
    score_cells,
)
from gnubg_nactation.playground.views import hint_view
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.tasks import judging
from gnubg_nactation.tasks.judging import Hint
from tests.cli.running import SAMPLES, run
from tests.engines.built import FOLDER, needs_builtin
from tests.figures import EQUITY

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
OWNED = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10"  # by the opponent


@pytest.fixture
def questions(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of the questions that the engine gets."""
    engine, asked = open_compiled(FOLDER), list[str]()

    def ask(function: str, question: Sequence[int], *arguments: int) -> Sequence[float]:
        asked.append(function)
        return engine._ask(function, question, *arguments)

    def opened(ask: Ask) -> CompiledGnubg:
        return CompiledGnubg(ask, engine.fingerprint, engine.close)

    monkeypatch.setattr(answers, "ask", ask)
    monkeypatch.setattr(answers, "open_in_page", opened)
    answers._opened.cache_clear()
    yield asked
    for cache in (answers._opened, answers._annotated, answers._states, answers._growing):
        cache.cache_clear()
    judging._analyses.clear()
    engine.close()


def finish(function: Any, *arguments: Any) -> tuple[dict[str, Any], int]:
    """The complete answer, and the number of steps."""
    for step in range(1, 200):
        answer = function(*arguments)
        if "unfinished" not in answer:
            return answer, step
    raise AssertionError("it goes on for ever")


@needs_builtin
@pytest.mark.parametrize(
    ("text", "plies"), [("54S-63R-31P", 2), ("31", 0), ("-64", 0), ("N 52S-31", 0), ("31P-64Q", 0)]
)
def test_the_nacbrac_is_that_of_the_command_line(
    text: str, plies: int, questions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NACTATION_ENGINE", str(FOLDER))
    whole = text.removesuffix("Q")  # a wrong letter: the plays of its roll
    at = whole.count("-") - text.startswith("-")
    answer, _ = finish(equities, text, at, plies)
    ran = run("nacbrac", "--engine", "builtin", "--plies", str(plies), whole)
    assert answer["nacbrac"] == ran.out.rstrip()
    assert answer["level"] == f"{plies}-ply"
    assert questions


def test_a_loss_that_is_shown_as_zero_is_none() -> None:
    """A question in an address takes any loss for a mistake."""
    plays = legal_plays(STANDARD, Roll(3, 1))
    ranked = [
        (RatedPlay(play, equity, "0-ply"), [0.5, 0.1, 0.0, 0.1, 0.0])
        for play, equity in zip(plays, (0.1, 0.0996, 0.0994), strict=False)
    ]
    view = hint_view(Hint("0-ply", None, ranked), "31")
    assert [play["loss"] for play in view["plays"]] == ["", "", "\u2212.001"]
    cube = CubeAnalysis(CubeAct.NO_DOUBLE, 0.9997, 1.5, "0-ply")
    evaluation = Evaluation((0.8, 0.2, 0.0, 0.1, 0.0), 0.7, 1.0)
    hint = Hint("0-ply", decide_cube(cube, GameState()), (), evaluation)
    actions = hint_view(hint, "")["actions"]
    assert [loss for *_, loss in actions] == ["", ""]


@needs_builtin
def test_all_plays_are_listed_with_their_chances(questions: list[str]) -> None:
    answer, steps = finish(equities, "54S-63R-31", 2, 2)
    assert steps > 1
    assert len(questions) < steps * 20
    best, second = answer["plays"][:2]
    assert best["said"] == "8/5 6/5"
    assert float(best["equity"]) == pytest.approx(0.212, abs=EQUITY)
    assert (best["loss"], best["level"]) == ("", "")
    assert second["loss"] == "\u2212.076"
    assert 54 < float(best["chances"][0]) < 55
    legal = legal_plays(decode("54S-63R-31").turns[-1].state.position, Roll(3, 1))
    assert {play["said"] for play in answer["plays"]} == set(map(format_play, legal))
    assert answer["plays"][-1]["level"] == "0-ply"


@needs_builtin
def test_before_the_roll_the_cube_is_judged(questions: list[str]) -> None:
    answer, _ = finish(equities, "54S-63R-31P", 3, 0)
    assert [row[0] for row in answer["actions"]] == ["No double", "Double, take"]
    assert answer["nacbrac"].startswith("54S-63R-31P [N D/T ")
    assert answer["actions"][0][2] == ""
    after_double, _ = finish(equities, "54S-63R-31P-C", 3, 0)
    assert after_double == answer
    owned, _ = finish(equities, OWNED, 0, 0)
    assert not owned.keys() & {"actions", "nacbrac"}
    assert len(owned["chances"]) == 5
    start, _ = finish(equities, OPENING, 0, 0)
    assert start["nacbrac"].startswith("[N D/T ")
    assert set(questions) == {"evaluate", "judge"}


@needs_builtin
def test_what_cannot_be_judged_is_one_line(questions: list[str]) -> None:
    over = "XGID=-A------------------------:0:0:1:00:0:0:0:0:10"
    with pytest.raises(IllegalError, match="the game is over"):
        equities(over, 0, 0)
    closed = "XGID=aBBBBBB------------b------:0:0:-1:66:0:0:0:0:10"
    with pytest.raises(IllegalError, match="nothing can be played with 66"):
        equities(closed, 0, 0)
    assert not questions


@needs_builtin
def test_each_step_goes_on_however_short_it_is(
    questions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "_STEP", -1.0)
    answer, steps = finish(equities, "54S-63R-31", 2, 2)
    assert answer["nacbrac"].startswith("54S-63R-31 [P ")
    assert len(questions) == steps


@needs_builtin
def test_the_engine_chooses_what_is_assumed(questions: list[str]) -> None:
    """55H names the hit alone; the rest is left to the reader."""
    answer, _ = finish(resolve, "62S-55H")
    (note,) = answer["notes"]
    assert note.startswith("55H: 13/3 8/3 6/1*, a part of the play assumed, ")
    assert note.endswith(" by gnubg 2-ply")
    ran = run("decode", answer["text"])
    assert "13/3 8/3 6/1*" in ran.out
    assert "assumed" not in ran.out
    certain, _ = finish(resolve, f"{OPENING} 31P-64")
    assert certain == {"text": f"{OPENING} 31P-64", "notes": []}
    assert set(questions) == {"rate"}


@needs_builtin
def test_a_match_is_analysed_as_on_the_command_line(
    questions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NACTATION_ENGINE", str(FOLDER))
    path = SAMPLES / "match-1pt.mat"
    data, done, steps = path.read_bytes(), 0, 0
    while "data" not in (answer := answers.analyse(data, 0, done)):
        assert answer["total"] > answer["done"] >= done
        done, steps = answer["done"], steps + 1
    assert steps > 2
    assert answer["analysed"]
    count = len(questions)
    options = "annotate", "--analyse", "--engine", "builtin", "--plies", "0", "--to"
    for form in ("text", "sgf", "html", "reddit"):
        exported = base64.b64decode(answers.export_match(data, form, 0)).decode()
        assert exported == run(*options, form, path).out
    assert len(questions) == count  # what was analysed is remembered


@needs_builtin
def test_a_file_with_too_many_decisions_is_one_line(
    questions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "_MAX_DECISIONS", 20)
    with pytest.raises(EngineError, match=r"\d+ decisions; this page analyses up to 20"):
        answers.analyse((SAMPLES / "match-7pt.mat").read_bytes(), 0, 0)
    assert not questions


def test_without_an_engine_the_page_says_so() -> None:
    answers._opened.cache_clear()
    with pytest.raises(EngineError, match="this page has no engine"):
        equities("31", 0, 0)


def test_a_fault_of_the_engine_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """As JavaScript reports it; the next question starts the engine again."""
    from gnubg_nactation.engines import javascript  # noqa: PLC0415 (not at home here)

    class JsError(Exception):
        message = "unreachable"

    class Ffi:
        JsException = JsError
        to_js = list

    class Module:
        integrity = "sha256-AAEC"
        faults = 1

        def ask(self, function: str, question: list[int], *_: int) -> Any:
            if self.faults:
                self.faults -= 1
                raise JsError(function, question)
            return self

        def to_py(self) -> Any:
            return memoryview(b"\0\0\x80\x3f").cast("f")

    modules = {"nactation_engine": Module(), "pyodide.ffi": Ffi}
    monkeypatch.setattr(javascript, "import_module", modules.__getitem__)
    engine = javascript.open_in_page()
    assert engine.fingerprint == "gnubg.wasm:000102"
    with pytest.raises(EngineError, match="failed and starts again: unreachable"):
        javascript.ask("rate", [1])
    assert javascript.ask("rate", [1]) == [1.0]


@needs_builtin
def test_the_best_plays_are_rolled_out(questions: list[str]) -> None:
    """The plays of `[P H76 @79 X85]`, and a nacbrac of made results (.01 twice is .014)."""
    text, at = "54S-63R-31", 2
    answer, _ = finish(plays_to_roll_out, text, at)
    plays = {play["name"]: play for play in answer["plays"]}
    assert set(plays) == set("PH@X")
    assert plays["P"]["said"] == "8/5 6/5"
    reached = decode(f"{text}P").state.position
    assert plays["P"]["question"][-26:] == [-points for points in reversed(reached.points)]
    assert "roll_out" not in questions  # the page does that
    results = [(plays["H"]["said"], 0.15, 0.01), (plays["P"]["said"], 0.2, 0.01)]
    words = "gnubg 0-ply rollout {} trials truncated at 7 plies{}, standard error 14"
    few = words.format(36, "")
    assert rolled_out(text, at, (36, 7, 2), results) == {
        "nacbrac": f"54S-63R-31 [P H50] {few}",
        "by": few,
    }
    assert rolled_out(text, at, (1296, 7, 0), results) == {
        "nacbrac": "54S-63R-31 [P H50] 1k",
        "by": words.format(1296, " by 0-ply"),
    }
    with pytest.raises(IllegalError, match="no roll to play"):
        plays_to_roll_out("54S-63R-31P", 3)


@needs_builtin
@pytest.mark.usefixtures("questions")
@pytest.mark.parametrize("text", ["54S-63R-31", "54S-63R"])
def test_a_table_of_scores_grows_to_that_of_the_command(
    text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NACTATION_ENGINE", str(FOLDER))
    monkeypatch.setenv("NACTATION_CACHE", str(tmp_path / "answers.sqlite"))
    words = "--engine", "builtin", "--plies", "0", "--to", "json"
    table = json.loads(run("scores", *words, text).out)
    cells: dict[tuple[str, str], dict[str, Any]] = {}
    done = steps = 0
    while True:
        answer = score_cells(text, 0, done)
        new = {tuple(cell["at"]): cell for cell in answer["cells"]}
        assert not new.keys() & cells.keys()
        cells |= new
        done, steps = answer["done"], steps + 1
        if done == answer["total"]:
            break
        assert not any(line == table["summary"] for line in answer["lines"])
    assert len(cells) == len(table["cells"]) == 97
    assert answer["lines"][0] == table["summary"]
    for cell in table["cells"]:
        own, other = (
            f"{away}{'C' * (cell['crawford'] and away == 1)}"
            for away in (cell["player_away"], cell["opponent_away"])
        )
        assert cells[own, other]["letters"][0]["name"] == (cell["best"] or "-")
        assert cells[own, other]["differs"] == cell["differs"]
    assert score_cells(text, 0, done)["cells"] == []


@needs_builtin
@pytest.mark.usefixtures("questions")
def test_scores_of_nothing_to_decide() -> None:
    with pytest.raises(IllegalError, match="the opponent owns the cube"):
        score_cells(OWNED, 0, 0)
