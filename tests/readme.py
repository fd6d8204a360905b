"""Run the commands that a Markdown text shows, and compare their output with the text.

In a block ```console, `$ ` begins a command. The lines below it are its output, and a line `...`
matches any lines. In a block ```console gnubg, figures may differ as much as `figures` allows, and
all numbers if gnubg is not of VERSION. A block ```console gnubg 1.07 shows a judgement of that
version: another version must print as many lines. Other blocks, such as ```console norun, are
skipped.

    python -m tests.readme

writes the outputs in README.md and docs again, except those with a line `...`, and the boards. Read
the difference before you commit it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.figures import same_but_figures

ROOT = Path(__file__).parents[1]
TOP = {
    *("gnubg_nactation", "scripts", "tests", "sample_matches", "docs", "pyproject.toml"),
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"),
}
VERSION = "1.07"  # of gnubg in the documentation

_BLOCK = re.compile(
    r"^```console( gnubg(?: [\d.]+)?)?[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ANY = "..."


class Example(NamedTuple):
    """A command with its output, which may come from gnubg, or from one version of it."""

    command: str
    output: list[str]
    by_gnubg: bool = False
    version: str = ""


def shown_commands(markdown: str) -> list[Example]:
    commands: list[Example] = []
    for gnubg, block in _BLOCK.findall(markdown):
        for line in block.splitlines():
            if line.startswith("$ "):
                commands.append(
                    Example(line[2:], [], bool(gnubg), gnubg.partition(" gnubg")[2].strip())
                )
            elif commands:
                commands[-1].output.append(line.rstrip())
    return commands


def run_shown(command: str, folder: Path, programs: Path) -> list[str]:
    """Return the output of a command, messages included; `programs` is first on its path."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=os.environ
        | {
            "PATH": os.pathsep.join([str(programs), os.environ["PATH"], "/usr/games"]),
            "HOME": str(programs.parent),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=600,
        check=False,
    )
    return [line.rstrip() for line in done.stdout.decode().splitlines()]


def agrees(output: list[str], example: Example, version: str = VERSION) -> bool:
    """Whether the output matches the text, if gnubg has this version.

    Blank lines at the end do not matter.
    """
    expected = example.output
    if example.by_gnubg:
        if version.startswith(VERSION):
            return same_but_figures("\n".join(output).rstrip(), "\n".join(expected).rstrip())
        if example.version:
            return len(output) == len(expected)
        output, expected = (
            [_NUMBER.sub("0", line) for line in lines] for lines in (output, expected)
        )
    pattern = "".join(
        r"(?:.*\n)*" if line == _ANY else re.escape(line) + r"\n" for line in expected
    )
    pattern = re.sub(r"(?:\\n)+\Z", "", pattern)
    return re.fullmatch(pattern + r"\n*", "\n".join(output) + "\n") is not None


def copy_of_the_project(folder: Path) -> Path:
    """Copy the project, so that commands write nothing into the repository.

    What Python has compiled is copied, too, or each copy would compile it again.
    """
    copy = folder / "copy"
    copy.mkdir()
    for path in (ROOT / name for name in TOP - {"tests"}):  # and no database of a developer's
        if path.is_dir():
            shutil.copytree(path, copy / path.name, ignore=shutil.ignore_patterns(".*"))
        else:
            shutil.copy2(path, copy)
    return copy


def make_programs(folder: Path) -> Path:
    """A folder with `nactate` and `python3`, both of the running interpreter."""
    programs = folder / "bin"
    programs.mkdir()
    for name, arguments in (("python3", ""), ("nactate", "-m gnubg_nactation ")):
        script = programs / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments}"$@"\n')
        script.chmod(0o755)
    return programs


def with_alphabet(markdown: str, folder: Path, programs: Path) -> str:
    """Put the table of all characters between its markers."""
    table = "\n".join(run_shown("nactate alphabet --markdown", folder, programs))
    start, end = "<!-- alphabet -->\n", "<!-- /alphabet -->"
    before, _, rest = markdown.partition(start)
    return before + start + table + "\n" + end + rest.partition(end)[2]


def renew(markdown: str, folder: Path, programs: Path) -> str:
    """Replace the outputs in a text by those of today."""

    def renew_block(block: re.Match[str]) -> str:
        lines = []
        for command, output, *_ in shown_commands(block[0]):
            printed = output if _ANY in output else run_shown(command, folder, programs)
            lines += [f"$ {command}", *printed]
        return "\n".join([f"```console{block[1] or ''}", *lines, "```"])

    return _BLOCK.sub(renew_block, markdown)


def boards_of(page: Path) -> list[Path]:
    """The boards on a page, each named after the sequence whose last play it shows."""
    names = re.findall(r"\]\((boards/\S+\.svg)\)", page.read_text("utf-8"))
    return [page.parent / name for name in names]


def board(path: Path, programs: Path) -> str:
    """A picture of a board, drawn again."""
    [sequence] = run_shown(f"nactate encode --from-name {path.stem}", ROOT, programs)
    command = f"nactate board --play --svg --theme light --width 360 -- '{sequence}'"
    return "\n".join(run_shown(command, ROOT, programs)) + "\n"


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ALPHABET = ROOT / "docs" / "alphabet.md"


if __name__ == "__main__":
    for page in PAGES:
        with tempfile.TemporaryDirectory() as temporary:
            place = Path(temporary)
            copy, bin_folder = copy_of_the_project(place), make_programs(place)
            text = renew(page.read_text("utf-8"), copy, bin_folder)
            if page == ALPHABET:
                text = with_alphabet(text, copy, bin_folder)
            page.write_text(text, "utf-8")
            for picture in boards_of(page):
                picture.write_text(board(picture, bin_folder), "utf-8")
