"""The format and the destination of a result: a file or standard output."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence

from gnubg_nactation.cli.streams import Streams, UsageError
from gnubg_nactation.cli.terminal import on_terminal
from gnubg_nactation.system.atomic import write_atomically

_SHORT = {"json", "csv"}  # forms that are also options


def add_result_options(parser: argparse.ArgumentParser, forms: Sequence[str]) -> None:
    """Declare --to with these forms, text first, and --output."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--to", choices=forms, default=forms[0], help="format (default: text)")
    for form in forms:
        if form in _SHORT:
            group.add_argument(
                f"--{form}",
                dest="to",
                action="store_const",
                const=form,
                help=f"same as --to {form}",
            )
    add_output_option(parser)


def add_output_option(parser: argparse._ActionsContainer) -> None:
    """Declare --output, which `write_result` takes."""
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to this file (default: standard output)"
    )


def check_output(output: str | None, inputs: Iterable[str]) -> None:
    """Raise UsageError if the output would overwrite an input file."""
    if output in {None, "-"} or not os.path.exists(output or ""):
        return
    for file in inputs:
        if os.path.exists(file) and os.path.samefile(output or "", file):
            raise UsageError(f"-o would overwrite {file}")


def deliver(text: str, options: argparse.Namespace, streams: Streams) -> None:
    """Write text to the output file, or print it, styled if it is for a terminal. OSError."""
    if options.to == "text" and options.output in {None, "-"}:
        on_terminal(streams, options).print(text)
    else:
        write_result(text.encode("utf-8", "surrogateescape"), options.output, streams)


def write_result(data: bytes, output: str | None, streams: Streams) -> None:
    """Write data to the output file, or to standard output for None or `-`. OSError."""
    if output is None or output == "-":
        streams.write(data)
    else:
        write_atomically(output, data)


def goes_to_terminal(output: str | None, streams: Streams) -> bool:
    """Whether the result would be written to a terminal."""
    return output in {None, "-"} and streams.stdout.isatty()
