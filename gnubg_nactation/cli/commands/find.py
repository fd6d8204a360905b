"""`nactate find`: find the games with a sequence, a play or a position."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence

from gnubg_nactation.archive.database import archive_at, default_path
from gnubg_nactation.archive.filters import check_filters
from gnubg_nactation.archive.finding import Found, find_position, find_sequence
from gnubg_nactation.cli.archive_options import add_game_options, add_me_option, filters_of
from gnubg_nactation.cli.arguments import Joined
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.subject import read_named
from gnubg_nactation.cli.terminal import add_color_option, on_terminal
from gnubg_nactation.sequences.pattern import parse_pattern
from gnubg_nactation.showing import json_text, quoted, shown

DESCRIPTION = (
    "Find the games of a database that `nactate index` made in which a sequence, a play or a "
    "position occurs: where it is, as `card` and `post` take it, and the turns around it. In a "
    "sequence `*` stands for any turns, `?` for one, or for a die or a character; `31P{?}` is any "
    "member of the family P. One turn alone is found anywhere; a sequence begins with the game, "
    "unless `*` stands before it. Filters are about who makes the last turn."
)
EXAMPLES = """\
  nactate find 31P                             every 31P
  nactate find 54S-63R                         the games that begin so
  nactate find '*-63R-31P'                     63R answered by 31P at any time
  nactate find '31P after 6?S'                 a split with a 6 answered by 31P
  nactate find --me '44A{?}'                   my attacks with 44, all members of the family
  nactate find '*-C-P' --score 2-3             passes of who needs 2 points, and the opponent 3
  nactate find 4HPwATDgc/ABMA                  a position, or an XGID with its roll
  nactate find --files 31P | xargs -d '\\n' nactate annotate -o pages --to html
"""
_BEFORE, _AFTER = 6, 3  # tokens shown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "what",
        metavar="PATTERN",
        nargs="+",
        action=Joined,
        help="a sequence with wildcards, `X after Y`, a Position ID, an XGID, MATCH#GAME.MOVE for "
        "the position of a decision, or `-`",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object for each place")
    form.add_argument(
        "--sequences", action="store_true", help="the sequences that lead there, for `explain`"
    )
    form.add_argument("--places", action="store_true", help="the places alone, for `card`")
    form.add_argument("--files", action="store_true", help="the names of the files, each once")
    parser.add_argument(
        "-0",
        "--null",
        action="store_const",
        dest="end",
        const="\0",
        default="\n",
        help="end each file, place or sequence with a null character, for `xargs -0`",
    )
    add_color_option(parser)
    add_me_option(add_game_options(parser))


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    text = streams.text_of(options.what)
    form = next((one for one in _FORMS if getattr(options, one)), "text")
    if options.end != "\n" and form not in _WORDS:
        streams.report(f"find: -0 goes with {', '.join(f'--{one}' for one in _WORDS)}")
        return Status.USAGE
    filters = filters_of(options)
    subject = read_named(text, options, streams)
    pattern = None if subject else parse_pattern(text)
    with archive_at(options.db or default_path()) as connection:
        check_filters(connection, filters)
        if pattern:
            found = find_sequence(connection, pattern, filters)
        elif subject:
            state = subject.state
            found = find_position(connection, state.position, state.roll, filters)
        written = _format(found, form, options.end, is_terminal=streams.stdout.isatty())
    if not found:
        streams.report(f"no game has {quoted(text)}")
        return Status.FAILED
    (streams if form in _FORMS else on_terminal(streams, options)).print(written)
    return Status.OK


def _format(found: Sequence[Found], form: str, end: str, *, is_terminal: bool) -> str:
    if form in _WORDS:
        words: Iterable[str] = dict.fromkeys(filter(None, map(_WORDS[form], found)))
        if is_terminal:  # a pipe gets names as they are
            words = map(shown, words)
        return "".join(f"{word}{end}" for word in words)
    return "".join(map(_json, found) if form == "json" else _lines(found))


_WORDS: dict[str, Callable[[Found], str]] = {
    "files": lambda one: one.place.file,
    "places": lambda one: str(one.place),
    "sequences": lambda one: one.sequence,
}
_FORMS = (*_WORDS, "json")


def _lines(found: Sequence[Found]) -> Iterator[str]:
    places = [shown(str(one.place)) for one in found]
    width = max(map(len, places), default=0)
    for one, place in zip(found, places, strict=True):
        before = "-".join(["..."] * (len(one.before) > _BEFORE) + list(one.before[-_BEFORE:]))
        after = "-".join([*one.after[:_AFTER], *["..."] * (len(one.after) > _AFTER)])
        yield f"{place:{width}}  {before}{after and f' | {after}'}\n"


def _json(one: Found) -> str:
    place = one.place
    value = {
        "place": str(place),
        "file": place.file,
        "match": place.match,
        "game": place.game,
        "move": place.move,
        "player": place.player,
        "turn": one.turn,
        "players": one.players,
        "date": one.date or None,
        "sequence": one.sequence or None,
        "after": "-".join(one.after) or None,
    }
    return json_text(value, close=True) + "\n"
