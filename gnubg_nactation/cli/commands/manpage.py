"""`nactate manpage`: print the manual page."""

from __future__ import annotations

from gnubg_nactation.cli.shell_files import MANUAL, shell_file
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.tasks.settings import Settings

DESCRIPTION = """\
Print the manual page of nactate, in the format that `man` reads."""
EXAMPLES = """\
  nactate manpage   > ~/.local/share/man/man1/nactate.1
  nactate manpage | man -l -
"""


class Options(Settings):
    """No settings."""


def run(_: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams.print(shell_file(MANUAL))
    return Status.OK
