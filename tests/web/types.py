"""The types of the scripts' data, written from the JSON schemas: python -m tests.web.types."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
WEB = ROOT / "gnubg_nactation" / "web"
SCHEMAS = {
    WEB / "page.schema.json": (),
    WEB.parent / "cli" / "views.schema.json": ("look", "option"),
}
TYPES = WEB / "data.d.ts"
_PLAIN = {"integer": "number"}


def typescript() -> str:
    """The types of all definitions of the page's schema, and of some views."""
    lines = ["// Written by tests/web/types.py from page.schema.json and cli/views.schema.json."]
    for path, names in SCHEMAS.items():
        definitions = json.loads(path.read_text(encoding="utf-8"))["$defs"]
        for name in names or definitions:
            schema = definitions[name]
            lines += [f"/** {about}. */" for about in [schema.get("description")] if about]
            lines.append(f"type {_title(name)} = {_type(schema, definitions)};")
    return "\n".join(lines) + "\n"


def _title(name: str) -> str:
    return name.title().replace("_", "")


def _type(schema: dict[str, Any], definitions: dict[str, Any]) -> str:
    def type_of(part: dict[str, Any]) -> str:
        return _type(part, definitions)

    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        target = definitions[name]
        return type_of(target) if target["type"] == "string" else _title(name)
    kinds = schema.get("type")
    if isinstance(kinds, list):
        schema = {"oneOf": [{"type": kind} for kind in kinds]}
    if "oneOf" in schema:
        return " | ".join(map(type_of, schema["oneOf"]))
    if values := schema.get("enum", [schema["const"]] if "const" in schema else []):
        return " | ".join(map(json.dumps, values))
    if parts := schema.get("prefixItems"):
        items = [
            f"{type_of(part)}{'?' * (at >= schema['minItems'])}" for at, part in enumerate(parts)
        ]
        return f"[{', '.join(items)}]"
    if schema["type"] == "array":
        item = type_of(schema["items"])
        return f"({item})[]" if " | " in item else f"{item}[]"
    if "properties" in schema:
        fields = [
            f"{name}{'?' * (name not in schema['required'])}: {type_of(part)};"
            for name, part in schema["properties"].items()
        ]
        return f"{{ {' '.join(fields)} }}"
    if "additionalProperties" in schema:
        return f"Record<string, {type_of(schema['additionalProperties'])}>"
    kind: str = schema["type"]
    return _PLAIN.get(kind, kind)


if __name__ == "__main__":
    TYPES.write_text(typescript(), encoding="utf-8")
