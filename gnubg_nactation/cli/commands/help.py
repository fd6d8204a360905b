"""`nactate help`: the help of a command, completion scripts and the manual page."""

from __future__ import annotations

from gnubg_nactation.cli.commands import commands
from gnubg_nactation.cli.main import build_parser, overview
from gnubg_nactation.cli.shell_files import COMPLETIONS, MANUAL, shell_file
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.tasks.settings import Settings, SettingsError, setting

DESCRIPTION = """\
Show the commands, or the help of one. `completion` prints the script that lets the Tab key complete
commands, options and values in your shell; save it where the shell looks. `manpage` prints the
manual page."""
EXAMPLES = """\
  nactate help leaks
  nactate help completion bash   > ~/.local/share/bash-completion/completions/nactate
  nactate help completion zsh    > ~/.zfunc/_nactate
  nactate help completion fish   > ~/.config/fish/completions/nactate.fish
  nactate help manpage           > ~/.local/share/man/man1/nactate.1
  nactate help manpage | man -l -
"""
USAGE = "[COMMAND | completion SHELL | manpage]"
_COMPLETION, _MANUAL = "completion", "manpage"


class Options(Settings):
    """What to show."""

    topic: str | None = setting(
        None,
        "a command, `completion` or `manpage` (default: the list of commands)",
        "TOPIC",
        choices=(*commands(), _COMPLETION, _MANUAL),
        words="optional",
    )
    shell: str | None = setting(
        None, "the shell to complete in", choices=tuple(COMPLETIONS), words="optional"
    )


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    topic, shell = settings.topic, settings.shell
    if topic == _COMPLETION:
        if shell is None:
            raise SettingsError(f"completion needs your shell: {', '.join(COMPLETIONS)}")
        streams.print(shell_file(COMPLETIONS[shell]))
    elif shell is not None:
        raise SettingsError(f"unexpected argument: {shell}")
    elif topic is None:
        streams.print(overview())
    elif topic == _MANUAL:
        streams.print(shell_file(MANUAL))
    else:
        build_parser([topic]).parse_args([topic, "--help"])  # prints the help and exits
    return Status.OK
