"""Turns that a search has found, as lines of text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gnubg_nactation.archive.finding import FoundTurn
from gnubg_nactation.exports.views import View
from gnubg_nactation.showing import json_line, shown

_BEFORE, _AFTER = 6, 3  # tokens printed before and after the place


def find_lines(finds: Sequence[FoundTurn], width: int, screen: int, *, plays: bool) -> str:
    """A line for each turn, with `plays` if no line gets longer than the screen (0: no limit).

    Places are `width` columns wide.
    """
    lines = list(_lines(finds, width, plays))
    if screen and any(len(line) > screen + 1 for line in lines):
        lines = list(_lines(finds, width, plays=False))
    return "".join(lines)


def _lines(finds: Sequence[FoundTurn], width: int, plays: bool) -> Iterator[str]:
    """Yield a line for each turn; with `plays`, the play in a column after its place."""
    room = max((len(_play(turn)) for turn in finds), default=0) if plays else 0
    for turn in finds:
        before = "-".join(["..."] * (len(turn.before) > _BEFORE) + list(turn.before[-_BEFORE:]))
        after = "-".join([*turn.after[:_AFTER], *["..."] * (len(turn.after) > _AFTER)])
        play = f"  {_play(turn):{room}}" if room else ""
        yield f"{shown(str(turn.place)):{width}}{play}  {before}{after and f' | {after}'}\n"


def _play(turn: FoundTurn) -> str:
    """Return the play after its roll and letter; empty for a cube action and without a play."""
    return f"{turn.made} {turn.play}" if turn.play else ""


def find_json(find: FoundTurn) -> str:
    """The place of a turn, and the game around it, as a line of JSON."""
    return json_line(found_view(find), close=True)


def found_view(find: FoundTurn) -> View:
    """The same as an object."""
    place = find.place
    return {
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
        "made": find.made or None,
        "play": find.play or None,
    }
