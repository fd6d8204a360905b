"""Engines by name: the choice of `auto`, and a third engine with its own name."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from gnubg_nactation import EngineError
from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines import registry
from gnubg_nactation.engines.cache import Cached, Store
from gnubg_nactation.engines.engine import Bot, Depth, Watch
from gnubg_nactation.engines.registry import EngineEntry, Opener, new_engine
from gnubg_nactation.nacbracs.bots import bot_of, describe_bot
from tests.archive.thumb import Thumb, equity
from tests.cli.running import run

THUMB = Bot("Thumb", 1, 1)


class LabelledThumb(Thumb):
    bot = THUMB

    def rank(
        self,
        state: GameState,
        depth: Depth,
        watch: Watch | None = None,  # noqa: ARG002
    ) -> tuple[RatedPlay, ...]:
        assert state.roll
        self.states.append(state)
        plays = sorted(legal_plays(state.position, state.roll), key=equity, reverse=True)
        return tuple(RatedPlay(play, equity(play), self.bot.label(depth)) for play in plays)


@pytest.fixture
def third_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EngineEntry("thumb", lambda: lambda *_: LabelledThumb())
    monkeypatch.setattr(registry, "ENGINES", (*registry.ENGINES, entry))


def _is_missing() -> Opener:
    raise EngineError("a is missing")


def test_auto_takes_the_first_that_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    second, third = LabelledThumb(), LabelledThumb()
    engines = [
        EngineEntry("a", _is_missing),
        EngineEntry("b", lambda: lambda *_: second),
        EngineEntry("c", lambda: lambda *_: third),
    ]
    monkeypatch.setattr(registry, "ENGINES", engines)
    assert new_engine() is second
    assert new_engine("c") is third
    monkeypatch.setattr(registry, "ENGINES", engines[:1])
    with pytest.raises(
        EngineError, match=r"a is missing; or install the built-in .*: pip .*, or Open Sage: pip"
    ):
        new_engine()


def test_auto_reports_a_wrong_folder_of_the_builtin_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another engine, or the book, would answer without a word about the folder."""
    entry = EngineEntry("a", lambda: lambda *_: LabelledThumb())
    monkeypatch.setattr(registry, "ENGINES", (entry,))
    new_engine()
    monkeypatch.setenv("NACTATION_ENGINE", "/typo")
    with pytest.raises(EngineError, match=r"^NACTATION_ENGINE names '/typo', which has no gnubg"):
        new_engine()
    new_engine("a")  # the user names another
    message = "nactate: NACTATION_ENGINE names '/typo', which has no gnubg.wasm\n"
    assert run("nacbrac", "54S-63R-31") == (1, "", message)  # not from the book


@pytest.mark.usefixtures("third_engine")
def test_a_third_engine_is_credited_by_its_own_name() -> None:
    ran = run("nacbrac", "--engine", "thumb", "31")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.rstrip().endswith("] Thumb 1-ply")
    assert bot_of("Thumb 1-ply") == ("Thumb", "1-ply")
    assert describe_bot("Thumb 1-ply") == "Thumb, 1-ply, evaluation"


def test_the_answers_of_a_third_engine_are_kept(tmp_path: Path) -> None:
    state = GameState(roll=Roll.parse("31"))
    first, second = LabelledThumb(), LabelledThumb()
    with closing(Cached(first, Store(tmp_path / "answers.sqlite"))) as engine:
        rated = engine.rank(state, Depth(1))
    with closing(Cached(second, Store(tmp_path / "answers.sqlite"))) as engine:
        assert engine.rank(state, Depth(1)) == rated
    assert (first.states, second.states) == ([state], [])
