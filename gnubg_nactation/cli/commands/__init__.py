"""The commands: a module each, named as it is typed, with - written as _."""

from __future__ import annotations

from importlib import import_module

from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

# What `nactate --help` lists. The modules are not imported for it: that would take as long as
# annotating a match.
GROUPS = {
    "Annotate matches": {
        "annotate": "annotate matches with Nactation",
        "transcribe": "turn a score sheet into a match file",
    },
    "Read and write Nactation": {
        "decode": "replay a sequence such as 54S-63R-31P",
        "encode": "turn plays such as `31: 8/5 6/5`, or matches, into sequences",
        "read": "find the Nactation in a post or a chapter",
        "check": "proof-read a sequence or a text, compare two sequences",
        "explain": "explain why a play has its character",
        "alphabet": "show all characters, or explain one",
    },
    "Find the best play": {
        "plays": "list the legal plays of a roll with their characters",
        "nacbrac": "rank the best plays of a roll, as in [P @87 H94]",
        "scores": "show the best play of a roll at every score",
        "replies": "chart the replies to the opening moves",
        "book": "compute a book of the first rolls",
    },
    "Study your games": {
        "index": "store your matches in a database",
        "explore": "see what was played in a position and what it cost",
        "find": "find games with a sequence, a play or a position",
        "leaks": "list your most expensive mistakes",
        "stats": "show your rating and luck by month and opponent",
        "drill": "practise letters and plays",
        "cards": "make Anki flashcards",
    },
    "Publish and set up": {
        "post": "write a sequence, position or decision for a forum",
        "board": "draw a position as text, SVG or PNG",
        "card": "draw a decision as a picture for links and phones",
        "playground": "build the web page that runs this program in a browser",
        "gnubg-setup": "add the Nactation menu to GNU Backgammon",
        "help": "show the help of a command, the manual page, shell completion",
    },
}
# Old names, with what to type instead. They have modules, and nothing lists them.
RETIRED = {
    "same": "check --same",
    "sequence": "encode",
    "name": "encode --name",
    "completion": "help completion",
    "manpage": "help manpage",
}


def commands() -> dict[str, str]:
    """Return the names of all commands, each with its description in a line."""
    return {name: line for group in GROUPS.values() for name, line in group.items()}


def module_of(word: str) -> ModuleType | None:
    """Return the module of a command; None if the word is no command.

    A module that only has a TASK gets the rest from `plain`.
    """
    name = word.replace("-", "_")
    if not name.isidentifier() or name.startswith("_"):
        return None
    path = f"{__name__}.{name}"
    try:
        module = import_module(path)
    except ModuleNotFoundError as error:
        if error.name != path:
            raise
        return None
    if not hasattr(module, "run"):
        from gnubg_nactation.cli.results import plain

        vars(module).update(plain(**vars(module)) | vars(module))
    return module
