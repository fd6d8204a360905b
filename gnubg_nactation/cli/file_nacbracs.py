"""The nacbracs of match files, for `nactate nacbrac FILE`: a line for each analysed decision."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, AnnotatedTurn, annotate
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.match import move_numbers
from gnubg_nactation.cli.delivery import Job, failed
from gnubg_nactation.cli.inputs import STANDARD_INPUT, find_inputs, read_input
from gnubg_nactation.cli.judged import cube_object, play_objects
from gnubg_nactation.cli.progress import turn_progress
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.work import analysis_by
from gnubg_nactation.engines.nacbracs import Judged, JudgedCube
from gnubg_nactation.errors import EngineError, IllegalError, MalformedError, NactationError
from gnubg_nactation.exports.nacbracs import judged_cube, judged_turn, suffix_of
from gnubg_nactation.exports.names import presentable
from gnubg_nactation.exports.post.nacbracs import spell_nacbrac
from gnubg_nactation.exports.post.targets import TARGETS
from gnubg_nactation.files.formats import is_sgf, is_xg, read
from gnubg_nactation.nacbracs.bots import analysis_suffix, bot_of
from gnubg_nactation.nacbracs.nacbrac import format_nacbrac
from gnubg_nactation.showing import json_text
from gnubg_nactation.statistics import cube_of, play_of
from gnubg_nactation.values import Any, NamedTuple, replace

__all__ = ["is_match", "print_file_nacbracs"]

_NONE = "no analysis in it, so no nacbracs; --analyse has an engine analyse it"
_MOST_TOLD = 10  # moves without analysis that are named


class _Place(NamedTuple):
    """A turn of a file: its match, counted from 1, and its row in the move list."""

    match: int
    annotated: AnnotatedMatch
    game: AnnotatedGame
    move: int
    turn: AnnotatedTurn

    @property
    def player(self) -> str:
        """Who plays."""
        return self.annotated.match.players[self.turn.action.player]


class _Decision(NamedTuple):
    """A decision of a turn with what the analysis says of it, and what it lost, in points."""

    judged: Judged | JudgedCube
    error: float | None


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
    inputs = list(find_inputs(words, streams.complain))
    if not inputs:
        streams.complain(f"nacbrac: no match files in {', '.join(words)}")
        return Status.FAILED
    status = Status.OK
    for source in inputs:
        job = Job(source, None)
        try:
            known = data if source.path == STANDARD_INPUT else None
            content = read_input(source, streams.stdin) if known is None else known
            matches = _annotated(content, options, streams)
            for remark in _print(matches, job, options, streams, alone=len(inputs) == 1):
                streams.complain(f"{job.name}: {remark}")
        except EngineError:
            raise
        except OSError as error:
            failure = failed(error, "unreadable")
            streams.complain(f"{failure.where or job.name}: {failure.reason}")
            status = Status.FAILED
        except NactationError as error:
            streams.complain(f"{job.name}: {error}")
            status = Status.FAILED
    return status


def _annotated(data: bytes, options: argparse.Namespace, streams: Streams) -> list[AnnotatedMatch]:
    matches = read(data, options.encoding)
    with turn_progress(streams) as watch:
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
    for place, decision in _decisions(matches, options, remarks):
        found += 1
        if options.errors is not None and round(decision.error or 0.0, 3) < options.errors:
            continue
        judged = _named(decision.judged, options)
        if options.json:
            streams.print(_json(place, decision._replace(judged=judged), job.name))
        else:
            head = f"{job.name}: " * (not alone) + f"match {place.match}, " * (len(matches) > 1)
            streams.print(_line(place, judged, options, head))
    if not found:
        asked = f"game {options.game}, " * (options.game is not None)
        asked += f"move {options.move}, " * (options.move is not None)
        raise IllegalError(f"{asked[:-2]}: no analysis" if asked else _NONE)
    return remarks


def _decisions(
    matches: Sequence[AnnotatedMatch], options: argparse.Namespace, remarks: list[str]
) -> Iterator[tuple[_Place, _Decision]]:
    """The analysed decisions of the games and moves that are asked for; the rest is remarked."""
    for number, annotated in enumerate(matches, 1):
        games = [one for one in annotated.games if options.game in {None, one.number}]
        if not games and annotated.games:
            has = f"the match has {len(annotated.games)}"
            raise IllegalError(f"there is no game {options.game}; {has}")
        for game in games:
            rows = move_numbers(game.turns)
            if options.move is not None and options.move not in rows:
                has = f"the game has {max(rows, default=0)}"
                raise IllegalError(f"there is no move {options.move}; {has}")
            lacking: list[int] = []
            choices = 0
            for move, turn in zip(rows, game.turns, strict=True):
                if options.move not in {None, move}:
                    continue
                place = _Place(number, annotated, game, move, turn)
                cube, analysed = judged_cube(turn), cube_of(turn)
                if cube and analysed:
                    yield place, _Decision(cube, analysed.error)
                if options.cube:
                    continue
                judged, analysis = _plays(turn, options), play_of(turn)
                choice = turn.play is not None and len(turn.plays) > 1
                choices += choice
                if judged and analysis:
                    yield place, _Decision(judged, analysis.error)
                elif choice:
                    lacking.append(move)
            if lacking:
                head = f"match {number}, " * (len(matches) > 1) + f"game {game.number}"
                remarks.append(f"{head}: {_lack(lacking, choices)}")


def _lack(moves: Sequence[int], choices: int) -> str:
    """That moves are not analysed, which of them if not all."""
    if len(moves) == choices:
        return "no analysis"
    named = ", ".join(map(str, moves[:_MOST_TOLD])) + ", ..." * (len(moves) > _MOST_TOLD)
    s = "s" * (len(moves) > 1)
    return f"{len(moves)} of {choices} plays without analysis (move{s} {named})"


def _plays(turn: AnnotatedTurn, options: argparse.Namespace) -> Judged | None:
    return judged_turn(
        turn, limit=options.limit, within=options.within, characters=options.characters
    )


def _named(judged: Judged | JudgedCube, options: argparse.Namespace) -> Judged | JudgedCube:
    """The same with the suffix that is asked for."""
    if options.suffix == "words":
        return judged
    symbols = options.suffix == "symbols"
    if isinstance(judged, JudgedCube):
        suffix = analysis_suffix([judged.analysis.method], symbols=symbols) * symbols
        return judged._replace(nacbrac=replace(judged.nacbrac, suffix=suffix))
    suffix = suffix_of(judged, symbols=symbols) * symbols
    return judged._replace(nacbrac=replace(judged.nacbrac, suffix=suffix))


def _line(
    place: _Place, judged: Judged | JudgedCube, options: argparse.Namespace, head: str
) -> str:
    """`game 1, move 2, Bob: 21D [S D12] gnubg 2-ply`, in the markup that is asked for."""
    target, turn = TARGETS[options.to], place.turn
    where = f"{head}game {place.game.number}, move {place.move}, {place.player}:"
    if isinstance(judged, JudgedCube):
        made = target.escape(judged.analysis.act.words)
    else:
        name = turn.namings[0].nactation if turn.namings else None
        made = f"{judged.rated[0].play.roll}{target.spell(name) if name else ''}"
    written = spell_nacbrac(judged.nacbrac, target, bold_best=options.bold_best)
    return target.paragraph(f"{target.escape(where)} {made} {written}")


def _json(place: _Place, decision: _Decision, name: str) -> str:
    turn, judged = place.turn, decision.judged
    error = None if decision.error is None else round(decision.error, 6)
    value: dict[str, Any] = {
        "file": name,
        "match": place.match,
        "game": place.game.number,
        "move": place.move,
        "turn": turn.number,
        "player": int(turn.action.player),
        "error": error,
    }
    if isinstance(judged, JudgedCube):
        engine, level = bot_of(judged.analysis.method)
        value |= {
            "made": judged.analysis.act.words,
            "engine": engine,
            "level": level,
        } | cube_object(judged)
    else:
        value |= _plays_object(turn, judged)
    return json_text(value) + "\n"


def _plays_object(turn: AnnotatedTurn, judged: Judged) -> dict[str, Any]:
    engine, level = bot_of(judged.rated[0].method)
    plays = play_objects(judged)
    return {
        "nacbrac": format_nacbrac(judged.nacbrac),
        "score": judged.nacbrac.score,
        "roll": str(judged.rated[0].play.roll),
        "nactation": turn.nactation or None,
        "position_id": format_position_id(judged.rated[0].play.before),
        "xgid": format_xgid(turn.state) if turn.state else None,
        "engine": engine,
        "level": level,
        "plays": [
            play | {"level": bot_of(one.method)[1]}
            for play, one in zip(plays, judged.rated, strict=False)
        ],
    }
