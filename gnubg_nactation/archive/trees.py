"""The plays of a position and their replies, to any depth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from gnubg_nactation.archive.filters import Filters
from gnubg_nactation.archive.nodes import Node, PlayRow, RollRow, node, nodes_at
from gnubg_nactation.backgammon.notation import force_hops, format_play, parse_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.nacbracs.book import Book, Line, shipped_book
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3


class Branch(NamedTuple):
    """A play of a tree; `tokens` lead from the root to it.

    `earlier_tokens` lead to the branch that reached the same position before and lists its plays.
    """

    tokens: tuple[str, ...]
    parent: Node
    roll: RollRow
    play: PlayRow
    reached: Position
    earlier_tokens: tuple[str, ...] = ()


@lru_cache(maxsize=1 << 16)  # a tree is walked twice
def after(position: Position, play: str) -> Position:
    """Return the board after a play in traditional notation, numbered from the opponent."""
    return (force_hops(parse_hops(play), position) if play else position).switch_sides()


def tree(
    connection: sqlite3.Connection, position: Position, filters: Filters, depth: int
) -> dict[Position, Node]:
    """Return the nodes within `depth` - 1 plays of a position, the nearest first.

    Only listed plays are followed (see `filters.min_count`). Except for the first, nodes without a
    roll are left out, and nodes have no `ways` (see `with_ways`).
    """
    nodes = {position: node(connection, position, filters)}
    edge = [nodes[position]]
    for _ in range(depth - 1):
        reached = {
            after(parent.position, play.play): None
            for parent in edge
            for row in parent.rolls
            for play in row.plays
        }
        children = nodes_at(connection, [board for board in reached if board not in nodes], filters)
        edge = [child for child in children.values() if child.count]
        nodes.update((child.position, child) for child in edge)
    return nodes


def branches(nodes: Mapping[Position, Node], position: Position, depth: int) -> Iterator[Branch]:
    """Yield the plays of a tree, each followed by its replies."""
    paths: dict[Position, tuple[str, ...]] = {position: ()}

    def walk(parent: Node, tokens: tuple[str, ...], depth: int) -> Iterator[Branch]:
        for row in parent.rolls:
            for play in row.plays:
                way = (*tokens, f"{row.roll}{play.nactation}")
                reached = after(parent.position, play.play)
                goes_on = depth > 1 and reached in nodes
                earlier = paths.get(reached, ()) if goes_on else ()
                yield Branch(way, parent, row, play, reached, earlier)
                if goes_on and reached not in paths:
                    paths[reached] = way
                    yield from walk(nodes[reached], way, depth - 1)

    return walk(nodes[position], (), depth)


def shipped_at(score: str, nodes: Iterable[Node]) -> BookAtScore | None:
    """Return the book of this package at a score; None if it has no roll of these nodes."""
    book = BookAtScore(shipped_book(), score)
    return book if book.has_any(nodes) else None


class BookAtScore(NamedTuple):
    """A book and the score to look up in it, written as in `nacbracs.nacbrac`."""

    book: Book
    score: str

    def nacbrac(self, position: Position, roll: Roll) -> str:
        """Return the nacbrac of a roll; empty if the book has none."""
        line = self.line(position, roll)
        return str(line.nacbrac) if line else ""

    def loss_of(self, position: Position, roll: Roll, play: str) -> float | None:
        """Return what a play (in traditional notation) loses by the book; None if unknown."""
        line = self.line(position, roll)
        plays = line.plays if line else ()
        if plays and format_play(plays[0][1]) == play:
            return 0.0
        return next((loss for _, listed, loss in plays if format_play(listed) == play), None)

    def leaves_book(self, position: Position, roll: Roll, play: str) -> bool:
        """Whether the book has the roll, but not this play (in traditional notation) as best."""
        line = self.line(position, roll)
        if not line:
            return False
        best, *others = line.plays
        best_plays = [best[1], *(equal for _, equal, loss in others if loss == 0)]
        return play not in map(format_play, best_plays)

    def has_any(self, nodes: Iterable[Node]) -> bool:
        """Whether the book has a roll that was thrown in one of the nodes."""
        return any(self.line(node.position, row.roll) for node in nodes for row in node.rolls)

    def line(self, position: Position, roll: Roll) -> Line | None:
        """Return the line of a roll; None if the book has none."""
        return self.book.at(position, roll, self.score)
