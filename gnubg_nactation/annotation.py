"""Annotate a match: find the Nactation of every play."""

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
    places_in,
    replay,
    stake_problem,
)
from gnubg_nactation.backgammon.notation import resolve
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.errors import MalformedError, NactationError, wrong_type
from gnubg_nactation.hooks import hook
from gnubg_nactation.language.nactation import Nactation, Naming
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.habits import ASSUMPTION, CHARACTERS, choose, readable
from gnubg_nactation.sequences.notation import FAN
from gnubg_nactation.showing import LONGEST_NAME, quoted, shown
from gnubg_nactation.values import TYPE_CHECKING, dataclass, interpreted, replace

if TYPE_CHECKING:
    from typing import TypeAlias


Analyse: TypeAlias = "Callable[[Match, Sequence[Sequence[Turn]]], Match]"


@interpreted  # decoding a sequence derives turns from it
@dataclass(frozen=True, slots=True)
class AnnotatedTurn(Turn):
    """A turn with the Nactations to show in `namings`, the first of which is printed alone.

    There are none without a play. `plays` holds all legal plays. `best` names the best play of the
    analysis; None if it was made or is unknown.
    """

    plays: Plays = Plays.of(())
    namings: tuple[Naming, ...] = ()
    best: Naming | None = None

    @classmethod
    def of(cls, turn: Turn, characters: str | None = None) -> AnnotatedTurn:
        """The turn with the Nactations of a preset, as in `annotate`; without it none."""
        plays, play = Plays.of(turn.plays), turn.play
        namings = choose(play, plays, characters) if play and characters else ()
        fields = (turn.number, turn.action, turn.state, play, plays, turn.problem, turn.raised)
        return cls(*fields, namings)

    @property
    def name(self) -> Nactation | None:
        """The Nactation to print; None without a play."""
        return self.namings[0].nactation if self.namings else None

    @property
    def nactation(self) -> str:
        """The Nactation to print as text, `^` for a fan; empty if there is none."""
        if self.namings:
            return str(self.name)
        state = self.state
        danced = state is not None and state.roll and state.position.bar and not self.plays
        return FAN if danced else ""

    @property
    def nactations(self) -> str:
        """All Nactations to show, separated by blanks."""
        return " ".join(str(naming.nactation) for naming in self.namings) or self.nactation

    @property
    def trouble(self) -> str:
        """Why a roll has no Nactation: `illegal play`; empty if there is no problem."""
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
    """A game with its annotated turns."""

    turns: tuple[AnnotatedTurn, ...] = ()

    @classmethod
    def of(cls, game: Game, turns: tuple[AnnotatedTurn, ...]) -> AnnotatedGame:
        """The game with its turns."""
        fields = (game.number, game.score, game.actions, game.winner, game.points, game.resigned)
        return cls(*fields, game.crawford, game.cube, game.comments, turns)


@dataclass(frozen=True, slots=True)
class AnnotatedMatch:
    """A match with its annotated games."""

    match: Match
    games: tuple[AnnotatedGame, ...]

    def _repr_html_(self) -> str:
        """Return the match page in a frame, for notebooks."""
        return str(hook("embed")([self]))

    def to_text(self) -> str:
        """Return a two-column move list of each game, as `nactate annotate` prints it."""
        return str(hook("format_columns")(self))

    def to_html(self) -> str:
        """Return a web page of the match that needs no network."""
        return str(hook("format_html")([self]))

    def to_json(self) -> str:
        """Return one line of JSON, as `nactate annotate --to json` prints (docs/json.md)."""
        return str(hook("format_json")(self))

    def to_sgf(self) -> str:
        """Return the match in GNU Backgammon's SGF, with the Nactation in each move's comment."""
        return str(hook("format_sgf")(self).decode("utf-8"))

    def to_mat(self) -> str:
        """Return the match as match text (.mat), with every legal play in full."""
        return str(hook("format_mat")(self))


def annotate(
    match: Match,
    characters: str = "preferred",
    analyse: Analyse | None = None,
) -> AnnotatedMatch:
    """Return the match with the Nactation of every play.

    An illegal or missing play gets no Nactation, but a `problem` in its turn. `characters` decides
    which Nactations to show: `preferred` for one, `all` for all letters, or another preset of
    `nactate annotate --characters`. `analyse` is called with the match and the turns of its games,
    and returns the match with an analysis of them. Raises TypeError if `match` is not a Match, and
    MalformedError for another preset.
    """
    if not isinstance(match, Match):
        raise wrong_type("a Match, such as read() returns", match)
    if characters not in CHARACTERS:
        expected = ", ".join(CHARACTERS)
        raise MalformedError(f"no preset {quoted(characters)}; expected one of: {expected}")
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
    """The problems of a match with their places: in its file, and illegal plays."""
    yield from annotated.match.problems
    for game in annotated.games:
        for turn, place in zip(game.turns, places_in(game.number, game.turns), strict=True):
            if turn.problem:
                line = f"line {turn.action.line}, " if turn.action.line else ""
                yield f"{line}{place}: {turn.problem}"
        if problem := stake_problem(annotated.match, game, game.turns):
            yield f"game {game.number}: {problem}"


def _readable(turns: list[AnnotatedTurn], start: Position) -> list[AnnotatedTurn]:
    """The turns of a game, named so that its whole sequence reads back."""
    safe = [turn.plays.name(turn.play).naming if turn.play else None for turn in turns]
    names = readable(
        turns,
        [turn.name for turn in turns],
        [naming.nactation if naming else None for naming in safe],
        start,
    )
    return [
        replace(turn, namings=(sure,)) if sure and sure.nactation == name else turn
        for turn, name, sure in zip(turns, names, safe, strict=True)
    ]


def _judged(turn: AnnotatedTurn, action: Action, characters: str) -> AnnotatedTurn:
    """The turn with its analysis, and the best play if another was made."""
    if action is not turn.action:
        turn = replace(turn, action=action)
    best = None if turn.play is None else _best_play(turn)
    return replace(turn, best=choose(best, turn.plays, characters)[0]) if best else turn


def _best_play(turn: Turn) -> Play | None:
    """The best play of the analysis if another was made; None otherwise."""
    match turn.action:
        case Move(roll=roll, analysis=MoveAnalysis(play=PlayAnalysis(best=Candidate(hops=hops)))):
            if turn.state is None:
                return None
            try:
                best = resolve(hops, turn.state.position, roll, turn.plays)
            except NactationError:  # the analysis is of another board
                return None
            return None if best == turn.play else best
    return None


def presentable(annotated: AnnotatedMatch) -> AnnotatedMatch:
    """The match with the players' names on one line and without control characters."""
    match = annotated.match
    first, second = (shown(name, LONGEST_NAME) for name in match.players)
    if (first, second) == match.players:
        return annotated
    return replace(annotated, match=replace(match, players=(first, second)))
