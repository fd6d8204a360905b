"""The nacbracs of match files, for `nactate nacbrac FILE`: a line for each analysed decision."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, annotate
from gnubg_nactation.backgammon.analysis import CubeAnalysis
from gnubg_nactation.backgammon.match import move_numbers, place_name, places_in
from gnubg_nactation.cli.copied import copied_in_file, positions_in
from gnubg_nactation.cli.copied_nacbracs import print_copied_nacbracs
from gnubg_nactation.cli.inputs import STANDARD_INPUT, find_inputs, read_input
from gnubg_nactation.cli.judged import nacbrac_object, play_objects, with_suffix
from gnubg_nactation.cli.progress import count_progress
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.work import Job, analysis_by, failure_of
from gnubg_nactation.decisions.decision import (
    Decision,
    Listing,
    cube_decision,
    near_decision,
)
from gnubg_nactation.decisions.nacbrac import nacbrac_of
from gnubg_nactation.decisions.totals import Judgement, judgements
from gnubg_nactation.errors import EngineError, IllegalError, MalformedError, NactationError
from gnubg_nactation.exports.names import presentable
from gnubg_nactation.exports.post.nacbracs import spell_nacbrac
from gnubg_nactation.exports.post.targets import TARGETS
from gnubg_nactation.files.formats import is_sgf, is_xg, read
from gnubg_nactation.nacbracs.bots import bot_of
from gnubg_nactation.showing import json_line
from gnubg_nactation.tasks.settings import SettingsError
from gnubg_nactation.values import Any, NamedTuple

_NO_ANALYSIS = "the file has no analysis, so no nacbracs; use --analyse to run an engine"
_MAX_PLACES = 10  # without analysis that a warning names


class _Place(NamedTuple):
    """An analysed decision of a match, whose number in the file counts from 1."""

    match: int
    annotated: AnnotatedMatch
    judgement: Judgement
    decision: Decision


def is_match(data: bytes) -> bool:
    """Whether bytes are a match file, not a sequence."""
    if is_sgf(data) or is_xg(data):
        return True
    try:
        return bool(read(data))
    except MalformedError:
        return False


def print_file_nacbracs(
    words: Sequence[str], options: argparse.Namespace, streams: Streams, data: bytes | None = None
) -> int:
    """Print the nacbracs of files, folders and patterns; return the exit status.

    `data` are the bytes of standard input, if they were read. A file without any analysis fails,
    and so does one without the game or move in the options. Raises EngineError.
    """
    inputs = list(find_inputs(words))
    if not inputs:
        streams.report(f"nacbrac: no match files in {', '.join(words)}")
        return Status.FAILED
    status = Status.OK
    for source in inputs:
        job = Job(source, None)
        try:
            if source.path != STANDARD_INPUT or data is None:
                data = read_input(source, streams.stdin)
            if positions := copied_in_file(data, options.encoding):
                alone = len(inputs) == 1
                status |= print_copied_nacbracs(job.name, positions, options, streams, alone=alone)
                continue
            matches = _annotated(data, options, streams)
            for warning in _print(matches, job, options, streams, alone=len(inputs) == 1):
                streams.report(f"{job.name}: {warning}")
        except (EngineError, SettingsError):
            raise
        except OSError as error:
            failure = failure_of(error, "unreadable")
            streams.report(f"{failure.where or job.name}: {failure.reason}")
            status = Status.FAILED
        except NactationError as error:
            hint = _hint(data) if isinstance(error, MalformedError) else ""
            streams.report(f"{job.name}: {hint or error}")
            status = Status.FAILED
    return status


def _hint(data: bytes | None) -> str:
    """Return a message about positions without an analysis; empty for other files."""
    positions = positions_in(data) if data and b"Game " not in data else ()
    if not positions:
        return ""
    return f"line {positions[0].line}: a position without an analysis; give its ID to ask an engine"


def _annotated(data: bytes, options: argparse.Namespace, streams: Streams) -> list[AnnotatedMatch]:
    matches = read(data, options.encoding)
    with count_progress(streams, "turns analysed") as watch:
        analyse = None
        if options.analyse:
            engine = options.open_engine()
            plies = engine.bot.depth(options.plies).plies
            analyse = analysis_by(engine, plies, watch)
        return [presentable(annotate(match, options.characters, analyse)) for match in matches]


def _print(
    matches: Sequence[AnnotatedMatch],
    job: Job,
    options: argparse.Namespace,
    streams: Streams,
    *,
    alone: bool,
) -> list[str]:
    """Print the nacbracs; return warnings about moves without analysis. Raises NactationError."""
    warnings: list[str] = []
    count = 0
    for place in _decisions(matches, options, warnings):
        count += 1
        if options.errors is not None and round(place.judgement.error or 0.0, 3) < options.errors:
            continue
        if options.json:
            streams.print(_json(place, job.name))
        else:
            streams.print(_line(place, options, f"{job.name}: " * (not alone)))
    if not count:
        numbers = [getattr(options, name) for name in ("game", "move")]
        if numbers == [None, None]:
            raise IllegalError(_NO_ANALYSIS)
        words = zip(("game ", "move "), numbers, strict=True)
        one = [f"{word}{number}" for word, number in words if number is not None]
        raise IllegalError(f"{one[0] if len(one) == 1 else '{}.{}'.format(*numbers)}: no analysis")
    return warnings


def _decisions(
    matches: Sequence[AnnotatedMatch], options: argparse.Namespace, warnings: list[str]
) -> Iterator[_Place]:
    """Yield the analysed decisions of the games and moves in the options; warn of the others."""
    listing = Listing(options.limit, options.within, options.characters)
    for number, annotated in enumerate(matches, 1):
        games = _games(annotated, options)
        analysed = set()
        for judgement in judgements(annotated):
            is_cube = isinstance(judgement.analysis, CubeAnalysis)
            if judgement.place[0] not in games or options.move not in {None, judgement.move}:
                continue
            if options.cube and not is_cube:
                continue
            turn = judgement.turn
            decision = cube_decision(turn) if is_cube else near_decision(turn, listing)
            if decision:
                analysed.add((judgement.place, is_cube))
                yield _Place(number, annotated, judgement, with_suffix(decision, options.suffix))
        for at, game in games.items() if not options.cube else ():
            moves, places = move_numbers(game.turns), places_in(game.number, game.turns)
            choices = {
                (at, turn_at): places[turn_at]
                for turn_at, (turn, move) in enumerate(zip(game.turns, moves, strict=True))
                if options.move in {None, move} and turn.play is not None and len(turn.plays) > 1
            }
            lacking = [name for place, name in choices.items() if (place, False) not in analysed]
            if lacking:
                head = f"match {number}, " * (len(matches) > 1) + f"game {game.number}"
                warnings.append(f"{head}: {_lack(lacking, len(choices))}")


def _games(annotated: AnnotatedMatch, options: argparse.Namespace) -> dict[int, AnnotatedGame]:
    """Return the games in the options by index. Raises IllegalError if one or a move is missing."""
    games = {
        at: game for at, game in enumerate(annotated.games) if options.game in {None, game.number}
    }
    if not games and annotated.games:
        count = len(annotated.games)
        raise IllegalError(f"there is no game {options.game}; the match has {count}")
    for game in games.values():
        moves = move_numbers(game.turns)
        if options.move is not None and options.move not in moves:
            last = max(moves, default=0)
            raise IllegalError(f"there is no move {options.move}; the game has {last}")
    return games


def _lack(places: Sequence[str], choices: int) -> str:
    """Return a warning about plays that are not analysed, with their places if some are."""
    if len(places) == choices:
        return "no analysis"
    names = ", ".join(places[:_MAX_PLACES]) + ", ..." * (len(places) > _MAX_PLACES)
    return f"{len(places)} of {choices} plays without analysis ({names})"


def _line(place: _Place, options: argparse.Namespace, head: str) -> str:
    """Return `1.2b, Bob: 21D [S D12] gnubg 2-ply`, in the markup of the options."""
    target, decision = TARGETS[options.to], place.decision
    judgement = place.judgement
    player = place.annotated.match.players[judgement.player]
    at = place_name(judgement.game.number, judgement.move, judgement.player, place.match)
    where = f"{head}{at}, {player}:"
    if decision.cube:
        action = target.escape(decision.cube.act.words)
    else:
        name = judgement.turn.name
        action = f"{decision.state.roll}{target.spell(name) if name else ''}"
    nacbrac = spell_nacbrac(nacbrac_of(decision), target, bold_best=options.bold_best)
    return target.paragraph(f"{target.escape(where)} {action} {nacbrac}")


def _json(place: _Place, file: str) -> str:
    judgement, decision = place.judgement, place.decision
    nacbrac = nacbrac_of(decision)
    engine, level = bot_of(decision.choices[0].level)
    value: dict[str, Any] = {
        "file": file,
        "match": place.match,
        "place": place_name(judgement.game.number, judgement.move, judgement.player, place.match),
        "game": judgement.game.number,
        "move": judgement.move,
        "turn": judgement.turn.number,
        "player": int(judgement.player),
        "error": None if judgement.error is None else round(judgement.error, 6),
    }
    by = {"engine": engine, "level": level}
    if decision.cube:
        value |= {"made": decision.cube.act.words, **by, **nacbrac_object(decision, nacbrac)}
    else:
        nactation = judgement.turn.nactation or None
        value |= {**nacbrac_object(decision, nacbrac, nactation=nactation), **by}
        levels = [bot_of(choice.level)[1] for choice in decision.choices]
        plays = zip(play_objects(decision), levels, strict=False)
        value["plays"] = [play | {"level": level} for play, level in plays]
    return json_line(value)
