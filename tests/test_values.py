"""Values behave like those of the standard module."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from typing import Any

import pytest

from gnubg_nactation.backgammon.match import CubeAction, Drop, Take
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.values import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Base:
    one: int
    two: str = "b"


@dataclass(frozen=True, slots=True)
class Longer(Base):
    three: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Longer):
    two: str
    four: int


@dataclasses.dataclass(frozen=True, slots=True)
class _Base:
    one: int
    two: str = "b"


@dataclasses.dataclass(frozen=True, slots=True)
class _Longer(_Base):
    three: tuple[int, ...] = ()


def test_it_is_what_the_standard_module_makes() -> None:
    for ours, theirs in ((Base, _Base), (Longer, _Longer)):
        assert repr(ours(1)) == repr(theirs(1)).replace("_", "")
        assert hash(ours(1)) == hash(theirs(1))
        assert ours.__match_args__ == theirs.__match_args__
        # Python 3.10's own repeats those of the base.
        assert ours.__slots__ == theirs.__slots__[-len(ours.__slots__) :]
        names = [field.name for field in dataclasses.fields(theirs(1))]
        assert [field.name for field in dataclasses.fields(ours(1))] == names
        assert dataclasses.asdict(ours(1)) == dataclasses.asdict(theirs(1))
        with pytest.raises(TypeError):
            ours()  # type: ignore[call-arg]


def test_values_are_equal_by_class_and_contents() -> None:
    assert Base(1) == Base(1, "b") != Base(2)
    take: CubeAction = Take(Player.FIRST)
    assert take != Drop(Player.FIRST)
    assert Base(1) != Longer(1)
    assert repr(Named(1, two="c", four=4)) == "Named(one=1, two='c', three=(), four=4)"
    with pytest.raises(TypeError):
        Named(1, four=4)  # type: ignore[call-arg]
    assert LongerNamed(1, (), 6, two="c", four=4).five == 6
    assert copy.copy(named := Named(1, two="c", four=4)) == named
    assert Longer(1, three=(2,)) == replace(Longer(1), three=(2,))


@dataclass(frozen=True, slots=True)
class Written(Base):
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class LongerNamed(Named):
    five: int = 5


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Named(_Longer):
    two: str
    four: int


@dataclasses.dataclass(frozen=True, slots=True)
class _Written(_Base):
    text: str = dataclasses.field(default="", compare=False)


@dataclasses.dataclass(frozen=True, slots=True)
class _LongerNamed(_Named):
    five: int = 5


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(Longer, _Longer), (Named, _Named), (LongerNamed, _LongerNamed), (Written, _Written)],
)
def test_the_fields_are_as_declared(ours: Any, theirs: Any) -> None:
    names = [name for name in dataclasses.Field.__slots__ if not name.startswith("_")]
    for actual, expected in zip(dataclasses.fields(ours), dataclasses.fields(theirs), strict=True):
        for name in names:
            assert getattr(actual, name) == getattr(expected, name), (actual.name, name)


def test_what_does_not_count_is_carried_but_not_compared() -> None:
    value, second = Written(1, text="one"), Written(1, text="other")
    assert value == second
    assert hash(value) == hash(second)
    assert value != Written(2, text="one")
    assert Written(1).text == ""
    assert repr(value) == "Written(one=1, two='b', text='one')"
    for again in (copy.copy(value), pickle.loads(pickle.dumps(value)), replace(value, two="b")):
        assert again.text == "one"
    assert dataclasses.asdict(value) == {"one": 1, "two": "b", "text": "one"}


def test_values_are_frozen() -> None:
    value = Base(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="one"):
        value.one = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del value.two
    with pytest.raises(AttributeError):
        value.four = 2  # type: ignore[attr-defined]


def test_values_are_copied_and_pickled() -> None:
    value = GameState(cube=2, owner=Player.SECOND)
    assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value
    assert dataclasses.replace(value, cube=4) == replace(value, cube=4)


def test_the_standard_module_is_not_imported_for_them() -> None:
    code = "import sys, gnubg_nactation.annotation; print('dataclasses' in sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert modules.stdout == "False\n"


def test_the_fields_are_made_once() -> None:
    for kind in (Longer, Base, Take, Drop):
        assert dataclasses.fields(kind)[0] is dataclasses.fields(kind)[0]
    assert [field.name for field in dataclasses.fields(Named)] == ["one", "two", "three", "four"]
