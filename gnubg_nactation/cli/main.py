"""`nactate`: the parser, the choice of command, and the exit status."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from functools import cache, partial
from importlib import import_module

from gnubg_nactation import EngineError, NactationError, __version__
from gnubg_nactation.cli import commands as rooms
from gnubg_nactation.cli.progress import engine_reporter
from gnubg_nactation.cli.streams import Status, Streams, standard_streams
from gnubg_nactation.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from types import ModuleType

    from gnubg_nactation.engines.cache import Cached

_EPILOG = """\
exit status: 0 all well, 1 some input failed, 2 wrong usage, 130 interrupted
`nactate COMMAND --help` shows examples of each command
"""


def commands() -> dict[str, str]:
    """The names of all commands, each with a line that says what it does."""
    return {name: line for group in rooms.GROUPS.values() for name, line in group.items()}


def build_parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of a command line: of its command, or of all where it does not begin with one.

    A command is a module of its name, with _ for -, that has DESCRIPTION, EXAMPLES,
    `add_arguments` and `run`. One that is not among the words has its name and help only.
    """
    from argparse import RawDescriptionHelpFormatter

    from gnubg_nactation.cli.usage import Parser

    parser = Parser(
        prog="nactate",
        description="Nactation for backgammon: every play of a match in one character.",
        epilog=_EPILOG,
        formatter_class=partial(RawDescriptionHelpFormatter, width=80),
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    declare = parser.add_subparsers(metavar="COMMAND", required=True, prog=parser.prog).add_parser
    only = {words[0]: ""} if words and _module_of(words[0]) else {}
    for name, does in (only or commands()).items():
        declared = declare(name, help=does, formatter_class=parser.formatter_class)
        if name in words and (module := _module_of(name)):
            declared.description = module.DESCRIPTION
            declared.epilog = f"examples:\n{module.EXAMPLES}"
            module.add_arguments(declared)
            declared.set_defaults(command=module.run, parser=declared)
        # Only now: where it has to find out the width of the terminal it is slow to make.
        declared.formatter_class = RawDescriptionHelpFormatter
    parser.formatter_class = RawDescriptionHelpFormatter
    return parser


def _module_of(word: str) -> ModuleType | None:
    """The module of a command; None if the word is no command."""
    name = word.replace("-", "_")
    if not name.isidentifier() or name.startswith("_"):
        return None
    room = f"{rooms.__name__}.{name}"
    try:
        return import_module(room)
    except ModuleNotFoundError as error:
        if error.name != room:
            raise
        return None


def options_of(words: Sequence[str]) -> Any:
    """Parse a command line; `command` is the function to run. Raises SystemExit, as argparse."""
    parser = build_parser(words)
    options, others = parser.parse_known_args([_shielded(word) for word in words])
    if others:
        options.parser.refuse(others)
    from gnubg_nactation.cli.engine import leave_out_engine

    leave_out_engine(options)
    return options


def main(argv: Sequence[str], streams: Streams) -> int:
    """Run one command and return its exit status.

    It gets its options, and with them `open_engine`, which gives the engine: the same each time,
    started at its first question, or at once for an analysis, and ended with the command.
    """
    try:
        if argv == ["--version"]:
            streams.print(f"nactate {__version__}\n")
            return Status.OK
        if not argv:
            from gnubg_nactation.cli.usage import overview

            streams.report("a command is missing", overview().rstrip())
            return Status.USAGE
        options = options_of(argv)
        with ExitStack() as stack:
            options.open_engine = cache(lambda: _open_engine(stack, options, streams))
            status: int = options.command(options, streams)
            streams.flush()
    except SystemExit as stop:  # argparse has said why, or has printed the help
        return int(stop.code or 0)
    except BrokenPipeError:  # the reader has seen enough
        return Status.OK
    except NactationError as error:
        streams.report(str(error), error.excerpt())
        return Status.FAILED
    except OSError as error:
        streams.report(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return Status.FAILED
    except KeyboardInterrupt:
        return Status.INTERRUPTED
    return status


def _analyses(options: Any) -> bool:
    """Whether this process is sure to ask an engine, and that much."""
    return getattr(options, "analyse", False) and getattr(options, "jobs", 1) == 1


def _open_engine(stack: ExitStack, options: Any, streams: Streams) -> Cached:
    from gnubg_nactation.cli.engine import AUTO, NONE
    from gnubg_nactation.engines.registry import open_engine

    name = getattr(options, "engine", AUTO)
    if name == NONE:
        raise EngineError("equities are told by an engine, and --engine none asks none")
    threads = os.cpu_count() or 1
    at_once, report = _analyses(options), engine_reporter(streams)
    engine = open_engine(name, threads=threads, at_once=at_once, report=report)
    return stack.enter_context(closing(engine))


def _shielded(word: str) -> str:
    """Keep argparse from taking a sequence or XGID with a leading hyphen for an option."""
    if not word.startswith("-"):
        return word
    # No sequence begins with 0, and -0 is an option.
    return f" {word}" if re.match(r"-+>?[1-9]|-[-A-Pa-p]{25}:", word) else word


def run() -> None:
    """Run as a program; a program that is told to end clears up first."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    interrupted = signal.getsignal(signal.SIGINT)  # what `start` does before and after `main`
    if interrupted is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    status = main(sys.argv[1:], standard_streams())
    signal.signal(signal.SIGINT, interrupted)
    try:
        if sys.stdout:  # or it was closed before we came
            sys.stdout.flush()
    except OSError:  # the reader has gone, or `main` has said what else is wrong
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)
