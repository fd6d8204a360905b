"""The nacbracs behind a sequence, for `nactate decode`: a line for each of their plays."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from gnubg_nactation.backgammon.ids import format_position_id, parse_state
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.cli.engine import DEFAULT_PLIES, equities_of
from gnubg_nactation.cli.progress import waiting
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.nacbracs.bots import describe_bot
from gnubg_nactation.nacbracs.nacbrac import (
    Nacbrac,
    find_nacbracs,
    format_nacbrac,
)
from gnubg_nactation.nacbracs.resolving import NacbracRead, ResolvedEntry, read_nacbracs
from gnubg_nactation.nacbracs.score import describe_score
from gnubg_nactation.sequences.decode import Decoded
from gnubg_nactation.showing import json_text
from gnubg_nactation.values import Any, NamedTuple
from gnubg_nactation.writing.markup import Glyph, read_markup

__all__ = ["entry_object", "print_nacbracs", "resolve", "split"]


def split(text: str) -> list[tuple[str, tuple[Nacbrac, ...]]]:
    """The sequences of a text and the nacbracs behind each; MalformedError with the place."""
    glyphs = read_markup(text)
    places = [*(glyph.at for glyph in glyphs), len(text)]
    found: list[tuple[str, tuple[Nacbrac, ...]]] = []
    for start, end, nacbracs in find_nacbracs(text, glyphs):
        sequence, seen = text[places[start] : places[end]], glyphs[start:end]
        if start == 0:
            sequence = text[: places[end]]  # with the markup before it
        if _looks(read_markup(sequence)) != _looks(seen) and len({one[1:-1] for one in seen}) == 1:
            # A text that is wholly bold, say: what opens before the nacbracs closes behind them.
            sequence = "".join(glyph.character for glyph in seen)
        found.append((sequence, nacbracs))
    return found


def _looks(glyphs: Iterable[Glyph]) -> list[Glyph]:
    return [glyph._replace(at=0) for glyph in glyphs]


def resolve(
    decoded: Decoded,
    nacbracs: tuple[Nacbrac, ...],
    options: argparse.Namespace,
    streams: Streams,
) -> tuple[NacbracRead, ...]:
    """The nacbracs behind a sequence with their states and plays, by the options; IllegalError."""
    given = parse_state(options.start) if options.start else None
    return read_nacbracs(
        decoded,
        nacbracs,
        roll=given.roll if given else None,
        strict=options.strict,
        looks_lost=options.looks_lost,
        equities=equities_of(options, streams),
    )


def print_nacbracs(
    found: tuple[NacbracRead, ...], options: argparse.Namespace, streams: Streams
) -> None:
    """Write the plays of the nacbracs, as tables or as JSON, one object a line.

    With `--check` each play has what it loses by gnubg, too. Raises EngineError.
    """
    for number, read in enumerate(found, 1):
        check = _check(read, options, streams) if options.check else None
        if options.json:
            for one in read.entries:
                value = entry_object(read, number, one, check)
                streams.print(json_text(value) + "\n")
        else:
            streams.print(f"\n{_table(read, check)}")


class _Check(NamedTuple):
    """What gnubg says of the plays of a nacbrac, in points, and which play it holds best."""

    depth: Depth
    losses: dict[Play, float]
    best: Play


def _check(read: NacbracRead, options: argparse.Namespace, streams: Streams) -> _Check:
    from gnubg_nactation.engines.shortlist import rank_named

    depth = Depth(DEFAULT_PLIES if options.plies is None else options.plies)
    plays = {one.play for one in read.entries}
    with waiting(streams, f"checking {format_nacbrac(read.nacbrac)}: {depth} by gnubg"):
        rated = rank_named(options.open_engine(), read.state, depth, plays)
    losses = {one.play: rated[0].equity - one.equity for one in rated}
    return _Check(depth, losses, rated[0].play)


def entry_object(
    read: NacbracRead, number: int, one: ResolvedEntry, check: _Check | None = None
) -> dict[str, Any]:
    """A play of a nacbrac as JSON has it."""
    value: dict[str, Any] = {
        "nacbrac": number,
        "token": one.entry.text,
        "score": read.nacbrac.score,
        "roll": str(read.state.roll),
        "nactation": str(one.nactation),
        "play": format_play(one.play),
        "error": one.entry.error,
        "position_id": format_position_id(read.state.position),
        "after": format_position_id(one.play.after),
        "reading": one.reading,
        "sure": one.sure.value,
    }
    if check:
        value["engine"] = f"gnubg {check.depth}"
        value["engine_error"] = round(check.losses[one.play], 6)
    if one.note:
        value["note"] = one.note
    if read.nacbrac.suffix:
        value["suffix"] = read.nacbrac.suffix
    return value


def _table(read: NacbracRead, check: _Check | None) -> str:
    nacbrac = read.nacbrac
    words = [
        describe_score(nacbrac.score) if nacbrac.score else "",
        "" if nacbrac.equity is None else f"equity {nacbrac.equity:+.3f}",
        describe_bot(nacbrac.suffix),
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
        lines.append(f"checked by gnubg, {check.depth}{best}; errors there, here, difference")
    for text, error, play, after, doubt in rows:
        cells = f"{text:{widths[0]}}  {error:>{widths[1]}}  {play:{widths[2]}}  {after}  {doubt}"
        lines.append(cells.rstrip())
    return "".join(f"{line}\n" for line in lines)


def _errors(one: ResolvedEntry, check: _Check | None) -> str:
    """The error in the nacbrac; by the check what the play loses, and how far apart these are."""
    there, words = one.entry.error, []
    if there is not None:
        words.append(f"{there:.3f}")
    if check:
        here = check.losses[one.play]
        words.append(f"{here:.3f}")
        if there is not None:
            words.append(f"{round(here - there, 3) + 0.0:+.3f}")
    return " ".join(words)


def _doubt(one: ResolvedEntry) -> str:
    reading = "" if one.reading == "strict" else one.reading
    return f"{reading} ({one.note})" if reading and one.note else reading or one.note
