"""`nactate manpage`: the manual page, made from the parser."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gnubg_nactation import __version__
from gnubg_nactation.cli.streams import Status, Streams

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from gnubg_nactation.cli.parser_table import Command, Option

__all__ = ["add_parser"]

_EXAMPLES = """\
examples:
  nactate manpage   > ~/.local/share/man/man1/nactate.1
  nactate manpage | man -l -
"""
_STATUS = (
    ("0", "All is well."),
    ("1", "Some input failed; every other was done."),
    ("2", "Wrong usage."),
    ("130", "Interrupted; a run over many files can be run again and goes on."),
)
_ENVIRONMENT = (
    ("NO_COLOR", "If set, nothing is coloured; without it only a terminal gets colours."),
    ("XDG_CACHE_HOME", "Where the list of results that are up to date is kept."),
)


def add_parser(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "manpage",
        help="print the manual page",
        description="Print the manual page as man reads it.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(command=_run, parser=parser)


def _run(_: argparse.Namespace, streams: Streams) -> int:
    from gnubg_nactation.cli.parser_table import commands, program

    streams.print(_page(program(), commands()))
    return Status.OK


def _page(program: Command, commands: list[Command]) -> str:
    lines = [
        f'.TH NACTATE 1 "" "gnubg-nactation {__version__}" "User Commands"',
        ".SH NAME",
        f"nactate \\- {_text(program.description)}",
        ".SH SYNOPSIS",
        ".B nactate",
        "\\fICOMMAND\\fR ...",
        ".SH COMMANDS",
    ]
    for command in commands:
        lines += _section(command)
    lines += [".SH EXIT STATUS", *_pairs(_STATUS)]
    lines += [".SH ENVIRONMENT", *_pairs(_ENVIRONMENT)]
    return "\n".join(lines) + "\n"


def _section(command: Command) -> list[str]:
    lines = [f".SS {_text(command.name)}", _text(command.description), ".PP"]
    lines += [".nf", _text(command.usage), ".fi"]
    for option in command.options:
        if option.flags != ("-h", "--help"):
            lines += [".TP", _head(option), _text(option.help.replace("%%", "%")) or "\\&"]
    if command.examples:
        lines += [".PP", ".nf", _text(command.examples.rstrip()), ".fi"]
    return lines


def _head(option: Option) -> str:
    if not option.flags:
        return f"\\fI{_text(option.value)}\\fR"
    flags = ", ".join(f"\\fB{_text(flag)}\\fR" for flag in option.flags)
    return f"{flags} \\fI{_text(option.value)}\\fR" if option.value else flags


def _pairs(rows: tuple[tuple[str, str], ...]) -> list[str]:
    return [line for name, text in rows for line in (".TP", f".B {_text(name)}", _text(text))]


def _text(text: str) -> str:
    """Text as roff shows it: no line may begin like a request, no sign is changed."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    for sign, name in (("'", "\\(aq"), ("`", "\\(ga"), ("^", "\\(ha"), ("~", "\\(ti")):
        escaped = escaped.replace(sign, name)
    return "\n".join(f"\\&{line}" if line[:1] == "." else line for line in escaped.split("\n"))
