"""`nactate THING`: what is shown for a thing of any kind, and which commands show more of it.

Each part of it is a command, so it looks the same as there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import BytesIO

from gnubg_nactation.archive.database import archive_at
from gnubg_nactation.cli import commands
from gnubg_nactation.cli.results import on_terminal, width_of
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.usage import closest
from gnubg_nactation.errors import EngineError, NactationError
from gnubg_nactation.exports.survey import (
    best_text,
    database_text,
    folder_text,
    reason_text,
    sheet_text,
)
from gnubg_nactation.showing import command_line, quoted, read_json
from gnubg_nactation.tasks.library import survey
from gnubg_nactation.tasks.sources import STANDARD_INPUT
from gnubg_nactation.tasks.subjects import SequenceSettings, read_subject
from gnubg_nactation.tasks.text_field import read_text
from gnubg_nactation.tasks.things import Thing, ThingKind, identify, is_play, summarise
from gnubg_nactation.tasks.transcribing import transcribe
from gnubg_nactation.values import Any, NamedTuple

Run = Callable[[Sequence[str], Streams, dict[str, Any]], int]
"""Runs a command line, with these settings changed."""

_FOLDER, _PAGE = "FOLDER", "page.html"


class _Terminal(NamedTuple):
    """The settings of what the door itself prints."""

    color: str = "auto"


def show_thing(argv: Sequence[str], streams: Streams, run: Run) -> int:
    """Show the thing that the words before the options name; options are those of its command.

    Returns the exit status. Raises NactationError and OSError.
    """
    count = next((at for at, word in enumerate(argv) if _is_option(word)), len(argv))
    words, options = argv[:count], argv[count:]
    data = None
    if STANDARD_INPUT in words:  # it is read twice: to see what it is, and by its command
        data = streams.stdin.read()
        streams = streams._replace(stdin=BytesIO(data))
    first = words[0].strip() if words else ""
    if not os.path.exists(first) and (advice := _other_word(first)):
        streams.report(advice)
        return Status.USAGE
    thing = identify(words, streams)
    if thing and thing.kind is ThingKind.POST and thing.text and _is_typo(words):
        thing = None
    if data is not None:
        streams = streams._replace(stdin=BytesIO(data))
    if thing is None:
        streams.report(_unknown(words))
        return Status.USAGE
    if thing.kind is ThingKind.POST and thing.text:
        streams = streams._replace(stdin=BytesIO(thing.text.encode()))
    alone = _ALONE[thing.kind](thing)
    if options or thing.kind is ThingKind.MISSING:
        return run([*alone, *options], streams, {})
    status = _show(thing, alone, streams, run)
    if streams.stdout.isatty() and STANDARD_INPUT not in thing.words:
        further = _FURTHER.get(thing.kind, _no_more)(thing)
        streams.print(f"\n{_advice([alone, *further], width_of(streams))}\n")
    return status


def _advice(calls: Sequence[Sequence[str]], width: int) -> str:
    """Return the commands that show a thing and more of it, in one line if there is room."""
    heads = ("This is: ", "More: ", "or ")
    texts = [f"{head}{command_line(*words)}" for head, words in zip(heads, calls, strict=False)]
    line = "  ".join(texts)
    return line if len(line) <= width else "\n".join(texts)


def _is_option(word: str) -> bool:
    """Whether a word is an option, not standard input, a sequence or an XGID."""
    return bool(re.match(r"-(?!$|\d|#|>|[-A-Pa-p]{25}:)", word))


# What each kind of thing is shown with: the command that does it alone, and two that go further


def _decoding(thing: Thing) -> list[str]:
    start = ["--from", thing.start] if thing.start else []
    return ["decode", *start, *_guarded(thing.text)]


def _guarded(text: str) -> list[str]:
    return ["--", text] if text.startswith("-") else [text]


def _no_more(_: Thing) -> list[list[str]]:
    return []


_ALONE: dict[ThingKind, Callable[[Thing], list[str]]] = {
    ThingKind.MATCH: lambda it: ["annotate", *it.words],
    ThingKind.MISSING: lambda it: ["annotate", *it.words],
    ThingKind.MATCHES: lambda it: ["index", *it.words],
    ThingKind.FOLDER: lambda it: ["index", *it.words],
    ThingKind.DATABASE: lambda it: ["stats", "--db", *it.words],
    ThingKind.SHEET: lambda it: ["transcribe", "--check", *it.words],
    ThingKind.ANALYSIS: lambda it: ["nacbrac", *it.words],
    ThingKind.POST: lambda it: ["read", *it.words],
    ThingKind.SEQUENCE: _decoding,
    ThingKind.POSITION: lambda it: ["board", *it.words],
    ThingKind.ROLL: lambda it: ["board", *it.words],
    ThingKind.PLAY: lambda it: ["explain", *it.words],
    ThingKind.DECISION: lambda it: ["explain", *it.words],
    ThingKind.CHARACTER: lambda it: ["alphabet", *it.words],
}
_FURTHER: dict[ThingKind, Callable[[Thing], list[list[str]]]] = {
    ThingKind.MATCH: lambda it: [
        ["annotate", "--to", "html", "-o", _PAGE, *it.words],
        ["annotate", "--analyse", *it.words],
    ],
    ThingKind.MATCHES: lambda _: [["leaks"], ["stats"]],
    ThingKind.FOLDER: lambda it: [
        ["annotate", "--to", "html", "-o", "pages/", *it.words],
        ["leaks"],
    ],
    ThingKind.DATABASE: lambda it: [["leaks", "--db", *it.words], ["explore", "--db", *it.words]],
    ThingKind.SHEET: lambda it: [
        ["transcribe", "-o", "match.mat", *it.words],
        ["annotate", *it.words],
    ],
    ThingKind.ANALYSIS: lambda it: [
        ["card", "-o", "card.svg", *it.words],
        ["cards", "positions", *it.words],
    ],
    ThingKind.POST: lambda it: [
        ["check", *it.words],
        ["read", "--to", "html", "-o", _PAGE, *it.words],
    ],
    ThingKind.SEQUENCE: lambda it: [
        ["explain", *_decoding(it)[1:]],
        ["post", *_decoding(it)[1:]],
    ],
    ThingKind.POSITION: lambda it: [["plays", *it.words, "31"], ["card", *it.words, "31"]],
    ThingKind.ROLL: lambda it: [["nacbrac", *it.words], ["plays", *it.words]],
    ThingKind.DECISION: lambda it: [["nacbrac", *it.words], ["card", *it.words]],
}


def _show(thing: Thing, alone: Sequence[str], streams: Streams, run: Run) -> int:
    match thing.kind:
        case ThingKind.MATCH:
            return run(alone, streams, {"known_errors": True})
        case ThingKind.FOLDER | ThingKind.MATCHES:
            return _show_folder(thing, streams)
        case ThingKind.DATABASE:
            with archive_at(thing.words[0]) as archive:
                text = database_text(thing.words[0], survey(archive))
            on_terminal(streams, _Terminal()).print(text)
            return Status.OK
        case ThingKind.SHEET:
            status = run(alone, streams, {})
            if status == Status.OK:
                sheets = transcribe(streams.read(thing.words[0]).decode("utf-8", "replace"))
                streams.print(sheet_text(thing.words[0], [sheet.match for sheet in sheets]))
            return status
        case ThingKind.SEQUENCE:
            try:
                status = run(alone, streams, {})
            except NactationError as error:
                error.args = (f"{error}{_suggestion(thing)}",)
                raise
            streams.flush()
            if "[" not in thing.text:
                _show_best(thing, streams, run)
            return status
        case ThingKind.ROLL:
            status = run(alone, streams, {})
            _rank(list(thing.words), streams, run)
            return status
        case ThingKind.DECISION:
            status = run(["board", "--play", *thing.words], streams, {})
            streams.print("\n")
            return max(status, run(alone, streams, {}))
        case ThingKind.POST:
            return _show_post(alone, streams, run)
    return run(alone, streams, {})


def _show_folder(thing: Thing, streams: Streams) -> int:
    summary = summarise(thing.words, streams)
    for file, reason in summary.failures:
        streams.report(f"{file}: {reason}")
    following = command_line("index", *thing.words)
    on_terminal(streams, _Terminal()).print(folder_text(summary, following))
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
            on_terminal(streams, _Terminal()).print(f"\n{reason_text(explanation)}")
        elif turn.state is None or turn.state.roll is None:
            return
        _rank(_decoding(thing)[1:], streams, run)


def _suggestion(thing: Thing) -> str:
    """Return a hint with a sequence that may be meant instead of a wrong one."""
    with suppress(NactationError):
        texts = read_text(f"{thing.start} {thing.text}".strip()).suggestions
        if texts:
            return f"; did you mean `{command_line(texts[0])}`?"
    return ""


def _rank(words: Sequence[str], streams: Streams, run: Run) -> None:
    """Print the best plays if an engine or the book can rank them."""
    printed = BytesIO()
    with suppress(EngineError, NactationError):
        quiet = streams._replace(stdout=printed, stderr=BytesIO())
        run(["nacbrac", "--json", *words], quiet, {})
        for line in printed.getvalue().splitlines():
            text = best_text(read_json(line))
            on_terminal(streams, _Terminal()).print(f"\n{text}")


def _show_post(alone: Sequence[str], streams: Streams, run: Run) -> int:
    printed = BytesIO()
    status = run(alone, streams._replace(stdout=printed), {})
    streams.write(printed.getvalue())
    if status == Status.OK and not printed.getvalue():
        name = "standard input" if alone[-1] == STANDARD_INPUT else alone[-1]
        streams.report(f"{name}: no Nactation, no position and no match in it")
        return Status.FAILED
    return status


# Words that are no thing and no command

# Words of other tools, with what to type instead.
_OTHER_WORDS = {
    "nactate annotate --analyse FILE": ("analyze", "analyse", "analysis", "evaluate"),
    "nactate annotate --to sgf -o NEW.sgf FILE": ("convert", "save", "translate"),
    "nactate annotate --to html -o NEW.html FILE": ("export", "page", "html"),
    "nactate annotate --errors FILE": ("blunders", "errors", "mistakes"),
    "nactate index FOLDER": ("import", "add", "load", "database", "db"),
    "nactate stats": ("stat", "statistics", "rating", "progress"),
    "nactate find": ("search", "grep", "list"),
    "nactate FILE": ("view", "open", "show", "print", "display", "cat"),
    "nactate check FILE": ("validate", "verify", "proofread", "lint"),
    "nactate nacbrac SEQUENCE": ("best", "hint", "rank", "eval", "rollout"),
    "nactate drill": ("quiz", "train", "practise", "practice", "learn"),
    "nactate cards": ("anki", "flashcards"),
    "nactate alphabet": ("letters", "characters", "legend"),
    "nactate plays": ("moves", "legal"),
    "nactate board": ("draw", "diagram"),
    "nactate playground": ("serve", "web", "gui", "server"),
    "nactate gnubg-setup": ("install", "setup", "plugin"),
}


def _other_word(word: str) -> str:
    line = next((line for line, words in _OTHER_WORDS.items() if word.lower() in words), "")
    return f"no command is called {quoted(word)}; type `{line}`" if line else ""


def _names() -> list[str]:
    return [name for group in commands.GROUPS.values() for name in group]


def _is_typo(words: Sequence[str]) -> bool:
    """Whether the first word is nearly a command, and no file."""
    word = words[0]
    return word.isalpha() and bool(closest(word, _names()))


def _unknown(words: Sequence[str]) -> str:
    """The message for words that name nothing."""
    first = words[0] if words else ""
    if hint := closest(first, _names()):
        return f"unknown command {quoted(first)}{hint}"
    if is_play(" ".join(words)):
        return f'a play needs its roll: type `nactate "31: {" ".join(words)}"`'
    return (
        f"{quoted(' '.join(words))} is no command, file, sequence or position; "
        "`nactate --help` lists the commands"
    )
