"""What one node of gnubg's SGF says, read and written: a play, a cube action, a set-up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

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
    Turn,
    replay,
)
from gnubg_nactation.backgammon.notation import Hop, force_hops, format_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import BAR, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.files.sgf.tree import Node, Property, escape, format_property
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple

COLOURS = ("W", "B")
ENCODING = "utf-8"  # of what is written

# For each player the letters of his point 0 (off), 1 ... 24, 25 (bar).
LETTERS = ("zabcdefghijklmnopqrstuvwxy", "zxwvutsrqponmlkjihgfedcbay")

_ALPHABET = f" {LETTERS[0][1:]}z"  # of set-ups

_CUBE_ACTIONS: dict[str, type[Double | Take | Drop]] = {
    "double": Double,
    "take": Take,
    "drop": Drop,
}
_CUBE_WORDS: dict[type, str] = {action: word for word, action in _CUBE_ACTIONS.items()}
_PLAY = re.compile(r"([1-6])([1-6])(.*)")
_ROLLS = {f"{high}{low}": Roll(high, low) for high in range(1, 7) for low in range(1, 7)}
_STONES = [letter.encode() for letter in LETTERS[Player.FIRST]]
_MOVE_LETTERS = re.compile(r"(?:[a-y][a-xz])*")
_UNREAD = "?"  # in the place of a play, one that could not be read; gnubg takes it for none
_SET_UP = frozenset((b"AE", b"AW", b"AB"))
_POINTS = frozenset(range(1, BAR))


class Board(NamedTuple):
    """The board at a node, numbered from the first player; None if it is not known.

    `in_play` says that it comes of plays, which were not checked, and not of a set-up alone.
    """

    position: Position | None
    in_play: bool = False


class Past(NamedTuple):
    """What came before a node in its game, the cube at its start and what was done, and its line.

    The board is that of the node where it sets up one.
    """

    board: Board
    cube: int
    actions: Sequence[Action]
    line: int


# Reading


def read_node(
    properties: Sequence[Property], following: Node | None, past: Past, *, root: bool
) -> list[Action]:
    """What is done in the node, nearly always one action or none; raises MalformedError.

    In a root CV is not an action: it tells of automatic doubles. Moves are not checked; the
    text of one that is not letters in pairs is kept as it stands.
    """
    last = {found.name: found.values[0] for found in properties}
    actions: list[Action] = []
    if sets_up(last):
        ahead = following.properties if following else ()
        said = (_to_move(properties), _to_move(ahead), Player.FIRST)
        player = next(one for one in said if one is not None)
        board = _turned(player, _set_up(properties, past))
        actions.append(SetPosition(player, board, line=past.line))
    if b"CP" in last or b"CO" in last or (b"CV" in last and not root):
        actions.append(_set_cube(last.get(b"CV"), last.get(b"CP") or last.get(b"CO"), past))
    played = next((found for found in properties if found.name in (b"W", b"B")), None)
    if played is not None:
        text = "".join(_ascii(played.values[0]).split())
        actions += _read_play(Player(COLOURS.index(_ascii(played.name))), text, past.line)
    elif b"DI" in last:
        roll = Roll.parse(_ascii(last[b"DI"]).strip())
        actions.append(Move(_to_move(properties) or Player.FIRST, roll, line=past.line))
    return actions


def sets_up(names: Iterable[bytes]) -> bool:
    """Whether a node with such properties puts up a board."""
    return not _SET_UP.isdisjoint(names)


def board_after(board: Board, actions: Iterable[Action]) -> Board:
    """The board after some more actions."""
    position, in_play = board
    for action in actions:
        match action:
            case SetPosition(player, put_up):
                position, in_play = _turned(player, put_up), False
            case Move(player=player, hops=hops, text=text) if hops or text:
                in_play = True
                if position is not None:
                    position = _played(player, position, hops)
    return Board(position, in_play)


def _played(player: Player, position: Position, hops: Sequence[Hop]) -> Position | None:
    if not hops:
        return None
    try:
        return _turned(player, force_hops(hops, _turned(player, position)))
    except IllegalError:
        return None


def read_cube(raw: bytes) -> int:
    """The value of a cube; MalformedError unless it is a power of two that a cube can show."""
    digits = raw.strip()
    value = int(digits) if digits.isdigit() and len(digits) < 6 else 0
    if value < 1 or value & (value - 1):
        raise MalformedError(f"not a value of the cube: {quoted(_ascii(raw))}")
    return value


def _ascii(raw: bytes) -> str:
    return raw.decode("latin-1")  # so that what is not ASCII can still be quoted


def _to_move(properties: Sequence[Property]) -> Player | None:
    """Whose turn the node says it is, or who plays in it."""
    for found in properties:
        colour = found.values[0].strip()[:1] if found.name == b"PL" else found.name
        if colour in (b"W", b"B"):
            return Player(COLOURS.index(_ascii(colour)))
    return None


def _turned(player: Player, board: Position) -> Position:
    """A board of the first player's numbers with those of `player`, or the other way."""
    return board if player is Player.FIRST else board.switch_sides()


def _read_play(player: Player, text: str, line: int) -> list[Action]:
    word = text.partition(":")[0]
    if word in _CUBE_ACTIONS:
        return [_CUBE_ACTIONS[word](player, line=line)]
    if word == "resign":
        return [Resign(player, line=line)]
    if word in ("accept", "reject"):
        return []  # the result of the game tells what came of a resignation
    found = _PLAY.fullmatch(text)
    if not found:
        raise MalformedError(f"neither a roll nor a cube action: {quoted(text)}")
    roll, letters = _ROLLS[found[1] + found[2]], found[3]
    if not _MOVE_LETTERS.fullmatch(letters):
        return [Move(player, roll, text=letters, line=line)]
    return [Move(player, roll, *_hops(player, letters), line=line)]


@lru_cache(maxsize=1 << 12)  # as many as there are words of plays
def _hops(player: Player, letters: str) -> tuple[tuple[Hop, ...], str]:
    """The hops that pairs of letters stand for, and how they are written."""
    places = [LETTERS[player].index(letter) for letter in letters]
    hops = tuple(map(Hop, places[::2], places[1::2]))
    return hops, format_hops(hops)


def _set_up(properties: Sequence[Property], past: Past) -> Position:
    """The board that the node puts up, numbered from the first player."""
    counts = [0] * (BAR + 1)
    cleared = {place for name, place in _edits(properties) if name == b"AE"}
    if BAR not in cleared or not cleared >= _POINTS:
        position, in_play = past.board
        if position is None or (in_play and not cleared >= _POINTS):
            raise MalformedError("checkers are added to a board in play (no AE[a:y])")
        counts = list(position.points)
    for name, place in _edits(properties):
        if name == b"AE":
            counts[place] = 0
            if place == BAR:
                counts[0] = 0
        elif name == b"AW":
            counts[place] = max(counts[place], 0) + 1
        else:
            black = place % BAR  # his bar has the place 0
            counts[black] = min(counts[black], 0) - 1
    return Position(tuple(counts))


def _edits(properties: Sequence[Property]) -> Iterator[tuple[bytes, int]]:
    for found in properties:
        if found.name in _SET_UP:
            for value in found.values:
                yield from [(found.name, place) for place in _places(value)]


def _places(value: bytes) -> range:
    """The places of a letter or of a range of letters, by the first player's numbers.

    z, which comes last, is off the board and no place.
    """
    first, colon, last = _ascii(value.strip()).partition(":")
    ends = [_ALPHABET.find(letter) for letter in (first, last if colon else first)]
    if len(first) != 1 or min(ends) < 1 or (colon and len(last) != 1):
        raise MalformedError(f"not a point or points: {quoted(_ascii(value))}")
    return range(ends[0], min(ends[1], BAR) + 1)


def _set_cube(value: bytes | None, owner: bytes | None, past: Past) -> SetCube:
    new_value = read_cube(value) if value else None
    # What the node does not say stays as it is; the cube's own history tells.
    ends = range(len(past.actions) - 1, -1, -1)
    since = next((at for at in ends if isinstance(past.actions[at], SetCube)), 0)
    turned = [a for a in past.actions[since:] if isinstance(a, Double | Take | SetCube)]
    game = Game(1, (0, 0), (*turned, Double(Player.FIRST)), cube=past.cube)
    *_, last = replay(Match(("", ""), 0, ()), game)
    assert last.state is not None  # without moves the board stays known
    colour = _ascii(owner.strip().upper()) if owner else ""
    named = Player(COLOURS.index(colour)) if colour in COLOURS else None
    owned = named if owner else last.state.owner
    return SetCube(new_value or last.state.cube, owned, line=past.line)


# Writing


def format_node(turn: Turn, following: Action | None, *, ends: bool) -> bytes:
    """The node of an action that has one; `ends` tells that no play comes after it in the game."""
    match turn.action:
        case Move() as move:
            again = isinstance(following, Move) and following.player is move.player
            return _format_move(turn, move, ends=ends, again=again)
        case SetPosition(player, position):
            return format_position(player, _turned(player, position))
        case SetCube(value, owner):
            colour = "c" if owner is None else COLOURS[owner].lower()
            return format_text("CV", str(value)) + format_text("CP", colour)
        case action:
            return format_text(COLOURS[action.player], _CUBE_WORDS[type(action)])


def _format_move(turn: Turn, move: Move, *, ends: bool, again: bool) -> bytes:
    hops = turn.play.portions if turn.play else move.hops
    colour = COLOURS[move.player]
    if not hops and move.text and (again or (turn.state and (ends or len(turn.plays) < 2))):
        return format_text(colour, f"{move.roll}{_UNREAD}")  # a roll alone would say another thing
    if not (hops or again) and (move.text or (turn.plays if turn.state else ends)):
        return format_text("PL", colour) + format_text("DI", str(move.roll))  # no play known
    letters = LETTERS[move.player]
    places = "".join(letters[hop[0]] + letters[hop[1]] for hop in hops)
    return format_text(colour, f"{move.roll}{places}")


def format_position(player: Player, board: Position) -> bytes:
    """A set-up node of a board that is numbered from the first player; `player` is to move."""
    white = _stones(enumerate(board.points))
    black = _stones((point or BAR, -count) for point, count in enumerate(board.points))
    stones = [(b"AE", [b"a:y"]), (b"AW", white), (b"AB", black)]
    return format_text("PL", COLOURS[player]) + b"".join(
        format_property(name, places) for name, places in stones if places
    )


def _stones(points: Iterator[tuple[int, int]]) -> list[bytes]:
    return [_STONES[point] for point, count in points for _ in range(count)]


def format_text(name: str, text: str) -> bytes:
    """A property with one value, escaped."""
    return format_property(name.encode(), [escape(text.encode(ENCODING, "replace"))])
