"""The two players, and what a game looks like at one moment."""

from __future__ import annotations

from enum import IntEnum

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.hooks import hook
from gnubg_nactation.values import dataclass, field, replace

USUAL_LIMIT = 10  # of the cube, as XG writes it
PLAYER_NAMES = ("White", "Black")  # of players who have none, in the order of Player


class Player(IntEnum):
    """The first-named player (left column of match text, White in SGF, bottom) and the second."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player(1 - self)


@dataclass(frozen=True, slots=True)
class GameState:
    """A moment of a game: the contents of an XGID, or of a Position ID with Match ID.

    `position` is numbered from `player`, who moves or answers. `cube` is the value
    of the cube, `owner` None while it is in the middle. `score` is in the order of Player,
    `length` is 0 for money play. `roll` is None before the dice are thrown.
    `doubled` means that `player` has been offered the cube at twice its value. `turned` is 1 if the
    offer is a beaver, 2 if it is a raccoon; `cube` then counts the offers before it as taken.
    `beavers` means that a money game allows them, `limit` is the highest power of two that the cube
    may show. `source` is the ID that the state was read from, if it has more than these fields:
    the order of the dice, a number of the move.
    """

    position: Position = STANDARD
    player: Player = Player.FIRST
    roll: Roll | None = None
    cube: int = 1
    owner: Player | None = None
    score: tuple[int, int] = (0, 0)
    length: int = 0
    crawford: bool = False
    jacoby: bool = False
    doubled: bool = False
    beavers: bool = False
    limit: int = USUAL_LIMIT
    turned: int = 0
    source: str = field(default="", compare=False)

    @classmethod
    def parse(cls, text: str) -> GameState:
        """Read an XGID, an OGID, a Position ID with or without a Match ID, `start` or `nackgammon`.

        Raises MalformedError.
        """
        state: GameState = hook("to_state")(text)
        return state

    @property
    def xgid(self) -> str:
        """The XGID, `XGID=` included, with the first player at the bottom."""
        return str(hook("format_xgid")(self))

    @property
    def ogid(self) -> str:
        """The OGID, with the first player as White. Raises MalformedError."""
        return str(hook("format_ogid")(self))

    @property
    def may_double(self) -> bool:
        """Whether the player may double before the roll, and it would count; `roll` is ignored."""
        if self.doubled or self.crawford or self.owner not in {None, self.player}:
            return False
        if self.cube >= 1 << self.limit:
            return False
        return not self.length or self.score[self.player] + self.cube < self.length

    @property
    def doubler(self) -> Player:
        """The first to offer the unanswered cube, before beavers; the player without an offer."""
        if not self.doubled or self.turned == 1:  # the doubler answers a beaver
            return self.player
        return self.player.other

    @property
    def before_double(self) -> GameState:
        """The moment before the cube was offered, of the player who did; itself if it was not."""
        if not self.doubled:
            return self
        before = replace(self, cube=self.cube >> self.turned, doubled=False, turned=0)
        if self.doubler is self.player:
            return before
        return replace(before, position=self.position.switch_sides(), player=self.player.other)
