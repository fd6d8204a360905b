"""Sequences replayed: from the tokens of a sequence to plays and positions.

A sequence is read as a whole. Strict readings come first; where one leads nowhere, doubtful
readings are tried, the best first: a lost underline or dot, lost italics, a looser letter after
entering, and at last assumption.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play, legal_plays
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import AmbiguousError, IllegalError
from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.assumption import Confidence, Equities, Evaluator, more_natural
from gnubg_nactation.sequences.tiers import (
    ASSUMED,
    STRICT,
    TIERS,
    TO_PLAY,
    Judge,
    Spot,
    Tier,
    TokenReading,
    is_basic,
)
from gnubg_nactation.sequences.tokens import Parsed, Token, TokenKind, parse_sequence

__all__ = ["ASSUMED", "STRICT", "TO_PLAY", "Decoded", "DecodedTurn", "candidates", "decode"]

_MOST_READINGS = 3000  # tried before a sequence is given up


class DecodedTurn(NamedTuple):
    """A token with its reading.

    `before` and `after` are numbered from the player to move, for a cube action the one who
    acts and the one who answers. `plays` are the legal plays of the roll. `note` says what was
    doubtful; `others` are plays that the token might also mean, best first. `nactation` is None
    for tokens without a character. `sure` tells how sure the reading is, and `gap` by how much
    the play is better than the best other candidate by an engine, None if none was asked.
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
    sure: Confidence = Confidence.SURE
    gap: float | None = None


class Decoded(NamedTuple):
    """A sequence with the readings of all its tokens, and the state that it leads to."""

    parsed: Parsed
    turns: tuple[DecodedTurn, ...]
    state: GameState


class _Node(NamedTuple):
    """A partial reading: the turns so far as a linked list, and the state that they reach."""

    state: GameState
    turn: DecodedTurn | None
    previous: _Node | None
    depth: int


def decode(
    text: str,
    *,
    start: Position | GameState | None = None,
    strict: bool = False,
    equities: Evaluator | None = None,
    weigh: bool = False,
) -> Decoded:
    """Read a sequence and replay it, from `start` or the position that the sequence implies.

    The score, the cube and the rules of a state go with it; its player begins, in the seat that
    the sequence says.

    `equities` is asked only where a part of a play has to be assumed; without it a rule of thumb
    stands in. A doublet whose letter is more likely to mean another play is read to the letter,
    with the other plays beside it. With `weigh` `equities` is asked about every character, and a
    strict reading that is far worse than what the character would mean by assumption comes after
    it. With `strict` no doubtful reading is tried.

    Raises MalformedError; IllegalError with the place of the token that names no play;
    AmbiguousError with the plays that it might mean if only `strict` refuses it; and what
    `equities` raises.
    """
    parsed = parse_sequence(text)
    state = _first_state(start, parsed)
    if not strict:
        found = _decoded(parsed, _search(parsed, state, TIERS, Judge(equities, weighs=weigh)))
        return found if weigh else found._replace(turns=tuple(map(_with_natural, found.turns)))
    try:
        return _decoded(parsed, _search(parsed, state, TIERS[:1], Judge(None)))
    except IllegalError as error:
        raise _refusal(parsed, state) or error from None


def _first_state(start: Position | GameState | None, parsed: Parsed) -> GameState:
    if not isinstance(start, GameState):
        return GameState(position=start or parsed.start, player=parsed.starts)
    state = replace(start, roll=None)
    if state.player is parsed.starts:
        return state
    owner = None if state.owner is None else state.owner.other
    return replace(state, player=parsed.starts, owner=owner, score=state.score[::-1])


def _decoded(parsed: Parsed, node: _Node) -> Decoded:
    turns: list[DecodedTurn] = []
    end = node.state
    while node.previous is not None and node.turn is not None:
        turns.append(node.turn)
        node = node.previous
    return Decoded(parsed, tuple(reversed(turns)), end)


def _with_natural(turn: DecodedTurn) -> DecodedTurn:
    """A doublet read to the letter, with what its letter is more likely to mean (#38, #39)."""
    name, play = turn.nactation, turn.play
    if name is None or play is None or turn.reading != STRICT or not play.roll.is_doublet:
        return turn
    others = more_natural(name.family, play, turn.plays) if is_basic(name) else ()
    if not others:
        return turn
    note = "to the letter, but others are more natural by rule of thumb"
    return turn._replace(note=note, others=others[:_MOST_OTHERS])


def _refusal(parsed: Parsed, state: GameState) -> AmbiguousError | None:
    """Where a sequence that can only be read leniently is doubtful first; None if it cannot be."""
    try:
        turns = _decoded(parsed, _search(parsed, state, TIERS, Judge(None))).turns
    except IllegalError:
        return None
    doubtful = (
        turn for turn in turns if turn.sure is not Confidence.SURE and turn.play is not None
    )
    turn = next((turn for turn in doubtful if turn.reading != _NUMERAL), None)
    if turn is None:
        return None
    plays = [play for play in (turn.play, *turn.others) if play is not None]
    where = f"{turn.token.text!r} in {format_position_id(turn.before.position)}"
    names = _some([format_play(play) for play in plays], _SHOWN_CANDIDATES, "; ")
    message = f"{where}: not by the rules ({turn.note}); it might mean {names}"
    return AmbiguousError(message, plays, text=parsed.text, at=turn.token.at)


def candidates(name: Nactation, plays: Plays, values: Equities | None = None) -> list[Play]:
    """The plays that a Nactation may mean by the rules or by assumption, the likeliest first.

    Its strict reading comes first unless `values`, the equities of the plays, show that a natural
    reading is far better.
    """
    if not plays:
        return []
    play = plays[0]
    token = Token(TokenKind.PLAY, f"{play.roll}{name}", 0, play.roll, (name,))
    judge = Judge((lambda _: values) if values else None, weighs=True)
    spot = Spot(token, GameState(play.before), True, plays, judge)
    return _readings_of(spot, (TIERS[0], TIERS[-1]))


def _readings_of(spot: Spot, tiers: Sequence[Tier]) -> list[Play]:
    """The plays that a token may mean by some tiers of readings, each once, the cheapest first."""
    readings = [reading for tier in tiers for reading in tier.readings(spot)]
    readings.sort(key=lambda reading: reading.cost)
    return list(dict.fromkeys(reading.play for reading in readings if reading.play))


def _search(parsed: Parsed, state: GameState, tiers: Sequence[Tier], judge: Judge) -> _Node:
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
        if node.turn is not None and node.turn.token.kind is TokenKind.PASS:
            continue  # the game is over
        spot = _spot(parsed, node, judge)
        for reading in tiers[tier].readings(spot):
            wait(cost + reading.cost, _follow(node, spot, reading), 0)
        if tier + 1 < len(tiers):
            wait(cost, node, tier + 1)
    raise _dead_end(parsed, deepest)


def _spot(parsed: Parsed, node: _Node, judge: Judge) -> Spot:
    token, state = parsed.tokens[node.depth], node.state
    if state.doubled and token.kind not in {
        TokenKind.TAKE,
        TokenKind.PASS,
        TokenKind.DOUBLE,
        TokenKind.REDOUBLE,
    }:
        state = _take(state)  # goes without saying when play goes on
    plays = legal_plays(state.position, token.roll) if token.roll else ()
    return Spot(token, state, node.depth == len(parsed.tokens) - 1, Plays.of(plays), judge)


def _follow(node: _Node, spot: Spot, reading: TokenReading) -> _Node:
    before = spot.state
    roll = reading.play.roll if reading.play else spot.token.roll
    after = _after(before, spot, reading)
    turn = DecodedTurn(
        spot.token,
        before.player,
        replace(before, roll=roll),
        after,
        tuple(spot.plays),
        play=reading.play,
        nactation=reading.nactation,
        reading=reading.reading,
        note=reading.note,
        others=reading.others,
        sure=reading.sure,
        gap=reading.gap,
    )
    return _Node(after, turn, node, node.depth + 1)


def _after(state: GameState, spot: Spot, reading: TokenReading) -> GameState:
    """The state behind a token, from the side of the player who is then to act."""
    match spot.token.kind:
        case TokenKind.DOUBLE | TokenKind.REDOUBLE:
            return replace(_other_side(state), doubled=True)
        case TokenKind.TAKE:
            return _take(state)
        case TokenKind.PASS:
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


def _dead_end(parsed: Parsed, node: _Node) -> IllegalError:
    """Why the first token that no reading gets past cannot be read, and what could stand there."""
    spot = _spot(parsed, node, Judge(None))
    token, plays = spot.token, spot.plays
    if node.turn is not None and node.turn.token.kind is TokenKind.PASS:
        message = "the game is over with the pass before it"
    elif token.roll is None:
        message = f"{token.kind.value} is not possible here"
    elif not plays:
        message = f"nothing can be played with {token.roll}"
    else:
        shown = plays[: _SHOWN + 1]
        names = [str(plays.name(play).naming.nactation) for play in shown]
        message = f"no such play of {token.roll}; possible are {_some(names, _SHOWN, ' ')}"
    where = format_position_id(spot.state.position)
    return IllegalError(f"{token.text!r} in {where}: {message}", text=parsed.text, at=token.at)


def _some(names: Sequence[str], most: int, between: str) -> str:
    return between.join([*names[:most], *["..."] * (len(names) > most)])


_SHOWN, _SHOWN_CANDIDATES = 12, 4
_MOST_OTHERS = 5
_NUMERAL = Right.NUMERAL.value  # by their fixed reading, even if that is a guess
