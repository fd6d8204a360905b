"""GNU Position ID, GNU Match ID and XGID, read and written; OGID is in `ogid.py`."""

from __future__ import annotations

import binascii
import re
from operator import mul, sub

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import BAR, CHECKERS, NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import replace

_POSITION_BITS = 80
_MATCH_ID_CHARS = 12
_STARTS = {"start": STANDARD, "standard": STANDARD, "nackgammon": NACKGAMMON}


# The labels of IDs in people's and programs' texts.
XGID_LABEL = r"XG\s?ID"
GNUBG_LABEL = r"(?:GNU\s?(?:BG\s?)?|Position[\s-]?)ID"
MATCH_LABEL = r"Match[\s-]?ID"
# Characters that may surround an ID.
AROUND = " \t\r\n\"'`\u201c\u201d\u201e\u2018\u2019()[],;"
_MARK = re.compile(
    rf"[{re.escape(AROUND)}]*(?:Position\s?:\s*)?"
    rf"(?P<mark>(?:(?P<xgid>{XGID_LABEL})|(?P<ogid>OGID)|{GNUBG_LABEL})\s*[=:]\s*)?",
    re.IGNORECASE,
)
_BASE64 = re.compile(r"[A-Za-z0-9+/]+")
_NAME = re.compile(rf"[^{re.escape(AROUND)}]+")
_MATCH_ID = re.compile(
    rf"(?<![\s,;])[\s,;]*{MATCH_LABEL}\s*[=:]\s*([A-Z0-9+/]{{12}})(?![A-Z0-9+/])", re.IGNORECASE
)


def parse_position(text: str) -> Position:
    """The position named by a Position ID, an XGID, an OGID, `start` or `nackgammon`.

    Numbered from the player on roll. Skips quotes, a label (`GNUID=`, `Position ID:`), and a Match
    ID after the Position ID (`ID:ID`). Raises MalformedError.
    """
    name = _bare(text)
    if name.lower() in _STARTS:
        return _STARTS[name.lower()]
    if ogid := _read_ogid(name):
        return ogid.position
    if name.count(":") >= 8:
        return parse_xgid(name).position
    return parse_position_id(_MATCH_ID.sub("", name).partition(":")[0])


def parse_state(text: str) -> GameState | None:
    """The state named by a text, as in `parse_position` but with a Match ID; None for other texts.

    Raises MalformedError for an invalid text that has the label or the form of an ID.
    """
    state, end = find_state(text)
    if state is None or not text[end:].strip(AROUND):
        return state
    if _XGID.search(text, 0, end):
        raise MalformedError(f"not an XGID: {quoted(text)}")
    return None


def find_state(text: str) -> tuple[GameState | None, int]:
    """The state named at the beginning of a text, and the end of its name; None and 0 without one.

    Raises MalformedError like `parse_state`.
    """
    mark = _MARK.match(text)
    match = _NAME.match(text, mark.end() if mark else 0)
    if mark is None or match is None:
        return None, 0
    name = match[0].rstrip(".")
    end = match.start() + len(name)
    position, _, fields = name.partition(":")
    if ogid := _read_ogid(name, is_labelled=bool(mark["ogid"])):
        return ogid, end
    # Colons may also separate the tokens of a sequence, so the lengths decide.
    if mark["xgid"] or (len(position) == BAR + 1 and fields):
        return parse_xgid(f"XGID={name}" if mark["xgid"] else name), end
    if len(position) == 14 and len(fields) == 12:
        return parse_gnubg_id(name), end
    try:
        state = GameState(parse_position(position))
    except MalformedError:
        if mark["mark"]:
            raise
        return None, 0
    match_id = _MATCH_ID.match(text, end)
    if match_id and len(position) == 14:
        return parse_gnubg_id(f"{position}:{match_id[1]}"), match_id.end()
    return state, end


def _read_ogid(name: str, *, is_labelled: bool = False) -> GameState | None:
    """The state of an OGID; None for another name without that label. Raises MalformedError."""
    if not is_labelled and name.count(":") < 2:
        return None
    from gnubg_nactation.backgammon.ogid import is_ogid, parse_ogid  # noqa: PLC0415 - rare

    return parse_ogid(name) if is_labelled or is_ogid(name) else None


def _bare(text: str) -> str:
    """A name without its label and surrounding characters."""
    mark = _MARK.match(text)
    return text[mark.end() if mark else 0 :].strip(AROUND)


def format_position_id(position: Position) -> str:
    """The Position ID, gnubg's 14 characters for a position, from the player on roll."""
    return packed_id(pack_position(position))


def pack_position(position: Position) -> bytes:
    """The ten bytes of the Position ID."""
    points = position.points
    sides = [_THEIRS[count] for count in points[-2::-1]] + [_OURS[count] for count in points[1:]]
    return int("".join(sides)[::-1], 2).to_bytes(_POSITION_BITS // 8, "little")


def packed_id(data: bytes) -> str:
    """The Position ID of ten bytes."""
    return binascii.b2a_base64(data).decode("ascii").rstrip("=\n")


def pack_id(text: str) -> bytes:
    """The ten bytes of a Position ID, which is not checked."""
    return binascii.a2b_base64(f"{text}==")


def unpack_position(data: bytes) -> Position:
    """The position of ten bytes; raises MalformedError."""
    bits = f"{int.from_bytes(data, 'little'):0{_POSITION_BITS}b}"[::-1]
    *checkers, padding = bits.split("0", 2 * BAR)  # for each point its checkers as ones, and a zero
    if len(checkers) < 2 * BAR or "1" in padding:
        raise MalformedError(f"not a Position ID: {packed_id(data)!r} holds too many checkers")
    counts = list(map(len, checkers))
    theirs, own = counts[BAR - 1 :: -1], counts[BAR:]  # from the bar and from the ace point
    if any(map(mul, theirs[1:], own)):
        raise MalformedError(f"not a Position ID: {packed_id(data)!r} has both sides on one point")
    return Position(tuple(map(sub, (0, *own), (*theirs, 0))))


def is_contact(data: bytes) -> bool:
    """Whether in the position of ten bytes a checker still has to pass one of the opponent's.

    It only looks for the last checker of each side, which is quick.
    """
    bits = f"{int.from_bytes(data, 'little'):0{_POSITION_BITS}b}"[::-1]
    points = bits.split("0")  # the checkers on each: the opponent's, then the player's
    return _last(points, 0) + _last(points, BAR) > BAR


def _last(points: list[str], before: int) -> int:
    """The last of a side's points with checkers, from 1; 0 if there is none."""
    last = BAR
    while last and not points[before + last - 1]:
        last -= 1
    return last


# The bits of a point in a Position ID by the count of checkers; negative counts from the end.
_OURS = [f"{'1' * max(count, 0)}0" for count in (*range(CHECKERS + 1), *range(-CHECKERS, 0))]
_THEIRS = [f"{'1' * max(-count, 0)}0" for count in (*range(CHECKERS + 1), *range(-CHECKERS, 0))]


def parse_position_id(text: str) -> Position:
    """The position of a Position ID, numbered from the player on roll; raises MalformedError."""
    return unpack_position(_decode(text, 14, "Position ID"))


def format_match_id(state: GameState) -> str:
    """The Match ID, gnubg's 12 characters for cube, score, roll and turn.

    It is the source of the state if that is a Match ID of the same state. Raises MalformedError.
    """
    source = state.source
    if len(source) == _MATCH_ID_CHARS and _read_match_id(source, state.position) == state:
        return source
    return _write_match_id(state)


def _write_match_id(state: GameState) -> str:
    fields = (
        (4, state.cube.bit_length() - 1),
        (2, 3 if state.owner is None else state.owner),
        (1, state.player ^ state.doubled),
        (1, state.crawford),
        (3, 1),  # a game is being played
        (1, state.player),
        (1, state.doubled),
        (2, 0),  # no resignation offered
        (3, state.roll.high if state.roll else 0),
        (3, state.roll.low if state.roll else 0),
        (15, state.length),
        (15, state.score[0]),
        (15, state.score[1]),
        (1, not state.jacoby or state.length > 0),  # gnubg sets it in every match
    )
    bits = at = 0
    for width, value in fields:
        if value >> width:
            raise MalformedError(f"a Match ID has no room for {value}")
        bits |= value << at
        at += width
    return _encode(bits, 9)


def parse_match_id(text: str, position: Position = STANDARD) -> GameState:
    """The state of a Match ID with `position` as the board; raises MalformedError."""
    text = text.strip()
    state = _read_match_id(text, position)
    return state if _write_match_id(state) == text else replace(state, source=text)


def _read_match_id(text: str, position: Position) -> GameState:
    bits = int.from_bytes(_decode(text, _MATCH_ID_CHARS, "Match ID"), "little")

    def take(width: int) -> int:
        nonlocal bits
        value = bits & ((1 << width) - 1)
        bits >>= width
        return value

    cube, owner, _, crawford, _, player, doubled, _ = (take(n) for n in (4, 2, 1, 1, 3, 1, 1, 2))
    high, low, length, first, second, no_jacoby = (take(n) for n in (3, 3, 15, 15, 15, 1))
    if owner == 2 or high > 6 or low > 6 or (not high) != (not low):
        raise MalformedError(f"not a Match ID: {quoted(text)}")
    return GameState(
        position=position,
        player=Player(player),
        roll=Roll(high, low) if high else None,
        cube=1 << cube,
        owner=None if owner == 3 else Player(owner),
        score=(first, second),
        length=length,
        crawford=bool(crawford),
        jacoby=not length and not no_jacoby,
        doubled=bool(doubled),
    )


def format_gnubg_id(state: GameState) -> str:
    """Position ID and Match ID joined by a colon, as gnubg shows and reads them.

    While a double is unanswered, gnubg numbers the board from the doubler.
    """
    position = state.position.switch_sides() if state.doubled else state.position
    return f"{format_position_id(position)}:{format_match_id(state)}"


def parse_gnubg_id(text: str) -> GameState:
    """The state of a Position ID and a Match ID joined by a colon; raises MalformedError."""
    position_id, _, match_id = text.partition(":")
    state = parse_match_id(match_id, parse_position_id(position_id))
    return replace(state, position=state.position.switch_sides()) if state.doubled else state


_XGID = re.compile(
    r"(?:XGID=)?([-A-Pa-p]{26}):(\d\d?):(0|-?1):(-?1):(\d\d|[DBR])"
    r":(\d{1,5}):(\d{1,5}):([0-3]):(\d{1,5}):(\d{1,5})",
    re.ASCII,
)


# A double, a beaver, which the doubler answers, and a raccoon: the turns of the cube before it.
_OFFERS = {"D": 0, "B": 1, "R": 2}

# The character of a point in an XGID by the count of checkers; negative counts from the end.
_XGID_POINTS = "-ABCDEFGHIJKLMNOonmlkjihgfedcba"


def format_xgid(state: GameState) -> str:
    """The XGID with the first-named player at the bottom, as XG writes it.

    It is the source of the state if that is an XGID of the same state.
    """
    source = state.source
    if source.startswith("XGID=") and _read_xgid(source) == state:
        return source
    return _write_xgid(state)


def _write_xgid(state: GameState) -> str:
    position = state.position
    if state.player is Player.SECOND:
        position = position.switch_sides()
    board = "".join([_XGID_POINTS[count] for count in position.points])
    owner = 0 if state.owner is None else 1 if state.owner is Player.FIRST else -1
    dice, power = str(state.roll) if state.roll else "00", state.cube.bit_length() - 1
    if state.doubled:
        dice = "D" if not state.turned else "B" if state.turned % 2 else "R"
        power = max(0, power - _OFFERS[dice])
    # The ID names the doubler, who answers a beaver.
    actor = state.player.other if state.doubled and dice != "B" else state.player
    turn = 1 if actor is Player.FIRST else -1
    rule = state.crawford if state.length else state.jacoby + 2 * state.beavers
    fields = (
        power,
        owner,
        turn,
        dice,
        *state.score,
        int(rule),
        state.length,
        state.limit,
    )
    return f"XGID={board}:" + ":".join(map(str, fields))


def parse_xgid(text: str) -> GameState:
    """The state of an XGID; the bottom player is Player.FIRST. Raises MalformedError."""
    state = _read_xgid(text)
    source = text.strip()
    source = source if source.startswith("XGID=") else f"XGID={source}"
    return state if _write_xgid(state) == source else replace(state, source=source)


def _read_xgid(text: str) -> GameState:
    match = _XGID.fullmatch(text.strip())
    if not match:
        parts = "expected 26 characters and nine numbers, separated by colons"
        raise MalformedError(f"not an XGID: {quoted(text)} ({parts})")
    board, cube, owner, turn, dice, first, second, rule, length, limit = match.groups()
    points = tuple(0 if c == "-" else ord(c) - 64 if c.isupper() else 96 - ord(c) for c in board)
    position = Position(points)
    player = Player.FIRST if turn == "1" else Player.SECOND
    doubled = dice in _OFFERS
    if doubled and dice != "B":
        player = player.other  # the ID names the doubler; the opponent is to answer
    rolled = dice.isdigit() and dice != "00"
    money = not int(length)
    return GameState(
        position=position if player is Player.FIRST else position.switch_sides(),
        player=player,
        roll=Roll.parse(dice) if rolled else None,
        cube=1 << min(int(cube) + _OFFERS.get(dice, 0), 15),
        owner={"0": None, "1": Player.FIRST, "-1": Player.SECOND}[owner],
        score=(int(first), int(second)),
        length=int(length),
        crawford=not money and rule == "1",
        jacoby=money and rule in "13",
        doubled=doubled,
        beavers=money and rule in "23",
        limit=int(limit),
        turned=_OFFERS.get(dice, 0),
    )


def _encode(bits: int, size: int) -> str:
    return packed_id(bits.to_bytes(size, "little"))


def _decode(text: str, length: int, kind: str) -> bytes:
    text = text.strip()
    if len(text) != length or not _BASE64.fullmatch(text):
        raise MalformedError(f"not a {kind}: {quoted(text)} (expected {length} characters)")
    return binascii.a2b_base64(text + "=" * (-length % 4))
