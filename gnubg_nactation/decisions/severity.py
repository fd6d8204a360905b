"""How bad an error is; the parts of a turn's analysis; the totals and rating of a player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAct,
    CubeAnalysis,
    ErrorMark,
    MoveAnalysis,
    PlayAnalysis,
    RatedPlay,
    in_prose,
    mark_of,
)
from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.match import Double, Drop, Move, Take, move_numbers, place_name
from gnubg_nactation.backgammon.notation import Hop, resolve
from gnubg_nactation.backgammon.plays import POINT_BIT, Play, pack
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import NactationError, wrong_type
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.values import dataclass, replace

_CLOSE = 0.16  # points: gnubg's limit for a decision not to double that counts
NEAR_DOUBLE = 0.2  # points: XG's limit for such a decision
_XG = "XG"  # how its methods begin
_XG_DIGIT = 0.0001  # points: the smallest difference of equities that XG shows
BLUNDER = 0.08  # points that a blunder loses on most sites; 0.12 in gnubg
# Divisors of that limit: an error gets BAD from half of it on, DOUBTFUL from a quarter.
PARTS = dict(zip(reversed(ErrorMark), (1, 2, 4), strict=True))
SIGNS = {ErrorMark.DOUBTFUL: "?!", ErrorMark.BAD: "?", ErrorMark.VERY_BAD: "??"}


def severity(analysis: PlayAnalysis | CubeAnalysis, blunder: float = BLUNDER) -> ErrorMark | None:
    """The mark of an error: VERY_BAD from `blunder` points on, BAD from half, DOUBTFUL a quarter.

    With 0.12 the limits are gnubg's. A mark in the record counts instead if the size is unknown,
    or if gnubg would mark this size differently: then somebody has set it by hand.
    """
    marked, error = analysis.marked, analysis.error
    if error is None or (marked and marked is not mark_of(error)):
        return analysis.mark
    size = round(error, 3)
    return next((mark for mark, part in PARTS.items() if size and size >= blunder / part), None)


def play_of(turn: AnnotatedTurn) -> PlayAnalysis | None:
    """The analysis of the play of a turn."""
    action = turn.action
    return action.analysis.play if isinstance(action, Move) and action.analysis else None


def counted_play_of(turn: AnnotatedTurn) -> PlayAnalysis | None:
    """The analysis of a play that counts in ratings; None for a forced play.

    XG does not count a roll either if no listed play is worse than the best, as at the end of
    games that are decided; its own analyses are counted in the same way.
    """
    play = play_of(turn)
    if play is None or play.best is None or len(turn.plays) == 1:
        return None
    if play.best.method.startswith(_XG):
        worst = min(candidate.equity for candidate in play.candidates)
        if play.best.equity - worst < _XG_DIGIT / 2:
            return None
    return play


def cube_of(turn: AnnotatedTurn) -> CubeAnalysis | None:
    """The analysis of the cube decision of a turn: a cube action, or a roll without doubling."""
    action = turn.action
    match action:
        case Move(analysis=MoveAnalysis(cube=cube)):
            return cube
        case Double() | Take() | Drop():
            return action.analysis
    return None


def analyses_of(turn: AnnotatedTurn) -> list[CubeAnalysis | PlayAnalysis]:
    """The analyses of a turn, the cube before the play."""
    return [analysis for analysis in (cube_of(turn), play_of(turn)) if analysis]


def losses(turn: AnnotatedTurn) -> list[CubeAnalysis | PlayAnalysis]:
    """The analyses of a turn that show an error, the cube before the play.

    What would lose .000 is none.
    """
    return [
        analysis for analysis in analyses_of(turn) if thousandths(analysis.error) or analysis.mark
    ]


def luck_of(turn: AnnotatedTurn) -> float | None:
    """The luck of a turn's roll, in points; None if it is unknown."""
    match turn.action:
        case Move(analysis=MoveAnalysis(luck=float(luck))):
            return luck
    return None


def is_close_cube(cube: CubeAnalysis, limit: float = _CLOSE) -> bool:
    """Whether it is a cube action, or doubling before the roll lost less than `limit` points."""
    if cube.act is not CubeAct.NO_DOUBLE:
        return True
    if cube.no_double is None or cube.double_take is None:
        return False
    return cube.no_double - min(cube.double_take, cube.double_pass) < limit


def remark(
    turn: AnnotatedTurn,
    form: Callable[[Nactation], str] = str,
    blunder: float = BLUNDER,
    right: str = "({})",
) -> str:
    """The errors of a turn in points: `?? -.129 (R)`, `?! -.028 (missed double)`.

    Empty if it lost less than a thousandth. `form` spells the Nactation of the best play, which
    goes into `right`. `severity` gives the sign.
    """
    best = form(turn.best.nactation) if turn.best else ""
    texts = []
    for loss in losses(turn):
        if thousandths(loss.error):
            mark, better = severity(loss, blunder), loss.fault or best
            sign, best_words = SIGNS[mark] if mark else "", better and right.format(better)
            texts.append(" ".join(filter(None, (sign, points_lost(loss.error), best_words))))
    return ", ".join(texts)


def points(equity: float) -> str:
    """An equity as players write it: `+.159`, `-1.020`; never `-.000`."""
    return f"{thousandths(equity) / 1000:+.3f}".replace("+0.", "+.").replace("-0.", "-.")


def points_lost(error: float | None) -> str:
    """An error as players write it: `-.129`, or `-?` if it is unknown."""
    return "-?" if error is None else points(error).replace("+", "-")


def thousandths(error: float | None) -> int:
    """An error in whole thousandths of a point, as `round(error, 3)`; 0 if it is unknown."""
    return round(1000 * round(error or 0.0, 3))


def rate_plays(candidates: Iterable[Candidate], plays: Sequence[Play]) -> tuple[RatedPlay, ...]:
    """The rated plays, in the order of the candidates. Raises NactationError if one is illegal."""
    if not plays:
        return ()
    legal, first = Plays.of(plays), plays[0]
    start = pack(first.before.points)
    rated = []
    for hops, equity, method, standard_error, _ in candidates:
        same = legal.leaving(_move(start, hops))
        play = same[0] if len(same) == 1 else _resolve(hops, same, first)
        rated.append(RatedPlay(play, equity, method, standard_error))
    return tuple(rated)


def rate_legal(candidates: Iterable[Candidate], plays: Sequence[Play]) -> tuple[RatedPlay, ...]:
    """Like `rate_plays`, but empty if the candidates belong to another board."""
    try:
        return rate_plays(candidates, plays)
    except NactationError:
        return ()


def candidate_of(rated: RatedPlay, odds: bytes = b"") -> Candidate:
    """A rated play as a candidate of an analysis; hops do not show hits, as in those of gnubg."""
    play, equity, method, standard_error, _ = rated
    hops = tuple([Hop(portion.source, portion.target) for portion in play.portions])
    return Candidate(hops, equity, method, standard_error, odds)


def rank_of(play: Play, candidates: Sequence[Candidate], plays: Sequence[Play]) -> int | None:
    """The index of a legal play among the candidates; None if it is not one of them."""
    start = pack(play.before.points)
    ranks = [
        rank
        for rank, candidate in enumerate(candidates)
        if _move(start, candidate.hops) == play.checkers
    ]
    if len(ranks) > 1:  # the same checkers move, but they hit differently
        same = [legal for legal in plays if legal.checkers == play.checkers]
        ranks = [rank for rank in ranks if _resolve(candidates[rank].hops, same, play) == play]
    return ranks[0] if ranks else None


def _resolve(hops: Sequence[Hop], same: Sequence[Play], any_play: Play) -> Play:
    return resolve(hops, any_play.before, any_play.roll, same)


def _move(checkers: int, hops: Iterable[Hop]) -> int:
    for source, target, _ in hops:
        checkers += POINT_BIT[target] - POINT_BIT[source]
    return checkers


# Each word is for rates below its limit, in thousandths of a point per decision.
_RATINGS = (  # gnubg's words
    (2, "Supernatural"),
    (5, "World class"),
    (8, "Expert"),
    (12, "Advanced"),
    (18, "Intermediate"),
    (26, "Casual player"),
    (35, "Beginner"),
    (inf, "Awful!"),
)
_PERFORMANCES = (  # for performance ratings: words for people who want to go on playing
    (2.5, "World class"),
    (5.0, "Expert"),
    (7.5, "Advanced"),
    (12.5, "Solid"),
    (17.5, "Improving"),
    (22.5, "Learning"),
    (inf, "First steps"),
)


def rating(rate: float | None) -> str:
    """Return gnubg's word for a rate in thousandths of a point per decision; `n/a` for None."""
    return _word(rate, _RATINGS)


def performance(rate: float | None) -> str:
    """An encouraging word for a performance rating; `n/a` for None."""
    return _word(rate, _PERFORMANCES)


def _word(rate: float | None, words: Sequence[tuple[float, str]]) -> str:
    return "n/a" if rate is None else next(word for limit, word in words if rate < limit)


@dataclass(frozen=True, slots=True)
class Totals:
    """The errors of a player, in points for the cube at the time (EMG in matches).

    - `moves`: analysed rolls with several plays (see `counted_play_of`); `decisions`: analysed cube
      decisions, including rolls without a double; `unknown`: those of both whose error in points
      is unknown.
    - `close`: cube decisions that were close or led to a cube action; `cube_faults`: those with an
      error; `near`: those of the performance rating, all cube actions, and the rolls before which a
      double would have lost less than 0.2 points or would have been right.
    - `rolls`: all rolls of both players in analysed games; `luck`: of the `rolls_with_luck`.
    - `inaccuracies`, `errors`, `blunders`: counted by `severity`; `doubtful`, `bad`, `very_bad`: by
      gnubg's marks. The play and the cube of one roll count separately.

    The rates are gnubg's, in thousandths of a point; None if there was nothing to decide. Beavers
    and their answers are not judged, though gnubg counts an answer as a close decision.
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
        """Whether any decision of the player is analysed."""
        return self.moves + self.decisions > 0

    @property
    def error(self) -> float:
        """The loss of plays and cube actions together."""
        return self.play_error + self.cube_error

    @property
    def play_rate(self) -> float | None:
        """The errors of plays per move: gnubg's error rate of the chequer play."""
        return _rate(self.play_error, self.moves)

    @property
    def cube_rate(self) -> float | None:
        """The errors of the cube per close decision: gnubg's error rate of the cube."""
        return _rate(self.cube_error, self.close)

    @property
    def rate(self) -> float | None:
        """All errors per move and close decision: gnubg's overall error rate."""
        return _rate(self.error, self.moves + self.close)

    @property
    def snowie_rate(self) -> float | None:
        """All errors per roll of both players, like the program Snowie."""
        return _rate(self.error, self.rolls)

    @property
    def performance_rating(self) -> float | None:
        """XG's PR: 500 times the points lost per move and near decision."""
        rate = _rate(self.error, self.moves + self.near)
        return None if rate is None else rate / 2


def _rate(error: float, decisions: int) -> float | None:
    return 1000 * error / decisions if decisions else None


@dataclass(frozen=True, slots=True)
class Judgement:
    """The analysis of a play or of a cube decision, and its place in the match.

    `place` holds the indices of the game and of its turn, `move` the number in move lists. A roll
    has one judgement of its play, and one of the cube if the player did not double.
    """

    place: tuple[int, int]
    game: AnnotatedGame
    turn: AnnotatedTurn
    analysis: PlayAnalysis | CubeAnalysis
    move: int = 0

    @property
    def player(self) -> Player:
        """The player who decided."""
        return self.turn.action.player

    @property
    def name(self) -> str:
        """The place in words: `7.14b`."""
        return place_name(self.game.number, self.move, self.player)

    @property
    def error(self) -> float | None:
        """The points lost; None if unknown."""
        return self.analysis.error

    @property
    def made(self) -> str:
        """The roll with the Nactation of the play, or the cube action: `no double`."""
        if isinstance(self.analysis, CubeAnalysis):
            return self.analysis.act.value
        action = self.turn.action
        return f"{action.roll if isinstance(action, Move) else ''}{self.turn.nactation}"

    @property
    def best(self) -> str:
        """The Nactation of the best play, or the right cube actions; empty if unknown."""
        if isinstance(self.analysis, CubeAnalysis):
            return in_prose(self.analysis.best)
        return str(self.turn.best.nactation) if self.turn.best else ""

    @property
    def state(self) -> GameState | None:
        """The state of the decision, before the roll for the cube; None if it is unknown."""
        state = self.turn.state
        if state is None or isinstance(self.analysis, PlayAnalysis):
            return state
        return replace(state, roll=None)

    @property
    def position_id(self) -> str:
        """The Position ID of the decision; empty if the board is unknown."""
        return format_position_id(self.state.position) if self.state else ""


def judgements(annotated: AnnotatedMatch) -> Iterator[Judgement]:
    """All analysed decisions of a match in order, the cube before the play."""
    for game_at, game in enumerate(annotated.games):
        moves = move_numbers(game.turns)
        for turn_at, (turn, move) in enumerate(zip(game.turns, moves, strict=True)):
            for analysis in analyses_of(turn):
                yield Judgement((game_at, turn_at), game, turn, analysis, move)


def blunders(annotated: AnnotatedMatch, blunder: float = BLUNDER) -> tuple[Judgement, ...]:
    """Return all blunders of both players, the largest first, those of unknown size last.

    `blunder` is the least loss of a blunder, in points for the cube at the time (EMG in matches).
    Decisions without an analysis have no judgement; see `Judgement` for what each one holds.
    Raises TypeError if `annotated` is not an AnnotatedMatch.
    """
    if not isinstance(annotated, AnnotatedMatch):
        raise wrong_type("an AnnotatedMatch, such as annotate() returns", annotated)
    bad = [
        judgement
        for judgement in judgements(annotated)
        if severity(judgement.analysis, blunder) is ErrorMark.VERY_BAD
    ]
    return tuple(sorted(bad, key=lambda judgement: (-(judgement.error or 0.0), judgement.place)))


def totals(annotated: AnnotatedMatch, blunder: float = BLUNDER) -> tuple[Totals, Totals]:
    """The errors of both players, all 0 without an analysis; `blunder` as for `blunders`."""
    turns = [turn for game in annotated.games for turn in game.turns]
    rolls = sum(_rolls(game) for game in annotated.games)
    first, second = (
        _total([turn for turn in turns if turn.action.player is player], rolls, blunder)
        for player in Player
    )
    return first, second


def _rolls(game: AnnotatedGame) -> int:
    """The number of rolls in a game that is analysed, played or danced."""
    if not any(map(analyses_of, game.turns)):
        return 0
    return sum(
        isinstance(turn.action, Move) and bool(turn.action.hops or not turn.plays)
        for turn in game.turns
    )


def depth(annotated: AnnotatedMatch) -> str:
    """The most frequent Candidate.method of the plays; empty without an analysis."""
    plays = [play_of(turn) for game in annotated.games for turn in game.turns]
    methods = Counter(play.best.method for play in plays if play and play.best)
    return methods.most_common(1)[0][0] if methods else ""


def _total(turns: list[AnnotatedTurn], rolls: int, blunder: float) -> Totals:
    plays = [play for turn in turns if (play := counted_play_of(turn))]
    cubes = [cube for turn in turns if (cube := cube_of(turn))]
    analyses: list[PlayAnalysis | CubeAnalysis] = [*plays, *cubes]
    marks = [analysis.mark for analysis in analyses]
    severities = [severity(analysis, blunder) for analysis in analyses]
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
        unknown=[analysis.error for analysis in analyses].count(None),
        close=sum(map(is_close_cube, cubes)),
        cube_faults=sum(bool(cube.error) for cube in cubes),
        rolls=rolls,
        rolls_with_luck=len(luck),
        near=sum(is_close_cube(cube, NEAR_DOUBLE) for cube in cubes),
        inaccuracies=severities.count(ErrorMark.DOUBTFUL),
        errors=severities.count(ErrorMark.BAD),
        blunders=severities.count(ErrorMark.VERY_BAD),
    )
