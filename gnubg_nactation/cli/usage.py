"""How wrong usage is told: first what is wrong and what may have been meant, then the usage."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from difflib import get_close_matches

from gnubg_nactation.cli.commands import GROUPS
from gnubg_nactation.showing import quoted, shown
from gnubg_nactation.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NoReturn


def overview() -> str:
    """The commands in groups, each with what it does in a line."""
    width = max(len(name) for group in GROUPS.values() for name in group)
    lines = ["usage: nactate COMMAND ..."]
    for group, commands in GROUPS.items():
        lines += [
            "",
            f"{group}:",
            *(f"  {name:{width}}  {does}" for name, does in commands.items()),
        ]
    return "\n".join([*lines, "", "`nactate COMMAND --help` shows examples of each.", ""])


class Parser(argparse.ArgumentParser):
    """A parser whose errors begin with the line that counts."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, then the usage, and end with status 2."""
        self.exit(2, f"{self.prog}: error: {shown(message)}\n{self.format_usage()}")

    def refuse(self, words: Iterable[str]) -> NoReturn:
        """Say that words were not understood, and which options may have been meant."""
        words = list(words)
        options = [name for action in self._actions for name in action.option_strings]
        self.error(f"not understood: {shown(' '.join(words))}{_meant(words[0], options)}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        choices = list(map(str, action.choices))
        which = _meant(str(value), choices) or f" (choose from {', '.join(choices)})"
        raise argparse.ArgumentError(action, f"no such choice: {quoted(str(value))}{which}")


def _meant(word: str, known: Iterable[str]) -> str:
    close = get_close_matches(word.partition("=")[0], list(known), 1)
    return f"; did you mean {close[0]}?" if close else ""
