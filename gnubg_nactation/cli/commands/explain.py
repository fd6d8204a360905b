"""`nactate explain`: explain why a play has its character."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import suppress

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.notation import format_hops, format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.cli.results import color_setting, on_terminal, paste_setting, width_of
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.language.areas import AREAS
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.ranking_reasons import Explained, Explanation, Member
from gnubg_nactation.language.why_not import why_not
from gnubg_nactation.sequences.decode import DecodedTurn
from gnubg_nactation.showing import json_line, quoted
from gnubg_nactation.tasks.settings import SettingsError, setting
from gnubg_nactation.tasks.subjects import (
    TURN_HELP,
    SequenceSettings,
    Subject,
    read_play,
    read_turn,
)
from gnubg_nactation.values import Any
from gnubg_nactation.writing.spelling import read_spelling

DESCRIPTION = """\
Explain why a play has its character, and which other Nactations it has.
Takes the last play of a sequence, the play of a match, or a play in a position."""
EXAMPLES = """\
  nactate explain 54S-63R-31P
  nactate explain 54S-63R "31: 8/5 6/5"      a play after a sequence
  nactate explain start 43 z                 the play with this character
  nactate explain match.sgf#2.13b            the play of a match
  nactate explain 54S-63R "31: 8/5 6/5" --as H     why not H?
"""
_WIDTH, _MAX_WIDTH = 80, 120  # columns, without a terminal and on one
USAGE = "SUBJECT [ROLL PLAY]"


class Options(SequenceSettings, first="words paste letter all json color"):
    """A play, and what is explained."""

    words: tuple[str, ...] = setting((), TURN_HELP, "SUBJECT ROLL PLAY", words="some")
    paste: bool = paste_setting()
    letter: str | None = setting(
        None, "explain why this letter does not name the play", "LETTER", flags="--as"
    )
    all: bool = setting(False, "explain all names of the play, with every member of their families")
    json: bool = setting(False, "print one JSON object")
    color: str = color_setting()


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams = on_terminal(streams, settings)
    _check_character(settings)
    subject, text = read_turn(settings.words, settings, streams)
    state, turn = subject.state, subject.last
    name, reading = None, "strict"
    if turn and not text:
        if turn.play is None:
            place, reason = subject.where, "no play was made there"
            if isinstance(turn, DecodedTurn):
                place, reason = quoted(turn.token.text), turn.how.value
            raise IllegalError(f"{place} has no play to explain: {reason}")
        play, plays = turn.play, turn.plays
        if isinstance(turn, DecodedTurn):
            name = turn.nactation
            reading = f"{turn.how.value}: {turn.note}" if turn.note else turn.how.value
    elif subject.copied and not text:
        play, plays = _best_play(subject)
    elif subject.decoded and not text:
        raise MalformedError("the sequence has no play to explain")
    elif text and state.roll:
        play, plays, name = read_play(text, state.position, state.roll, settings.dialect)
    else:
        raise SettingsError("a play is missing, as in `nactate explain start 31 8/5 6/5`")
    if settings.letter:
        _explain_why_not(play, settings.letter, plays, settings, streams)
        return Status.OK
    explanation = plays.explain(play, everything=settings.all)
    written = {"written": str(name), "reading": reading} if name else {}
    if settings.json:
        value = _value(explanation) | written
        streams.print(json_line(value))
    else:
        width = min(width_of(streams) or _WIDTH, _MAX_WIDTH)
        streams.print("\n".join(_lines(explanation, width, settings.all, **written)) + "\n")
    return Status.OK


def _best_play(subject: Subject) -> tuple[Play, Plays]:
    """Return the best play of a copied analysis, and all plays of its roll."""
    choices = subject.decision.choices if subject.decision else ()
    if not choices or choices[0].play is None:
        raise IllegalError("the text has no ranked plays to explain")
    play = choices[0].play
    return play, Plays(play.before, play.roll)


def _explain_why_not(
    play: Play, letter: str, plays: Plays, settings: Options, streams: Streams
) -> None:
    """Print the first clause by which a letter does not name a play, and what it names."""
    name = read_spelling(letter)
    reason = why_not(play, name, plays)
    members = plays.reading(name.family).members
    named = members[name.member - 1] if name.member <= len(members) else None
    preferred = str(plays.name(play).naming.nactation)
    if settings.json:
        value = {
            "position_id": format_position_id(play.before),
            "roll": str(play.roll),
            "play": format_play(play),
            "as": str(name),
            "right": not reason,
            "reason": reason,
            "names": format_play(named) if named else None,
            "preferred": preferred,
        }
        streams.print(json_line(value))
        return
    lines = [f"{format_play(play)} is {f'not {name}: {reason}' if reason else name}"]
    if reason:
        lines.append(f"{name} is {format_play(named)}" if named else f"no play here is {name}")
        lines.append(f"{format_play(play)} is {preferred}")
    streams.print("\n".join(lines) + "\n")


def _check_character(settings: Options) -> None:
    """Raise IllegalError for a character without a roll, which may look like a cube action."""
    text = " ".join(settings.words)
    if settings.start is None:
        with suppress(MalformedError):
            name = parse_nactation(text)
            raise IllegalError(
                f"{name} names a play only after its roll, as in 31{name}; "
                f"`nactate alphabet {name.family}` explains the character"
            )


def _lines(
    explanation: Explanation,
    width: int,
    everything: bool,
    written: str = "",
    reading: str = "",
) -> Iterator[str]:
    play = explanation.play
    yield f"{format_position_id(play.before)} {play.roll}: {format_play(play)}"
    portions = ", ".join(f"{format_hops([hop])} {area}" for hop, area in explanation.areas)
    code = "".join(map(str, explanation.code))
    counts = ", ".join(map("{} {}".format, AREAS, explanation.code))
    yield from _wrapped(width, "Areas      ", f"{portions}; code {code} ({counts})")
    if explanation.order:
        yield from _wrapped(width, "Order      ", explanation.order)
    if written:
        how = "" if reading == "strict" else f" ({reading})"
        yield from _wrapped(width, "Written    ", f"{written}{how}")
    names = [str(explained.naming.nactation) for explained in explanation.nactations]
    name = written if written in names else names[0]
    others = ", ".join(names[1:]) or "none"
    hint = " (--all explains them)" if len(names) > 1 and not everything else ""
    yield from _wrapped(width, "Preferred  ", f"{explanation.preferred} ({explanation.reason})")
    yield from _wrapped(width, "Others     ", f"{others}{hint}")
    for explained in explanation.nactations:
        if everything or str(explained.naming.nactation) == name:
            yield ""
            yield from _explained_lines(explained, play, width)


def _explained_lines(explained: Explained, play: Play, width: int) -> Iterator[str]:
    row = explained.family
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
    if explained.overruled:
        above, below, decision = explained.overruled
        words = f"{above.nactation} ranks above {below.nactation}, {format_play(below.play)}"
        yield from _wrapped(width, "   ", f"{words} ({decision})")
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
            {"portion": format_hops([hop]), "area": area} for hop, area in explanation.areas
        ],
        "areas": dict(zip(AREAS, explanation.code, strict=True)),
        "code": "".join(map(str, explanation.code)),
        "high_number_first": explanation.order,
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
        "family": explained.family.key,
        "name": explained.family.word,
        "definition": explained.family.meaning,
        "section": explained.family.section,
        "note": explained.note,
        "order": explained.rule,
        "size": explained.size,
        "loops": explained.loops,
        "overruled": _overruled_value(explained),
        "members": list(map(_member_value, explained.members)),
    }


def _overruled_value(explained: Explained) -> dict[str, Any] | None:
    if not explained.overruled:
        return None
    above, below, decision = explained.overruled
    pair = {"above": _member_value(above), "below": _member_value(below)}
    return pair | {"decision": decision._asdict()}


def _member_value(member: Member) -> dict[str, Any]:
    value: dict[str, Any] = {
        "text": str(member.nactation),
        "member": member.nactation.member,
        "play": format_play(member.play),
    }
    if member.decision:
        value["above_next"] = member.decision._asdict()
    return value
