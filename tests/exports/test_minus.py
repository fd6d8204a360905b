"""One rule for minus signs: text has `-`, and only what scripts draw has the real minus."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.running import ROOT, SAMPLES, output_of

ANALYSED = SAMPLES / "match-3pt-analysed.sgf"
MINUS = "\u2212"
# Modules that read it in texts of others, or give numbers to scripts.
KNOWN = {
    *("exports/views.py", "files/copied.py", "files/pasted.py", "files/sheet.py"),
    *("writing/codepage.py", "writing/markup.py"),
}


@pytest.mark.parametrize("form", ["text", "plain", "markdown", "bbcode", "html-forum", "html"])
def test_losses_of_a_match_have_hyphens(form: str) -> None:
    options = [] if form == "html" else ["--errors"]
    text = output_of("annotate", *options, "--to", form, ANALYSED)
    text = re.sub("(?s)<script.*?</script>", "", text)
    assert "-.207" in text
    assert MINUS not in text


@pytest.fixture
def database(tmp_path: Path) -> Path:
    output_of("index", "--db", tmp_path / "games.db", ANALYSED)
    return tmp_path / "games.db"


@pytest.mark.parametrize("form", ["text", "html"])
@pytest.mark.parametrize("command", ["leaks", "stats"])
def test_reports_have_hyphens(command: str, form: str, database: Path) -> None:
    text = output_of(command, "--db", database, "--player", "Bob", "--to", form)
    assert re.search(r"-0?\.\d|-1\.52", text)
    assert MINUS not in text


def test_no_other_module_writes_the_minus() -> None:
    package = ROOT / "gnubg_nactation"
    spelled = re.compile(rf"{MINUS}|\\u2212|&minus;|&#8722;")
    modules = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if spelled.search(path.read_text("utf-8"))
    }
    assert modules == KNOWN
