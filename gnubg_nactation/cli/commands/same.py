"""`nactate same`: the old name of `nactate check --same`."""

from __future__ import annotations

from gnubg_nactation.cli.commands.check import compare
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.tasks.settings import setting
from gnubg_nactation.tasks.subjects import SUBJECT_HELP, SequenceSettings

DESCRIPTION = "The old name of `nactate check --same`."
EXAMPLES = "  nactate same 65R-52S-41T 65R-52S-32T\n"
USAGE = "SUBJECT SUBJECT"


class Options(SequenceSettings, first="one other"):
    """Two subjects, and how they are read."""

    one: str = setting("", SUBJECT_HELP, "SUBJECT", words="one")
    other: str = setting("", "the subject to compare it with", "SUBJECT", words="one")


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    return compare((settings.one, settings.other), settings, streams)
