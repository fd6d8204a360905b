"""`nactate manpage`: print the manual page."""

from __future__ import annotations

import argparse
import pkgutil

from gnubg_nactation import __version__
from gnubg_nactation.cli.streams import Status, Streams

__all__ = ["DESCRIPTION", "EXAMPLES", "add_arguments", "run"]

DESCRIPTION = "Print the manual page as man reads it."
EXAMPLES = """\
  nactate manpage   > ~/.local/share/man/man1/nactate.1
  nactate manpage | man -l -
"""


def add_arguments(_: argparse.ArgumentParser) -> None:
    """Declare what the command takes: nothing."""


def run(_: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    page = pkgutil.get_data("gnubg_nactation.cli", "shell/nactate.1") or b""
    streams.write(page.replace(b"@VERSION@", __version__.encode()))
    return Status.OK
