"""Completion scripts and the manual page, made from the parser and tried in real shells."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from gnubg_nactation.cli.main import COMMANDS
from tests.cli.running import run

BASH, ZSH, FISH = (shutil.which(name) for name in ("bash", "zsh", "fish"))
GROFF, MAN = (shutil.which(name) for name in ("groff", "man"))
COMPLETE = """
source "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_nactate
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def bash_script(tmp_path: Path) -> Path:
    file = tmp_path / "nactate.bash"
    file.write_text(run("completion", "bash").out)
    return file


def complete(script: Path, *words: str, folder: Path) -> list[str]:
    """What bash offers for the last word."""
    done = subprocess.run(
        [str(BASH), "--norc", "-c", COMPLETE, "complete", str(script), *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr
    return done.stdout.split()


@pytest.mark.skipif(not BASH, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["nactate", "anno"], {"annotate"}),
        (["nactate", ""], {*COMMANDS, "--help"}),
        (["nactate", "annotate", "--lay"], {"--layout"}),
        (["nactate", "annotate", "--layout", "p"], {"paired"}),
        (["nactate", "annotate", "--to", "ht"], {"html", "html-forum"}),
        (["nactate", "completion", ""], {"bash", "zsh", "fish"}),
        (["nactate", "annotate", "ma"], {"match.mat"}),
        (["nactate", "annotate", "--to", "sgf", "ma"], {"match.mat"}),
    ],
)
def test_bash_completes(bash_script: Path, words: list[str], offered: set[str]) -> None:
    (bash_script.parent / "match.mat").touch()
    assert set(complete(bash_script, *words, folder=bash_script.parent)) == offered


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_know_all_commands_and_options(shell: str) -> None:
    script = run("completion", shell).out
    for command in COMMANDS:
        assert command in script
    for option in ("start-mark", "layout", "paired", "html-forum"):
        assert option in script


@pytest.mark.skipif(not ZSH, reason="there is no zsh")
def test_zsh_reads_its_script() -> None:
    check(str(ZSH), "-n", text=run("completion", "zsh").out)


@pytest.mark.skipif(not FISH, reason="there is no fish")
def test_fish_reads_its_script() -> None:
    check(str(FISH), "--no-execute", text=run("completion", "fish").out)


def check(*command: str, text: str) -> str:
    done = subprocess.run(
        [*command],
        input=text,
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"MANWIDTH": "100", "LC_ALL": "C.UTF-8"},
    )
    assert not done.stderr
    return done.stdout


@pytest.mark.skipif(not GROFF, reason="there is no groff")
def test_the_manual_has_no_fault_in_its_markup() -> None:
    page = run("manpage").out
    shown = check(str(GROFF), "-man", "-Tutf8", "-ww", "-P-cbou", text=page)
    for command in COMMANDS:
        assert f"\n   {command}\n" in shown
    assert "nactate annotate --to json - < match.mat" in shown
    assert "--start-mark" in shown


@pytest.mark.skipif(not MAN, reason="there is no man")
def test_man_shows_the_manual() -> None:
    shown = check(str(MAN), "-l", "-", text=run("manpage").out)
    assert "NACTATE(1)" in shown
    assert "EXIT STATUS" in shown
