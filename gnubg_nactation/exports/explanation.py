"""Why a play has its character: as lines of text and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.notation import format_hops, format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.exports.alphabet import sections_of
from gnubg_nactation.language.areas import AREAS
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.ranking_reasons import Explained, Explanation, Member
from gnubg_nactation.values import Any


def explanation_lines(
    explanation: Explanation,
    width: int,
    everything: bool,
    written: str = "",
    reading: str = "",
) -> Iterator[str]:
    """Yield the lines that explain a play, with at most `width` columns.

    `written` is the name by which the play was given, and `reading` how that was read. `everything`
    explains all names, not only that one.
    """
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
    head = f"{explained.naming.nactation}  {row.word} ({explained.naming.right.value}; tutorial, "
    yield f"{head}{sections_of(row)})"
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


def explanation_view(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as a JSON object, as `nactate --json-schema explain` describes it."""
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
