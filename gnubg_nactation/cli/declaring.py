"""The parser of a command: options from a class of settings, and errors with suggestions.

No `Namespace` leaves this module.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from gnubg_nactation.errors import NactationError
from gnubg_nactation.showing import nearest, quoted, shown
from gnubg_nactation.tasks.settings import Setting, Settings, type_of
from gnubg_nactation.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NoReturn, TypeVar

    T = TypeVar("T")
    Number = TypeVar("Number", int, float)

_COUNTS = {"one": None, "optional": "?", "some": "+", "any": "*", "joined": "+", "rest": "*"}

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


class _Joined(argparse.Action):
    """Joins the words of an argument that is one text."""

    def __call__(self, _: object, namespace: argparse.Namespace, values: Any, *__: object) -> None:
        """Store the words, separated by blanks."""
        setattr(namespace, self.dest, " ".join(values))


def declare(parser: argparse.ArgumentParser, settings: type[Settings]) -> None:
    """Declare an argument or option for each field, in its order, below the heading of its group.

    A named group of options is one for `only_one` too.
    """
    headings: dict[str, argparse._ActionsContainer] = {"": parser}
    exclusive: dict[tuple[str, str], argparse._ActionsContainer] = {}
    for name, field in settings.declared.items():
        if name in settings.hidden:
            continue
        if field.group not in headings:
            headings[field.group] = parser.add_argument_group(field.group)
        group = headings[field.group]
        if field.only_one or field.shortcuts or field.also:
            key = field.group, field.only_one or name
            if key not in exclusive:
                exclusive[key] = group.add_mutually_exclusive_group()
            group = exclusive[key]
        _declare(group, name, field, type_of(settings, name))


def _declare(group: argparse._ActionsContainer, name: str, field: Setting, kind: str) -> None:
    """Declare the options of a field."""
    if field.help:  # else only its shortcuts are options
        _declare_option(group, name, field, kind)
    for flag, (value, line) in field.shortcuts.items():
        shortcut = {"dest": name, "action": "store_const", "const": value, "help": line}
        group.add_argument(*flag.split(), default=field.default, **shortcut)
    for flag, other in field.also.items():
        _declare_option(group, name, other._replace(flags=flag, default=field.default), kind)


def _declare_option(
    group: argparse._ActionsContainer, name: str, field: Setting, kind: str
) -> None:
    flags = field.flags.split() or [f"--{name.replace('_', '-')}"]
    details: dict[str, Any] = {"help": field.help}
    if field.unit:
        details["metavar"] = field.unit
    if field.words:
        details["nargs"] = _COUNTS[field.words]
        if field.words in {"joined", "rest"}:
            details["action"] = _Joined
        if field.words == "optional":
            details["default"] = field.default
        elif field.words == "any":  # or an error would call it required
            details["default"] = []
        if field.choices and not field.unit:  # or Python 3.11 would name the field in errors
            details["metavar"] = "|".join(field.choices)
        flags = [name]
    else:
        # A default that is text would be parsed, too.
        details |= {"dest": name, "default": argparse.SUPPRESS if field.parse else field.default}
    if field.required:
        details["required"] = True
    if field.choices:
        details["choices"] = field.choices
    if value_type := _type(field, kind):
        details["type"] = value_type
    if kind == "bool":
        details["action"] = "store_true"
        del details["default"]
    elif kind.startswith("tuple") and not field.words:
        if isinstance(field.unit, tuple):
            details["nargs"] = len(field.unit)
        else:
            details |= {"action": "append", "default": [*field.default]}
    group.add_argument(*flags, **details)


def _type(field: Setting, kind: str) -> Callable[[str], Any] | None:
    """Return the `type` of an option, which reads its value; None for plain text."""
    if field.parse:
        return argument_type(field.parse)
    number = int if "int" in kind else float if "float" in kind else None
    if number and field.least is not None and field.most is not None:
        limited: Callable[[str], Any] = between(number, field.least, field.most, field.measure)
        return limited
    return number


def values_of(options: argparse.Namespace, settings: type[Settings]) -> Settings:
    """Return the settings that a parsed line sets."""
    values = {name: value for name, value in vars(options).items() if name in settings.declared}
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return settings(**values | lists)


def between(kind: Callable[[str], Number], least: float, most: float, measure: str = "") -> Any:
    """Return the type of an option for a number in a range."""

    def number(text: str) -> Number:
        text = text.strip()
        value = kind(text)  # argparse reports a ValueError
        if least <= value <= most:
            return value
        raise argparse.ArgumentTypeError(f"{text} is not between {least} and {most}{measure}")

    return number


def argument_type(read: Callable[[str], T]) -> Callable[[str], T]:
    """Return the type of an option whose value `read` reads; it may raise NactationError."""

    def value(text: str) -> T:
        try:
            return read(text.strip())  # `main` puts a blank before a leading hyphen
        except NactationError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return value
