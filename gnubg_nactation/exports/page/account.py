"""The account of an analysed match in the page: totals of both players, blunders with links."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.annotation import AnnotatedMatch
from gnubg_nactation.backgammon.analysis import CubeAnalysis
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.exports.page.table import Section, table_section
from gnubg_nactation.exports.page.text import glyph, safe_text
from gnubg_nactation.exports.summary import account_rows, account_title
from gnubg_nactation.statistics import Blunder, blunders

__all__ = ["account_section"]


def account_section(
    annotated: AnnotatedMatch, anchor: str, players: Sequence[str], games: Sequence[str]
) -> str:
    """The section with this anchor; empty where nothing is analysed. `games` are their anchors."""
    rows = account_rows(annotated)
    if not rows:
        return ""
    title, per = account_title(annotated)
    below = _list(blunders(annotated), players, games)
    return table_section(Section("account", anchor, title, per, "Kind"), players, rows, below)


def _list(found: Sequence[Blunder], players: Sequence[str], games: Sequence[str]) -> str:
    if not found:
        return "<p>No blunders</p>\n"
    items = "\n".join(f"<li>{_item(one, players, games)}</li>" for one in found)
    return f"<h3>Blunders</h3>\n<ol>\n{items}\n</ol>\n"


def _item(one: Blunder, players: Sequence[str], games: Sequence[str]) -> str:
    number = one.turn.number
    lost = "??" if one.error is None else f"?? -{one.error:.3f}"
    place = f"game {one.game.number}, turn {number}"
    best = f" <span>best {_best(one)}</span>" if one.best else ""
    return (
        f'<a href="#{games[one.place[0]]}t{number}"><span class="error">{lost}</span> '
        f"<span>{_made(one)}</span>{best} "
        f"<small>{safe_text(players[one.player])}, {place}</small></a>"
    )


def _made(one: Blunder) -> str:
    action = one.turn.action
    if isinstance(one.judged, CubeAnalysis) or not isinstance(action, Move):
        return one.made
    name = one.turn.nactation
    return f"{action.roll} {_shown(name)}" if name else str(action.roll)


def _best(one: Blunder) -> str:
    return one.best if isinstance(one.judged, CubeAnalysis) else _shown(one.best)


def _shown(name: str) -> str:
    return f'<span class="glyph">{glyph(name)}</span>'
