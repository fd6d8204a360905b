"""The book as an engine: what it answers, and what it refuses."""

from __future__ import annotations

import pytest

from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines import registry
from gnubg_nactation.engines.book import BookEngine, NotInBookError
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.engines.nacbracs import judge
from gnubg_nactation.engines.registry import EngineEntry, Opener
from gnubg_nactation.errors import EngineError
from gnubg_nactation.nacbracs.book import parse_book
from gnubg_nactation.nacbracs.bots import describe_bot
from gnubg_nactation.nacbracs.nacbrac import Nacbrac, at_score
from gnubg_nactation.nacbracs.reading import parse_nacbrac
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.values import replace
from tests.cli.running import error_of, output_of, run

TEXT = """\
# Nactation book
# source: gnubg 2-ply

# sGfwATDgc/ABMA 31P
31P-42 [-170 P Z151] d[-83 P Z65]

"""


@pytest.fixture
def engine() -> BookEngine:
    return BookEngine(parse_book(TEXT, "book"))


def after(sequence: str) -> GameState:
    return replace(decode(sequence).state, roll=Roll(4, 2))


def test_it_ranks_the_plays_of_the_book(engine: BookEngine) -> None:
    rated = engine.rank(after("31P"), Depth(2))
    assert [(format_play(play.play), round(play.equity, 3), play.method) for play in rated] == [
        ("8/4 6/4", -0.170, "2-ply"),
        ("24/22 13/9", -0.321, "2-ply"),
    ]
    double_match_point = at_score(after("31P"), "d")
    assert round(engine.rank(double_match_point, Depth(2))[0].equity, 3) == -0.083


def test_its_nacbracs_name_the_book_and_its_bot(engine: BookEngine) -> None:
    decision = judge(engine, after("31P"), engine.bot.depth())
    assert decision.source == "book: gnubg 2-ply"
    assert [round(choice.loss or 0.0, 3) for choice in decision.choices] == [0.0, 0.151]
    assert describe_bot(decision.source) == "gnubg, 2-ply, evaluation"
    nacbrac = parse_nacbrac("[P Z151] book: gnubg 2-ply")
    assert isinstance(nacbrac, Nacbrac)
    assert nacbrac.suffix == decision.source


def test_it_refuses_what_it_does_not_have(engine: BookEngine) -> None:
    state = after("31P")
    with pytest.raises(NotInBookError, match="does not have 42 here, gammon go"):
        engine.rank(at_score(state, "g"), Depth(2))
    with pytest.raises(NotInBookError, match="does not have 42 here, money"):
        engine.rank(after("43D"), Depth(2))
    with pytest.raises(NotInBookError, match="no 3-ply"):
        engine.rank(state, Depth(3))
    with pytest.raises(NotInBookError, match="no 0-ply rollout 36 trials"):
        engine.rank(state, Depth(0, 36))
    with pytest.raises(NotInBookError, match="no cube decisions"):
        engine.judge_cube(replace(state, roll=None), Depth(2))
    with pytest.raises(NotInBookError, match="no equities of positions"):
        engine.evaluate(state, Depth(2))


def _is_missing() -> Opener:
    raise EngineError("install an engine")


@pytest.fixture
def without_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [entry.name for entry in registry.ENGINES]
    monkeypatch.setattr(registry, "ENGINES", [EngineEntry(name, _is_missing) for name in names])


@pytest.mark.usefixtures("without_engines")
def test_commands_answer_from_the_book_without_any_engine() -> None:
    # gnubg's best opening play of a 31 makes the 5 point; a reply of 42 its 4 point.
    assert output_of("nacbrac", "31").startswith("31 [P ")
    out = output_of("nacbrac", "31P-42")
    assert out.startswith("31P-42 [P ")
    assert out.endswith("] book: gnubg 2-ply\n")
    assert output_of("replies", "31P").startswith("Replies by book: gnubg 2-ply, ")
    missing = error_of("nacbrac", "31P-42P-62Z-54D-31")
    assert missing.startswith("nactate: the book does not have 31 here, money; install an engine")
    assert "no cube decisions; install" in error_of("nacbrac", "--cube", "31P-42")
    # What has no use for the book keeps its own error.
    assert error_of("decode", "--assume", "31P-42-31").startswith("nactate: install an engine")


def test_the_book_can_be_named() -> None:
    out = output_of("nacbrac", "--engine", "book", "--score", "dmp", "31P-42")
    assert out.startswith("31P-42 d[P ")
    ran = run("decode", "--engine", "book", "31P-42")
    assert ran.status == 2
    same = output_of("replies", "31P", "--diff", "engine", "book", "--engine", "book")
    assert "0 of 21 replies in both charts differ" in same
