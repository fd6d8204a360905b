"""`nactate gnubg-setup`: add Nactation to GNU Backgammon."""

from __future__ import annotations

from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.tasks.gnubg_setup import SetupSettings, describe, remove, set_up
from gnubg_nactation.tasks.settings import setting

DESCRIPTION = """\
Add Nactation to GNU Backgammon: type `>import nactation_plugin` there.
Writes a module that gnubg finds, and files for File > Open Commands into ~/Nactation."""
EXAMPLES = """\
  nactate gnubg-setup --at-start   gnubg always starts with the Nactation menu
  nactate gnubg-setup --status
  nactate gnubg-setup --undo
"""


class Options(SetupSettings, first="at_start status undo"):
    """The settings of the task, and which one it is."""

    status: bool = setting(False, "show what is installed", only_one="action")
    undo: bool = setting(False, "uninstall", only_one="action")


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    act = describe if settings.status else remove if settings.undo else set_up
    for line in act(settings):
        streams.print(f"{line}\n")
    return Status.OK
