"""`nactate check`: proof-read a sequence, or the Nactation in a file."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from gnubg_nactation import MalformedError, NactationError, Play, Plays, annotate, format_play
from gnubg_nactation.annotation import AnnotatedTurn
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.cli.arguments import add_sequence_options, file_named, read_sequence
from gnubg_nactation.cli.inputs import Input, read_input
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.exports.sgf import PREFIX, cube_letter, parse_comment_line
from gnubg_nactation.files import sgf
from gnubg_nactation.files.formats import is_sgf
from gnubg_nactation.language.dialects import Dialect, plays_in
from gnubg_nactation.sequences.check import Checked, Verdict, check_name, check_sequence
from gnubg_nactation.showing import quoted, shown

__all__ = ["DESCRIPTION", "EXAMPLES", "add_arguments", "run"]

DESCRIPTION = (
    "Say of each token whether it is right, right but not what the author of the "
    "language would write, or wrong. The exit status is 1 if anything is wrong."
)
EXAMPLES = """\
  nactate check 54S-63R-31P
  nactate check moves.txt               a sequence on each line
  nactate check annotated.sgf           the comments of an annotated match
"""

# The errors of cube actions as earlier versions wrote them: `x120 wrong take`.
_OF_OLD = re.compile(r"x(0|[1-9][0-9]{0,3})")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("text", metavar="FILE-or-SEQUENCE", help="a file, a sequence, or `-`")
    add_sequence_options(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    path = file_named(options.text)
    if path is None:
        lines = [("", streams.text_of(options.text))]
    else:
        data = read_input(Input(str(path), path.name), streams.stdin)
        if is_sgf(data):
            return _check_comments(path, data, options.dialect, streams)
        text = data.decode("utf-8", "replace").splitlines()
        lines = [(f"{path}:{number}: ", line) for number, line in enumerate(text, 1)]
    status = Status.OK
    for place, line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            decoded = read_sequence(line, options, streams)
        except NactationError as error:
            streams.complain(f"{place}{error}", error.excerpt())
            status = Status.FAILED
            continue
        checked = check_sequence(decoded)
        found = _report(((f"{place}{turn.token.text}", one) for turn, one in checked), streams)
        status = max(status, found)
    return status


def _check_comments(path: Path, data: bytes, dialect: Dialect, streams: Streams) -> int:
    """Proof-read the comments of an annotated match; FAILED if one is wrong."""
    status = Status.OK
    comments = [
        (f"{path}: game {game.number}, turn {turn.number}: ", turn, line)
        for record in sgf.read_all(data)
        for game in annotate(record.match).games
        for turn in game.turns
        for line in turn.action.comment.splitlines()
        if line.startswith(PREFIX)
    ]
    for place, turn, line in comments:
        status = max(status, _check_comment(place, turn, line, dialect, streams))
    if not comments:
        streams.complain(
            f"{path}: no comment begins with {quoted(PREFIX.strip())}: nothing to check"
        )
    return status


def _check_comment(
    place: str, turn: AnnotatedTurn, line: str, dialect: Dialect, streams: Streams
) -> int:
    try:
        said = [(place + text, one) for text, one in _check_line(turn, line, dialect)]
    except NactationError as error:
        streams.complain(f"{place}{error}")
        return Status.FAILED
    return _report(said, streams)


def _check_line(turn: AnnotatedTurn, line: str, dialect: Dialect) -> Iterator[tuple[str, Checked]]:
    """The verdicts on what a comment says of a turn; NactationError if it says another thing."""
    action = turn.action
    if not isinstance(action, Move):
        letter, found = cube_letter(turn), line[len(PREFIX) :].strip()
        word = found.partition(" ")[0]
        if not letter or not (word == letter or _OF_OLD.fullmatch(word)):
            raise MalformedError(
                f"found {quoted(found)}, expected {quoted(letter or 'no Nactation')}"
            )
        return
    comment = parse_comment_line(line)
    if comment.roll and comment.roll != str(action.roll):
        raise MalformedError(f"found the roll {comment.roll}, expected {action.roll}")
    play, plays = turn.play, plays_in(Plays.of(turn.plays), dialect)
    for name in comment.names:
        if play is not None:
            yield f"{action.roll}{name}", check_name(name, play, plays)
        elif str(name) == turn.nactation:  # a fan
            yield f"{action.roll}{name}", Checked(Verdict.OK, name, None, None, None)
        else:
            raise MalformedError(f"found {quoted(str(name))}, though there is no play to name")
    for entry in comment.nacbrac.entries if comment.nacbrac else ():
        plays.play(entry.name)


def _report(checked: Iterable[tuple[str, Checked]], streams: Streams) -> int:
    """Print a line for each token; FAILED if one is wrong."""
    status = Status.OK
    for place, one in checked:
        streams.print(f"{shown(place)}: {_line(one)}\n")
        if one.verdict is Verdict.WRONG:
            status = Status.FAILED
    return status


def _line(one: Checked) -> str:
    if one.verdict is Verdict.OK:
        return "ok"
    if one.verdict is Verdict.VALID:
        return f"valid for {_play(one.meant)}, though {one.better} is preferred"
    if one.written is None:
        return f"wrong: a choice without a character; probably {one.better}, {_play(one.meant)}"
    says = f"it says {_play(one.says)}" if one.says else "it names no play"
    return f"wrong: {says}; probably {one.better} was meant, {_play(one.meant)}"


def _play(play: Play | None) -> str:
    return format_play(play) if play else "no play"
