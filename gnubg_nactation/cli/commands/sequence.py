"""`nactate sequence`: the old name of `nactate encode` for match files."""

from __future__ import annotations

from gnubg_nactation.cli.commands.encode import Selection, print_sequences
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.sequences.notation import PLAIN, in_words
from gnubg_nactation.tasks.settings import setting
from gnubg_nactation.tasks.styles import characters_setting, spoken_setting

DESCRIPTION = "The old name of `nactate encode` for match files."
EXAMPLES = "  nactate sequence match.mat\n"
USAGE = "FILE"


class Options(Selection, first="file"):
    """The match, which of its turns, and how they are written."""

    file: str = setting("", "a match file, or `-`", "FILE", words="one")
    characters: str = characters_setting()
    spoken: bool = spoken_setting()


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    style = in_words(PLAIN) if settings.spoken else PLAIN
    return print_sequences(settings.file, settings, settings.characters, style, streams)
