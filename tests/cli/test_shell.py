"""Completion scripts and the manual page, generated from the parser, in real shells."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gnubg_nactation.cli.commands import commands
from tests.cli.running import error_of, run

SHELLS = ("bash", "zsh", "fish")
GROFF, MAN = (shutil.which(name) for name in ("groff", "man"))

# Each gets the script (for zsh it must be called _nactate) and a command line, and prints the words
# that the shell offers for the last word.
BASH = """
source "$1"
read -ra COMP_WORDS <<< "$2"
[[ $2 == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
[[ $(complete -p nactate) =~ -F\\ ([^ ]+) ]]
"${BASH_REMATCH[1]}" nactate "${COMP_WORDS[-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
FISH = """
source $argv[1]
complete -C $argv[2] | string replace -r '\t.*' '' | string trim -rc /
true
"""
# zsh completes in a terminal only, so it gets one.
ZSH = """
cat > rc.zsh <<END
PROMPT= fpath=(${1:h} \\$fpath)
autoload -Uz compinit
compinit -u -D
compadd () {
    local -a hits
    builtin compadd -O hits "\\$@"
    print -rl -- HIT:\\$^hits:
    builtin compadd "\\$@"
}
finish () { print FINISHED }
comppostfuncs=(finish)
bindkey "^I" complete-word
END
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "source ./rc.zsh"
zpty -w -n shell "$2"$'\t'
zpty -r shell out '*FINISHED*'
rm rc.zsh
for line in ${(f)out}; [[ $line == *HIT:?*:* ]] && print -r -- ${${line#*HIT:}%:*}
true
"""
CALLS = {
    "bash": ["bash", "--norc", "-c", BASH, "complete"],
    "zsh": ["zsh", "-f", "-c", ZSH, "complete"],
    "fish": ["fish", "--no-config", "-c", FISH],
}


def test_without_shtab_the_error_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    error = error_of("help", "completion", "bash")
    assert error.startswith("nactate: ")
    assert "pip install shtab" in error
    assert run("help", "manpage").status == 0


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("nactate anno", {"annotate"}),
        ("nactate ", {*commands()}),
        ("nactate --", {"--help", "--version", "--debug", "--json-schema"}),
        ("nactate annotate --lay", {"--layout"}),
        ("nactate annotate --layout p", {"paired"}),
        ("nactate annotate --to ht", {"html", "html-forum"}),
        ("nactate help completion ", {"bash", "zsh", "fish"}),
        ("nactate decode --engine ", {"auto", "gnubg", "builtin", "sage", "none"}),
        ("nactate annotate ma", {"match.mat", "matches"}),
        ("nactate annotate --to sgf ma", {"match.mat", "matches"}),
        ("nactate annotate match.mat ma", {"match.mat", "matches"}),
        ("nactate annotate --output ma", {"match.mat", "matches"}),
        ("nactate annotate match.mat --trad", {"--traditional"}),
        ("nactate check ma", {"match.mat", "matches"}),
    ],
)
def test_completion_offers_commands_options_values_and_files(
    shell: str, line: str, offered: set[str], tmp_path: Path
) -> None:
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell}")
    (tmp_path / "match.mat").touch()
    (tmp_path / "matches").mkdir()
    script = tmp_path / "completions" / "_nactate"
    script.parent.mkdir()
    script.write_text(run("help", "completion", shell).out)
    done = subprocess.run(
        [*CALLS[shell], script, line],
        cwd=tmp_path,
        env=os.environ | {"HOME": str(tmp_path), "TERM": "dumb"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr
    assert set(done.stdout.split()) == offered


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_scripts_contain_all_commands_and_options(shell: str) -> None:
    script = run("help", "completion", shell).out
    for command in commands():
        assert command in script
    for option in ("start-mark", "layout", "paired", "html-forum"):
        assert option in script


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
def test_the_markup_of_the_manual_is_valid() -> None:
    page = run("help", "manpage").out
    page_text = check(str(GROFF), "-man", "-Tutf8", "-ww", "-P-cbou", text=page)
    for command in commands():
        assert f"\n   {command}\n" in page_text
    assert "nactate annotate --to json - < match.mat" in page_text
    assert "--start-mark" in page_text


@pytest.mark.skipif(not MAN, reason="there is no man")
def test_man_shows_the_manual() -> None:
    page_text = check(str(MAN), "-l", "-", text=run("help", "manpage").out)
    assert "NACTATE(1)" in page_text
    assert "EXIT STATUS" in page_text
