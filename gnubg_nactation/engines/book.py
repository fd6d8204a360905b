"""The book of this package as an engine, which answers at once and without any other program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gnubg_nactation.backgammon.analysis import CubeAnalysis, MoveAnalysis, PlayAnalysis, RatedPlay
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.severity import candidate_of
from gnubg_nactation.engines.engine import (
    Analyses,
    Bot,
    Depth,
    Evaluation,
    Ranking,
    Watch,
    check_playable,
    plays_of,
)
from gnubg_nactation.errors import EngineError
from gnubg_nactation.nacbracs.book import Book, Line
from gnubg_nactation.nacbracs.bots import bot_of
from gnubg_nactation.nacbracs.nacbrac import describe_score, score_of


class NotInBookError(EngineError):
    """The book does not have the decision."""


class BookEngine:
    """An engine that knows the plays in a book, and no equities of positions or cubes.

    It replaces an engine that is not installed if `instead_of` is the reason for that.
    """

    def __init__(self, book: Book, instead_of: EngineError | None = None) -> None:
        self.book = book
        self._instead_of = instead_of
        name, level = bot_of(book.source)
        self._plies = int(level[0])
        self._method = level if name == "gnubg" else book.source
        self.bot = Bot(f"{book.name}: {name}", self._plies, self._plies)
        self.name = self.fingerprint = book.label

    def close(self) -> None:
        """No-op: the book is in this process."""

    def rank(self, state: GameState, depth: Depth, watch: Watch | None = None) -> Ranking:  # noqa: ARG002 (there are no rollouts)
        """The plays in the book, best first; NotInBookError if it does not have the roll."""
        check_playable(state)
        if depth.trials or depth.plies not in {0, self._plies}:
            raise self._missing(f"the book has no {depth}, only {self.book.source}")
        if not (plays_of(state) and state.roll):
            return ()
        score = score_of(state)
        line = self.book.at(state.position, state.roll, score)
        if line is None:
            raise self._missing(
                f"the book does not have {state.roll} here, {describe_score(score)}"
            )
        return tuple(self._rated(line))

    def _rated(self, line: Line) -> Iterator[RatedPlay]:
        """The plays of a line. If it has standard errors, those of losses, the best has 0."""
        best, levels = line.read.nacbrac.equity or 0.0, line.levels
        errors = iter([0.0, *levels.errors] if levels and levels.errors else [])
        for name, play, loss in line.plays:
            method, error = self._method, None
            if levels:
                level = levels.lesser.get(str(name))
                error = None if level else next(errors, None)
                method = f"{levels.bot} {level or levels.level}".removeprefix("gnubg ")
            yield RatedPlay(play, best - (loss or 0.0), method, error)

    def evaluate(self, state: GameState, depth: Depth) -> Evaluation:  # noqa: ARG002 (it has none)
        """NotInBookError: the book has no positions without a roll."""
        raise self._missing("the book has no equities of positions")

    def judge_cube(self, state: GameState, depth: Depth) -> CubeAnalysis:  # noqa: ARG002 (as above)
        """NotInBookError: the book has no cube decisions."""
        raise self._missing("the book has no cube decisions")

    def analyse(self, states: Sequence[GameState], depth: Depth) -> Analyses:
        """See Analyser; NotInBookError as above."""
        for index, state in enumerate(states):
            candidates = tuple(map(candidate_of, self.rank(state, depth)))
            yield index, MoveAnalysis(PlayAnalysis(candidates, None) if candidates else None)

    def _missing(self, reason: str) -> NotInBookError:
        hint = self._instead_of or "use another engine"
        return NotInBookError(f"{reason}; {hint}")
