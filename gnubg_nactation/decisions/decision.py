"""A decision of a game: its state, the choices, the one made, and who says what they cost."""

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
from gnubg_nactation.nacbracs.bots import analysis_suffix
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, replace

if TYPE_CHECKING:  # the module that reads nacbracs is slow to import
    from gnubg_nactation.nacbracs.resolving import NacbracRead

MAX_BEST = 5  # choices of a decision, unless the play made is a lesser one
NEAR, MIN_NEAR = 0.1, 2  # the plays of a nacbrac: within this many points, and at least two


class Choice(NamedTuple):
    """A play with its Nactation next to the other choices, or an `action` of the cube.

    `equity` is in points for the player who decides, `loss` in points against the best choice;
    None if unknown. `level` says how it was judged, as in Candidate.method. `skipped` marks a
    choice if better ones are left out before it. `times` is how often it was made in an archive.
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
    """Which plays a nacbrac lists, and by which names.

    The best `limit`, or those that lose at most `within` points; without either, those within
    NEAR and at least MIN_NEAR. Of these it shows the first `most`. `characters` is a preset of
    habits.CHARACTERS (KeyError for another).
    """

    limit: int | None = None
    within: float | None = None
    characters: str = "preferred"
    most: int | None = None

    @property
    def is_usual(self) -> bool:
        """Whether neither limit is set."""
        return self.limit is None and self.within is None

    @property
    def reach(self) -> float | None:
        """How many points the plays may lose; None for any number."""
        return NEAR if self.is_usual else self.within


USUAL = Listing()


class Decision(NamedTuple):
    """A checker play or a cube action to be chosen in a state; the best choice comes first.

    There are no choices if nobody has judged them. `made` is the index of the choice made, None if
    unknown. `source` says who judges, as after a nacbrac: `gnubg 2-ply`. `cube` has the equities
    of a cube action. `rank` is the place, from 0, of a play made that is not among the best. `more`
    says that nearly best plays are left out after the last choice.
    """

    state: GameState
    choices: tuple[Choice, ...] = ()
    made: int | None = None
    source: str = ""
    cube: CubeAnalysis | None = None
    rank: int | None = None
    more: bool = False

    @property
    def loss(self) -> float:
        """What the choice made loses, in points; 0 if unknown."""
        return 0.0 if self.made is None else self.choices[self.made].loss or 0.0

    def comparable(self) -> Iterator[tuple[Choice, bool]]:
        """Each choice judged as closely as the best, and the one made; with whether it was made.

        A play judged less closely may seem better than it is.
        """
        for at, choice in enumerate(self.choices):
            if choice.level == self.choices[0].level or at == self.made:
                yield choice, at == self.made


def decide_play(
    state: GameState, rated: Sequence[RatedPlay], plays: Plays, made: Play | None = None
) -> Decision:
    """The decision among rated plays, the best first, of which one was `made`."""
    best = rated[0]
    at_made = next((at for at, one in enumerate(rated) if one.play == made), None)
    alike = [at for at, one in enumerate(rated) if one.method == best.method or at == at_made]
    names = dict(zip(alike, listed([rated[at].play for at in alike], plays), strict=True))
    choices = [
        _choice(one, best, (names.get(at) or plays.name(one.play).naming).nactation)
        for at, one in enumerate(rated)
    ]
    return Decision(state, (*choices,), at_made, analysis_suffix([best.method]))


def decide_near(
    state: GameState,
    rated: Sequence[RatedPlay],
    plays: Plays,
    listing: Listing = USUAL,
    made: Play | None = None,
) -> Decision:
    """The decision with the nearly best of rated plays, and the one made, as a nacbrac lists them.

    Plays judged less closely than the best fill in if there are too few others, and are listed if
    they were made; but not if they seem better than they are.
    """
    limit, least, within = listing.limit, MIN_NEAR * listing.is_usual, listing.reach
    order = sorted(rated, key=lambda one: -one.equity)
    known = [one for one in order if one.method == rated[0].method]
    lesser = [one for one in order if one.method != rated[0].method]

    def loss(one: RatedPlay) -> float:
        return round(known[0].equity - one.equity, 3)

    near = known
    if within is not None:
        near = known[: max(least, sum(loss(one) <= within for one in known))]
    ranked = near[:limit]
    count = len(ranked)
    for one in lesser:
        if len(ranked) < (least or limit or 0) and loss(one) >= loss(ranked[-1]):
            ranked.append(one)
    shown, beside = ranked[: listing.most], [one.play for one in ranked]

    def name(play: Play, beside: Sequence[Play]) -> Nactation:
        [naming] = listed([play], plays, listing.characters, beside=beside)
        return naming.nactation

    choices = [
        _choice(one, known[0], name(one.play, beside[: max(at, count)]))
        for at, one in enumerate(shown, 1)
    ]
    place = next((at for at, one in enumerate(shown) if one.play == made), None)
    if made is not None and place is None:
        played = next((one for one in order if one.play == made), None)
        if played is None:
            choices.append(Choice(made, name(made, [*beside, made]), skipped=True))
        elif played in ranked or loss(played) >= loss(ranked[-1]):
            choice = _choice(played, known[0], name(made, [*beside, made]))
            skipped = played not in ranked[: len(shown) + 1]
            choices.append(choice._replace(skipped=skipped))
            shown.append(played)
        place = len(choices) - 1 if choices[-1].play == made else None
    decision = Decision(state, (*choices,), place, more=shown[-1] in ranked[:-1])
    return decision._replace(source=suffix_of(decision))


def decide_cube(cube: CubeAnalysis, state: GameState) -> Decision | None:
    """The cube decision in a state; None if its equities are unknown.

    The opponent's, to take or to pass, if the cube is offered in the state or was answered.
    """
    no_double, double_take, double_pass = cube.no_double, cube.double_take, cube.double_pass
    if no_double is None or double_take is None or not isfinite(no_double + double_take):
        return None
    made = cube.act.words
    if state.doubled or cube.act in {CubeAct.TAKE, CubeAct.DROP}:
        values = {"take": -double_take, "pass": -double_pass}
    else:
        double = "double, pass" if double_take > double_pass else "double, take"
        values = {"no double": no_double, double: min(double_take, double_pass)}
        made = double if cube.act is CubeAct.DOUBLE else made
    order = sorted(values, key=lambda action: -values[action])
    best = values[order[0]]
    choices = [
        Choice(None, None, action, values[action], best - values[action], cube.method)
        for action in order
    ]
    at = order.index(made) if made in values else None
    source = analysis_suffix([cube.method])
    return Decision(replace(state, roll=None), (*choices,), at, source, cube)


def play_decision(turn: AnnotatedTurn) -> Decision | None:
    """The play of a turn as its analysis has it: the five best plays, and the one made.

    None without an analysis, or if it is of another board.
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
    """The play of a turn with the nearly best plays and the one made, as a nacbrac lists them.

    None without an analysis or a choice, or if the analysis is of another board.
    """
    analysis, plays = play_of(turn), turn.plays
    if turn.state is None or analysis is None or not analysis.best or len(plays) < MIN_NEAR:
        return None
    level, candidates = analysis.best.method, analysis.candidates
    rated = rate_legal([one for one in candidates if one.method == level], plays)
    if not rated:
        return None
    rated += rate_legal([one for one in candidates if one.method != level], plays)
    return decide_near(turn.state, rated, plays, listing, turn.play)


def cube_decision(turn: AnnotatedTurn) -> Decision | None:
    """The cube decision of a turn; None without an analysis, its equities, or the board."""
    cube = cube_of(turn)
    return decide_cube(cube, turn.state) if cube and turn.state else None


def read_decision(read: NacbracRead) -> Decision:
    """The plays of a nacbrac that was read, with the errors it lists."""
    choices = [Choice(one.play, one.nactation, loss=one.entry.error) for one in read.entries]
    return Decision(read.state, (*choices,), source=read.nacbrac.suffix)


def _choice(one: RatedPlay, best: RatedPlay, name: Nactation) -> Choice:
    loss = max(0.0, best.equity - one.equity)
    return Choice(one.play, name, "", one.equity, loss, one.method, one.standard_error)


def error_of_loss(choice: Choice, best: Choice) -> float | None:
    """The standard error of what a choice loses against the best; None if either is unknown."""
    if choice.standard_error is None or best.standard_error is None:
        return None
    return hypot(choice.standard_error, best.standard_error)


def standard_errors(decision: Decision) -> list[float]:
    """The standard error of what each choice after the best loses, as far as they are known."""
    best, *others = decision.choices
    errors = (error_of_loss(choice, best) for choice in others)
    return [error for error in errors if error is not None]


def suffix_of(decision: Decision, *, symbols: bool = False) -> str:
    """The bot and its levels, as a nacbrac ends with them; `symbols` as in `analysis_suffix`."""
    judged = [choice for choice in decision.choices if choice.equity is not None]
    return analysis_suffix(
        [choice.level for choice in judged],
        [str(choice.name) for choice in judged],
        errors=standard_errors(decision),
        symbols=symbols,
    )
