"""`nactate read`: find the sequences, plays, nacbracs and positions in a post or a chapter."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.cli.arguments import (
    add_dialect_options,
    add_start_option,
    dialect_hint,
    start_of,
)
from gnubg_nactation.cli.engine import NONE, add_engine_option, equities_of
from gnubg_nactation.cli.inputs import STANDARD_INPUT, Input, read_input
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.exports.views import action_view, entry_view, turn_view
from gnubg_nactation.nacbracs.cube import actions_of
from gnubg_nactation.prose.finder import read_prose
from gnubg_nactation.prose.findings import Finding, Kind
from gnubg_nactation.showing import json_text, shown
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.values import Any

DESCRIPTION = (
    "Find the sequences, plays, nacbracs and positions (XGID, Position ID) in prose, be it plain "
    "text, HTML, BBCode or Markdown, and say where each stands, what it says, and how sure that is."
)
EXAMPLES = """\
  nactate read post.txt
  nactate read --json - < chapter.html
  nactate read --to html -o post.html post.txt       the post, its boards on tap
"""
_FORMS = ("text", "json", "html")
_PLAYS = 4  # of a long sequence, that a line has room for


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("file", metavar="FILE", help="a post or a chapter, or `-`")
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--to",
        choices=_FORMS,
        default="text",
        help="a line for each finding (default), a JSON object for each, or the post as one web "
        "page with its boards on tap",
    )
    form.add_argument(
        "--json", dest="to", action="store_const", const="json", help="the same as --to json"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="instead of the screen")
    add_start_option(parser)
    add_dialect_options(parser)
    add_engine_option(parser)
    parser.set_defaults(engine=NONE, strict=False)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    data = read_input(Input(options.file, options.file), streams.stdin)
    text = data.decode("utf-8-sig", "replace")
    start, equities = start_of(options), equities_of(options, streams)
    found = read_prose(text, start=start, equities=equities, dialect=options.dialect)
    name = "standard input" if options.file == STANDARD_INPUT else options.file
    result = _rendered(options.to, name, text, found)
    if options.output:
        write_atomically(options.output, result.encode())
    else:
        streams.print(result)
    return Status.OK


def _rendered(form: str, name: str, text: str, found: Sequence[Finding]) -> str:
    if form == "json":
        return "".join(f"{json_text(_object(one))}\n" for one in found)
    if form == "html":
        from gnubg_nactation.exports.prose import format_prose

        return format_prose(text, found, name)
    return "".join(f"{shown(f'{name}:{_line(one)}')}\n" for one in found)


def _line(one: Finding) -> str:
    place = f"{one.line}:{one.column}: {one.kind.value} {one.text}"
    if one.error:
        return f"{place}: cannot be read: {_trouble(one)}"
    note = f", {one.note}" if one.note else ""
    return f"{place}: {_reading(one)} ({one.sure.value}{note})"


def _trouble(one: Finding) -> str:
    return f"{one.error}; it {dialect_hint(one.usage)}" if one.usage else one.trouble


def _reading(one: Finding) -> str:
    """The plays, the last of a long sequence, and the position that they lead to or are of."""
    if one.decoded:
        said = [
            format_play(turn.play) if turn.play else turn.how.value for turn in one.decoded.turns
        ]
        said = ["...", *said[-_PLAYS:]] if len(said) > _PLAYS else said
        return f"{', '.join(said)}; {format_position_id(one.decoded.state.position)}"
    if one.nacbrac:
        plays = [format_play(entry.play) for entry in one.nacbrac.entries]
        state = one.nacbrac.state
        return f"{', '.join(plays)}; {state.roll} in {format_position_id(state.position)}"
    if one.kind is Kind.POSITION and one.state:
        roll = f"; {one.state.roll} to play" if one.state.roll else ""
        return f"{format_position_id(one.state.position)}{roll}"
    if one.cube:
        where = (
            f"; before the roll in {format_position_id(one.state.position)}" if one.state else ""
        )
        return f"{one.cube.best}{where}"
    return ""


def _object(one: Finding) -> dict[str, Any]:
    value: dict[str, Any] = {
        "kind": one.kind.value,
        "line": one.line,
        "column": one.column,
        "start": one.start,
        "end": one.end,
        "text": one.text,
        "sure": one.sure.value,
    }
    if one.note:
        value["note"] = one.note
    if one.error:
        value["error"] = _trouble(one)
    if one.decoded:
        value["position_id"] = format_position_id(one.decoded.state.position)
        value["turns"] = list(map(turn_view, one.decoded.turns))
    if one.nacbrac:
        value["position_id"] = format_position_id(one.nacbrac.state.position)
        value["entries"] = [entry_view(one.nacbrac, 1, entry) for entry in one.nacbrac.entries]
    if one.kind is Kind.POSITION and one.state:
        value["position_id"] = format_position_id(one.state.position)
        value["xgid"] = format_xgid(one.state)
    if one.cube:
        value["position_id"] = format_position_id(one.state.position) if one.state else None
        actions = actions_of(one.cube)
        value["entries"] = [action_view(one.cube, one.state, 1, action) for action in actions]
    return value
