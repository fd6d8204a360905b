"""The build of the built-in engine gives the same bytes everywhere."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.engines.built import FOLDER, needs_builtin
from tests.gnubg.ingame import ROOT

pytestmark = needs_builtin
SCRIPT = ROOT / "scripts" / "engine.sh"


def build(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", SCRIPT, folder],
        env=os.environ | variables,
        cwd=folder.parent,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(
    not (os.environ.get("CI") or shutil.which("clang")), reason="clang is not installed"
)
def test_two_builds_are_equal_and_have_the_hash_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / "another folder").mkdir()
    for source in FOLDER.glob("*.orig.tar.gz"):  # none if GNUBG_SOURCE named it
        shutil.copy(source, tmp_path / "another folder")
    done = build(tmp_path / "another folder")
    assert (done.returncode, done.stderr) == (0, "")
    for name in ("gnubg.wasm", "SHA256SUMS"):
        assert (tmp_path / "another folder" / name).read_bytes() == (FOLDER / name).read_bytes()
    pinned = (SCRIPT.parent / "engine" / "SHA256SUMS").read_text()
    assert (FOLDER / "SHA256SUMS").read_text() == pinned


def test_the_notice_of_the_match_equity_table_is_kept() -> None:
    """It asks for that itself: in gnubg's file, the comment before the table."""
    path = Path("/usr/share/gnubg/met/Kazaross-XG2.xml")
    if not path.is_file():
        pytest.skip("gnubg's match equity tables are not installed")
    comment = path.read_text(encoding="utf-8").split("<!--")[1].split("-->")[0]
    paragraphs = [" ".join(text.split()) for text in comment.split("\n\n")]
    kept = " ".join((SCRIPT.parent / "engine" / "NOTICE").read_text(encoding="utf-8").split())
    notices = [text for text in paragraphs if "Copyright" in text or "Copying" in text]
    assert len(notices) == 2
    assert all(text in kept for text in notices)


def test_an_engine_is_built_once(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    shutil.copytree(FOLDER, folder)
    before = (folder / "gnubg.wasm").stat().st_mtime_ns
    done = build(folder, PATH="/usr/bin:/bin")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (folder / "gnubg.wasm").stat().st_mtime_ns == before


@pytest.mark.skipif(
    not (os.environ.get("CI") or shutil.which("clang")), reason="clang is not installed"
)
def test_another_source_is_refused(tmp_path: Path) -> None:
    (tmp_path / "source.tar.gz").write_bytes(b"other")
    done = build(tmp_path / "engine", GNUBG_SOURCE=str(tmp_path / "source.tar.gz"))
    assert done.returncode == 1
    assert "source.tar.gz: FAILED" in done.stdout + done.stderr
    assert not list((tmp_path / "engine").iterdir())
