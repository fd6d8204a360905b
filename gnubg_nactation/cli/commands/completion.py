"""`nactate completion`: print the completion script of a shell."""

from __future__ import annotations

import argparse

from gnubg_nactation.cli.shell_files import COMPLETIONS, shell_file
from gnubg_nactation.cli.streams import Status, Streams

DESCRIPTION = (
    "Print a script that lets a shell complete commands, options and their values with the Tab key."
)
EXAMPLES = """\
  nactate completion bash   > ~/.local/share/bash-completion/completions/nactate
  nactate completion zsh    > ~/.zfunc/_nactate
  nactate completion fish   > ~/.config/fish/completions/nactate.fish
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("shell", choices=tuple(COMPLETIONS), help="the shell")


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams.print(shell_file(COMPLETIONS[options.shell]))
    return Status.OK
