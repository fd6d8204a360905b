"""The commands and options as a table, read off the parser: for completion and the manual."""

from __future__ import annotations

import argparse
from typing import NamedTuple

from gnubg_nactation.cli.main import build_parser

__all__ = ["Command", "Option", "commands", "program"]


class Option(NamedTuple):
    """An option or, without flags, an argument; `value` is what it is called, if it has one."""

    flags: tuple[str, ...]
    value: str
    choices: tuple[str, ...]
    help: str

    @property
    def is_file(self) -> bool:
        """Whether its value may name a file."""
        return any(word in self.value for word in ("FILE", "FOLDER", "DIR"))


class Command(NamedTuple):
    """A command with its help."""

    name: str
    help: str
    description: str
    usage: str
    examples: str
    options: tuple[Option, ...]


def program() -> Command:
    """The program itself with the options in front of a command."""
    parser = build_parser()
    return _command("nactate", parser.description or "", parser)


def commands() -> list[Command]:
    """All commands in the order of the help."""
    (choice,) = (
        action
        for action in build_parser()._actions  # noqa: SLF001 (argparse has no public way)
        if isinstance(action, argparse._SubParsersAction)  # noqa: SLF001
    )
    helps = {one.dest: one.help or "" for one in choice._choices_actions}  # noqa: SLF001
    return [_command(name, helps.get(name, ""), one) for name, one in choice.choices.items()]


def _command(name: str, summary: str, parser: argparse.ArgumentParser) -> Command:
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    options = (
        _option(action)
        for action in parser._actions  # noqa: SLF001
        if not isinstance(action, argparse._SubParsersAction)  # noqa: SLF001
    )
    return Command(
        name, summary, parser.description or "", usage, parser.epilog or "", tuple(options)
    )


def _option(action: argparse.Action) -> Option:
    choices = tuple(map(str, action.choices or ()))
    value = ""
    if action.nargs != 0:
        named = action.metavar if isinstance(action.metavar, str) else ""
        value = named or "|".join(choices) or action.dest.upper()
    return Option(tuple(action.option_strings), value, choices, action.help or "")
