"""Positions, plays and matches as a notebook shows them, in one that Jupyter runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.readme import ROOT

if not os.environ.get("CI"):
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")

from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

pytestmark = pytest.mark.thorough  # a kernel that is skipped leaves its file
CELLS = {
    "from gnubg_nactation import STANDARD, Plays, Roll, annotate, read\nSTANDARD": "image/svg+xml",
    "Plays(STANDARD, Roll(3, 1)).play('P')": "image/svg+xml",
    f"annotate(read({str(ROOT / 'sample_matches' / 'match-1pt.mat')!r})[0])": "text/html",
}


@pytest.fixture
def outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The output of each cell by media type."""
    for name in ("HOME", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("JUPYTER_PATH", raising=False)
    notebook = new_notebook(cells=[new_code_cell(source) for source in CELLS])
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    return [cell.outputs[-1]["data"] for cell in notebook.cells]


def test_a_notebook_shows_boards_and_pages(outputs: list[dict[str, Any]]) -> None:
    for data, media_type in zip(outputs, CELLS.values(), strict=True):
        assert media_type in data
    position, play, match = outputs
    assert position["image/svg+xml"].startswith("<svg ")
    assert play["image/svg+xml"].startswith("<svg ")
    assert play["image/svg+xml"] != position["image/svg+xml"]
    assert match["text/html"].startswith("<iframe ")
    assert "Alice" in match["text/html"]
