"""Questions to gnubg as SGF that it analyses as a match, and its answers read from there.

Every state becomes a set-up, the cube and a roll; states of one score share a game. gnubg
analyses a set-up like a position reached by play, and does so many times faster than when it is
asked for positions one by one, which costs it ten milliseconds each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from gnubg_nactation.backgammon.analysis import MoveAnalysis
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.backgammon.position import NACKGAMMON
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.errors import EngineError, NactationError
from gnubg_nactation.files import sgf
from gnubg_nactation.files.sgf_nodes import COLOURS, LETTERS
from gnubg_nactation.files.sgf_writing import format_position

__all__ = ["NODES_BEFORE", "Stake", "commands_for", "format_questions", "read_answers", "stake_of"]

NODES_BEFORE = 3  # the roll of a lone state stands behind the root, the position and the cube
_ANY_ROLL = Roll(2, 1)
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


def commands_for(depth: Depth, *, plays: bool, cube: bool, luck: bool, threads: int) -> list[str]:
    """What to tell gnubg before it analyses: how deep, and whether plays, cube and luck."""
    commands = [
        f"set threads {threads if depth.plies or depth.trials else 1}",  # 0 plies gain nothing
        f"set analysis moves {_SWITCH[plays]}",
        f"set analysis cube {_SWITCH[cube]}",
        f"set analysis luck {_SWITCH[luck]}",
        f"set analysis chequerplay evaluation plies {depth.plies}",
        f"set analysis cubedecision evaluation plies {depth.plies}",
    ]
    for level in range(0, depth.plies, 2):
        kept = f"{depth.plays} 0 0" if depth.plays else _LARGE[level > 0]
        commands.append(f"set analysis movefilter {depth.plies} {level} {kept}")
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


def read_answers(text: str, places: Sequence[int]) -> list[MoveAnalysis]:
    """The analysis of each state, in the order of the states; `places` as `format_questions` has.

    They have no rank, nor marks, of a play made. Raises EngineError if an answer is missing.
    """
    try:
        matches = [record.match for record in sgf.read_all(text.encode("latin-1"))]
    except NactationError as error:
        raise EngineError(f"gnubg's answer cannot be read: {error}") from None
    games = [game for match in matches for game in match.games]
    moves = [action for game in games for action in game.actions if isinstance(action, Move)]
    if len(moves) != len(places):
        raise EngineError(f"gnubg answered {len(moves)} of {len(places)} questions")
    found = sorted(zip(places, moves, strict=True), key=lambda pair: pair[0])
    return [_of_nobody(move.analysis or MoveAnalysis()) for _, move in found]


def _of_nobody(analysis: MoveAnalysis) -> MoveAnalysis:
    """The analysis without what is said of the play in the question, which nobody made."""
    play, cube = analysis.play, analysis.cube
    return replace(
        analysis,
        play=play and replace(play, rank=None, marked=None),
        cube=cube and replace(cube, marked=None),
    )


_SWITCH = ("off", "on")


def _root(stake: Stake, number: int) -> str:
    length = max(stake.away, stake.opponent_away)
    rules = ["Crawford"] * (length > 1)
    rules += ["CrawfordGame"] * stake.crawford + ["Jacoby"] * stake.jacoby
    rules += ["Nackgammon"] * stake.nackgammon
    return (
        f"(;FF[4]GM[6]CA[UTF-8]AP[-]MI[length:{length}][game:{number}]"
        f"[ws:{length - stake.away}][bs:{length - stake.opponent_away}]PW[W]PB[B]"
        + (f"RU[{':'.join(rules)}]" if rules else "")
    )


def _question(state: GameState) -> str:
    owner = "c"
    if state.owner is not None:
        owner = "w" if state.owner is state.player else "b"
    roll = state.roll or _ANY_ROLL
    plays = legal_plays(state.position, roll)
    letters = LETTERS[Player.FIRST]
    portions = plays[0].portions if plays else ()
    played = "".join([letters[one.source] + letters[one.target] for one in portions])
    board = format_position(Player.FIRST, state.position).decode("ascii")
    return f"\n;{board}\n;CV[{state.cube}]CP[{owner}]\n;{COLOURS[Player.FIRST]}[{roll}{played}]"
