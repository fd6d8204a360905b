"""gnubg's analysis in the nodes of an SGF file.

An analysis that cannot be read is ignored and does not stop the file from being read.
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
                figures.points((no_double - middle) / point),
                figures.points((double_take - middle) / point),
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
