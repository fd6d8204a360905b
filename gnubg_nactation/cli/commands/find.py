"""`nactate find`: find the games with a sequence, a play or a position."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.archive.filters import describe_filters
from gnubg_nactation.archive.finding import FoundTurn
from gnubg_nactation.cli.results import (
    Coloured,
    OfDatabase,
    letters_setting,
    on_terminal,
    width_of,
)
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.exports.finds import find_json, find_lines
from gnubg_nactation.showing import quoted, shown
from gnubg_nactation.tasks.games import MyGameSettings
from gnubg_nactation.tasks.library import find, sought_by
from gnubg_nactation.tasks.settings import SettingsError, setting

DESCRIPTION = """\
Find the games in which a sequence, a play or a position occurs.
Searches the games stored by `nactate index`; prints places that `card` and `post` accept."""
EXAMPLES = """\
  nactate find 54S-63R              games that begin this way
  nactate find '*-63R-31P'          63R answered by 31P at any time
  nactate find --me '44A{?}'        your attacks with 44
  nactate find 4HPwATDgc/ABMA       a position
  nactate find --files 31P | xargs -d '\\n' nactate annotate -o pages/ --to html

In a sequence `*` stands for any turns, `?` for one turn, die or character. A sequence is
searched at the start of games, unless it begins with `*`; a single turn is found anywhere.
"""
USAGE = "PATTERN"
_ALIGNED = 10_000  # lines whose places have the same width
_FORMS = {
    "files": "print file names, each once",
    "places": "print places only, for `card`",
    "sequences": "print the sequences that lead there, for `explain`",
    "json": "print a JSON object per place",
}


class Options(MyGameSettings, OfDatabase, Coloured, first="what form end letters color db"):
    """The settings of the task, and of its result."""

    what: str = setting(
        "",
        "a sequence with wildcards, `X after Y`, a Position ID, an XGID, a decision such as "
        "match.sgf#2.13b, or `-`",
        "PATTERN",
        words="joined",
    )
    form: str = setting(
        "text", "", shortcuts={f"--{form}": (form, line) for form, line in _FORMS.items()}
    )
    end: str = setting(
        "\n",
        "",
        shortcuts={"-0 --null": ("\0", "end each file, place or sequence with a null character")},
    )
    letters: bool = letters_setting()


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    text = streams.text_of(settings.what)
    if settings.end != "\n" and settings.form not in _WORDS:
        raise SettingsError(f"-0 goes with {', '.join(f'--{form}' for form in _WORDS)}")
    sought = sought_by(text, streams)
    with archive_at(settings.db or default_path()) as archive:
        finds = find(archive, sought, settings)
        first = next(finds, None)
        if first is None:
            about = describe_filters(settings.filters())
            streams.report(f"no game has {quoted(text)}" + (about and f" in {about}"))
            return Status.FAILED
        is_terminal, width = streams.stdout.isatty(), width_of(streams)
        output = on_terminal(streams, settings) if settings.form == "text" else streams
        found = chain([first], finds)
        plays = not settings.letters
        for piece in _format(found, settings.form, settings.end, is_terminal, width, plays):
            output.print(piece)
    return Status.OK


def _format(
    finds: Iterator[FoundTurn], form: str, end: str, is_terminal: bool, screen: int, plays: bool
) -> Iterator[str]:
    """Yield the output in pieces, so that it does not wait in memory."""
    if form in _WORDS:
        printed = {""}
        for word in map(_WORDS[form], finds):
            if word not in printed:
                printed.add(word)
                yield f"{shown(word) if is_terminal else word}{end}"  # a pipe gets names verbatim
    elif form == "json":
        yield from map(find_json, finds)
    else:
        width = 0
        while some := list(islice(finds, _ALIGNED)):
            width = max(width, *(len(shown(str(find.place))) for find in some))
            yield find_lines(some, width, screen, plays=plays)


_WORDS: dict[str, Callable[[FoundTurn], str]] = {
    "files": lambda find: find.place.file,
    "places": lambda find: str(find.place),
    "sequences": lambda find: find.sequence,
}
