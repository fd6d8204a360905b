"""OGID, the position ID of OpenGammon, read and written.

`11jjjjjhhhccccc:ooddddd88866666:N0N:31:W:IW:0:0:7:0`: a character for each checker, first of White,
then of Black; then the cube (its owner, its power of two, its action), the dice, the turn, the
state of the game, both scores and the match length. `0` is White's bar, `1` to `9` and `a` to `o`
are the points as Black counts them, `p` is Black's bar. White is Player.FIRST.
"""

from __future__ import annotations

import re
from collections import Counter

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import BAR, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.showing import quoted

_POINTS = "0123456789abcdefghijklmnop"
# As text, for longer patterns; case matters.
OGID = r"[0-9a-p]{0,15}:[0-9a-p]{0,15}:[WBN][0-9][A-Z](?::[0-9A-Za-z]{0,8}){0,8}"
_OGID = re.compile(
    r"(?:OGID[=:]\s*)?([0-9a-p]{0,15}):([0-9a-p]{0,15}):([WBN])([0-9])([A-Z])"
    r"(?::([1-6]{2})?(?::([WBwb])?(?::[A-Za-z]{0,3}(?::([0-9]{0,5})(?::([0-9]{0,5})"
    r"(?::([0-9]{0,5})([LCG]?)[0-9]*(?::[0-9]*(?::([0-9]{0,2}))?)?)?)?)?)?)?)?",
    re.ASCII,
)
_OWNERS = {"N": None, "W": Player.FIRST, "B": Player.SECOND}


def is_ogid(text: str) -> bool:
    """Whether a text has the form of an OGID."""
    return re.fullmatch(OGID, text) is not None


def parse_ogid(text: str) -> GameState:
    """The state of an OGID; raises MalformedError.

    The turn may only be missing if the position is the same for both players.
    """
    match = _OGID.fullmatch(text.strip())
    if match is None:
        raise MalformedError(f"not an OGID: {quoted(text)}")
    white, black, owner, power, action, dice, turn, first, second, length, rule, count = (
        match.groups()
    )
    if action != "N":
        raise MalformedError(f"not a readable OGID: {quoted(text)} has the cube action {action}")
    if count not in {None, "", "15"}:
        raise MalformedError(f"not a readable OGID: {quoted(text)} has {count} checkers a side")
    position = _position(white, black, text)
    if not turn and position.switch_sides() != position:
        raise MalformedError(f"not a readable OGID: {quoted(text)} has no turn, W or B")
    is_white = (turn or "W").upper() == "W"
    points, score = int(length or 0), (int(first or 0), int(second or 0))
    return GameState(
        position=position.switch_sides() if is_white else position,
        player=Player.FIRST if is_white else Player.SECOND,
        roll=Roll.parse(dice) if dice else None,
        cube=1 << int(power),
        owner=_OWNERS[owner],
        score=score,
        length=points,
        crawford=rule == "C" and points - 1 in score,
    )


def _position(white: str, black: str, text: str) -> Position:
    """The position of both sides' characters, numbered from Black."""
    ours, theirs = Counter(map(_POINTS.index, black)), Counter(map(_POINTS.index, white))
    if (ours.keys() & theirs.keys()) or ours[0] or theirs[BAR]:
        raise MalformedError(f"not an OGID: {quoted(text)} has checkers in impossible places")
    return Position(tuple([ours[point] - theirs[point] for point in range(BAR + 1)]))


def format_ogid(state: GameState) -> str:
    """The OGID of a state. Raises MalformedError while a double is unanswered."""
    if state.doubled:
        raise MalformedError("an OGID has no form for an unanswered double that we know")
    position = state.position
    if state.player is Player.FIRST:
        position = position.switch_sides()
    counts = list(zip(_POINTS, position.points, strict=True))
    white = "".join(character * -count for character, count in counts)
    black = "".join(character * count for character, count in reversed(counts))
    owner = "N" if state.owner is None else "WB"[state.owner]
    power = state.cube.bit_length() - 1
    if power > 9:
        raise MalformedError(f"an OGID has no room for a cube of {state.cube}")
    fields = (
        white,
        black,
        f"{owner}{power}N",
        state.roll or "",
        "WB"[state.player],
        "",
        *state.score,
        f"{state.length}{'C' * state.crawford}",
    )
    return ":".join(map(str, fields))
