"""The programs of docs/database.md run on the files that its commands create."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gnubg_nactation.archive
from tests.cli.running import SAMPLES, run
from tests.readme import ROOT

_BLOCK = re.compile(r"^```python ?(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PROGRAMS = _BLOCK.findall((ROOT / "docs" / "database.md").read_text("utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output_folder = tmp_path_factory.mktemp("recipes")
    (output_folder / "sample_matches").symlink_to(SAMPLES)
    database, files = output_folder / "games.db", [*SAMPLES.glob("*.mat"), *SAMPLES.glob("*.sgf")]
    assert run("index", "--db", database, *files).status == 0
    with contextlib.suppress(ImportError):
        import duckdb  # noqa: F401, PLC0415 (an extra)

        assert run("index", "--db", database, "--export-parquet", f"{output_folder}/").status == 0
    sample = SAMPLES / "match-3pt-analysed.sgf"
    assert run("annotate", "--to", "json", "-o", output_folder / "turns.jsonl", sample).status == 0
    return output_folder


@pytest.mark.parametrize(
    ("needs", "code"), PROGRAMS, ids=[needs or "python" for needs, _ in PROGRAMS]
)
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # a recipe is short
def test_recipes_print_what_their_comments_show(
    needs: str, code: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if needs:
        pytest.importorskip(needs)
    if "parquet" in code:
        pytest.importorskip("duckdb")
    monkeypatch.chdir(folder)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "recipe", "exec"), {})
    assert len(printed.getvalue().split()) > 0
    for expected in re.findall(r"print\(.*?\)  # (.*)", code):
        assert expected in printed.getvalue()


def test_every_public_name_exists() -> None:
    for name in gnubg_nactation.archive.__all__:
        assert getattr(gnubg_nactation.archive, name) is not None
        assert name in dir(gnubg_nactation.archive)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = gnubg_nactation.archive.nothing


def test_opening_a_database_imports_no_reader_of_matches() -> None:
    program = (
        "import sys; from gnubg_nactation.archive import open_archive; "
        "print([name for name in sys.modules if name.startswith('gnubg_nactation.')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=True
    )
    assert not {name.split(".")[1] for name in eval(done.stdout)} & {"backgammon", "files"}
