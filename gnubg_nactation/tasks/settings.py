"""Settings: what a user can choose, declared once for the command line, the page and the docs.

A class of settings is a frozen dataclass whose fields are made by `setting`. Its values are given
by name:

    class LeaksSettings(GameSettings):
        top: int = setting(10, "show at most N leaks of each kind (default: 10)", "N", least=1)

    LeaksSettings(top=3).top
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from gnubg_nactation.errors import NactationError
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
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


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Settings:
    """A base of settings: frozen values, which `values.replace` and `dataclasses` know.

    `first` lists the fields that come first, and `hidden` those that faces do not offer; `group`
    is the heading of all inherited fields.
    """

    declared: Mapping[str, Setting] = {}
    hidden: Collection[str] = ()

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
        own = {name: vars(cls).get(name) for name in vars(cls).get("__annotations__", {})}
        for name, field in own.items():
            if isinstance(field, Setting):
                fields[name] = field
                delattr(cls, name)
        names = dict.fromkeys((*first.split(), *fields))
        cls.declared = {name: fields[name] for name in names}
        cls.hidden = (*cls.hidden, *hidden.split())
        cls.__match_args__ = tuple(cls.declared)  # type: ignore[misc]  # for `values.replace`

    def __init__(self, **values: Any) -> None:
        if unknown := values.keys() - self.declared.keys():
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        for name, field in self.declared.items():
            object.__setattr__(self, name, values.get(name, field.default))

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


def type_of(cls: type[Settings], name: str) -> str:
    """Return the type of a field as its class declares it, such as `int | None`."""
    for base in cls.__mro__:
        if name in (annotations := vars(base).get("__annotations__", {})):
            return str(annotations[name])
    raise KeyError(name)
