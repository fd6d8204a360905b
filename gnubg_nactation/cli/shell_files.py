"""The completion scripts and the manual page, from the parser of the command line.

A wheel holds them ready (scripts/hatch_build.py builds them); without it they are generated. The
completion scripts then need shtab.
"""

from __future__ import annotations

import argparse
import pkgutil
from collections.abc import Iterator

from gnubg_nactation import NactationError, __version__
from gnubg_nactation.cli.main import build_parser, commands

COMPLETIONS = {"bash": "nactate.bash", "zsh": "_nactate", "fish": "nactate.fish"}
MANUAL = "nactate.1"
_NO_SHTAB = "a clone generates completion scripts by shtab: pip install shtab (a wheel holds them)"
_ENDS = {
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


def shell_file(name: str) -> str:
    """Return the file that the wheel holds, or else generate it."""
    try:
        data = pkgutil.get_data("gnubg_nactation.cli", f"shell/{name}")
    except OSError:  # a clone, or an editable install
        data = None
    return data.decode() if data else generate(name)


def generate(name: str) -> str:
    """Generate a file of COMPLETIONS, or MANUAL. Raises NactationError if shtab is missing."""
    if name == MANUAL:
        return "".join(f"{line}\n" for line in _manual())
    (shell,) = (shell for shell, file in COMPLETIONS.items() if file == name)
    return _completion(shell)


def _parsers() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """Return the parser of the program, and those of its commands by name."""
    parser = build_parser(("--help", *commands()))
    (choices,) = (it.choices for it in _actions(parser) if isinstance(it.choices, dict))
    return parser, choices


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the options and arguments of a parser, --help first."""
    return parser._actions  # noqa: SLF001 (argparse has no public way)


def _completion(shell: str) -> str:
    """Return the completion script of a shell. Raises NactationError without shtab."""
    try:
        import shtab
    except ImportError:
        raise NactationError(_NO_SHTAB) from None
    parser, parsers = _parsers()
    summaries = commands()
    for name, command in parsers.items():
        command.description = summaries[name]  # what a list of commands has room for
        for action in _actions(command):
            if any(word in str(action.metavar) for word in ("FILE", "FOLDER", "PROGRAM")):
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    script = shtab.complete(parser, shell).rstrip() + "\n"
    # Of several files, zsh would complete no more than the first.
    return script.replace('"(*):', '"*:') if shell == "zsh" else script


def _manual() -> Iterator[str]:
    """Yield the lines of the manual page."""
    parser, parsers = _parsers()
    yield f'.TH NACTATE 1 "" "gnubg-nactation {__version__}" "User Commands"'
    yield from (".SH NAME", f"nactate \\- {_roff(parser.description)}")
    yield from (".SH SYNOPSIS", ".B nactate", "\\fICOMMAND\\fR ...", ".SH COMMANDS")
    for name, command in parsers.items():
        command.color = False  # type: ignore[attr-defined]  # of Python 3.14
        usage = " ".join(command.format_usage().removeprefix("usage: ").split())
        yield from (f".SS {_roff(name)}", _roff(command.description), ".PP")
        yield from (".nf", _roff(usage), ".fi")
        for action in _actions(command)[1:]:
            yield from (".TP", _head(action), _roff(action.help).replace("%%", "%") or "\\&")
        yield from (".PP", ".nf", _roff(command.epilog).rstrip(), ".fi")
    for title, rows in _ENDS.items():
        yield f".SH {title}"
        for name, text in rows.items():
            yield from (".TP", f".B {_roff(name)}", _roff(text))


def _head(action: argparse.Action) -> str:
    """Return an option or argument with its value, as roff."""
    flags = ", ".join(f"\\fB{_roff(flag)}\\fR" for flag in action.option_strings)
    if action.nargs == 0:
        return flags
    named = action.metavar if isinstance(action.metavar, str) else ""
    value = named or "|".join(map(str, action.choices or ())) or action.dest.upper()
    return f"{flags} \\fI{_roff(value)}\\fR".lstrip()


def _roff(text: str | None) -> str:
    """Escape text for roff: no line may begin like a request, no sign is changed."""
    escaped = (text or "").replace("\\", "\\e").replace("-", "\\-")
    for sign, name in (("'", "\\(aq"), ("`", "\\(ga"), ("^", "\\(ha"), ("~", "\\(ti")):
        escaped = escaped.replace(sign, name)
    return "\n".join(f"\\&{line}" if line[:1] == "." else line for line in escaped.split("\n"))
