"""`nactate`: the parser, the choice of command, and the exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from functools import cache, partial
from importlib import import_module
from types import SimpleNamespace

from gnubg_nactation import NactationError, __version__
from gnubg_nactation.cli.streams import Status, Streams, standard_streams
from gnubg_nactation.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from gnubg_nactation.engines.cache import Cached

__all__ = ["main", "options_of", "run"]

# Each is declared and run by the module of this name, with _ for -: DESCRIPTION, EXAMPLES,
# `add_arguments` and `run`.
COMMANDS = {
    "annotate": "nactate every play of match files",
    "post": "write a sequence or a position for a forum",
    "board": "draw a position as text, SVG or PNG",
    "plays": "list all legal plays of a roll with their Nactations",
    "decode": "replay a sequence such as 54S-63R-31P",
    "nacbrac": "the best plays of a roll with their errors, as in [P @87 H94]",
    "explain": "say why a play has its Nactations",
    "alphabet": "print the characters of Nactation, or explain one",
    "sequence": "print the sequence that leads to a turn of a match",
    "name": "name files by sequences, safe on every system",
    "check": "proof-read a sequence, or the Nactation in a file",
    "same": "tell whether two sequences reach the same position",
    "gnubg-setup": "make `>import nactation_plugin` work in GNU Backgammon",
    "completion": "print the completion script of a shell",
    "manpage": "print the manual page",
}

_EPILOG = """\
exit status: 0 all well, 1 some input failed, 2 wrong usage, 130 interrupted
`nactate COMMAND --help` shows examples of each command
"""


def build_parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of a command line: of its command, or of all where it does not begin with one.

    A command that is not among the words has its name and help only: importing the modules of
    all commands would take as long as annotating a match.
    """
    from argparse import ArgumentParser, RawDescriptionHelpFormatter

    parser = ArgumentParser(
        prog="nactate",
        description="Nactation for backgammon: every play of a match in one character.",
        epilog=_EPILOG,
        formatter_class=partial(RawDescriptionHelpFormatter, width=80),
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, prog=parser.prog)
    for command in words[:1] if words and words[0] in COMMANDS else COMMANDS:
        declared = commands.add_parser(
            command,
            help=COMMANDS[command],
            formatter_class=parser.formatter_class,
        )
        if command in words:
            module = _module(command)
            declared.description = module.DESCRIPTION
            declared.epilog = f"examples:\n{module.EXAMPLES}"
            module.add_arguments(declared)
            declared.set_defaults(command=module.run, parser=declared)
        # Only now: where it has to find out the width of the terminal it is slow to make.
        declared.formatter_class = RawDescriptionHelpFormatter
    parser.formatter_class = RawDescriptionHelpFormatter
    return parser


def _module(command: str) -> Any:
    return import_module(f"gnubg_nactation.cli.commands.{command.replace('-', '_')}")


def options_of(words: Sequence[str]) -> Any:
    """What a command line asks for. Files alone need no parser, which is slow to import and make.

    So it is with the commands that say in DEFAULTS what their parser would.
    """
    command, files = words[:1], words[1:]
    if command and command[0] in COMMANDS and files and not any(f.startswith("-") for f in files):
        module = _module(command[0])
        if hasattr(module, "DEFAULTS"):
            return SimpleNamespace(command=module.run, files=files, **module.DEFAULTS)
    return build_parser(words).parse_args([_shielded(word) for word in words])


def main(argv: Sequence[str], streams: Streams) -> int:
    """Run one command and return its exit status.

    It gets its options, and with them `open_engine`, which gives a gnubg: the same each time,
    started at its first question, and ended with the command.
    """
    try:
        if argv == ["--version"]:
            streams.print(f"nactate {__version__}\n")
            return Status.OK
        options = options_of(argv)
        with ExitStack() as stack:
            options.open_engine = cache(lambda: _open_engine(stack))
            status: int = options.command(options, streams)
            streams.stdout.flush()
    except SystemExit as stop:  # argparse has said why, or has printed the help
        return int(stop.code or 0)
    except BrokenPipeError:  # the reader has seen enough
        return Status.OK
    except NactationError as error:
        streams.complain(str(error), error.excerpt())
        return Status.FAILED
    except OSError as error:
        streams.complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return Status.FAILED
    except KeyboardInterrupt:
        return Status.INTERRUPTED
    return status


def _open_engine(stack: ExitStack) -> Cached:
    from gnubg_nactation.engines.cache import open_engine

    return stack.enter_context(closing(open_engine(threads=os.cpu_count() or 1)))


def _shielded(word: str) -> str:
    """Keep argparse from taking a sequence or XGID with a leading hyphen for an option."""
    if not word.startswith("-"):
        return word
    import re

    return f" {word}" if re.match(r"-+>?\d|-[-A-Pa-p]{25}:", word) else word


def run() -> None:
    """Run as a program; a program that is told to end clears up first."""
    import signal

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    status = main(sys.argv[1:], standard_streams())
    try:
        sys.stdout.flush()
    except OSError:  # the reader has gone, or `main` has said what else is wrong
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)
