"""A decision of a game: its state, the choices, the one made, and who judged them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
from gnubg_nactation.decisions.severity import (
    cube_of,
    play_of,
    points,
    points_lost,
    rate_legal,
    thousandths,
)
from gnubg_nactation.language.lists import listed
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.bots import analysis_suffix, bot_of
from gnubg_nactation.nacbracs.nacbrac import CubeNacbrac, Entry, Nacbrac, cube_nacbrac_of, score_of
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, TypeVar, replace

if TYPE_CHECKING:  # slow to import
    from gnubg_nactation.files.copied import Copied
    from gnubg_nactation.nacbracs.reading import NacbracRead

    _Rated = TypeVar("_Rated", Candidate, RatedPlay)

MAX_BEST = 5  # choices of a decision, without the play made
NEAR, MIN_NEAR = 0.1, 2  # points that the plays of a nacbrac may lose; their least number


class Choice(NamedTuple):
    """A play with its Nactation next to the other choices, or an `action` of the cube.

    `equity` is in points for the player who decides, `loss` in points against the best choice;
    None if unknown. `level` is how it was judged, as in Candidate.method. `skipped` means that
    better choices are left out before it. `times` counts how often an archive contains it.
    `match_chance` is the chance of the player who decides to win the match, from 0 to 1.
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
    match_chance: float | None = None

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
        is_doubler = state.turned == 1  # who answers a beaver
        values = {"take": double_take if is_doubler else -double_take, "pass": -double_pass}
    else:
        double = "double, pass" if double_take > double_pass else "double, take"
        values = {"no double": no_double, double: min(double_take, double_pass)}
        action_made = double if cube.act is CubeAct.DOUBLE else action_made
    order = sorted(values, key=lambda action: (-values[action], not cube.best.startswith(action)))
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
    play, equity, method, standard_error, chance = rated
    loss = max(0.0, best.equity - equity)
    return Choice(play, name, "", equity, loss, method, standard_error, match_chance=chance)


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


def nacbrac_of(decision: Decision) -> Nacbrac | CubeNacbrac:
    """The nacbrac of a decision at the score of its state, of the cube at the doubler's score."""
    state = decision.state.before_double
    redouble, score = state.owner is not None, score_of(state)
    nacbrac = decision.cube and cube_nacbrac_of(
        decision.cube, redouble=redouble, score=score, suffix=decision.source
    )
    return nacbrac or play_nacbrac(decision)


def play_nacbrac(decision: Decision) -> Nacbrac:
    """The nacbrac of plays, with the names in the decision."""
    nacbrac = bare_nacbrac(decision.choices)
    score = score_of(decision.state)
    return replace(nacbrac, score=score, more=decision.more, suffix=decision.source)


def bare_nacbrac(choices: Iterable[Choice]) -> Nacbrac:
    """The nacbrac of plays without score and source."""
    return Nacbrac(
        tuple(
            Entry(
                choice.name, None if choice.loss is None else round(choice.loss, 3), choice.skipped
            )
            for choice in choices
            if choice.name
        )
    )


def nacbrac_text(decision: Decision | None, score: str | None = None) -> str:
    """The nacbrac in plain spelling, with another `score` if not None; empty without a decision."""
    if decision is None:
        return ""
    nacbrac = nacbrac_of(decision)
    return str(nacbrac if score is None else replace(nacbrac, score=score))


def turn_nacbrac(
    turn: AnnotatedTurn, score: str | None = None, *, cube: bool = False, top: int | None = None
) -> str:
    """The nacbrac of the play of a turn, or of its cube decision; empty without an analysis.

    `top` as in Listing.
    """
    return nacbrac_text(
        cube_decision(turn) if cube else near_decision(turn, Listing(top=top)), score
    )


Names = tuple[str, str]


def question(state: GameState, names: Names | None = None) -> str:
    """The question of a state: `X to play 61: your play?`; X is the player who decides."""
    player = names[state.player] if names else "X"
    if state.doubled:
        return f"{player} is offered the cube at {state.cube * 2}: take or drop?"
    if state.roll:
        return f"{player} to play {state.roll}: your play?"
    return f"{player} to roll: double?"


def score_words(state: GameState) -> str:
    """The away scores, first of the player who decides: `3-away 1-away, Crawford`."""
    if not state.length:
        return "Money game, Jacoby rule" if state.jacoby else "Money game"
    own = state.length - state.score[state.player]
    opponent = state.length - state.score[state.player.other]
    crawford = ", Crawford" if state.crawford else ""
    if not crawford and min(own, opponent) == 1 < max(own, opponent):
        crawford = ", post-Crawford"
    return f"{own}-away {opponent}-away{crawford}"


def cube_words(state: GameState, names: Names | None = None) -> str:
    """Where the cube is: `cube in the middle`, `X owns the cube at 2`; `no cube` in Crawford."""
    if state.crawford and state.length:
        return "no cube"
    if state.owner is None:
        return "cube in the middle"
    sides = names or ("X", "O") if state.player == 0 else names or ("O", "X")
    return f"{sides[state.owner]} owns the cube at {state.cube}"


def choice_words(
    choice: Choice,
    spell: Callable[[Nactation], str] = str,
    escape: Callable[[str], str] = str,
    details: str = "",
) -> str:
    """The choice on one line: `31P 8/5 6/5, +.159`, `no double, +.050 (-.109), 3-ply`."""
    equity = "" if choice.equity is None else f", {points(choice.equity)}"
    loss = f" ({points_lost(choice.loss)})" if thousandths(choice.loss) else ""
    words = f"{choice.text}{equity}{loss}" + f", {details}" * bool(details)
    return f"{token(choice, spell)}{escape(words)}"


def token(choice: Choice, spell: Callable[[Nactation], str]) -> str:
    """The roll and the Nactation of a play, then a blank; empty for the cube."""
    return f"{choice.play.roll}{spell(choice.name)} " if choice.play and choice.name else ""


def right_actions(decision: Decision) -> str:
    """The right cube actions: `no double, take`, or the answer alone; empty for plays."""
    if decision.cube and decision.state.doubled:
        return decision.choices[0].text
    return in_prose(decision.cube.best) if decision.cube else ""


def decisions_of(copied: Copied) -> tuple[Decision, ...]:
    """The cube decision of a position, then that of its roll with all plays of the text."""
    return tuple(_decisions(copied, None))


def near_decisions_of(copied: Copied, listing: Listing = USUAL) -> tuple[Decision, ...]:
    """Like `decisions_of`, with the plays that a nacbrac lists."""
    return tuple(_decisions(copied, listing))


def _decisions(copied: Copied, listing: Listing | None) -> Iterator[Decision]:
    state, ranking = copied.state, copied.ranking
    if state is None:
        return
    if copied.cube and (decision := decide_cube(copied.cube, state)):
        yield decision._replace(made=None, note=copied.note)  # the text has no action made
    if not ranking.rated:
        return
    plays = Plays.of(copied.legal)
    if listing:
        decision = decide_near(state, ranking.rated, plays, listing, ranking.made)
    else:
        decision = decide_play(state, ranking.rated, plays, ranking.made)
        decision = decision._replace(source=suffix_of(decision))
    yield _with_gaps(decision, ranking.rated, ranking.gaps)._replace(note=copied.note)


def _with_gaps(decision: Decision, rated: Sequence[RatedPlay], gaps: Sequence[int]) -> Decision:
    """The decision with `skipped` where a play of the text is left out, and `more` at the end."""
    indexes = {candidate.play: at for at, candidate in enumerate(rated)}
    choices: list[Choice] = []
    last = -1
    for choice in decision.choices:
        at = indexes[choice.play] if choice.play else last
        choices.append(choice._replace(skipped=choice.skipped or _any_from(gaps, last + 1, at)))
        last = max(at, last)
    more = decision.more or last + 1 in gaps
    return decision._replace(choices=tuple(choices), more=more)


def _any_from(gaps: Sequence[int], first: int, last: int) -> bool:
    return any(first <= gap <= last for gap in gaps)
