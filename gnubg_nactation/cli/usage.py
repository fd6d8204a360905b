"""The parser of the command line, whose errors suggest the right word."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from gnubg_nactation.showing import nearest, quoted, shown
from gnubg_nactation.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NoReturn

# Options of other programs, and what to use: the first option that the command has, or a sentence.
_INSTEAD = {
    "--to --json": ("--format", "--output-format", "--type"),
    "--output": ("--dest", "--file", "--outfile", "--out-file", "--output-dir"),
    "--jobs": ("-j", "--processes", "--threads", "--workers"),
    "--plies": ("--depth", "--level"),
    "--db": ("--database",),
    "--engine": ("--bot",),
    "--from": ("--position", "--start", "--xgid"),
    "folders are always searched with the folders in them": ("-r", "-R", "--recursive"),
    "warnings and errors are always shown": ("-v", "--verbose"),
    "only warnings and errors are shown": ("-q", "--quiet", "--silent"),
    "`nactate --json-schema COMMAND` prints the schema": ("--json-schema", "--schema"),
    "`nactate --version` prints the version": ("-V", "--version"),
}


class Parser(argparse.ArgumentParser):
    """A parser whose errors come before the usage."""

    def error(self, message: str) -> NoReturn:
        """Print the error, then the usage, and exit with status 2."""
        self.exit(2, f"{self.prog}: error: {shown(message)}\n{self.format_usage()}")

    def reject(self, words: Sequence[str]) -> NoReturn:
        """Report words that the command does not take, with a suggestion for the first."""
        names = [name for action in self._actions for name in action.option_strings]
        names = [name for name in names if name.startswith("--")]
        if words[0].startswith("-"):
            hint = self._value_hint(words[0]) or _hint(words[0], names)
            self.error(f"unknown option: {shown(' '.join(words))}{hint}")
        hint = "; it reads the database, which `nactate index FILE` makes" * ("--db" in names)
        self.error(f"unexpected argument: {shown(' '.join(words))}{hint}")

    def _value_hint(self, word: str) -> str:
        """Suggest the option that has the name of an unknown option as a value: `--to html`."""
        value = word.removeprefix("--")
        takers = (action for action in self._actions if value in (action.choices or ()))
        option = next((action.option_strings[-1] for action in takers if action.option_strings), "")
        return f"; did you mean {option} {value}?" if option else ""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        choices = list(map(str, action.choices))
        is_command = isinstance(action.choices, dict) and not action.option_strings
        kind = "command" if is_command else "value"
        hint = nearest(str(value), choices) or f" (choose from {', '.join(choices)})"
        message = f"unknown {kind} {quoted(str(value))}{hint}"
        raise argparse.ArgumentError(None if is_command else action, message)


def _hint(word: str, names: Sequence[str]) -> str:
    """Return what to write instead of an unknown option."""
    name = word.partition("=")[0]
    for hint, aliases in _INSTEAD.items():
        if name in aliases:
            if not hint.startswith("-"):
                return f"; {hint}"
            option = next((option for option in hint.split() if option in names), "")
            return f"; did you mean {option}?" if option else ""
    return nearest(name, names)
