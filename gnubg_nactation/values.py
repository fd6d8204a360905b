"""Frozen values, declared as dataclasses and named tuples but made without those modules.

`dataclasses`, `typing` and the modules that they need take as long to import as all that annotates
a match. Type checkers see the real `dataclass`, `field`, `replace`, `NamedTuple` and
`TYPE_CHECKING`. `dataclasses.replace`, `fields` and `asdict` work as usual: each field has its
type (as written, a string), default, `compare` and `kw_only` as declared. Three things differ:
there is no `__dataclass_params__`, so none of these is the base of a standard dataclass;
`__match_args__` names the fields that are only given by keyword, too; and in the compiled build
the type of a field is a class without its brackets, or `type` where it is more than one class.
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

TYPE_CHECKING = False  # checkers know this name


def interpreted(cls: _Class) -> _Class:
    """The class as it is, which mypyc does not compile: a tuple, or what others derive from."""
    return cls


if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
    from typing import Any, Generic, NamedTuple, Protocol, TypeVar, overload

    _Class = TypeVar("_Class", bound=type)
else:
    Any = object
    TypeVar = overload = str

    class Generic:
        """What is generic is so for type checkers alone."""

        def __class_getitem__(cls, _):
            return cls

    class Protocol:
        """What a value must offer, for type checkers alone."""

    class _Tuples(type):
        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = body["__annotations__"]
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults)
            for key, what in body.items():
                setattr(made, key, what)
            return made

    class NamedTuple(metaclass=_Tuples):
        """The base of that name: `typing` compiles the type of each field, which nobody reads."""

    def dataclass(*, frozen, slots, eq=True, kw_only=False):
        """The decorator of that name for frozen values with slots, and no others."""
        if not (frozen and slots):
            raise TypeError("only frozen values with slots: take dataclasses.dataclass")
        return lambda cls: _value(cls, eq=eq, kw_only=kw_only)

    def field(*, default, compare):
        """As of that name, for what has a default and does not count where values are compared."""
        if compare:
            raise TypeError("a field that counts is its default alone")
        return _Uncompared(default)

    class _Uncompared:
        def __init__(self, default):
            self.default = default

    def replace(value, /, **changes):
        """The value with other contents of some fields."""
        names = value.__match_args__
        return type(value)(**{name: getattr(value, name) for name in names} | changes)

    def _value(cls, *, eq, kw_only):
        own = tuple(cls.__annotations__)
        names = tuple(dict.fromkeys((*getattr(cls, "__match_args__", ()), *own)))
        passed = tuple(name for name in getattr(cls, "__uncompared__", ()) if name not in own)
        passed += tuple(name for name in own if isinstance(vars(cls).get(name), _Uncompared))
        keywords = tuple(name for name in getattr(cls, "__keywords__", ()) if name not in own)
        keywords += own if kw_only else ()
        body = {name: what for name, what in vars(cls).items() if name not in own}
        for name in ("__dict__", "__weakref__"):
            body.pop(name, None)
        body.update(
            __match_args__=names,
            __dataclass_fields__=_Fields(),
            __field_defaults__=_defaults(cls, own),
            __uncompared__=passed,
            __keywords__=keywords,
            __repr__=vars(cls).get("__repr__", _repr),
            __setattr__=_refuse,
            __delattr__=_refuse,
            __reduce__=_reduce,
        )
        if eq:
            body.update(__eq__=_equal, __hash__=_hash)
        body["__contents__"] = contents = _contents(names)
        compared = [name for name in names if name not in passed]
        body["__compared__"] = _contents(compared) if passed else contents
        if "__mypyc_attrs__" in vars(cls):  # compiled: it has its own slots when this is done
            body["__init__"] = _late_initialiser(cls, names, keywords)
            for name, what in body.items():
                setattr(cls, name, what)
            return cls
        made = type(cls)(cls.__name__, cls.__bases__, body | {"__slots__": own})
        made.__init__ = _initialiser(made, names, keywords)
        return made

    def _late_initialiser(cls, names, keywords):
        """An `__init__` that makes the real one when it is called first."""

        def __init__(self, *positional, **named):  # noqa: N807
            cls.__init__ = _initialiser(cls, names, keywords)
            cls.__init__(self, *positional, **named)

        return __init__

    def _defaults(cls, own):
        inherited = getattr(cls, "__field_defaults__", {})
        found = {name: value for name, value in inherited.items() if name not in own}
        new = {name: vars(cls)[name] for name in own if name in vars(cls)}
        return found | {
            name: value.default if isinstance(value, _Uncompared) else value
            for name, value in new.items()
        }

    def _initialiser(cls, names, keywords):
        """An `__init__` with the fields as parameters; slots are set by their descriptors."""
        defaults = cls.__field_defaults__
        written = {one: f"{one}=defaults[{one!r}]" if one in defaults else one for one in names}
        parameters = [text for one, text in written.items() if one not in keywords]
        if keywords:
            parameters += ["*", *(written[one] for one in keywords)]
        lines = [f"def __init__(self, {', '.join(parameters)}):"]
        lines += [f" set_{name}(self, {name})" for name in names]
        if hasattr(cls, "__post_init__"):
            lines.append(" self.__post_init__()")
        space = {f"set_{name}": getattr(cls, name).__set__ for name in names}
        space["defaults"] = defaults
        exec("\n".join(lines), space)
        made = space["__init__"]
        made.__qualname__ = f"{cls.__qualname__}.__init__"
        return made

    def _contents(names):
        """What takes the fields out of a value, as a tuple."""
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
        from dataclasses import FrozenInstanceError  # noqa: PLC0415 (slow, and seldom wanted)

        raise FrozenInstanceError(f"cannot change field {name!r}")

    class _Fields:
        """The fields as `dataclasses` wants to know them, made when they are first asked for."""

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
            cls.__dataclass_fields__ = fields  # at most once for a class
            return fields
