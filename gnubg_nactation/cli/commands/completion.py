"""`nactate completion`: print a shell's completion script."""

from __future__ import annotations

import argparse

from gnubg_nactation.cli.shell_files import COMPLETIONS, shell_file
from gnubg_nactation.cli.streams import Status, Streams

DESCRIPTION = """\
Let the Tab key complete commands, options and their values in your shell.
Prints a script; save it where your shell looks for completions."""
EXAMPLES = """\
  nactate completion bash   > ~/.local/share/bash-completion/completions/nactate
  nactate completion zsh    > ~/.zfunc/_nactate
  nactate completion fish   > ~/.config/fish/completions/nactate.fish
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("shell", choices=tuple(COMPLETIONS), help="your shell")


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams.print(shell_file(COMPLETIONS[options.shell]))
    return Status.OK
