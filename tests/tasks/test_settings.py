"""Settings from JSON, and the schema of that JSON."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gnubg_nactation.cli.commands import commands, module_of
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.nacbracs.nacbrac import parse_score
from gnubg_nactation.tasks.settings import Settings, from_json, setting, settings_schema


class Sample(Settings, hidden="secret"):
    name: str = setting("", "a name")
    count: int | None = setting(None, "a number", "N", least=1, most=5)
    error: float = setting(0.5, "points", least=0)
    depth: int = setting(2, "plies", choices=range(3))
    strict: bool = setting(False, "reject doubts")
    score: tuple[str, ...] = setting((), "scores", "SCORE", parse=parse_score)
    pair: tuple[str, ...] = setting((), "two words", ("A", "B"))
    secret: str = setting("", "not offered")


GOOD: dict[str, Any] = {
    "name": "Alice",
    "count": 5,
    "error": 1,
    "depth": 0,
    "strict": True,
    "score": ["dmp", "gg"],
    "pair": ["a", "b"],
}
BAD: dict[str, Any] = {
    "name": 1,
    "count": 6,
    "error": -0.1,
    "depth": 3,
    "strict": 1,
    "score": "dmp",
    "pair": ["a"],
    "secret": "x",
    "other": 1,
}


def test_an_object_becomes_settings() -> None:
    read = from_json(Sample, GOOD)
    assert read == Sample(**GOOD | {"error": 1.0, "score": ("d", "g"), "pair": ("a", "b")})
    assert from_json(Sample, {}) == from_json(Sample, {"count": None}) == Sample()


@pytest.mark.parametrize("key", BAD)
def test_a_wrong_value_is_reported_with_its_key(key: str) -> None:
    with pytest.raises(MalformedError, match=key):
        from_json(Sample, {key: BAD[key]})


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("count", True, "count: found 'True', expected a whole number"),
        ("count", 1.5, "count: found '1.5', expected a whole number"),
        ("count", 0, "count: found 0, expected 1 to 5"),
        ("error", float("nan"), "error: found nan, expected 0 to inf"),
        ("depth", 9, "depth: found '9', expected one of 0, 1, 2"),
        ("score", ["?"], "score: "),
    ],
)
def test_the_message_says_what_is_expected(key: str, value: object, message: str) -> None:
    with pytest.raises(MalformedError) as caught:
        from_json(Sample, {key: value})
    assert str(caught.value).startswith(message)


def test_what_is_no_object_is_refused() -> None:
    with pytest.raises(MalformedError, match="expected an object"):
        from_json(Sample, [1])


def test_the_schema_takes_what_is_read() -> None:
    schema = settings_schema(Sample)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    assert validator.is_valid(GOOD)
    for key, value in BAD.items():
        assert not validator.is_valid({key: value}), key
    assert schema["properties"]["count"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 5,
        "description": "a number",
    }
    assert schema["properties"]["depth"]["default"] == 2
    assert schema["properties"]["depth"]["enum"] == [0, 1, 2]


@pytest.mark.parametrize("name", commands())
def test_each_command_has_a_schema(name: str) -> None:
    module = module_of(name)
    assert module
    schema = settings_schema(module.Options)
    Draft202012Validator.check_schema(schema)
    assert schema["properties"].keys() == module.Options.declared.keys() - {*module.Options.hidden}
