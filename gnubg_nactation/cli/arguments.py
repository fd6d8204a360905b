"""Arguments that several commands take."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from gnubg_nactation import decode
from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.notation import format_play, parse_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.cli.engine import add_assume_options, equities_of
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.errors import (
    AmbiguousError,
    IllegalError,
    MalformedError,
    NactationError,
    UnreadError,
)
from gnubg_nactation.language.dialects import CURRENT, DIALECTS, Dialect, dialect_on, plays_in
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.score import parse_score
from gnubg_nactation.sequences.alternatives import alternatives
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.budget import Budget
from gnubg_nactation.sequences.decode import Decoded
from gnubg_nactation.sequences.tokens import parse_sequence
from gnubg_nactation.sequences.usage import sound_in
from gnubg_nactation.showing import quoted
from gnubg_nactation.tasks.sources import SUFFIXES
from gnubg_nactation.values import TYPE_CHECKING, Any, replace

if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")
    Number = TypeVar("Number", int, float)


class Joined(argparse.Action):
    """Joins the words of an argument with `nargs="+"`."""

    def __call__(self, _: object, namespace: argparse.Namespace, values: Any, *__: object) -> None:
        """Store the words, separated by blanks."""
        setattr(namespace, self.dest, " ".join(values))


def add_sequence_options(parser: argparse.ArgumentParser, *, book: bool = False) -> None:
    """Declare the options of every command that reads a sequence; `book` as in its engine."""
    group = parser.add_argument_group("reading the sequence")
    add_start_option(group)
    group.add_argument("--strict", action="store_true", help="reject doubtful readings")
    add_dialect_options(group)
    add_assume_options(group, book=book)


def add_start_option(group: argparse._ActionsContainer) -> None:
    """Declare --from, the position before the first play; `start_of` reads it."""
    group.add_argument(
        "--from",
        dest="start",
        metavar="POSITION",
        help="starting position: a Position ID, XGID, `start` or `nackgammon` (default: start)",
    )


def add_dialect_options(group: argparse._ActionsContainer) -> None:
    """Declare --dialect and --date; `options.dialect` is the usage of that time."""
    group.set_defaults(dialect=CURRENT)
    when = group.add_mutually_exclusive_group()
    when.add_argument(
        "--dialect",
        metavar="YEAR",
        type=_year,
        help="read characters as they were used in this year, 2009 to 2013 (default: current)",
    )
    when.add_argument(
        "--date",
        dest="dialect",
        metavar="YYYY-MM-DD",
        type=argument_type(dialect_on),
        help="read characters as they were used on this day",
    )


def _year(text: str) -> Dialect:
    if text in DIALECTS:
        return DIALECTS[text]
    raise argparse.ArgumentTypeError(f"{quoted(text)} is none of {', '.join(DIALECTS)}")


def start_of(options: argparse.Namespace) -> GameState | None:
    """Return the state that --from names; None without it."""
    return to_state(options.start) if options.start else None


def dialect_hint(usage: Dialect) -> str:
    """Return a hint that an older usage reads a sequence without doubt."""
    return f"{usage.hint}: --dialect {usage.name}"


def read_sequence(
    text: str, options: argparse.Namespace, streams: Streams, budget: Budget | None = None
) -> Decoded:
    """Decode a sequence by the options above; a terminal shows each question to an engine.

    All texts of a file share its `budget`.
    """
    start, dialect = start_of(options), options.dialect
    try:
        decoded = decode(
            text,
            start=start,
            strict=options.strict,
            assume=equities_of(options, streams),
            dialect=dialect,
            budget=budget,
        )
    except UnreadError:
        raise
    except (AmbiguousError, IllegalError, MalformedError) as error:
        if dialect is CURRENT and (usage := sound_in(text, start=start, budget=budget)):
            error.args = (f"{error}; it {dialect_hint(usage)}",)
        raise
    if dialect is CURRENT and not decoded.is_strict:
        usage = sound_in(text, start=start, budget=budget)
        return decoded.with_hint(dialect_hint(usage)) if usage else decoded
    return decoded


def read_sequences(
    text: str, options: argparse.Namespace, streams: Streams, budget: Budget | None = None
) -> tuple[Decoded, ...]:
    """Decode a sequence, or the plays of a list: `21S 41S 51S` or `43D/43Z` are openings."""
    plays: tuple[str, ...] = ()
    if not options.start and "-" not in text:
        with suppress(MalformedError):
            plays = alternatives(parse_sequence(text))
    if not plays:
        return (read_sequence(text, options, streams, budget),)
    return tuple(
        _taken_for_opening(read_sequence(play, options, streams, budget)) for play in plays
    )


def _taken_for_opening(decoded: Decoded) -> Decoded:
    (turn,) = decoded.turns
    note = "; ".join(filter(None, (turn.note, "taken for an opening")))
    turn = replace(turn, note=note, sure=min(turn.sure, Confidence.LIKELY))
    return decoded._replace(turns=(turn,))


def report_doubts(decoded: Decoded, streams: Streams) -> None:
    """Report the turns of a sequence whose reading is not sure."""
    for turn in decoded.turns:
        if turn.sure is not Confidence.SURE:
            play = format_play(turn.play) if turn.play else turn.how.value
            streams.report(f"{turn.token.text} is read as {play}: {turn.doubt}")


def between(
    kind: Callable[[str], Number], lowest: int, highest: int, unit: str = ""
) -> Callable[[str], Number]:
    """Return the type of an option for a number in a range."""

    def number(text: str) -> Number:
        value = kind(text)  # argparse reports a ValueError
        if lowest <= value <= highest:
            return value
        raise argparse.ArgumentTypeError(f"{text} is not between {lowest} and {highest}{unit}")

    return number


def argument_type(parse: Callable[[str], T]) -> Callable[[str], T]:
    """Return the type of an option whose value `parse` reads; it may raise NactationError."""

    def value(text: str) -> T:
        try:
            return parse(text)
        except NactationError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return value


score_type = argument_type(parse_score)


def file_argument(word: str) -> Path | None:
    """Return the path of a file that exists or has the ending of a match file; None otherwise."""
    if word not in {"", "-"}:
        with suppress(OSError, ValueError):  # too long for a name, or with impossible characters
            if os.path.exists(word) or word.lower().endswith(SUFFIXES):
                return Path(word)
    return None


def read_play(
    text: str, position: Position, roll: Roll, dialect: Dialect = CURRENT
) -> tuple[Play, Plays, Nactation | None]:
    """Return a play in traditional notation or a Nactation, and all plays of its roll.

    The last value is the Nactation, if the text is one.
    """
    plays = plays_in(Plays(position, roll), dialect)
    try:
        name = parse_nactation(text)
    except MalformedError:
        return parse_play(text, position, roll, plays), plays, None
    return plays.play(name), plays, name
