"""The completion scripts and the manual page, generated from the parser of the command line.

A wheel includes them (scripts/hatch_build.py). A clone generates them, the scripts with shtab.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from gnubg_nactation import NactationError, __version__
from gnubg_nactation.cli.commands import commands
from gnubg_nactation.cli.main import build_parser
from gnubg_nactation.system.resources import package_text

COMPLETIONS = {"bash": "nactate.bash", "zsh": "_nactate", "fish": "nactate.fish"}
MANUAL = "nactate.1"
_NO_SHTAB = "completion in a clone needs shtab: pip install shtab (a wheel includes the scripts)"
_ENDS = {
    "EXIT STATUS": {
        "0": "Success.",
        "1": "Some input failed; the rest was done.",
        "2": "Wrong usage.",
        "130": "Interrupted; the same command continues a run over many files.",
    },
    "ENVIRONMENT": {
        "NACTATION_DB": "The database that commands use without --db.",
        "NACTATION_DEBUG": "Set to 1 to show the traceback of an internal error.",
        "NO_COLOR": "Set to switch off colours on a terminal.",
        "XDG_CACHE_HOME": "Folder for the log of results and the answers of engines.",
    },
}


def shell_file(name: str) -> str:
    """Return a file from the wheel, or generate it."""
    try:
        return package_text(f"cli/shell/{name}")
    except OSError:  # a clone, or an editable install
        return generate(name)


def generate(name: str) -> str:
    """Generate a file of COMPLETIONS, or MANUAL. Raises NactationError if shtab is missing."""
    if name == MANUAL:
        return "".join(f"{line}\n" for line in _manual())
    (shell,) = (shell for shell, file in COMPLETIONS.items() if file == name)
    return _completion(shell)


def _parsers() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """Return the parser of the program, and the parsers of its commands by name."""
    parser = build_parser(("--help", *commands()))
    (choices,) = (it.choices for it in _actions(parser) if isinstance(it.choices, dict))
    return parser, choices


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the options and arguments of a parser, --help first."""
    return parser._actions  # noqa: SLF001 (argparse has no public way)


def _completion(shell: str) -> str:
    try:
        import shtab
    except ImportError:
        raise NactationError(_NO_SHTAB) from None
    parser, parsers = _parsers()
    summaries = commands()
    for name, command in parsers.items():
        command.description = summaries[name]  # which fits into a list of commands
        for action in _actions(command):
            if any(word in str(action.metavar) for word in ("FILE", "FOLDER", "PROGRAM")):
                action.complete = shtab.FILE  # type: ignore[attr-defined]
            if action.option_strings and action.choices:
                action.choices = list(action.choices)  # shtab 1.7 of Debian knows no mappings
    script = shtab.complete(parser, shell).rstrip() + "\n"
    # Of several files, zsh would complete no more than the first.
    return script.replace('"(*):', '"*:') if shell == "zsh" else script


def _manual() -> Iterator[str]:
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
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    value = metavar or "|".join(map(str, action.choices or ())) or action.dest.upper()
    return f"{flags} \\fI{_roff(value)}\\fR".lstrip()


def _roff(text: str | None) -> str:
    """Escape text for roff: no line may begin like a request, and no sign may change."""
    escaped = (text or "").replace("\\", "\\e").replace("-", "\\-")
    for sign, name in (("'", "\\(aq"), ("`", "\\(ga"), ("^", "\\(ha"), ("~", "\\(ti")):
        escaped = escaped.replace(sign, name)
    return "\n".join(f"\\&{line}" if line[:1] == "." else line for line in escaped.split("\n"))
