"""`nactate read`: find the Nactation in a post or a chapter."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.backgammon.analysis import in_prose
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.cli.results import (
    form_setting,
    output_setting,
    paste_setting,
    write_result,
)
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.decisions.decision import Decision, nacbrac_text, near_decisions_of
from gnubg_nactation.exports.views import action_view, entry_view, turn_view
from gnubg_nactation.nacbracs.nacbrac import actions_of
from gnubg_nactation.prose.page import Finding, Kind
from gnubg_nactation.showing import json_line, shown
from gnubg_nactation.tasks.checking import find_nactation
from gnubg_nactation.tasks.settings import setting
from gnubg_nactation.tasks.sources import STANDARD_INPUT
from gnubg_nactation.tasks.subjects import SequenceSettings, dialect_hint
from gnubg_nactation.values import Any
from gnubg_nactation.writing.codepage import decode_any

DESCRIPTION = """\
Find the sequences, plays, nacbracs, positions and claims in a post or a chapter.
Prints the place, reading and confidence of each, and whether a claim such as `P is 8/5 6/5` is
right. Reads plain text, HTML, BBCode or Markdown."""
EXAMPLES = """\
  nactate read post.txt
  nactate read --json - < chapter.html
  nactate read --to html -o post.html post.txt    a page that shows boards
"""
_MAX_PLAYS = 4  # of a long sequence, in a line
USAGE = "FILE"


class Options(
    SequenceSettings, group="", hidden="strict", first="file paste to output start dialect"
):
    """The text, how it is read, and the form of the result."""

    file: str = setting("", "a text file, or `-`", "FILE", words="one")
    paste: bool = paste_setting("FILE")
    to: str = form_setting("text", "json", "html")
    output: str | None = output_setting()


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    text = decode_any(streams.read(settings.file))
    findings = find_nactation(text, settings, streams)
    name = "standard input" if settings.file == STANDARD_INPUT else settings.file
    result = _format(settings.to, name, text, findings)
    write_result(result.encode("utf-8", "surrogateescape"), settings.output, streams)
    return Status.OK


def _format(form: str, name: str, text: str, findings: Sequence[Finding]) -> str:
    if form == "json":
        return "".join(json_line(_view(finding)) for finding in findings)
    if form == "html":
        from gnubg_nactation.exports.prose import format_prose

        return format_prose(text, findings, name)
    return "".join(f"{shown(f'{name}:{_line(finding)}')}\n" for finding in findings)


def _line(finding: Finding) -> str:
    place = f"{finding.line}:{finding.column}: {finding.kind.value} {finding.text}"
    if finding.error:
        return f"{place}: cannot be read: {_trouble(finding)}"
    note = f", {finding.note}" if finding.note else ""
    return f"{place}: {_reading(finding)} ({finding.sure.value}{note})"


def _trouble(finding: Finding) -> str:
    return (
        f"{finding.error}; it {dialect_hint(finding.usage)}" if finding.usage else finding.trouble
    )


def _reading(finding: Finding) -> str:
    """Return the plays, at most the last four, and the position where they end or begin."""
    if finding.decoded:
        plays = [turn.meaning for turn in finding.decoded.turns]
        plays = ["...", *plays[-_MAX_PLAYS:]] if len(plays) > _MAX_PLAYS else plays
        return f"{', '.join(plays)}; {format_position_id(finding.decoded.state.position)}"
    if finding.nacbrac:
        plays = [format_play(entry.play) for entry in finding.nacbrac.entries]
        state = finding.nacbrac.state
        return f"{', '.join(plays)}; {state.roll} in {format_position_id(state.position)}"
    if finding.copied:
        return ", ".join(map(_decision_text, near_decisions_of(finding.copied)))
    if finding.kind is Kind.POSITION and finding.state:
        roll = f"; {finding.state.roll} to play" if finding.state.roll else ""
        return f"{format_position_id(finding.state.position)}{roll}"
    if finding.cube:
        place = (
            f"; before the roll in {format_position_id(finding.state.position)}"
            if finding.state
            else ""
        )
        return f"{in_prose(finding.cube.best)}{place}"
    return finding.words


def _decision_text(decision: Decision) -> str:
    roll = f"{decision.state.roll} " if decision.state.roll else ""
    return f"{roll}{nacbrac_text(decision)}"


def _view(finding: Finding) -> dict[str, Any]:
    value: dict[str, Any] = {
        "kind": finding.kind.value,
        "line": finding.line,
        "column": finding.column,
        "start": finding.start,
        "end": finding.end,
        "text": finding.text,
        "sure": finding.sure.value,
    }
    if finding.date:
        value |= {"date": finding.date, "dialect": finding.dialect.year}
    if finding.note:
        value["note"] = finding.note
    if finding.error:
        value["error"] = _trouble(finding)
    if finding.decoded:
        value["position_id"] = format_position_id(finding.decoded.state.position)
        value["turns"] = list(map(turn_view, finding.decoded.turns))
    if finding.nacbrac:
        value["position_id"] = format_position_id(finding.nacbrac.state.position)
        value["entries"] = [
            entry_view(finding.nacbrac, 1, entry) for entry in finding.nacbrac.entries
        ]
    if finding.copied:
        value["comment"] = finding.copied.note or None
        value["nacbracs"] = list(map(nacbrac_text, near_decisions_of(finding.copied)))
    if finding.kind in {Kind.POSITION, Kind.ANALYSIS} and finding.state:
        value["position_id"] = format_position_id(finding.state.position)
        value["xgid"] = format_xgid(finding.state)
    if claim := finding.claim:
        value |= {"letter": claim.letter, "play": claim.play, "right": claim.right}
        value["instead"] = claim.instead or None
        value["position_id"] = format_position_id(claim.state.position) if claim.state else None
        value["roll"] = str(claim.state.roll) if claim.state else None
    if finding.meaning:
        value["meaning"] = finding.meaning
    if finding.cube:
        value["position_id"] = format_position_id(finding.state.position) if finding.state else None
        actions = actions_of(finding.cube)
        value["entries"] = [
            action_view(finding.cube, finding.state, 1, action) for action in actions
        ]
    return value
