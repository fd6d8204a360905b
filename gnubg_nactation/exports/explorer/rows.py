"""The explorer for programs: nodes as JSON, and their plays as rows of CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence

from gnubg_nactation.archive.nodes import Mean, Node, Tally
from gnubg_nactation.archive.trees import after, branches
from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.exports.explorer.table import nacbrac_by_files
from gnubg_nactation.showing import json_line
from gnubg_nactation.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gnubg_nactation.archive.nodes import PlayRow, RollRow
    from gnubg_nactation.archive.trees import BookAtScore

_MEANS = "error", "adjusted", "result"
_DIGITS = 6  # after the point
_COLUMNS = (
    *("sequence", "position_id", "roll", "nactation", "play", "after", "count", "share"),
    *(f"{mean}{part}" for mean in _MEANS for part in ("", "_within", "_count")),
)

Placed = tuple[str, Node]


def placed(
    nodes: Mapping[Position, Node], root: Position, depth: int, sequence: str = ""
) -> Iterator[Placed]:
    """The nodes of a tree in reading order, each once, with the sequence that leads there."""
    yield sequence, nodes[root]
    head = (sequence,) if sequence else ()
    visited = {root}
    for branch in branches(nodes, root, depth):
        if branch.reached in nodes and branch.reached not in visited:
            visited.add(branch.reached)
            yield "-".join((*head, *branch.tokens)), nodes[branch.reached]


def json_lines(
    nodes: Sequence[Placed], nacbracs: Mapping[Roll, str], book: BookAtScore | None = None
) -> str:
    """One object per node; means are in points, `within` is their 95 % margin of error.

    `nacbracs` are an engine's, for the rolls of the first node. If the book has a roll, `book` is
    its nacbrac, and `left` of each play says whether it leaves the book.
    """
    lines = [
        _node(sequence, node, {} if at else nacbracs, book)
        for at, (sequence, node) in enumerate(nodes)
    ]
    return "".join(json_line(line, close=True) for line in lines)


def csv_text(nodes: Sequence[Placed]) -> str:
    """A row for each play of each node, and for each cube action (without a roll)."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for sequence, node in nodes:
        here = sequence, format_position_id(node.position)
        for act in node.cube:
            writer.writerow([*here, "", act.action, "", "", *_numbers(act)])
        for row in node.rolls:
            for play in row.plays:
                reached = format_position_id(after(node.position, play.play))
                writer.writerow(
                    [*here, str(row.roll), play.nactation, play.play, reached, *_numbers(play)]
                )
    return text.getvalue()


def _numbers(row: Tally) -> Iterator[object]:
    yield row.count
    yield round(row.share, _DIGITS)
    for mean in (row.error, row.adjusted, row.result):
        yield from (_mean(mean) or {"mean": None, "within": None, "count": 0}).values()


def _node(
    sequence: str, node: Node, nacbracs: Mapping[Roll, str], book: BookAtScore | None
) -> dict[str, Any]:
    books = {row.roll: book.nacbrac(node.position, row.roll) if book else "" for row in node.rolls}
    return {
        "sequence": sequence,
        "position_id": format_position_id(node.position),
        "count": node.count,
        "ways": [{"sequence": way.sequence, "count": way.count} for way in node.ways],
        "cube": [{"action": act.action} | _row(act) for act in node.cube],
        "rolls": [
            {
                "roll": str(row.roll),
                "count": row.count,
                "share": round(row.share, _DIGITS),
                "best": row.best or None,
                "nacbrac": nacbrac_by_files(row) or None,
                **({"engine": nacbracs[row.roll]} if row.roll in nacbracs else {}),
                **({"book": books[row.roll]} if books[row.roll] else {}),
                "plays": [
                    {
                        "nactation": play.nactation,
                        "play": play.play,
                        "after": format_position_id(after(node.position, play.play)),
                    }
                    | _book(node, row, play, book)
                    | _row(play)
                    for play in row.plays
                ],
            }
            for row in node.rolls
        ],
    }


def _book(node: Node, row: RollRow, play: PlayRow, book: BookAtScore | None) -> dict[str, Any]:
    if book is None or not book.nacbrac(node.position, row.roll):
        return {}
    place = node.position, row.roll, play.play
    return {"left": book.leaves_book(*place), "book_loss": book.loss_of(*place)}


def _row(row: Tally) -> dict[str, Any]:
    means = {name: _mean(getattr(row, name)) for name in _MEANS}
    return {"count": row.count, "share": round(row.share, _DIGITS)} | means


def _mean(mean: Mean | None) -> dict[str, Any] | None:
    if mean is None:
        return None
    within = None if mean.within is None else round(mean.within, _DIGITS)
    return {"mean": round(mean.value, _DIGITS), "within": within, "count": mean.count}
