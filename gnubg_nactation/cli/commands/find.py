"""`nactate find`: find the games with a sequence, a play or a position."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.archive.filters import check_filters
from gnubg_nactation.archive.finding import FoundTurn, find_position, find_sequence
from gnubg_nactation.cli.archive_options import add_game_options, add_me_option, filters_of
from gnubg_nactation.cli.arguments import Joined
from gnubg_nactation.cli.results import on_terminal
from gnubg_nactation.cli.results_old import add_color_option
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.subject import read_named
from gnubg_nactation.sequences.pattern import parse_pattern
from gnubg_nactation.showing import json_line, quoted, shown
from gnubg_nactation.tasks.settings import SettingsError

DESCRIPTION = """\
Find the games in which a sequence, a play or a position occurs.
Searches the games stored by `nactate index`; prints places that `card` and `post` accept."""
EXAMPLES = """\
  nactate find 54S-63R              games that begin this way
  nactate find '*-63R-31P'          63R answered by 31P at any time
  nactate find --me '44A{?}'        your attacks with 44
  nactate find 4HPwATDgc/ABMA       a position
  nactate find --files 31P | xargs -d '\\n' nactate annotate -o pages --to html

In a sequence `*` stands for any turns, `?` for one turn, die or character. A sequence is
searched at the start of games, unless it begins with `*`; a single turn is found anywhere.
"""
_BEFORE, _AFTER = 6, 3  # tokens printed before and after the place
_ALIGNED = 10_000  # lines whose places have the same width
_FORMS = {
    "files": "print file names, each once",
    "places": "print places only, for `card`",
    "sequences": "print the sequences that lead there, for `explain`",
    "json": "print a JSON object per place",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options] PATTERN"
    parser.add_argument(
        "what",
        metavar="PATTERN",
        nargs="+",
        action=Joined,
        help="a sequence with wildcards, `X after Y`, a Position ID, an XGID, a decision such as "
        "match.sgf#2.13b, or `-`",
    )
    form = parser.add_mutually_exclusive_group()
    for name, line in _FORMS.items():
        form.add_argument(
            f"--{name}", dest="form", action="store_const", const=name, default="text", help=line
        )
    parser.add_argument(
        "-0",
        "--null",
        action="store_const",
        dest="end",
        const="\0",
        default="\n",
        help="end each file, place or sequence with a null character",
    )
    add_color_option(parser)
    add_me_option(add_game_options(parser))


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    text = streams.text_of(options.what)
    if options.end != "\n" and options.form not in _WORDS:
        raise SettingsError(f"-0 goes with {', '.join(f'--{form}' for form in _WORDS)}")
    filters = filters_of(options)
    subject = read_named(text, options, streams)
    pattern = None if subject else parse_pattern(text)
    with archive_at(options.db or default_path()) as connection:
        check_filters(connection, filters)
        if pattern:
            finds = find_sequence(connection, pattern, filters)
        elif subject:
            state = subject.state
            finds = find_position(connection, state.position, state.roll, filters)
        first = next(finds, None)
        if first is None:
            streams.report(f"no game has {quoted(text)}")
            return Status.FAILED
        is_terminal = streams.stdout.isatty()
        output = on_terminal(streams, options) if options.form == "text" else streams
        for piece in _format(chain([first], finds), options.form, options.end, is_terminal):
            output.print(piece)
    return Status.OK


def _format(finds: Iterator[FoundTurn], form: str, end: str, is_terminal: bool) -> Iterator[str]:
    """Yield the output in pieces, so that it does not wait in memory."""
    if form in _WORDS:
        printed = {""}
        for word in map(_WORDS[form], finds):
            if word not in printed:
                printed.add(word)
                yield f"{shown(word) if is_terminal else word}{end}"  # a pipe gets names verbatim
    elif form == "json":
        yield from map(_json, finds)
    else:
        width = 0
        while some := list(islice(finds, _ALIGNED)):
            width = max(width, *(len(shown(str(find.place))) for find in some))
            yield "".join(_lines(some, width))


_WORDS: dict[str, Callable[[FoundTurn], str]] = {
    "files": lambda find: find.place.file,
    "places": lambda find: str(find.place),
    "sequences": lambda find: find.sequence,
}


def _lines(finds: Sequence[FoundTurn], width: int) -> Iterator[str]:
    for find in finds:
        before = "-".join(["..."] * (len(find.before) > _BEFORE) + list(find.before[-_BEFORE:]))
        after = "-".join([*find.after[:_AFTER], *["..."] * (len(find.after) > _AFTER)])
        yield f"{shown(str(find.place)):{width}}  {before}{after and f' | {after}'}\n"


def _json(find: FoundTurn) -> str:
    place = find.place
    value = {
        "place": str(place),
        "file": place.file,
        "match": place.match,
        "game": place.game,
        "move": place.move,
        "player": place.player,
        "turn": find.turn,
        "players": find.players,
        "date": find.date or None,
        "sequence": find.sequence or None,
        "after": "-".join(find.after) or None,
    }
    return json_line(value, close=True)
