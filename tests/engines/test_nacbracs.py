"""`nacbrac` of the library: its questions to an engine, and the arguments that it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.engines import nacbracs
from gnubg_nactation.engines.engine import GNUBG, Depth, Ranking, Watch
from gnubg_nactation.errors import MalformedError

FIRST, SECOND = Player


class Noting:
    """An engine to which all plays are equal, and which notes the states."""

    bot = GNUBG

    def __init__(self) -> None:
        self.states: list[GameState] = []

    def close(self) -> None:
        """Nothing is open."""

    def rank(self, state: GameState, depth: Depth, watch: Watch | None = None) -> Ranking:  # noqa: ARG002
        assert state.roll
        self.states.append(state)
        plays = legal_plays(state.position, state.roll)
        return tuple([RatedPlay(play, 0.0, str(depth)) for play in plays])


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Noting:
    engine = Noting()
    monkeypatch.setattr(nacbracs, "new_engine", lambda _: engine)
    return engine


@pytest.mark.parametrize("player", [FIRST, SECOND])
@pytest.mark.parametrize(
    ("score", "away", "crawford"),
    [
        ("dmp", (1, 1), False),
        ("DMP", (1, 1), False),
        ("gg", (2, 1), True),  # gammon go: the player needs 2 points, and there is no cube
        ("gs", (1, 2), True),
        ("-3-5", (3, 5), False),
        ("3-5", (3, 5), False),
        ("2-1C", (2, 1), True),
    ],
)
def test_a_score_of_a_match(
    engine: Noting, player: Player, score: str, away: tuple[int, int], crawford: bool
) -> None:
    text = nacbracs.nacbrac(GameState(player=player), "31", score=score, plies=0)
    [state] = {*engine.states}
    points = state.length - state.score[player], state.length - state.score[player.other]
    assert (points, state.crawford) == (away, crawford)
    engine.states.clear()
    assert nacbracs.nacbrac(GameState(player=player), "31", score=text.score, plies=0) == text
    assert {*engine.states} == {state}


@pytest.mark.parametrize(("score", "jacoby"), [("money", False), ("", False), ("jacoby", True)])
def test_a_score_of_a_money_game(engine: Noting, score: str, jacoby: bool) -> None:
    nacbracs.nacbrac(GameState(length=7, score=(2, 3)), "31", score=score, plies=0)
    assert {*engine.states} == {GameState(roll=Roll(3, 1), jacoby=jacoby)}


@pytest.mark.parametrize(
    "wrong",
    [
        {"score": "foo"},
        {"score": "3-x"},
        {"score": "0-3"},
        {"limit": 0},
        {"limit": -1},
        {"within": -1.0},
        {"within": float("nan")},
        {"plies": 9},
        {"plies": -1},
    ],
)
def test_an_argument_out_of_range(engine: Noting, wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(MalformedError, match=name):
        nacbracs.nacbrac(GameState(), "31", **wrong)
    assert not engine.states
