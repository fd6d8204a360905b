"""The account of an analysed match in the page: totals of both players, blunders with links."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.annotation import AnnotatedMatch
from gnubg_nactation.backgammon.analysis import CubeAnalysis
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.decisions.totals import Judgement, blunders
from gnubg_nactation.exports.page.text import glyph, safe_text, table_section, turn_anchor
from gnubg_nactation.exports.summary import JUDGED, Judging, account_rows, account_title


def account_section(
    annotated: AnnotatedMatch,
    anchor: str,
    players: Sequence[str],
    games: Sequence[str],
    judging: Judging = JUDGED,
) -> str:
    """The section with this anchor; empty where nothing is analysed. `games` are their anchors."""
    rows = account_rows(annotated, judging)
    if not rows:
        return ""
    title = "{} <small>{}</small>".format(*account_title(annotated))
    table = table_section("account", anchor, title, players, rows)
    return f"{table}{_list(blunders(annotated, judging.blunder), players, games)}</section>"


def _list(found: Sequence[Judgement], players: Sequence[str], games: Sequence[str]) -> str:
    if not found:
        return "<p>No blunders</p>\n"
    items = "\n".join(f"<li>{_item(one, players, games)}</li>" for one in found)
    return f"<h3>Blunders</h3>\n<ol>\n{items}\n</ol>\n"


def _item(one: Judgement, players: Sequence[str], games: Sequence[str]) -> str:
    lost = "??" if one.error is None else f"?? -{one.error:.3f}"
    place = f"game {one.game.number}, move {one.move}"
    best = ""
    if one.best:
        shown = one.best if isinstance(one.judged, CubeAnalysis) else _shown(one.best)
        best = f" <span>best {shown}</span>"
    cube = "c" * (isinstance(one.judged, CubeAnalysis) and isinstance(one.turn.action, Move))
    anchor = turn_anchor(games[one.place[0]], one.move, one.player)
    return (
        f'<a href="#{anchor}{cube}"><span class="error">{lost}</span> '
        f"<span>{_made(one)}</span>{best} "
        f"<small>{safe_text(players[one.player])}, {place}</small></a>"
    )


def _made(one: Judgement) -> str:
    action, name = one.turn.action, one.turn.nactation
    if isinstance(one.judged, CubeAnalysis) or not isinstance(action, Move):
        return one.made
    return f"{action.roll} {_shown(name)}" if name else str(action.roll)


def _shown(name: str) -> str:
    return f'<span class="glyph">{glyph(name)}</span>'
