"""A match that is still being written: the games so far, and the turn that has begun."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import lru_cache
from itertools import takewhile

from gnubg_nactation.backgammon.match import (
    Double,
    Drop,
    Game,
    Match,
    Move,
    Replay,
    Resign,
    SetCube,
    SetPosition,
    Take,
    Turn,
    is_crawford_game,
    places_in,
    turn_cube,
)
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.results import points_for, result_of
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plausibility import plausibility
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.values import NamedTuple, replace

SWAP = "-"  # the key that swaps the dice of the opening roll between the players
NEXT_MEMBER = " "  # the key for the next play that is written with the same letter
RESIGN = "!"  # the key for a resignation; twice for the opponent's
SIZES = ("single game", "gammon", "backgammon")


class Ask(Enum):
    """What the next key answers."""

    OPENING = "opening"  # two dice, the first player's before the second player's
    ROLL = "roll"  # two dice, or an action with the cube
    PLAY = "play"  # the letter of a play
    ANSWER = "answer"  # to a double
    SIZE = "size"  # of a loss by resignation
    OVER = "over"  # nothing: the match is over


class Draft(NamedTuple):
    """A match that is still being written.

    `match` has the games that are over, and `turns` are those of the next one. `pending` has the
    keys of the turn that has begun. `typed` is the name that the last key completed. `note`
    explains why the last key did nothing. The headers of the match may exclude the Crawford rule or
    beavers.
    """

    match: Match
    turns: tuple[Turn, ...] = ()
    pending: str = ""
    typed: Nactation | None = None
    note: str = ""

    def has_rule(self, name: str) -> bool:
        """Whether no header of the match excludes a rule."""
        headers = self.match.headers
        return not any(key.lower() == name and value.lower() == "off" for key, value in headers)

    @property
    def score(self) -> tuple[int, int]:
        """The score after the games that are over."""
        return self.match.games[-1].score_after if self.match.games else (0, 0)

    @property
    def game(self) -> Game:
        """The game that is being written."""
        games, score = self.match.games, self.score
        earlier = [game.score for game in games]
        has_crawford = self.has_rule("crawford")
        crawford = has_crawford and is_crawford_game(self.match.length, score, earlier)
        number = games[-1].number + 1 if games else 1
        actions = tuple([turn.action for turn in self.turns])
        return Game(number, score, actions, crawford=crawford)

    @property
    def is_over(self) -> bool:
        """Whether a player has won the match."""
        return bool(self.match.length) and max(self.score) >= self.match.length

    @property
    def recorded(self) -> Match:
        """The match with all complete turns."""
        games = self.match.games
        return replace(self.match, games=(*games, self.game) if self.turns else games)

    @property
    def state(self) -> GameState:
        """The moment before the next turn, with the roll if it is known."""
        dice = self.pending.lstrip(SWAP)[:2]
        roll = Roll.parse(dice) if len(dice) == 2 and dice.isdigit() else None
        if self.turns:
            return replace(state_after(self.turns), roll=roll)
        state = Replay(self.match, self.game).state
        player = starter(self.pending)
        position = state.position if player is Player.FIRST else state.position.switch_sides()
        return replace(state, position=position, player=player, roll=roll)

    @property
    def ask(self) -> Ask:
        """What the next key answers."""
        if self.is_over:
            return Ask.OVER
        if RESIGN in self.pending:
            return Ask.SIZE
        if len(self.pending.lstrip(SWAP)) > 1:
            return Ask.PLAY
        if not self.turns:
            return Ask.OPENING
        return Ask.ANSWER if isinstance(self.turns[-1].action, Double) else Ask.ROLL

    @property
    def loser(self) -> Player:
        """The player who resigns, if one does."""
        player = self.state.player
        return player.other if self.pending.endswith(2 * RESIGN) else player

    @property
    def choices(self) -> tuple[Play, ...]:
        """The plays of the roll, the most natural first; none if no play is asked for."""
        state = self.state
        return by_nature(plays_of(state)) if state.roll and self.ask is Ask.PLAY else ()


def draft_of(match: Match) -> Draft:
    """The draft of a match that breaks off anywhere; a roll at its end is still to be played.

    Raises IllegalError if it cannot be continued key by key: it sets up a board, a play is illegal,
    a game before the last has no result, or the score of the last does not follow from the others.
    """
    games = match.games
    unfinished = games[-1] if games and games[-1].winner is None else None
    over = games[:-1] if unfinished else games
    for game in games:
        if game.winner is None and game is not unfinished:
            raise IllegalError(f"game {game.number} has no result")
        turns_of(match, game)
    draft = Draft(replace(match, games=over))
    if unfinished is None:
        return draft
    game = draft.game
    found = unfinished.number, unfinished.score, unfinished.cube
    if found != (game.number, game.score, game.cube):
        reason = "begins with a number, score or cube that does not follow"
        raise IllegalError(f"game {unfinished.number} {reason}")
    return with_turns(draft, turns_of(match, unfinished))


def with_turns(draft: Draft, turns: tuple[Turn, ...]) -> Draft:
    """The draft with the turns of its last game; a roll without a play becomes pending."""
    last = turns[-1] if turns else None
    if last and last.play is None and last.plays:
        return draft._replace(turns=turns[:-1], pending=dice_of(last))
    return draft._replace(turns=turns, pending="")


def turns_of(match: Match, game: Game) -> tuple[Turn, ...]:
    """The turns of a game without resignations; IllegalError if they are not all legal."""
    return _turns_of(replace(match, games=()), game)


@lru_cache(maxsize=64)  # of the games that are over
def _turns_of(match: Match, game: Game) -> tuple[Turn, ...]:
    actions = [action for action in game.actions if not isinstance(action, Resign)]
    if any(isinstance(action, (SetPosition, SetCube)) for action in actions):
        raise IllegalError(f"game {game.number} sets up a board or the cube")
    replayed = Replay(match, game)
    turns = [
        replayed.turn(action, goes_on=number < len(actions))
        for number, action in enumerate(actions, 1)
    ]
    for turn, place in zip(turns, places_in(game.number, turns), strict=True):
        if turn.problem:
            raise IllegalError(f"{place}: {turn.problem}")
    return tuple(turns)


def state_after(turns: Sequence[Turn]) -> GameState:
    """The state after the turns of an unfinished game, numbered from the next player to act."""
    turn = turns[-1]
    state, action = turn.state, turn.action
    assert state is not None  # the board of a legal game is known
    if isinstance(action, Move):
        position = turn.play.after if turn.play else state.position.switch_sides()
        other = state.player.other
        return replace(state, position=position, player=other, roll=None, doubled=False)
    offers = turns[:-1] if isinstance(action, Take) else turns
    raised = [*takewhile(lambda offer: isinstance(offer.action, Double), reversed(offers))]
    doubler = raised[-1].action.player if raised else state.player.other
    state = turn_cube(state, action, doubler)
    if isinstance(action, Take) and doubler is state.player:  # of a beaver
        return state
    return replace(state, position=state.position.switch_sides(), player=state.player.other)


def starter(pending: str) -> Player:
    """The player who plays the opening roll: the one with the higher die."""
    first = Player.SECOND if pending.startswith(SWAP) else Player.FIRST
    dice = pending.lstrip(SWAP)[:2]
    return first.other if len(dice) == 2 and dice[0] < dice[1] else first


def dice_of(turn: Turn) -> str:
    """The dice of a turn as they are typed: in the opening, the first player's die is first."""
    assert isinstance(turn.action, Move)
    roll = turn.action.roll
    is_swapped = turn.number == 1 and turn.action.player is Player.SECOND
    return f"{roll.low}{roll.high}" if is_swapped else str(roll)


def plays_of(state: GameState) -> Plays:
    """The legal plays of the state's roll."""
    assert state.roll is not None
    return _legal(state.position, state.roll)


_legal = lru_cache(maxsize=16)(Plays)  # a roll's plays are asked for several times


@lru_cache(maxsize=16)
def by_nature(plays: Plays) -> tuple[Play, ...]:
    """The plays, the most natural first by the rule of thumb."""
    return tuple(sorted(plays, key=plausibility, reverse=True))


# Counting keys


def keys_of(match: Match) -> Iterator[str]:
    """The fewest keys that type each action of a match, and each resignation."""
    for game in match.games:
        turns = turns_of(match, game)
        yield from map(_keys_of_turn, turns)
        if turns and game.winner is not None and result_of(turns) is None:
            is_rolled = turns[-1].play is None and bool(turns[-1].plays)
            state = turns[-1].state if is_rolled else state_after(turns)
            assert state is not None
            sizes = [size for size in (1, 2, 3) if points_for(state, size) == game.points]
            yield RESIGN * (1 + (state.player is game.winner)) + str(sizes[0])


def _keys_of_turn(turn: Turn) -> str:
    match turn.action:
        case Double():
            return "dbr"[turn.raised - 1]
        case Take():
            return "t"
        case Drop():
            return "p"
    if turn.play is None or len(turn.plays) < 2:
        return dice_of(turn)
    plays = Plays.of(turn.plays)
    names = [naming.nactation for naming in plays.names(turn.play)]
    letters = [keys_of_name(name) for name in names if plays.play(name) == turn.play]
    return dice_of(turn) + min(letters, key=len)


def keys_of_name(name: Nactation) -> str:
    """The keys that type a name: its letter, its mark, and a blank for each further style."""
    glyphs = name.family.glyphs
    level, at = divmod(name.member - 1, len(glyphs))
    return glyphs[at] + name.family.suffix + NEXT_MEMBER * level
