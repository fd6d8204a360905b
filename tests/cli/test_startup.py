"""What a command imports: nothing that it does not need."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.running import MATCH, ROOT, SAMPLES, run, start

_MODULES = """
import sys
before = set(sys.modules)
from gnubg_nactation.cli.main import main
from gnubg_nactation.cli.streams import standard_streams
main(sys.argv[1:], standard_streams())
print("\\n".join(set(sys.modules) - before), file=sys.stderr)
"""
_HEAVY = {
    "concurrent.futures",
    "distributed",
    "gnubg_nactation.cli.archive",
    "gnubg_nactation.exports.board.rendering",
    "gnubg_nactation.exports.post.posts",
    "gnubg_nactation.exports.page.html",
    "gnubg_nactation.exports.jsonlines",
    "hashlib",
    "html",
    "json",
    "multiprocessing",
    "rich",
}
_SLOW = {  # and not needed to annotate a file of match text
    *("argparse", "base64", "dataclasses", "glob", "locale", "pathlib", "shutil", "traceback"),
    *("typing", "gnubg_nactation.engines.engine", "gnubg_nactation.files.sgf"),
}


_PLUGIN = """
import sys
before = set(sys.modules)
import nactation_plugin
print("\\n".join(set(sys.modules) - before), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("form", "allowed"),
    [
        ("text", set()),
        ("sgf", set()),
        ("json", {"json", "gnubg_nactation.exports.jsonlines"}),
    ],
)
def test_a_form_imports_what_it_needs(tmp_path: Path, form: str, allowed: set[str]) -> None:
    program = [sys.executable, "-c", _MODULES]
    output = tmp_path / "out"
    arguments = ["annotate", "--to", form, "-o", output, SAMPLES / "match-1pt.mat"]
    with start(*arguments, program=program) as process:
        _, err = process.communicate(timeout=600)
    assert output.exists()
    assert set(err.decode().split()) & _HEAVY == allowed


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_what_is_said_of_the_program_imports_no_command(option: str) -> None:
    with start(option, program=[sys.executable, "-c", _MODULES]) as process:
        _, err = process.communicate(timeout=600)
    assert b"gnubg_nactation.cli.main" in err
    assert b"gnubg_nactation.cli.commands." not in err


def test_the_plugin_imports_no_more_than_a_menu_needs() -> None:
    with start(program=[sys.executable, "-c", _PLUGIN], path=ROOT / "scripts") as process:
        out, err = process.communicate(timeout=600)
    assert b"this works inside GNU Backgammon only" in out
    found = set(err.decode().split())
    rooms = {name.removeprefix("gnubg_nactation.") for name in found if "nactation." in name}
    calls = {f"plugin.{room}" for room in ("calls", "loaded", "menu", "program", "window")}
    system = {"system", "system.litter", "system.temporary"}
    assert rooms == {"errors", "hooks", "plugin", "showing", "values", *calls, *system}
    assert not found & (_HEAVY | _SLOW) - {"shutil"}  # gnubg has that when it starts


@pytest.mark.parametrize("form", ["html", "sgf"])
def test_forms_of_which_one_file_holds_one_need_a_folder(tmp_path: Path, form: str) -> None:
    for name in ("a.mat", "b.mat"):
        (tmp_path / name).write_bytes(MATCH)
    ran = run("annotate", "--to", form, tmp_path / "a.mat", tmp_path / "b.mat")
    assert (ran.status, ran.out) == (2, "")
    assert "need -o FOLDER" in ran.err
    assert run("annotate", "--to", form, "-o", tmp_path / "out", tmp_path).status == 0
    assert len(list((tmp_path / "out").iterdir())) == 2
