"""Questions to gnubg as SGF that it analyses as a match, and its answers read from there.

Every state becomes a set-up, the cube and a roll; states of one score share a game. gnubg
analyses a set-up like a position reached by play, and does so many times faster than when it is
asked for positions one by one, which costs it ten milliseconds each.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis, MoveAnalysis, is_equity
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import BAR, NACKGAMMON, OFF
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.engines.engine import Depth, Evaluation
from gnubg_nactation.errors import EngineError, MalformedError
from gnubg_nactation.files.figures import Figures
from gnubg_nactation.files.sgf.analysis import Stakes, read_move_analysis
from gnubg_nactation.files.sgf.nodes import COLOURS, format_position
from gnubg_nactation.files.sgf.tree import main_line, parse
from gnubg_nactation.values import Any, NamedTuple, replace

NODES_BEFORE = 3  # the roll of a lone state stands behind the root, the position and the cube
_ANY_PLIES = 10  # gnubg refuses none, even where nothing is truncated
_ANY_ROLL = Roll(2, 1)
_ROLL = COLOURS[Player.FIRST].encode()


class Stake(NamedTuple):
    """What is played for: the shortest match in which it can come up, of length 0 for money.

    The score is that of the player, then of the opponent.
    """

    length: int
    score: tuple[int, int]
    crawford: bool
    jacoby: bool
    nackgammon: bool  # gnubg knows an opening roll, which has luck of its own, by the variation


def stake_of(state: GameState) -> Stake:
    """The stake of a state, from the side of its player."""
    nackgammon = state.position == NACKGAMMON
    if not state.length:
        return Stake(0, (0, 0), False, state.jacoby, nackgammon)
    least = min(state.score)
    score = state.score[state.player] - least, state.score[state.player.other] - least
    return Stake(state.length - least, score, state.crawford, False, nackgammon)


def commands_for(depth: Depth, *, whole: bool, threads: int) -> list[str]:
    """What to tell gnubg before it analyses: how deep, and whether more than the plays."""
    looked = replace(depth, plies=2, plays=0) if depth.trials else depth  # to know the best
    switch = "on" if whole else "off"
    commands = [
        f"set threads {threads if depth.plies or depth.trials else 1}",  # 0 plies gain nothing
        f"set analysis cube {switch}",
        f"set analysis luck {switch}",
        f"set analysis chequerplay evaluation plies {looked.plies}",
        f"set analysis cubedecision evaluation plies {looked.plies}",
    ]
    for level in range(0, looked.plies, 2):
        always, more, within = looked.filter(level)
        kept = f"{always} {more} {within:g}"
        commands.append(f"set analysis movefilter {looked.plies} {level} {kept}")
    if depth.trials:
        commands += [
            "set rollout seed 1",
            "set rollout cubeful on",
            "set rollout varredn on",
            "set rollout quasirandom on",
            f"set rollout chequerplay plies {depth.plies}",
            f"set rollout cubedecision plies {depth.plies}",
            f"set rollout truncation enable {'on' if depth.truncate else 'off'}",
            f"set rollout truncation plies {depth.truncate or _ANY_PLIES}",
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
    nodes = [
        properties  # which are long, and taken apart once
        for tree in trees
        for node in main_line(tree)
        if _ROLL in (properties := {one.name: one.values for one in node.properties})
    ]
    if len(nodes) != len(places):
        raise EngineError(f"gnubg answered {len(nodes)} of {len(places)} questions")
    found: dict[int, MoveAnalysis] = {}
    for place, values in zip(places, nodes, strict=True):
        state = states[place]
        stake = stake_of(state)
        stakes = Stakes(stake.length, stake.score, state.crawford, state.cube)
        analysis = read_move_analysis(Player.FIRST, values, stakes, Figures())
        play, cube = analysis.play, analysis.cube
        if not state.roll:
            analysis, play = MoveAnalysis(), None
        found[place] = replace(  # without what is said of the play made, which nobody made
            analysis,
            play=play and replace(play, rank=None, marked=None),
            cube=cube and replace(cube, marked=None),
        )
    return [found[place] for place in range(len(states))]


def about_position(state: GameState, plies: int, play: Play | None = None) -> dict[str, Any]:
    """A question about the position of a state, or about the one that a play of it leads to.

    It has the arguments of gnubg's functions for Python: the board with the opponent's checkers
    first, then those of who is to move; the cube, where the player of the state is player 0; and
    what to put in place of the user's own rules.
    """
    points = (play.after if play else state.position).points
    mover = tuple([max(points[at], 0) for at in range(1, BAR + 1)])
    other = tuple([max(-points[at], 0) for at in (*range(BAR - 1, 0, -1), OFF)])
    stake = stake_of(state)
    owner = {None: -1, state.player: 0, state.player.other: 1}[state.owner]
    score, crawford = stake.score, int(stake.crawford)
    return {
        "board": (other, mover),
        "cube": (state.cube, owner, int(play is not None), stake.length, score, crawford, 0),
        "rules": {"jacoby": int(stake.jacoby), "beavers": 0},
        "plies": plies,
    }


def read_evaluation(numbers: Any) -> Evaluation:
    """What gnubg says of a position: the chances and the equities; EngineError if not these."""
    told = _numbers(numbers, 10)
    win, gammon, backgammon, lose_gammon, lose_backgammon, cubeless, cubeful, *_ = told
    return Evaluation((win, gammon, backgammon, lose_gammon, lose_backgammon), cubeless, cubeful)


def read_cube(numbers: Any, depth: Depth) -> CubeAnalysis:
    """What the same numbers say of the cube: the last three; EngineError if not these."""
    *_, no_double, double_take, _ = _numbers(numbers, 4)
    return CubeAnalysis(CubeAct.NO_DOUBLE, no_double, double_take, str(depth))


def _numbers(value: Any, least: int) -> list[float]:
    numbers: list[float] = []
    with suppress(TypeError, ValueError, OverflowError):
        numbers = [float(one) for one in value]
    if len(numbers) < least or not all(map(is_equity, numbers)):
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
