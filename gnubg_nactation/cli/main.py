"""The program `nactate`: it parses the command line, runs the command and returns its status."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from functools import cache, partial

from gnubg_nactation import EngineError, NactationError, __version__
from gnubg_nactation.cli import commands as modules
from gnubg_nactation.cli.commands import commands, module_of
from gnubg_nactation.cli.streams import Status, Streams, standard_streams
from gnubg_nactation.errors import MissingArchiveError
from gnubg_nactation.tasks.settings import SettingsError
from gnubg_nactation.values import TYPE_CHECKING, Any, replace

if TYPE_CHECKING:
    import argparse
    from types import ModuleType

    from gnubg_nactation.engines.engine import Program

_SUMMARY = "Nactation for backgammon: every play of a match in one character."
_OPTIONS = {
    "--help": "show this help or, after a command, its options and examples",
    "--version": "print the version",
    "--debug": "show the traceback of an internal error",
    "--json-schema": "print the JSON Schema of what a command prints as JSON",
}
_EXIT_STATUS = "exit status: 0 success, 1 some input failed, 2 wrong usage, 130 interrupted"


def overview() -> str:
    """Return the help of the program: its commands in groups, then its options."""
    lines = ["usage: nactate COMMAND ...", "", _SUMMARY]
    width = max(map(len, (*commands(), *_OPTIONS)))
    for title, rows in {**modules.GROUPS, "Options": _OPTIONS}.items():
        lines += ["", f"{title}:", *(f"  {name:{width}}  {line}" for name, line in rows.items())]
    return "\n".join([*lines, "", _EXIT_STATUS, ""])


_PASTE = "--paste"  # means `-`, with the clipboard as standard input
_PASTING = {"board", "card", "cards", "explain", "nacbrac", "post", "read"}


def build_parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser of a command line, with the options of the commands in `words` only.

    A command is a module of its name, with _ for -, that has DESCRIPTION, EXAMPLES, USAGE,
    `Options` and `run`.
    """
    from argparse import RawDescriptionHelpFormatter

    from gnubg_nactation.cli.declaring import Parser, declare

    # A formatter that asks for the width of the terminal is slow to make: not for each option.
    formatter = partial(RawDescriptionHelpFormatter, width=80)
    parser = Parser(prog="nactate", description=_SUMMARY, formatter_class=formatter)
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument("--debug", action="store_true", help=_OPTIONS["--debug"])
    parser.add_argument("--json-schema", metavar="COMMAND", help=_OPTIONS["--json-schema"])
    add = parser.add_subparsers(metavar="COMMAND", required=True, prog=parser.prog).add_parser
    only = {words[0]: ""} if words and module_of(words[0]) else {}
    for name, line in (only or commands()).items():
        command = add(name, help=line, formatter_class=formatter)
        if name in words and (module := module_of(name)):
            command.description = module.DESCRIPTION
            command.epilog = f"examples:\n{module.EXAMPLES}"
            if hasattr(module, "USAGE"):
                command.usage = f"%(prog)s [options] {module.USAGE}".rstrip()
            declare(command, module.Options)
            command.set_defaults(command=module, parser=command)
        command.formatter_class = RawDescriptionHelpFormatter
    return parser


def _parse(words: Sequence[str]) -> tuple[ModuleType, Any]:
    """Parse a command line: the command's module and its settings. SystemExit, as argparse."""
    options, unknown = build_parser(words).parse_known_args(map(_escape_hyphen, words))
    if unknown and not any(word.startswith("-") for word in unknown):  # words after the options
        for name, field in options.command.Options.declared.items():
            words = getattr(options, name, None) or ""
            if field.words in {"joined", "rest"}:
                setattr(options, name, f"{words} {' '.join(unknown)}")
                unknown = []
            elif field.words in {"some", "any"} and not field.parse:
                setattr(options, name, [*words, *unknown])
                unknown = []
    if unknown:
        options.parser.reject(unknown)
    from gnubg_nactation.tasks.engines import NONE

    if getattr(options, "engine", "") == NONE:
        options.analyse = False
    from gnubg_nactation.cli.declaring import values_of

    module: ModuleType = options.command
    return module, values_of(options, module.Options)


def main(argv: Sequence[str], streams: Streams) -> int:
    """Run a command line and return its exit status."""
    if "--debug" in argv:
        from gnubg_nactation.tasks.outcomes import DEBUG

        os.environ[DEBUG] = "1"  # worker processes inherit it
        argv = [word for word in argv if word != "--debug"]
    try:
        return _run(argv, streams)
    except SystemExit as stop:  # argparse has printed the error or the help
        return int(stop.code or 0)
    except BrokenPipeError:  # the reader of the output has gone
        return Status.OK
    except SettingsError as error:
        streams.report(f"{argv[0]}: {error}")
        return Status.USAGE
    except MissingArchiveError as error:
        from gnubg_nactation.tasks.sources import missing_database

        streams.report(missing_database(error))
    except NactationError as error:
        streams.report(str(error), error.excerpt())
    except OSError as error:
        reason = error.strerror or str(error)
        name = "''" if error.filename == "" else error.filename
        streams.report(f"{name}: {reason}" if name else reason)
    except KeyboardInterrupt:
        return Status.INTERRUPTED
    except Exception as error:
        import traceback

        from gnubg_nactation.tasks.outcomes import internal_error, is_debugging

        streams.report(internal_error(error), traceback.format_exc() if is_debugging() else "")
    return Status.FAILED


def _run(argv: Sequence[str], streams: Streams) -> int:
    """Run a command, show a thing, or print the help or the version."""
    if not argv:
        if streams.stdout.isatty():
            from gnubg_nactation.tasks.advice import WELCOME

            streams.print(WELCOME)
            return Status.OK
        streams.report("a command is missing", overview().rstrip())
        return Status.USAGE
    if argv == ["--version"]:
        streams.print(f"nactate {__version__}\n")
        return Status.OK
    if argv[0] in {"-h", "--help"}:
        streams.print(overview())
        return Status.OK
    option, _, command = argv[0].partition("=")
    if option == "--json-schema":
        from gnubg_nactation.cli.schemas import schema_text

        streams.print(schema_text(command or " ".join(argv[1:])))
        return Status.OK
    if new_name := modules.RETIRED.get(argv[0]):
        words = argv if module_of(argv[0]) else ["help", *argv]
        status = _run_command(words, streams, {})
        streams.report(f"`nactate {argv[0]}` is now `nactate {new_name}`; the old name goes in 0.3")
        return status
    if not option.startswith("--") and _is_thing(argv[0]):
        from gnubg_nactation.cli.door import show_thing

        return show_thing(argv, streams, _run_command)
    if option.startswith("-") and option != "--version":
        from gnubg_nactation.tasks.advice import first_option_text

        raise SettingsError(first_option_text(option, _OPTIONS))
    return _run_command(argv, streams, {})


def _is_thing(word: str) -> bool:
    return (
        word == "-"
        or _escape_hyphen(word) != word
        or (not word.startswith("-") and module_of(word) is None)
    )


def _run_command(argv: Sequence[str], streams: Streams, changes: Mapping[str, Any]) -> int:
    """Run a command, with these of its settings changed."""
    pastes = argv[0] in _PASTING and _PASTE in argv
    words = ["-" if word == _PASTE else word for word in argv] if pastes else argv
    module, settings = _parse(words)
    if changes:
        settings = replace(settings, **changes)
    if pastes:
        import io

        from gnubg_nactation.system.clipboard import read_clipboard

        streams = streams._replace(stdin=io.BytesIO(read_clipboard()))
    with ExitStack() as stack:
        opener = cache(lambda: _open_engine(stack, settings, streams))
        streams = streams._replace(engine=opener, inputs=[])
        status: int = module.run(settings, streams)
        streams.flush()
    return status


def _open_engine(stack: ExitStack, settings: Any, streams: Streams) -> Program:
    """Open the engine of the settings, or the book if there is none and the command can use it."""
    from gnubg_nactation.engines.registry import open_book, open_engine, wrong_gnubg
    from gnubg_nactation.tasks.engines import AUTO, BOOK, NONE

    name = getattr(settings, "engine", AUTO)
    if name == NONE:
        raise EngineError("equities need an engine; drop --engine none")
    if name == BOOK:
        return open_book()
    threads = getattr(settings, "threads", None) or os.cpu_count() or 1
    report = streams.engine_reporter()
    at_once = getattr(settings, "analyse", False) and getattr(settings, "jobs", 1) == 1
    try:
        engine: Program = open_engine(name, threads=threads, at_once=at_once, report=report)
    except EngineError as error:
        is_named = os.environ.get("NACTATION_ENGINE")  # who names an engine expects its answers
        if name != AUTO or is_named or not getattr(settings, "falls_back_on_book", False):
            raise
        engine = open_book(error)
    if name == AUTO and (problem := wrong_gnubg()):
        streams.report(f"{problem}; going on without it")
    return stack.enter_context(closing(engine))


def _escape_hyphen(word: str) -> str:
    """Put a blank before a sequence or XGID with a leading hyphen, or argparse sees an option."""
    # No sequence begins with 0, and -0 is an option.
    return f" {word}" if re.match(r"-+>?[1-9]|-#|-[-A-Pa-p]{25}:", word) else word


def run() -> None:
    """Run `main` as a program and clean up on SIGTERM."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    interrupted = signal.getsignal(signal.SIGINT)  # what `start` does before and after `main`
    if interrupted is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    status = main(sys.argv[1:], standard_streams())
    signal.signal(signal.SIGINT, interrupted)
    try:
        if sys.stdout:  # None if it was closed before the start
            sys.stdout.flush()
    except OSError:  # its reader has gone, or `main` has reported the error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)
