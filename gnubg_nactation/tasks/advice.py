"""What to type: the commands that show a thing and more of it, and those for words of other tools.

A command is a list of its words.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from gnubg_nactation.errors import NactationError
from gnubg_nactation.showing import nearest, quoted
from gnubg_nactation.system.resources import command_line
from gnubg_nactation.tasks.text_field import read_text
from gnubg_nactation.tasks.things import Thing, ThingKind, is_play

_PAGE, _CARD = "page.html", "card.svg"
WELCOME = """\
Nactation for backgammon: every play of a match in one character. For example:
  nactate match.mat               the moves of a match; a folder works, too
  nactate 54S-63R-31P             the plays of a sequence, and the board
  nactate 4HPwCSDg8+ABIQ 31       the best plays of a roll; an XGID works, too
All commands: nactate --help      One of them: nactate help annotate
"""


def decoding(thing: Thing) -> list[str]:
    """Return the command that replays a sequence."""
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
    ThingKind.SEQUENCE: decoding,
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
        ["card", "-o", _CARD, *it.words],
        ["cards", "positions", *it.words],
    ],
    ThingKind.POST: lambda it: [
        ["check", *it.words],
        ["read", "--to", "html", "-o", _PAGE, *it.words],
    ],
    ThingKind.SEQUENCE: lambda it: [
        ["explain" if it.ends_in_play else "nacbrac", *decoding(it)[1:]],
        ["post", *decoding(it)[1:]],
    ],
    ThingKind.POSITION: lambda it: [
        ["plays", *it.words, "31"],
        ["card", "-o", _CARD, "--from", *it.words, "31"],
    ],
    ThingKind.ROLL: lambda it: [["nacbrac", *it.words], ["plays", *it.words]],
    ThingKind.DECISION: lambda it: [["nacbrac", *it.words], ["card", "-o", _CARD, *it.words]],
}


def command_of(thing: Thing) -> list[str]:
    """Return the command that shows a thing alone."""
    return _ALONE[thing.kind](thing)


def further_commands(thing: Thing) -> list[list[str]]:
    """Return the two commands that go further; none for some kinds."""
    return _FURTHER.get(thing.kind, _no_more)(thing)


def advice_text(calls: Sequence[Sequence[str]], width: int) -> str:
    """Return the commands that show a thing and more of it, in one line if there is room."""
    heads = ("This is: ", "More: ", "or ")
    texts = [f"{head}{command_line(*words)}" for head, words in zip(heads, calls, strict=False)]
    line = "  ".join(texts)
    return line if len(line) <= width else "\n".join(texts)


def suggestion(thing: Thing) -> str:
    """Return a hint with a sequence that may be meant instead of a wrong one."""
    with suppress(NactationError):
        texts = read_text(f"{thing.start} {thing.text}".strip()).suggestions
        if texts:
            return f"; did you mean `{command_line(texts[0])}`?"
    return ""


# Those of other tools, with what to type instead.
_OTHER_WORDS = {
    "nactate annotate --analyse FILE": ("analyze", "analyse", "analysis", "evaluate"),
    "nactate annotate --to sgf -o NEW.sgf FILE": ("convert", "save", "translate"),
    "nactate annotate --to html -o NEW.html FILE": ("export", "page", "html"),
    "nactate annotate --errors FILE": ("blunders", "errors", "mistakes"),
    "nactate index FOLDER": ("import", "add", "load", "database", "db"),
    "nactate stats": ("stat", "statistics", "rating", "progress"),
    "nactate find": ("search", "grep", "list"),
    "nactate FILE": ("view", "open", "show", "print", "display", "cat"),
    "nactate check --same A B": ("compare", "diff"),
    "nactate check FILE": ("validate", "verify", "proofread", "lint"),
    "nactate nacbrac SEQUENCE": ("best", "hint", "rank", "eval", "rollout"),
    "nactate drill": ("quiz", "train", "practise", "practice", "learn", "study"),
    "nactate cards": ("anki", "flashcards"),
    "nactate alphabet": ("letters", "characters", "legend"),
    "nactate plays": ("move", "moves", "legal"),
    "nactate board": ("draw", "diagram"),
    "nactate playground": ("serve", "web", "gui", "server"),
    "nactate --version": ("version",),
    "nactate gnubg-setup": ("install", "setup", "plugin"),
}


def other_word(word: str) -> str:
    """Return what to type instead of a word of another tool; empty if it is none."""
    line = next((line for line, words in _OTHER_WORDS.items() if word.lower() in words), "")
    return f"no command is called {quoted(word)}; type `{line}`" if line else ""


def is_typo(word: str, names: Iterable[str]) -> bool:
    """Whether a word is nearly the name of a command."""
    return word.isalpha() and bool(nearest(word, names))


def unknown_text(words: Sequence[str], names: Iterable[str]) -> str:
    """Return the message for words that name nothing; the commands have these names."""
    text = " ".join(words)
    if hint := nearest(words[0], names):
        return f"unknown command {quoted(words[0])}{hint}"
    if is_play(text):
        return 'a play needs its roll; for 8/5 6/5 with 31 type `nactate "31: 8/5 6/5"`'
    return (
        f"{quoted(text)} is no command, file, sequence or position; "
        "`nactate --help` lists the commands"
    )


def first_option_text(word: str, names: Iterable[str]) -> str:
    """Return what is wrong with an option before any command; the program's own have `names`."""
    if os.path.exists(word):
        return f"it looks like an option; type `{command_line(f'./{word}')}` for the file"
    hint = "; did you mean --version?" if word in {"-v", "-V"} else nearest(word, names)
    if hint:
        return f"no such option{hint}"
    return "options come after the command or the file, as in `nactate FILE --to html`"


def is_option(word: str) -> bool:
    """Whether a word is an option, not standard input, a sequence or an XGID."""
    return bool(re.match(r"-(?!$|\d|#|>|[-A-Pa-p]{25}:)", word))
