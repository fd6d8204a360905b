"""`nactate transcribe`: turn a score sheet in Nactation into a match file."""

from __future__ import annotations

import os
from collections.abc import Sequence

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Match
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.mat import decode_text
from gnubg_nactation.files.sheet import read_sheets
from gnubg_nactation.showing import shown
from gnubg_nactation.tasks.annotating import FORMS, Rendering, by_suffix
from gnubg_nactation.tasks.settings import Settings, SettingsError, setting
from gnubg_nactation.tasks.sources import STANDARD_INPUT, encoding_setting, write

DESCRIPTION = """\
Turn a score sheet in Nactation into a match file.
Reads a text with the players and their games; writes match text, SGF, JSON or a page."""
EXAMPLES = """\
  nactate transcribe sheet.txt -o match.mat
  nactate transcribe --check sheet.txt          only list what is wrong or doubtful
  nactate transcribe --to sgf - < sheet.txt
  nactate transcribe --live sheet.txt -o match.mat   type a match key by key

A sheet looks like this; an empty line separates games:

  Alice - Bob, 3 point match

  54S-63R-31P-D-P

  -61P-63R-...
"""
_FORMS = ("mat", "sgf", "json", "html")
USAGE = "SHEET"


class Options(Settings):
    """The sheet, and where the match goes."""

    sheet: str | None = setting(
        None, "a score sheet, or `-` (standard input)", "SHEET", words="optional"
    )
    output: str | None = setting(
        None, "file to write (default: standard output)", "FILE", flags="-o --output"
    )
    to: str | None = setting(
        None, "format (default: by the ending of -o, else mat)", choices=_FORMS
    )
    check: bool = setting(
        False, "write nothing; print a line for each fault, and fail if there is one"
    )
    live: bool = setting(False, "type the match in the terminal; SHEET keeps it at every key")
    encoding: str | None = encoding_setting()


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    output = None if settings.output == STANDARD_INPUT else settings.output
    if settings.check and (settings.output or settings.to):
        raise SettingsError("--check writes nothing, so it goes without -o and --to")
    to = settings.to or (by_suffix(output) if output else "mat")
    if to not in _FORMS:
        raise SettingsError(
            f"-o needs a name that ends in {', '.join(f'.{form}' for form in _FORMS)}"
        )
    path = settings.sheet or (_sheet_for(output) if settings.live else "")
    if not path:
        raise SettingsError("a SHEET is missing")
    if output and os.path.realpath(output) == os.path.realpath(path):
        raise SettingsError(f"{output} would be overwritten")
    if settings.live:
        return _live(path, to, output, settings, streams)
    data = streams.read(path)
    name = "standard input" if path == STANDARD_INPUT else path
    try:
        sheets = read_sheets(decode_text(data, settings.encoding))
    except MalformedError as error:
        raise MalformedError(f"{name}: {error}") from None
    faults = [f"{name}:{fault.place}: {fault.message}" for it in sheets for fault in it.faults]
    for fault in faults:
        if settings.check:
            streams.print(f"{shown(fault)}\n")
        else:
            streams.report(fault)
    for note in [note for sheet in sheets for note in sheet.notes]:
        streams.report(f"{name}: {note}")
    if not (faults or settings.check):
        _write([sheet.match for sheet in sheets], to, output, streams)
    return Status.FAILED if faults else Status.OK


def _sheet_for(output: str | None) -> str:
    """The sheet of a match that is written to this output."""
    return os.path.splitext(output)[0] + ".txt" if output else "match.txt"


def _live(path: str, to: str, output: str | None, settings: Options, streams: Streams) -> int:
    from gnubg_nactation.cli.live import type_match

    if settings.check or path == STANDARD_INPUT or (settings.to and not output):
        raise SettingsError("--live goes with a SHEET and -o only")
    if output and os.path.exists(output) and not os.path.exists(path):
        raise SettingsError(
            f"{output} exists, but not its sheet {path}; choose another name for -o"
        )

    def save(match: Match) -> None:
        if output:
            _write([match], to, output, streams)

    return type_match(path, save, streams)


def _write(matches: Sequence[Match], to: str, output: str | None, streams: Streams) -> None:
    rendering = Rendering(to=to)
    annotated = [annotate(match, rendering.characters) for match in matches]
    data = FORMS[to].render(annotated, [None] * len(annotated), rendering)
    if output:
        write(output, data)
    else:
        streams.write(data)
