"""The account of an analysed match as text: totals of both players, and the blunders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gnubg_nactation.annotation import AnnotatedMatch
from gnubg_nactation.exports.names import presentable
from gnubg_nactation.statistics import Blunder, Totals, blunders, depth, rating, thousandths, totals

__all__ = ["account_rows", "account_title", "format_account"]

_GAP = 3


def format_account(annotated: AnnotatedMatch) -> str:
    """A table of both players' errors and a list of all blunders; empty without an analysis."""
    rows = account_rows(annotated)
    if not rows:
        return ""
    annotated = presentable(annotated)
    title = ", ".join(account_title(annotated))
    lines = [title, *_table([("", *annotated.match.players), *rows])]
    found = blunders(annotated)
    lines += ["", "Blunders" if found else "No blunders"]
    lines += _table([_blunder(annotated, one) for one in found])
    return "\n".join(lines) + "\n"


def account_title(annotated: AnnotatedMatch) -> tuple[str, str]:
    """What the account is of, and its unit."""
    judged = depth(annotated)
    return f"Errors{judged and f' by {judged}'}", "in thousandths of a point per decision"


def account_rows(annotated: AnnotatedMatch) -> list[tuple[str, str, str]]:
    """What the totals say, a row for each thing: its name and both players' values."""
    both = totals(annotated)
    if not any(one.is_analysed for one in both):
        return []
    first, second = map(_values, both)
    return [(name, value, second[name]) for name, value in first.items()]


def _values(one: Totals) -> dict[str, str]:
    return {
        "overall": _rated(one.rate),
        "plays": _rated(one.play_rate),
        "cube": _rated(one.cube_rate),
        "Snowie error rate": "n/a" if one.snowie_rate is None else f"{one.snowie_rate:.1f}",
        "doubtful": str(one.doubtful),
        "bad": str(one.bad),
        "very bad": str(one.very_bad),
        "cube errors": str(one.cube_faults),
        "luck, in points": f"{one.luck:+.3f}" if one.rolls_with_luck else "n/a",
    }


def _rated(rate: float | None) -> str:
    return rating(rate) if rate is None else f"{rate:.1f} {rating(rate)}"


def _blunder(annotated: AnnotatedMatch, one: Blunder) -> tuple[str, ...]:
    lost = "x?" if one.error is None else f"x{thousandths(one.error)}"
    place = f"game {one.game.number}, turn {one.turn.number}"
    best = f"best {one.best}" if one.best else ""
    return lost, annotated.match.players[one.player], place, one.made, best, one.position_id


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows as lines, each column as wide as it must be."""
    widths = [max(map(len, column)) + _GAP for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        yield f"  {''.join(cells)}".rstrip()
