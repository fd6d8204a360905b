"""A match as a record tells it, and its replay on the board.

What a file says is kept even where it is wrong; `replay` finds out what can be played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gnubg_nactation.backgammon.analysis import CubeAnalysis, MoveAnalysis
from gnubg_nactation.backgammon.notation import Hop, force_hops, resolve
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import AmbiguousError, IllegalError

__all__ = [
    "Action",
    "Double",
    "Drop",
    "Game",
    "Match",
    "Move",
    "Resign",
    "SetCube",
    "SetPosition",
    "Take",
    "Turn",
    "acting",
    "is_crawford_game",
    "replay",
]


@dataclass(frozen=True, slots=True)
class Move:
    """A roll and what was played with it.

    `hops` is empty when nothing was played or nothing is recorded; `text` is the play as the
    record spells it, the only trace of one that cannot be read as hops.
    """

    player: Player
    roll: Roll
    hops: tuple[Hop, ...] = ()
    text: str = ""
    comment: str = ""
    line: int = 0
    analysis: MoveAnalysis | None = None


@dataclass(frozen=True, slots=True)
class Double:
    """The cube is offered; right after the opponent's Double it is a beaver or a raccoon."""

    player: Player
    comment: str = ""
    line: int = 0
    analysis: CubeAnalysis | None = None


@dataclass(frozen=True, slots=True)
class Take:
    """The player accepts the cube."""

    player: Player
    comment: str = ""
    line: int = 0
    analysis: CubeAnalysis | None = None


@dataclass(frozen=True, slots=True)
class Drop:
    """The player refuses the cube and loses the game."""

    player: Player
    comment: str = ""
    line: int = 0
    analysis: CubeAnalysis | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """The player gives up the game; the game's result says for how many points."""

    player: Player
    comment: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class SetPosition:
    """The record puts up a board, numbered from `player`, who is to move."""

    player: Player
    position: Position
    comment: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class SetCube:
    """The record turns the cube to `value` and gives it to `owner` (None: the middle)."""

    value: int
    owner: Player | None
    comment: str = ""
    line: int = 0


Action = Move | Double | Take | Drop | Resign | SetPosition | SetCube


@dataclass(frozen=True, slots=True)
class Game:
    """One game: the score before it, what was done, and the result as the record states it.

    `winner` is None and `points` 0 where the record has no result. `cube` is the value at the
    start (automatic doubles); `comments` are remarks on the game as a whole.
    """

    number: int
    score: tuple[int, int]
    actions: tuple[Action, ...]
    winner: Player | None = None
    points: int = 0
    resigned: bool = False
    crawford: bool = False
    cube: int = 1
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """A match or, with `length` 0, a money session; `players` in the order of Player.

    `headers` are the record's tags in their order; `comments` its remarks on the match;
    `problems` are the lines of the record that nothing could be made of, each with its reason.
    """

    players: tuple[str, str]
    length: int
    games: tuple[Game, ...]
    start: Position = STANDARD
    jacoby: bool = False
    headers: tuple[tuple[str, str], ...] = ()
    comments: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """An action on the board.

    `number` counts the actions of the game from 1. `state` is the moment before the action, with
    the roll of a Move; None where the board is no longer known. `plays` are the legal plays of a
    Move. `play` is the one made; None for other actions, a roll that cannot be played or with
    which the record of the game ends, and a play with a `problem`.
    """

    number: int
    action: Action
    state: GameState | None
    play: Play | None = None
    plays: tuple[Play, ...] = ()
    problem: str = ""


def is_crawford_game(length: int, score: tuple[int, int], earlier: list[tuple[int, int]]) -> bool:
    """Whether the game at `score` is the first in which just one player is a point away."""

    def one_away(at: tuple[int, int]) -> bool:
        return (length - at[0] == 1) != (length - at[1] == 1)

    return length > 1 and one_away(score) and not any(map(one_away, earlier))


def replay(match: Match, game: Game) -> Iterator[Turn]:
    """Play the game through from the match's starting position, one Turn for each action.

    A play against the rules is carried out if the checkers can be moved so; after one that
    cannot, or one that is missing, the board is unknown until the record sets it up again.
    """
    board: Position | None = match.start  # numbered from the first player
    cube = _Cube(game.cube)
    last = max((n for n, a in enumerate(game.actions) if isinstance(a, Move)), default=0)
    for index, action in enumerate(game.actions):
        player = acting(action)
        if isinstance(action, Move) and cube.doubler is not None:
            cube = _accept(cube)  # a take goes without saying when play goes on
        if isinstance(action, SetPosition):
            board = _from_first(player, action.position)
        state = None
        if board is not None:
            state = GameState(
                position=_from_first(player, board),
                player=player,
                roll=action.roll if isinstance(action, Move) else None,
                cube=cube.value,
                owner=cube.owner,
                score=game.score,
                length=match.length,
                crawford=game.crawford,
                jacoby=match.jacoby,
                doubled=cube.doubler is not None,
            )
        if isinstance(action, Move) and state is not None:
            plays = legal_plays(state.position, action.roll)
            play, reached, problem = _play_move(action, state.position, plays, goes_on=index < last)
            board = _from_first(player, reached) if reached else None
            yield Turn(index + 1, action, state, play, plays, problem)
        else:
            yield Turn(index + 1, action, state)
            cube = _turn_cube(cube, action)


def acting(action: Action) -> Player:
    """The player whose turn the action is; the first for a cube that is set by nobody."""
    return Player.FIRST if isinstance(action, SetCube) else action.player


@dataclass(frozen=True, slots=True)
class _Cube:
    value: int
    owner: Player | None = None
    doubler: Player | None = None  # who offered it first, while it awaits an answer


def _turn_cube(cube: _Cube, action: Action) -> _Cube:
    match action:
        case Double(player):
            if cube.doubler is None:
                return _Cube(cube.value, cube.owner, player)
            return _Cube(cube.value * 2, cube.owner, cube.doubler)  # beaver, raccoon
        case Take():
            return _accept(cube)
        case SetCube(value, owner):
            return _Cube(value, owner)
        case Drop() | Resign() | SetPosition():
            return _Cube(cube.value, cube.owner)
    return cube


def _accept(cube: _Cube) -> _Cube:
    # Whoever turns it once more, the cube goes to the side that was doubled first.
    owner = cube.doubler.other if cube.doubler is not None else cube.owner
    return _Cube(cube.value * 2, owner)


def _from_first(player: Player, board: Position) -> Position:
    """Turn a board numbered from `player` to the first player's numbers, or the other way."""
    return board if player is Player.FIRST else board.switch_sides()


def _play_move(
    action: Move, position: Position, plays: tuple[Play, ...], *, goes_on: bool
) -> tuple[Play | None, Position | None, str]:
    """The play, the board reached (numbered from the player; None if unknown), the problem."""
    if not action.hops:
        return _play_unrecorded(action, position, plays, goes_on=goes_on)
    try:
        play = resolve(action.hops, position, action.roll, plays)
    except AmbiguousError as error:
        return None, None, str(error)
    except IllegalError as error:
        try:
            return None, force_hops(action.hops, position), str(error)
        except IllegalError as impossible:
            return None, None, f"{error}: {impossible}"
    return play, play.reached, ""


def _play_unrecorded(
    action: Move, position: Position, plays: tuple[Play, ...], *, goes_on: bool
) -> tuple[Play | None, Position | None, str]:
    if action.text:
        return None, None, f"not a checker play: {action.text!r}"
    if not plays or not goes_on:  # a dance, or the game was given up after the roll
        return None, position, ""
    if len(plays) == 1:
        return plays[0], plays[0].reached, ""
    return None, None, f"no play is recorded; {len(plays)} are possible"
