#!/usr/bin/env python3
"""Make the completion scripts and the manual page from the parser of the command line.

    .venv/bin/python scripts/shell_files.py

They are kept in gnubg_nactation/cli/shell, so that `nactate completion` and `nactate manpage` have
only to print them. A test compares them with what is made here.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import shtab

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from gnubg_nactation.cli.main import build_parser, commands  # noqa: E402

FOLDER = ROOT / "gnubg_nactation" / "cli" / "shell"
COMPLETIONS = {"bash": "nactate.bash", "zsh": "_nactate", "fish": "nactate.fish"}
ENDS = {
    "EXIT STATUS": {
        "0": "All is well.",
        "1": "Some input failed; every other was done.",
        "2": "Wrong usage.",
        "130": "Interrupted; a run over many files can be run again and goes on.",
    },
    "ENVIRONMENT": {
        "NO_COLOR": "If set, nothing is coloured; without it only a terminal gets colours.",
        "XDG_CACHE_HOME": "Where the list of results that are up to date is kept.",
    },
}


def make_files() -> dict[str, str]:
    """The files by their names."""
    made = {name: completion(shell) for shell, name in COMPLETIONS.items()}
    return {**made, "nactate.1": "".join(f"{line}\n" for line in manual())}


def parsers() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """The parser of the program, and those of its commands."""
    parser = build_parser(("--help", *commands()))
    (declared,) = (one.choices for one in actions(parser) if isinstance(one.choices, dict))
    return parser, declared


def actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The options and arguments of a parser, --help first."""
    return parser._actions  # noqa: SLF001 (argparse has no public way)


def completion(shell: str) -> str:
    """A completion script by shtab, which is told what names a file."""
    parser, declared = parsers()
    summaries = commands()
    for name, command in declared.items():
        command.description = summaries[name]  # what a list of commands has room for
        for action in actions(command):
            if any(word in str(action.metavar) for word in ("FILE", "FOLDER", "PROGRAM")):
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    made = shtab.complete(parser, shell).rstrip() + "\n"
    # Of several files, zsh would complete no more than the first.
    return made.replace('"(*):', '"*:') if shell == "zsh" else made


def manual() -> Iterator[str]:
    """The lines of the manual page, in which @VERSION@ stands for the version."""
    parser, commands = parsers()
    yield '.TH NACTATE 1 "" "gnubg-nactation @VERSION@" "User Commands"'
    yield from (".SH NAME", f"nactate \\- {roff(parser.description)}")
    yield from (".SH SYNOPSIS", ".B nactate", "\\fICOMMAND\\fR ...", ".SH COMMANDS")
    for name, command in commands.items():
        usage = " ".join(command.format_usage().removeprefix("usage: ").split())
        yield from (f".SS {roff(name)}", roff(command.description), ".PP")
        yield from (".nf", roff(usage), ".fi")
        for action in actions(command)[1:]:
            yield from (".TP", head(action), roff(action.help).replace("%%", "%") or "\\&")
        yield from (".PP", ".nf", roff(command.epilog).rstrip(), ".fi")
    for title, rows in ENDS.items():
        yield f".SH {title}"
        for name, text in rows.items():
            yield from (".TP", f".B {roff(name)}", roff(text))


def head(action: argparse.Action) -> str:
    """An option or argument with its value."""
    flags = ", ".join(f"\\fB{roff(flag)}\\fR" for flag in action.option_strings)
    if action.nargs == 0:
        return flags
    named = action.metavar if isinstance(action.metavar, str) else ""
    value = named or "|".join(map(str, action.choices or ())) or action.dest.upper()
    return f"{flags} \\fI{roff(value)}\\fR".lstrip()


def roff(text: str | None) -> str:
    """Text as roff shows it: no line may begin like a request, no sign is changed."""
    escaped = (text or "").replace("\\", "\\e").replace("-", "\\-")
    for sign, name in (("'", "\\(aq"), ("`", "\\(ga"), ("^", "\\(ha"), ("~", "\\(ti")):
        escaped = escaped.replace(sign, name)
    return "\n".join(f"\\&{line}" if line[:1] == "." else line for line in escaped.split("\n"))


if __name__ == "__main__":
    for name, text in make_files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
