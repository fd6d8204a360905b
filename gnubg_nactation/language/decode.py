"""Sequences replayed: from the tokens of a sequence to plays and positions.

A sequence is read as a whole. Strict readings come first; where one leads nowhere, doubtful
readings are tried, the best first: a lost underline or dot, lost italics, a looser letter after
entering, and at last assumption.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import BAR, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.language.alphabet import FAMILIES, Kind, Mark, family
from gnubg_nactation.language.assumption import assumed_plays, natural_plays
from gnubg_nactation.language.families import Families
from gnubg_nactation.language.interpret import interpret
from gnubg_nactation.language.nactate import CONVENIENCE, WAIVED, s_names_z
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.preference import preferred
from gnubg_nactation.language.tokens import Parsed, Says, Token, parse_sequence

__all__ = ["ASSUMED", "Decoded", "DecodedTurn", "candidates", "decode"]

STRICT, FORCED, FAN, ENTER, ASSUMED = "strict", "forced", "fan", "enter", "assumed"
TO_PLAY = "to be played"
# What a reading costs: of all ways to read a sequence the cheapest is taken.
_EMPHASIS, _LOST_MARK, _LOOSE, _LOST_ITALICS, _ASSUMPTION = 1, 2, 3, 4, 6
_MOST_READINGS = 3000  # tried before a sequence is given up
_MOST_CANDIDATES = 6  # of an assumption


class DecodedTurn(NamedTuple):
    """A token with its reading.

    `before` and `after` are numbered from the player to move, for a cube action the one who
    acts and the one who answers. `plays` are the legal plays of the roll. `note` says what was
    doubtful; `others` are plays that the token might also mean, best first. `nactation` is None
    for tokens without a character.
    """

    token: Token
    player: Player
    before: GameState
    after: GameState
    plays: tuple[Play, ...] = ()
    play: Play | None = None
    nactation: Nactation | None = None
    reading: str = STRICT
    note: str = ""
    others: tuple[Play, ...] = ()


class Decoded(NamedTuple):
    """A sequence with the readings of all its tokens, and the state that it leads to."""

    parsed: Parsed
    turns: tuple[DecodedTurn, ...]
    state: GameState


class _Reading(NamedTuple):
    cost: int
    play: Play | None
    reading: str
    nactation: Nactation | None = None
    note: str = ""
    others: tuple[Play, ...] = ()


class _Spot(NamedTuple):
    """A token in its position, with what the tiers of readings look at."""

    token: Token
    state: GameState
    last: bool
    families: Families


class _Node(NamedTuple):
    """A partial reading: the turns so far as a linked list, and the state that they reach."""

    state: GameState
    turn: DecodedTurn | None
    previous: _Node | None
    depth: int


def decode(text: str, *, start: Position | None = None, strict: bool = False) -> Decoded:
    """Read a sequence and replay it, from `start` or the position that the sequence implies.

    With `strict` no doubtful reading is tried. Raises MalformedError, or IllegalError with the
    place of the token that names no play.
    """
    parsed = parse_sequence(text)
    state = GameState(position=start or parsed.start, player=parsed.starts)
    node = _search(parsed, state, _TIERS[:1] if strict else _TIERS)
    turns: list[DecodedTurn] = []
    end = node.state
    while node.previous is not None and node.turn is not None:
        turns.append(node.turn)
        node = node.previous
    return Decoded(parsed, tuple(reversed(turns)), end)


def candidates(name: Nactation, families: Families) -> list[Play]:
    """All plays that a Nactation may mean: its strict reading, then by assumption."""
    assumed = assumed_plays(name.family, families.plays)
    try:
        strict = interpret(name, families)
    except IllegalError:
        return assumed
    return [strict, *(play for play in assumed if play != strict)]


def _search(parsed: Parsed, state: GameState, tiers: tuple[_Tier, ...]) -> _Node:
    """The cheapest reading of all tokens, deeper ones first among equals."""
    serial = count()
    start = _Node(state, None, None, 0)
    # An entry waits to try one tier of readings for the token behind its node.
    heap: list[tuple[int, int, int, int, _Node, int]] = []

    def wait(cost: int, node: _Node, tier: int) -> None:
        total = cost + tiers[tier].cost
        heapq.heappush(heap, (total, -node.depth, tier, next(serial), node, cost))

    wait(0, start, 0)
    deepest = start
    for _ in range(_MOST_READINGS):
        if not heap:
            break
        _, _, tier, _, node, cost = heapq.heappop(heap)
        if node.depth == len(parsed.tokens):
            return node
        deepest = max(deepest, node, key=lambda one: one.depth)
        if node.turn is not None and node.turn.token.says is Says.PASS:
            continue  # the game is over
        spot = _spot(parsed, node)
        for reading in tiers[tier].readings(spot):
            wait(cost + reading.cost, _follow(node, spot, reading), 0)
        if tier + 1 < len(tiers):
            wait(cost, node, tier + 1)
    raise _dead_end(parsed, deepest)


def _spot(parsed: Parsed, node: _Node) -> _Spot:
    token, state = parsed.tokens[node.depth], node.state
    if state.doubled and token.says not in {Says.TAKE, Says.PASS, Says.DOUBLE, Says.REDOUBLE}:
        state = _take(state)  # goes without saying when play goes on
    plays = legal_plays(state.position, token.roll) if token.roll else ()
    return _Spot(token, state, node.depth == len(parsed.tokens) - 1, Families(plays))


def _follow(node: _Node, spot: _Spot, reading: _Reading) -> _Node:
    before = spot.state
    roll = reading.play.roll if reading.play else spot.token.roll
    after = _after(before, spot, reading)
    turn = DecodedTurn(
        spot.token,
        before.player,
        replace(before, roll=roll),
        after,
        tuple(spot.families.plays),
        reading.play,
        reading.nactation,
        reading.reading,
        reading.note,
        reading.others,
    )
    return _Node(after, turn, node, node.depth + 1)


def _after(state: GameState, spot: _Spot, reading: _Reading) -> GameState:
    """The state behind a token, from the side of the player who is then to act."""
    match spot.token.says:
        case Says.DOUBLE | Says.REDOUBLE:
            return replace(_other_side(state), doubled=True)
        case Says.TAKE:
            return _take(state)
        case Says.PASS:
            return state
    if reading.play is not None:
        return replace(state, position=reading.play.after, player=state.player.other, roll=None)
    if reading.reading == TO_PLAY:
        return replace(state, roll=spot.token.roll)
    return _other_side(state)


def _other_side(state: GameState) -> GameState:
    return replace(state, position=state.position.switch_sides(), player=state.player.other)


def _take(state: GameState) -> GameState:
    taken = replace(state, cube=state.cube * 2, owner=state.player, doubled=False)
    return _other_side(taken)


def _strict(spot: _Spot) -> Iterator[_Reading]:
    token, state, families = spot.token, spot.state, spot.families
    match token.says:
        case Says.ROLL if not families.plays:
            yield _Reading(0, None, FAN if state.position.bar else FORCED)
        case Says.ROLL if len(families.plays) == 1:
            yield _Reading(0, families.plays[0], FORCED)
        case Says.ROLL if spot.last:
            yield _Reading(0, None, TO_PLAY)
        case Says.FAN if _can_fan(state.position):
            yield _Reading(0, None, FAN, _FAN)
        case Says.ENTER:
            yield from _entering(spot)
        case Says.PLAY:
            for name in token.names:
                yield from _named(name, spot)
        case Says.DOUBLE if not state.doubled and state.owner is None:
            yield _Reading(0, None, STRICT)
        case Says.REDOUBLE if not state.doubled and state.owner is state.player:
            yield _Reading(0, None, STRICT)
        case Says.TAKE | Says.PASS if state.doubled:
            yield _Reading(0, None, STRICT)


def _can_fan(position: Position) -> bool:
    return bool(position.bar) and any(not legal_plays(position, Roll.of(n, n)) for n in range(1, 7))


def _entering(spot: _Spot) -> Iterator[_Reading]:
    """One checker enters with a die, and the other die, which is not told, cannot be played."""
    position, die = spot.state.position, spot.token.die
    for other in range(1, 7):
        for play in legal_plays(position, Roll.of(die, other)):
            portion = play.portions[0]
            if len(play.portions) == 1 and (portion.source, portion.die) == (BAR, die):
                yield _Reading(0, play, ENTER)
                return


def _named(name: Nactation, spot: _Spot) -> Iterator[_Reading]:
    families = spot.families
    if name.family.key in {"^", "F"} and not families.plays:
        if spot.state.position.bar:
            yield _Reading(0, None, FAN, _FAN)
        return
    try:
        play = interpret(name, families)
    except IllegalError:
        return
    yield _Reading(0, play, _how(name, families), name)


def _how(name: Nactation, families: Families) -> str:
    row = name.family
    if row.kind is Kind.NUMERAL:
        return Kind.NUMERAL.value
    if row is _SPLIT and s_names_z(families):
        return CONVENIENCE
    if row.kind is Kind.AREAL and not families.members(row):
        return WAIVED
    return STRICT


def _mere_emphasis(spot: _Spot) -> Iterator[_Reading]:
    """Bold and colour as emphasis only, for which the author uses them too (section 14)."""
    for name in spot.token.names:
        step = _looks_alike(name)
        plain = Nactation(name.family, (name.member - 1) % (2 * step) + 1)
        if plain != name:
            for reading in _named(plain, spot):
                yield reading._replace(cost=_EMPHASIS, note="bold or colour as emphasis")


def _lost_marks(spot: _Spot) -> Iterator[_Reading]:
    if spot.token.roll is None or not spot.token.roll.is_doublet:
        return
    for name in spot.token.names:
        for row in FAMILIES:
            same = row.character == name.family.character and name.mark is Mark.NONE
            if same and row.mark is not Mark.NONE:
                yield from _as_if(Nactation(row, name.member), spot, _LOST_MARK)


def _as_if(name: Nactation, spot: _Spot, cost: int) -> Iterator[_Reading]:
    """The readings of a token as if it had been written otherwise."""
    for reading in _named(name, spot):
        yield reading._replace(cost=cost, reading=ASSUMED, note=f"read as {name}")


def _loose(spot: _Spot) -> Iterator[_Reading]:
    """D for any entry with the other number from the far outer board, as the author uses it."""
    if not any(name == _DOWN for name in spot.token.names):
        return
    for play in spot.families.plays:
        rest = [portion for portion in play.portions if portion.source != BAR]
        down = len(rest) == 1 and 7 <= rest[0].target <= 12 < rest[0].source <= 18
        if down and len(play.portions) == 2:
            yield _Reading(_LOOSE, play, WAIVED, _DOWN, "down from the far outer board")


def _lost_italics(spot: _Spot) -> Iterator[_Reading]:
    for name in spot.token.names:
        step = _looks_alike(name)
        for level in (1, 2, 3):
            other = Nactation(name.family, name.member + level * step)
            yield from _as_if(other, spot, _LOST_ITALICS + level - 1)


def _looks_alike(name: Nactation) -> int:
    """How many members on the same character is used again, in another format."""
    row = name.family
    return len(row.characters) * (2 if row.characters.isalpha() else 1)


def _assumed(spot: _Spot) -> Iterator[_Reading]:
    token, plays = spot.token, spot.families.plays
    if token.says is Says.ROLL:
        found = natural_plays(plays)
        note = "no character: what is most natural"
    elif token.says is Says.PLAY:
        rows = [name.family for name in token.names]
        found = [play for row in rows for play in assumed_plays(row, plays)]
        found = found or list(plays if len(plays) == 1 else ())
        note = "a part of the play assumed"
    else:
        return
    found = found[:_MOST_CANDIDATES]
    name = token.names[0] if token.names else None
    for at, play in enumerate(found):
        others = (*found[:at], *found[at + 1 :])
        yield _Reading(_ASSUMPTION + at, play, ASSUMED, name, note, others)


class _Tier(NamedTuple):
    """A way to read tokens, and the least that its readings cost."""

    cost: int
    readings: Callable[[_Spot], Iterator[_Reading]]


_TIERS = (
    _Tier(0, _strict),
    _Tier(_EMPHASIS, _mere_emphasis),
    _Tier(_LOST_MARK, _lost_marks),
    _Tier(_LOOSE, _loose),
    _Tier(_LOST_ITALICS, _lost_italics),
    _Tier(_ASSUMPTION, _assumed),
)


def _dead_end(parsed: Parsed, node: _Node) -> IllegalError:
    """Why the first token that no reading gets past cannot be read, and what could stand there."""
    spot = _spot(parsed, node)
    token, plays = spot.token, spot.families.plays
    if node.turn is not None and node.turn.token.says is Says.PASS:
        message = "the game is over with the pass before it"
    elif token.roll is None:
        message = f"{token.says.value} is not possible here"
    elif not plays:
        message = f"nothing can be played with {token.roll}"
    else:
        names = [str(preferred(play, spot.families).naming.nactation) for play in plays[:_SHOWN]]
        names += ["..."] * (len(plays) > _SHOWN)
        message = f"no such play of {token.roll}; possible are {' '.join(names)}"
    where = format_position_id(spot.state.position)
    return IllegalError(f"{token.text!r} in {where}: {message}", text=parsed.text, at=token.at)


_SHOWN = 12
_FAN = Nactation(family("^"))
_SPLIT, _DOWN = family("S"), Nactation(family("D"))
