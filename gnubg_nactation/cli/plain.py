"""Commands that call a task and print its report, and do nothing else."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from gnubg_nactation.cli.results import OfDatabase, Printed, check_output, deliver, form_setting
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.showing import json_line
from gnubg_nactation.tasks.settings import Settings, report_view, settings_of
from gnubg_nactation.values import Any

Run = Callable[[Any, Streams], int]


def plain(
    task: Any, examples: str, description: str = "", **forms: Callable[[Any], str]
) -> tuple[str, str, type[Settings], Run]:
    """Return DESCRIPTION, EXAMPLES, `Options` and `run` of a command that prints a report.

    Without a description it is the first line of the task's docstring. The options are the settings
    of the task and those of its result. Each of `forms` writes the report; without any, they are
    its `str` and the JSON of its fields. A task with an `archive` gets the database, and one with
    a `face` the streams.
    """
    of = task.__annotations__
    result = (Printed, OfDatabase) if "archive" in of else (Printed,)
    own = {"__annotations__": {"to": "str"}}
    if not forms:
        forms = {"text": str, "json": lambda report: json_line(report_view(report))}
        own["report"] = task.__globals__[of["return"]]  # for its JSON Schema
    own["to"] = form_setting(*forms)
    first = " ".join(("to", *(name for group in result for name in group.declared)))
    options = type("Options", (settings_of(task) or Settings, *result), own, first=first)

    def run(settings: Any, streams: Streams) -> int:
        values = {"settings": settings, "face": streams}
        with ExitStack() as stack:
            if "archive" in of:
                from gnubg_nactation.archive.database import archive_at, default_path

                path = settings.db or default_path()
                check_output(settings.output, [path])
                values["archive"] = stack.enter_context(archive_at(path))
            report = task(*(values[name] for name in of if name != "return"))
        deliver(forms[settings.to](report), settings, streams)
        return Status.OK

    return description or task.__doc__.partition("\n")[0], examples, options, run
