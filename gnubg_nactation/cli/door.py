"""`nactate THING`: what is shown for a thing of any kind, and which commands show more of it.

Each part of it is a command, so it looks the same as there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import BytesIO

from gnubg_nactation.archive.database import archive_at
from gnubg_nactation.cli.commands import commands
from gnubg_nactation.cli.results import Coloured, on_terminal, width_of
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import EngineError, NactationError
from gnubg_nactation.exports.survey import (
    best_text,
    database_text,
    folder_text,
    reason_text,
    sheet_text,
)
from gnubg_nactation.files.unreadable import describe
from gnubg_nactation.showing import read_json
from gnubg_nactation.system.resources import command_line
from gnubg_nactation.tasks.advice import (
    advice_text,
    command_of,
    decoding,
    further_commands,
    is_option,
    is_typo,
    other_word,
    suggestion,
    unknown_text,
)
from gnubg_nactation.tasks.library import survey
from gnubg_nactation.tasks.sources import STANDARD_INPUT, read_at_most
from gnubg_nactation.tasks.subjects import SequenceSettings, read_subject, text_of_bytes
from gnubg_nactation.tasks.things import Thing, ThingKind, identify, summarise
from gnubg_nactation.tasks.transcribing import transcribe
from gnubg_nactation.values import Any

Run = Callable[[Sequence[str], Streams, dict[str, Any]], int]
"""Runs a command line, with these settings changed."""


def show_thing(argv: Sequence[str], streams: Streams, run: Run) -> int:
    """Show the thing that the words before the options name; options are those of its command.

    Returns the exit status. Raises NactationError and OSError.
    """
    count = next((at for at, word in enumerate(argv) if is_option(word)), len(argv))
    words, options = argv[:count], argv[count:]
    data = None
    if STANDARD_INPUT in words:  # it is read twice: to see what it is, and by its command
        data = read_at_most(streams.stdin)
        streams = streams._replace(stdin=BytesIO(data))
    first = words[0].strip()
    if not os.path.exists(first) and (advice := other_word(first)):
        streams.report(advice)
        return Status.USAGE
    thing = identify(words, streams)
    names = [*commands()]
    if thing and thing.kind is ThingKind.POST and thing.text and is_typo(words[0], names):
        thing = None
    if data is not None:
        streams = streams._replace(stdin=BytesIO(data))
    if thing is None:
        streams.report(unknown_text(words, names))
        return Status.USAGE
    if thing.kind is ThingKind.POST and thing.text:
        streams = streams._replace(stdin=BytesIO(thing.text.encode()))
    alone = command_of(thing)
    if options or thing.kind is ThingKind.MISSING:
        return run([*alone, *options], streams, {})
    status = _SHOWN.get(thing.kind, _show_alone)(thing, alone, streams, run)
    if streams.stdout.isatty() and STANDARD_INPUT not in thing.words:
        further = further_commands(thing)
        streams.print(f"\n{advice_text([alone, *further], width_of(streams))}\n")
    return status


_Parts = Callable[[Thing, Sequence[str], Streams, Run], int]


def _show_alone(_: Thing, alone: Sequence[str], streams: Streams, run: Run) -> int:
    return run(alone, streams, {})


def _show_match(_: Thing, alone: Sequence[str], streams: Streams, run: Run) -> int:
    return run(alone, streams, {"known_errors": True})


def _show_database(thing: Thing, _: Sequence[str], streams: Streams, __: Run) -> int:
    with archive_at(thing.words[0]) as archive:
        text = database_text(thing.words[0], survey(archive))
    on_terminal(streams, Coloured()).print(text)
    return Status.OK


def _show_sheet(thing: Thing, alone: Sequence[str], streams: Streams, run: Run) -> int:
    data = streams.read(thing.words[0])
    status = run(alone, streams._replace(stdin=BytesIO(data)), {})
    if status == Status.OK:
        matches = [sheet.match for sheet in transcribe(text_of_bytes(data))]
        streams.print(sheet_text(thing.words[0], matches))
    return status


def _show_sequence(thing: Thing, alone: Sequence[str], streams: Streams, run: Run) -> int:
    try:
        status = run(alone, streams, {})
    except NactationError as error:
        error.args = (f"{error}{suggestion(thing)}",)
        raise
    streams.flush()
    if "[" not in thing.text:
        _show_best(thing, streams, run)
    return status


def _show_roll(thing: Thing, alone: Sequence[str], streams: Streams, run: Run) -> int:
    status = run(alone, streams, {})
    _rank(list(thing.words), streams, run)
    return status


def _show_decision(thing: Thing, alone: Sequence[str], streams: Streams, run: Run) -> int:
    run(["board", "--play", *thing.words], streams, {})
    streams.print("\n")
    return run(alone, streams, {})


def _show_folder(thing: Thing, _: Sequence[str], streams: Streams, __: Run) -> int:
    summary = summarise(thing.words, streams)
    for file, reason in summary.failures:
        streams.report(f"{file}: {reason}")
    following = command_line("index", *thing.words)
    on_terminal(streams, Coloured()).print(folder_text(summary, following))
    return Status.FAILED if summary.failures or not summary.files else Status.OK


def _show_best(thing: Thing, streams: Streams, run: Run) -> None:
    """Print why the last play has its letter, and the best plays of its roll."""
    settings = SequenceSettings(start=thing.start or None)
    with suppress(NactationError):
        quiet = streams._replace(stderr=BytesIO())
        turn = read_subject(thing.text, settings, quiet).last
        if turn is None or turn.plays is None:
            return
        if turn.play:
            explanation = turn.plays.explain(turn.play)
            on_terminal(streams, Coloured()).print(f"\n{reason_text(explanation)}")
        elif turn.state is None or turn.state.roll is None:
            return
        _rank(decoding(thing)[1:], streams, run)


def _rank(words: Sequence[str], streams: Streams, run: Run) -> None:
    """Print the best plays if an engine or the book can rank them."""
    printed = BytesIO()
    with suppress(EngineError, NactationError):
        quiet = streams._replace(stdout=printed, stderr=BytesIO())
        run(["nacbrac", "--json", *words], quiet, {})
        for line in printed.getvalue().splitlines():
            text = best_text(read_json(line))
            on_terminal(streams, Coloured()).print(f"\n{text}")


def _show_post(_: Thing, alone: Sequence[str], streams: Streams, run: Run) -> int:
    printed = BytesIO()
    status = run(alone, streams._replace(stdout=printed), {})
    streams.write(printed.getvalue())
    if status == Status.OK and not printed.getvalue():
        name, problem = alone[-1], "no Nactation, no position and no match in it"
        if name == STANDARD_INPUT:
            name = "standard input"
        else:
            problem = describe(streams.read(name)) or problem
        streams.report(f"{name}: {problem}")
        return Status.FAILED
    return status


_SHOWN: dict[ThingKind, _Parts] = {
    ThingKind.MATCH: _show_match,
    ThingKind.FOLDER: _show_folder,
    ThingKind.MATCHES: _show_folder,
    ThingKind.DATABASE: _show_database,
    ThingKind.SHEET: _show_sheet,
    ThingKind.SEQUENCE: _show_sequence,
    ThingKind.ROLL: _show_roll,
    ThingKind.DECISION: _show_decision,
    ThingKind.POST: _show_post,
}
