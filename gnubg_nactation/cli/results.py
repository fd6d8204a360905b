"""In which form a result is told, and where it goes: one file, or the terminal."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.cli.terminal import on_terminal
from gnubg_nactation.system.atomic import write_atomically

_MEANT = {
    "text": "text (the default)",
    "json": "JSON",
    "csv": "CSV",
    "html": "one page with boards",
}
_SHORT = {"json", "csv"}  # forms with an option of their own


def add_result_options(parser: argparse.ArgumentParser, forms: Sequence[str]) -> None:
    """Declare in which of these forms, text the first, a result is told, and where it goes."""
    group = parser.add_mutually_exclusive_group()
    *first, last = (_MEANT[form] for form in forms)
    group.add_argument(
        "--to", choices=forms, default=forms[0], help=f"{', '.join(first)} or {last}"
    )
    for form in forms:
        if form in _SHORT:
            group.add_argument(
                f"--{form}", dest="to", action="store_const", const=form, help=f"as --to {form}"
            )
    parser.add_argument("-o", "--output", metavar="FILE", help="instead of the terminal")


def overwritten(output: str | None, inputs: Iterable[str]) -> str:
    """Which of the files that are read a result would be written over; empty if none."""
    if output in {None, "-"} or not os.path.exists(output or ""):
        return ""
    known = (one for one in inputs if os.path.exists(one))
    return next((one for one in known if os.path.samefile(output or "", one)), "")


def deliver(text: str, options: argparse.Namespace, streams: Streams) -> None:
    """Write a result where the options have it; OSError."""
    if options.output not in {None, "-"}:
        write_atomically(Path(options.output), text.encode())
    else:
        (on_terminal(streams, options) if options.to == "text" else streams).print(text)
