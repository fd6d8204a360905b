"""A match as recorded, and its replay on the board.

The record is kept even if it is wrong; `replay` finds out which plays are legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gnubg_nactation.backgammon.analysis import CubeAnalysis, MoveAnalysis
from gnubg_nactation.backgammon.notation import Hop, force_hops, resolve
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.backgammon.state import USUAL_LIMIT, GameState, Player
from gnubg_nactation.errors import AmbiguousError, IllegalError
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import dataclass, interpreted, replace


@dataclass(frozen=True, slots=True)
class Move:
    """A roll and its play.

    `hops` is empty if nothing was played or recorded; `text` is the play as written in the record,
    the only trace of a play that cannot be read as hops.
    """

    player: Player
    roll: Roll
    hops: tuple[Hop, ...] = ()
    text: str = ""
    comment: str = ""
    line: int = 0
    analysis: MoveAnalysis | None = None


@dataclass(frozen=True, slots=True)
class CubeAction:
    """A player's action with the cube."""

    player: Player
    comment: str = ""
    line: int = 0
    analysis: CubeAnalysis | None = None


class Double(CubeAction):
    """The cube is offered; right after the opponent's Double it is a beaver or a raccoon."""

    __slots__ = ()


class Take(CubeAction):
    """The player accepts the cube."""

    __slots__ = ()


class Drop(CubeAction):
    """The player refuses the cube and loses the game."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Resign:
    """The player gives up the game, for the points of the game's result."""

    player: Player
    comment: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class SetPosition:
    """The record sets up a board, numbered from `player`, who is on roll."""

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

    @property
    def player(self) -> Player:
        """Always the first player, as no player acts."""
        return Player.FIRST


Action = Move | Double | Take | Drop | Resign | SetPosition | SetCube


@dataclass(frozen=True, slots=True)
class Game:
    """One game: the score before it, its actions, and the recorded result.

    `winner` is None and `points` 0 if the record has no result. `cube` is the value at the start
    (automatic doubles); `comments` are on the game as a whole.
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

    @property
    def score_after(self) -> tuple[int, int]:
        """The score after the game; that before it if the record has no result."""
        first, second = self.score
        if self.winner is None:
            return first, second
        return (first, second + self.points) if self.winner else (first + self.points, second)


@dataclass(frozen=True, slots=True)
class Match:
    """A match or, with `length` 0, a money session; `players` in the order of Player.

    `headers` are the record's tags in order, `comments` those on the match, and `problems` the
    unreadable lines of the record, each with the reason. `beavers` and `limit` are as in GameState.
    With `is_incomplete` another match of the record could not be read.
    """

    players: tuple[str, str]
    length: int
    games: tuple[Game, ...]
    start: Position = STANDARD
    jacoby: bool = False
    headers: tuple[tuple[str, str], ...] = ()
    comments: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    beavers: bool = False
    limit: int = USUAL_LIMIT
    is_incomplete: bool = False

    @property
    def score(self) -> tuple[int, int]:
        """The score after the last game, for each player at most the length of the match."""
        first, second = self.games[-1].score_after if self.games else (0, 0)
        return final_score(first, second, self.length)

    @property
    def has_analysis(self) -> bool:
        """Whether the record has the analysis of any play or cube action."""
        actions = (action for game in self.games for action in game.actions)
        return any(isinstance(action, (Move, CubeAction)) and action.analysis for action in actions)


def final_score(first: int, second: int, length: int) -> tuple[int, int]:
    """The score as players give it: a match ends at its `length`, whatever its last game won."""
    return (min(first, length), min(second, length)) if length else (first, second)


@interpreted  # DecodedTurn derives from it
@dataclass(frozen=True, slots=True)
class Turn:
    """An action on the board.

    `number` counts the actions of the game from 1. `state` is the moment before the action, with
    the roll of a Move; None if the board is unknown. `plays` are the legal plays of a Move. `play`
    is the play made; None for other actions, a roll that cannot be played or ends the record, and a
    play with a `problem`. `raised` is 1 for a double, 2 for a beaver, 3 for a raccoon, else 0.
    """

    number: int
    action: Action
    state: GameState | None
    play: Play | None = None
    plays: Sequence[Play] = ()
    problem: str = ""
    raised: int = 0

    @property
    def offered(self) -> int | None:
        """The value of the cube that a Double offers; None if unknown, or for another action."""
        if self.state is None or not self.raised:
            return None
        return self.state.cube * (2 if self.raised == 1 else 4)  # a beaver takes first


def is_crawford_game(length: int, score: tuple[int, int], earlier: list[tuple[int, int]]) -> bool:
    """Whether the game at `score` is the first with exactly one player a point away."""

    def one_away(at: tuple[int, int]) -> bool:
        return (length - at[0] == 1) != (length - at[1] == 1)

    return length > 1 and one_away(score) and not any(map(one_away, earlier))


def one_game(start: GameState, actions: Sequence[Action]) -> Match:
    """A match of one game, with these actions from `start`, between players without names."""
    board = start.position if start.player is Player.FIRST else start.position.switch_sides()
    cube = start.cube >> start.turned  # before it was offered
    setup: tuple[Action, ...] = ()
    if start.owner is not None:
        setup += (SetCube(cube, start.owner),)
    if start.doubled:
        offers = Double(start.player.other), Double(start.player), Double(start.player.other)
        setup += offers[2 - start.turned :]
    game = Game(1, start.score, (*setup, *actions), crawford=start.crawford, cube=cube)
    return Match(
        ("", ""),
        start.length,
        (game,),
        board,
        start.jacoby,
        beavers=start.beavers,
        limit=start.limit,
    )


def replay(match: Match, game: Game) -> Iterator[Turn]:
    """Play the game from the match's starting position, one Turn for each action.

    An illegal play is carried out if its checkers can be moved like that. Otherwise, and after a
    missing play, the board is unknown until the record sets it up again.
    """
    moves = [number for number, action in enumerate(game.actions, 1) if isinstance(action, Move)]
    replayed, last = Replay(match, game), max(moves, default=0)
    for number, action in enumerate(game.actions, 1):
        yield replayed.turn(action, goes_on=number < last)


class Replay:
    """A game on the board, played action by action.

    `state` is the moment after the last action. `board` is numbered from the player of `state`;
    None if unknown.
    """

    __slots__ = ("_doubler", "_game", "_match", "_number", "_raised", "board", "state")

    def __init__(self, match: Match, game: Game) -> None:
        self._match, self._game = match, game
        self.state = GameState(
            match.start,
            cube=game.cube,
            score=game.score,
            length=match.length,
            crawford=game.crawford,
            jacoby=match.jacoby,
            beavers=match.beavers,
            limit=match.limit,
        )
        self.board: Position | None = match.start
        self._doubler = Player.FIRST  # the first to offer an unanswered cube
        self._raised = self._number = 0  # `raised` of the last turn, and the number of turns

    def board_of(self, player: Player) -> Position | None:
        """The board numbered from a player."""
        if self.board is None or player is self.state.player:
            return self.board
        return self.board.switch_sides()

    def turn(self, action: Action, *, goes_on: bool = True) -> Turn:
        """Carry out an action; unless the game `goes_on`, a roll without a play may end it."""
        match, game, state = self._match, self._game, self.state
        roll = action.roll if isinstance(action, Move) else None
        board = action.position if isinstance(action, SetPosition) else self.board_of(action.player)
        if roll and state.doubled:  # the next roll implies a take
            state = turn_cube(state, Take(self._doubler.other), self._doubler)
        state = GameState(  # twice as fast as replace
            state.position if board is None else board,
            action.player,
            roll,
            state.cube,
            state.owner,
            game.score,
            match.length,
            game.crawford,
            match.jacoby,
            state.doubled,
            match.beavers,
            match.limit,
            state.turned,
        )
        self._number += 1
        if isinstance(action, Move) and board is not None:
            plays = legal_plays(board, action.roll)
            play, self.board, problem = _play_move(action, board, plays, goes_on=goes_on)
            self.state = state
            return Turn(self._number, action, state, play, plays, problem)
        self.board = board
        self._raised = (self._raised * state.doubled + 1) if isinstance(action, Double) else 0
        if self._raised == 1:
            self._doubler = action.player
        self.state = turn_cube(state, action, self._doubler)
        recorded = None if board is None else state
        return Turn(self._number, action, recorded, raised=self._raised)


def move_numbers(turns: Iterable[Turn]) -> list[int]:
    """The move number of each turn of a game, as in move lists.

    A move is a turn of the first player and the next one of the second; a turn without its
    counterpart is a separate move.
    """
    return count_moves(turn.action.player for turn in turns)


def places_in(game: int, turns: Sequence[Turn], match: int = 1) -> list[str]:
    """The place of each turn of a game, as `place_name` writes it."""
    pairs = zip(turns, move_numbers(turns), strict=True)
    return [place_name(game, move, turn.action.player, match) for turn, move in pairs]


def place_name(game: int, move: int, player: int, match: int = 1) -> str:
    """The place of a turn: `7.14b` is game 7, move 14, the second player.

    A file with several matches has a number for all but the first: `2.7.14b`.
    """
    return f"{f'{match}.' if match > 1 else ''}{game}.{move}{'ab'[player]}"


def count_moves(players: Iterable[Player]) -> list[int]:
    """The move number of each turn, by the player of each turn."""
    numbers: list[int] = []
    last, number = Player.SECOND, 0
    for player in players:
        number += player is Player.FIRST or last is Player.SECOND
        last = player
        numbers.append(number)
    return numbers


def stake_problem(match: Match, game: Game, turns: Sequence[Turn]) -> str:
    """Why the points of a game do not match the cube at its end; empty if they do.

    The turns are those of its replay. The last game of a match may count only the points needed, or
    the match length, as on Backgammon Galaxy.
    """
    last = turns[-1] if turns else None
    if game.winner is None or last is None or last.state is None:
        return ""
    state, dropped = last.state, isinstance(last.action, Drop)
    cubes = [state.cube]
    if state.doubled and not dropped:  # it was taken, or the player who resigned has passed it
        cubes.append(2 * state.cube)
    match last.action:
        case Take():
            cubes = cubes[-1:]
        case Double():
            cubes = [(last.offered or 0) // 2, last.offered or 0]
        case SetCube(value):
            cubes = [value]
    due = sorted({cube * size for cube in cubes for size in ((1,) if dropped else (1, 2, 3))})
    caps = (match.length - game.score[game.winner], match.length) if match.length else ()
    if game.points in due or (game.points in caps and game.points < due[-1]):
        return ""
    expected = ", ".join(map(str, due[:-1])) + " or " * (len(due) > 1) + str(due[-1])
    return f"the points won are {game.points}, with the cube at {cubes[-1]} expected {expected}"


def turn_cube(state: GameState, action: Action, doubler: Player) -> GameState:
    """The state with the cube after an action; nothing else changes.

    `doubler` is the first to offer an unanswered cube.
    """
    match action:
        case Double():  # of an unanswered cube: a beaver or a raccoon
            cube, turned = state.cube * (1 + state.doubled), state.turned + state.doubled
            return replace(state, cube=cube, doubled=True, turned=turned)
        case Take():
            # Even after a beaver, the cube goes to the side that was doubled first.
            owner = doubler.other if state.doubled else state.owner
            return replace(state, cube=state.cube * 2, owner=owner, doubled=False, turned=0)
        case SetCube(value, owner):
            return replace(state, cube=value, owner=owner, doubled=False, turned=0)
    return replace(state, doubled=False, turned=0)


def state_after(state: GameState, action: Action, play: Play | None = None) -> GameState:
    """The state after a legal action, numbered from the next player to act.

    `play` is that of a Move. A drop ends the game, and leaves the state as it is.
    """
    if isinstance(action, Drop):
        return state
    doubler = state.doubler
    if not isinstance(action, Move):
        state = turn_cube(state, action, doubler)
    if isinstance(action, Take) and state.player is doubler:  # of a beaver
        return state
    position = play.after if play else state.position.switch_sides()
    return replace(state, position=position, player=state.player.other, roll=None)


def _play_move(
    action: Move, position: Position, plays: tuple[Play, ...], *, goes_on: bool
) -> tuple[Play | None, Position | None, str]:
    """The play, the board reached (numbered from the player; None if unknown), the problem."""
    if action.hops:
        try:
            play = resolve(action.hops, position, action.roll, plays)
        except AmbiguousError as error:
            return None, None, str(error)
        except IllegalError as error:
            try:
                return None, force_hops(action.hops, position), str(error)
            except IllegalError as impossible:
                return None, None, f"{error}: {impossible}"
    elif action.text:
        return None, None, f"not a checker play: {quoted(action.text)}"
    elif not plays or not goes_on:  # a dance, or the game was given up after the roll
        return None, position, ""
    elif len(plays) > 1:
        return None, None, f"no play is recorded; {len(plays)} are possible"
    else:
        play = next(iter(plays))
    return play, play.reached, ""
