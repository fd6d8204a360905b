"""The nacbracs of match files, for `nactate nacbrac FILE`: a line for each analysed decision."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, annotate
from gnubg_nactation.backgammon.analysis import CubeAnalysis
from gnubg_nactation.backgammon.match import move_numbers
from gnubg_nactation.cli.delivery import Job, failure_of
from gnubg_nactation.cli.inputs import STANDARD_INPUT, find_inputs, read_input
from gnubg_nactation.cli.judged import nacbrac_object, play_objects, with_suffix
from gnubg_nactation.cli.progress import count_progress
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.work import analysis_by
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
from gnubg_nactation.showing import json_text
from gnubg_nactation.values import Any, NamedTuple

_NONE = "no analysis in it, so no nacbracs; --analyse has an engine analyse it"
_MOST_TOLD = 10  # moves without analysis that are named


class _Place(NamedTuple):
    """A decision of a file with its match, counted from 1, and what the analysis says of it."""

    match: int
    annotated: AnnotatedMatch
    judgement: Judgement
    decision: Decision


def is_match(data: bytes) -> bool:
    """Whether bytes are a match file, and no sequence."""
    if is_sgf(data) or is_xg(data):
        return True
    try:
        return bool(read(data))
    except MalformedError:
        return False


def print_file_nacbracs(
    words: Sequence[str], options: argparse.Namespace, streams: Streams, data: bytes | None = None
) -> int:
    """Print the nacbracs of files, folders and patterns; the exit status.

    `data` is what was read from standard input. What is not analysed is told; a file without any
    analysis fails, and so does one without the game or the move asked for. Raises EngineError.
    """
    inputs = list(find_inputs(words, streams.report))
    if not inputs:
        streams.report(f"nacbrac: no match files in {', '.join(words)}")
        return Status.FAILED
    status = Status.OK
    for source in inputs:
        job = Job(source, None)
        try:
            known = data if source.path == STANDARD_INPUT else None
            content = read_input(source, streams.stdin) if known is None else known
            matches = _annotated(content, options, streams)
            for remark in _print(matches, job, options, streams, alone=len(inputs) == 1):
                streams.report(f"{job.name}: {remark}")
        except EngineError:
            raise
        except OSError as error:
            failure = failure_of(error, "unreadable")
            streams.report(f"{failure.where or job.name}: {failure.reason}")
            status = Status.FAILED
        except NactationError as error:
            streams.report(f"{job.name}: {error}")
            status = Status.FAILED
    return status


def _annotated(data: bytes, options: argparse.Namespace, streams: Streams) -> list[AnnotatedMatch]:
    matches = read(data, options.encoding)
    with count_progress(streams, "turns analysed") as watch:
        analyse = None
        if options.analyse:
            engine = options.open_engine()
            plies = engine.bot.depth(options.plies).plies
            analyse = analysis_by(engine, plies, watch)
        return [presentable(annotate(one, options.characters, analyse)) for one in matches]


def _print(
    matches: Sequence[AnnotatedMatch],
    job: Job,
    options: argparse.Namespace,
    streams: Streams,
    *,
    alone: bool,
) -> list[str]:
    """Write the nacbracs that are asked for; what has none, in words. Raises NactationError."""
    remarks: list[str] = []
    found = 0
    for place in _decisions(matches, options, remarks):
        found += 1
        if options.errors is not None and round(place.judgement.error or 0.0, 3) < options.errors:
            continue
        if options.json:
            streams.print(_json(place, job.name))
        else:
            head = f"{job.name}: " * (not alone) + f"match {place.match}, " * (len(matches) > 1)
            streams.print(_line(place, options, head))
    if not found:
        asked = f"game {options.game}, " * (options.game is not None)
        asked += f"move {options.move}, " * (options.move is not None)
        raise IllegalError(f"{asked[:-2]}: no analysis" if asked else _NONE)
    return remarks


def _decisions(
    matches: Sequence[AnnotatedMatch], options: argparse.Namespace, remarks: list[str]
) -> Iterator[_Place]:
    """The analysed decisions of the games and moves that are asked for; the rest is remarked."""
    listing = Listing(options.limit, options.within, options.characters)
    for number, annotated in enumerate(matches, 1):
        games = _games(annotated, options)
        judged = set()
        for one in judgements(annotated):
            cube = isinstance(one.judged, CubeAnalysis)
            asked = one.place[0] in games and options.move in {None, one.move}
            if not asked or (options.cube and not cube):
                continue
            decision = cube_decision(one.turn) if cube else near_decision(one.turn, listing)
            if decision:
                judged.add((one.place, cube))
                yield _Place(number, annotated, one, with_suffix(decision, options.suffix))
        for at, game in games.items() if not options.cube else ():
            rows = zip(game.turns, move_numbers(game.turns), strict=True)
            choices = {
                (at, turn_at): move
                for turn_at, (turn, move) in enumerate(rows)
                if options.move in {None, move} and turn.play is not None and len(turn.plays) > 1
            }
            lacking = [move for place, move in choices.items() if (place, False) not in judged]
            if lacking:
                head = f"match {number}, " * (len(matches) > 1) + f"game {game.number}"
                remarks.append(f"{head}: {_lack(lacking, len(choices))}")


def _games(annotated: AnnotatedMatch, options: argparse.Namespace) -> dict[int, AnnotatedGame]:
    """The games that are asked for by their indices; IllegalError without the game or the move."""
    games = {
        at: game for at, game in enumerate(annotated.games) if options.game in {None, game.number}
    }
    if not games and annotated.games:
        has = f"the match has {len(annotated.games)}"
        raise IllegalError(f"there is no game {options.game}; {has}")
    for game in games.values():
        moves = move_numbers(game.turns)
        if options.move is not None and options.move not in moves:
            has = f"the game has {max(moves, default=0)}"
            raise IllegalError(f"there is no move {options.move}; {has}")
    return games


def _lack(moves: Sequence[int], choices: int) -> str:
    """That moves are not analysed, which of them if not all."""
    if len(moves) == choices:
        return "no analysis"
    named = ", ".join(map(str, moves[:_MOST_TOLD])) + ", ..." * (len(moves) > _MOST_TOLD)
    s = "s" * (len(moves) > 1)
    return f"{len(moves)} of {choices} plays without analysis (move{s} {named})"


def _line(place: _Place, options: argparse.Namespace, head: str) -> str:
    """`game 1, move 2, Bob: 21D [S D12] gnubg 2-ply`, in the markup that is asked for."""
    target, decision = TARGETS[options.to], place.decision
    one, turn = place.judgement, place.judgement.turn
    player = place.annotated.match.players[one.player]
    where = f"{head}game {one.game.number}, move {one.move}, {player}:"
    if decision.cube:
        made = target.escape(decision.cube.act.words)
    else:
        name = turn.namings[0].nactation if turn.namings else None
        made = f"{decision.state.roll}{target.spell(name) if name else ''}"
    written = spell_nacbrac(nacbrac_of(decision), target, bold_best=options.bold_best)
    return target.paragraph(f"{target.escape(where)} {made} {written}")


def _json(place: _Place, name: str) -> str:
    one, decision = place.judgement, place.decision
    nacbrac = nacbrac_of(decision)
    engine, level = bot_of(decision.choices[0].level)
    value: dict[str, Any] = {
        "file": name,
        "match": place.match,
        "game": one.game.number,
        "move": one.move,
        "turn": one.turn.number,
        "player": int(one.player),
        "error": None if one.error is None else round(one.error, 6),
    }
    by = {"engine": engine, "level": level}
    if decision.cube:
        made = {"made": decision.cube.act.words}
        value |= {**made, **by, **nacbrac_object(decision, nacbrac)}
    else:
        about = nacbrac_object(decision, nacbrac, nactation=one.turn.nactation or None)
        levels = [bot_of(choice.level)[1] for choice in decision.choices]
        plays = zip(play_objects(decision), levels, strict=False)
        value |= {**about, **by, "plays": [play | {"level": level} for play, level in plays]}
    return json_text(value) + "\n"
