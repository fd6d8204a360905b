"""A reader of JSON that refuses what Python's own lets through."""

from __future__ import annotations

import json
from typing import Any, NoReturn


def strict_json(text: str | bytes) -> Any:
    """The value of a JSON text, in which NaN and Infinity are no numbers."""
    return json.loads(text, parse_constant=_refuse)


def _refuse(constant: str) -> NoReturn:
    raise AssertionError(f"{constant} is no JSON")
