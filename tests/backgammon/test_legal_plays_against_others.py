"""Legal plays against two generators that others wrote: gnubg's own and gammonview's.

Both are asked for the boards that can be reached; the numbering of points is theirs.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module

import pytest
from gvformat.legality import legal_plays as gammonview_plays

from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.backgammon.position import CHECKERS, OFF, Position
from tests.strategies import random_boards, random_positions

PARTS = 5  # so that several processes share the work
PAIRS = 600


@pytest.mark.thorough
@pytest.mark.skipif(sys.version_info >= (3, 14), reason="gnubg-nn is not made for this Python yet")
@pytest.mark.parametrize("part", range(PARTS))
def test_same_boards_as_gnubg_nn(part: int) -> None:
    for position, roll in pairs(PAIRS * 2, seed=part):
        ours = [both_sides(play.reached) for play in legal_plays(position, roll)]
        assert sorted(ours) == sorted(gnubg_nn_boards(position, roll)), (position, roll)


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
def test_same_boards_as_gammonview(part: int) -> None:
    for position, roll in pairs(PAIRS, seed=100 + part):
        ours = Counter(play.reached.points for play in legal_plays(position, roll))
        theirs = Counter(gammonview_boards(position, roll))
        assert ours == theirs, (position, roll)


@pytest.mark.parametrize("part", range(PARTS))
def test_same_number_of_dice_as_gammonview(part: int) -> None:
    for position, roll in pairs(PAIRS // 4, seed=200 + part):
        _, dice = gammonview_plays(*gammonview_sides(position), *roll)
        ours = {len(play.portions) for play in legal_plays(position, roll)}
        assert ours == ({dice} if dice else set()), (position, roll)


def test_the_pairs_are_varied() -> None:
    tried = [pair for part in range(PARTS) for pair in random_positions(PAIRS, seed=100 + part)]
    assert len(set(tried)) > 2500
    assert sum(roll.is_doublet for _, roll in tried) > 1000
    assert sum(position.bar > 0 for position, _ in tried) > 250
    assert sum(position.bar > 1 for position, _ in tried) > 50
    assert sum(max(position.points[7:]) <= 0 for position, _ in tried) > 250
    boards = [position for position, _ in random_boards(PAIRS // 2, seed=100)]
    assert sum(position.bar > 3 for position in boards) > 20
    assert sum(max(position.points) > 7 for position in boards) > 50
    assert sum(position.off == CHECKERS - 1 for position in boards) > 20


def pairs(count: int, seed: int) -> Iterator[tuple[Position, Roll]]:
    """Positions of games, and half as many boards that are out of any game, with rolls."""
    yield from random_positions(count, seed)
    yield from random_boards(count // 2, seed)


def both_sides(position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The opponent's and the player's checkers, each on its own points 1 to 24 and the bar."""
    other = position.switch_sides()
    return tuple(max(n, 0) for n in other.points[1:]), tuple(max(n, 0) for n in position.points[1:])


def gnubg_nn_boards(
    position: Position, roll: Roll
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    opponent, own = both_sides(position)
    gnubg_nn, boards = import_module("gnubg_nn"), []
    for key in gnubg_nn.moves([list(opponent), list(own)], roll.high, roll.low, 0):
        theirs, mine = gnubg_nn.board_from_position_key(key)
        boards.append((tuple(theirs), tuple(mine)))
    return boards


def gammonview_sides(position: Position) -> tuple[list[int], list[int]]:
    own = [max(n, 0) for n in position.points]
    opponent = [max(-n, 0) for n in position.points]
    return own, opponent


def gammonview_boards(position: Position, roll: Roll) -> set[tuple[int, ...]]:
    boards = set()
    own, opponent = gammonview_sides(position)
    plays, _ = gammonview_plays(own, opponent, *roll)
    for play in plays:
        moved = Counter(target for _, target in play)
        moved.subtract(source for source, _ in play)  # the steps come in no playable order
        hit = {target for _, target in play if target != OFF and position.points[target] < 0}
        points = [n + moved[p] + (p in hit) for p, n in enumerate(position.points)]
        points[OFF] = position.points[OFF] - len(hit)
        boards.add(tuple(points))
    return boards
