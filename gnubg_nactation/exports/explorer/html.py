"""The explorer as one web page that loads nothing else: click from board to board."""

from __future__ import annotations

from collections.abc import Mapping

from gnubg_nactation.archive.nodes import Mean, Node, RollRow, Tally
from gnubg_nactation.archive.trees import after
from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.severity import BLUNDER, PARTS, SIGNS, thousandths
from gnubg_nactation.exports.explorer.table import nacbrac_by_files
from gnubg_nactation.exports.page.document import (
    board_colours,
    board_paint,
    board_places,
    design,
    document,
    island,
    logo,
    match_style,
    plain_board,
    safe_text,
    usual_board,
)
from gnubg_nactation.exports.views import look_view
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.showing import counted
from gnubg_nactation.system.resources import package_text
from gnubg_nactation.values import TYPE_CHECKING, Any
from gnubg_nactation.web.bundling import bundle, scripts_of
from gnubg_nactation.writing.spelling import FORMS, spell

if TYPE_CHECKING:
    from gnubg_nactation.archive.trees import BookAtScore

_PLAYERS = ("\u2068White\u2069", "\u2068Black\u2069")
_MAX_WAYS = 6  # sequences listed for a node


def format_explorer(
    nodes: Mapping[Position, Node],
    root: GameState,
    heading: str,
    *,
    sequence: str = "",
    about: str = "",
    book: BookAtScore | None = None,
) -> str:
    """One complete page for the nodes of a tree from `root`, with style, script and data.

    `heading` names the root, `sequence` leads to it, `about` describes the turns that count, and
    `book` adds its recommendations. The anchor of a node is the sequence after the root,
    `#31P-63R`; if it ends with a roll, as in `#31P-63`, the page shows only that roll.
    """
    title = f"Openings: {heading}" if heading else "Explorer"
    counts = [counted(nodes[root.position].count, "roll"), counted(len(nodes), "position"), about]
    template, scripts = scripts_of(package_text("exports/explorer/explorer.html"))
    body = template.format(
        logo=logo(),
        title=safe_text(title),
        about=safe_text(", ".join(filter(None, counts))),
        paint=board_paint(),
        board=plain_board(root, view=Player.FIRST, players=_PLAYERS),
        data=island(_data(nodes, root, heading, sequence, book)),
    )
    css = "".join(
        [
            design(),
            match_style(),
            package_text("exports/page/page.css"),
            package_text("exports/explorer/explorer.css"),
            board_colours(),
            usual_board(),
        ]
    )
    return document(title, css, body, bundle("exports/explorer", scripts))


def _data(
    nodes: Mapping[Position, Node],
    root: GameState,
    heading: str,
    sequence: str,
    book: BookAtScore | None,
) -> dict[str, Any]:
    """The data of the page for its script: Tree of web/types.d.ts."""
    plays = [play for node in nodes.values() for row in node.rolls for play in row.plays]
    parsed = map(parse_nactation, {play.nactation for play in plays} - {""})
    names = sorted(parsed, key=lambda name: (name.family.key, name.member))
    places = {position: at for at, position in enumerate(nodes)}
    return {
        "board": board_places(),
        "looks": {str(name): look_view(name) for name in names},
        "spellings": {str(name): _spellings(name) for name in names},
        "signs": [
            (thousandths(BLUNDER / part), SIGNS[mark], mark.name.lower())
            for mark, part in PARTS.items()
        ],
        "players": _PLAYERS,
        "player": int(root.player),
        "title": heading or "here",
        "before": sequence.split("-") if sequence else [],
        "xgid": format_xgid(root).removeprefix("XGID="),
        "nodes": [_node(node, places, book) for node in nodes.values()],
    }


def _spellings(name: Nactation) -> list[str]:
    """Everything that may be typed for a Nactation: any form, its number, or its word."""
    family = name.family
    spellings = [spell(name, form) for form in FORMS]
    spellings.append(f"{name.look.character}{family.suffix}{{{name.member}}}")
    if name.member == 1 and not family.suffix and family.word.isalpha():
        spellings.append(family.word)
    return list(dict.fromkeys(spellings))


def _node(node: Node, places: Mapping[Position, int], book: BookAtScore | None) -> dict[str, Any]:
    return {
        "count": node.count,
        "ways": [(way.sequence, way.count) for way in node.ways[:_MAX_WAYS]],
        "more": max(len(node.ways) - _MAX_WAYS, 0),
        "cube": [_row(act.action, "", act) for act in node.cube],
        "rolls": {str(row.roll): _roll(node.position, row, places, book) for row in node.rolls},
    }


def _roll(
    position: Position, row: RollRow, places: Mapping[Position, int], book: BookAtScore | None
) -> dict[str, Any]:
    return {
        "count": row.count,
        "nacbrac": nacbrac_by_files(row),
        "book": book.nacbrac(position, row.roll) if book else "",
        "plays": [
            {
                **_row(play.nactation, play.play, play),
                "next": places.get(after(position, play.play), -1),
                "left": int(bool(book and book.leaves_book(position, row.roll, play.play))),
            }
            for play in row.plays
        ],
    }


def _row(name: str, text: str, row: Tally) -> dict[str, Any]:
    means = {"error": row.error, "adjusted": row.adjusted, "result": row.result}
    counts = {"name": name, "said": text, "count": row.count}
    return counts | {key: _mean(mean) for key, mean in means.items()}


def _mean(mean: Mean | None) -> tuple[int, int | None, int] | None:
    """The mean and its margin of error, in thousandths, and the number of games."""
    if mean is None:
        return None
    within = None if mean.within is None else round(1000 * mean.within)
    return thousandths(mean.value), within, mean.count
