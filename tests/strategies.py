"""Random legal games: positions with rolls, and whole matches, seeded or drawn by hypothesis."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from hypothesis import strategies as st

from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Drop,
    Game,
    Match,
    Move,
    Resign,
    Take,
    is_crawford_game,
)
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import BAR, CHECKERS, NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import Player

STARTS = (STANDARD, STANDARD, NACKGAMMON)
_SEEDS = st.integers(0, 999)  # few enough that a game, once played, serves again
ALL_ROLLS = tuple(Roll(high, low) for high in range(1, 7) for low in range(1, high + 1))


def random_roll(rng: random.Random) -> Roll:
    return Roll(rng.randint(1, 6), rng.randint(1, 6))


def random_turns(
    rng: random.Random, start: Position = STANDARD
) -> Iterator[tuple[Position, Roll, Play | None]]:
    """A whole game: position, roll and random legal play (None if there is none) of each turn.

    Half of the games avoid the bar and run home, for random play seldom gets to bear off.
    """
    position = start
    hurry = rng.random() < 0.5
    roll = rng.choice([r for r in ALL_ROLLS if not r.is_doublet])
    while True:
        plays = legal_plays(position, roll)
        play = rng.choice(plays) if plays else None
        if hurry and plays:
            play = min(rng.sample(plays, min(4, len(plays))), key=lambda p: p.hits.bit_count())
        yield position, roll, play
        position = play.after if play else position.switch_sides()
        if position.opponent_off == CHECKERS:
            return
        roll = random_roll(rng)


def random_positions(count: int, seed: int) -> list[tuple[Position, Roll]]:
    """`count` positions with rolls from random legal games; the same for the same seed.

    There is every turn of the games, and after each the same position with a random doublet.
    """
    rng = random.Random(seed)
    pairs: list[tuple[Position, Roll]] = []
    while len(pairs) < count:
        for position, roll, _ in random_turns(rng, rng.choice(STARTS)):
            die = rng.randint(1, 6)
            pairs += [(position, roll), (position, Roll(die, die))]
    return pairs[:count]


def random_boards(count: int, seed: int) -> Iterator[tuple[Position, Roll]]:
    """Boards with rolls that no game may reach: any stacks, bars full of checkers, one checker."""
    rng = random.Random(seed)
    for _ in range(count):
        points = [0] * 26
        places = rng.sample(range(1, 25), 24)
        for sign, bar in ((1, BAR), (-1, 0)):
            mine = [places.pop() for _ in range(rng.choice((1, 2, 4, 8)))]
            mine += [bar] * rng.choice((0, 0, 1, 3))
            for _ in range(rng.choice((1, 2, 5, CHECKERS, CHECKERS))):
                points[rng.choice(mine)] += sign
        die = rng.randint(1, 6)
        yield Position(tuple(points)), rng.choice((random_roll(rng), Roll(die, die)))


def positions_and_rolls() -> st.SearchStrategy[tuple[Position, Roll]]:
    """A position from a random legal game and any roll; shrinks to early turns."""
    return st.builds(_position_of_turn, _SEEDS, st.integers(0, 150), rolls())


def rolls() -> st.SearchStrategy[Roll]:
    return st.builds(Roll, st.integers(1, 6), st.integers(1, 6))


def matches() -> st.SearchStrategy[Match]:
    """A match (of 1 to 7 points, or money games) with cube actions, drops and resignations."""
    return st.builds(random_match, _SEEDS)


@cache
def random_match(seed: int, max_games: int = 5) -> Match:
    """A match that is legal in every action; unfinished if `max_games` do not decide it."""
    rng = random.Random(seed)
    length = rng.choice((0, 1, 3, 5, 7))
    start = rng.choice(STARTS)
    jacoby = not length and rng.random() < 0.5
    score, scores, games = (0, 0), list[tuple[int, int]](), list[Game]()
    while len(games) < max_games and (not length or max(score) < length):
        crawford = is_crawford_game(length, score, scores)
        scores.append(score)
        actions, winner, points = _random_actions(rng, start, score, length, crawford, jacoby)
        resigned = isinstance(actions[-1], Resign)
        games.append(
            Game(len(games) + 1, score, actions, winner, points, resigned, crawford=crawford)
        )
        score = (score[0] + points * (winner == 0), score[1] + points * (winner == 1))
    return Match(("Alice", "Bob"), length, tuple(games), start, jacoby)


def _position_of_turn(seed: int, number: int, roll: Roll) -> tuple[Position, Roll]:
    positions = _positions(seed)
    return positions[min(number, len(positions) - 1)], roll


@cache
def _positions(seed: int) -> tuple[Position, ...]:
    rng = random.Random(seed)
    return tuple(position for position, _, _ in random_turns(rng, rng.choice(STARTS)))


def _random_actions(
    rng: random.Random,
    start: Position,
    score: tuple[int, int],
    length: int,
    crawford: bool,
    jacoby: bool,
) -> tuple[tuple[Action, ...], Player, int]:
    """The actions of one game, its winner and his points."""
    actions: list[Action] = []
    cube, owner = 1, None
    player = Player(rng.randint(0, 1))
    resigns_at = rng.randint(3, 200)
    for number, (position, roll, play) in enumerate(random_turns(rng, start)):
        if number == resigns_at:
            actions.append(Resign(player))
            return tuple(actions), player.other, cube
        may_double = number > 1 and length != 1 and not crawford and owner in (None, player)
        dead = length and score[player] + cube >= length
        if may_double and not dead and rng.random() < 0.04:
            actions.append(Double(player))
            if rng.random() < 0.3:
                actions.append(Drop(player.other))
                return tuple(actions), player, cube
            if not length and rng.random() < 0.2:
                actions.append(Double(player.other))
                raccoon = number % 2
                actions += [Double(player), Take(player.other)] if raccoon else [Take(player)]
                cube, owner = cube * (8 if raccoon else 4), player.other
            else:
                actions.append(Take(player.other))
                cube, owner = cube * 2, player.other
        hops = tuple(Hop(p.source, p.target, p.hits) for p in play.portions) if play else ()
        actions.append(Move(player, roll, hops))
        after = play.after if play else position.switch_sides()
        player = player.other
    if jacoby and cube == 1:
        return tuple(actions), player.other, 1
    return tuple(actions), player.other, cube * _level(after)


def _level(lost: Position) -> int:
    """1, 2 or 3 for a single game, gammon or backgammon lost by the side of `lost`."""
    if lost.off:
        return 1
    return 3 if any(n > 0 for n in lost.points[19:]) else 2
