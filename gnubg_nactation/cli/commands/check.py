"""`nactate check`: proof-read a sequence, a text or an annotated match."""

from __future__ import annotations

from collections.abc import Iterable

from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import NactationError
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.check import CheckedName, Verdict
from gnubg_nactation.showing import shown
from gnubg_nactation.tasks.checking import (
    Check,
    are_sequences,
    check_file,
    check_prose_or_page,
    check_text,
)
from gnubg_nactation.tasks.settings import setting
from gnubg_nactation.tasks.sources import STANDARD_INPUT
from gnubg_nactation.tasks.subjects import SequenceSettings

DESCRIPTION = """\
Proof-read Nactation: report each token, and each claim such as `P is 8/5 6/5`, as ok, valid but
unusual, or wrong. Reads sequences, prose, or annotated matches; the exit status is 1 if anything
is wrong."""
EXAMPLES = """\
  nactate check 54S-63R-31P
  nactate check post.txt                a text, or one sequence per line
  nactate check annotated.sgf           the comments of an annotated match
"""
USAGE = "FILE-or-SEQUENCE"


class Options(SequenceSettings, first="text"):
    """What is checked, and how it is read."""

    text: str = setting("", "a file, a sequence, or `-`", "FILE-or-SEQUENCE", words="joined")


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    name = settings.text
    if streams.is_file(name):
        return _report(check_file(name, streams.read(name), settings, streams), streams)
    text = streams.text_of(name)
    if name == STANDARD_INPUT and not are_sequences([text]):
        checks = check_prose_or_page(text, "standard input", settings, streams)
        return _report(checks, streams)
    return _report(check_text(text, settings, streams), streams)


def _report(checks: Iterable[Check], streams: Streams) -> int:
    """Print verdicts and report errors; return FAILED if anything is wrong."""
    status = Status.OK
    for place, result in checks:
        if isinstance(result, NactationError):
            streams.report(f"{place}{result}", result.excerpt())
            status = Status.FAILED
            continue
        doubt = f"; {result.doubt}" if result.sure is not Confidence.SURE else ""
        streams.print(f"{shown(place)}: {_verdict(result)}{doubt}\n")
        if result.verdict is Verdict.WRONG:
            status = Status.FAILED
    return status


def _verdict(name: CheckedName) -> str:
    intended = format_play(name.intended) if name.intended else "no play"
    if name.verdict is Verdict.OK:
        return "ok"
    if name.verdict is Verdict.VALID:
        return f"valid for {intended}, though {name.preferred} is preferred"
    names = f"it names {format_play(name.play) if name.play else 'no play'}"
    if name.intended is None:
        return f"wrong: {names}, unlike its comment"
    if name.name is None:
        return f"wrong: the roll leaves a choice; probably {name.preferred}, {intended}"
    return f"wrong: {names}; probably {name.preferred} was meant, {intended}"
