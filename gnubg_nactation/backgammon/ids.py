"""GNU Position ID, GNU Match ID and XGID, read and written."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from enum import Enum

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import BAR, CHECKERS, NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, replace

_POSITION_BITS = 80
_STARTS = {"start": STANDARD, "standard": STANDARD, "nackgammon": NACKGAMMON}


# What may stand around a name, and what people and programs write before it.
AROUND = " \t\r\n\"'`\u201c\u201d\u201e\u2018\u2019()[],;"
_MARK = re.compile(
    rf"[{re.escape(AROUND)}]*(?:Position\s?:\s*)?"
    r"(?P<mark>(?:(?P<xgid>XG\s?ID)|GNU\s?BG\s?ID|GNU\s?ID|Position\s?ID)\s*[=:]\s*)?",
    re.IGNORECASE,
)
_NAME = re.compile(rf"[^{re.escape(AROUND)}]+")
_MATCH_ID = re.compile(
    r"(?<![\s,;])[\s,;]*Match\s?ID\s*[=:]\s*([A-Z0-9+/]{12})(?![A-Z0-9+/])", re.IGNORECASE
)


def parse_position(text: str) -> Position:
    """The position named by a Position ID, an XGID, `start` or `nackgammon`.

    Numbered from the player to move; a Match ID after the Position ID (`ID:ID`) is passed over.
    Quotes around it and what says its kind (`GNUID=`, `Position ID:`) are passed over, too. Raises
    MalformedError.
    """
    name = _bare(text)
    if name.lower() in _STARTS:
        return _STARTS[name.lower()]
    if name.count(":") >= 8:
        return parse_xgid(name).position
    return parse_position_id(_MATCH_ID.sub("", name).partition(":")[0])


def parse_state(text: str) -> GameState | None:
    """What the name of a position tells of the game; None if the text is no such name.

    The names are those of `parse_position`, with the Match ID read where there is one. Raises
    MalformedError for what looks like an XGID or both IDs, or says that it is one, and is not.
    """
    state, end = find_state(text)
    if state is None or not text[end:].strip(AROUND):
        return state
    if _XGID.search(text, 0, end):
        raise MalformedError(f"not an XGID: {quoted(text)}")
    return None


def find_state(text: str) -> tuple[GameState | None, int]:
    """What the name of a position tells with which a text begins, and where the name ends.

    None and 0 if it begins with no such name. Raises MalformedError as `parse_state` does.
    """
    mark = _MARK.match(text)
    found = _NAME.match(text, mark.end() if mark else 0)
    if mark is None or found is None:
        return None, 0
    name = found[0].rstrip(".")
    end = found.start() + len(name)
    position, _, rest = name.partition(":")
    # By their lengths, as colons may part the tokens of a sequence too.
    if mark["xgid"] or (len(position) == BAR + 1 and rest):
        return parse_xgid(f"XGID={name}" if mark["xgid"] else name), end
    if len(position) == 14 and len(rest) == 12:
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


class IdKind(Enum):
    """What an ID names: XGIDs and pairs of both IDs of gnubg look like nothing else."""

    XGID = "XGID"
    GNUBG_ID = "Position ID and Match ID"
    POSITION_ID = "Position ID"


class IdInText(NamedTuple):
    """An ID in a text, with its label from `start` up to `end`; `name` is for `parse_state`."""

    kind: IdKind
    start: int
    end: int
    name: str
    is_labelled: bool

    @property
    def is_certain(self) -> bool:
        """Whether it is no word that only looks like an ID."""
        return self.is_labelled or self.kind is not IdKind.POSITION_ID


_ID_IN_TEXT = re.compile(
    r"""(?: (?<![A-Z0-9=])
            (?: XGID=
              | (?: XG\s?ID \s{0,9} [=:] \s{0,9} | (?<!-) ) (?= [-A-P]{26} (?: :-?\w{1,5} ){8} ) )
            (?P<xgid> [-A-Z0-9]{1,40} (?: : -?[A-Z0-9]{1,5} ){0,9} )
          | (?<![\w+/-])
            (?: (?:GNU\s?(?:BG\s?)?|Position\s?)ID (?: \s{0,9} [=:] \s{0,9} | \s{1,9} ) )?
            (?P<position> [A-Z0-9+/]{14} )
            (?: (?: : | [\s,;:]{1,40} Match\s?ID \s{0,9} [=:]? \s{0,9} ) (?P<match> [A-Z0-9+/]{12} )
              | (?!:\w) )
        ) (?! [\w+/] | :[0-9] )""",
    re.VERBOSE | re.IGNORECASE,
)


def find_ids(text: str) -> Iterator[IdInText]:
    """The XGIDs and IDs of gnubg in a text, by their looks alone."""
    for match in _ID_IN_TEXT.finditer(text):
        xgid, position, match_id = match.group("xgid", "position", "match")
        is_labelled = match.start() < match.start("xgid" if xgid else "position")
        if xgid:
            kind, name = IdKind.XGID, f"XGID={xgid}" if is_labelled else xgid
        elif match_id:
            kind, name = IdKind.GNUBG_ID, f"{position}:{match_id}"
        else:
            kind, name = IdKind.POSITION_ID, position
        yield IdInText(kind, *match.span(), name, is_labelled)


def _bare(text: str) -> str:
    """A name without what stands around it."""
    mark = _MARK.match(text)
    return text[mark.end() if mark else 0 :].strip(AROUND)


def format_position_id(position: Position) -> str:
    """The 14 characters by which gnubg knows the position, the player of `position` to move."""
    return packed_id(pack_position(position))


def pack_position(position: Position) -> bytes:
    """The ten bytes that the Position ID stands for."""
    points = position.points
    sides = [_THEIRS[count] for count in points[-2::-1]] + [_OURS[count] for count in points[1:]]
    return int("".join(sides)[::-1], 2).to_bytes(_POSITION_BITS // 8, "little")


def packed_id(data: bytes) -> str:
    """The Position ID that stands for ten such bytes."""
    return binascii.b2a_base64(data).decode("ascii").rstrip("=\n")


def unpack_position(data: bytes) -> Position:
    """The position of ten such bytes; MalformedError."""
    return parse_position_id(packed_id(data))


# For each count of a position, negative ones from the end: the bits of a point in a Position ID.
_OURS = [f"{'1' * max(count, 0)}0" for count in (*range(CHECKERS + 1), *range(-CHECKERS, 0))]
_THEIRS = [f"{'1' * max(-count, 0)}0" for count in (*range(CHECKERS + 1), *range(-CHECKERS, 0))]


def parse_position_id(text: str) -> Position:
    """The position of a Position ID, numbered from the player to move; MalformedError."""
    bits = f"{_decode(text, 14, 'Position ID'):0{_POSITION_BITS}b}"[::-1]
    *checkers, rest = bits.split("0", 2 * BAR)  # on each point so many ones, and a zero
    if len(checkers) < 2 * BAR or "1" in rest:
        raise MalformedError(f"not a Position ID: {quoted(text)} holds too many checkers")
    counts = list(map(len, checkers))
    opponent, own = [0, *counts[:BAR]], [0, *counts[BAR:]]
    points = [own[p] - (opponent[BAR - p] if p else 0) for p in range(BAR + 1)]
    points[0] = -opponent[BAR]
    if any(own[p] and opponent[BAR - p] for p in range(1, BAR)):
        raise MalformedError(f"not a Position ID: {quoted(text)} has both sides on one point")
    return Position(tuple(points))


def format_match_id(state: GameState) -> str:
    """The 12 characters that gnubg puts beside a Position ID: cube, score, roll and turn."""
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
    """What a Match ID says, with `position` as the board; MalformedError."""
    bits = _decode(text, 12, "Match ID")

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

    While a double awaits its answer gnubg goes on numbering the board from the doubler.
    """
    position = state.position.switch_sides() if state.doubled else state.position
    return f"{format_position_id(position)}:{format_match_id(state)}"


def parse_gnubg_id(text: str) -> GameState:
    """What a Position ID and a Match ID joined by a colon say; MalformedError."""
    position_id, _, match_id = text.partition(":")
    state = parse_match_id(match_id, parse_position_id(position_id))
    return replace(state, position=state.position.switch_sides()) if state.doubled else state


_XGID = re.compile(
    r"(?:XGID=)?([-A-Pa-p]{26}):(\d\d?):(0|-?1):(-?1):(\d\d|[DBR])"
    r":(\d{1,5}):(\d{1,5}):([0-3]):(\d{1,5}):(\d{1,5})",
    re.ASCII,
)


# A double, its beaver, which the doubler is to answer, and the raccoon: how often the cube was
# turned before the last offer.
_OFFERS = {"D": 0, "B": 1, "R": 2}

# For each count of a position, negative ones from the end: the character of a point in an XGID.
_XGID_POINTS = "-ABCDEFGHIJKLMNOonmlkjihgfedcba"


def format_xgid(state: GameState) -> str:
    """The XGID with the first-named player at the bottom, as XG writes it."""
    position = state.position
    if state.player is Player.SECOND:
        position = position.switch_sides()
    board = "".join([_XGID_POINTS[count] for count in position.points])
    owner = 0 if state.owner is None else 1 if state.owner is Player.FIRST else -1
    dice = "D" if state.doubled else str(state.roll) if state.roll else "00"
    named = state.player.other if state.doubled else state.player  # of a double, the doubler
    turn = 1 if named is Player.FIRST else -1
    rule = state.crawford if state.length else state.jacoby
    fields = (
        state.cube.bit_length() - 1,
        owner,
        turn,
        dice,
        *state.score,
        int(rule),
        state.length,
        10,  # the highest power of two that the cube may show
    )
    return f"XGID={board}:" + ":".join(map(str, fields))


def parse_xgid(text: str) -> GameState:
    """What an XGID says; the bottom player is Player.FIRST. Raises MalformedError."""
    match = _XGID.fullmatch(text.strip())
    if not match:
        raise MalformedError(f"not an XGID: {quoted(text)}")
    board, cube, owner, turn, dice, first, second, rule, length, _ = match.groups()
    points = tuple(0 if c == "-" else ord(c) - 64 if c.isupper() else 96 - ord(c) for c in board)
    position = Position(points)
    player = Player.FIRST if turn == "1" else Player.SECOND
    doubled = dice in _OFFERS
    if doubled and dice != "B":
        player = player.other  # the ID names the doubler; the other is to answer
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
    )


def _encode(bits: int, size: int) -> str:
    return packed_id(bits.to_bytes(size, "little"))


def _decode(text: str, length: int, what: str) -> int:
    text = text.strip()
    try:
        if len(text) != length:
            raise ValueError
        data = base64.b64decode(text + "=" * (-length % 4), validate=True)
    except (ValueError, binascii.Error):
        raise MalformedError(
            f"not a {what}: {quoted(text)} (expected {length} characters)"
        ) from None
    return int.from_bytes(data, "little")
