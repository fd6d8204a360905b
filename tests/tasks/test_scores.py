"""Tables of scores: their places, and engines that agree cell by cell."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence

import pytest

from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis, RatedPlay
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.scores import (
    Place,
    ScoreTable,
    close_choices,
    kinds_of,
    lead_of,
    place_of,
    plays_shown,
)
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.compiled import CompiledGnubg
from gnubg_nactation.engines.engine import GNUBG as BOT
from gnubg_nactation.engines.engine import Depth, Evaluation, Ranking, Watch
from gnubg_nactation.engines.wasm import open_compiled
from gnubg_nactation.errors import EngineError, IllegalError
from gnubg_nactation.nacbracs.nacbrac import at_score, score_of
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.tasks.face import Library
from gnubg_nactation.tasks.scores import (
    ScoresSettings,
    judge_at_scores,
    outwards,
    places,
    scores,
    subject_of,
)
from gnubg_nactation.values import replace
from tests.engines.built import FOLDER, needs_builtin
from tests.gnubg.ingame import GNUBG, needs_gnubg

SAME = 0.003  # points that the leads of two programs may differ; see CONTRIBUTING
TEN = (
    "54S-63R-31",
    "21",
    "62",
    "31P-42",
    "43Z-66",
    "21S-64",
    "52S-63",
    "41S-21",
    "65R-33",
    "64R-61P-32",
)
EXTREME = ("-1-1", "-1-2C", "-2-1C", "-1-2", "-2-1", "-9-1C", "-1-9", "-25-2", "-2-25", "-15-15")


class Fixed:
    """An engine with equities that are easy to know, which counts its questions.

    The first legal play is best if the player trails, the second otherwise, by a thousandth for
    each point that he needs; the third loses a point. To double is right with 2 points to go.
    """

    bot = BOT
    fingerprint = name = "fixed"

    def __init__(self) -> None:
        self.asked: list[GameState] = []

    def close(self) -> None:
        """Nothing is open."""

    def rank(self, state: GameState, depth: Depth, watch: Watch | None = None) -> Ranking:  # noqa: ARG002
        self.asked.append(state)
        assert state.roll
        first, second, *others = legal_plays(state.position, state.roll)
        place = place_of(state) or Place(9, 9)
        if place.away <= place.opponent_away:
            first, second = second, first
        equities = [(first, 0.5), (second, 0.5 - place.away / 1000)]
        rated = [*equities, *((play, -0.5) for play in others)]
        return tuple([RatedPlay(play, equity, str(depth)) for play, equity in rated])

    def evaluate(self, state: GameState, depth: Depth) -> Evaluation:
        raise NotImplementedError

    def judge_cube(self, state: GameState, depth: Depth) -> CubeAnalysis:
        self.asked.append(state)
        place = place_of(state)
        no_double = 0.3 if place and place.away == 2 else 0.9
        return CubeAnalysis(CubeAct.NO_DOUBLE, no_double, 0.6, str(depth))


def table_of(state: GameState, engine: object, **settings: object) -> ScoreTable:
    return scores(state, ScoresSettings(**settings), Library(engine))  # type: ignore[arg-type]


def state_of(sequence: str) -> GameState:
    return decode(sequence).turns[-1].state


OPENING = GameState(roll=Roll(3, 1))


@pytest.mark.parametrize("away", [2, 9, 15])
def test_the_places_are_all_pairs_and_both_kinds_of_games_with_one_to_go(away: int) -> None:
    grid = places(away, OPENING)
    assert len(set(grid)) == len(grid) == away**2 + 2 * (away - 1)
    assert [place for place in grid if place.crawford] == [
        place for place in grid if place.crawford and 1 in place[:2] and place[:2] != (1, 1)
    ]
    for place in grid:  # each is a score of its own, of the side of the player
        for player in Player:
            at = at_score(replace(OPENING, player=player), place.score)
            assert place_of(at) == place
            assert at.length == max(place.away, place.opponent_away)
    mirrored = {place._replace(away=place[1], opponent_away=place[0]) for place in grid}
    assert mirrored == set(grid)


def test_a_turned_cube_leaves_out_the_crawford_game() -> None:
    owned = replace(OPENING, cube=2, owner=Player.FIRST)
    assert not any(place.crawford for place in places(9, owned))
    assert len(places(9, owned)) == 81


def test_the_order_begins_at_the_score_in_force() -> None:
    order = outwards(places(9, OPENING), Place(3, 5))
    assert order[0] == Place(3, 5)
    rings = [max(abs(place.away - 3), abs(place.opponent_away - 5)) for place in order]
    assert rings == sorted(rings)
    assert sorted(order) == sorted(places(9, OPENING))


def test_a_table_has_what_the_engine_answers() -> None:
    table = table_of(OPENING, Fixed(), plies=0)
    first, second, *_ = legal_plays(OPENING.position, Roll(3, 1))
    for place, decision in table.cells.items():
        trails = place.away > place.opponent_away
        assert decision.choices[0].play == (first if trails else second)
        assert lead_of(decision) == pytest.approx(place.away / 1000)
        assert table.differs(decision) == trails
        assert len(close_choices(decision)) == 2  # up to 9 thousandths
        assert score_of(decision.state) == score_of(at_score(OPENING, place.score))
    assert table.money.choices[0].play == second
    assert [(kind.decision.choices[0].play, len(kind.places)) for kind in kinds_of(table)] == [
        (second, 53),  # 36 with the lead, 9 equal, 8 more with the lead in the Crawford game
        (first, 44),
    ]
    assert {choice.play for choice in plays_shown(table)} == {first, second}
    letters = {
        (choice.play, choice.name)
        for decision in table.cells.values()
        for choice in decision.choices
    }
    assert len(letters) == 2  # a play has the same letter in all cells


def test_leads_beyond_the_limit_are_not_close() -> None:
    table = table_of(OPENING, Fixed(), plies=0, away=15)
    assert len(close_choices(table.cells[Place(10, 3)])) == 2
    assert len(close_choices(table.cells[Place(11, 3)])) == 1


def test_the_score_in_force_is_asked_first_and_marked() -> None:
    engine = Fixed()
    state = at_score(OPENING, "-4-2")
    table = table_of(state, engine, plies=0)
    assert table.here == Place(4, 2)
    assert [place_of(at) for at in engine.asked[:3]] == [None, Place(1, 1), Place(4, 2)]
    assert table_of(OPENING, Fixed(), plies=0).here is None


def test_equal_stakes_are_asked_once() -> None:
    """With the cube on 4, any win ends a match in which both need at most 4 points."""
    engine = Fixed()
    state = replace(OPENING, cube=4, owner=Player.SECOND)
    table = table_of(state, engine, plies=0, away=5)
    assert len(engine.asked) == 1 + 1 + (25 - 16)
    dead = [cell for place, cell in table.cells.items() if max(place[:2]) <= 4]
    assert {cell.choices for cell in dead} == {table.dmp.choices}
    assert {cell.state.cube for cell in dead} == {4}


def test_the_cube_at_each_score() -> None:
    table = table_of(GameState(), Fixed(), plies=0, away=3)
    assert table.about_cube
    assert table.money.cube
    assert table.money.cube.best == "no double, take"
    best = {place: cell.cube and cell.cube.best for place, cell in table.cells.items()}
    assert best[Place(2, 3)] == "double, take"
    assert best[Place(3, 3)] == "no double, take"
    impossible = {place for place in best if place.away == 1 or place.crawford}
    assert {place for place, actions in best.items() if actions is None} == impossible
    assert not table.dmp.choices
    offered = replace(GameState(), doubled=True, cube=1, player=Player.SECOND)
    assert table_of(offered, Fixed(), plies=0, away=3).state.player is Player.FIRST


def test_what_has_no_table() -> None:
    forced = GameState(Position.parse("AAAAAAAAAAAAAA"), roll=Roll(6, 5))
    with pytest.raises(IllegalError):
        subject_of(forced)
    bear_off = GameState(Position.parse("AQAAAAEAAAAAAA"), roll=Roll(6, 5))
    with pytest.raises(IllegalError, match="65 has one legal play"):
        subject_of(bear_off)
    owned = GameState(cube=2, owner=Player.SECOND)
    with pytest.raises(IllegalError, match="the opponent owns the cube"):
        subject_of(owned)
    with pytest.raises(EngineError):
        scores(OPENING, face=Library())


def test_decisions_travel_between_processes() -> None:
    decisions = list(judge_at_scores(Fixed(), [OPENING, GameState()], Depth(0)))
    assert pickle.loads(pickle.dumps(decisions)) == decisions


# Real engines


@pytest.fixture(scope="module")
def builtin() -> CompiledGnubg:
    return open_compiled(FOLDER)


@pytest.fixture(scope="module")
def gnubg() -> Iterator[Gnubg]:
    with Gnubg(GNUBG, threads=2) as engine:
        yield engine


def check_agreement(
    first: object, second: object, state: GameState, at: Sequence[str], plies: int
) -> None:
    states = [at_score(state, score) for score in at]
    pairs = zip(
        judge_at_scores(first, states, Depth(plies)),  # type: ignore[arg-type]
        judge_at_scores(second, states, Depth(plies)),  # type: ignore[arg-type]
        strict=True,
    )
    for ours, theirs in pairs:
        lead, other_lead = lead_of(ours), lead_of(theirs)
        assert lead is not None
        assert other_lead is not None
        if ours.choices[0].play != theirs.choices[0].play:  # only plays that are equally good
            assert max(lead, other_lead) <= SAME
        else:
            assert abs(lead - other_lead) <= SAME


@needs_gnubg
@needs_builtin
@pytest.mark.parametrize("sequence", TEN)
def test_the_built_in_engine_agrees_with_gnubg(
    sequence: str, builtin: CompiledGnubg, gnubg: Gnubg
) -> None:
    """At extreme scores, and at one of the others that differs for each position."""
    number = TEN.index(sequence)
    usual = f"-{2 + number % 8}-{2 + number * 3 % 8}"
    check_agreement(builtin, gnubg, state_of(sequence), [*EXTREME, usual], 0)


@needs_gnubg
@needs_builtin
@pytest.mark.parametrize("sequence", TEN[:2])
def test_they_agree_at_2_plies(sequence: str, builtin: CompiledGnubg, gnubg: Gnubg) -> None:
    check_agreement(builtin, gnubg, state_of(sequence), ["-2-1C", "-2-7"], 2)


@needs_builtin
def test_a_symmetric_position_has_symmetric_cubes(builtin: CompiledGnubg) -> None:
    """At the start, the side does not matter: White at 3-5 decides as Black at 5-3."""
    white = scores(GameState(), ScoresSettings(away=4, plies=0), Library(builtin))
    black = scores(
        GameState(player=Player.SECOND), ScoresSettings(away=4, plies=0), Library(builtin)
    )
    for place, cell in white.cells.items():
        other = black.cells[place]
        assert bool(cell.cube) == bool(other.cube)
        if cell.cube and other.cube:
            assert cell.cube.no_double == pytest.approx(other.cube.no_double or 0.0, abs=1e-5)
            assert cell.cube.best == other.cube.best
