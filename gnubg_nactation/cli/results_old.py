"""The format and the destination of a result: a file or standard output."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

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


def add_color_option(parser: argparse._ActionsContainer) -> None:
    """Declare --color."""
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="when to print styles and colours (default: auto, on a terminal)",
    )
