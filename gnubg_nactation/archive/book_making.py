"""A book of the first rolls by an engine: which positions it has, and their sections.

The same program on the same machine writes the same bytes: each task has its own engine, whose
cache would otherwise change the last digits of later answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing

from gnubg_nactation.backgammon.plays import ROLLS, Roll
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import Listing, decide_near, play_nacbrac
from gnubg_nactation.engines.engine import Depth, Engine
from gnubg_nactation.engines.registry import new_engine
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.book import Book, format_section
from gnubg_nactation.nacbracs.nacbrac import MONEY, Nacbrac, at_score
from gnubg_nactation.sequences.openings import Opening, openings
from gnubg_nactation.values import NamedTuple, replace

FIRST_ROLLS = tuple([roll for roll in ROLLS if not roll.is_doublet])
MAX_ROLLS = 3
# gnubg sometimes searches a 17th play, beyond its move filter; it would end a long line.
MAX_LISTED = 10  # plays of a line
_LISTING = Listing(top=MAX_LISTED)
_TASK_STATES = 84  # starting an engine for them takes a twentieth of the time at 2 plies


class Node(NamedTuple):
    """A position of a book: the sequence that leads there, and what to ask about it."""

    sequence: str
    position: Position
    rolls: tuple[Roll, ...]
    scores: tuple[str, ...]


class MakingSettings(NamedTuple):
    """How to compute a section: the engine and its plies."""

    engine: str
    plies: int


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


def tasks_of(nodes: Iterable[Node]) -> Iterator[Task]:
    """The nodes in parts, each for a new engine."""
    task: list[Node] = []
    for node in nodes:
        if task and _states((*task, node)) > _TASK_STATES:
            yield task
            task = []
        task.append(node)
    if task:
        yield task


def _states(task: Task) -> int:
    return sum(len(node.rolls) * len(node.scores) for node in task)


def make_sections(settings: MakingSettings, task: Task) -> list[str]:
    """The section of each node of a task, by a new engine; raises EngineError."""
    with closing(new_engine(settings.engine)) as engine:
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
            decision = decide_near(state, rated, Plays(state.position, state.roll), _LISTING)
            nacbrac = play_nacbrac(decision)
            equity = round(rated[0].equity, 3)
            nacbracs[state.roll].append(replace(nacbrac, equity=equity, more=False, suffix=""))
    return format_section(node.position, node.sequence, nacbracs.items())
