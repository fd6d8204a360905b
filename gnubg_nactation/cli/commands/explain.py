"""`nactate explain`: say why a play has its Nactations."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterator

from gnubg_nactation.backgammon.ids import format_position_id, parse_position
from gnubg_nactation.backgammon.notation import format_hops, format_play, parse_hops
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.cli.arguments import add_sequence_options, read_play, read_sequence
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.cli.terminal import add_color_option, on_terminal, width_of
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.language.areas import AREAS
from gnubg_nactation.language.explain import Explained, Explanation, Member
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.sequences.tokens import parse_sequence
from gnubg_nactation.showing import json_text, quoted
from gnubg_nactation.values import Any

DESCRIPTION = (
    "Explain the last play of a sequence, or a play after it or in a position: the area of "
    "each portion, the Nactation to write, and for every Nactation its definition, the "
    "family in rank order, and the convention that decides between neighbours."
)
EXAMPLES = """\
  nactate explain 54S-63R-31P
  nactate explain 4HPwATDgc/ABMA 43 24/20 13/10
  nactate explain 54S-63R "31: 8/5 6/5"          a play after a sequence
  nactate explain start 43 z                     the play that a Nactation names
  nactate explain --all --json 43Z-32X
"""
_WIDTH, _WIDEST = 80, 120  # of lines: not on a terminal, and on one


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.usage = (
        "%(prog)s [options] SEQUENCE\n       %(prog)s [options] SEQUENCE ROLL: PLAY\n"
        "       %(prog)s [options] POSITION ROLL PLAY"
    )
    parser.add_argument(
        "words",
        metavar="SEQUENCE | POSITION ROLL PLAY",
        nargs="+",
        help="a sequence, or `-`; its last play may be in traditional notation, as in `31: 8/5 "
        "6/5`; or a Position ID, an XGID, `start` or `nackgammon`, a roll, and a play in "
        "traditional notation or a Nactation",
    )
    add_sequence_options(parser)
    parser.add_argument("--all", action="store_true", help="list all members of large families")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    add_color_option(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams = on_terminal(streams, options)
    words = options.words
    reading = "strict"
    text = streams.text_of(" ".join(words))
    if len(words) > 1 and re.fullmatch("[1-6]{2}", words[1]) and not _is_sequence(words[0]):
        if len(words) == 2:
            options.parser.print_usage()
            streams.complain("explain: a play is missing, as in `nactate explain start 31 8/5 6/5`")
            return Status.USAGE
        position, roll = parse_position(words[0]), Roll.parse(words[1])
        play, plays, name = read_play(" ".join(words[2:]), position, roll, options.dialect)
    elif parts := _last_play(text):
        before, rolled, moves = parts
        if _is_sequence(before):
            position = read_sequence(before, options, streams).state.position
        else:
            position = parse_position(before)
        play, plays, name = read_play(moves, position, Roll.parse(rolled), options.dialect)
    else:
        turns = read_sequence(text, options, streams).turns
        if not turns:
            raise MalformedError("the sequence has no play to explain")
        turn = turns[-1]
        if turn.play is None:
            raise IllegalError(
                f"{quoted(turn.token.text)} has no play to explain: {turn.how.value}"
            )
        play, plays, name = turn.play, turn.plays, turn.nactation
        reading = f"{turn.how.value}: {turn.note}" if turn.note else turn.how.value
    explanation = plays.explain(play, everything=options.all)
    written = {"written": str(name), "reading": reading} if name else {}
    if options.json:
        value = _value(explanation) | written
        streams.print(json_text(value) + "\n")
    else:
        width = min(width_of(streams) or _WIDTH, _WIDEST)
        streams.print("\n".join(_lines(explanation, width, **written)) + "\n")
    return Status.OK


def _is_sequence(text: str) -> bool:
    """Whether a text can be read as a sequence, as no name of a position can."""
    try:
        parse_sequence(text)
    except MalformedError:
        return False
    return True


def _last_play(text: str) -> tuple[str, str, str] | None:
    """What stands before the last roll, that roll, and its play if it is in traditional notation.

    `54S-63R 31: 8/5 6/5`; the colon may be left out. None for a text that ends otherwise.
    """
    words = text.split()
    at = len(words)
    while at and _is_move(words[at - 1]):
        at -= 1
    moves, before = words[at:], " ".join(words[:at])
    head, colon, first = before.rpartition(":")  # no blank behind it
    if colon and _is_move(first):
        before, moves = head, [first, *moves]
    before = before.removesuffix(":").rstrip()
    parted = len(before) == 2 or before[-3:-2] in {" ", "-"}
    if not moves or not parted or not re.fullmatch("[1-6]{2}", before[-2:]):
        return None
    return before[:-2].rstrip(" -"), before[-2:], " ".join(moves)


def _is_move(word: str) -> bool:
    try:
        return bool(parse_hops(word))
    except MalformedError:
        return False


def _lines(
    explanation: Explanation, width: int, written: str = "", reading: str = ""
) -> Iterator[str]:
    play = explanation.play
    yield f"{format_position_id(play.before)} {play.roll}: {format_play(play)}"
    portions = ", ".join(f"{format_hops([one])} {area}" for one, area in explanation.areas)
    code = "".join(map(str, explanation.code))
    counts = ", ".join(map("{} {}".format, AREAS, explanation.code))
    yield from _wrapped(width, "Areas      ", f"{portions}; code {code} ({counts})")
    if written:
        how = "" if reading == "strict" else f" ({reading})"
        yield from _wrapped(width, "Written    ", f"{written}{how}")
    others = [str(one.naming.nactation) for one in explanation.nactations[1:]]
    yield from _wrapped(width, "Preferred  ", f"{explanation.preferred} ({explanation.reason})")
    yield from _wrapped(width, "Others     ", ", ".join(others) or "none")
    for explained in explanation.nactations:
        yield ""
        yield from _explained_lines(explained, play, width)


def _explained_lines(explained: Explained, play: Play, width: int) -> Iterator[str]:
    row = explained.row
    sections = "section" if row.section.isdigit() else "sections"
    head = f"{explained.naming.nactation}  {row.word} ({explained.naming.right.value}; tutorial, "
    yield f"{head}{sections} {row.section})"
    yield from _wrapped(width, "   ", row.meaning)
    if explained.note:
        yield from _wrapped(width, "   ", explained.note)
    count = "the only member" if explained.size == 1 else f"{explained.size} members, ranked by "
    yield f"   {count}{explained.rule if explained.size > 1 else ''}"
    for first, last in explained.loops:
        ends = f"{Nactation(row, first)} to {Nactation(row, last)}"
        words = f"{ends} form a logic loop: in it more home points rank higher"
        yield from _wrapped(width, "   ", words)
    names = [str(member.nactation) for member in explained.members]
    longest = max(map(len, names))
    before = 0
    for name, member in zip(names, explained.members, strict=True):
        if left_out := member.nactation.member - before - 1:
            yield f"     ... {left_out} more"
        before = member.nactation.member
        mark = ">" if member.play == play else " "
        yield f"   {mark} {name:{longest}}  {format_play(member.play)}"
        if member.decision:
            yield from _wrapped(width, " " * (longest + 9), str(member.decision))
    if before < explained.size:
        yield f"     ... {explained.size - before} more"


def _wrapped(width: int, indent: str, text: str) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=" " * len(indent))


def _value(explanation: Explanation) -> dict[str, Any]:
    play = explanation.play
    return {
        "position_id": format_position_id(play.before),
        "roll": str(play.roll),
        "play": format_play(play),
        "after": format_position_id(play.after),
        "portions": [
            {"portion": format_hops([one]), "area": area} for one, area in explanation.areas
        ],
        "areas": dict(zip(AREAS, explanation.code, strict=True)),
        "code": "".join(map(str, explanation.code)),
        "preferred": str(explanation.preferred),
        "reason": explanation.reason,
        "nactations": list(map(_explained_value, explanation.nactations)),
    }


def _explained_value(explained: Explained) -> dict[str, Any]:
    nactation, right = explained.naming
    return {
        "text": str(nactation),
        "kind": right.value,
        "member": nactation.member,
        "family": explained.row.key,
        "name": explained.row.word,
        "definition": explained.row.meaning,
        "section": explained.row.section,
        "note": explained.note,
        "order": explained.rule,
        "size": explained.size,
        "loops": explained.loops,
        "members": list(map(_member_value, explained.members)),
    }


def _member_value(member: Member) -> dict[str, Any]:
    value: dict[str, Any] = {
        "text": str(member.nactation),
        "member": member.nactation.member,
        "play": format_play(member.play),
    }
    if member.decision:
        value["above_next"] = member.decision._asdict()
    return value
