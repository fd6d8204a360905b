"""Books made from analyses and engines, and checked by them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing

from gnubg_nactation.backgammon.plays import ROLLS, Play, Roll
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import Listing, decide_near, play_nacbrac
from gnubg_nactation.engines.engine import Depth, Engine, Ranking
from gnubg_nactation.engines.registry import new_engine, open_engine
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.book import MAX_LISTED, Book, Key, Line, format_section
from gnubg_nactation.nacbracs.nacbrac import MONEY, Nacbrac, at_score
from gnubg_nactation.sequences.openings import FIRST_ROLLS, Opening, openings
from gnubg_nactation.values import NamedTuple, replace

MAX_ROLLS = 3
_LISTING = Listing(top=MAX_LISTED)
_TASK_STATES = 84  # starting an engine for them takes a twentieth of the time at 2 plies


class Node(NamedTuple):
    """A position of a book: the sequence that leads there, and what to ask about it."""

    sequence: str
    position: Position
    rolls: tuple[Roll, ...]
    scores: tuple[str, ...]


class CloseRollout(NamedTuple):
    """Which plays to roll out, and how: those that lose at most `close` points, if several do."""

    depth: Depth
    close: float

    def __str__(self) -> str:
        close = f"{self.close:.3f}".removeprefix("0")
        return f"{self.depth}, seed {self.depth.seed}, of plays that lose at most {close}"


class MakingSettings(NamedTuple):
    """How to compute a section: the engine, its plies, and the rollout of close plays."""

    engine: str
    plies: int
    rollout: CloseRollout | None = None


Task = Sequence[Node]
"""The positions that one engine is asked about."""


def first_nodes(scores: Sequence[str]) -> list[Node]:
    """The first roll."""
    return [Node("", STANDARD, FIRST_ROLLS, tuple(scores))]


def second_nodes(scores: Sequence[str]) -> list[Node]:
    """The second roll after each of the usual openings."""
    return [Node(opening.token, opening.play.after, ROLLS, tuple(scores)) for opening in openings()]


def third_nodes(book: Book, within: float, firsts: Sequence[Opening]) -> list[Node]:
    """The third roll for money after each reply to these openings that loses at most `within`.

    The losses are those in the book. Each position comes once, after the first sequence that
    leads there.
    """
    nodes: dict[Position, Node] = {}
    for opening in firsts:
        for roll in ROLLS:
            line = book.at(opening.play.after, roll)
            plays = Plays(opening.play.after, roll)
            for _, play, loss in line.plays if line else ():
                if (loss or 0.0) <= within:
                    sequence = f"{opening.token}-{roll}{plays.name(play).naming.nactation}"
                    nodes.setdefault(play.after, Node(sequence, play.after, ROLLS, (MONEY,)))
    return list(nodes.values())


def tasks_of(nodes: Iterable[Node], *, alone: bool = False) -> Iterator[Task]:
    """The nodes in parts, each for a new engine; `alone` makes each node a part."""
    task: list[Node] = []
    for node in nodes:
        if task and (alone or _states((*task, node)) > _TASK_STATES):
            yield task
            task = []
        task.append(node)
    if task:
        yield task


def _states(task: Task) -> int:
    return sum(len(node.rolls) * len(node.scores) for node in task)


def make_sections(settings: MakingSettings, task: Task) -> list[str]:
    """The section of each node of a task, by a new engine; raises EngineError.

    With rollouts, which take minutes, it caches its answers: an interrupted section continues.
    """
    name = settings.engine
    engine = open_engine(name, threads=1) if settings.rollout else new_engine(name)
    with closing(engine):
        return [_section(engine, settings, node) for node in task]


def _section(engine: Engine, settings: MakingSettings, node: Node) -> str:
    nacbracs: dict[Roll, list[Nacbrac]] = {roll: [] for roll in node.rolls}
    states = [
        at_score(GameState(node.position, roll=roll), score)
        for roll in node.rolls
        for score in node.scores
    ]
    for state in states:
        assert state.roll is not None  # see above
        if rated := engine.rank(state, Depth(settings.plies)):
            close = _close_plays(rated, settings.rollout)
            if close and settings.rollout:
                rated = _rolled_out(engine, state, rated, close, settings.rollout.depth)
            decision = decide_near(state, rated, Plays(state.position, state.roll), _LISTING)
            nacbrac = play_nacbrac(decision)
            equity = round(rated[0].equity, 3)
            suffix = nacbrac.suffix if close else ""
            nacbracs[state.roll].append(replace(nacbrac, equity=equity, more=False, suffix=suffix))
    return format_section(node.position, node.sequence, nacbracs.items())


def _close_plays(rated: Ranking, rollout: CloseRollout | None) -> int:
    """How many plays are to be rolled out; 0 if the best one is clear."""
    losses = [rated[0].equity - play.equity for play in rated if play.method == rated[0].method]
    count = sum(round(loss, 3) <= rollout.close for loss in losses) if rollout else 0
    return count if count > 1 else 0


def _rolled_out(
    engine: Engine, state: GameState, rated: Ranking, count: int, depth: Depth
) -> Ranking:
    """The best plays as rolled out; the others keep what they lose by the search."""
    best = engine.rank(state, replace(depth, plays=count))[:count]
    plays = {play.play for play in best}
    shift = best[0].equity - rated[0].equity
    others = [play._replace(equity=play.equity + shift) for play in rated if play.play not in plays]
    return (*[play._replace(method=str(depth)) for play in best], *others)


TOLERANCE = 0.002  # points; equities are rounded to thousandths, and processors differ


class Deviation(NamedTuple):
    """A line of a book, the other losses of its plays, and how much they differ.

    `points` is the largest difference of a loss that both know; `best_differs` if no play is best
    in both.
    """

    line: Line
    other: Mapping[Play, float]
    points: float
    best_differs: bool


def compare_books(first: Book, second: Book) -> Iterator[Deviation]:
    """Compare the decisions that both books have, in the order of the first."""
    for key in first.lines:
        line, other = first.at(*key), second.at(*key)
        if line and other:
            losses = {play: loss for _, play, loss in other.plays if loss is not None}
            yield _deviation(line, losses)


def check_book(
    book: Book, keys: Iterable[Key], engine: Engine, depth: Depth
) -> Iterator[Deviation]:
    """Compare decisions of a book with an engine's answers; raises EngineError.

    Those that are rolled out are left out: a search has other figures.
    """
    for key in keys:
        line = book.at(*key)
        if line and not line.is_rolled_out:
            yield _deviation(line, _losses(engine.rank(line.state, depth)))


def sample_of(book: Book, count: int, seed: int) -> list[Key]:
    """Up to `count` random decisions of a book, in its order; the same ones for the same seed."""
    keys = list(book.lines)
    places = random.Random(seed).sample(range(len(keys)), min(count, len(keys)))
    return [keys[place] for place in sorted(places)]


def _losses(rated: Ranking) -> dict[Play, float]:
    """What the plays lose that were searched as deeply as the best."""
    best = rated[0]
    return {play.play: best.equity - play.equity for play in rated if play.method == best.method}


def _deviation(line: Line, other: Mapping[Play, float]) -> Deviation:
    own = {play: loss for _, play, loss in line.plays if loss is not None}
    points = max((abs(own[play] - other[play]) for play in own if play in other), default=0.0)
    return Deviation(line, other, points, not _best(own) & _best(other))


def _best(losses: Mapping[Play, float]) -> set[Play]:
    return {play for play, loss in losses.items() if not round(loss, 3)}
