"""`nactate`: the parser, the choice of command, and the exit status."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from functools import cache
from importlib import import_module

from gnubg_nactation import NactationError, __version__
from gnubg_nactation.cli.streams import Status, Streams, standard_streams
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gnubg_nactation.engines.cache import Cached

__all__ = ["main", "run"]

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
    parser = argparse.ArgumentParser(
        prog="nactate",
        description="Nactation for backgammon: every play of a match in one character.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, prog=parser.prog)
    for command in words[:1] if words and words[0] in COMMANDS else COMMANDS:
        declared = commands.add_parser(
            command,
            help=COMMANDS[command],
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if command in words:
            module = import_module(f"gnubg_nactation.cli.commands.{command.replace('-', '_')}")
            declared.description = module.DESCRIPTION
            declared.epilog = f"examples:\n{module.EXAMPLES}"
            module.add_arguments(declared)
            declared.set_defaults(command=module.run, parser=declared)
    return parser


def main(argv: Sequence[str], streams: Streams) -> int:
    """Run one command and return its exit status.

    It gets its options, and with them `open_engine`, which gives a gnubg: the same each time,
    started at its first question, and ended with the command.
    """
    try:
        options = build_parser(argv).parse_args([_shielded(word) for word in argv])
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
    return f" {word}" if re.match(r"-+>?\d|-[-A-Pa-p]{25}:", word) else word


def run() -> None:
    """Run as a program; a program that is told to end clears up first."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    status = main(sys.argv[1:], standard_streams())
    try:
        sys.stdout.flush()
    except OSError:  # the reader has gone, or `main` has said what else is wrong
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)
