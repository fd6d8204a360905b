"""`nactate explain`: why a play has its Nactations."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from gnubg_nactation.backgammon.ids import format_position_id, parse_position
from gnubg_nactation.backgammon.notation import format_play, parse_play
from gnubg_nactation.backgammon.plays import Play, Portion, Roll
from gnubg_nactation.cli.arguments import add_sequence_options, read_sequence
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.language.areas import AREAS
from gnubg_nactation.language.explain import Explained, Explanation, Member
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.decode import Decoded

if TYPE_CHECKING:
    from argparse import _SubParsersAction

__all__ = ["add_parser"]

_EXAMPLES = """\
examples:
  nactate explain 54S-63R-31P
  nactate explain 4HPwATDgc/ABMA 43 24/20 13/10
  nactate explain start 43 z                     the play that a Nactation names
  nactate explain --all --json 43Z-32X
"""
_WIDTH = 80


def add_parser(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "explain",
        help="say why a play has its Nactations",
        usage="%(prog)s [options] SEQUENCE\n       %(prog)s [options] POSITION ROLL PLAY",
        description="Explain the last play of a sequence, or a play in a position: the area of "
        "each portion, the Nactation to write, and for every Nactation its definition, the "
        "family in rank order, and the convention that decides between neighbours.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "words",
        metavar="SEQUENCE | POSITION ROLL PLAY",
        nargs="+",
        help="a sequence, or `-`; or a Position ID, an XGID, `start` or `nackgammon`, a roll, and "
        "a play in traditional notation or a Nactation",
    )
    add_sequence_options(parser)
    parser.add_argument("--all", action="store_true", help="list all members of large families")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(command=_run, parser=parser)


class _Question(NamedTuple):
    """The play to be explained, among `plays`; what was written for it, if anything, and how."""

    play: Play
    plays: Plays
    written: Nactation | None = None
    reading: str = "strict"


def _run(options: argparse.Namespace, streams: Streams) -> int:
    words = options.words
    if len(words) > 1 and _is_roll(words[1]):
        if len(words) == 2:
            options.parser.print_usage()
            streams.complain("explain: a play is missing, as in `nactate explain start 31 8/5 6/5`")
            return Status.USAGE
        question = _asked(words[0], words[1], " ".join(words[2:]))
    else:
        question = _last(read_sequence(streams.text_of(" ".join(words)), options))
    explanation = question.plays.explain(question.play, everything=options.all)
    if options.json:
        streams.print(json.dumps(_value(explanation, question), ensure_ascii=False) + "\n")
    else:
        streams.print("\n".join(_lines(explanation, question)) + "\n")
    return Status.OK


def _is_roll(text: str) -> bool:
    return len(text) == 2 and set(text) <= set("123456")


def _asked(position_text: str, roll_text: str, text: str) -> _Question:
    position, roll = parse_position(position_text), Roll.parse(roll_text)
    plays = Plays(position, roll)
    try:
        written = parse_nactation(text)
    except MalformedError:
        return _Question(parse_play(text, position, roll), plays)
    return _Question(plays.play(written), plays, written)


def _last(decoded: Decoded) -> _Question:
    if not decoded.turns:
        raise MalformedError("the sequence has no play to explain")
    turn = decoded.turns[-1]
    if turn.play is None:
        raise IllegalError(f"{turn.token.text!r} has no play to explain: {turn.reading}")
    reading = f"{turn.reading}: {turn.note}" if turn.note else turn.reading
    return _Question(turn.play, turn.plays, turn.nactation, reading)


def _lines(explanation: Explanation, question: _Question) -> Iterator[str]:
    play = explanation.play
    yield f"{format_position_id(play.before)} {play.roll}: {format_play(play)}"
    portions = [f"{_portion(portion)} {area}" for portion, area in explanation.areas]
    counts = ", ".join(
        f"{name} {count}" for name, count in zip(AREAS, explanation.code, strict=True)
    )
    yield from _wrapped(
        "Areas      ", f"{', '.join(portions)}; code {_code(explanation)} ({counts})"
    )
    written = question.written
    if written is not None:
        how = "" if question.reading == "strict" else f" ({question.reading})"
        yield from _wrapped("Written    ", f"{written}{how}")
    others = [str(one.naming.nactation) for one in explanation.nactations[1:]]
    yield from _wrapped("Preferred  ", f"{explanation.preferred} ({explanation.reason})")
    yield from _wrapped("Others     ", ", ".join(others) or "none")
    for explained in explanation.nactations:
        yield ""
        yield from _explained_lines(explained, play)


def _explained_lines(explained: Explained, play: Play) -> Iterator[str]:
    row = explained.row
    sections = "section" if row.section.isdigit() else "sections"
    head = f"{explained.naming.nactation}  {row.word} ({explained.naming.right.value}; tutorial, "
    yield f"{head}{sections} {row.section})"
    yield from _wrapped("   ", row.meaning)
    if explained.note:
        yield from _wrapped("   ", explained.note)
    count = "the only member" if explained.size == 1 else f"{explained.size} members, ranked by "
    yield f"   {count}{explained.rule if explained.size > 1 else ''}"
    for first, last in explained.loops:
        yield from _wrapped(
            "   ",
            f"{_named(explained, first)} to {_named(explained, last)} form a logic loop: "
            "in it more home points rank higher",
        )
    width = max(len(str(member.nactation)) for member in explained.members)
    before = 0
    for member in explained.members:
        yield from _left_out(member.nactation.member - before - 1)
        before = member.nactation.member
        mark = ">" if member.play == play else " "
        name = str(member.nactation)
        yield f"   {mark} {name:{width}}  {format_play(member.play)}"
        if member.decision:
            yield from _wrapped(" " * (width + 9), str(member.decision))
    yield from _left_out(explained.size - before)


def _named(explained: Explained, member: int) -> str:
    return str(Nactation(explained.row, member))


def _left_out(count: int) -> Iterator[str]:
    if count > 0:
        yield f"     ... {count} more"


def _wrapped(indent: str, text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=" " * len(indent))


def _portion(portion: Portion) -> str:
    source = "bar" if portion.source == 25 else str(portion.source)
    target = str(portion.target) if portion.target else "off"
    return f"{source}/{target}{'*' if portion.hits else ''}"


def _code(explanation: Explanation) -> str:
    return "".join(map(str, explanation.code))


def _value(explanation: Explanation, question: _Question) -> dict[str, Any]:
    play = explanation.play
    value: dict[str, Any] = {
        "position_id": format_position_id(play.before),
        "roll": str(play.roll),
        "play": format_play(play),
        "after": format_position_id(play.after),
        "portions": [
            {"portion": _portion(portion), "area": area} for portion, area in explanation.areas
        ],
        "areas": dict(zip(AREAS, explanation.code, strict=True)),
        "code": _code(explanation),
        "preferred": str(explanation.preferred),
        "reason": explanation.reason,
        "nactations": [_explained_value(explained) for explained in explanation.nactations],
    }
    if question.written is not None:
        value |= {"written": str(question.written), "reading": question.reading}
    return value


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
        "loops": [list(places) for places in explained.loops],
        "members": [_member_value(member) for member in explained.members],
    }


def _member_value(member: Member) -> dict[str, Any]:
    value: dict[str, Any] = {
        "text": str(member.nactation),
        "member": member.nactation.member,
        "play": format_play(member.play),
    }
    if member.decision:
        value["above_next"] = {
            "convention": member.decision.convention,
            "detail": member.decision.detail,
            "points": list(member.decision.points),
        }
    return value
