"""`nactate manpage`: print the manual page."""

from __future__ import annotations

import argparse

from gnubg_nactation.cli.shell_files import MANUAL, shell_file
from gnubg_nactation.cli.streams import Status, Streams

DESCRIPTION = """\
Print the manual page of nactate, in the format that `man` reads."""
EXAMPLES = """\
  nactate manpage   > ~/.local/share/man/man1/nactate.1
  nactate manpage | man -l -
"""


def add_arguments(_: argparse.ArgumentParser) -> None:
    """Declare no arguments."""


def run(_: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams.print(shell_file(MANUAL))
    return Status.OK
