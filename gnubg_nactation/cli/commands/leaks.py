"""`nactate leaks`: list what a player's mistakes cost."""

from __future__ import annotations

import os

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.archive.leaks import Leaks
from gnubg_nactation.cli.results import (
    OfDatabase,
    Printed,
    check_output,
    deliver,
    form_setting,
    letters_setting,
    width_of,
)
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.exports.leaks import (
    format_leaks,
    json_leaks,
    leaks_page,
    opening_leaks_text,
)
from gnubg_nactation.showing import PlaysStyle, shown
from gnubg_nactation.system.resources import relative_link
from gnubg_nactation.tasks.library import LeaksSettings, PlayerLeaks, leaks
from gnubg_nactation.tasks.settings import SettingsError, setting

DESCRIPTION = """\
List what a player's mistakes cost: the costliest decisions, themes, phases, replies, the cube.
Reads the games stored by `nactate index`; prints text or JSON, or writes a page."""
EXAMPLES = """\
  nactate leaks                              yours (your names: `index --me`)
  nactate leaks --player Alice --boards
  nactate leaks --since 2024-06              what improved since then
  nactate leaks --to html -o leaks.html      a page to print
  nactate leaks --to html -o leaks.html --pages pages
                                             with links to the pages of your matches
"""
USAGE = ""


class Options(
    LeaksSettings, Printed, OfDatabase, first="to output boards letters top pages color db"
):
    """The settings of the task, and of its result."""

    to: str = form_setting("text", "json", "html")
    boards: bool = setting(False, "print a board for each leak")
    letters: bool = letters_setting()
    pages: str | None = setting(
        None,
        "link to the pages that `annotate --to html` wrote here (default: that of --output)",
        "FOLDER",
    )


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    path = settings.db or default_path()
    _check(settings, path)
    with archive_at(path) as archive:
        style = PlaysStyle(not settings.letters, width_of(streams))
        text = _format(leaks(archive, settings), settings, style)
    deliver(text, settings.to, settings, streams)
    return Status.OK


def _check(settings: Options, path: str) -> None:
    """Raise SettingsError for options that do not go together."""
    if settings.boards and settings.to != "text":
        raise SettingsError("--boards goes with text; a page always has boards, and JSON has XGIDs")
    if settings.pages and settings.to != "html":
        raise SettingsError("--pages goes with --to html")
    if settings.pages and not os.path.isdir(settings.pages):
        raise SettingsError(f"--pages: no folder {shown(settings.pages)}")
    check_output(settings.output, [path])


def _format(report: PlayerLeaks, settings: Options, style: PlaysStyle) -> str:
    listed, openings, whose = report
    if settings.to == "json":
        return json_leaks(listed, whose, openings)
    if settings.to == "html":
        return leaks_page(listed, whose, openings, _links(listed, settings))
    text = format_leaks(listed, whose, boards=settings.boards, style=style)
    return text + opening_leaks_text(openings, style)


def _links(listed: Leaks, settings: Options) -> dict[str, str]:
    """The pages of match files, relative to the output."""
    output = settings.output if settings.output != "-" else None
    base = os.path.dirname(os.path.abspath(output)) if output else os.getcwd()
    folder = settings.pages or (base if output else "")
    files = {example.place.file for example in listed.examples}
    pages = {file: page for file in files if folder and (page := _page_of(file, folder))}
    return {file: relative_link(page, base) for file, page in pages.items()}


def _page_of(file: str, folder: str) -> str:
    """The page of a match file in a folder or its subfolders; empty if there is none."""
    parts = os.path.normpath(file).split(os.sep)
    for first in range(len(parts)):
        place = os.path.join(folder, *parts[first:])
        for page in (f"{place}.html", f"{os.path.splitext(place)[0]}.html"):
            if parts[first] not in {"", os.pardir} and os.path.isfile(page):
                return page
    return ""
