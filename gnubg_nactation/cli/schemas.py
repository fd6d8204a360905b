"""The JSON Schemas of what commands print as JSON, from cli/views.schema.json."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args, get_origin, get_type_hints

from gnubg_nactation.cli.commands import commands, module_of
from gnubg_nactation.showing import json_text, quoted, read_json
from gnubg_nactation.system.resources import package_file
from gnubg_nactation.tasks.settings import SettingsError
from gnubg_nactation.values import Any

Schema = dict[str, Any]
_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}


def schema_text(command: str) -> str:
    """Return the schema of one object that a command prints. SettingsError if it prints none.

    It has the definitions that it uses and no others.
    """
    views = _views()
    schema = views["properties"].get(command)
    if report := _report_of(command):
        schema = _of_report(report)
        schema["properties"] |= {"format": {"$ref": "#/$defs/format"}}
        schema["required"] += ["format"]
    if schema is None:
        offered = ", ".join(commands_with_json())
        what = f"{quoted(command)} prints no JSON" if command else "a command is missing"
        raise SettingsError(f"{what}; choose from {offered}")
    names: list[str] = []
    waiting = [*_references(schema)]
    while waiting:
        name = waiting.pop()
        if name not in names:
            names.append(name)
            waiting += _references(views["$defs"][name])
    head = {"$schema": views["$schema"], "title": f"An object that nactate {command} prints"}
    definitions = {name: views["$defs"][name] for name in views["$defs"] if name in names}
    return json_text({**head, **schema, "$defs": definitions}, indent=2) + "\n"


def commands_with_json() -> tuple[str, ...]:
    """Return the names of the commands that have a schema."""
    return (*_views()["properties"], *(name for name in commands() if _report_of(name)))


def _views() -> Schema:
    views: Schema = read_json(package_file("cli/views.schema.json"))
    return views


def _report_of(command: str) -> Any:
    """Return the type of the report that a command prints as JSON; None if it has its own JSON."""
    module = module_of(command)
    return module and getattr(module.Options, "report", None)


def _of_report(kind: Any) -> Schema:
    """Return the schema of what `report_view` makes of a report of this type."""
    parts = get_args(kind)
    if get_origin(kind) in {list, tuple}:
        return {"type": "array", "items": _of_report(parts[0])}
    if parts:  # such as `int | None`
        return {"anyOf": list(map(_of_report, parts))}
    if kind in _TYPES:
        return {"type": _TYPES[kind]}
    keys = {name: _of_report(type_) for name, type_ in get_type_hints(kind).items()}
    closed = {"required": [*keys], "additionalProperties": False}
    return {"type": "object", "properties": keys, **closed}


def _references(schema: Any) -> Iterator[str]:
    """Yield the names of the definitions that a part of a schema uses."""
    if isinstance(schema, dict):
        if isinstance(target := schema.get("$ref"), str):
            yield target.rpartition("/")[2]
        for part in schema.values():
            yield from _references(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _references(part)
