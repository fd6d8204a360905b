"""`nactate check`: proof-read a sequence, a text or an annotated match."""

from __future__ import annotations

from collections.abc import Iterable

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import NactationError
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.check import Verdict, verdict_text
from gnubg_nactation.showing import shown
from gnubg_nactation.tasks.checking import (
    Check,
    are_sequences,
    check_file,
    check_prose_or_page,
    check_text,
)
from gnubg_nactation.tasks.settings import SettingsError, setting
from gnubg_nactation.tasks.sources import STANDARD_INPUT
from gnubg_nactation.tasks.subjects import SUBJECT_HELP, SequenceSettings, read_subject

DESCRIPTION = """\
Proof-read Nactation: report each token, and each claim such as `P is 8/5 6/5`, as ok, valid but
unusual, or wrong. Reads sequences, prose, or annotated matches; with --same it compares the ends of
two sequences. The exit status is 1 if anything is wrong or differs."""
EXAMPLES = """\
  nactate check 54S-63R-31P
  nactate check post.txt                a text, or one sequence per line
  nactate check annotated.sgf           the comments of an annotated match
  nactate check --same 65R-52S-41T 65R-52S-32T
  nactate check --same 54S-63R 4HPwCSDg8+ABIQ
"""
USAGE = "FILE-or-SEQUENCE"


class Options(SequenceSettings, first="words same"):
    """What is checked, and how it is read."""

    words: tuple[str, ...] = setting(
        (), "a file, a sequence, or `-`", "FILE-or-SEQUENCE", words="some"
    )
    same: bool = setting(
        False,
        f"check whether two subjects have the same position and player on roll; {SUBJECT_HELP}",
    )


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    if settings.same:
        return compare(settings.words, settings, streams)
    name = " ".join(settings.words)
    if streams.is_file(name):
        return _report(check_file(name, streams.read(name), settings, streams), streams)
    text = streams.text_of(name)
    if not name.strip():
        raise SettingsError("a sequence is missing, as in `nactate check 54S-63R-31P`")
    if name == STANDARD_INPUT and not are_sequences([text]):
        checks = check_prose_or_page(text, "standard input", settings, streams)
        return _report(checks, streams)
    return _report(check_text(text, settings, streams), streams)


def compare(words: tuple[str, ...], settings: SequenceSettings, streams: Streams) -> int:
    """Print whether two subjects reach the same position; return FAILED if not."""
    if len(words) != 2:
        raise SettingsError("--same compares two subjects; put quotes around each that has blanks")
    subjects = [read_subject(streams.text_of(word), settings, streams) for word in words]
    ids = [format_position_id(subject.state.position) for subject in subjects]
    if ids[0] == ids[1]:
        streams.print(f"same: {ids[0]}\n")
        return Status.OK
    streams.print(f"different: {ids[0]} and {ids[1]}\n")
    return Status.FAILED


def _report(checks: Iterable[Check], streams: Streams) -> int:
    """Print verdicts and report errors; return FAILED if anything is wrong."""
    status = Status.OK
    for place, result in checks:
        if isinstance(result, NactationError):
            streams.report(f"{place}{result}", result.excerpt())
            status = Status.FAILED
            continue
        doubt = f"; {result.doubt}" if result.sure is not Confidence.SURE else ""
        streams.print(f"{shown(place)}: {verdict_text(result)}{doubt}\n")
        if result.verdict is Verdict.WRONG:
            status = Status.FAILED
    return status
