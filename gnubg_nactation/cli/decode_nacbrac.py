"""The nacbracs behind a sequence, for `nactate decode`: a line for each of their plays."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from gnubg_nactation.backgammon.analysis import CubeAct
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
from gnubg_nactation.showing import json_text, rounded, shown
from gnubg_nactation.values import NamedTuple, replace


def decode_parts(
    text: str,
    options: argparse.Namespace,
    streams: Streams,
    show: Callable[[Decoded, argparse.Namespace, Streams], None],
) -> int:
    """Read the parts of a text and print them, `show` what is decoded; the exit status.

    Of several parts, one that cannot be read is told with its line and column, and left out; one
    alone raises what is wrong with it. EngineError is raised.
    """
    parts = parts_of(text)
    failed = printed = False
    for part in parts:
        if part.note:
            streams.report(f"{_line(text, part.end)}: passed over {shown(part.note, 60)}")
        if part.note and not part.sequence.strip():
            continue
        try:
            if part.trouble:
                raise part.trouble
            decoded = read_sequence(part.sequence, options, streams)
            found = resolve(decoded, part.nacbracs, options, streams) if part.nacbracs else ()
        except EngineError:
            raise
        except NactationError as error:
            if len(parts) == 1:
                raise
            _tell(error, part, text, streams)
            failed = True
            continue
        streams.print("\n" * (printed and not options.json))
        show(decoded, options, streams)
        print_nacbracs(found, options, streams)
        printed = True
    return Status.FAILED if failed else Status.OK


def _tell(error: NactationError, part: Part, text: str, streams: Streams) -> None:
    """Say what is wrong with a part, and where in the text."""
    at = error.at if error.text == text else part.place(error.at)
    there = MalformedError("", text=text, at=at)
    streams.report(
        f"{_line(text, at)}, column {at - text.rfind(chr(10), 0, at)}: {error}", there.excerpt()
    )


def _line(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1}"


def resolve(
    decoded: Decoded,
    nacbracs: tuple[Nacbrac | CubeNacbrac, ...],
    options: argparse.Namespace,
    streams: Streams,
) -> tuple[NacbracRead | CubeRead, ...]:
    """The nacbracs behind a sequence with their states and plays, by the options; IllegalError."""
    given = parse_state(options.start) if options.start else None
    roll = given.roll if given else None
    found = read_cubes(decoded, nacbracs, roll=roll)
    plays = [one for one in found if isinstance(one, Nacbrac)]
    read = iter(
        read_nacbracs(
            decoded,
            plays,
            roll=roll,
            strict=options.strict,
            looks_lost=getattr(options, "looks_lost", False),  # not every command asks
            equities=equities_of(options, streams),
        )
        if plays
        else ()
    )
    return tuple(next(read) if isinstance(one, Nacbrac) else one for one in found)


def print_nacbracs(
    found: tuple[NacbracRead | CubeRead, ...], options: argparse.Namespace, streams: Streams
) -> None:
    """Write the plays of the nacbracs, as tables or as JSON, one object a line.

    Of one about the cube the actions of both players are written. With `--check` each has what it
    loses by an engine, too. Raises EngineError.
    """
    for number, read in enumerate(found, 1):
        if isinstance(read, CubeRead):
            _print_cube(read, number, options, streams)
            continue
        check = _check(read, options, streams) if options.check else None
        if options.json:
            for one in read.entries:
                value = entry_view(read, number, one, check.view(one.play) if check else None)
                streams.print(json_text(value) + "\n")
        else:
            streams.print(f"\n{_table(read, check)}")


def _print_cube(read: CubeRead, number: int, options: argparse.Namespace, streams: Streams) -> None:
    nacbrac, state = read
    here: dict[str, float | None] = {}
    if options.check:
        engine = options.open_engine()
        depth = engine.bot.depth(options.plies)
        with waiting(streams, f"checking {nacbrac}"):
            told = engine.judge_cube(state, depth)
        here = {act.words: replace(told, act=act).error for act in CubeAct}
    if options.json:
        for action in actions_of(nacbrac):
            value = action_view(nacbrac, state, number, action)
            if options.check:
                value["engine"] = " ".join(bot_of(told.method))
                value["engine_error"] = rounded(here[action.words])
            streams.print(json_text(value) + "\n")
        return
    score = describe_score(nacbrac.score) if nacbrac.score else ""
    said = "; ".join(filter(None, [score, describe_bot(nacbrac.suffix)]))
    lines = [f"cube {nacbrac}" + (f"  ({said})" if said else "") + f": {nacbrac.best}"]
    if options.check:
        best = f"best {told.best}; errors there, here, difference"
        lines.append(f"checked by {', '.join(bot_of(told.method))}, {best}")
    for action in actions_of(nacbrac):
        error = _compared(action.error, here.get(action.words))
        lines.append(f"{action.words:9}  {error}".rstrip())
    streams.print("\n" + "".join(f"{line}\n" for line in lines))


class _Check(NamedTuple):
    """What a bot says of the plays of a nacbrac, in points, and which play it holds best."""

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
    plays = {one.play for one in read.entries}
    about = f"{engine.bot.level(depth)} by {engine.bot.name}"
    with waiting(streams, f"checking {format_nacbrac(read.nacbrac)}: {about}"):
        rated = rank_named(engine, read.state, depth, plays)
    losses = {one.play: rated[0].equity - one.equity for one in rated}
    return _Check(engine.bot, depth, losses, rated[0].play)


def _table(read: NacbracRead, check: _Check | None) -> str:
    nacbrac = read.nacbrac
    words = [
        describe_score(nacbrac.score) if nacbrac.score else "",
        "" if nacbrac.equity is None else f"equity {nacbrac.equity:+.3f}",
        describe_bot(nacbrac.suffix, [str(one.entry.name) for one in read.entries]),
    ]
    said = "; ".join(filter(None, words))
    rows = [
        (
            one.entry.text,
            _errors(one, check),
            format_play(one.play),
            format_position_id(one.play.after),
            _doubt(one),
        )
        for one in read.entries
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [f"{read.state.roll} {format_nacbrac(nacbrac)}" + (f"  ({said})" if said else "")]
    if check:
        best = f", best {check.best}" if check.losses[read.entries[0].play] else ""
        bot = f"{check.bot.name}, {check.bot.level(check.depth)}"
        lines.append(f"checked by {bot}{best}; errors there, here, difference")
    for text, error, play, after, doubt in rows:
        cells = f"{text:{widths[0]}}  {error:>{widths[1]}}  {play:{widths[2]}}  {after}  {doubt}"
        lines.append(cells.rstrip())
    return "".join(f"{line}\n" for line in lines)


def _errors(one: ResolvedEntry, check: _Check | None) -> str:
    """The error in the nacbrac; by the check what the play loses, and how far apart these are."""
    return _compared(one.entry.error, check.losses[one.play] if check else None)


def _compared(there: float | None, here: float | None) -> str:
    words = [] if there is None else [f"{there:.3f}"]
    if here is not None:
        words.append(f"{here:.3f}")
        if there is not None:
            words.append(f"{round(here - there, 3) + 0.0:+.3f}")
    return " ".join(words)


def _doubt(one: ResolvedEntry) -> str:
    reading = "" if one.how is ReadingKind.STRICT else one.how.value
    return f"{reading} ({one.note})" if reading and one.note else reading or one.note
