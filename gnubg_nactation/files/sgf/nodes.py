"""Nodes of gnubg's SGF, read and written: plays, cube actions and set-ups."""

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
ENCODING = "utf-8"  # for writing

# The letters of each player's points 0 (off), 1 ... 24, 25 (bar).
LETTERS = ("zabcdefghijklmnopqrstuvwxy", "zxwvutsrqponmlkjihgfedcbay")

_SET_UP_LETTERS = f" {LETTERS[0][1:]}z"
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
_UNREADABLE_PLAY = "?"  # instead of a play; gnubg reads it as no play
_SET_UP = frozenset((b"AE", b"AW", b"AB"))
_POINTS = frozenset(range(1, BAR))


class Board(NamedTuple):
    """The board at a node, numbered from the first player; None if it is unknown.

    `in_play` is set if unchecked plays led to it, not a set-up alone.
    """

    position: Position | None
    in_play: bool = False


class Past(NamedTuple):
    """The game before a node: the board, the cube at the start, the actions; and the node's line.

    `board` is only up to date for a node that sets up a board.
    """

    board: Board
    cube: int
    actions: Sequence[Action]
    line: int


# Reading


def read_node(
    properties: Sequence[Property], following: Node | None, past: Past, *, root: bool
) -> list[Action]:
    """Read the actions in a node, usually one or none; raises MalformedError.

    CV in a root is not an action: it counts automatic doubles. Moves are not checked. If a move
    is not pairs of letters, its text is kept unchanged.
    """
    last = {entry.name: entry.values[0] for entry in properties}
    actions: list[Action] = []
    if sets_up(last):
        ahead = following.properties if following else ()
        players = (_to_move(properties), _to_move(ahead), Player.FIRST)
        player = next(player for player in players if player is not None)
        board = _turned(player, _set_up(properties, past))
        actions.append(SetPosition(player, board, line=past.line))
    if b"CP" in last or b"CO" in last or (b"CV" in last and not root):
        actions.append(_set_cube(last.get(b"CV"), last.get(b"CP") or last.get(b"CO"), past))
    play = next((entry for entry in properties if entry.name in (b"W", b"B")), None)
    if play is not None:
        text = "".join(_ascii(play.values[0]).split())
        actions += _read_play(Player(COLOURS.index(_ascii(play.name))), text, past.line)
    elif b"DI" in last:
        roll = Roll.parse(_ascii(last[b"DI"]).strip())
        actions.append(Move(_to_move(properties) or Player.FIRST, roll, line=past.line))
    return actions


def sets_up(names: Iterable[bytes]) -> bool:
    """Whether a node with these properties sets up a board."""
    return not _SET_UP.isdisjoint(names)


def board_after(board: Board, actions: Iterable[Action]) -> Board:
    """The board after some more actions."""
    position, in_play = board
    for action in actions:
        match action:
            case SetPosition(player, set_up):
                position, in_play = _turned(player, set_up), False
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
    """Read the value of a cube; raises MalformedError unless it is a power of two."""
    digits = raw.strip()
    value = int(digits) if digits.isdigit() and len(digits) < 6 else 0
    if value < 1 or value & (value - 1):
        raise MalformedError(f"not a cube value: {quoted(_ascii(raw))}")
    return value


def _ascii(raw: bytes) -> str:
    return raw.decode("latin-1")  # so that any other bytes can still be quoted


def _to_move(properties: Sequence[Property]) -> Player | None:
    """Return the player on roll according to the node, or the player who acts in it."""
    for entry in properties:
        colour = entry.values[0].strip()[:1] if entry.name == b"PL" else entry.name
        if colour in (b"W", b"B"):
            return Player(COLOURS.index(_ascii(colour)))
    return None


def _turned(player: Player, board: Position) -> Position:
    """Convert a board between the first player's numbering and that of `player`."""
    return board if player is Player.FIRST else board.switch_sides()


def _read_play(player: Player, text: str, line: int) -> list[Action]:
    word = text.partition(":")[0]
    if word in _CUBE_ACTIONS:
        return [_CUBE_ACTIONS[word](player, line=line)]
    if word == "resign":
        return [Resign(player, line=line)]
    if word in ("accept", "reject"):
        return []  # the game's result shows whether a resignation was accepted
    parts = _PLAY.fullmatch(text)
    if not parts:
        raise MalformedError(f"neither a roll nor a cube action: {quoted(text)}")
    roll, letters = _ROLLS[parts[1] + parts[2]], parts[3]
    if not _MOVE_LETTERS.fullmatch(letters):
        return [Move(player, roll, text=letters, line=line)]
    return [Move(player, roll, *_hops(player, letters), line=line)]


@lru_cache(maxsize=1 << 12)  # plays repeat
def _hops(player: Player, letters: str) -> tuple[tuple[Hop, ...], str]:
    """Return the hops of a play in pairs of letters, and the play in traditional notation."""
    places = [LETTERS[player].index(letter) for letter in letters]
    hops = tuple(map(Hop, places[::2], places[1::2]))
    return hops, format_hops(hops)


def _set_up(properties: Sequence[Property], past: Past) -> Position:
    """Return the board that the node sets up, numbered from the first player."""
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
            black = place % BAR  # Black's bar has index 0
            counts[black] = min(counts[black], 0) - 1
    return Position(tuple(counts))


def _edits(properties: Sequence[Property]) -> Iterator[tuple[bytes, int]]:
    for entry in properties:
        if entry.name in _SET_UP:
            for value in entry.values:
                yield from [(entry.name, place) for place in _places(value)]


def _places(value: bytes) -> range:
    """Return the points of a letter or a range of letters, numbered from the first player.

    The last letter, z, is off the board and left out.
    """
    first, colon, last = _ascii(value.strip()).partition(":")
    ends = [_SET_UP_LETTERS.find(letter) for letter in (first, last if colon else first)]
    if len(first) != 1 or min(ends) < 1 or (colon and len(last) != 1):
        raise MalformedError(f"not a point or range of points: {quoted(_ascii(value))}")
    return range(ends[0], min(ends[1], BAR) + 1)


def _set_cube(value: bytes | None, owner: bytes | None, past: Past) -> SetCube:
    new_value = read_cube(value) if value else None
    # The node may leave out the value or the owner: replay the actions since the last SetCube.
    ends = range(len(past.actions) - 1, -1, -1)
    since = next((at for at in ends if isinstance(past.actions[at], SetCube)), 0)
    cube_actions = [act for act in past.actions[since:] if isinstance(act, Double | Take | SetCube)]
    game = Game(1, (0, 0), (*cube_actions, Double(Player.FIRST)), cube=past.cube)
    *_, last = replay(Match(("", ""), 0, ()), game)
    assert last.state is not None  # without moves the board stays known
    new_owner = last.state.owner
    if owner:
        colour = _ascii(owner.strip().upper())
        new_owner = Player(COLOURS.index(colour)) if colour in COLOURS else None
    return SetCube(new_value or last.state.cube, new_owner, line=past.line)


# Writing


def format_node(turn: Turn, following: Action | None, *, ends: bool) -> bytes:
    """Format the node of an action; `ends` is set if no play follows it in the game."""
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
        # A roll alone would mean something else here.
        return format_text(colour, f"{move.roll}{_UNREADABLE_PLAY}")
    if not (hops or again) and (move.text or (turn.plays if turn.state else ends)):
        return format_text("PL", colour) + format_text("DI", str(move.roll))  # unknown play
    letters = LETTERS[move.player]
    places = "".join(letters[hop[0]] + letters[hop[1]] for hop in hops)
    return format_text(colour, f"{move.roll}{places}")


def format_position(player: Player, board: Position) -> bytes:
    """Format a set-up node; the board is numbered from the first player, `player` is on roll."""
    white = _stones(enumerate(board.points))
    black = _stones((point or BAR, -count) for point, count in enumerate(board.points))
    stones = [(b"AE", [b"a:y"]), (b"AW", white), (b"AB", black)]
    return format_text("PL", COLOURS[player]) + b"".join(
        format_property(name, places) for name, places in stones if places
    )


def _stones(points: Iterator[tuple[int, int]]) -> list[bytes]:
    return [_STONES[point] for point, count in points for _ in range(count)]


def format_text(name: str, text: str) -> bytes:
    """Format a property with one value, escaped."""
    return format_property(name.encode(), [escape(text.encode(ENCODING, "replace"))])
