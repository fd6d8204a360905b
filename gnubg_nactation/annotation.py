"""The main job: a match with the Nactation of every play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat

from gnubg_nactation.backgammon.analysis import Candidate, MoveAnalysis, PlayAnalysis
from gnubg_nactation.backgammon.match import (
    Action,
    Game,
    Match,
    Move,
    Turn,
    replay,
    stake_problem,
)
from gnubg_nactation.backgammon.notation import resolve
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.errors import NactationError, wrong_type
from gnubg_nactation.hooks import hook
from gnubg_nactation.language.nactation import Naming
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.habits import ASSUMPTION, choose, readable
from gnubg_nactation.sequences.notation import FAN
from gnubg_nactation.values import TYPE_CHECKING, dataclass, interpreted, replace

if TYPE_CHECKING:
    from typing import TypeAlias

Analyse: TypeAlias = "Callable[[Match, Sequence[Sequence[Turn]]], Match]"


@interpreted  # what decodes a sequence has turns of its own
@dataclass(frozen=True, slots=True)
class AnnotatedTurn(Turn):
    """A turn with the Nactations to show, the first to print alone; none if it has no play.

    `plays` know their names. `best` names the play that the analysis has as the best, None if that
    was made or is unknown.
    """

    plays: Plays = Plays.of(())
    namings: tuple[Naming, ...] = ()
    best: Naming | None = None

    @classmethod
    def of(cls, turn: Turn, characters: str | None = None) -> AnnotatedTurn:
        """The turn with the Nactations that a preset of habits.CHARACTERS shows, or with none."""
        plays, play = Plays.of(turn.plays), turn.play
        namings = choose(play, plays, characters) if play and characters else ()
        known = (turn.number, turn.action, turn.state, play, plays, turn.problem, turn.raised)
        return cls(*known, namings)

    @property
    def nactation(self) -> str:
        """The Nactation to print, `^` for a fan; empty where there is none."""
        if self.namings:
            return str(self.namings[0].nactation)
        state = self.state
        danced = state is not None and state.roll and state.position.bar and not self.plays
        return FAN if danced else ""

    @property
    def nactations(self) -> str:
        """All Nactations to show, parted by blanks."""
        return " ".join(str(naming.nactation) for naming in self.namings) or self.nactation

    @property
    def trouble(self) -> str:
        """Why a roll has no Nactation, in two words; empty if all is well."""
        action = self.action
        if not isinstance(action, Move):
            return ""
        if self.state is None:
            return "board unknown"
        if not self.problem:
            return ""
        return "illegal play" if action.hops else "play missing"


@dataclass(frozen=True, slots=True)
class AnnotatedGame(Game):
    """A game and its annotated turns."""

    turns: tuple[AnnotatedTurn, ...] = ()

    @classmethod
    def of(cls, game: Game, turns: tuple[AnnotatedTurn, ...]) -> AnnotatedGame:
        """The game with its turns."""
        known = (game.number, game.score, game.actions, game.winner, game.points, game.resigned)
        return cls(*known, game.crawford, game.cube, game.comments, turns)


@dataclass(frozen=True, slots=True)
class AnnotatedMatch:
    """A match and its annotated games."""

    match: Match
    games: tuple[AnnotatedGame, ...]

    def _repr_html_(self) -> str:
        """The page in a frame, which a notebook shows."""
        return str(hook("embed")([self]))

    def to_text(self) -> str:
        """Two columns of moves for each game, and its sequence, as `nactate annotate` prints."""
        return str(hook("format_columns")(self))

    def to_html(self) -> str:
        """One web page that needs no network."""
        return str(hook("format_html")([self]))

    def to_json(self) -> str:
        """One line of JSON, as `nactate annotate --to json` prints; see docs/formats.md."""
        return str(hook("format_json")(self))

    def to_sgf(self) -> str:
        """GNU Backgammon's SGF, with the Nactation in the comment of each move."""
        return str(hook("format_sgf")(self).decode("utf-8"))

    def to_mat(self) -> str:
        """Match text as GNU Backgammon exports it, without Nactation."""
        from gnubg_nactation.files.mat import write  # noqa: PLC0415 (few matches are written)

        return write(self.match)


def annotate(
    match: Match,
    characters: str = "preferred",
    analyse: Analyse | None = None,
) -> AnnotatedMatch:
    """Nactate every play of the match; a play with a problem keeps it and gets no Nactation.

    `characters` is a preset of habits.CHARACTERS. `analyse` is given the match and the turns
    of its games when they are named, and gives the match with an analysis of them.
    """
    if not isinstance(match, Match):
        raise wrong_type("a Match, as read() gives", match)
    games = [
        [AnnotatedTurn.of(turn, characters) for turn in replay(match, game)] for game in match.games
    ]
    if characters == ASSUMPTION:
        games = [_readable(turns, match.start) for turns in games]
    if analyse:
        match = analyse(match, games)
    return AnnotatedMatch(
        match,
        tuple(
            AnnotatedGame.of(game, tuple(map(_judged, turns, game.actions, repeat(characters))))
            for turns, game in zip(games, match.games, strict=True)
        ),
    )


def remarks_on(annotated: AnnotatedMatch) -> Iterator[str]:
    """What is wrong in a match, each with its place: what its reader met, and what is not legal."""
    yield from annotated.match.problems
    for game in annotated.games:
        for turn in game.turns:
            if turn.problem:
                line = f"line {turn.action.line}, " if turn.action.line else ""
                place = f"{line}game {game.number}, turn {turn.number}"
                yield f"{place}: {turn.problem}"
        if problem := stake_problem(annotated.match, game, game.turns):
            yield f"game {game.number}: {problem}"


def _readable(turns: list[AnnotatedTurn], start: Position) -> list[AnnotatedTurn]:
    """The turns of a game, named so that all its characters together read back."""
    safe = [turn.plays.name(turn.play).naming if turn.play else None for turn in turns]
    names = readable(
        turns,
        [turn.namings[0].nactation if turn.namings else None for turn in turns],
        [naming.nactation if naming else None for naming in safe],
        start,
    )
    return [
        replace(turn, namings=(sure,)) if sure and sure.nactation == name else turn
        for turn, name, sure in zip(turns, names, safe, strict=True)
    ]


def _judged(turn: AnnotatedTurn, action: Action, characters: str) -> AnnotatedTurn:
    """The turn with what the analysis of its action has as the best play, if that was not made."""
    if action is not turn.action:
        turn = replace(turn, action=action)
    best = None if turn.play is None else _best_play(turn)
    return replace(turn, best=choose(best, turn.plays, characters)[0]) if best else turn


def _best_play(turn: Turn) -> Play | None:
    """The best play as the analysis has it, if another one was made."""
    match turn.action:
        case Move(roll=roll, analysis=MoveAnalysis(play=PlayAnalysis(best=Candidate(hops=hops)))):
            if turn.state is None:
                return None
            try:
                best = resolve(hops, turn.state.position, roll, turn.plays)
            except NactationError:  # of another board than the one that was reached here
                return None
            return None if best == turn.play else best
    return None
