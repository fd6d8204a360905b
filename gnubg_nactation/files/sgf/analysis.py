"""What gnubg's analysis in the nodes of an SGF file says of the actions there.

Nothing in it fails the file: an analysis that cannot be read is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import isfinite

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
from gnubg_nactation.values import NamedTuple, replace

__all__ = ["Properties", "Stakes", "is_analysed", "read_move_analysis", "with_analysis"]


Properties = Mapping[bytes, tuple[bytes, ...]]  # of a node: names and values


class Stakes(NamedTuple):
    """What a game is played for; `cube` is its value at the start."""

    length: int
    score: tuple[int, int]
    crawford: bool
    cube: int


def is_analysed(found: Properties) -> bool:
    """Whether an analysis is among the properties of a node."""
    return not _NAMES.isdisjoint(found)


def with_analysis(
    actions: Sequence[Action], nodes: Mapping[int, Properties], stakes: Stakes
) -> tuple[Action, ...]:
    """The actions of a game with their analysis: `nodes` has it, by the places of the actions.

    The equities of cube actions, stored in matches as match winning chances, become points.
    """
    if not nodes:
        return tuple(actions)
    analysed: list[Action] = []
    cube, doubles = stakes.cube, 0  # how often the cube was turned right before
    for at, action in enumerate(actions):
        found = nodes.get(at)
        now = stakes._replace(cube=cube) if found else stakes
        analysed.append(_analyse(action, found, doubles, now) if found else action)
        match action:
            case SetCube(value=value):
                cube = value
            case Take():
                cube *= 2
            case Double() | Move() if doubles:  # a beaver and play going on take it
                cube *= 2
        doubles = doubles + 1 if isinstance(action, Double) else 0
    return tuple(analysed)


def read_move_analysis(player: Player, found: Properties, stakes: Stakes) -> MoveAnalysis:
    """What the properties of a roll say, with the cube as `stakes` have it."""
    marks = _mark(found, b"DC", b"BC")
    return MoveAnalysis(
        _read_plays(player, found, stakes),
        _read_cube(CubeAct.NO_DOUBLE, player, found, marks, stakes),
        _read_luck(found),
        _luck_mark(player, found),
    )


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


def _analyse(action: Action, found: Properties, doubles: int, stakes: Stakes) -> Action:
    match action:
        case Move(player=player):
            move = read_move_analysis(player, found, stakes)
            return action if move == _NOTHING else replace(action, analysis=move)
        case Double(player=player) if not doubles:
            act = CubeAct.DOUBLE
        case Take(player=answering) if doubles == 1:  # and not a beaver
            act, player = CubeAct.TAKE, answering.other
        case Drop(player=answering) if doubles == 1:
            act, player = CubeAct.DROP, answering.other
        case _:
            return action
    cube = _read_cube(act, player, found, _mark(found, b"DO", b"BM"), stakes)
    return action if cube is None else replace(action, analysis=cube)


def _mark(found: Properties, doubtful: bytes, bad: bytes) -> ErrorMark | None:
    if bad in found:
        return ErrorMark.VERY_BAD if found[bad][0].strip() == b"2" else ErrorMark.BAD
    return ErrorMark.DOUBTFUL if doubtful in found else None


def _luck_mark(player: Player, found: Properties) -> Luck | None:
    for colour in COLOURS:
        values = found.get(b"G" + colour.encode())
        if values:
            lucky, very = colour == COLOURS[player], values[0].strip() == b"2"
            if lucky:
                return Luck.VERY_LUCKY if very else Luck.LUCKY
            return Luck.VERY_UNLUCKY if very else Luck.UNLUCKY
    return None


def _read_luck(found: Properties) -> float | None:
    try:
        return _number(found[b"LU"][0])
    except _UNREADABLE:
        return None


def _read_plays(player: Player, found: Properties, stakes: Stakes) -> PlayAnalysis | None:
    """The candidate plays, from `A[place of the play made][candidate] ...`."""
    marked = _mark(found, b"DO", b"BM")
    try:
        place, *values = found[b"A"]
        hops = _HOPS[player]
        candidates = tuple([_candidate(value, hops) for value in values])
        if any(one.standard_error is not None for one in candidates) and stakes.length:
            candidates = _in_points(candidates, player, stakes)
        rank = int(place)
    except _UNREADABLE:
        candidates, rank = (), -1
    if not candidates and marked is None:
        return None
    return PlayAnalysis(candidates, rank if 0 <= rank < len(candidates) else None, marked)


def _candidate(value: bytes, hops: Mapping[bytes, Hop]) -> Candidate:
    """A play as `LETTERS E ver 3` 5 chances, equity, plies; or `LETTERS X ver 3 Score` equity.

    A rollout has the standard errors of 7 numbers, that of the equity last.
    """
    words = value.split(None, 11)
    letters, kind, ver, _, head = words[:5]
    if ver != b"ver" or len(letters) > _MOST_LETTERS:
        raise ValueError(value)
    moved = tuple([hops[letters[at : at + 2]] for at in range(0, len(letters), 2)])
    if kind == b"E":
        return Candidate(moved, _number(words[9]), _plies(words[10]), None, b" ".join(words[4:9]))
    if kind == b"X" and head == b"Score":
        errors = value.partition(b" StdDev ")[2].split(None, 7)
        error = abs(_number(errors[6])) if len(errors) > 6 else None
        odds = b" ".join(value.partition(b" Output ")[2].split(None, 5)[:5])
        return Candidate(moved, _number(words[5]), "rollout", error, odds)
    raise ValueError(value)


def _in_points(
    candidates: Iterable[Candidate], player: Player, stakes: Stakes
) -> tuple[Candidate, ...]:
    """The candidates of a match: their standard errors are of the chances to win it."""
    chances = winning_chances(
        stakes.length, stakes.score, player, stakes.cube, crawford=stakes.crawford
    )
    point = (chances[0] - chances[1]) / 2 if chances else None
    return tuple(
        one._replace(standard_error=one.standard_error / point if point else None)
        if one.standard_error is not None
        else one
        for one in candidates
    )


def _read_cube(
    act: CubeAct, doubler: Player, found: Properties, marked: ErrorMark | None, stakes: Stakes
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


@lru_cache(maxsize=16)
def _plies(word: bytes) -> str:
    """`2-ply`; the C of 2C says that the cube is counted in."""
    return f"{int(word.removesuffix(b'C'))}-ply"
