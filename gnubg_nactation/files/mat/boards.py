"""The two ways in which match text sets up a board in the middle of a game.

gnubg writes `Illegal play (...)` for a play it could not record, with the board after it in
Snowie's order. XG writes a comment `; Set Pos=...` with the board in the order of an XGID.
"""

from __future__ import annotations

import re

from gnubg_nactation.backgammon.ids import format_xgid, parse_xgid
from gnubg_nactation.backgammon.match import SetCube, SetPosition
from gnubg_nactation.backgammon.position import BAR, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.showing import quoted

ILLEGAL_PLAY = "Illegal play ("

_BOARD_FIELDS = BAR + 1
_NAME_FIELD = 5  # the name of the player on roll
_ALL_FIELDS = 40
_COUNT = re.compile(r"-?[0-9]{1,2}")
_SET_POS = re.compile(r"Set Pos=([-A-Pa-p]{26})(?:/(-?)([0-9]))?")


def parse_illegal_play(text: str, players: tuple[str, str], player: Player) -> SetPosition:
    """Read the board in `Illegal play (...)` in the cell of `player`; raises MalformedError.

    The fields are the length, the Jacoby rule, two unknown, the player on roll, both names (first
    the player on roll), Crawford, the scores, the cube, the opponent's bar, the points 1 to 24, the
    own bar and the dice. If the name does not show who is on roll, it is the opponent of `player`.
    """
    fields = text[len(ILLEGAL_PLAY) :].strip().rstrip(")").rstrip().rstrip(";").split(";")
    counts = fields[-_BOARD_FIELDS - 2 : -2]
    if len(counts) != _BOARD_FIELDS or not all(map(_COUNT.fullmatch, counts)):
        raise MalformedError(f"no board of {_BOARD_FIELDS} counts in {quoted(text)}")
    opponent_bar, *points = map(int, counts)
    position = Position((-abs(opponent_bar), *points))
    on_roll = player.other
    if len(fields) == _ALL_FIELDS and players[0] != players[1]:
        name = fields[_NAME_FIELD].strip()
        on_roll = Player(players.index(name)) if name in players else on_roll
    return SetPosition(on_roll, position)


def parse_set_pos(comment: str) -> list[SetPosition | SetCube]:
    """Read the board, and the cube if there is one, of `Set Pos=<26 letters>/<cube>`.

    Returns an empty list for any other comment. Capitals are the first player's checkers. The
    cube is the exponent of its power of two, with a minus if the first player owns it; 0 is the
    centred cube. Raises MalformedError if the board is impossible.
    """
    match = _SET_POS.match(comment.strip())
    if not match:
        return []
    board, minus, power = match.groups()
    position = parse_xgid(f"{board}:0:0:1:00:0:0:0:0:10").position
    actions: list[SetPosition | SetCube] = [SetPosition(Player.FIRST, position)]
    if power is not None:
        owner = None if power == "0" else Player.FIRST if minus else Player.SECOND
        actions.append(SetCube(1 << int(power), owner))
    return actions


def format_set_pos(position: Position, cube: SetCube | None) -> str:
    """Write the comment that `parse_set_pos` reads, from a board of the first player."""
    board = format_xgid(GameState(position=position)).partition("=")[2].partition(":")[0]
    if cube is None:
        return f"Set Pos={board}"
    power = min(cube.value.bit_length() - 1, 9) if cube.owner is not None else 0
    sign = "-" if power and cube.owner is Player.FIRST else ""
    return f"Set Pos={board}/{sign}{power}"
