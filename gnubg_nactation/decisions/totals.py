"""The judged decisions of a match: the blunders, and each player's totals and ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.analysis import CubeAnalysis, ErrorMark, PlayAnalysis
from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.match import Move, move_numbers
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.severity import (
    BLUNDER,
    analyses_of,
    cube_of,
    is_close,
    luck_of,
    play_of,
    severity,
)
from gnubg_nactation.values import dataclass, replace

# gnubg's words, each for fewer thousandths of a point a decision than this.
_RATINGS = (
    (2, "Supernatural"),
    (5, "World class"),
    (8, "Expert"),
    (12, "Advanced"),
    (18, "Intermediate"),
    (26, "Casual player"),
    (35, "Beginner"),
)
_WORST = "Awful!"
# Words for a performance rating below these; they are for people who want to go on playing.
_PERFORMANCES = (
    (2.5, "World class"),
    (5.0, "Expert"),
    (7.5, "Advanced"),
    (12.5, "Solid"),
    (17.5, "Improving"),
    (22.5, "Learning"),
)
_FIRST_STEPS = "First steps"
_NEAR = 0.2  # points: what doubling may lose before a roll that counts for the performance rating


def rating(rate: float | None) -> str:
    """The word of gnubg for so many thousandths of a point a decision; `n/a` for none."""
    if rate is None:
        return "n/a"
    return next((word for limit, word in _RATINGS if rate < limit), _WORST)


def performance(rate: float | None) -> str:
    """A word for a performance rating, which encourages; `n/a` for none."""
    if rate is None:
        return "n/a"
    return next((word for limit, word in _PERFORMANCES if rate < limit), _FIRST_STEPS)


@dataclass(frozen=True, slots=True)
class Totals:
    """The errors of a player, in points for a cube of the value it had then (EMG in matches).

    `moves` counts the rolls that could be played in several ways and are analysed; `decisions`
    the analysed cube decisions, rolls without doubling too. `unknown` are analysed decisions
    whose error cannot be told in points. The play and the cube of a roll are marked apart.
    `close` are the decisions that were close or led to a cube action, `cube_faults` those that
    lost something, and `rolls` all rolls of both players in the games that are analysed. `luck`
    is that of `rolls_with_luck`, of which an engine told it.
    `near` are the cube decisions of the performance rating: all cube actions, and the rolls before
    which doubling would have lost less than 0.2, or not doubling was wrong. `inaccuracies`,
    `errors` and `blunders` count by `severity`, `doubtful`, `bad` and `very_bad` by gnubg's marks.
    The rates are gnubg's, in thousandths of a point, None where nothing is to be divided by.
    Beavers and their answers are not judged, where gnubg counts an answer as a close decision.
    """

    moves: int = 0
    decisions: int = 0
    play_error: float = 0.0
    cube_error: float = 0.0
    doubtful: int = 0
    bad: int = 0
    very_bad: int = 0
    luck: float = 0.0
    unknown: int = 0
    close: int = 0
    cube_faults: int = 0
    rolls: int = 0
    rolls_with_luck: int = 0
    near: int = 0
    inaccuracies: int = 0
    errors: int = 0
    blunders: int = 0

    @property
    def is_analysed(self) -> bool:
        """Whether anything of the player's is analysed."""
        return self.moves + self.decisions > 0

    @property
    def error(self) -> float:
        """What plays and cube actions lost together."""
        return self.play_error + self.cube_error

    @property
    def play_rate(self) -> float | None:
        """The errors of plays for each of `moves`: gnubg's error rate of the chequer play."""
        return _rate(self.play_error, self.moves)

    @property
    def cube_rate(self) -> float | None:
        """The errors of the cube for each of `close`: gnubg's error rate of the cube."""
        return _rate(self.cube_error, self.close)

    @property
    def rate(self) -> float | None:
        """All errors for each of `moves` and `close`: gnubg's overall error rate."""
        return _rate(self.error, self.moves + self.close)

    @property
    def snowie_rate(self) -> float | None:
        """All errors for each roll of both players, as the program Snowie reckoned."""
        return _rate(self.error, self.rolls)

    @property
    def performance_rating(self) -> float | None:
        """XG's PR: 500 times what was lost, in points, for each of `moves` and `near`."""
        rate = _rate(self.error, self.moves + self.near)
        return None if rate is None else rate / 2


def _rate(error: float, decisions: int) -> float | None:
    return 1000 * error / decisions if decisions else None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an analysis says of a play, or of what was done about the cube, and where that is.

    `place` has the indices of the game and of the turn in it, `move` the number in move lists. A
    roll has one judgement of its play, and one of the cube that was not turned.
    """

    place: tuple[int, int]
    game: AnnotatedGame
    turn: AnnotatedTurn
    judged: PlayAnalysis | CubeAnalysis
    move: int = 0

    @property
    def player(self) -> Player:
        """Who decided."""
        return self.turn.action.player

    @property
    def error(self) -> float | None:
        """What it lost, in points; None if that is not known."""
        return self.judged.error

    @property
    def made(self) -> str:
        """The roll with the Nactation of the play, or what was done about the cube: `no double`."""
        if isinstance(self.judged, CubeAnalysis):
            return self.judged.act.value
        action = self.turn.action
        return f"{action.roll if isinstance(action, Move) else ''}{self.turn.nactation}"

    @property
    def best(self) -> str:
        """The Nactation of the best play, or the right cube actions; empty if not known."""
        if isinstance(self.judged, CubeAnalysis):
            return self.judged.best
        return str(self.turn.best.nactation) if self.turn.best else ""

    @property
    def state(self) -> GameState | None:
        """The moment of the decision, about the cube before the roll; None if it is unknown."""
        state = self.turn.state
        if state is None or isinstance(self.judged, PlayAnalysis):
            return state
        return replace(state, roll=None)

    @property
    def position_id(self) -> str:
        """The Position ID of the decision, empty where the board is unknown."""
        return format_position_id(self.state.position) if self.state else ""


def judgements(annotated: AnnotatedMatch) -> Iterator[Judgement]:
    """All judged decisions of a match in their order, the cube before the play."""
    for game_at, game in enumerate(annotated.games):
        moves = move_numbers(game.turns)
        for turn_at, (turn, move) in enumerate(zip(game.turns, moves, strict=True)):
            for analysis in analyses_of(turn):
                yield Judgement((game_at, turn_at), game, turn, analysis, move)


def blunders(annotated: AnnotatedMatch, blunder: float = BLUNDER) -> tuple[Judgement, ...]:
    """All blunders of both players, the largest first, those of unknown size last.

    `blunder` is what one loses at least, in points.
    """
    bad = (
        one for one in judgements(annotated) if severity(one.judged, blunder) is ErrorMark.VERY_BAD
    )
    return tuple(sorted(bad, key=lambda one: (-(one.error or 0.0), one.place)))


def totals(annotated: AnnotatedMatch, blunder: float = BLUNDER) -> tuple[Totals, Totals]:
    """The errors of both players; all counts are 0 where nothing is analysed.

    `blunder` is as for `blunders`.
    """
    turns = [turn for game in annotated.games for turn in game.turns]
    rolls = sum(_rolls(game) for game in annotated.games)
    first, second = (
        _total([turn for turn in turns if turn.action.player is player], rolls, blunder)
        for player in Player
    )
    return first, second


def _rolls(game: AnnotatedGame) -> int:
    """How many rolls were played, or could not be, in a game that is analysed."""
    if not any(map(analyses_of, game.turns)):
        return 0
    return sum(
        isinstance(turn.action, Move) and bool(turn.action.hops or not turn.plays)
        for turn in game.turns
    )


def depth(annotated: AnnotatedMatch) -> str:
    """How most of the plays were judged, as Candidate.method says; empty if none was."""
    plays = [play_of(turn) for game in annotated.games for turn in game.turns]
    methods = Counter(play.best.method for play in plays if play and play.best)
    return methods.most_common(1)[0][0] if methods else ""


def _total(turns: list[AnnotatedTurn], rolls: int, blunder: float) -> Totals:
    unforced = [turn for turn in turns if len(turn.plays) != 1]
    plays = [play for turn in unforced if (play := play_of(turn)) and play.candidates]
    cubes = [cube for turn in turns if (cube := cube_of(turn))]
    found: list[PlayAnalysis | CubeAnalysis] = [*plays, *cubes]
    marks = [one.mark for one in found]
    severities = [severity(one, blunder) for one in found]
    luck = [luck for turn in turns if (luck := luck_of(turn)) is not None]
    return Totals(
        moves=len(plays),
        decisions=len(cubes),
        play_error=sum(play.error or 0.0 for play in plays),
        cube_error=sum(cube.error or 0.0 for cube in cubes),
        doubtful=marks.count(ErrorMark.DOUBTFUL),
        bad=marks.count(ErrorMark.BAD),
        very_bad=marks.count(ErrorMark.VERY_BAD),
        luck=sum(luck),
        unknown=[one.error for one in found].count(None),
        close=sum(map(is_close, cubes)),
        cube_faults=sum(bool(cube.error) for cube in cubes),
        rolls=rolls,
        rolls_with_luck=len(luck),
        near=sum(is_close(cube, _NEAR) for cube in cubes),
        inaccuracies=severities.count(ErrorMark.DOUBTFUL),
        errors=severities.count(ErrorMark.BAD),
        blunders=severities.count(ErrorMark.VERY_BAD),
    )
