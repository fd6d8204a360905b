"""`nactate completion`: the old name of `nactate help completion`."""

from __future__ import annotations

from gnubg_nactation.cli.shell_files import COMPLETIONS, shell_file
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.tasks.settings import Settings, setting

DESCRIPTION = "The old name of `nactate help completion`."
EXAMPLES = "  nactate completion bash\n"


class Options(Settings):
    """Which script to print."""

    shell: str = setting("", "your shell", choices=tuple(COMPLETIONS), words="one")


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams.print(shell_file(COMPLETIONS[settings.shell]))
    return Status.OK
