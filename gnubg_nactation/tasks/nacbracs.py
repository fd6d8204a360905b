"""Nacbracs: of a roll or the cube by an engine, of analysed matches, and of copied analyses."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, annotate, presentable
from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis
from gnubg_nactation.backgammon.match import Match, Move, Turn, move_numbers, places_in
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.decision import (
    NEAR,
    Decision,
    Listing,
    cube_decision,
    near_decision,
    near_decisions_of,
    standard_errors,
    suffix_of,
)
from gnubg_nactation.decisions.severity import Judgement, judgements
from gnubg_nactation.engines.analysing import analyse_match
from gnubg_nactation.engines.engine import (
    MAX_PLIES,
    MIN_GAMES,
    USUAL_ENDS,
    USUAL_SEED,
    Bot,
    Depth,
    check_cube,
    check_playable,
)
from gnubg_nactation.engines.nacbracs import judge, judge_cube, plays_to_judge, source_of
from gnubg_nactation.engines.shortlist import MAX_PLAYS, rank_named
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.exports.targets import Target
from gnubg_nactation.files.formats import read
from gnubg_nactation.language.plays import CHARACTERS
from gnubg_nactation.nacbracs.bots import bot_of
from gnubg_nactation.nacbracs.nacbrac import (
    at_score,
    describe_score,
    format_nacbrac,
    parse_score,
    score_of,
)
from gnubg_nactation.nacbracs.reading import CubeRead, NacbracRead, cube_state
from gnubg_nactation.sequences.decode import Decoded, DecodedTurn
from gnubg_nactation.sequences.notation import start_prefix
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.showing import shown
from gnubg_nactation.tasks.engines import names_engine, plies_setting
from gnubg_nactation.tasks.face import Face, Watch, showing_progress
from gnubg_nactation.tasks.settings import Settings, SettingsError, setting
from gnubg_nactation.tasks.subjects import RatedSequenceSettings, read_named, read_subject, text_of
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple, replace

if TYPE_CHECKING:
    from gnubg_nactation.engines.engine import Engine, Program
    from gnubg_nactation.files.copied import Copied

_MAX_PLACES = 10  # without analysis that a warning names


class ListingSettings(Settings):
    """Which plays a nacbrac lists, and how it names them and its source."""

    limit: int | None = setting(
        None,
        "show the K best plays",
        "K",
        least=1,
        most=MAX_PLAYS,
        group="writing",
        only_one="plays",
    )
    within: float | None = setting(
        None,
        f"show plays that lose at most POINTS (default: {NEAR}, at least two plays)",
        "POINTS",
        least=0,
        most=10,
        measure=" points",
        group="writing",
        only_one="plays",
    )
    suffix: str = setting(
        "words",
        "how to name engine and depth after the bracket (default: words)",
        choices=("words", "symbols", "none"),
        group="writing",
    )
    characters: str = setting(
        "preferred",
        "which Nactation to write (default: preferred)",
        choices=CHARACTERS,
        group="writing",
    )

    @property
    def listing(self) -> Listing:
        """Which plays are listed."""
        return Listing(self.limit, self.within, self.characters)

    def named(self, decision: Decision) -> Decision:
        """Return the decision with its source as the settings write it after the nacbrac."""
        symbols = self.suffix == "symbols"
        source = suffix_of(decision, symbols=symbols) if self.suffix != "none" else ""
        return decision._replace(source=source)


class JudgingSettings(ListingSettings, RatedSequenceSettings):
    """How a roll or the cube is judged by an engine."""

    cube: bool = setting(False, "judge the cube decision before the roll, not the plays")
    score: tuple[str, ...] = setting(
        (),
        "rank plays at this score; repeatable (default: money)",
        "SCORE",
        parse=parse_score,
    )
    plies: int | None = plies_setting("engine", "depth")
    rollout: int | None = setting(
        None,
        "roll out the best plays, with this many games each",
        "TRIALS",
        least=1,
        most=10**6,
        group="engine",
        only_one="depth",
    )
    rollout_plies: int | None = setting(
        None,
        f"search depth in a rollout (0-{MAX_PLIES}, default: 0)",
        "N",
        choices=range(MAX_PLIES + 1),
        group="engine",
    )
    truncate: int | None = setting(
        None,
        "end games of a rollout after this many rolls (default: never)",
        "ROLLS",
        least=1,
        most=1000,
        group="engine",
    )
    truncate_plies: int | None = setting(
        None,
        f"search depth at the end of such a game (0-{MAX_PLIES}, default: {USUAL_ENDS})",
        "N",
        choices=range(MAX_PLIES + 1),
        group="engine",
    )
    seed: int | None = setting(
        None,
        f"the dice of a rollout (default: {USUAL_SEED})",
        "N",
        least=0,
        most=2**31 - 1,
        group="engine",
    )
    until: float | None = setting(
        None,
        f"end the rollout of a play after {MIN_GAMES} games or more at this standard error",
        "POINTS",
        least=0.001,
        most=1,
        measure=" points",
        group="engine",
    )
    jobs: int | None = setting(
        None,
        "use N processors (default: all)",
        "N",
        least=1,
        most=1000,
        group="engine",
    )

    @property
    def threads(self) -> int | None:
        """The number of processors for the engine; None for all."""
        return self.jobs

    @property
    def needs_engine(self) -> bool:
        """Whether an analysis that is there already is no answer."""
        return names_engine(self) or bool(self.score or self.rollout) or self.plies is not None


class MatchListingSettings(ListingSettings):
    """Which decisions of a match are listed."""

    cube: bool = setting(False, "list the cube decisions only")
    game: int | None = setting(None, "only this game", "N", group="match files")
    move: int | None = setting(
        None, "only this move, as numbered in the move list", "N", group="match files"
    )
    errors: float | None = setting(
        None,
        "only errors of at least this size",
        "POINTS",
        least=0,
        most=10,
        measure=" points",
        group="match files",
    )


class Judged(NamedTuple):
    """A decision at a score, as the user wrote it, with the sequence before it in markup.

    `by` has the engine and its level, or its depth, for JSON.
    """

    decision: Decision
    head: str
    score: str = ""
    by: Mapping[str, Any] = {}


def judge_for_nacbrac(
    engine: Engine,
    state: GameState,
    depth: Depth,
    settings: ListingSettings,
    watch: Watch,
    *,
    cube: bool = False,
) -> Decision:
    """Judge the plays of a roll, or the cube, as a nacbrac lists them.

    Raises EngineError, and IllegalError if there is nothing to judge.
    """
    if cube:
        decision = judge_cube(engine, state, depth)
    else:
        decision = judge(engine, state, depth, settings.listing, watch.step)
    errors, symbols = standard_errors(decision), settings.suffix == "symbols"
    source = source_of(decision, engine.bot, depth, errors=errors, symbols=symbols)
    return decision._replace(source=source * (settings.suffix != "none"))


def judge_words(
    words: Sequence[str], settings: JudgingSettings, face: Face, target: Target
) -> Iterator[Judged]:
    """Yield the decision about the plays of a roll, or the cube, at each score of the settings.

    The words are a subject, and a roll unless the subject has one. An analysed decision of a match
    needs no engine. `target` is the markup of the sequence. Raises NactationError and OSError.
    """
    asked = _read(words, settings, face, target)
    decision = asked.decision
    if decision.choices:
        bot_name, level = bot_of(decision.choices[0].level)
        score = score_of(decision.state)
        yield asked._replace(score=score, by={"engine": bot_name, "level": level})
        return
    state = decision.state
    about_cube = state.roll is None
    for name in ("rollout", "limit", "within") if about_cube else ():
        if getattr(settings, name) is not None:
            raise SettingsError(f"--{name} does nothing for the cube")
    states = [(score, at_score(state, score)) for score in settings.score or [score_of(state)]]
    for _, at in states:
        check_cube(at) if about_cube else check_playable(at)
    if not about_cube:
        plays_to_judge(state)
    engine = face.open_engine()
    bot: Bot = engine.bot
    depth = bot.depth(settings.plies)
    if settings.rollout:
        depth = Depth(
            settings.rollout_plies or 0,
            settings.rollout,
            truncate=settings.truncate or 0,
            ends=USUAL_ENDS if settings.truncate_plies is None else settings.truncate_plies,
            seed=USUAL_SEED if settings.seed is None else settings.seed,
            until=settings.until or 0.0,
        )
    by = {"engine": bot.name, "plies": bot.plies(depth), "trials": depth.trials}
    by |= {"truncated_at": depth.truncate, "truncated_by": depth.ends} if depth.truncate else {}
    by |= {"until": depth.until} if depth.until else {}
    by |= {"seed": depth.seed} if depth.trials else {}
    by["fingerprint"] = os.path.basename(engine.fingerprint)  # gnubg's begins with its folder
    subject = "the cube" if about_cube else asked.head
    for score, at in states:
        about = f"{subject}, {describe_score(score)}: {bot.level(depth)} by {bot.name}"
        with showing_progress(face, about, depth.trials):
            decision = judge_for_nacbrac(engine, at, depth, settings, face, cube=about_cube)
        yield asked._replace(decision=decision, score=score, by=by)


def _read(words: Sequence[str], settings: JudgingSettings, face: Face, target: Target) -> Judged:
    """Return the decision, and the text before its nacbrac, in markup.

    It has choices if it comes from an analysed match and no option needs an engine. A decision
    about the cube has no roll in its state.
    """
    text, *rest = words
    text = text_of(text, face)
    subject = read_named(text, settings, face, about_cube=settings.cube)
    if subject is None:
        text = " ".join([text, *rest])
        subject = read_subject(text, settings, face, about_cube=settings.cube)
    if subject.decoded:
        state, head = _last_roll(subject.decoded, settings, target)
        return Judged(Decision(state), head)
    state, turn = subject.state, subject.turn
    if len(rest) > 1:
        raise IllegalError(f"after {shown(text, 60)} comes a roll and nothing else")
    if state.doubled and rest:
        raise IllegalError("the double must be answered before the roll")
    if turn and not rest and not settings.needs_engine:
        decision = near_decision(turn, settings.listing) if state.roll else subject.decision
        if decision:
            return Judged(settings.named(decision), str(state.roll or ""))
    roll = Roll.parse(rest[0]) if rest else state.roll
    if roll is None or settings.cube:
        return Judged(Decision(replace(state.before_double, roll=None)), "")
    return Judged(Decision(replace(state, roll=roll)), str(roll))


def _last_roll(
    decoded: Decoded, settings: JudgingSettings, target: Target
) -> tuple[GameState, str]:
    """Return the state before the last play of a sequence, and the sequence in markup.

    The state has no roll if it is about the cube.
    """
    if not decoded.turns:
        if settings.cube or (settings.start and decoded.state.roll is None):
            return cube_state(decoded), ""
        plays_to_judge(decoded.state)  # an empty sequence is not about the cube
        return decoded.state, ""
    *earlier, last = decoded.turns
    about_cube = settings.cube or not isinstance(last.action, Move)
    if about_cube and last.how is not ReadingKind.TO_PLAY:
        earlier = [*decoded.turns]
    start = "" if settings.start else start_prefix(decoded.parsed.start)
    start += target.escape("-" * (decoded.parsed.starts is Player.SECOND))
    tokens = [_token(turn, target) for turn in earlier]
    if about_cube:
        return cube_state(decoded), start + "-".join(tokens)
    return last.state, start + "-".join([*tokens, str(last.state.roll)])


def _token(turn: DecodedTurn, target: Target) -> str:
    roll, name = turn.state.roll, turn.nactation
    return f"{roll}{target.spell(name)}" if name and roll else target.escape(turn.token.text)


# Of match files


class Listed(NamedTuple):
    """An analysed decision of a match, whose number in the file counts from 1."""

    match: int
    annotated: AnnotatedMatch
    judgement: Judgement
    decision: Decision


def read_analysed(
    data: bytes, settings: JudgingSettings, face: Face, *, analyse: bool, encoding: str | None
) -> list[AnnotatedMatch]:
    """Return the matches of a file, with `analyse` analysed by the engine.

    Raises MalformedError and EngineError.
    """
    matches = read(data, encoding)
    analysis = None
    with showing_progress(face, "analysing", unit="turns analysed"):
        if analyse:
            engine = face.open_engine()
            depth = Depth(engine.bot.depth(settings.plies).plies)
            analysis = partial(_analyse, engine, depth, face)
        return [presentable(annotate(match, settings.characters, analysis)) for match in matches]


def _analyse(
    engine: Program, depth: Depth, watch: Watch, match: Match, games: Sequence[Sequence[Turn]]
) -> Match:
    return analyse_match(match, engine, depth, watch.step, games, engine)


def list_decisions(
    matches: Sequence[AnnotatedMatch], settings: MatchListingSettings, warnings: list[str]
) -> Iterator[Listed]:
    """Yield the analysed decisions of matches; `warnings` gets what has no analysis.

    Raises IllegalError if there is none, or no such game or move.
    """
    count = 0
    for listed in _decisions(matches, settings, warnings):
        count += 1
        error = listed.judgement.error or 0.0
        if settings.errors is None or round(error, 3) >= settings.errors:
            yield listed
    if count:
        return
    lacking = "analysis of the cube" if settings.cube else "analysis"
    numbers = [settings.game, settings.move]
    if numbers == [None, None]:
        raise IllegalError(
            f"the file has no {lacking}, so no nacbracs; use --analyse to run an engine"
        )
    words = zip(("game ", "move "), numbers, strict=True)
    one = [f"{word}{number}" for word, number in words if number is not None]
    raise IllegalError(f"{one[0] if len(one) == 1 else '{}.{}'.format(*numbers)}: no {lacking}")


def _decisions(
    matches: Sequence[AnnotatedMatch], settings: MatchListingSettings, warnings: list[str]
) -> Iterator[Listed]:
    """Yield the analysed decisions of the games and moves in the settings; warn of the others."""
    listing = settings.listing
    selected = _games(matches, settings)
    for number, (annotated, games) in enumerate(zip(matches, selected, strict=True), 1):
        analysed = set()
        for judgement in judgements(annotated):
            is_cube = isinstance(judgement.analysis, CubeAnalysis)
            if judgement.place[0] not in games or settings.move not in {None, judgement.move}:
                continue
            if settings.cube and not is_cube:
                continue
            turn = judgement.turn
            decision = cube_decision(turn) if is_cube else near_decision(turn, listing)
            if decision:
                analysed.add((judgement.place, is_cube))
                yield Listed(number, annotated, judgement, settings.named(decision))
        for at, game in games.items() if not settings.cube else ():
            moves, places = move_numbers(game.turns), places_in(game.number, game.turns)
            choices = {
                (at, turn_at): places[turn_at]
                for turn_at, (turn, move) in enumerate(zip(game.turns, moves, strict=True))
                if settings.move in {None, move} and turn.play is not None and len(turn.plays) > 1
            }
            lacking = [name for place, name in choices.items() if (place, False) not in analysed]
            if lacking:
                head = f"match {number}, " * (len(matches) > 1) + f"game {game.number}"
                warnings.append(f"{head}: {_lack(lacking, len(choices))}")


def _games(
    matches: Sequence[AnnotatedMatch], settings: MatchListingSettings
) -> list[dict[int, AnnotatedGame]]:
    """Return the games of the settings by index, for each match.

    Raises IllegalError if no match has the game, or no such game has the move.
    """
    selected = [
        {at: game for at, game in enumerate(each.games) if settings.game in {None, game.number}}
        for each in matches
    ]
    games = [game for by_index in selected for game in by_index.values()]
    count = max(len(annotated.games) for annotated in matches)
    if not games and count:
        having = _longest("match", len(matches))
        raise IllegalError(f"there is no game {settings.game}; {having} has {count}")
    moves = {move for game in games for move in move_numbers(game.turns)}
    if games and settings.move is not None and settings.move not in moves:
        having, last = _longest("game", len(games)), max(moves, default=0)
        raise IllegalError(f"there is no move {settings.move}; {having} has {last}")
    return selected


def _longest(kind: str, count: int) -> str:
    return f"the {kind}" if count == 1 else f"the longest {kind}"


def _lack(places: Sequence[str], choices: int) -> str:
    """Return a warning about plays that are not analysed, with their places if some are."""
    if len(places) == choices:
        return "no analysis"
    names = ", ".join(places[:_MAX_PLACES]) + ", ..." * (len(places) > _MAX_PLACES)
    return f"{len(places)} of {choices} plays without analysis ({names})"


# Of copied analyses


def list_copied(copied: Copied, settings: MatchListingSettings) -> Iterator[Decision]:
    """Yield the decisions of a copied position."""
    for near in near_decisions_of(copied, settings.listing):
        if near.cube is not None or not settings.cube:
            yield settings.named(near)


# Checked by an engine


class CheckedCube(NamedTuple):
    """The error of each cube action by an engine, in points, and its best action."""

    errors: dict[str, float | None]
    method: str
    best: str


class CheckedPlays(NamedTuple):
    """The errors of the plays of a nacbrac by an engine, in points, and its best play."""

    bot: Bot
    depth: Depth
    losses: dict[Play, float]
    best: Play


def check_cube_nacbrac(read: CubeRead, plies: int | None, face: Face) -> CheckedCube:
    """Judge the cube action of a nacbrac by the engine. Raises EngineError."""
    engine = face.open_engine()
    with showing_progress(face, f"checking {read.nacbrac}"):
        analysis = engine.judge_cube(read.state, engine.bot.depth(plies))
    errors = {act.words: replace(analysis, act=act).error for act in CubeAct}
    return CheckedCube(errors, analysis.method, analysis.best)


def check_plays_nacbrac(read: NacbracRead, plies: int | None, face: Face) -> CheckedPlays:
    """Rank the plays of a nacbrac by the engine. Raises EngineError."""
    engine = face.open_engine()
    depth = engine.bot.depth(plies)
    plays = {entry.play for entry in read.entries}
    about = f"{engine.bot.level(depth)} by {engine.bot.name}"
    with showing_progress(face, f"checking {format_nacbrac(read.nacbrac)}: {about}"):
        ranked = rank_named(engine, read.state, depth, plays)
    losses = {rated.play: ranked[0].equity - rated.equity for rated in ranked}
    return CheckedPlays(engine.bot, depth, losses, ranked[0].play)
