"""Questions to gnubg as an SGF match, and the answers in the SGF that it saves.

Every state becomes a set-up, the cube and a roll; states of the same score share a game. Analysing
a match of set-ups is many times faster than asking about single positions, which take gnubg ten
milliseconds each.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis, MoveAnalysis, is_equity
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import BAR, NACKGAMMON, OFF
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.engines.engine import MIN_GAMES, Depth, Evaluation
from gnubg_nactation.errors import EngineError, MalformedError
from gnubg_nactation.files.figures import Figures
from gnubg_nactation.files.sgf import (
    COLOURS,
    Stakes,
    format_position,
    main_line,
    parse,
    read_move_analysis,
)
from gnubg_nactation.values import Any, NamedTuple, replace

NODES_BEFORE = 3  # root, position and cube, before the roll of a single state
# gnubg needs numbers, even if nothing is truncated or stopped.
_ANY_PLIES, _ANY_ERROR = 10, 0.01
_ANY_ROLL = Roll(2, 1)
_ROLL = COLOURS[Player.FIRST].encode()


class Stake(NamedTuple):
    """Score and rules, as in the shortest match with the same away scores; length 0 for money.

    The player's score comes first.
    """

    length: int
    score: tuple[int, int]
    crawford: bool
    jacoby: bool
    nackgammon: bool  # gnubg needs the variation to recognise an opening roll, for its luck


def stake_of(state: GameState) -> Stake:
    """The stake of a state, from its player's side."""
    nackgammon = state.position == NACKGAMMON
    if not state.length:
        return Stake(0, (0, 0), False, state.jacoby, nackgammon)
    lower_score = min(state.score)
    score = state.score[state.player] - lower_score, state.score[state.player.other] - lower_score
    return Stake(state.length - lower_score, score, state.crawford, False, nackgammon)


def commands_for(depth: Depth, *, whole: bool, threads: int) -> list[str]:
    """The settings of an analysis: of the plays, and of the cube and luck if `whole`."""
    # Before a rollout, to find the best plays.
    search = replace(depth, plies=2, plays=0) if depth.trials else depth
    switch = "on" if whole else "off"
    commands = [
        f"set threads {threads if depth.plies or depth.trials else 1}",  # 0-ply gains nothing
        f"set analysis cube {switch}",
        f"set analysis luck {switch}",
        f"set analysis chequerplay evaluation plies {search.plies}",
        f"set analysis cubedecision evaluation plies {search.plies}",
    ]
    for level in range(0, search.plies, 2):
        always, more, within = search.filter(level)
        filter_text = f"{always} {more} {within:g}"
        commands.append(f"set analysis movefilter {search.plies} {level} {filter_text}")
    if depth.trials:
        commands += [
            f"set rollout seed {depth.seed}",
            "set rollout cubeful on",
            "set rollout varredn on",
            "set rollout quasirandom on",
            f"set rollout chequerplay plies {depth.plies}",
            f"set rollout cubedecision plies {depth.plies}",
            f"set rollout truncation enable {'on' if depth.truncate else 'off'}",
            f"set rollout truncation plies {depth.truncate or _ANY_PLIES}",
            f"set rollout truncation chequerplay plies {depth.ends}",
            f"set rollout truncation cubedecision plies {depth.ends}",
            f"set rollout limit enable {'on' if depth.until else 'off'}",
            f"set rollout limit minimumgames {MIN_GAMES}",
            f"set rollout limit maxerror {depth.until or _ANY_ERROR:g}",
        ]
    return commands


def format_questions(states: Sequence[GameState]) -> tuple[str, list[int]]:
    """The SGF that asks about the states, and the index of the state for each answer in it.

    The player of every state is White. A state without a roll gets any roll.
    """
    games: dict[Stake, list[int]] = {}
    for index, state in enumerate(states):
        games.setdefault(stake_of(state), []).append(index)
    pieces = []
    for number, (stake, indices) in enumerate(games.items()):
        pieces += [_root(stake, number), *(_question(states[index]) for index in indices), ")\n"]
    return "".join(pieces), [index for indices in games.values() for index in indices]


def read_answers(
    data: bytes, states: Sequence[GameState], order: Sequence[int]
) -> list[MoveAnalysis]:
    """The analysis of each state, without the rank and marks of a play made.

    `order` comes from `format_questions`. Raises EngineError if an answer is missing.
    """
    try:
        trees = parse(data)
    except MalformedError as error:
        raise EngineError(f"gnubg's answer cannot be read: {error}") from None
    nodes = [
        properties
        for tree in trees
        for node in main_line(tree)
        if _ROLL in (properties := {entry.name: entry.values for entry in node.properties})
    ]
    if len(nodes) != len(order):
        raise EngineError(f"gnubg answered {len(nodes)} of {len(order)} questions")
    analyses: dict[int, MoveAnalysis] = {}
    for index, values in zip(order, nodes, strict=True):
        state = states[index]
        stake = stake_of(state)
        stakes = Stakes(stake.length, stake.score, state.crawford, state.cube)
        analysis = read_move_analysis(Player.FIRST, values, stakes, Figures())
        play, cube = analysis.play, analysis.cube
        if not state.roll:
            analysis, play = MoveAnalysis(), None
        analyses[index] = replace(
            analysis,
            play=play and replace(play, rank=None, marked=None),
            cube=cube and replace(cube, marked=None),
        )
    return [analyses[index] for index in range(len(states))]


def about_position(state: GameState, plies: int, play: Play | None = None) -> dict[str, Any]:
    """A question about the position of a state, or about the position after a play.

    It has the arguments of gnubg's Python functions: the board, the opponent's checkers first;
    the cube, with the state's player as player 0; and rules that replace the user's own.
    """
    points = (play.after if play else state.position).points
    own = tuple([max(points[at], 0) for at in range(1, BAR + 1)])
    other = tuple([max(-points[at], 0) for at in (*range(BAR - 1, 0, -1), OFF)])
    stake = stake_of(state)
    owner = {None: -1, state.player: 0, state.player.other: 1}[state.owner]
    score, crawford = stake.score, int(stake.crawford)
    return {
        "board": (other, own),
        "cube": (state.cube, owner, int(play is not None), stake.length, score, crawford, 0),
        "rules": {"jacoby": int(stake.jacoby), "beavers": 0},
        "plies": plies,
    }


def read_evaluation(numbers: Any) -> Evaluation:
    """The chances and equities of a position, from gnubg's numbers; or raises EngineError."""
    values = _numbers(numbers, 10)
    win, gammon, backgammon, lose_gammon, lose_backgammon, cubeless, cubeful, *_ = values
    return Evaluation((win, gammon, backgammon, lose_gammon, lose_backgammon), cubeless, cubeful)


def read_cube(numbers: Any, depth: Depth) -> CubeAnalysis:
    """The cube decision, from the last three of the same numbers; or raises EngineError."""
    *_, no_double, double_take, _ = _numbers(numbers, 4)
    return CubeAnalysis(CubeAct.NO_DOUBLE, no_double, double_take, str(depth))


def _numbers(value: Any, count: int) -> list[float]:
    numbers: list[float] = []
    with suppress(TypeError, ValueError, OverflowError):
        numbers = list(map(float, value))
    if len(numbers) < count or not all(map(is_equity, numbers)):
        raise EngineError("gnubg's answer cannot be read")
    return numbers


def _root(stake: Stake, number: int) -> str:
    length, score = stake.length, stake.score
    rules = ["Crawford"] * (length > 1)
    rules += ["CrawfordGame"] * stake.crawford + ["Jacoby"] * stake.jacoby
    rules += ["Nackgammon"] * stake.nackgammon
    return (
        f"(;FF[4]GM[6]CA[UTF-8]AP[-]MI[length:{length}][game:{number}]"
        f"[ws:{score[0]}][bs:{score[1]}]PW[W]PB[B]" + (f"RU[{':'.join(rules)}]" if rules else "")
    )


def _question(state: GameState) -> str:
    owner = {None: "c", state.player: "w", state.player.other: "b"}[state.owner]
    roll = state.roll or _ANY_ROLL
    board = format_position(Player.FIRST, state.position).decode("ascii")
    return f"\n;{board}\n;CV[{state.cube}]CP[{owner}]\n;{COLOURS[Player.FIRST]}[{roll}]"
