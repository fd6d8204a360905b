"""The start of a command: its imports, and errors before the work begins."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.running import MATCH, error_of, run, start

_MODULES = """
import sys
before = set(sys.modules)
from gnubg_nactation.cli.main import main
from gnubg_nactation.cli.streams import standard_streams
main(sys.argv[1:], standard_streams())
print("\\n".join(set(sys.modules) - before), file=sys.stderr)
"""


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_help_and_version_import_no_command(option: str) -> None:
    with start(option, program=[sys.executable, "-c", _MODULES]) as process:
        _, err = process.communicate(timeout=600)
    assert b"gnubg_nactation.cli.main" in err
    assert b"gnubg_nactation.cli.commands." not in err


@pytest.mark.parametrize("form", ["html", "sgf"])
def test_several_pages_or_sgf_files_need_a_folder(tmp_path: Path, form: str) -> None:
    for name in ("a.mat", "b.mat"):
        (tmp_path / name).write_bytes(MATCH)
    error = error_of("annotate", "--to", form, tmp_path / "a.mat", tmp_path / "b.mat", status=2)
    assert "need -o FOLDER" in error
    assert run("annotate", "--to", form, "-o", tmp_path / "out", tmp_path).status == 0
    names = {path.stem for path in (tmp_path / "out").iterdir()}
    assert names == ({"a", "b", "index"} if form == "html" else {"a", "b"})
