"""What one node of gnubg's SGF says: a play, a cube action, a set-up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Drop,
    Game,
    Match,
    Move,
    Resign,
    SetCube,
    SetPosition,
    Take,
    replay,
)
from gnubg_nactation.backgammon.notation import Hop, format_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import BAR, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.sgf.tree import Node, find_property

__all__ = ["COLOURS", "LETTERS", "Past", "first_value", "read_cube", "read_node"]

COLOURS = ("W", "B")

# For each player the letters of his point 0 (off), 1 ... 24, 25 (bar).
LETTERS = ("zabcdefghijklmnopqrstuvwxy", "zxwvutsrqponmlkjihgfedcbay")

_PLAY = re.compile(r"([1-6])([1-6])(.*)")
_MOVE_LETTERS = re.compile(r"(?:[a-y][a-xz]){0,4}")
_SET_UP = (b"AE", b"AW", b"AB")


class Past(NamedTuple):
    """What came before a node in its game: where it started and what was done."""

    start: Position
    cube: int
    actions: Sequence[Action]


def first_value(node: Node, name: bytes) -> bytes:
    """The first value of the last property of that name, which counts; empty without one."""
    found = find_property(node, name)
    return found.values[0] if found else b""


def read_node(node: Node, following: Node | None, past: Past, *, root: bool) -> list[Action]:
    """What is done in the node, nearly always one action or none; raises MalformedError.

    In a root CV is not an action: it tells of automatic doubles. Moves are not checked; the
    text of one that is not letters in pairs is kept as it stands.
    """
    names = {found.name for found in node.properties}
    actions: list[Action] = []
    if not names.isdisjoint(_SET_UP):
        player = _to_move(node) or _to_move(following) or Player.FIRST
        board = _set_up(node, past)
        position = board if player is Player.FIRST else board.switch_sides()
        actions.append(SetPosition(player, position))
    if not names.isdisjoint((b"CP", b"CO")) or (b"CV" in names and not root):
        actions.append(_set_cube(node, past))
    played = next((found for found in node.properties if found.name in (b"W", b"B")), None)
    if played is not None:
        text = "".join(_ascii(played.values[0]).split())
        actions += _read_play(Player(COLOURS.index(_ascii(played.name))), text)
    elif b"DI" in names:
        roll = Roll.parse(_ascii(first_value(node, b"DI")).strip())
        actions.append(Move(_to_move(node) or Player.FIRST, roll))
    return actions


def read_cube(raw: bytes) -> int:
    """The value of a cube; MalformedError unless it is a power of two that a cube can show."""
    digits = raw.strip()
    value = int(digits) if digits.isdigit() and len(digits) < 6 else 0
    if value < 1 or value & (value - 1):
        raise MalformedError(f"not a value of the cube: {_ascii(raw)[:20]!r}")
    return value


def _ascii(raw: bytes) -> str:
    return raw.decode("latin-1")  # so that what is not ASCII can still be quoted


def _to_move(node: Node | None) -> Player | None:
    """Whose turn the node says it is, or who plays in it."""
    for found in node.properties if node else ():
        colour = found.values[0].strip()[:1] if found.name == b"PL" else found.name
        if colour in (b"W", b"B"):
            return Player(COLOURS.index(_ascii(colour)))
    return None


def _read_play(player: Player, text: str) -> list[Action]:
    match text.partition(":")[0]:
        case "double":
            return [Double(player)]
        case "take":
            return [Take(player)]
        case "drop":
            return [Drop(player)]
        case "resign":
            return [Resign(player)]
        case "accept" | "reject":
            return []  # the result of the game tells what came of a resignation
    found = _PLAY.fullmatch(text)
    if not found:
        raise MalformedError(f"neither a roll nor a cube action: {text[:40]!r}")
    roll = Roll(int(found[1]), int(found[2]))
    letters = found[3]
    if not _MOVE_LETTERS.fullmatch(letters):
        return [Move(player, roll, text=letters)]
    places = [LETTERS[player].index(letter) for letter in letters]
    hops = tuple(map(Hop, places[::2], places[1::2]))
    return [Move(player, roll, hops, format_hops(hops))]


def _set_up(node: Node, past: Past) -> Position:
    """The board that the node puts up, numbered from the first player."""
    edits = [
        (found.name, place)
        for found in node.properties
        if found.name in _SET_UP
        for value in found.values
        for place in _places(value)
    ]
    counts = [0] * (BAR + 1)
    if {place for name, place in edits if name == b"AE"} != {*range(1, BAR + 1)}:
        counts = _counts_before(past)
    for name, place in edits:
        if name == b"AE":
            counts[place] = 0
            if place == BAR:
                counts[0] = 0
        elif name == b"AW":
            counts[place] = max(counts[place], 0) + 1
        else:
            black = 0 if place == BAR else place  # his bar has that place
            counts[black] = min(counts[black], 0) - 1
    return Position(tuple(counts))


def _places(value: bytes) -> range:
    """The places of a letter or of a range of letters, by the first player's numbers."""
    letters = LETTERS[Player.FIRST]
    first, colon, last = _ascii(value.strip()).partition(":")
    ends = [letters.find(letter) for letter in (first, last if colon else first)]
    if len(first) != 1 or min(ends) < 1 or (colon and len(last) != 1):
        raise MalformedError(f"not a point or points: {_ascii(value)[:20]!r}")
    return range(ends[0], ends[1] + 1)


def _counts_before(past: Past) -> list[int]:
    # Only a board just put up is known here without playing through the game.
    last = past.actions[-1] if past.actions else SetPosition(Player.FIRST, past.start)
    if not isinstance(last, SetPosition):
        raise MalformedError("checkers are added to a board in play (no AE[a:y])")
    board = last.position if last.player is Player.FIRST else last.position.switch_sides()
    return list(board.points)


def _set_cube(node: Node, past: Past) -> SetCube:
    value, owner = first_value(node, b"CV"), first_value(node, b"CP") or first_value(node, b"CO")
    new_value = read_cube(value) if value else None
    # What the node does not say stays as it is; the cube's own history tells.
    turned = [a for a in _since_set_cube(past.actions) if isinstance(a, Double | Take | SetCube)]
    game = Game(1, (0, 0), (*turned, Double(Player.FIRST)), cube=past.cube)
    *_, last = replay(Match(("", ""), 0, ()), game)
    assert last.state is not None  # without moves the board stays known
    colour = _ascii(owner.strip().upper())
    named = Player(COLOURS.index(colour)) if colour in COLOURS else None
    return SetCube(new_value or last.state.cube, named if owner else last.state.owner)


def _since_set_cube(actions: Sequence[Action]) -> Sequence[Action]:
    for at in range(len(actions) - 1, -1, -1):
        if isinstance(actions[at], SetCube):
            return actions[at:]
    return actions
