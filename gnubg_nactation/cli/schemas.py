"""The JSON Schemas of what commands print as JSON, from cli/views.schema.json."""

from __future__ import annotations

from collections.abc import Iterator

from gnubg_nactation.showing import json_text, quoted, read_json
from gnubg_nactation.system.resources import package_file
from gnubg_nactation.tasks.settings import SettingsError
from gnubg_nactation.values import Any

Schema = dict[str, Any]


def schema_text(command: str) -> str:
    """Return the schema of one object that a command prints. SettingsError if it prints none.

    It has the definitions that it uses and no others.
    """
    views = _views()
    schema = views["properties"].get(command)
    if schema is None:
        commands = ", ".join(commands_with_json())
        what = f"{quoted(command)} prints no JSON" if command else "a command is missing"
        raise SettingsError(f"{what}; choose from {commands}")
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
    return tuple(_views()["properties"])


def _views() -> Schema:
    views: Schema = read_json(package_file("cli/views.schema.json"))
    return views


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
