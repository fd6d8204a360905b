"""gnubg's dialect of SGF, FF[4] with GM[6]: reading, writing and adding comments.

Each game is one tree; White is Player.FIRST. The letters a ... x are the 1pt ... 24pt of White and
the 24pt ... 1pt of Black, y is the bar, z is off.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice, pairwise, zip_longest

from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAct,
    CubeAnalysis,
    ErrorMark,
    Luck,
    MoveAnalysis,
    PlayAnalysis,
)
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
    count_moves,
    place_name,
    replay,
)
from gnubg_nactation.backgammon.match_equity import winning_chances
from gnubg_nactation.backgammon.notation import Hop, force_hops, format_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import BAR, STANDARD, VARIATIONS, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.files.figures import Figures
from gnubg_nactation.files.heading import has_crawford_rule, written_names
from gnubg_nactation.showing import quoted, shown
from gnubg_nactation.values import NamedTuple, dataclass, replace


class Property(NamedTuple):
    """A property; `values` are the bytes between the brackets, still escaped.

    In the source it goes from `start` (its name) to `end` (after the last bracket).
    """

    name: bytes
    values: tuple[bytes, ...]
    start: int
    end: int


class Node(NamedTuple):
    """A node: from `start` (its semicolon) to `end` (after its last property) of the source."""

    source: bytes
    start: int
    end: int

    @property
    def properties(self) -> tuple[Property, ...]:
        """The properties in the order of the source."""
        values = _VALUE.findall
        return tuple(
            [
                Property(
                    name.translate(None, _LOWER), tuple(values(self.source, at, end)), start, end
                )
                for name, start, at, end in _places(self)
            ]
        )


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A game tree: its nodes in a row, then its branches, the main branch first."""

    nodes: tuple[Node, ...]
    branches: tuple[Tree, ...]


class Edit(NamedTuple):
    """Replaces the bytes from `start` to `end` of a source by `text`."""

    start: int
    end: int
    text: bytes


_START = re.compile(rb"\(\s*;")
_SIGN = re.compile(rb"\s*([();]?)")
_VALUE = re.compile(rb"\[([^\]\\]*(?:\\.[^\]\\]*)*)\]", re.DOTALL)
# With up to 1,000 values, to limit memory; further values match again without the name.
_PROPERTY = re.compile(
    rb"\s*(?:([A-Za-z]+)\s*)?"
    rb"(\[[^\]\\]*(?:\\.[^\]\\]*)*\](?:\s*\[[^\]\\]*(?:\\.[^\]\\]*)*\]){0,999})",
    re.DOTALL,
)
_NAME = re.compile(rb"\s*([A-Za-z]+)\s*")
_LINE_END = re.compile(rb"\r\n|\n\r|\n|\r")
_ESCAPED = re.compile(rb"\\(\r\n|\n\r|\n|\r|.)", re.DOTALL)
_LOWER = bytes(range(ord("a"), ord("z") + 1))


def parse(source: bytes) -> tuple[Tree, ...]:
    """Parse the game trees of an SGF collection (at least one) in linear time.

    Raises MalformedError with the byte and line of the error, both counted from 1.
    """
    trees = []
    at = 0
    while match := _START.search(source, at):
        tree, at = _parse_tree(source, match.start())
        trees.append(tree)
    if not trees:
        raise MalformedError("not SGF: no '(;' in the file")
    return tuple(trees)


def main_line(tree: Tree) -> tuple[Node, ...]:
    """Return the nodes of the tree, of its first branch, of that one's first branch and so on."""
    return tuple([node for part in main_trees(tree) for node in part.nodes])


def main_trees(tree: Tree) -> Iterator[Tree]:
    """Yield the tree, its first branch, that one's first branch and so on."""
    yield tree
    while tree.branches:
        tree = tree.branches[0]
        yield tree


def find_property(node: Node, name: bytes) -> Property | None:
    """Return the last property with this name in the node, or None."""
    return next((entry for entry in reversed(node.properties) if entry.name == name), None)


def escape(text: bytes) -> bytes:
    """Escape a text for use between brackets."""
    return text.replace(b"\\", b"\\\\").replace(b"]", b"\\]")


def unescape(raw: bytes) -> bytes:
    r"""Return the text of a value between brackets, by the rules of FF[4] for Text.

    Every line end becomes `\n`, an escaped one is removed, other white space becomes a blank, and
    any other character loses the backslash before it.
    """
    if raw.isalnum():
        return raw
    plain = _ESCAPED.sub(lambda match: b"" if match[1] in _LINE_ENDS else match[0], raw)
    plain = _LINE_END.sub(b"\n", plain).translate(_BLANKS)
    return _ESCAPED.sub(rb"\1", plain)


def format_property(name: bytes, values: Iterable[bytes]) -> bytes:
    """Format a property as SGF; `values` must be escaped already."""
    return name + b"".join([b"[%b]" % value for value in values])


def apply_edits(source: bytes, edits: Iterable[Edit]) -> bytes:
    """Return the source with all edits applied; they must not overlap."""
    pieces: list[bytes] = []
    at = 0
    for start, end, text in sorted(edits):
        pieces += (source[at:start], text)
        at = end
    pieces.append(source[at:])
    return b"".join(pieces)


def line_starts(source: bytes) -> list[int]:
    """List where lines begin: `bisect_right(line_starts(source), byte)` is the line, from 1."""
    return [0, *(match.end() for match in _LINE_END.finditer(source))]


def _places(node: Node) -> Iterator[tuple[bytes, int, int, int]]:
    """Yield each property's name, its start, and the start and end of its values."""
    last: tuple[bytes, int, int, int] | None = None
    for match in _PROPERTY.finditer(node.source, node.start + 1, node.end):
        if last and not match[1]:
            last = (*last[:3], match.end())
            continue
        if last:
            yield last
        last = (match[1], match.start(1), match.start(2), match.end())
    if last:
        yield last


_LINE_ENDS = (b"\r\n", b"\n\r", b"\n", b"\r")
_BLANKS = bytes.maketrans(b"\t\v\f", b"   ")


def _parse_tree(source: bytes, at: int) -> tuple[Tree, int]:
    """Return the tree that opens at `at` and the place after it."""
    open_trees: list[tuple[list[Node], list[Tree]]] = []
    while True:
        sign = _SIGN.match(source, at)
        assert sign is not None  # it matches nothing at all
        place, at = sign.start(1), sign.end()
        if sign[1] == b"(":
            if open_trees and not open_trees[-1][0]:
                raise _malformed(source, place, "';' (a tree begins with a node)")
            open_trees.append(([], []))
        elif sign[1] == b";":
            nodes, branches = open_trees[-1]
            if branches:
                raise _malformed(source, place, "'(' or ')' (no node may follow a variation)")
            while (match := _PROPERTY.match(source, at)) and (match[1] or at > place + 1):
                at = match.end()
            nodes.append(Node(source, place, at))
        elif sign[1] == b")":
            nodes, branches = open_trees.pop()
            if not nodes:
                raise _malformed(source, place, "';' (a tree begins with a node)")
            tree = Tree(tuple(nodes), tuple(branches))
            if not open_trees:
                return tree, at
            open_trees[-1][1].append(tree)
        else:
            raise _broken_property(source, place)


def _broken_property(source: bytes, at: int) -> MalformedError:
    """Explain why there is neither a sign nor a whole property at `at`."""
    if (match := _PROPERTY.match(source, at)) and match[1]:
        return _malformed(source, at, "';' (a property belongs to a node)")
    name = _NAME.match(source, at)
    bracket = name.end() if name else at
    if source[bracket : bracket + 1] == b"[":
        if name:
            return _malformed(source, bracket, "']' to end this value", "the end of the file")
        return _malformed(source, at, "the name of a property before a value")
    if name:
        return _malformed(source, bracket, f"'[' after {name[1][:20].decode('ascii')}")
    return _malformed(source, at, "';', '(', ')' or a property")


def _malformed(source: bytes, at: int, expected: str, actual: str = "") -> MalformedError:
    if not actual:
        byte = source[at : at + 1]
        actual = repr(byte.decode("latin-1")) if byte else "the end of the file"
    line = bisect_right(line_starts(source), at)
    return MalformedError(f"byte {at + 1} (line {line}): expected {expected}, found {actual}")


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
                yield from [(entry.name, place) for place in _points_of(value)]


def _points_of(value: bytes) -> range:
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


Properties = Mapping[bytes, tuple[bytes, ...]]  # names and values of a node's properties


class Stakes(NamedTuple):
    """The match length, score and cube of a game; `cube` is its value at the start."""

    length: int
    score: tuple[int, int]
    crawford: bool
    cube: int


def is_analysed(properties: Properties) -> bool:
    """Whether a node's properties contain an analysis."""
    return not _NAMES.isdisjoint(properties)


def with_analysis(
    actions: Sequence[Action],
    nodes: Mapping[int, Properties],
    stakes: Stakes,
    figures: Figures,
) -> tuple[Action, ...]:
    """Return the actions of a game with their analysis; `nodes` has it by action index.

    In matches gnubg stores cube equities as match winning chances; they become points here.
    """
    if not nodes:
        return tuple(actions)
    analysed: list[Action] = []
    cube, doubles = stakes.cube, 0  # doubles in a row before the action
    for index, action in enumerate(actions):
        properties = nodes.get(index)
        if properties:
            now = stakes._replace(cube=cube)
            analysed.append(_analyse(action, properties, doubles, now, figures))
        else:
            analysed.append(action)
        match action:
            case SetCube(value=value):
                cube = value
            case Take():
                cube *= 2
            case Double() | Move() if doubles:  # a beaver, or playing on, takes the cube
                cube *= 2
        doubles = doubles + 1 if isinstance(action, Double) else 0
    return tuple(analysed)


def read_move_analysis(
    player: Player, properties: Properties, stakes: Stakes, figures: Figures
) -> MoveAnalysis:
    """Return the analysis of a roll; the cube has the value in `stakes`."""
    mark = _mark(properties, b"DC", b"BC")
    return MoveAnalysis(
        _read_plays(player, properties, stakes, figures),
        _read_cube((CubeAct.NO_DOUBLE, player), properties, mark, stakes, figures),
        _read_luck(properties, figures),
        _luck_mark(player, properties),
    )


_NAMES = frozenset((b"A", b"DA", b"LU", b"GB", b"GW", b"BM", b"DO", b"BC", b"DC"))
_NOTHING = MoveAnalysis()
_UNREADABLE = (ValueError, IndexError, KeyError)
_MAX_LETTERS = 8  # four checkers
_EQUITY_DIGITS = 9  # the noise of a conversion would turn equal equities into a tiny error
_UNKNOWN_LUCK = b"-inf"  # as gnubg 1.08 writes it
_HOPS = tuple(
    {
        f"{source}{target}".encode(): Hop(letters.index(source), letters.index(target))
        for source in letters[1:]
        for target in letters[:-1]
    }
    for letters in LETTERS
)


def _analyse(
    action: Action, properties: Properties, doubles: int, stakes: Stakes, figures: Figures
) -> Action:
    match action:
        case Move(player=player):
            analysis = read_move_analysis(player, properties, stakes, figures)
            return action if analysis == _NOTHING else replace(action, analysis=analysis)
        case Double(player=player) if not doubles:
            act = CubeAct.DOUBLE
        case Take(player=taker) if doubles == 1:  # not of a beaver
            act, player = CubeAct.TAKE, taker.other
        case Drop(player=dropper) if doubles == 1:
            act, player = CubeAct.DROP, dropper.other
        case _:
            return action
    mark = _mark(properties, b"DO", b"BM")
    cube = _read_cube((act, player), properties, mark, stakes, figures)
    return action if cube is None else replace(action, analysis=cube)


def _mark(properties: Properties, doubtful: bytes, bad: bytes) -> ErrorMark | None:
    if bad in properties:
        return ErrorMark.VERY_BAD if properties[bad][0].strip() == b"2" else ErrorMark.BAD
    return ErrorMark.DOUBTFUL if doubtful in properties else None


def _luck_mark(player: Player, properties: Properties) -> Luck | None:
    for colour in COLOURS:
        if values := properties.get(f"G{colour}".encode()):
            very = values[0].strip() == b"2"
            if colour == COLOURS[player]:
                return Luck.VERY_LUCKY if very else Luck.LUCKY
            return Luck.VERY_UNLUCKY if very else Luck.UNLUCKY
    return None


def _read_luck(properties: Properties, figures: Figures) -> float | None:
    try:
        word = properties[b"LU"][0]
        return None if word == _UNKNOWN_LUCK else figures.points(float(word))
    except _UNREADABLE:
        return None


def _read_plays(
    player: Player, properties: Properties, stakes: Stakes, figures: Figures
) -> PlayAnalysis | None:
    """Read the candidate plays from `A[rank of the play made][candidate] ...`."""
    mark = _mark(properties, b"DO", b"BM")
    try:
        place, *values = properties[b"A"]
        hops = _HOPS[player]
        candidates = tuple([_candidate(value, hops, figures) for value in values])
        if stakes.length and any(play.standard_error is not None for play in candidates):
            candidates = _in_points(candidates, player, stakes)
        rank = int(place)
    except _UNREADABLE:
        candidates, rank = (), -1
    if not candidates and mark is None:
        return None
    return PlayAnalysis(candidates, rank if 0 <= rank < len(candidates) else None, mark)


def _candidate(value: bytes, hops: Mapping[bytes, Hop], figures: Figures) -> Candidate:
    """Read a play: `LETTERS E ver 3`, 5 chances, equity, plies; or `LETTERS X ver 3 Score` equity.

    A rollout has the standard errors of 7 numbers; the last is that of the equity.
    """
    words = value.split(None, 11)
    letters, kind, ver, _, head = words[:5]
    if ver != b"ver" or len(letters) > _MAX_LETTERS:
        raise ValueError(value)
    play = tuple([hops[letters[at : at + 2]] for at in range(0, len(letters), 2)])
    if kind == b"E":
        equity = figures.points(float(words[9]))
        return Candidate(play, equity, _plies(words[10]), None, _odds(words[4:9], figures))
    if kind == b"X" and head == b"Score":
        errors = value.partition(b" StdDev ")[2].split(None, 7)
        error = abs(figures.points(float(errors[6]))) if len(errors) > 6 else None
        odds = _odds(value.partition(b" Output ")[2].split(None, 5)[:5], figures)
        return Candidate(play, figures.points(float(words[5])), "rollout", error, odds)
    raise ValueError(value)


def _odds(words: Sequence[bytes], figures: Figures) -> bytes:
    """Return the chances as text, or nothing if any is impossible.

    To save time, only text that does not look like chances is converted to numbers.
    """
    odds = b" ".join(words)
    if not odds or (max(words) < b"1.1" and b"-" not in odds):
        return odds
    with suppress(ValueError):
        if figures.are_chances(map(float, words)):
            return odds
    return b""


def _in_points(
    candidates: Iterable[Candidate], player: Player, stakes: Stakes
) -> tuple[Candidate, ...]:
    """Convert the standard errors of a match from match winning chances to points."""
    _, point = _match_scale(player, stakes) or (None, None)
    return tuple(
        play._replace(standard_error=play.standard_error / point if point else None)
        if play.standard_error is not None
        else play
        for play in candidates
    )


def _match_scale(player: Player, stakes: Stakes) -> tuple[float, float] | None:
    """Return the match winning chances that 0 points and a gain of 1 point are worth."""
    chances = winning_chances(
        stakes.length, stakes.score, player, stakes.cube, crawford=stakes.crawford
    )
    return chances and ((chances[0] + chances[1]) / 2, (chances[0] - chances[1]) / 2)


def _read_cube(
    action: tuple[CubeAct, Player],  # and the player who may double
    properties: Properties,
    mark: ErrorMark | None,
    stakes: Stakes,
    figures: Figures,
) -> CubeAnalysis | None:
    act, doubler = action
    try:
        no_double, double_take, method = _cube_values(properties[b"DA"][0], figures)
    except _UNREADABLE:
        return CubeAnalysis(act, None, None, "", mark) if mark else None
    equities: tuple[float | None, float | None] = None, None
    if not stakes.length:
        equities = no_double, double_take
    elif scale := _match_scale(doubler, stakes):
        middle, point = scale
        with suppress(ValueError):
            equities = (
                figures.points(round((no_double - middle) / point, _EQUITY_DIGITS)),
                figures.points(round((double_take - middle) / point, _EQUITY_DIGITS)),
            )
    return CubeAnalysis(act, *equities, method, mark)


def _cube_values(value: bytes, figures: Figures) -> tuple[float, float, str]:
    """Return no double and double, take, each the last of 7 numbers, and the method."""
    words = value.split()
    if words[1] != b"ver":
        raise ValueError(value)
    if words[0] == b"E" and len(words) == 21:
        numbers, method = (words[13], words[20]), _plies(words[3])
    elif words[0] == b"X":
        no_double, double_take = words.index(b"NoDouble"), words.index(b"DoubleTake")
        numbers, method = (words[no_double + 8], words[double_take + 8]), "rollout"
    else:
        raise ValueError(value)
    return figures.points(float(numbers[0])), figures.points(float(numbers[1])), method


@lru_cache(maxsize=16)
def _plies(word: bytes) -> str:
    """Return e.g. `2-ply` for `2C`; the C stands for cubeful."""
    return f"{int(word.removesuffix(b'C'))}-ply"


# Properties of the first root and the matching tags of match text.
HEADERS = {"DT": "EventDate", "EV": "Event", "RO": "Round", "PC": "Site", "AN": "Transcriber"}

# Other starting positions by their words in RU.
STARTS = {
    "Nackgammon": VARIATIONS["nackgammon"],
    **{f"Hypergammon{n}": VARIATIONS[f"hypergammon ({n})"] for n in (1, 2, 3)},
}


@dataclass(frozen=True, slots=True)
class SgfRecord:
    """A match and its SGF bytes.

    `nodes[game][action]` is the node of `data` that holds the action, or None: written SGF has no
    node for a resignation.
    """

    data: bytes
    encoding: str
    match: Match
    nodes: tuple[tuple[Node | None, ...], ...]

    def __repr__(self) -> str:
        return f"SgfRecord(encoding={self.encoding!r}, match={self.match!r})"


def read(data: bytes, encoding: str | None = None) -> SgfRecord:
    """Read an SGF file with one match, like `read_all`; more are a MalformedError."""
    record, *more = read_all(data, encoding)
    if more:
        lines = len(line_starts(record.data))
        raise MalformedError(f"{len(more) + 1} matches in one file, the second from line {lines}")
    return record


def read_all(data: bytes, encoding: str | None = None) -> tuple[SgfRecord, ...]:
    """Read the matches (at least one) of an SGF file in gnubg's dialect.

    Each record holds its own part of the bytes; the parts joined are the file. A new match
    begins when the players or the length change, or when the game number does not increase.
    Without `encoding` the text is in the encoding of the CA property, UTF-8 or cp1252, the first
    that fits. Moves are not checked. Only the first variation is read.
    Raises MalformedError if the bytes are not SGF or not backgammon, or for an unknown encoding.
    """
    trees = parse(data)
    starts = line_starts(data)
    heads = [_read_head(tree.nodes[0]) for tree in trees]
    begins = [at for at, pair in enumerate(pairwise(heads), 1) if _begins_match(*pair)]
    for first, end in pairwise([0, *begins, len(trees)]):
        lines = [bisect_right(starts, tree.nodes[0].start) for tree in trees[first:end]]
        _check_games(heads[first:end], lines)
    cuts = [data.rindex(b"(", 0, trees[at].nodes[0].start) for at in begins]
    records = []
    for start, end in pairwise([0, *cuts, len(data)]):
        part = data[start:end]
        own = parse(part) if cuts else trees
        records.append(_read_match(part, own, encoding, starts, start))
    return tuple(records)


class _Head(NamedTuple):
    """A root node; `values` has the last property with each name."""

    values: Properties
    length: int
    game: int | None  # the index of the game in the match
    score: tuple[int, int]

    def value(self, name: bytes) -> bytes:
        """The first value of a property; empty if there is none."""
        return self.values[name][0] if name in self.values else b""


class _Source(NamedTuple):
    """The encoding and line starts of a match."""

    encoding: str
    starts: Sequence[int]  # of all lines of the file
    offset: int  # of the match in the file

    def line(self, node: Node) -> int:
        return bisect_right(self.starts, self.offset + node.start)

    def text(self, raw: bytes) -> str:
        return unescape(raw).decode(self.encoding, "replace")

    def rules(self, head: _Head) -> list[str]:
        return [word.strip() for word in self.text(head.value(b"RU")).split(":")]


_MI = re.compile(rb"\s*(length|game|ws|bs)\s*:\s*([0-9]{1,9})\s*")
_RESULT = re.compile(r"\s*([WB])\s*\+\s*([0-9]{1,9})\s*(R.*)?", re.IGNORECASE | re.DOTALL)
_NO_RESULT = ("", "?", "0", "draw", "void")


def _read_head(root: Node) -> _Head:
    values = {entry.name: entry.values for entry in root.properties}
    entries = filter(None, map(_MI.fullmatch, values.get(b"MI", ())))
    info = {entry[1]: int(entry[2]) for entry in entries}
    score = (info.get(b"ws", 0), info.get(b"bs", 0))
    return _Head(values, info.get(b"length", 0), info.get(b"game"), score)


def _check_games(heads: Sequence[_Head], lines: Sequence[int]) -> None:
    """Raise MalformedError unless all trees of a match are backgammon; one GM[6] is enough."""
    games = [head.value(b"GM").strip() for head in heads]
    for game, line in zip(games, lines, strict=True):
        if game != b"6" and (game or b"6" not in games):
            actual = f"GM[{game[:20].decode('latin-1')}]" if game else "no GM"
            raise MalformedError(f"line {line}: not backgammon: expected GM[6], found {actual}")


def _begins_match(previous: _Head, head: _Head) -> bool:
    if previous.length != head.length:
        return True
    if any(previous.value(name) != head.value(name) for name in (b"PW", b"PB")):
        return True
    return previous.game is not None and head.game is not None and head.game <= previous.game


# Python's names of encodings whose lower half may be ASCII. Its other codecs are not for text, add
# byte order marks or may be very slow.
_CHARSET = re.compile(r"utf-8|ascii|(iso8859|cp|koi8|mac|gb|big5|euc|shift_jis)[-_0-9a-z]*")
_ASCII = bytes(range(32, 127))


def _fits(data: bytes, encoding: str) -> bool:
    try:
        if not _CHARSET.fullmatch(codecs.lookup(encoding).name):
            return False
        data.decode(encoding)
        return _ASCII.decode(encoding) == _ASCII.decode("ascii")
    except (LookupError, ValueError):  # no such encoding, or not the one of these bytes
        return False


def _choose_encoding(data: bytes, charset: bytes, encoding: str | None) -> str:
    if encoding is not None:
        if not _fits(b"", encoding):
            raise MalformedError(f"not an encoding for SGF: {quoted(encoding)}")
        return encoding
    names = (charset.strip().decode("latin-1"), "utf-8", "cp1252")
    if not (whole := _CUT_NAME.sub(rb"\1", data)).isascii():
        data = whole
    return next((name for name in names if _fits(data, name)), "latin-1")


# A name that gnubg has cut in the middle of a character: it keeps 31 bytes.
_CUT_NAME = re.compile(rb"(P[BW]\[(?=[^\]]{31}\])[^\]]{28,30})[\xc2-\xf4][\x80-\xbf]{0,2}(?=\])")


def _read_match(
    data: bytes, trees: Sequence[Tree], encoding: str | None, starts: Sequence[int], offset: int
) -> SgfRecord:
    head = _read_head(trees[0].nodes[0])
    source = _Source(_choose_encoding(data, head.value(b"CA"), encoding), starts, offset)
    rules = source.rules(head)
    start = next((STARTS[word] for word in rules if word in STARTS), STANDARD)
    figures = Figures()
    read = [
        _read_game(source, tree, start, head.length, number, figures)
        for number, tree in enumerate(trees, 1)
    ]
    comment = source.text(head.value(b"GC"))
    match = Match(
        players=(source.text(head.value(b"PW")), source.text(head.value(b"PB"))),
        length=head.length,
        games=tuple([game for game, _, _ in read]),
        start=start,
        jacoby=not head.length and "Jacoby" in rules,
        headers=tuple(
            (HEADERS[name], source.text(entry.values[0]))
            for entry in trees[0].nodes[0].properties
            if (name := entry.name.decode("ascii")) in HEADERS
        ),
        comments=(comment,) if comment else (),
        problems=(*[text for _, _, problems in read for text in problems], *figures.problems),
    )
    return SgfRecord(data, source.encoding, match, tuple([nodes for _, nodes, _ in read]))


def _read_game(
    source: _Source, tree: Tree, start: Position, length: int, number: int, figures: Figures
) -> tuple[Game, tuple[Node, ...], list[str]]:
    """Return the game, the node of each of its actions, and its problems."""
    line = main_line(tree)
    head = _read_head(line[0])
    actions: list[Action] = []
    nodes: list[Node] = []
    analyses: dict[int, Properties] = {}  # by action index
    board, replayed = Board(start), 0  # the number of actions that led to the board
    is_bare = False  # whether the last action is only a roll
    comments: list[str] = []
    problems = [
        f"line {source.line(branch.nodes[0])}: a variation; only the main line is read"
        for part in main_trees(tree)
        for branch in part.branches[1:]
    ]
    winner, points, resigned = None, 0, False
    cube = 1
    try:
        winner, points, resigned = _read_result(source.text(head.value(b"RE")))
        cube = read_cube(head.value(b"CV") or b"1")
    except MalformedError as error:
        problems.append(f"line {source.line(line[0])}: {error}")
    for node, following in zip_longest(line, islice(line, 1, None)):
        root, at = node is line[0], source.line(node)
        properties = node.properties
        values = {entry.name: entry.values for entry in properties}
        if sets_up(values):
            board, replayed = board_after(board, actions[replayed:]), len(actions)
        try:
            new = read_node(properties, following, Past(board, cube, actions, at), root=root)
        except MalformedError as error:
            problems.append(f"line {at}: {error}")
            new = []
        if new and is_bare and _is_roll_of(actions[-1], new[0]):
            actions.pop()
            nodes.pop()
            analyses.pop(len(actions), None)
            replayed = min(replayed, len(actions))
        if comment := source.text(values[b"C"][0]) if b"C" in values else "":
            if new and not root:
                new[-1] = replace(new[-1], comment=comment)
            else:
                comments.append(comment)
        actions += new
        nodes += [node] * len(new)
        if new and is_analysed(values):
            analyses |= dict.fromkeys(range(len(actions) - len(new), len(actions)), values)
        is_bare = b"DI" in values if new else is_bare
    crawford = "CrawfordGame" in source.rules(head)
    stakes = Stakes(length, head.score, crawford, cube)
    game = Game(
        number=number if head.game is None else head.game + 1,
        score=head.score,
        actions=with_analysis(actions, analyses, stakes, figures),
        winner=winner,
        points=points,
        resigned=resigned,
        crawford=crawford,
        cube=cube,
        comments=tuple(comments),
    )
    return game, tuple(nodes), problems


def _is_roll_of(action: Action, new: Action) -> bool:
    """Whether the action is only the roll of the next play; gnubg also drops such a roll."""
    is_roll = isinstance(action, Move) and not action.hops
    return is_roll and isinstance(new, Move) and action.player is new.player


def _read_result(text: str) -> tuple[Player | None, int, bool]:
    if text.strip().lower() in _NO_RESULT:
        return None, 0, False
    result = _RESULT.fullmatch(text)
    if not result:
        raise MalformedError(f"not a result: RE[{shown(text, 60)}]")
    return Player(COLOURS.index(result[1].upper())), int(result[2]), bool(result[3])


# A line of a raw value and its end; an escaped line end does not end it.
_LINE = re.compile(rb"([^\\\r\n]*(?:\\(?:\r\n|\n\r|.)[^\\\r\n]*)*)(\r\n|\n\r|\n|\r|\Z)", re.DOTALL)


def with_comment_lines(
    record: SgfRecord, prefix: str, lines: Mapping[tuple[int, int], str | None]
) -> bytes:
    """Return the record's bytes with one line of ours in the comment of each action in `lines`.

    The keys are (game, action), both from 0. Every line must begin with `prefix`. It replaces the
    line with this prefix in the comment (any further ones are removed), or else comes first. None
    removes our line, and an empty comment with it. If a node has several comments, the line goes
    into the one that gnubg reads, the first value of the last C. Writing the same lines twice
    changes nothing.
    Raises MalformedError if a line lacks the prefix, has a line end or cannot be encoded, and
    IllegalError if an action has no node.
    """
    edits: dict[int, Edit] = {}
    head = _encode(prefix, record.encoding)
    for (game, action), line in lines.items():
        node = record.nodes[game][action]
        if node is None:
            players = [each.player for each in record.match.games[game].actions]
            place = place_name(game + 1, count_moves(players)[action], players[action])
            raise IllegalError(f"{place} has no node for {line and quoted(line)}")
        if line is not None and not (prefix and line.startswith(prefix)):
            raise MalformedError(f"not a line that begins with {prefix!r}: {quoted(line)}")
        new = None if line is None else _encode(line, record.encoding)
        edits[node.start] = _edit_comment(record.data, node, head, new)
    return apply_edits(record.data, edits.values())


def _encode(line: str, encoding: str) -> bytes:
    if "\n" in line or "\r" in line:
        raise MalformedError(f"more than one line: {quoted(line)}")
    try:
        return line.encode(encoding)
    except UnicodeError:
        raise MalformedError(f"cannot be written in {encoding}: {quoted(line)}") from None


def _edit_comment(data: bytes, node: Node, prefix: bytes, line: bytes | None) -> Edit:
    comment = find_property(node, b"C")
    if comment is None:
        text = b"" if line is None else format_property(b"C", [escape(line)])
        return Edit(node.end, node.end, text)
    old = comment.values[0]
    new = _edit_lines(old, prefix, line)
    if old and not new and len(comment.values) == 1:
        return Edit(comment.start, comment.end, b"")
    start = data.index(b"[", comment.start) + 1
    return Edit(start, start + len(old), new)


def _edit_lines(raw: bytes, prefix: bytes, line: bytes | None) -> bytes:
    lines = _split_lines(raw)
    ours = [at for at, (body, _) in enumerate(lines) if unescape(body).startswith(prefix)]
    if not ours:
        if line is None or not raw:
            return raw if line is None else escape(line)
        return escape(line) + (lines[0][1] or b"\n") + raw
    if line is not None:
        first = ours.pop(0)
        body, end = lines[first]
        new = escape(line)
        lines[first] = (body if unescape(body) == unescape(new) else new, end)
    removed = set(ours)
    remaining = [pair for at, pair in enumerate(lines) if at not in removed]
    if remaining and len(lines) - 1 in removed:
        remaining[-1] = (remaining[-1][0], b"")  # the last line has no line end
    return b"".join(body + end for body, end in remaining)


def _split_lines(raw: bytes) -> list[tuple[bytes, bytes]]:
    """Split into lines with their ends; the last line, perhaps empty, has no end."""
    lines = _LINE.findall(raw)
    return lines[: 1 + next(at for at, (_, end) in enumerate(lines) if not end)]


def from_match(match: Match, *, named: bool = True) -> SgfRecord:
    """Write the match as gnubg's SGF; the record has the bytes and the same match.

    Players without names become White and Black. With `named` false no names are written, so
    that gnubg keeps the names it has. Legal plays are written one die at a time, others as they
    are recorded. SGF cannot hold, and the bytes leave out: which side resigned (the result
    shows that the game was resigned), the text of unreadable plays (their roll stays), headers
    other than HEADERS, and problems.
    """
    pieces: list[bytes] = []
    spans: list[list[tuple[int, int] | None]] = []
    end = 0
    for game, index in zip(match.games, _game_indices(match), strict=True):
        texts, numbers = _write_game(match, game, index, named)
        places = []
        for text in texts:
            start = end + 1  # after a parenthesis or a line end
            end = start + 1 + len(text)
            places.append((start, end))
        end += 2
        pieces.append(b"(;" + b"\n;".join(texts) + b")\n")
        spans.append([None if number is None else places[number] for number in numbers])
    data = b"".join(pieces)
    nodes = tuple(tuple(span and Node(data, *span) for span in game) for game in spans)
    return SgfRecord(data, ENCODING, match, nodes)


def _write_game(
    match: Match, game: Game, index: int, named: bool
) -> tuple[list[bytes], list[int | None]]:
    """Return the texts of the game's nodes, and the node number of each action."""
    nodes = [(_root(match, game, index, named), "\n".join(game.comments))]  # properties, comment
    numbers: list[int | None] = []
    if match.start not in (STANDARD, *STARTS.values()):
        nodes.append((format_position(Player.FIRST, match.start), ""))
    last = max((n for n, a in enumerate(game.actions, 1) if isinstance(a, Move)), default=0)
    following = iter([action for action in game.actions if not isinstance(action, Resign)][1:])
    for previous, turn in zip((None, *game.actions), replay(match, game), strict=False):
        action = turn.action
        if isinstance(action, Resign):
            properties, earlier = nodes[-1]
            nodes[-1] = properties, "\n".join(filter(None, (earlier, action.comment)))
            numbers.append(None)
        else:
            if isinstance(action, Move) and isinstance(previous, Double):  # the take is implied
                nodes.append((format_text(COLOURS[previous.player.other], "take"), ""))
            numbers.append(len(nodes))
            text = format_node(turn, next(following, None), ends=turn.number == last)
            nodes.append((text, action.comment))
    texts = [head + (format_text("C", comment) if comment else b"") for head, comment in nodes]
    return texts, numbers


def _root(match: Match, game: Game, index: int, named: bool) -> bytes:
    info = {"length": match.length, "game": index, "ws": game.score[0], "bs": game.score[1]}
    pieces = [
        b"FF[4]GM[6]CA[UTF-8]AP[gnubg-nactation]",
        format_property(b"MI", [f"{name}:{number}".encode() for name, number in info.items()]),
    ]
    if named:
        pieces += map(format_text, ("PW", "PB"), written_names(match.players))
    if game is match.games[0]:
        tags = {tag.lower(): text for tag, text in reversed(match.headers)}
        for name, tag in HEADERS.items():
            if text := tags.get(tag.lower()):
                date = re.fullmatch(r"(\d{4})[./](\d\d)[./](\d\d)", text)
                pieces.append(format_text(name, "-".join(date.groups()) if date else text))
        if match.comments:
            pieces.append(format_text("GC", "\n".join(match.comments)))
    rules = {
        "Crawford": match.length > 1 and has_crawford_rule(match),
        "CrawfordGame": game.crawford,
        "Jacoby": match.jacoby,
        **{name: match.start == start for name, start in STARTS.items()},
    }
    if any(rules.values()):
        pieces.append(format_text("RU", ":".join(name for name, holds in rules.items() if holds)))
    if game.cube > 1:
        pieces.append(format_text("CV", str(game.cube)))
    if game.winner is not None:
        resigned = game.resigned or any(isinstance(a, Resign) for a in game.actions)
        result = f"{COLOURS[game.winner]}+{game.points}{'R' if resigned else ''}"
        pieces.append(format_text("RE", result))
    return b"".join(pieces)


def _game_indices(match: Match) -> list[int]:
    """Return the game numbers from 0, counted here if those of the match do not increase."""
    numbers = [game.number - 1 for game in match.games]
    if min(numbers, default=0) < 0 or any(later <= number for number, later in pairwise(numbers)):
        return list(range(len(numbers)))
    return numbers
