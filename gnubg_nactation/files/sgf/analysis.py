"""What gnubg's analysis in the nodes of an SGF file says of the actions there.

Nothing in it fails the file: an analysis that cannot be read is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import NamedTuple

from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAct,
    CubeAnalysis,
    ErrorMark,
    Luck,
    MoveAnalysis,
    PlayAnalysis,
)
from gnubg_nactation.backgammon.match import Action, Double, Drop, Move, SetCube, Take
from gnubg_nactation.backgammon.match_equity import winning_chances
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.files.sgf.nodes import COLOURS, LETTERS
from gnubg_nactation.files.sgf.tree import Node

__all__ = ["Stakes", "read_move_analysis", "with_analysis"]


class Stakes(NamedTuple):
    """What a game is played for; `cube` is its value at the start."""

    length: int
    score: tuple[int, int]
    crawford: bool
    cube: int


def with_analysis(
    actions: Sequence[Action], nodes: Sequence[Node], stakes: Stakes
) -> tuple[Action, ...]:
    """The actions of a game, each with the analysis that its node holds.

    The equities of cube actions, stored in matches as match winning chances, become points.
    """
    analysed: list[Action] = []
    for at, (action, node) in enumerate(zip(actions, nodes, strict=True)):
        found = {one.name: one.values for one in node.properties if one.name in _NAMES}
        earlier = actions[max(at - 2, 0) : at]
        analysed.append(_analyse(action, found, earlier, stakes) if found else action)
        stakes = stakes._replace(cube=_turn_cube(stakes.cube, earlier, action))
    return tuple(analysed)


def read_move_analysis(player: Player, node: Node, stakes: Stakes) -> MoveAnalysis:
    """What the node of a roll says, with the cube as `stakes` have it."""
    return _read_move(player, {one.name: one.values for one in node.properties}, stakes)


_Properties = Mapping[bytes, tuple[bytes, ...]]

_NAMES = frozenset((b"A", b"DA", b"LU", b"GB", b"GW", b"BM", b"DO", b"BC", b"DC"))
_NOTHING = MoveAnalysis()
_UNREADABLE = (ValueError, IndexError, KeyError)
_MOST_LETTERS = 8  # four checkers
_HOPS = tuple(
    {
        f"{source}{target}".encode(): Hop(letters.index(source), letters.index(target))
        for source in letters[1:]
        for target in letters[:-1]
    }
    for letters in LETTERS
)


def _turn_cube(value: int, earlier: Sequence[Action], action: Action) -> int:
    """The value of the cube after the action; an offered one counts once it is taken."""
    match *earlier, action:
        case *_, SetCube(value=new):
            return new
        case (*_, Take()) | (*_, Double(), Double() | Move()):  # a beaver and play going on take it
            return value * 2
    return value


def _analyse(
    action: Action, found: _Properties, earlier: Sequence[Action], stakes: Stakes
) -> Action:
    doubles = [isinstance(past, Double) for past in earlier[-2:]]
    offered = doubles[-1:] == [True] and doubles != [True, True]  # and not a beaver
    match action:
        case Move(player=player):
            move = _read_move(player, found, stakes)
            return action if move == _NOTHING else replace(action, analysis=move)
        case Double(player=player) if doubles[-1:] != [True]:
            act = CubeAct.DOUBLE
        case Take(player=answering) if offered:
            act, player = CubeAct.TAKE, answering.other
        case Drop(player=answering) if offered:
            act, player = CubeAct.DROP, answering.other
        case _:
            return action
    cube = _read_cube(act, player, found, _mark(found, b"DO", b"BM"), stakes)
    return action if cube is None else replace(action, analysis=cube)


def _read_move(player: Player, found: _Properties, stakes: Stakes) -> MoveAnalysis:
    marks = _mark(found, b"DC", b"BC")
    return MoveAnalysis(
        _read_plays(player, found),
        _read_cube(CubeAct.NO_DOUBLE, player, found, marks, stakes),
        _read_luck(found),
        _luck_mark(player, found),
    )


def _mark(found: _Properties, doubtful: bytes, bad: bytes) -> ErrorMark | None:
    if bad in found:
        return ErrorMark.VERY_BAD if found[bad][0].strip() == b"2" else ErrorMark.BAD
    return ErrorMark.DOUBTFUL if doubtful in found else None


def _luck_mark(player: Player, found: _Properties) -> Luck | None:
    for colour in COLOURS:
        values = found.get(b"G" + colour.encode())
        if values:
            lucky, very = colour == COLOURS[player], values[0].strip() == b"2"
            if lucky:
                return Luck.VERY_LUCKY if very else Luck.LUCKY
            return Luck.VERY_UNLUCKY if very else Luck.UNLUCKY
    return None


def _read_luck(found: _Properties) -> float | None:
    try:
        return _number(found[b"LU"][0])
    except _UNREADABLE:
        return None


def _read_plays(player: Player, found: _Properties) -> PlayAnalysis | None:
    """The candidate plays, from `A[place of the play made][candidate] ...`."""
    marked = _mark(found, b"DO", b"BM")
    try:
        place, *values = found[b"A"]
        hops = _HOPS[player]
        candidates = tuple([_candidate(value, hops) for value in values])
        rank = int(place)
    except _UNREADABLE:
        candidates, rank = (), -1
    if not candidates and marked is None:
        return None
    return PlayAnalysis(candidates, rank if 0 <= rank < len(candidates) else None, marked)


def _candidate(value: bytes, hops: Mapping[bytes, Hop]) -> Candidate:
    """A play as `LETTERS E ver 3` 5 chances, equity, plies; or `LETTERS X ver 3 Score` equity."""
    words = value.split(None, 11)
    letters, kind, ver, _, head = words[:5]
    if ver != b"ver" or len(letters) > _MOST_LETTERS:
        raise ValueError(value)
    moved = tuple([hops[letters[at : at + 2]] for at in range(0, len(letters), 2)])
    if kind == b"E":
        return Candidate(moved, _number(words[9]), _plies(words[10]))
    if kind == b"X" and head == b"Score":
        return Candidate(moved, _number(words[5]), "rollout")
    raise ValueError(value)


def _read_cube(
    act: CubeAct, doubler: Player, found: _Properties, marked: ErrorMark | None, stakes: Stakes
) -> CubeAnalysis | None:
    try:
        no_double, double_take, method = _cube_values(found[b"DA"][0])
    except _UNREADABLE:
        return CubeAnalysis(act, None, None, "", marked) if marked else None
    if not stakes.length:
        return CubeAnalysis(act, no_double, double_take, method, marked)
    chances = winning_chances(
        stakes.length, stakes.score, doubler, stakes.cube, crawford=stakes.crawford
    )
    if chances is None:
        return CubeAnalysis(act, None, None, method, marked)
    won, lost = chances
    middle, half = (won + lost) / 2, (won - lost) / 2
    return CubeAnalysis(
        act, (no_double - middle) / half, (double_take - middle) / half, method, marked
    )


def _cube_values(value: bytes) -> tuple[float, float, str]:
    """No double and double, take: the last of 7 numbers each, and how they were found."""
    words = value.split()
    if words[1] != b"ver":
        raise ValueError(value)
    if words[0] == b"E" and len(words) == 21:
        return _number(words[13]), _number(words[20]), _plies(words[3])
    if words[0] == b"X":
        no_double, double_take = words.index(b"NoDouble"), words.index(b"DoubleTake")
        return _number(words[no_double + 8]), _number(words[double_take + 8]), "rollout"
    raise ValueError(value)


def _number(word: bytes) -> float:
    number = float(word)
    if not isfinite(number):  # gnubg 1.08 writes LU[-inf] for luck that it does not know
        raise ValueError(word)
    return number


def _plies(word: bytes) -> str:
    """`2-ply`; the C of 2C says that the cube is counted in."""
    return f"{int(word.removesuffix(b'C'))}-ply"
