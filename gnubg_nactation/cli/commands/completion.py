"""`nactate completion`: print a shell's completion script."""

from __future__ import annotations

from gnubg_nactation.cli.shell_files import COMPLETIONS, shell_file
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.tasks.settings import Settings, setting

DESCRIPTION = """\
Let the Tab key complete commands, options and their values in your shell.
Prints a script; save it where your shell looks for completions."""
EXAMPLES = """\
  nactate completion bash   > ~/.local/share/bash-completion/completions/nactate
  nactate completion zsh    > ~/.zfunc/_nactate
  nactate completion fish   > ~/.config/fish/completions/nactate.fish
"""


class Options(Settings):
    """Which script to print."""

    shell: str = setting("", "your shell", choices=tuple(COMPLETIONS), words="one")


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams.print(shell_file(COMPLETIONS[settings.shell]))
    return Status.OK
