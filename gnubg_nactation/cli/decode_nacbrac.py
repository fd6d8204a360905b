"""The nacbracs after a sequence, for `nactate decode`: a line for each play or cube action."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from gnubg_nactation.backgammon.analysis import CubeAct, in_prose
from gnubg_nactation.backgammon.ids import format_position_id, parse_state
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.cli.arguments import read_sequence
from gnubg_nactation.cli.engine import equities_of
from gnubg_nactation.cli.progress import waiting
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.engines.engine import Bot, Depth
from gnubg_nactation.engines.shortlist import rank_named
from gnubg_nactation.errors import EngineError, MalformedError, NactationError
from gnubg_nactation.exports.views import View, action_view, entry_view
from gnubg_nactation.nacbracs.bots import bot_of, describe_bot
from gnubg_nactation.nacbracs.cube import CubeNacbrac, actions_of
from gnubg_nactation.nacbracs.nacbrac import Nacbrac, format_nacbrac
from gnubg_nactation.nacbracs.parts import Part, parts_of
from gnubg_nactation.nacbracs.resolving import (
    CubeRead,
    NacbracRead,
    ResolvedEntry,
    read_cubes,
    read_nacbracs,
)
from gnubg_nactation.nacbracs.score import describe_score
from gnubg_nactation.sequences.decode import Decoded
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.showing import json_line, rounded, shown
from gnubg_nactation.values import NamedTuple, replace


def decode_parts(
    text: str,
    options: argparse.Namespace,
    streams: Streams,
    show: Callable[[Decoded, argparse.Namespace, Streams], None],
) -> int:
    """Read the parts of a text and print them, the sequences with `show`; return the exit status.

    If there are several, the error of a part is reported with its line and column, and the others
    are printed. The error of the only part is raised, and so is EngineError.
    """
    parts = parts_of(text)
    failed = printed = False
    for part in parts:
        if part.note:
            streams.report(f"{_line(text, part.end)}: {shown(part.note, 60)} skipped")
            if not part.sequence.strip():
                continue
        try:
            if part.trouble:
                raise part.trouble
            decoded = read_sequence(part.sequence, options, streams)
            nacbracs = resolve(decoded, part.nacbracs, options, streams) if part.nacbracs else ()
        except EngineError:
            raise
        except NactationError as error:
            if len(parts) == 1:
                raise
            _report_part(error, part, text, streams)
            failed = True
            continue
        streams.print("\n" * (printed and not options.json))
        show(decoded, options, streams)
        for number, nacbrac in enumerate(nacbracs, 1):
            if isinstance(nacbrac, CubeRead):
                _print_cube(nacbrac, number, options, streams)
            else:
                _print_plays(nacbrac, number, options, streams)
        printed = True
    return Status.FAILED if failed else Status.OK


def _report_part(error: NactationError, part: Part, text: str, streams: Streams) -> None:
    at = error.at if error.text == text else part.place(error.at)
    excerpt = MalformedError("", text=text, at=at).excerpt()
    column = at - text.rfind("\n", 0, at)
    streams.report(f"{_line(text, at)}, column {column}: {error}", excerpt)


def _line(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1}"


def resolve(
    decoded: Decoded,
    nacbracs: tuple[Nacbrac | CubeNacbrac, ...],
    options: argparse.Namespace,
    streams: Streams,
) -> tuple[NacbracRead | CubeRead, ...]:
    """Return the nacbracs after a sequence with their states and plays. Raises IllegalError."""
    start = parse_state(options.start) if options.start else None
    roll = start.roll if start else None
    cubes = read_cubes(decoded, nacbracs, roll=roll)
    of_plays = [nacbrac for nacbrac in cubes if isinstance(nacbrac, Nacbrac)]
    if not of_plays:
        return tuple(nacbrac for nacbrac in cubes if isinstance(nacbrac, CubeRead))
    reads = iter(
        read_nacbracs(
            decoded,
            of_plays,
            roll=roll,
            strict=options.strict,
            looks_lost=getattr(options, "looks_lost", False),  # an option of `decode` only
            equities=equities_of(options, streams),
        )
    )
    return tuple(next(reads) if isinstance(cube, Nacbrac) else cube for cube in cubes)


def _print_cube(read: CubeRead, number: int, options: argparse.Namespace, streams: Streams) -> None:
    """Print the error of each cube action; with --check also its error by an engine."""
    nacbrac, state = read
    checked: dict[str, float | None] = {}
    if options.check:
        engine = options.open_engine()
        depth = engine.bot.depth(options.plies)
        with waiting(streams, f"checking {nacbrac}"):
            analysis = engine.judge_cube(state, depth)
        checked = {act.words: replace(analysis, act=act).error for act in CubeAct}
    actions = actions_of(nacbrac)
    if options.json:
        for action in actions:
            value = action_view(nacbrac, state, number, action)
            if options.check:
                value["engine"] = " ".join(bot_of(analysis.method))
                value["engine_error"] = rounded(checked[action.words])
            streams.print(json_line(value))
        return
    score = describe_score(nacbrac.score) if nacbrac.score else ""
    by = _in_brackets(score, describe_bot(nacbrac.suffix))
    lines = [f"cube {nacbrac}{by}: {in_prose(nacbrac.best)}"]
    if options.check:
        lines.append(_check_head(*bot_of(analysis.method), f"best {in_prose(analysis.best)}"))
    for action in actions:
        errors = _errors(action.error, checked.get(action.words))
        lines.append(f"{in_prose(action.words):9}  {errors}".rstrip())
    streams.print("\n" + "".join(f"{line}\n" for line in lines))


class _Check(NamedTuple):
    """The errors of the plays of a nacbrac by an engine, in points, and its best play."""

    bot: Bot
    depth: Depth
    losses: dict[Play, float]
    best: Play

    def view(self, play: Play) -> View:
        return {
            "engine": self.bot.label(self.depth),
            "engine_error": rounded(self.losses[play]),
        }


def _check(read: NacbracRead, options: argparse.Namespace, streams: Streams) -> _Check:
    engine = options.open_engine()
    depth = engine.bot.depth(options.plies)
    plays = {entry.play for entry in read.entries}
    about = f"{engine.bot.level(depth)} by {engine.bot.name}"
    with waiting(streams, f"checking {format_nacbrac(read.nacbrac)}: {about}"):
        ranked = rank_named(engine, read.state, depth, plays)
    losses = {rated.play: ranked[0].equity - rated.equity for rated in ranked}
    return _Check(engine.bot, depth, losses, ranked[0].play)


def _print_plays(
    read: NacbracRead, number: int, options: argparse.Namespace, streams: Streams
) -> None:
    """Print the plays of a nacbrac; with --check also their errors by an engine."""
    check = _check(read, options, streams) if options.check else None
    if options.json:
        for entry in read.entries:
            value = entry_view(read, number, entry, check.view(entry.play) if check else None)
            streams.print(json_line(value))
    else:
        streams.print(f"\n{_table(read, check)}")


def _table(read: NacbracRead, check: _Check | None) -> str:
    nacbrac = read.nacbrac
    about = _in_brackets(
        describe_score(nacbrac.score) if nacbrac.score else "",
        "" if nacbrac.equity is None else f"equity {nacbrac.equity:+.3f}",
        describe_bot(nacbrac.suffix, [str(entry.entry.name) for entry in read.entries]),
    )
    lines = [f"{read.state.roll} {format_nacbrac(nacbrac)}{about}"]
    if check:
        best = f"best {check.best}" if check.losses[read.entries[0].play] else ""
        lines.append(_check_head(check.bot.name, check.bot.level(check.depth), best))
    rows = [
        (
            entry.entry.text,
            _errors(entry.entry.error, check.losses[entry.play] if check else None),
            format_play(entry.play),
            format_position_id(entry.play.after),
            _doubt(entry),
        )
        for entry in read.entries
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for text, errors, play, after, doubt in rows:
        cells = f"{text:{widths[0]}}  {errors:>{widths[1]}}  {play:{widths[2]}}  {after}  {doubt}"
        lines.append(cells.rstrip())
    return "".join(f"{line}\n" for line in lines)


def _in_brackets(*words: str) -> str:
    text = "; ".join(filter(None, words))
    return f"  ({text})" if text else ""


def _check_head(bot: str, level: str, best: str) -> str:
    head = ", ".join(filter(None, ("checked by " + bot, level, best)))
    return f"{head}; errors: nacbrac, engine, difference"


def _errors(error: float | None, checked: float | None) -> str:
    """Return the error in a nacbrac, the error by the engine, and their difference, if known."""
    words = [] if error is None else [f"{error:.3f}"]
    if checked is not None:
        words.append(f"{checked:.3f}")
        if error is not None:
            words.append(f"{round(checked - error, 3) + 0.0:+.3f}")
    return " ".join(words)


def _doubt(entry: ResolvedEntry) -> str:
    reading = "" if entry.how is ReadingKind.STRICT else entry.how.value
    return f"{reading} ({entry.note})" if reading and entry.note else reading or entry.note
