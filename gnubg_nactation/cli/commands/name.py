"""`nactate name`: the old name of `nactate encode --name`."""

from __future__ import annotations

from gnubg_nactation.cli.commands.encode import Selection, longest_setting, print_names
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.tasks.settings import setting

DESCRIPTION = "The old name of `nactate encode --name`."
EXAMPLES = "  nactate name 32Z-41h-11\n"
USAGE = "SEQUENCE-or-FILE"


class Options(Selection, first="what decode"):
    """A sequence or a match, and what its names have."""

    what: str = setting("", "a sequence, a match file, or `-`", "SEQUENCE-or-FILE", words="one")
    decode: bool = setting(False, "print the sequence of a name")
    longest: int = longest_setting()


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    longest = 0 if settings.decode else settings.longest
    return print_names(settings.what, settings, longest, streams)
