"""Frozen dataclasses and named tuples that are quick to import.

Importing `dataclasses` and `typing` takes as long as everything that annotates a match. Type
checkers see the real `dataclass`, `field`, `replace`, `NamedTuple` and `TYPE_CHECKING`, and
`dataclasses.replace`, `fields` and `asdict` work as usual. Three things differ: there is no
`__dataclass_params__`, so a standard dataclass cannot derive from these; `__match_args__` includes
keyword-only fields; and in the compiled build the type of a field is a class without its brackets,
or `type` for a union.
"""

from __future__ import annotations

from collections import namedtuple
from operator import attrgetter

__all__ = [
    "TYPE_CHECKING",
    "Any",
    "Generic",
    "NamedTuple",
    "Protocol",
    "TypeVar",
    "dataclass",
    "field",
    "interpreted",
    "overload",
    "replace",
]

TYPE_CHECKING = False  # type checkers know this name


def interpreted(cls: _Class) -> _Class:
    """Mark a class that mypyc does not compile: a tuple, or a base of interpreted classes."""
    return cls


if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
    from typing import Any, Generic, NamedTuple, Protocol, TypeVar, overload

    _Class = TypeVar("_Class", bound=type)
else:
    Any = object
    TypeVar = overload = str

    class Generic:
        """Stand-in for `typing.Generic`."""

        def __class_getitem__(cls, _):
            return cls

    class Protocol:
        """Stand-in for `typing.Protocol`."""

    class _Tuples(type):
        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = body["__annotations__"]
            defaults = [body.pop(field) for field in fields if field in body]
            new_class = namedtuple(name, fields, defaults=defaults)
            for key, value in body.items():
                setattr(new_class, key, value)
            return new_class

    class NamedTuple(metaclass=_Tuples):
        """Stand-in for `typing.NamedTuple`, which compiles the types of fields."""

    def dataclass(*, frozen, slots, eq=True, kw_only=False):
        """Stand-in for `dataclasses.dataclass(frozen=True, slots=True)`."""
        if not (frozen and slots):
            raise TypeError("only frozen values with slots; use dataclasses.dataclass for others")
        return lambda cls: _value(cls, eq=eq, kw_only=kw_only)

    def field(*, default, compare):
        """Stand-in for `dataclasses.field(default=..., compare=False)`."""
        if compare:
            raise TypeError("a compared field needs no field(): write its default")
        return _Uncompared(default)

    class _Uncompared:
        def __init__(self, default):
            self.default = default

    def replace(value, /, **changes):
        """Return a copy of the value with some fields changed."""
        names = value.__match_args__
        return type(value)(**{name: getattr(value, name) for name in names} | changes)

    def _value(cls, *, eq, kw_only):
        own = tuple(cls.__annotations__)
        names = tuple(dict.fromkeys((*getattr(cls, "__match_args__", ()), *own)))
        ignored = tuple(name for name in getattr(cls, "__uncompared__", ()) if name not in own)
        ignored += tuple(name for name in own if isinstance(vars(cls).get(name), _Uncompared))
        keywords = tuple(name for name in getattr(cls, "__keywords__", ()) if name not in own)
        keywords += own if kw_only else ()
        body = {name: value for name, value in vars(cls).items() if name not in own}
        for name in ("__dict__", "__weakref__"):
            body.pop(name, None)
        body.update(
            __match_args__=names,
            __dataclass_fields__=_Fields(),
            __field_defaults__=_defaults(cls, own),
            __uncompared__=ignored,
            __keywords__=keywords,
            __repr__=vars(cls).get("__repr__", _repr),
            __setattr__=_refuse,
            __delattr__=_refuse,
            __reduce__=_reduce,
        )
        if eq:
            body.update(__eq__=_equal, __hash__=_hash)
        body["__contents__"] = contents = _contents(names)
        compared = [name for name in names if name not in ignored]
        body["__compared__"] = _contents(compared) if ignored else contents
        if "__mypyc_attrs__" in vars(cls):  # compiled: it gets its own slots later
            body["__init__"] = _late_initialiser(cls, names, keywords)
            for name, value in body.items():
                setattr(cls, name, value)
            return cls
        new_class = type(cls)(cls.__name__, cls.__bases__, body | {"__slots__": own})
        new_class.__init__ = _initialiser(new_class, names, keywords)
        return new_class

    def _late_initialiser(cls, names, keywords):
        """An `__init__` that replaces itself by the real one at its first call."""

        def __init__(self, *positional, **named):  # noqa: N807
            cls.__init__ = _initialiser(cls, names, keywords)
            cls.__init__(self, *positional, **named)

        return __init__

    def _defaults(cls, own):
        inherited = getattr(cls, "__field_defaults__", {})
        defaults = {name: value for name, value in inherited.items() if name not in own}
        for name in own:
            if name in vars(cls):
                value = vars(cls)[name]
                defaults[name] = value.default if isinstance(value, _Uncompared) else value
        return defaults

    def _initialiser(cls, names, keywords):
        """An `__init__` with the fields as parameters; slots are set by their descriptors."""
        defaults = cls.__field_defaults__
        texts = {name: f"{name}=defaults[{name!r}]" if name in defaults else name for name in names}
        parameters = [text for name, text in texts.items() if name not in keywords]
        if keywords:
            parameters += ["*", *(texts[name] for name in keywords)]
        lines = [f"def __init__(self, {', '.join(parameters)}):"]
        lines += [f" set_{name}(self, {name})" for name in names]
        if hasattr(cls, "__post_init__"):
            lines.append(" self.__post_init__()")
        space = {f"set_{name}": getattr(cls, name).__set__ for name in names}
        space["defaults"] = defaults
        exec("\n".join(lines), space)
        function = space["__init__"]
        function.__qualname__ = f"{cls.__qualname__}.__init__"
        return function

    def _contents(names):
        """A function that returns the fields of a value as a tuple."""
        if len(names) > 1:
            return attrgetter(*names)
        get = attrgetter(*names)
        return lambda value: (get(value),)

    def _repr(self):
        names = self.__match_args__
        return f"{type(self).__qualname__}({', '.join(f'{n}={getattr(self, n)!r}' for n in names)})"

    def _equal(self, other):
        if type(other) is not type(self):
            return NotImplemented
        compared = type(self).__compared__
        return compared(self) == compared(other)

    def _hash(self):
        return hash(type(self).__compared__(self))

    def _reduce(self):
        return _rebuild, (type(self), type(self).__contents__(self))

    def _rebuild(cls, contents):
        return cls(**dict(zip(cls.__match_args__, contents, strict=True)))

    def _refuse(_self, name, *_):
        from dataclasses import FrozenInstanceError  # noqa: PLC0415 (slow, and rarely needed)

        raise FrozenInstanceError(f"cannot change field {name!r}")

    class _Fields:
        """The fields for `dataclasses`, created at the first access."""

        def __get__(self, _, cls):
            from dataclasses import MISSING, field, make_dataclass  # noqa: PLC0415 (as above)

            types = {}
            for base in reversed(cls.__mro__):
                types |= getattr(base, "__annotations__", {})
            entries = []
            for name in cls.__match_args__:
                default = cls.__field_defaults__.get(name, MISSING)
                compare, kw_only = name not in cls.__uncompared__, name in cls.__keywords__
                entries.append(
                    (name, types[name], field(default=default, compare=compare, kw_only=kw_only))
                )
            fields = make_dataclass(cls.__name__, entries).__dataclass_fields__
            cls.__dataclass_fields__ = fields
            return fields
