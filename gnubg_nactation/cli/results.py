"""Results: their format and destination, and how a terminal shows them; commands that print one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack

from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.showing import json_line, quoted
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.system.resources import near
from gnubg_nactation.tasks.settings import (
    Settings,
    SettingsError,
    report_view,
    setting,
    settings_of,
)
from gnubg_nactation.tasks.sources import MEGABYTES
from gnubg_nactation.values import Any

_SHORT = ("json", "csv")  # forms that are also options
_ENDINGS = {"htm": "html", "jsonl": "json"}  # of files, whose form has another name
_MIN_WIDTH, _MAX_WIDTH = 50, 200  # columns


def form_setting(*forms: str) -> Any:
    """Declare the form of a result, text first."""
    return setting(
        forms[0],
        "format (default: text)",
        choices=forms,
        shortcuts={f"--{form}": (form, f"same as --to {form}") for form in forms if form in _SHORT},
    )


def output_setting() -> Any:
    """Declare the file of a result; None and `-` are standard output."""
    return setting(
        None, "write to this file (default: standard output)", "FILE", flags="-o --output"
    )


def letters_setting() -> Any:
    """Declare whether plays are left out."""
    return setting(False, "print letters only, without the plays in traditional notation")


def paste_setting(name: str = "SUBJECT") -> Any:
    """Declare --paste, which `main` replaces by `-`."""
    return setting(False, f"read the clipboard as the {name}")


def largest_setting() -> Any:
    """Declare the largest file that is read, in megabytes."""
    return setting(MEGABYTES, f"largest input in MB (default: {MEGABYTES})", "MB", parse=_megabytes)


def _megabytes(text: str) -> int:
    if text.isdecimal() and 0 < int(text[:9]) <= 1_000_000:
        return int(text)
    raise MalformedError(f"{quoted(text)} is not a number of megabytes")


class Coloured(Settings):
    """How a result is styled on a terminal."""

    color: str = setting(
        "auto",
        "when to print styles and colours (default: auto, on a terminal)",
        choices=("auto", "always", "never"),
    )


class Printed(Coloured, first="output"):
    """Where a result goes, and how it is styled there; None and `-` are standard output."""

    output: str | None = output_setting()


class OfDatabase(Settings):
    """The database that a command reads; None is the usual one."""

    db: str | None = setting(
        None,
        "database of `nactate index` (default: $NACTATION_DB, else games.db)",
        "FILE",
        group="which games",
    )


def check_output(output: str | None, inputs: Iterable[str], option: str = "-o") -> None:
    """Raise SettingsError if the output, which the option names, would overwrite an input file."""
    if output in {None, "-"} or not os.path.exists(output or ""):
        return
    for file in inputs:
        if os.path.exists(file) and os.path.samefile(output or "", file):
            raise SettingsError(f"{option} would overwrite {near(file)}")


def deliver(text: str, form: str, settings: Printed, streams: Streams) -> None:
    """Write text, styled if it is for a terminal; raises the errors of `write_result`."""
    if form == "text" and settings.output in {None, "-"}:
        on_terminal(streams, settings).print(text)
    else:
        write_result(text.encode("utf-8", "surrogateescape"), settings.output, streams)


def write_result(data: bytes, output: str | None, streams: Streams) -> None:
    """Write data to the output file, or to standard output for None or `-`. Raises OSError.

    Raises SettingsError if the command has read that file.
    """
    if output is None or output == "-":
        streams.write(data)
    else:
        check_output(output, streams.inputs or ())
        write_atomically(output, data)


def chosen_form(
    form: str | None, output: str | None, forms: Sequence[str], streams: Streams
) -> str:
    """Return the form that is named, else that of the output's ending, else the first of `forms`.

    Raises SettingsError for a PNG on a terminal.
    """
    ending = os.path.splitext(output or "")[1].lower().removeprefix(".")
    ending = _ENDINGS.get(ending, ending)
    form = form or (ending if ending in forms else forms[0])
    if form == "png" and goes_to_terminal(output, streams):
        raise SettingsError("a terminal cannot show a PNG; name a file with -o")
    return form


def goes_to_terminal(output: str | None, streams: Streams) -> bool:
    """Whether the result would be written to a terminal."""
    return output in {None, "-"} and streams.stdout.isatty()


def on_terminal(streams: Streams, settings: Coloured) -> Streams:
    """Return streams that fold and style text for a terminal; JSON and pipes stay unchanged.

    `--color always` also styles text in pipes.
    """
    if getattr(settings, "json", False):
        return streams
    if not (streams.stdout.isatty() or settings.color == "always"):
        return streams
    from gnubg_nactation.writing.terminal import fold, styled

    dims = hasattr(settings, "letters")  # its plays are translations of letters

    width = width_of(streams)
    coloured = is_coloured(streams, settings)

    def style(text: str) -> str:
        folded = fold(text, width) if width else text
        return styled(folded, dims=dims) if coloured else folded

    return streams._replace(shown=style)


def width_of(streams: Streams) -> int:
    """Return the columns of the terminal, from 50 to 200, or of COLUMNS; 0 without a terminal."""
    if not streams.stdout.isatty():
        return 0
    try:
        width = int(os.environ.get("COLUMNS") or os.get_terminal_size(streams.stdout.fileno())[0])
    except (OSError, ValueError):
        return 80
    return min(max(width, _MIN_WIDTH), _MAX_WIDTH) if width > 0 else 80


def is_coloured(streams: Streams, settings: Coloured) -> bool:
    """Whether text is styled: always, never, or on a terminal that likes colour."""
    likes_colour = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    is_usual = settings.color == "auto" and streams.stdout.isatty() and likes_colour
    return settings.color == "always" or is_usual


def plain(TASK: Any, FORMS: Any = None, **_: Any) -> dict[str, Any]:  # noqa: N803 (of a module)
    """Return DESCRIPTION, `Options` and `run` of a command whose module has a TASK.

    The description is the first line of the task's docstring. The options are the settings of the
    task and those of its result. Each of FORMS writes the report; without any, they are its `str`
    and the JSON of its fields. A task with an `archive` gets the database, and one with a `face`
    the streams.
    """
    of = TASK.__annotations__
    result = (Printed, OfDatabase) if "archive" in of else (Printed,)
    own = {"__annotations__": {"to": "str"}}
    forms = FORMS or {"text": "{}\n".format, "json": lambda report: json_line(report_view(report))}
    if not FORMS:
        own["report"] = TASK.__globals__[of["return"]]  # for its JSON Schema
    own["to"] = form_setting(*forms)
    first = " ".join(("to", *(name for group in result for name in group.declared)))
    options = type("Options", (settings_of(TASK) or Settings, *result), own, first=first)

    def run(settings: Any, streams: Streams) -> int:
        values = {"settings": settings, "face": streams}
        with ExitStack() as stack:
            if "archive" in of:
                from gnubg_nactation.archive.database import archive_at, default_path

                path = settings.db or default_path()
                check_output(settings.output, [path])
                values["archive"] = stack.enter_context(archive_at(path))
            report = TASK(*(values[name] for name in of if name != "return"))
        deliver(forms[settings.to](report), settings.to, settings, streams)
        return Status.OK

    return {"DESCRIPTION": TASK.__doc__.partition("\n")[0], "Options": options, "run": run}
