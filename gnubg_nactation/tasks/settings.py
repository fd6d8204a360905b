"""Settings: what a user can choose, declared once for the command line, the page and the docs.

A class of settings is a frozen dataclass whose fields are made by `setting`. Its values are given
by name; they are checked, and a text is read by the field's `parse`:

    class LeaksSettings(GameSettings):
        top: int = setting(10, "show at most N leaks of each kind (default: 10)", "N", least=1)

    LeaksSettings(top=3).top
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from math import inf

from gnubg_nactation.errors import MalformedError, NactationError, wrong_type
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing import TypeVar

    from typing_extensions import dataclass_transform

    S = TypeVar("S", bound="Settings")
else:

    def dataclass_transform(**_: object) -> Callable[[type], type]:
        """Stand-in for `typing.dataclass_transform`, which only type checkers need."""
        return lambda cls: cls


class SettingsError(NactationError):
    """Settings that do not go together, or that lack something."""


class Setting(NamedTuple):
    """What is known of a setting besides its name and type.

    `unit` is the word for its value in a help text. `least` and `most` limit a number, `measure`
    follows them in errors. `parse` turns text into the value, and raises NactationError.
    `group` is the heading that it comes under. Of the settings with the same `only_one`, at most
    one may be set. `words` makes it an argument instead of an option: "one", "optional", "some",
    "any", or for words that are one text "joined" and, if there may be none, "rest". `shortcuts`
    are options for single values, each with its value and help; `also` are other ways to give the
    value. `flags` are the names of the option if they are not that of the setting.
    """

    default: Any
    help: str
    unit: str | tuple[str, ...] = ""
    choices: Collection[Any] = ()
    parse: Callable[[str], Any] | None = None
    least: float | None = None
    most: float | None = None
    measure: str = ""
    group: str = ""
    only_one: str = ""
    words: str = ""
    shortcuts: Mapping[str, tuple[Any, str]] = {}
    flags: str = ""
    also: Mapping[str, Setting] = {}
    required: bool = False


def setting(default: Any, help: str, unit: str | tuple[str, ...] = "", **more: Any) -> Any:  # noqa: A002 (the word of the field)
    """Declare a field of settings: its default, a sentence of help, and fields of Setting."""
    return Setting(default, help, unit, **more)


class _Fields:
    """The fields for `dataclasses`, created at the first access, as that is slow to import."""

    def __get__(self, _: object, cls: type[Settings]) -> Mapping[str, Any]:
        from dataclasses import field, make_dataclass

        entries = [
            (name, type_of(cls, name), field(default=it.default, metadata=it._asdict()))
            for name, it in cls.declared.items()
        ]
        shadow: Any = make_dataclass(cls.__name__, entries)
        fields: Mapping[str, Any] = shadow.__dataclass_fields__
        type.__setattr__(cls, "__dataclass_fields__", fields)
        return fields


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Settings:
    """A base of settings: frozen values, which `values.replace` and `dataclasses` know.

    Raises MalformedError for a value that cannot be read or is out of range. Of the arguments of a
    subclass, `first` lists the fields that come first, and `hidden` those that faces do not offer;
    `group` is the heading of all inherited fields.
    """

    declared: Mapping[str, Setting] = {}
    hidden: Collection[str] = ()
    __dataclass_fields__ = _Fields()

    def __init_subclass__(
        cls, *, first: str = "", hidden: str = "", group: str | None = None
    ) -> None:
        """Collect the fields of the bases and of the class."""
        fields: dict[str, Setting] = {}
        for base in reversed(cls.__bases__):
            if issubclass(base, Settings):
                fields |= base.declared
        if group is not None:
            fields = {name: field._replace(group=group) for name, field in fields.items()}
        own = {name: vars(cls).get(name) for name in cls.__annotations__}
        for name, field in own.items():
            if isinstance(field, Setting):
                fields[name] = field
                delattr(cls, name)
        names = dict.fromkeys((*first.split(), *fields))
        cls.declared = {name: fields[name] for name in names}
        cls.__dataclass_fields__ = _Fields()
        cls.hidden = (*cls.hidden, *hidden.split())
        type.__setattr__(cls, "__match_args__", tuple(cls.declared))  # for `values.replace`

    def __init__(self, **values: Any) -> None:
        if unknown := values.keys() - self.declared.keys():
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        for name, field in self.declared.items():
            value = values.get(name, field.default)
            if value is not None and value != field.default:
                if isinstance(value, str) and type(field.default) is tuple:
                    raise wrong_type(f"a tuple for {name}", value)
                value = _read(name, field, value)
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, _: object) -> None:
        raise AttributeError(f"cannot change {name!r}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))

    def __repr__(self) -> str:
        changed = {
            name: value
            for name, value in vars(self).items()
            if value != self.declared[name].default
        }
        texts = (f"{name}={value!r}" for name, value in changed.items())
        return f"{type(self).__name__}({', '.join(texts)})"


def _read(name: str, field: Setting, value: Any) -> Any:
    """Return a value that Python code gives; a text or number is parsed, except the empty text.

    The empty text is a parsed value as well, such as the score of money games.
    """
    if type(value) in {list, tuple}:  # not a named tuple, which is one value
        return tuple([_read(name, field, each) for each in value])
    if field.parse:
        is_text = isinstance(value, (str, int, float)) and value != ""
        return _parsed(name, field.parse, str(value)) if is_text else value
    if value not in (constant for constant, _ in field.shortcuts.values()):
        _check(name, field, value)
    return value


def _parsed(name: str, parse: Callable[[str], Any], text: str) -> Any:
    try:
        return parse(text)
    except NactationError as error:
        raise MalformedError(f"{name}: {error}") from None


def _check(name: str, field: Setting, value: Any) -> None:
    """Raise MalformedError for a value that is no choice or beyond a limit."""
    if field.choices and value not in field.choices:
        choices = ", ".join(map(str, field.choices))
        raise MalformedError(f"{name}: found {quoted(str(value))}, expected one of {choices}")
    if field.least is None and field.most is None:
        return
    if not isinstance(value, (int, float)):
        raise wrong_type("a number", value)
    least = -inf if field.least is None else field.least
    most = inf if field.most is None else field.most
    if not least <= value <= most:
        raise MalformedError(f"{name}: found {value}, expected {least} to {most}")


def type_of(cls: type[Settings], name: str) -> str:
    """Return the type of a field as its class declares it, such as `int | None`."""
    for base in cls.__mro__:
        if name in (annotations := getattr(base, "__annotations__", {})):
            return str(annotations[name])
    raise KeyError(name)


# What a face reads of a task


def settings_of(task: Any) -> type[Settings] | None:
    """Return the class of a task's parameter `settings`; None if it has none."""
    kind: type[Settings] | None = task.__globals__.get(task.__annotations__.get("settings"))
    return kind


def report_view(report: Any) -> Any:
    """Return a report as JSON: plain values, or tuples of them, of which named ones are objects."""
    if hasattr(report, "_asdict"):
        return {name: report_view(value) for name, value in report._asdict().items()}
    return list(map(report_view, report)) if isinstance(report, tuple) else report


# As JSON

_JSON_TYPES: dict[str, Any] = {
    "bool": "boolean",
    "int": "integer",
    "float": "number",
    "str": "string",
}
_TYPES: dict[str, Any] = {"boolean": bool, "integer": int, "number": (int, float), "string": str}
_JSON_WORDS = {
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "string": "a text",
}


def settings_schema(cls: type[Settings]) -> dict[str, Any]:
    """Return the JSON Schema of the objects that `from_json` takes for a class."""
    offered = {name: field for name, field in cls.declared.items() if name not in cls.hidden}
    required = [name for name, field in offered.items() if field.required]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: _schema(cls, name, field) for name, field in offered.items()},
        "additionalProperties": False,
    }
    return schema | ({"required": required} if required else {})


def _schema(cls: type[Settings], name: str, field: Setting) -> dict[str, Any]:
    kind, is_list = _json_type(cls, name, field)
    each: dict[str, Any] = {"type": kind}
    if field.choices:
        each["enum"] = [*field.choices]
    limits = {"minimum": field.least, "maximum": field.most}
    each |= {word: limit for word, limit in limits.items() if limit is not None}
    value: dict[str, Any] = {"type": "array", "items": each} if is_list else each
    if is_list and isinstance(field.unit, tuple):
        value |= {"minItems": len(field.unit), "maxItems": len(field.unit)}
    if field.help:
        value["description"] = field.help
    if not field.parse and field.default is not None:
        value["default"] = [*field.default] if is_list else field.default
    return value


def _json_type(cls: type[Settings], name: str, field: Setting) -> tuple[str, bool]:
    """Return the JSON type of a field, or of the items of its list, and whether it is a list."""
    words = re.findall(r"\w+", type_of(cls, name))
    is_list = "tuple" in words
    kind = "str" if field.parse else next((word for word in words if word in _JSON_TYPES), "str")
    return _JSON_TYPES[kind], is_list


def from_json(cls: type[S], values: object) -> S:
    """Return settings from the value of a JSON object; null is the default.

    Raises MalformedError, which names the key, for a wrong type, limit or choice.
    """
    if not isinstance(values, Mapping):
        raise MalformedError(f"found {quoted(str(values))}, expected an object with settings")
    result: dict[str, Any] = {}
    for name, value in values.items():
        if name not in cls.declared or name in cls.hidden:
            raise MalformedError(f"no setting is called {quoted(str(name))}")
        if value is not None:
            result[name] = _from_json(cls, name, value)
    for name, field in cls.declared.items():
        if field.required and name not in result:
            raise MalformedError(f"{name} is missing")
    return cls(**result)


def _from_json(cls: type[Settings], name: str, value: object) -> object:
    field = cls.declared[name]
    kind, is_list = _json_type(cls, name, field)
    if not is_list:
        return _checked(name, field, kind, value)
    if not isinstance(value, (list, tuple)):
        raise MalformedError(f"{name}: found {quoted(str(value))}, expected a list")
    if isinstance(field.unit, tuple) and len(value) != len(field.unit):
        raise MalformedError(f"{name}: found {len(value)} values, expected {len(field.unit)}")
    return tuple([_checked(name, field, kind, each) for each in value])


def _checked(name: str, field: Setting, kind: str, value: Any) -> object:
    if not isinstance(value, _TYPES[kind]) or isinstance(value, bool) != (kind == "boolean"):
        raise MalformedError(f"{name}: found {quoted(str(value))}, expected {_JSON_WORDS[kind]}")
    if field.parse:
        return _parsed(name, field.parse, str(value))
    _check(name, field, value)
    return float(value) if kind == "number" else value
