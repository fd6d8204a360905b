"""OGID, the position ID of OpenGammon, read and written.

`11ccccchhhjjjjj:66666888dddddoo:N0N:13:B:R:0:0:7:0`: a character for each checker, first of White,
then of Black; then the cube (its owner, its power of two, its action), the dice, the player who
reached the position, the state of the game, both scores, the match length and the number of the
move. `0` is White's bar, `1` to `9` and `a` to `o` are the points as Black counts them, `p` is
Black's bar. White is Player.FIRST.

The fifth field is the player who acted last, so his opponent is on roll, or answers his double.
"""

from __future__ import annotations

import re
from collections import Counter

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import BAR, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import replace

_POINTS = "0123456789abcdefghijklmnop"
# As text, for longer patterns; case matters.
OGID = r"[0-9a-p]{0,15}:[0-9a-p]{0,15}:[WBN][0-9][A-Z](?::[0-9A-Za-z]{0,8}){0,8}"
_OGID = re.compile(
    r"(?:OGID[=:]\s*)?([0-9a-p]{0,15}):([0-9a-p]{0,15}):([WBN])([0-9])([A-Z])"
    r"(?::([1-6]{2})?(?::([WBwb])?(?::([A-Za-z]{0,3})(?::([0-9]{0,5})(?::([0-9]{0,5})"
    r"(?::([0-9]{0,5})([LCG]?)[0-9]*(?::[0-9]*(?::([0-9]{0,2}))?)?)?)?)?)?)?)?",
    re.ASCII,
)
_ACTIONS = "NOT"  # none, offered, taken; after a pass the game is over
_OWNERS = {"N": None, "W": Player.FIRST, "B": Player.SECOND}


def is_ogid(text: str) -> bool:
    """Whether a text has the form of an OGID."""
    return re.fullmatch(OGID, text) is not None


def parse_ogid(text: str) -> GameState:
    """The state of an OGID; raises MalformedError.

    The player may only be missing if the position is the same for both.
    """
    state = _read_ogid(text)
    source = text.strip()
    source = source[5:].lstrip() if source.startswith("OGID") else source
    return state if _write_ogid(state) == source else replace(state, source=f"OGID={source}")


def _read_ogid(text: str) -> GameState:
    match = _OGID.fullmatch(text.strip())
    if match is None:
        raise MalformedError(f"not an OGID: {quoted(text)}")
    white, black, owner, power, action, dice, acted, phase, *others = match.groups()
    first, second, length, rule, count = others
    if action not in _ACTIONS:
        raise MalformedError(f"not a readable OGID: {quoted(text)} has the cube action {action}")
    if count not in {None, "", "15"}:
        raise MalformedError(f"not a readable OGID: {quoted(text)} has {count} checkers a side")
    position = _position(white, black, text)
    is_symmetric = position.switch_sides() == position
    if not acted and not is_symmetric:
        raise MalformedError(f"not a readable OGID: {quoted(text)} has no player, W or B")
    # Before the first roll nobody has acted, and White begins.
    is_white = (acted or "B").upper() == "B" or (phase == "IW" and not dice and is_symmetric)
    doubled = action == "O" or phase == "D"
    points, score = int(length or 0), (int(first or 0), int(second or 0))
    return GameState(
        position=position.switch_sides() if is_white else position,
        player=Player.FIRST if is_white else Player.SECOND,
        roll=Roll.parse(dice) if dice and not doubled else None,
        cube=1 << int(power),
        owner=_OWNERS[owner],
        score=score,
        length=points,
        crawford=rule == "C" and points - 1 in score,
        doubled=doubled,
    )


def _position(white: str, black: str, text: str) -> Position:
    """The position of both sides' characters, numbered from Black."""
    ours, theirs = Counter(map(_POINTS.index, black)), Counter(map(_POINTS.index, white))
    if (ours.keys() & theirs.keys()) or ours[0] or theirs[BAR]:
        raise MalformedError(f"not an OGID: {quoted(text)} has checkers in impossible places")
    return Position(tuple([ours[point] - theirs[point] for point in range(BAR + 1)]))


def format_ogid(state: GameState) -> str:
    """The OGID of a state; its source if that is an OGID of the same state.

    Raises MalformedError for a beaver and for a cube over 512.
    """
    source = state.source
    if source.startswith("OGID=") and _read_ogid(source) == state:
        return source[5:]
    return _write_ogid(state)


def _write_ogid(state: GameState) -> str:
    if state.turned:
        raise MalformedError("an OGID has no form for a beaver that we know")
    position = state.position
    if state.player is Player.FIRST:
        position = position.switch_sides()
    counts = list(zip(_POINTS, position.points, strict=True))
    white = "".join(character * -count for character, count in counts)
    black = "".join(character * count for character, count in counts)
    owner = "N" if state.owner is None else "WB"[state.owner]
    power = state.cube.bit_length() - 1
    if power > 9:
        raise MalformedError(f"an OGID has no room for a cube of {state.cube}")
    fields = (
        white,
        black,
        f"{owner}{power}{'O' if state.doubled else 'N'}",
        f"{state.roll.low}{state.roll.high}" if state.roll else "",
        "WB"[state.player.other],
        "D" if state.doubled else "",
        *state.score,
        f"{state.length}{'C' * state.crawford}",
        0,
    )
    return ":".join(map(str, fields))
