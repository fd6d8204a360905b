"""A decision of a game: its state, the choices, the one made, and who judged them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot, isfinite

from gnubg_nactation.annotation import AnnotatedTurn
from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis, RatedPlay
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.rating import rate_legal
from gnubg_nactation.decisions.severity import cube_of, play_of
from gnubg_nactation.language.lists import listed
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.bots import analysis_suffix, bot_of
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, replace

if TYPE_CHECKING:  # the module that reads nacbracs is slow to import
    from gnubg_nactation.nacbracs.resolving import NacbracRead

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
    odds: bytes = b""
    skipped: bool = False
    times: int = 0

    @property
    def text(self) -> str:
        """The play in traditional notation, or the action of the cube: `double, take`."""
        return format_play(self.play) if self.play else self.action


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
    the rank, from 0, of a play made that is not among the best. `more` means that nearly best plays
    are left out after the last choice. `ranked` means that the source lists all choices together,
    even if it judged some less deeply. `note` is a comment of the user, maybe of several lines.
    """

    state: GameState
    choices: tuple[Choice, ...] = ()
    made: int | None = None
    source: str = ""
    cube: CubeAnalysis | None = None
    rank: int | None = None
    more: bool = False
    ranked: bool = False
    note: str = ""

    @property
    def loss(self) -> float:
        """The points that the choice made loses; 0 if unknown."""
        return 0.0 if self.made is None else self.choices[self.made].loss or 0.0

    def comparable(self) -> Iterator[tuple[Choice, bool]]:
        """The choices judged like the best, and the one made; each with whether it was made.

        A play judged less deeply may seem better than it is, so only a source that ranked all
        choices shows it.
        """
        for at, choice in enumerate(self.choices):
            if self.ranked or choice.level == self.choices[0].level or at == self.made:
                yield choice, at == self.made

    def level_of(self, choice: Choice) -> str:
        """The level of a choice that the source ranked, if it differs from that of the best."""
        if not self.ranked or choice.level == self.choices[0].level:
            return ""
        return bot_of(choice.level)[1]


def decide_play(
    state: GameState, rated: Sequence[RatedPlay], plays: Plays, actual: Play | None = None
) -> Decision:
    """The decision among rated plays, the best first."""
    best = rated[0]
    index = next((at for at, candidate in enumerate(rated) if candidate.play == actual), None)
    together = [at for at, play in enumerate(rated) if play.method == best.method or at == index]
    names = dict(zip(together, listed([rated[at].play for at in together], plays), strict=True))
    choices = [
        _choice(candidate, best, (names.get(at) or plays.name(candidate.play).naming).nactation)
        for at, candidate in enumerate(rated)
    ]
    return Decision(state, (*choices,), index, analysis_suffix([best.method]))


def decide_near(
    state: GameState,
    rated: Sequence[RatedPlay],
    plays: Plays,
    listing: Listing = USUAL,
    actual: Play | None = None,
) -> Decision:
    """The decision with the nearly best plays and the one made, as a nacbrac lists them.

    Plays judged less deeply than the best are listed if there are too few others or if they were
    made, but not if they seem better than they are.
    """
    limit, min_count, within = listing.limit, MIN_NEAR * listing.is_usual, listing.reach
    order = sorted(rated, key=lambda candidate: -candidate.equity)
    deep = [candidate for candidate in order if candidate.method == rated[0].method]
    best = deep[0]

    def loss(candidate: RatedPlay) -> float:
        return round(best.equity - candidate.equity, 3)

    near = deep
    if within is not None:
        near = deep[: max(min_count, sum(loss(candidate) <= within for candidate in deep))]
    ranked = near[:limit]
    count = len(ranked)
    for candidate in order:
        has_room = candidate not in deep and len(ranked) < (min_count or limit or 0)
        if has_room and loss(candidate) >= loss(ranked[-1]):
            ranked.append(candidate)
    visible, listed_plays = ranked[: listing.top], [candidate.play for candidate in ranked]

    def name(play: Play, neighbours: Sequence[Play]) -> Nactation:
        [naming] = listed([play], plays, listing.characters, context=neighbours)
        return naming.nactation

    choices = [
        _choice(candidate, best, name(candidate.play, listed_plays[: max(at, count)]))
        for at, candidate in enumerate(visible, 1)
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
    rank = analysis.rank if analysis.rank is not None and analysis.rank >= MAX_BEST else None
    top = list(analysis.candidates[:MAX_BEST])
    if rank is not None:
        top.append(analysis.candidates[rank])
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
    level, candidates = analysis.best.method, analysis.candidates
    rated = rate_legal([candidate for candidate in candidates if candidate.method == level], plays)
    if not rated:
        return None
    rated += rate_legal([candidate for candidate in candidates if candidate.method != level], plays)
    return decide_near(turn.state, rated, plays, listing, turn.play)


def cube_decision(turn: AnnotatedTurn) -> Decision | None:
    """The cube decision of a turn; None without an analysis, its equities, or the board."""
    cube = cube_of(turn)
    return decide_cube(cube, turn.state) if cube and turn.state else None


def read_decision(read: NacbracRead) -> Decision:
    """The plays of a nacbrac, with the errors that it lists."""
    entries = read.entries
    choices = [Choice(entry.play, entry.nactation, loss=entry.entry.error) for entry in entries]
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
