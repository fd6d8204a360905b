"""The collection of real match files. It cannot be distributed, so it lies next to the project."""

from __future__ import annotations

from pathlib import Path

import pytest

_FOLDER = Path(__file__).resolve().parents[3] / "shared"
MATCHES, SAMPLES = _FOLDER / "matches", _FOLDER / "samples"
MANIFEST = MATCHES / "MANIFEST.tsv"


def files(*suffixes: str) -> list[Path]:
    """The files with these suffixes; without the collection the calling module is skipped."""
    if not MANIFEST.is_file():
        reason = "the collection of real match files is not here; test_*_dialects.py do without"
        pytest.skip(reason, allow_module_level=True)
    paths = (path for folder in (MATCHES, SAMPLES) for path in folder.rglob("*"))
    return sorted(path for path in paths if path.suffix in suffixes)
