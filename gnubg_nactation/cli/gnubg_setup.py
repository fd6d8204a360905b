"""`nactate gnubg-setup`: put the plugin where the user's gnubg finds it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gnubg_nactation.cli.streams import Status, Streams

if TYPE_CHECKING:
    from argparse import _SubParsersAction

__all__ = ["add_parser"]


def add_parser(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "gnubg-setup", help="make `>import nactation_plugin` work in GNU Backgammon"
    )
    parser.set_defaults(command=_run, parser=parser)


def _run(options: argparse.Namespace, streams: Streams) -> int:
    del options
    streams.complain("gnubg-setup: not written yet")
    return Status.FAILED
