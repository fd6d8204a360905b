"""Settings from JSON, and the schema of that JSON."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.cli.commands import commands, module_of
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.nacbracs.nacbrac import parse_score
from gnubg_nactation.tasks.annotating import AnnotateSettings
from gnubg_nactation.tasks.games import GameSettings
from gnubg_nactation.tasks.library import ExploreSettings, LeaksSettings
from gnubg_nactation.tasks.openings import RepliesSettings
from gnubg_nactation.tasks.settings import Settings, from_json, setting, settings_schema
from gnubg_nactation.values import replace


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


@pytest.mark.parametrize("key", ["count", "error", "depth"])
def test_a_wrong_value_of_python_code_is_reported_with_its_key(key: str) -> None:
    with pytest.raises(MalformedError, match=key):
        Sample(**{key: BAD[key]})


@pytest.mark.parametrize(
    ("settings", "wrong"),
    [
        (LeaksSettings, {"score": "zzz"}),
        (LeaksSettings, {"since": "yesterday"}),
        (LeaksSettings, {"top": -1}),
        (AnnotateSettings, {"to": "pdf"}),
        (AnnotateSettings, {"blunder": -1}),
        (RepliesSettings, {"opening": ("54",)}),  # a roll alone is no first move
        (ExploreSettings, {"roll": "71"}),
    ],
)
def test_a_value_that_the_command_refuses(settings: type[Settings], wrong: dict[str, Any]) -> None:
    (key,) = wrong
    with pytest.raises(MalformedError, match=f"^{key}: "):
        settings(**wrong)


def test_python_code_gives_values_or_their_texts() -> None:
    assert ExploreSettings(roll="31") == ExploreSettings(roll=Roll(3, 1))  # type: ignore[arg-type]
    [opening] = RepliesSettings(opening=["31P"]).opening  # type: ignore[arg-type]
    assert str(opening.play) == "8/5 6/5"
    for score, letter in (("dmp", "d"), ("money", ""), ("", ""), ("-3-5", "-3-5")):
        settings = GameSettings(score=score)
        assert (settings.score, replace(settings, player="Ann").score) == (letter, letter)


@pytest.mark.parametrize("wrong", [{"count": "3"}, {"pair": "ab"}, {"score": "dmp"}])
def test_a_value_of_another_kind_is_a_type_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"expected.*; got str"):
        Sample(**wrong)


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
