"""The explorer as one web page that needs nothing else: boards to click through, by the plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gnubg_nactation.archive.nodes import Mean, Node, Tally, after
from gnubg_nactation.backgammon.analysis import ErrorMark
from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.severity import BLUNDER, SIGNS, thousandths
from gnubg_nactation.exports import explorer as room
from gnubg_nactation.exports import page
from gnubg_nactation.exports.explorer.table import nacbrac_by_files
from gnubg_nactation.exports.page.board import board_colours, board_places, plain_board
from gnubg_nactation.exports.page.document import (
    COLOURS,
    document,
    island,
    resource,
    themed,
)
from gnubg_nactation.exports.page.names import alphabetical, spellings
from gnubg_nactation.exports.page.text import safe_text
from gnubg_nactation.exports.views import look_view
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.showing import counted
from gnubg_nactation.values import TYPE_CHECKING, Any
from gnubg_nactation.web.bundling import bundle, scripts_of

if TYPE_CHECKING:
    from gnubg_nactation.archive.book_at_score import BookAtScore

_PLAYERS = ("\u2068White\u2069", "\u2068Black\u2069")
_WAYS = 6  # of which a node tells


def format_explorer(
    nodes: Mapping[Position, Node],
    root: GameState,
    heading: str,
    *,
    sequence: str = "",
    about: str = "",
    book: BookAtScore | None = None,
) -> str:
    """One page for the nodes of a tree from `root` on: complete, with style, script and data.

    `heading` names the root, `sequence` leads to it, and `about` says which turns are told of;
    `book` adds what a book recommends. The anchor of a node is the sequence behind the root,
    `#31P-63R`; where a bare roll ends it, as in `#31P-63`, the page shows that roll alone.
    """
    title = f"Openings: {heading}" if heading else "Explorer"
    names = sorted(_names(nodes), key=alphabetical)
    told = [counted(nodes[root.position].count, "roll"), counted(len(nodes), "position"), about]
    template, scripts = scripts_of(resource(room, "explorer.html"))
    body = template.format(
        title=safe_text(title),
        about=safe_text(", ".join(filter(None, told))),
        board=plain_board(root, view=Player.FIRST, players=_PLAYERS),
        data=island(_data(root, heading, sequence, names) | _nodes(nodes, book)),
    )
    css = (
        themed(COLOURS)
        + resource(page, "page.css")
        + resource(room, "explorer.css")
        + board_colours()
    )
    return document(title, css, body, bundle("exports/explorer", scripts))


def _names(nodes: Mapping[Position, Node]) -> set[str]:
    """The plain spelling of every Nactation of the tree."""
    rows = [row for node in nodes.values() for row in node.rolls]
    return {play.nactation for row in rows for play in row.plays} - {""}


def _data(root: GameState, heading: str, sequence: str, names: Sequence[str]) -> dict[str, Any]:
    """What the script finds in the page, but for the nodes: Tree of web/types.d.ts."""
    return {
        "board": board_places(),
        "looks": {name: look_view(parse_nactation(name)) for name in names},
        "spellings": {name: spellings(name) for name in names},
        "signs": _signs(),
        "players": _PLAYERS,
        "player": int(root.player),
        "title": heading or "here",
        "before": sequence.split("-") if sequence else [],
        "xgid": format_xgid(root).removeprefix("XGID="),
    }


def _nodes(nodes: Mapping[Position, Node], book: BookAtScore | None) -> dict[str, Any]:
    places = {position: at for at, position in enumerate(nodes)}
    return {"nodes": [_node(node, places, book) for node in nodes.values()]}


def _signs() -> list[tuple[int, str, str]]:
    """From how many thousandths on an error has which sign, the worst first."""
    marks = zip((1, 2, 4), reversed(ErrorMark), strict=True)
    return [(thousandths(BLUNDER / part), SIGNS[mark], mark.name.lower()) for part, mark in marks]


def _node(node: Node, places: Mapping[Position, int], book: BookAtScore | None) -> dict[str, Any]:
    here = node.position
    return {
        "count": node.count,
        "ways": [(way.sequence, way.count) for way in node.ways[:_WAYS]],
        "more": max(len(node.ways) - _WAYS, 0),
        "cube": [_row(act.action, "", act) for act in node.cube],
        "rolls": {
            str(row.roll): {
                "count": row.count,
                "nacbrac": nacbrac_by_files(row),
                "book": book.nacbrac(here, row.roll) if book else "",
                "plays": [
                    {
                        **_row(play.nactation, play.play, play),
                        "next": places.get(after(here, play.play), -1),
                        "left": int(
                            book is not None and book.leaves_book(here, row.roll, play.play)
                        ),
                    }
                    for play in row.plays
                ],
            }
            for row in node.rolls
        },
    }


def _row(name: str, said: str, row: Tally) -> dict[str, Any]:
    means = {"error": row.error, "adjusted": row.adjusted, "result": row.result}
    counted_row = {"name": name, "said": said, "count": row.count}
    return counted_row | {key: _mean(mean) for key, mean in means.items()}


def _mean(mean: Mean | None) -> tuple[int, int | None, int] | None:
    """The mean and how far it may be off, in thousandths, and of how many."""
    if mean is None:
        return None
    within = None if mean.within is None else round(1000 * mean.within)
    return round(1000 * mean.value), within, mean.count
