"""Results on a terminal: styles, colours, and lines that fit its width."""

from __future__ import annotations

import os

from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

COLOURS = ("auto", "always", "never")
_MIN_WIDTH, _MAX_WIDTH = 50, 200  # columns


def add_color_option(parser: argparse._ActionsContainer) -> None:
    """Declare --color."""
    parser.add_argument(
        "--color",
        choices=COLOURS,
        default="auto",
        help="when to print styles and colours (default: auto, on a terminal)",
    )


def on_terminal(streams: Streams, options: Any) -> Streams:
    """Return streams that fold and style text for a terminal; JSON and pipes stay unchanged.

    `--color always` also styles text in pipes.
    """
    terminal = streams.stdout.isatty()
    if getattr(options, "json", False) or not (terminal or options.color == "always"):
        return streams
    from gnubg_nactation.writing.terminal import fold, styled

    width = width_of(streams)
    coloured = options.color == "always" or (options.color == "auto" and _likes_colour())

    def style(text: str) -> str:
        folded = fold(text, width) if width else text
        return styled(folded) if coloured else folded

    return streams._replace(shown=style)


def width_of(streams: Streams) -> int:
    """Return the columns of the terminal, from 50 to 200, or of COLUMNS; 0 without a terminal."""
    if not streams.stdout.isatty():
        return 0
    try:
        width = int(os.environ.get("COLUMNS") or os.get_terminal_size(streams.stdout.fileno())[0])
    except (OSError, ValueError):
        return 80
    return min(max(width, _MIN_WIDTH), _MAX_WIDTH) if width > 0 else 80


def _likes_colour() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
