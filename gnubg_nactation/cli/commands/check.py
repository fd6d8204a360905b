"""`nactate check`: proof-read the Nactation that somebody wrote."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gnubg_nactation.annotation import AnnotatedTurn, annotate
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.cli.arguments import add_sequence_options, is_file, read_sequence
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import MalformedError, NactationError
from gnubg_nactation.exports.sgf import PREFIX, cube_letter, parse_comment_line
from gnubg_nactation.files import sgf
from gnubg_nactation.files.formats import is_sgf
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.check import Checked, Verdict, check_name, check_sequence

if TYPE_CHECKING:
    from argparse import _SubParsersAction

__all__ = ["add_parser"]

_EXAMPLES = """\
examples:
  nactate check 54S-63R-31P
  nactate check moves.txt               a sequence on each line
  nactate check annotated.sgf           the comments of an annotated match
"""

# The errors of cube actions as earlier versions wrote them: `x120 wrong take`.
_OF_OLD = re.compile(r"x(0|[1-9][0-9]{0,3})")


def add_parser(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "check",
        help="proof-read a sequence, or the Nactation in a file",
        description="Say of each token whether it is right, right but not what the author of the "
        "language would write, or wrong. The exit status is 1 if anything is wrong.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("text", metavar="FILE-or-SEQUENCE", help="a file, a sequence, or `-`")
    add_sequence_options(parser)
    parser.set_defaults(command=_run, parser=parser)


def _run(options: argparse.Namespace, streams: Streams) -> int:
    path = Path(options.text)
    if options.text == "-" or not is_file(path):
        lines = [("", streams.text_of(options.text))]
    else:
        data = path.read_bytes()
        if is_sgf(data):
            return _check_comments(path, data, streams)
        text = data.decode("utf-8", "replace").splitlines()
        lines = [(f"{path}:{number}: ", line) for number, line in enumerate(text, 1)]
    status = Status.OK
    for place, line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            decoded = read_sequence(line, options)
        except NactationError as error:
            streams.complain(f"{place}{error}", error.excerpt())
            status = Status.FAILED
            continue
        checked = check_sequence(decoded)
        found = _report(((f"{place}{turn.token.text}", one) for turn, one in checked), streams)
        status = max(status, found)
    return status


def _check_comments(path: Path, data: bytes, streams: Streams) -> Status:
    """Proof-read the comments of an annotated match; FAILED if one is wrong."""
    status = Status.OK
    found = 0
    for record in sgf.read_all(data):
        annotated = annotate(record.match)
        for game in annotated.games:
            for turn in game.turns:
                action = turn.action
                for line in action.comment.splitlines():
                    if not line.startswith(PREFIX):
                        continue
                    found += 1
                    place = f"{path}: game {game.number}, turn {turn.number}: "
                    try:
                        told = list(_check_line(turn, line))
                    except NactationError as error:
                        streams.complain(f"{place}{error}")
                        status = Status.FAILED
                        continue
                    shown = _report(((place + text, one) for text, one in told), streams)
                    status = max(status, shown)
    if not found:
        streams.complain(f"{path}: no comment begins with {PREFIX.strip()!r}: nothing to check")
    return status


def _check_line(turn: AnnotatedTurn, line: str) -> Iterator[tuple[str, Checked]]:
    """The verdicts on what a comment says of a turn; NactationError if it says another thing."""
    action = turn.action
    if not isinstance(action, Move):
        letter, found = cube_letter(turn), line[len(PREFIX) :].strip()
        word = found.partition(" ")[0]
        if not letter or not (word == letter or _OF_OLD.fullmatch(word)):
            raise MalformedError(f"found {found!r}, expected {letter or 'no Nactation'!r}")
        return
    comment = parse_comment_line(line)
    if comment.roll and comment.roll != str(action.roll):
        raise MalformedError(f"found the roll {comment.roll}, expected {action.roll}")
    play, plays = turn.play, Plays.of(turn.plays)
    for name in comment.names:
        if play is not None:
            yield f"{action.roll}{name}", check_name(name, play, plays)
        elif str(name) == turn.nactation:  # a fan
            yield f"{action.roll}{name}", Checked(Verdict.OK, name, None, None, None)
        else:
            raise MalformedError(f"found {str(name)!r}, though there is no play to name")
    for entry in comment.nacbrac.entries if comment.nacbrac else ():
        plays.play(entry.name)


def _report(checked: Iterator[tuple[str, Checked]], streams: Streams) -> Status:
    """Print a line for each token; FAILED if one is wrong."""
    status = Status.OK
    for place, one in checked:
        streams.print(f"{place}: {_line(one)}\n")
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
