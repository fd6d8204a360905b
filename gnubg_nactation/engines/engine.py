"""The interface of engines, and how deep they search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gnubg_nactation.backgammon.analysis import CubeAnalysis, MoveAnalysis, RatedPlay
from gnubg_nactation.backgammon.plays import Play, legal_plays
from gnubg_nactation.backgammon.position import CHECKERS
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import EngineError, IllegalError
from gnubg_nactation.values import NamedTuple, Protocol, dataclass, replace

Ranking = tuple[RatedPlay, ...]
"""Legal plays with their equities, best first."""

Analyses = Iterator[tuple[int, MoveAnalysis]]
"""The analyses of several states, each with the index of its state."""

Watch = Callable[[int], None]
"""Called during a rollout with the number of games done for each play."""

Report = Callable[[str], None]
"""Shows why the program waits for an engine; an empty text clears the message."""

MAX_PLIES = 4  # more take hours
MAX_BUILTIN_PLIES = 3  # a single play takes about 15 seconds at 4, which Ctrl-C cannot interrupt
USUAL_SEED = 1
USUAL_ENDS = 2  # plies, as in gnubg
MIN_GAMES = 324  # of a rollout before it may stop early, as in gnubg
_MAX_AWAY = 64  # points, the most that gnubg supports


class MoveFilter(NamedTuple):
    """Search the best `always` plays deeper, and up to `more` that lose at most `within` points."""

    always: int
    more: int
    within: float


# gnubg's own filters for analysis: for the first search, and for the later ones.
_LARGE = MoveFilter(0, 16, 0.32), MoveFilter(0, 4, 0.08)


@dataclass(frozen=True, slots=True)
class Depth:
    """Search `plies` deep or, with `trials`, roll out that many games.

    Plies are the engine's own; one whose lowest level is higher searches at that level. `plays`
    limits the search to the plays that are best at a lower depth; 0 leaves the choice to gnubg's
    move filter. A rollout plays its games at `plies`, and truncates them after `truncate` rolls
    (0: never) by an evaluation of `ends` plies, with dice that depend on `seed`. With `until`, that
    of a play stops after MIN_GAMES games or more, when the standard errors of its equities are at
    most so many points. Raises ValueError for more than MAX_PLIES plies and for negative numbers.
    """

    plies: int = 0
    trials: int = 0
    plays: int = 0
    truncate: int = 0
    ends: int = USUAL_ENDS
    seed: int = USUAL_SEED
    until: float = 0.0

    def __post_init__(self) -> None:
        plies = self.plies, self.ends
        numbers = *plies, self.trials, self.plays, self.truncate, self.seed, self.until
        if max(plies) > MAX_PLIES or min(numbers) < 0:
            raise ValueError(f"not a depth: {', '.join(map(str, numbers))}")

    def filter(self, plies: int) -> MoveFilter:
        """The plays to search deeper after a search of `plies`."""
        return MoveFilter(self.plays, 0, 0.0) if self.plays else _LARGE[plies > 0]

    def __str__(self) -> str:
        """In gnubg's words: `2-ply`, or `0-ply rollout 1296 trials truncated at 7 plies`."""
        rollout = f" rollout {self.trials} trials{self.stops}" if self.trials else ""
        return f"{self.plies}-ply{rollout}"

    @property
    def stops(self) -> str:
        """When a rollout and its games stop early: ` or until .010 truncated at 7 plies`."""
        until = f" or until {self.until:.3f}".replace(" 0.", " .") if self.until else ""
        truncated = f" truncated at {self.truncate} plies" if self.truncate else ""
        ends = f" by {self.ends}-ply" if truncated and self.ends != USUAL_ENDS else ""
        return f"{until}{truncated}{ends}"


class Bot(NamedTuple):
    """An engine's `name` in nacbracs, and how it counts plies.

    `fewest` plies evaluate the position alone: gnubg's 0-ply is Sage's 1-ply. `usual` plies, the
    default, look two rolls ahead.
    """

    name: str
    fewest: int
    usual: int

    def depth(self, plies: int | None = None) -> Depth:
        """The depth of `plies`, or of the usual ones."""
        return Depth(self.usual if plies is None else plies)

    def plies(self, depth: Depth) -> int:
        """The plies to search, at least the fewest."""
        return max(depth.plies, self.fewest)

    def level(self, depth: Depth) -> str:
        """The depth in words: `2-ply`."""
        return str(replace(depth, plies=self.plies(depth)))

    def label(self, depth: Depth) -> str:
        """The name of the bot and its depth: `Sage 2-ply`."""
        return f"{self.name} {self.level(depth)}"


GNUBG, SAGE = Bot("gnubg", 0, 2), Bot("Sage", 1, 3)


class Evaluation(NamedTuple):
    """What a position is worth to the player on roll, in points for the present cube.

    `chances` are the probabilities to win, to win a gammon or more, to win a backgammon, to lose a
    gammon or more, and to lose a backgammon. `cubeless` ignores the cube; `cubeful` assumes correct
    cube actions of both sides. In a match both are money equities worth the same match winning
    chances (EMG).
    """

    chances: tuple[float, float, float, float, float]
    cubeless: float
    cubeful: float


class UnknownAnswerError(EngineError):
    """An engine that repeats kept answers does not have this one."""


class Engine(Protocol):
    """Rates plays, positions and cube actions. All methods raise EngineError if it fails."""

    bot: Bot

    def rank(self, state: GameState, depth: Depth, watch: Watch | None = None) -> Ranking:
        """All legal plays of the state's roll, best first; empty if there is none.

        Plays that the depth leaves out come last, judged less deeply. Equities are the player's, in
        points for the present cube (EMG in a match). `watch` follows a rollout. Raises
        IllegalError if the game is over.
        """

    def evaluate(self, state: GameState, depth: Depth) -> Evaluation:
        """What the position is worth to the player before the roll; no rollouts.

        Raises IllegalError if the game is over.
        """

    def judge_cube(self, state: GameState, depth: Depth) -> CubeAnalysis:
        """The player's cube decision before the roll; no rollouts.

        Ignores a roll of the state. `act` is NO_DOUBLE. Raises IllegalError if the player may not
        double, a double would not count, or the game is over.
        """


class Analyser(Protocol):
    """An engine that analyses many states together."""

    def analyse(self, states: Sequence[GameState], depth: Depth) -> Analyses:
        """The index and the analysis of each state, in any order; see Gnubg."""


class Program(Engine, Analyser, Protocol):
    """An engine that can be closed, and whose answers can be cached."""

    @property
    def name(self) -> str:
        """The program and its version, as in `GNU Backgammon 1.07.001`; EngineError if it fails."""

    @property
    def fingerprint(self) -> str:
        """Identifies the engine and its version in the keys of cached answers."""

    def close(self) -> None:
        """End the processes that it has started."""


def plays_of(state: GameState) -> tuple[Play, ...]:
    """All legal plays of the state's roll; empty without a roll."""
    return legal_plays(state.position, state.roll) if state.roll else ()


def check_playable(state: GameState) -> None:
    """Raise IllegalError if the game or match is over, or the match too long for gnubg."""
    position = state.position
    for name, off in (("the player", position.off), ("the opponent", position.opponent_off)):
        if off >= CHECKERS:
            raise IllegalError(f"the game is over: {name} has borne off all checkers")
    if state.length and max(state.score) >= state.length:
        score = "-".join(map(str, state.score))
        raise IllegalError(f"the match is over: {score} in a match to {state.length}")
    if state.length and state.length - min(state.score) > _MAX_AWAY:
        raise IllegalError(
            f"the match is too long: gnubg supports at most {_MAX_AWAY} points to go"
        )


def check_cube(state: GameState) -> None:
    """Raise IllegalError if the player has no cube decision before the roll."""
    check_playable(state)
    if not state.may_double:
        raise IllegalError("the player on roll may not double")
