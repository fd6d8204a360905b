"""The errors of an analysed match on the page: totals of both players, links to blunders."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.annotation import AnnotatedMatch
from gnubg_nactation.backgammon.analysis import CubeAnalysis
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.decisions.severity import Judgement, blunders, points_lost
from gnubg_nactation.exports.page.document import glyph, safe_text, table_section, turn_anchor
from gnubg_nactation.exports.text import DEFAULT_JUDGING, Judging, account_rows, account_title


def account_section(
    annotated: AnnotatedMatch,
    anchor: str,
    players: Sequence[str],
    games: Sequence[str],
    judging: Judging = DEFAULT_JUDGING,
) -> str:
    """The section with this anchor; empty without an analysis. `games` are anchors."""
    rows = account_rows(annotated, judging)
    if not rows:
        return ""
    title = "{} <small>{}</small>".format(*account_title(annotated))
    table = table_section("account", anchor, title, players, rows)
    return f"{table}{_list(blunders(annotated, judging.blunder), players, games)}</section>"


def _list(errors: Sequence[Judgement], players: Sequence[str], games: Sequence[str]) -> str:
    if not errors:
        return "<p>No blunders</p>\n"
    items = "\n".join(f"<li>{_item(error, players, games)}</li>" for error in errors)
    return f"<h3>Blunders</h3>\n<ol>\n{items}\n</ol>\n"


def _item(blunder: Judgement, players: Sequence[str], games: Sequence[str]) -> str:
    action, is_cube = blunder.turn.action, isinstance(blunder.analysis, CubeAnalysis)
    played = blunder.made
    if isinstance(action, Move) and not is_cube:
        played = f"{action.roll} {_glyph(blunder.turn.nactation)}".rstrip()
    best = ""
    if blunder.best:
        best = f" <span>best {blunder.best if is_cube else _glyph(blunder.best)}</span>"
    loss = "??" if blunder.error is None else f"?? {points_lost(blunder.error)}"
    anchor = turn_anchor(games[blunder.place[0]], blunder.move, blunder.player)
    cube = "c" * (is_cube and isinstance(action, Move))
    return (
        f'<a href="#{anchor}{cube}"><span class="error">{loss}</span> '
        f"<span>{played}</span>{best} "
        f"<small>{safe_text(players[blunder.player])}, {blunder.name}</small></a>"
    )


def _glyph(name: str) -> str:
    return f'<span class="glyph">{glyph(name)}</span>' if name else ""
