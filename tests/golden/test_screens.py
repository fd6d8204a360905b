"""The screens of commands; see screens.py for how to renew them."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("no pseudo-terminals", allow_module_level=True)

from gnubg_nactation.cli.main import main
from gnubg_nactation.cli.streams import Streams
from tests.cli.running import MATCH, ROOT
from tests.golden.screens import CODE_PAGES, FOLDER, SCREENS, make_database, piped, screens


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("database") / "games.db"
    make_database(path)
    return path


@pytest.mark.parametrize("name", SCREENS)
def test_screens(name: str, database: Path) -> None:
    expected = (FOLDER / f"screen-{name}.txt").read_text(encoding="utf-8")
    shown = screens(name, database)
    # One by one: the difference of long texts takes long.
    for line, other in zip(shown.splitlines(), expected.splitlines(), strict=True):
        assert line == other


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A match of players whose names no code page has all characters of."""
    path = tmp_path / "match.mat"
    text = MATCH.decode().replace("Ann", "\u017di\u017eka \xc5se").replace("Ben", "\u5bfe")
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("encoding", CODE_PAGES)
def test_code_pages_show_the_nearest_characters(encoding: str, file: Path) -> None:
    """\xc5 is in all of them, \u017d in cp1252, and the other characters in none."""
    text, errors = piped(encoding, "annotate", str(file))
    ours = "\u017di\u017eka \xc5se" if encoding == "cp1252" else "Zizka \xc5se"
    assert text.startswith(f"{ours} - ?, 3 point match")
    assert errors == ""
    _, errors = piped(encoding, "decode", "31\u5bfe")
    assert errors.startswith("nactate: ")


@pytest.mark.parametrize("encoding", CODE_PAGES)
@pytest.mark.parametrize("name", [name for name, words in SCREENS.items() if words])
def test_code_pages_have_all_lines(
    name: str, encoding: str, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only characters that are not ASCII may differ."""
    monkeypatch.chdir(ROOT)
    words = [word.format(database) for word in SCREENS[name]]
    lines = []
    for page in (encoding, ""):
        out = io.BytesIO()
        streams = Streams(io.BytesIO(), out, io.BytesIO(), encodings=(page, page))
        assert main([*words], streams) == 0
        lines.append(out.getvalue().decode(page or "utf-8").splitlines())
    for line, other in zip(*lines, strict=True):
        assert line == other or not other.isascii()


@pytest.mark.parametrize("encoding", CODE_PAGES)
def test_json_loses_nothing(encoding: str, file: Path, tmp_path: Path) -> None:
    database = str(tmp_path / "games.db")
    assert piped(encoding, "index", "--db", database, str(file))[1] == ""
    text, _ = piped(encoding, "find", "--db", database, "--json", "31P")
    assert json.loads(text)["players"] == ["\u017di\u017eka \xc5se", "\u5bfe"]
