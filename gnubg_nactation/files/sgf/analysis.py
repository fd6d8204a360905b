"""What gnubg's analysis in the nodes of an SGF file says of the actions there.

Nothing in it fails the file: an analysis that cannot be read is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache

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
from gnubg_nactation.files.figures import Figures
from gnubg_nactation.files.sgf.nodes import COLOURS, LETTERS
from gnubg_nactation.values import NamedTuple, replace

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
    actions: Sequence[Action],
    nodes: Mapping[int, Properties],
    stakes: Stakes,
    figures: Figures,
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
        analysed.append(_analyse(action, found, doubles, now, figures) if found else action)
        match action:
            case SetCube(value=value):
                cube = value
            case Take():
                cube *= 2
            case Double() | Move() if doubles:  # a beaver and play going on take it
                cube *= 2
        doubles = doubles + 1 if isinstance(action, Double) else 0
    return tuple(analysed)


def read_move_analysis(
    player: Player, found: Properties, stakes: Stakes, figures: Figures
) -> MoveAnalysis:
    """What the properties of a roll say, with the cube as `stakes` have it."""
    marks = _mark(found, b"DC", b"BC")
    return MoveAnalysis(
        _read_plays(player, found, stakes, figures),
        _read_cube((CubeAct.NO_DOUBLE, player), found, marks, stakes, figures),
        _read_luck(found, figures),
        _luck_mark(player, found),
    )


_NAMES = frozenset((b"A", b"DA", b"LU", b"GB", b"GW", b"BM", b"DO", b"BC", b"DC"))
_NOTHING = MoveAnalysis()
_UNREADABLE = (ValueError, IndexError, KeyError)
_MOST_LETTERS = 8  # four checkers
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
    action: Action, found: Properties, doubles: int, stakes: Stakes, figures: Figures
) -> Action:
    match action:
        case Move(player=player):
            move = read_move_analysis(player, found, stakes, figures)
            return action if move == _NOTHING else replace(action, analysis=move)
        case Double(player=player) if not doubles:
            act = CubeAct.DOUBLE
        case Take(player=answering) if doubles == 1:  # and not a beaver
            act, player = CubeAct.TAKE, answering.other
        case Drop(player=answering) if doubles == 1:
            act, player = CubeAct.DROP, answering.other
        case _:
            return action
    cube = _read_cube((act, player), found, _mark(found, b"DO", b"BM"), stakes, figures)
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


def _read_luck(found: Properties, figures: Figures) -> float | None:
    try:
        word = found[b"LU"][0]
        return None if word == _UNKNOWN_LUCK else figures.points(float(word))
    except _UNREADABLE:
        return None


def _read_plays(
    player: Player, found: Properties, stakes: Stakes, figures: Figures
) -> PlayAnalysis | None:
    """The candidate plays, from `A[place of the play made][candidate] ...`."""
    marked = _mark(found, b"DO", b"BM")
    try:
        place, *values = found[b"A"]
        hops = _HOPS[player]
        candidates = tuple([_candidate(value, hops, figures) for value in values])
        if any(one.standard_error is not None for one in candidates) and stakes.length:
            candidates = _in_points(candidates, player, stakes)
        rank = int(place)
    except _UNREADABLE:
        candidates, rank = (), -1
    if not candidates and marked is None:
        return None
    return PlayAnalysis(candidates, rank if 0 <= rank < len(candidates) else None, marked)


def _candidate(value: bytes, hops: Mapping[bytes, Hop], figures: Figures) -> Candidate:
    """A play as `LETTERS E ver 3` 5 chances, equity, plies; or `LETTERS X ver 3 Score` equity.

    A rollout has the standard errors of 7 numbers, that of the equity last.
    """
    words = value.split(None, 11)
    letters, kind, ver, _, head = words[:5]
    if ver != b"ver" or len(letters) > _MOST_LETTERS:
        raise ValueError(value)
    moved = tuple([hops[letters[at : at + 2]] for at in range(0, len(letters), 2)])
    if kind == b"E":
        equity = figures.points(float(words[9]))
        return Candidate(moved, equity, _plies(words[10]), None, _odds(words[4:9], figures))
    if kind == b"X" and head == b"Score":
        errors = value.partition(b" StdDev ")[2].split(None, 7)
        error = abs(figures.points(float(errors[6]))) if len(errors) > 6 else None
        odds = _odds(value.partition(b" Output ")[2].split(None, 5)[:5], figures)
        return Candidate(moved, figures.points(float(words[5])), "rollout", error, odds)
    raise ValueError(value)


def _odds(words: Sequence[bytes], figures: Figures) -> bytes:
    """The chances as text; empty if any cannot be one.

    They become numbers here only if their text does not look like chances, as that takes time.
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
    done: tuple[CubeAct, Player],  # and by whom the cube may be turned
    found: Properties,
    marked: ErrorMark | None,
    stakes: Stakes,
    figures: Figures,
) -> CubeAnalysis | None:
    act, doubler = done
    try:
        no_double, double_take, method = _cube_values(found[b"DA"][0], figures)
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
    try:
        no_double = figures.points((no_double - middle) / half)
        double_take = figures.points((double_take - middle) / half)
    except ValueError:
        return CubeAnalysis(act, None, None, method, marked)
    return CubeAnalysis(act, no_double, double_take, method, marked)


def _cube_values(value: bytes, figures: Figures) -> tuple[float, float, str]:
    """No double and double, take: the last of 7 numbers each, and how they were found."""
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
    """`2-ply`; the C of 2C says that the cube is counted in."""
    return f"{int(word.removesuffix(b'C'))}-ply"
