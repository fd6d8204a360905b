"""A decision of a game: its state, the choices, the one made, and who judged them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot, isfinite

from gnubg_nactation.annotation import AnnotatedTurn
from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAct,
    CubeAnalysis,
    Odds,
    RatedPlay,
    in_prose,
)
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.rating import rate_legal
from gnubg_nactation.decisions.severity import cube_of, play_of
from gnubg_nactation.language.lists import listed
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.bots import analysis_suffix, bot_of
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, TypeVar, replace

if TYPE_CHECKING:  # the module that reads nacbracs is slow to import
    from gnubg_nactation.nacbracs.resolving import NacbracRead

    _Rated = TypeVar("_Rated", Candidate, RatedPlay)

MAX_BEST = 5  # choices of a decision, without the play made
NEAR, MIN_NEAR = 0.1, 2  # points that the plays of a nacbrac may lose; their least number


class Choice(NamedTuple):
    """A play with its Nactation next to the other choices, or an `action` of the cube.

    `equity` is in points for the player who decides, `loss` in points against the best choice;
    None if unknown. `level` is how it was judged, as in Candidate.method. `skipped` means that
    better choices are left out before it. `times` counts how often an archive contains it.
    """

    play: Play | None = None
    name: Nactation | None = None
    action: str = ""
    equity: float | None = None
    loss: float | None = None
    level: str = ""
    standard_error: float | None = None
    odds: Odds = b""
    skipped: bool = False
    times: int = 0

    @property
    def text(self) -> str:
        """The play in traditional notation, or the action of the cube: `double, drop`."""
        return format_play(self.play) if self.play else in_prose(self.action)


class Listing(NamedTuple):
    """Which plays a nacbrac lists, and their names.

    The best `limit`, or those that lose at most `within` points; without either, those within
    NEAR, at least MIN_NEAR. `top` limits the plays shown. `characters` is a preset of
    habits.CHARACTERS (KeyError for another).
    """

    limit: int | None = None
    within: float | None = None
    characters: str = "preferred"
    top: int | None = None

    @property
    def is_usual(self) -> bool:
        """Whether neither limit is set."""
        return self.limit is None and self.within is None

    @property
    def reach(self) -> float | None:
        """The points that plays may lose; None for any number."""
        return NEAR if self.is_usual else self.within


USUAL = Listing()


class Decision(NamedTuple):
    """The choices of a checker play or a cube action, the best first; empty without an analysis.

    `made` is the index of the choice made, None if unknown. `source` is the bot and its level, like
    the suffix of a nacbrac: `gnubg 2-ply`. `cube` has the equities of a cube decision. `rank` is
    the rank by equity, from 0, of a play made that is not among the best. `more` means that nearly
    best plays are left out after the last choice. `note` is a comment of the user, maybe of several
    lines.

    Plays come by equity, after the best play of the source: one judged less deeply may seem better.
    """

    state: GameState
    choices: tuple[Choice, ...] = ()
    made: int | None = None
    source: str = ""
    cube: CubeAnalysis | None = None
    rank: int | None = None
    more: bool = False
    note: str = ""

    @property
    def loss(self) -> float:
        """The points that the choice made loses; 0 if unknown."""
        return 0.0 if self.made is None else self.choices[self.made].loss or 0.0

    def level_of(self, choice: Choice) -> str:
        """The level of a choice, if it differs from that of the best."""
        return "" if choice.level == self.choices[0].level else bot_of(choice.level)[1]

    def details(self) -> Iterator[tuple[Choice, bool, str]]:
        """Each choice, whether it was made, and its details: `4-ply`, `rank 9`, or both.

        The level appears if it differs from that of the best, the rank of a play made if better
        plays are left out.
        """
        for at, choice in enumerate(self.choices):
            is_made = at == self.made
            rank = f"rank {self.rank + 1}" if is_made and self.rank is not None else ""
            yield choice, is_made, ", ".join(filter(None, (self.level_of(choice), rank)))


def by_equity(rated: Sequence[_Rated]) -> list[_Rated]:
    """The best play of the source, which comes first, then all others by equity."""
    others = sorted(rated[1:], key=lambda candidate: -candidate.equity)
    return list(rated[:1]) + others


def decide_play(
    state: GameState, rated: Sequence[RatedPlay], plays: Plays, actual: Play | None = None
) -> Decision:
    """The decision among rated plays, the best of the source first."""
    order = by_equity(rated)
    index = next((at for at, candidate in enumerate(order) if candidate.play == actual), None)
    names = listed([candidate.play for candidate in order], plays)
    choices = [
        _choice(candidate, order[0], name.nactation)
        for candidate, name in zip(order, names, strict=True)
    ]
    return Decision(state, (*choices,), index, analysis_suffix([rated[0].method]))


def decide_near(
    state: GameState,
    rated: Sequence[RatedPlay],
    plays: Plays,
    listing: Listing = USUAL,
    actual: Play | None = None,
) -> Decision:
    """The decision with the nearly best plays and the one made, as a nacbrac lists them.

    A play that seems better than the best, because it was judged less deeply, is left out.
    """
    limit, min_count, within = listing.limit, MIN_NEAR * listing.is_usual, listing.reach
    best, order = rated[0], by_equity(rated)
    no_better = [candidate for candidate in order if candidate.equity <= best.equity]

    def loss(candidate: RatedPlay) -> float:
        return round(best.equity - candidate.equity, 3)

    near = no_better
    if within is not None:
        near = near[: max(min_count, sum(loss(candidate) <= within for candidate in near))]
    ranked = near[:limit]
    visible, listed_plays = ranked[: listing.top], [candidate.play for candidate in ranked]

    def name(play: Play, neighbours: Sequence[Play]) -> Nactation:
        [naming] = listed([play], plays, listing.characters, context=neighbours)
        return naming.nactation

    choices = [
        _choice(candidate, best, name(candidate.play, listed_plays)) for candidate in visible
    ]
    index = next((at for at, candidate in enumerate(visible) if candidate.play == actual), None)
    if actual is not None and index is None:
        played = next((candidate for candidate in order if candidate.play == actual), None)
        if played is None:
            choices.append(Choice(actual, name(actual, [*listed_plays, actual]), skipped=True))
        elif played in ranked or loss(played) >= loss(ranked[-1]):
            choice = _choice(played, best, name(actual, [*listed_plays, actual]))
            choices.append(choice._replace(skipped=played not in ranked[: len(visible) + 1]))
            visible.append(played)
        index = len(choices) - 1 if choices[-1].play == actual else None
    decision = Decision(state, (*choices,), index, more=visible[-1] in ranked[:-1])
    return decision._replace(source=suffix_of(decision))


def decide_cube(cube: CubeAnalysis, state: GameState) -> Decision | None:
    """The cube decision in a state; None if its equities are unknown.

    It is the decision to take or pass if the cube is offered in the state, or was answered.
    """
    no_double, double_take, double_pass = cube.no_double, cube.double_take, cube.double_pass
    if no_double is None or double_take is None or not isfinite(no_double + double_take):
        return None
    action_made = cube.act.words
    if state.doubled or cube.act in {CubeAct.TAKE, CubeAct.DROP}:
        values = {"take": -double_take, "pass": -double_pass}
    else:
        double = "double, pass" if double_take > double_pass else "double, take"
        values = {"no double": no_double, double: min(double_take, double_pass)}
        action_made = double if cube.act is CubeAct.DOUBLE else action_made
    order = sorted(values, key=lambda action: -values[action])
    best = values[order[0]]
    choices = [
        Choice(None, None, action, values[action], best - values[action], cube.method)
        for action in order
    ]
    at = order.index(action_made) if action_made in values else None
    source = analysis_suffix([cube.method])
    return Decision(replace(state, roll=None), (*choices,), at, source, cube)


def play_decision(turn: AnnotatedTurn) -> Decision | None:
    """The five best plays of an analysed turn, and the play made.

    None without an analysis of this board.
    """
    analysis = play_of(turn)
    if turn.state is None or analysis is None:
        return None
    order, made = by_equity(analysis.candidates), analysis.made
    top, rank = order[:MAX_BEST], None
    if made and made not in top:
        top.append(made)
        rank = order.index(made)
    rated = rate_legal(top, turn.plays)
    if not rated:
        return None
    decision = decide_play(turn.state, rated, turn.plays, turn.play)
    pairs = zip(decision.choices, top, strict=True)
    choices = tuple([choice._replace(odds=candidate.odds) for choice, candidate in pairs])
    return decision._replace(choices=choices, rank=rank)


def near_decision(turn: AnnotatedTurn, listing: Listing = USUAL) -> Decision | None:
    """The nearly best plays of an analysed turn and the play made, as a nacbrac lists them.

    None without an analysis of this board, or with only one legal play.
    """
    analysis, plays = play_of(turn), turn.plays
    if turn.state is None or analysis is None or not analysis.best or len(plays) < MIN_NEAR:
        return None
    rated = rate_legal(analysis.candidates, plays)
    if not rated:
        return None
    return decide_near(turn.state, rated, plays, listing, turn.play)


def cube_decision(turn: AnnotatedTurn) -> Decision | None:
    """The cube decision of a turn; None without an analysis, its equities, or the board."""
    cube = cube_of(turn)
    return decide_cube(cube, turn.state) if cube and turn.state else None


def read_decision(read: NacbracRead) -> Decision:
    """The plays of a nacbrac with its errors, and equities if it has that of the best play."""
    best = read.nacbrac.equity
    choices = [
        Choice(
            entry.play,
            entry.nactation,
            equity=None if best is None or loss is None else best - loss,
            loss=loss,
        )
        for entry in read.entries
        for loss in [entry.entry.error]
    ]
    return Decision(read.state, (*choices,), source=read.nacbrac.suffix)


def _choice(rated: RatedPlay, best: RatedPlay, name: Nactation) -> Choice:
    play, equity, method, standard_error = rated
    return Choice(play, name, "", equity, max(0.0, best.equity - equity), method, standard_error)


def error_of_loss(choice: Choice, best: Choice) -> float | None:
    """The standard error of a choice's loss against the best; None if unknown."""
    if choice.standard_error is None or best.standard_error is None:
        return None
    return hypot(choice.standard_error, best.standard_error)


def standard_errors(decision: Decision) -> list[float]:
    """The known standard errors of the losses of all choices after the best."""
    best, *others = decision.choices
    errors = (error_of_loss(choice, best) for choice in others)
    return [error for error in errors if error is not None]


def suffix_of(decision: Decision, *, symbols: bool = False) -> str:
    """The bot and its levels, as a nacbrac's suffix; `symbols` as in `analysis_suffix`."""
    evaluated = [choice for choice in decision.choices if choice.equity is not None]
    return analysis_suffix(
        [choice.level for choice in evaluated],
        [str(choice.name) for choice in evaluated],
        errors=standard_errors(decision),
        symbols=symbols,
    )
