"""A decision of a game in words: what is to be decided, the score, the cube, and what was right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gnubg_nactation.annotation import AnnotatedTurn
from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis, RatedPlay
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.notation import format_play, resolve
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import NactationError
from gnubg_nactation.language.lists import listed
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.bots import analysis_suffix
from gnubg_nactation.statistics import play_of, points, points_lost, thousandths
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # what reads nacbracs is slow to import, and pages have nothing to read
    from gnubg_nactation.nacbracs.resolving import NacbracRead

__all__ = [
    "Answer",
    "Choice",
    "answer_of_cube",
    "answer_of_nacbrac",
    "answer_of_plays",
    "answer_of_turn",
    "chosen",
    "cube_words",
    "question",
    "score_words",
]

Names = tuple[str, str]

_MOST = 5  # choices of an answer; the one that was made comes behind them


class Choice(NamedTuple):
    """What may be done: a play with its Nactation, or cube actions (`double, take`).

    `roll` is that of the play, empty for the cube. `equity` is in points for the player who
    decides, `loss` against the best; None if unknown. `made` says that it was done.
    """

    does: str
    roll: str = ""
    name: Nactation | None = None
    equity: float | None = None
    loss: float | None = None
    made: bool = False
    play: Play | None = None

    def words(
        self, spell: Callable[[Nactation], str] = str, escape: Callable[[str], str] = str
    ) -> str:
        """The choice on one line: `31P 8/5 6/5, +.159`, `no double, +.050 (-.109)`."""
        name = f"{self.roll}{spell(self.name)} " if self.name else ""
        equity = "" if self.equity is None else f", {points(self.equity)}"
        loss = f" ({points_lost(self.loss)})" if thousandths(self.loss) else ""
        return f"{name}{escape(f'{self.does}{equity}{loss}')}"


class Answer(NamedTuple):
    """The choices that there were, the best first; `verdict` is the right action of the cube.

    `source` is who says so, as behind a nacbrac: `gnubg 2-ply`; empty if nobody is named.
    """

    choices: tuple[Choice, ...]
    verdict: str = ""
    source: str = ""


def question(state: GameState, names: Names | None = None) -> str:
    """What is to be decided: `X to play 61: your play?`, X being who is to decide."""
    who = names[state.player] if names else "X"
    if state.doubled:
        return f"{who} is offered the cube at {state.cube * 2}: take or pass?"
    return f"{who} to play {state.roll}: your play?" if state.roll else f"{who} to roll: double?"


def score_words(state: GameState) -> str:
    """The score for who is to decide, his points to go first: `3-away 1-away, Crawford`."""
    if not state.length:
        return "Money game, Jacoby rule" if state.jacoby else "Money game"
    own, other = (state.length - state.score[side] for side in (state.player, state.player.other))
    crawford = ", Crawford" if state.crawford else ""
    if not crawford and min(own, other) == 1 < max(own, other):
        crawford = ", post-Crawford"
    return f"{own}-away {other}-away{crawford}"


def cube_words(state: GameState, names: Names | None = None) -> str:
    """Where the cube is: `cube in the middle`, `X owns the cube at 2`; `no cube` in Crawford."""
    if state.crawford and state.length:
        return "no cube"
    if state.owner is None:
        return "cube in the middle"
    sides = names or ("X", "O") if state.player == 0 else names or ("O", "X")
    return f"{sides[state.owner]} owns the cube at {state.cube}"


def chosen(methods: Sequence[str]) -> list[int]:
    """The places of an answer's choices among rated plays, by how each was judged, best first.

    Those looked at less closely may seem better than they are.
    """
    return [at for at, method in enumerate(methods[:_MOST]) if method == methods[0]]


def answer_of_plays(rated: Sequence[RatedPlay], plays: Plays, made: Play | None = None) -> Answer:
    """The answer of an engine that has rated the plays of a roll, the best first."""
    best = rated[0]
    kept = [rated[at] for at in chosen([one.method for one in rated])]
    kept += [one for one in rated if one.play == made and one not in kept]
    names = listed([one.play for one in kept], plays)
    return Answer(
        tuple(
            Choice(
                format_play(one.play),
                str(one.play.roll),
                name.nactation,
                one.equity,
                max(0.0, best.equity - one.equity),
                one.play == made,
                one.play,
            )
            for one, name in zip(kept, names, strict=True)
        ),
        source=_source(best.method),
    )


def answer_of_turn(turn: AnnotatedTurn) -> Answer | None:
    """What the analysis of a play says; None if there is none, or it is of another board."""
    action, state, analysis = turn.action, turn.state, play_of(turn)
    if not isinstance(action, Move) or state is None or not analysis or not analysis.candidates:
        return None
    try:
        rated = [
            RatedPlay(
                resolve(one.hops, state.position, action.roll, turn.plays), one.equity, one.method
            )
            for one in analysis.candidates
        ]
    except NactationError:
        return None
    return answer_of_plays(rated, turn.plays, turn.play)


def answer_of_nacbrac(read: NacbracRead) -> Answer:
    """The plays of a nacbrac that somebody wrote, with the errors that stand there."""
    return Answer(
        tuple(
            Choice(
                format_play(one.play),
                str(one.play.roll),
                one.nactation,
                loss=one.entry.error,
                play=one.play,
            )
            for one in read.entries
        ),
        source=read.nacbrac.suffix,
    )


def answer_of_cube(cube: CubeAnalysis, *, taking: bool) -> Answer | None:
    """The equities of the cube for who decides; `taking` is who is offered it. None if unknown."""
    if cube.no_double is None or cube.double_take is None:
        return None
    if taking:
        values = {"take": -cube.double_take, "pass": -cube.double_pass}
        made = cube.act.words
        verdict = cube.best.rpartition(", ")[2]
    else:
        passes = cube.double_take > cube.double_pass
        answered = "double, pass" if passes else "double, take"
        values = {
            "no double": cube.no_double,
            answered: min(cube.double_take, cube.double_pass),
        }
        made = {CubeAct.NO_DOUBLE: "no double", CubeAct.DOUBLE: answered}.get(cube.act, "")
        verdict = cube.best
    best = max(values.values())
    order = sorted(values, key=lambda does: -values[does])
    choices = (
        Choice(does, equity=values[does], loss=best - values[does], made=does == made)
        for does in order
    )
    return Answer(tuple(choices), verdict, _source(cube.method))


def _source(method: str) -> str:
    return analysis_suffix([method]) if method else ""
