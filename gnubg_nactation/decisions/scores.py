"""The decision of a position at every score: the best play of a roll, or the cube actions."""

from __future__ import annotations

from itertools import chain

from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import Choice, Decision
from gnubg_nactation.values import NamedTuple

CLOSE = 0.01  # points; choices that lose at most this are shown next to the best
MAX_LETTERS = 2  # in a cell


class Place(NamedTuple):
    """A score of a table: the points that the player on roll and the opponent need."""

    away: int
    opponent_away: int
    crawford: bool = False

    @property
    def score(self) -> str:
        """The score as a nacbrac writes it: `-3-5`, `-2-1C`."""
        return f"-{self.away}-{self.opponent_away}{'C' * self.crawford}"


class ScoreTable(NamedTuple):
    """The decisions of a state at all scores, by their places: row by row.

    A decision without choices is one about a cube that the player may not turn. The best choice
    comes first, then those that lose at most CLOSE, or else the next one. `state` has the score in
    force; `here` is its place, None for money. `level` is the engine and its depth.
    """

    state: GameState
    cells: dict[Place, Decision]
    money: Decision
    dmp: Decision
    here: Place | None
    level: str

    @property
    def about_cube(self) -> bool:
        """Whether the decisions are about the cube."""
        return self.state.roll is None

    def differs(self, decision: Decision) -> bool:
        """Whether the best choice is not that for money."""
        mine, money = decision.choices, self.money.choices
        return bool(mine and money) and kind_of(decision) != kind_of(self.money)


def kind_of(decision: Decision) -> object:
    """Return what decisions with the same best choice have in common; None without choices."""
    if decision.cube:
        return decision.cube.best
    return decision.choices[0].play if decision.choices else None


def close_choices(decision: Decision) -> list[Choice]:
    """Return the choices that lose at most CLOSE, the best first."""
    return [choice for choice in decision.choices if is_close(choice.loss or 0.0)]


def is_close(loss: float) -> bool:
    """Whether a loss is at most CLOSE, in whole thousandths."""
    return round(loss, 3) <= CLOSE


def lead_of(decision: Decision) -> float | None:
    """Return the points that the second choice loses; None without one."""
    return decision.choices[1].loss if len(decision.choices) > 1 else None


def place_of(state: GameState) -> Place | None:
    """Return the place of a state's score; None for money."""
    if not state.length:
        return None
    own = state.length - state.score[state.player]
    other = state.length - state.score[state.player.other]
    return Place(own, other, state.crawford)


class Kind(NamedTuple):
    """Decisions with the same best choice: the first of them, and their places."""

    decision: Decision
    places: tuple[Place, ...]


def kinds_of(table: ScoreTable) -> list[Kind]:
    """Return the kinds of the cells with a choice, the most frequent first."""
    kinds: dict[object, list[Place]] = {}
    for place, decision in table.cells.items():
        if decision.choices:
            kinds.setdefault(kind_of(decision), []).append(place)
    order = sorted(kinds.values(), key=len, reverse=True)
    return [Kind(table.cells[found[0]], (*found,)) for found in order]


def plays_shown(table: ScoreTable) -> list[Choice]:
    """Return each play whose letter the table shows, the most frequent best one first."""
    kinds = kinds_of(table)
    decisions = chain([table.money], (kind.decision for kind in kinds), table.cells.values())
    best = [kind.decision.choices[0] for kind in kinds] + [table.money.choices[0]]
    shown = [choice for decision in decisions for choice in close_choices(decision)[:MAX_LETTERS]]
    return [*{choice.play: choice for choice in (*best, *shown)}.values()]
