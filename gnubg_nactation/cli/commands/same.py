"""`nactate same`: check whether two sequences reach the same position."""

from __future__ import annotations

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.tasks.settings import setting
from gnubg_nactation.tasks.subjects import SUBJECT_HELP, SequenceSettings, read_subject

DESCRIPTION = """\
Check whether two sequences reach the same position with the same player on roll.
Prints their Position IDs; the exit status is 0 for the same position, else 1."""
EXAMPLES = """\
  nactate same 43P-52P 52P-43P
  nactate same 65R-52S-41T 65R-52S-32T      the same play of another roll
  nactate same 54S-63R 4HPwCSDg8+ABIQ
"""
USAGE = "SUBJECT SUBJECT"


class Options(SequenceSettings, first="one other"):
    """Two subjects, and how they are read."""

    one: str = setting("", SUBJECT_HELP, "SUBJECT", words="one")
    other: str = setting("", "the subject to compare it with", "SUBJECT", words="one")


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    texts = [streams.text_of(word) for word in (settings.one, settings.other)]
    subjects = [read_subject(text, settings, streams) for text in texts]
    ids = [format_position_id(subject.state.position) for subject in subjects]
    if ids[0] == ids[1]:
        streams.print(f"same: {ids[0]}\n")
        return Status.OK
    streams.print(f"different: {ids[0]} and {ids[1]}\n")
    return Status.FAILED
