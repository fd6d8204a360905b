"""What an engine can be asked, and how deep it is to look."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gnubg_nactation.backgammon.analysis import CubeAnalysis, MoveAnalysis, RatedPlay
from gnubg_nactation.backgammon.position import CHECKERS
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.values import NamedTuple, Protocol, dataclass, replace

Watch = Callable[[int], None]
"""What is told, now and then, how many games of a rollout are done of each play."""

Report = Callable[[str], None]
"""Shows what an engine is waited for; an empty text takes that away again."""

MOST_PLIES = 4  # more take hours
_MOST_POINTS = 64  # to go, as far as gnubg knows


class MoveFilter(NamedTuple):
    """Which plays are looked at deeper: so many `always`, and `more` that lose no more points."""

    always: int
    more: int
    within: float


# gnubg's own for analysis: of all plays, then of few.
_LARGE = MoveFilter(0, 16, 0.32), MoveFilter(0, 4, 0.08)


@dataclass(frozen=True, slots=True)
class Depth:
    """How deep to look: so many `plies` ahead or, with `trials`, by so many games played out.

    Plies are counted as the engine counts them; one that has none so low takes its fewest.
    `plays` is how many plays, those that look best with less, are looked at so deep; 0 leaves
    the choice to gnubg's own move filter. A rollout plays its games with so many plies, and ends
    them after `truncate` rolls, 0 for never. Raises ValueError for more plies than MOST_PLIES and
    for numbers below 0.
    """

    plies: int = 0
    trials: int = 0
    plays: int = 0
    truncate: int = 0

    def __post_init__(self) -> None:
        numbers = self.plies, self.trials, self.plays, self.truncate
        if self.plies > MOST_PLIES or min(numbers) < 0:
            raise ValueError(f"not a depth: {', '.join(map(str, numbers))}")

    def filter(self, plies: int) -> MoveFilter:
        """Which plays are looked at deeper when all have been looked at so many plies deep."""
        return MoveFilter(self.plays, 0, 0.0) if self.plays else _LARGE[plies > 0]

    def __str__(self) -> str:
        """As gnubg says it: `2-ply`, or `0-ply rollout 1296 trials truncated at 7 plies`."""
        rollout = f" rollout {self.trials} trials" if self.trials else ""
        rollout += f" truncated at {self.truncate} plies" if rollout and self.truncate else ""
        return f"{self.plies}-ply{rollout}"


class Bot(NamedTuple):
    """Whose judgement it is: the `name`, as nacbracs have it, and how it counts plies.

    `fewest` are those with which it does not look ahead: gnubg's 0-ply is Sage's 1-ply. `usual`
    are those that look two rolls ahead, as gnubg does where nothing else is set.
    """

    name: str
    fewest: int
    usual: int

    def depth(self, plies: int | None = None) -> Depth:
        """The depth of so many plies, of the usual ones if none are said."""
        return Depth(self.usual if plies is None else plies)

    def plies(self, depth: Depth) -> int:
        """The plies of a depth, as the bot counts them."""
        return max(depth.plies, self.fewest)

    def level(self, depth: Depth) -> str:
        """A depth in words: `2-ply`."""
        return str(replace(depth, plies=self.plies(depth)))

    def label(self, depth: Depth) -> str:
        """The name of the bot and its depth: `Sage 2-ply`."""
        return f"{self.name} {self.level(depth)}"


GNUBG, SAGE = Bot("gnubg", 0, 2), Bot("Sage", 1, 3)


class Evaluation(NamedTuple):
    """What a position is worth to the player who is to roll, in points for the cube as it is.

    `chances` are those to win, to win and to lose a gammon or more and a backgammon, in gnubg's
    order: win, gammon, backgammon, lose gammon, lose backgammon. `cubeless` leaves the cube out.
    `cubeful` counts it in, both sides doing right. In a match both are money equities worth the
    same match winning chances (EMG).
    """

    chances: tuple[float, float, float, float, float]
    cubeless: float
    cubeful: float


class Engine(Protocol):
    """Something that knows equities. All methods raise EngineError if it fails."""

    bot: Bot

    def rank(
        self, state: GameState, depth: Depth, watch: Watch | None = None
    ) -> tuple[RatedPlay, ...]:
        """All legal plays of a state with a roll, best first; empty if nothing can be played.

        Plays that the depth leaves out come behind the others, with less depth. Equities are the
        player's, in points for the cube as it is (EMG in a match). `watch` sees how far a rollout
        is. Raises IllegalError if the game is over.
        """

    def evaluate(self, state: GameState, depth: Depth) -> Evaluation:
        """What the position is worth to the player of the state before he rolls; no rollouts.

        Raises IllegalError if the game is over.
        """

    def judge_cube(self, state: GameState, depth: Depth) -> CubeAnalysis:
        """The cube decision of the player of the state before he rolls; no rollouts.

        A roll of the state is passed over; nobody has done anything yet, so `act` is NO_DOUBLE.
        Raises IllegalError if he may not double, it would not count, or the game is over.
        """


class Analyser(Protocol):
    """An engine that can analyse many states together."""

    def analyse(
        self, states: Sequence[GameState], depth: Depth
    ) -> Iterator[tuple[int, MoveAnalysis]]:
        """The place of each state, in any order, and its analysis; see Gnubg."""


class Program(Engine, Analyser, Protocol):
    """An engine that is opened and closed, and whose answers may be kept.

    `fingerprint` tells its answers from those of other engines and versions.
    """

    @property
    def fingerprint(self) -> str: ...  # noqa: D102

    def close(self) -> None:
        """End what it has started."""


def check_playable(state: GameState) -> None:
    """Raise IllegalError if the game or the match is over, or the match too long for gnubg."""
    position = state.position
    for name, off in (("the player", position.off), ("the opponent", position.opponent_off)):
        if off >= CHECKERS:
            raise IllegalError(f"the game is over: {name} has borne off all checkers")
    if state.length and max(state.score) >= state.length:
        score = "-".join(map(str, state.score))
        raise IllegalError(f"the match is over: {score} in a match to {state.length}")
    if state.length and state.length - min(state.score) > _MOST_POINTS:
        raise IllegalError(
            f"the match is too long: gnubg knows no more than {_MOST_POINTS} points to go"
        )


def check_cube(state: GameState) -> None:
    """Raise IllegalError if there is no cube decision before the player of the state rolls."""
    check_playable(state)
    if not state.may_double:
        raise IllegalError("the player on roll may not double")
