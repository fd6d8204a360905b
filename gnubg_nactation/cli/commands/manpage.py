"""`nactate manpage`: the old name of `nactate help manpage`."""

from __future__ import annotations

from gnubg_nactation.cli.shell_files import MANUAL, shell_file
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.tasks.settings import Settings

DESCRIPTION = "The old name of `nactate help manpage`."
EXAMPLES = "  nactate manpage\n"


class Options(Settings):
    """No settings."""


def run(_: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams.print(shell_file(MANUAL))
    return Status.OK
