"""The option --paste: the clipboard is read as standard input."""

from __future__ import annotations

import argparse
import io

from gnubg_nactation.cli.streams import Streams


def add_paste_option(parser: argparse.ArgumentParser, name: str = "SUBJECT") -> None:
    """Declare --paste, which `main` replaces by `-`."""
    parser.add_argument("--paste", action="store_true", help=f"read the clipboard as the {name}")


def with_clipboard(streams: Streams) -> Streams:
    """Return the streams with the clipboard as standard input. Raises NactationError."""
    from gnubg_nactation.system.clipboard import read_clipboard

    return streams._replace(stdin=io.BytesIO(read_clipboard()))
