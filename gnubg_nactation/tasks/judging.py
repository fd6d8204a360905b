"""Judging what is on the board, and analysing matches, in steps that can stop and go on."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache

from gnubg_nactation.annotation import AnnotatedMatch, annotate
from gnubg_nactation.backgammon.analysis import MoveAnalysis, RatedPlay
from gnubg_nactation.backgammon.match import Match, Move, Turn
from gnubg_nactation.backgammon.notation import format_play, parse_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.decision import USUAL, Decision, standard_errors
from gnubg_nactation.engines.analysing import analyse_match, decisions, evaluate, judge_made
from gnubg_nactation.engines.cache import analysis_value, read_analysis
from gnubg_nactation.engines.compiled import Ask, CompiledGnubg, PlayWithChances
from gnubg_nactation.engines.engine import GNUBG, Analyses, Depth, Evaluation, UnknownAnswerError
from gnubg_nactation.engines.nacbracs import decide_ranked, judge_cube, plays_to_judge, suffix_by
from gnubg_nactation.engines.shortlist import plays_before_rollout, rank_best
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.formats import Source, is_match_file, read_sources
from gnubg_nactation.files.unreadable import describe
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.sequences.incremental import read_progress
from gnubg_nactation.sequences.moves import sequence
from gnubg_nactation.sequences.notation import start_prefix
from gnubg_nactation.tasks.face import Library, Watch
from gnubg_nactation.values import Any, NamedTuple, replace

# Steps

_MAX_ANSWERS = 3000  # more than the judgement of a state needs


class StoppedError(Exception):
    """The watch has stopped a task before its end; the same call goes on with the work."""


class Steps:
    """Asks an engine until a watch stops it; what was answered before takes no time.

    So a task that was stopped goes on where it ended if it is called again.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._answers: dict[Any, Sequence[float]] = {}
        self._is_new = False  # whether this step has had a new answer
        self._watch: Watch = Library()

    def begin(self, watch: Watch) -> None:
        """Begin a step, which ends when the watch says so."""
        if len(self._answers) > _MAX_ANSWERS:
            self._answers.clear()
        self._is_new, self._watch = False, watch

    def ask(self, function: str, question: Sequence[int], *arguments: int) -> Sequence[float]:
        """See compiled.Ask. Raises StoppedError; each step has one new answer at least."""
        key = function, tuple(question), arguments
        if key not in self._answers:
            if self._is_new and self._watch.is_stopped():
                raise StoppedError
            self._answers[key] = self._ask(function, question, *arguments)
            self._is_new = True
        return self._answers[key]


# A state


class Hint(NamedTuple):
    """What an engine says of a state, as gnubg's command `hint` does.

    `ranked` are the plays of its roll, the best first. Without a roll there is an evaluation
    instead, and a decision if the player may double.
    """

    level: str
    decision: Decision | None
    ranked: Sequence[PlayWithChances] = ()
    evaluation: Evaluation | None = None


@lru_cache(maxsize=8)
def state_in_text(text: str, at: int) -> tuple[GameState, str]:
    """Return the state to judge, and the sequence before its nacbrac, up to the roll.

    It is that of the turn `at`, or the one after the last turn. A cube decision has no roll.
    """
    progress = read_progress(text)
    decoded = progress.decoded
    turns = decoded.turns if decoded else ()
    if at < len(turns):
        state = turns[at].state
        is_cube = not isinstance(turns[at].action, Move)
    else:
        following = progress.next_token if progress.error else None
        state = decoded.state if decoded else progress.start or GameState()
        state, is_cube = following.state if following else state, False
    if is_cube or state.doubled:
        state = replace(state.before_double, roll=None)
    head = ""
    if decoded:
        head = start_prefix(decoded.parsed.start) + "-" * (decoded.parsed.starts is Player.SECOND)
    tokens = [
        f"{turn.state.roll}{turn.nactation}" if turn.nactation else turn.token.text
        for turn in turns[:at]
    ]
    return state, head + "-".join([*tokens, *([str(state.roll)] if state.roll else [])])


def judge_state(engine: CompiledGnubg, state: GameState, plies: int) -> Hint:
    """Rank the plays of the roll with their chances, or judge the cube before it.

    Raises EngineError, StoppedError, and IllegalError if there is nothing to judge.
    """
    depth = Depth(plies)
    level = engine.bot.level(depth)
    if not state.roll:
        evaluation = engine.evaluate(state, depth)
        decision = judge_cube(engine, state, depth) if state.may_double else None
        return Hint(level, decision, (), evaluation)
    plays = plays_to_judge(state)
    count = len(rank_best(engine, state, depth, within=USUAL.reach)) if plies else 0
    ranked = engine.rank_with_chances(state, replace(depth, plays=count))
    best = tuple([play for play, _ in ranked[: count or None]])
    decision = decide_ranked(state, best, plays, suffix_by(engine.bot, depth))
    return Hint(level, decision, ranked)


def best_plays(engine: CompiledGnubg, state: GameState) -> list[Play]:
    """Return the plays that a rollout compares: those within reach of the best at 2 plies.

    Raises EngineError, StoppedError, and IllegalError if there is nothing to play.
    """
    plays_to_judge(state)
    return [rated.play for rated in plays_before_rollout(engine, state, within=USUAL.reach)]


def decide_rolled_out(
    state: GameState, depth: Depth, results: Sequence[tuple[str, float, float]]
) -> Decision:
    """Return the decision of a rollout from the results of its plays, with its suffix as source.

    A result is a play, its equity, and the standard error of that.
    """
    plays = plays_to_judge(state)
    assert state.roll  # else there is nothing to judge
    rated = [
        RatedPlay(parse_play(said, state.position, state.roll), equity, "rollout", error)
        for said, equity, error in results
    ]
    rated.sort(key=lambda play: -play.equity)
    decision = decide_ranked(state, tuple(rated), plays, "")
    errors = standard_errors(decision)
    return decision._replace(source=suffix_by(GNUBG, depth, errors=errors))


def write_in_full(engine: CompiledGnubg, text: str) -> tuple[str, list[str]]:
    """Return a sequence whose assumed plays the engine has chosen (section 8), in full letters.

    The choices follow, each with its reason. Raises EngineError and StoppedError.
    """
    progress = read_progress(text)
    decoded = decode(
        progress.sequence, start=progress.start, assume=lambda state: evaluate(engine, state)
    )
    notes = [
        f"{turn.token.text}: {format_play(turn.play)}, {turn.note}"
        for turn in decoded.turns
        if turn.play and turn.note
    ]
    return f"{progress.name} {sequence(decoded.turns)}".lstrip(), notes


# Matches

MAX_BYTES = 8_000_000  # a page would take minutes for a larger match file
_MAX_ANALYSES = 8000  # some twenty long matches
_ADVICE = "export the match as .mat from the program that saved it"
MatchFile = tuple[tuple[Source, AnnotatedMatch], ...]


class Asked(NamedTuple):
    """A state of a match, and the play made in it, which is judged as deeply as the best one."""

    state: GameState
    made: Play | None


_analyses: dict[tuple[CompiledGnubg, Asked, int], MoveAnalysis] = {}  # by plies, too


def _analysis(engine: CompiledGnubg, asked: Asked, plies: int) -> MoveAnalysis:
    key = engine, asked, plies
    if key not in _analyses:
        state, made = asked
        ((_, analysis),) = engine.analyse([state], depth := Depth(plies))
        _remember(key, judge_made(state, made, analysis, engine, depth) if made else analysis)
    return _analyses[key]


def _remember(key: tuple[CompiledGnubg, Asked, int], analysis: MoveAnalysis) -> None:
    if len(_analyses) >= _MAX_ANALYSES:
        del _analyses[next(iter(_analyses))]
    _analyses[key] = analysis


class _Remembering(NamedTuple):
    """An Analyser of the states that are asked about, which analyses each once."""

    engine: CompiledGnubg
    asked: Sequence[Asked]

    def analyse(self, states: Sequence[GameState], depth: Depth) -> Analyses:
        """See Analyser."""
        for index, (asked, _) in enumerate(zip(self.asked, states, strict=True)):
            yield index, _analysis(self.engine, asked, depth.plies)


def _asked(games: Iterable[Sequence[Turn]]) -> list[Asked]:
    """All states of games that `analyse_match` asks about."""
    return [
        Asked(state, turn.play)
        for turns in games
        for turn, state in zip(turns, decisions(turns), strict=True)
        if state is not None
    ]


def annotated_file(data: bytes, engine: CompiledGnubg | None = None, plies: int = 0) -> MatchFile:
    """Return the matches of a file, with an engine analysed by it.

    States that `analyse_states` has analysed take no time. Raises MalformedError with advice for
    a file of another kind, and EngineError.
    """
    try:
        sources = read_sources(data)
    except MalformedError as error:
        if is_match_file(data) or describe(data):
            raise
        raise MalformedError(f"{error}; {_ADVICE}") from None
    if engine is None:
        return tuple((source, annotate(source.match)) for source in sources)

    def analyse(match: Match, games: Sequence[Sequence[Turn]]) -> Match:
        kept = isinstance(engine, KeptGnubg)
        analyser = engine if kept else _Remembering(engine, _asked(games))
        return analyse_match(match, analyser, Depth(plies), games=games)

    return tuple((source, annotate(source.match, analyse=analyse)) for source in sources)


def states_to_analyse(file: MatchFile) -> list[Asked]:
    """Return all states of the matches that an analysis is about."""
    return _asked(game.turns for _, annotated in file for game in annotated.games)


def kept_analyses(engine: CompiledGnubg, states: Sequence[Asked], plies: int) -> list[Any]:
    """The analyses of states as JSON; those that `analyse_states` has made take no time."""
    return [analysis_value(_analysis(engine, state, plies)) for state in states]


def recall_analyses(
    engine: CompiledGnubg, states: Sequence[Asked], plies: int, kept: Sequence[Any]
) -> int:
    """Remember what `kept_analyses` returned for the first of the states; returns their number."""
    done = 0
    with suppress(ValueError, TypeError, LookupError):
        for state, value in zip(states, kept, strict=False):
            _remember((engine, state, plies), read_analysis(value))
            done += 1
    return done


class KeptGnubg(CompiledGnubg):
    """The built-in engine with all its analyses of a match file, which were kept; it knows no more.

    Raises MalformedError if the file is of another kind.
    """

    def __init__(self, data: bytes, kept: Sequence[Any]) -> None:
        super().__init__(self._refuse, "kept", lambda: None)
        # A state that comes again has an analysis each time, as another play may be judged deeply.
        self._kept: dict[GameState, deque[MoveAnalysis]] = defaultdict(deque)
        states = states_to_analyse(annotated_file(data))
        for (state, _), value in zip(states, kept, strict=False):
            self._kept[state].append(read_analysis(value))

    def analyse(self, states: Sequence[GameState], depth: Depth) -> Analyses:  # noqa: ARG002 (that of the kept ones)
        """See Analyser, for all states of the file in order; an unknown one has no analysis."""
        for index, state in enumerate(states):
            analyses = self._kept.get(state) or deque([MoveAnalysis()])
            yield index, analyses[0]
            analyses.rotate(-1)

    def _refuse(self, *_: object) -> Sequence[float]:
        raise UnknownAnswerError("only the kept analyses of a match are known here")


def analyse_states(
    engine: CompiledGnubg, states: Sequence[Asked], plies: int, done: int = 0
) -> int:
    """Analyse states, of which some are done, until the engine stops; returns how many are.

    The analyses are remembered. Raises EngineError.
    """
    try:
        for state in states[done:]:
            _analysis(engine, state, plies)
            done += 1
    except StoppedError:
        pass
    return done
