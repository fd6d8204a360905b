"""Results on a terminal: looks and colours if they are wanted, and lines as wide as it is."""

from __future__ import annotations

import os

from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

COLOURS = ("auto", "always", "never")
_WIDTHS = 50, 200  # columns, at least and at most, that the layout follows


def add_color_option(parser: argparse._ActionsContainer) -> None:
    """Declare --color."""
    parser.add_argument(
        "--color",
        choices=COLOURS,
        default="auto",
        help="when to print styles and colours (default: auto, on a terminal)",
    )


def on_terminal(streams: Streams, options: Any) -> Streams:
    """Streams whose results are for the terminal that they go to; JSON and pipes stay as they are.

    With `--color always` pipes have looks, too.
    """
    terminal = streams.stdout.isatty()
    if getattr(options, "json", False) or not (terminal or options.color == "always"):
        return streams
    from gnubg_nactation.writing.terminal import fold, styled

    width = width_of(streams)
    coloured = options.color == "always" or (options.color == "auto" and _likes_colour())

    def shown(text: str) -> str:
        folded = fold(text, width) if width else text
        return styled(folded) if coloured else folded

    return streams._replace(shown=shown)


def width_of(streams: Streams) -> int:
    """How many columns the terminal has that results go to, from 50 to 200; 0 for no terminal.

    COLUMNS says more than the terminal.
    """
    if not streams.stdout.isatty():
        return 0
    try:
        width = int(os.environ.get("COLUMNS") or os.get_terminal_size(streams.stdout.fileno())[0])
    except (OSError, ValueError):
        return 80
    least, most = _WIDTHS
    return min(max(width, least), most) if width > 0 else 80


def _likes_colour() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
