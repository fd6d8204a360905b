"""Questions to gnubg as SGF that it analyses as a match, and its answers read from there.

Every state becomes a set-up, the cube and a roll; states of one score share a game. gnubg
analyses a set-up like a position reached by play, and does so many times faster than when it is
asked for positions one by one, which costs it ten milliseconds each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from gnubg_nactation.backgammon.analysis import MoveAnalysis
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import BAR, NACKGAMMON, OFF, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.errors import EngineError, MalformedError
from gnubg_nactation.files.sgf.analysis import Stakes, read_move_analysis
from gnubg_nactation.files.sgf.nodes import COLOURS, format_position
from gnubg_nactation.files.sgf.tree import find_property, main_line, parse

__all__ = [
    "NODES_BEFORE",
    "Stake",
    "board_for_gnubg",
    "commands_for",
    "cube_for_gnubg",
    "format_questions",
    "read_answers",
    "stake_of",
]

NODES_BEFORE = 3  # the roll of a lone state stands behind the root, the position and the cube
_ANY_ROLL = Roll(2, 1)
_ROLL = COLOURS[Player.FIRST].encode()
_LARGE = "0 16 0.32", "0 4 0.08"  # gnubg's own move filter for analysis: of all plays, then of few


class Stake(NamedTuple):
    """What is played for: points that the player and the opponent need, both 0 for money."""

    away: int
    opponent_away: int
    crawford: bool
    jacoby: bool
    nackgammon: bool  # gnubg knows an opening roll, which has luck of its own, by the variation


def stake_of(state: GameState) -> Stake:
    """The stake of a state, from the side of its player."""
    nackgammon = state.position == NACKGAMMON
    if not state.length:
        return Stake(0, 0, False, state.jacoby, nackgammon)
    away = state.length - state.score[state.player]
    opponent_away = state.length - state.score[state.player.other]
    return Stake(away, opponent_away, state.crawford, False, nackgammon)


def commands_for(depth: Depth, *, whole: bool, threads: int) -> list[str]:
    """What to tell gnubg before it analyses: how deep, and whether more than the plays."""
    looked = replace(depth, plies=2, plays=0) if depth.trials else depth  # to know the best
    commands = [
        f"set threads {threads if depth.plies or depth.trials else 1}",  # 0 plies gain nothing
        f"set analysis cube {_SWITCH[whole]}",
        f"set analysis luck {_SWITCH[whole]}",
        f"set analysis chequerplay evaluation plies {looked.plies}",
        f"set analysis cubedecision evaluation plies {looked.plies}",
    ]
    for level in range(0, looked.plies, 2):
        kept = f"{looked.plays} 0 0" if looked.plays else _LARGE[level > 0]
        commands.append(f"set analysis movefilter {looked.plies} {level} {kept}")
    if depth.trials:
        commands += [
            f"set rollout trials {depth.trials}",
            "set rollout seed 1",
            "set rollout cubeful on",
            "set rollout varredn on",
            "set rollout quasirandom on",
            f"set rollout chequerplay plies {depth.plies}",
            f"set rollout cubedecision plies {depth.plies}",
        ]
    return commands


def format_questions(states: Sequence[GameState]) -> tuple[str, list[int]]:
    """The SGF that asks about the states, and for each answer in it the state's place in them.

    The player of every state plays White. A state without a roll gets any.
    """
    games: dict[Stake, list[int]] = {}
    for place, state in enumerate(states):
        games.setdefault(stake_of(state), []).append(place)
    pieces = []
    for number, (stake, places) in enumerate(games.items()):
        pieces += [_root(stake, number), *(_question(states[place]) for place in places), ")\n"]
    return "".join(pieces), [place for places in games.values() for place in places]


def read_answers(
    data: bytes, states: Sequence[GameState], places: Sequence[int]
) -> list[MoveAnalysis]:
    """The analysis of each state; `places` is what `format_questions` gave for them.

    They have no rank, nor marks, of a play made. Raises EngineError if an answer is missing.
    """
    try:
        trees = parse(data)
    except MalformedError as error:
        raise EngineError(f"gnubg's answer cannot be read: {error}") from None
    nodes = [node for tree in trees for node in main_line(tree) if find_property(node, _ROLL)]
    if len(nodes) != len(places):
        raise EngineError(f"gnubg answered {len(nodes)} of {len(places)} questions")
    found: dict[int, MoveAnalysis] = {}
    for place, node in zip(places, nodes, strict=True):
        state = states[place]
        length, score = _length_and_score(stake_of(state))
        stakes = Stakes(length, score, state.crawford, state.cube)
        values = {one.name: one.values for one in node.properties}
        analysis = _of_nobody(read_move_analysis(Player.FIRST, values, stakes))
        found[place] = analysis if state.roll else MoveAnalysis(cube=analysis.cube)
    return [found[place] for place in range(len(states))]


def _of_nobody(analysis: MoveAnalysis) -> MoveAnalysis:
    """The analysis without what is said of the play in the question, which nobody made."""
    play, cube = analysis.play, analysis.cube
    return replace(
        analysis,
        play=play and replace(play, rank=None, marked=None),
        cube=cube and replace(cube, marked=None),
    )


_SWITCH = ("off", "on")


def board_for_gnubg(position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The board as gnubg's Python has it: the opponent's checkers, and those of who is to move."""
    points = position.points
    player = tuple([max(points[at], 0) for at in range(1, BAR + 1)])
    opponent = tuple([max(-points[at], 0) for at in (*range(BAR - 1, 0, -1), OFF)])
    return opponent, player


def cube_for_gnubg(state: GameState, mover: Player) -> tuple[tuple[Any, ...], dict[str, int]]:
    """The arguments of gnubg's `cubeinfo`, and what to put in place of the user's own rules.

    The player of the state is gnubg's player 0, `mover` who is to move.
    """
    stake = stake_of(state)
    length, score = _length_and_score(stake)
    owner = -1 if state.owner is None else int(state.owner is not state.player)
    to_move = int(mover is not state.player)
    rules = {"jacoby": int(stake.jacoby), "beavers": 0}
    return (state.cube, owner, to_move, length, score, int(stake.crawford), 0), rules


def _length_and_score(stake: Stake) -> tuple[int, tuple[int, int]]:
    """The shortest match in which the stake can come up, and the score in it."""
    length = max(stake.away, stake.opponent_away)
    return length, (length - stake.away, length - stake.opponent_away)


def _root(stake: Stake, number: int) -> str:
    length, score = _length_and_score(stake)
    rules = ["Crawford"] * (length > 1)
    rules += ["CrawfordGame"] * stake.crawford + ["Jacoby"] * stake.jacoby
    rules += ["Nackgammon"] * stake.nackgammon
    return (
        f"(;FF[4]GM[6]CA[UTF-8]AP[-]MI[length:{length}][game:{number}]"
        f"[ws:{score[0]}][bs:{score[1]}]PW[W]PB[B]" + (f"RU[{':'.join(rules)}]" if rules else "")
    )


def _question(state: GameState) -> str:
    owner = "c"
    if state.owner is not None:
        owner = "w" if state.owner is state.player else "b"
    roll = state.roll or _ANY_ROLL
    board = format_position(Player.FIRST, state.position).decode("ascii")
    return f"\n;{board}\n;CV[{state.cube}]CP[{owner}]\n;{COLOURS[Player.FIRST]}[{roll}]"
