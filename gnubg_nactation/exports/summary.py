"""The account of an analysed match as text: totals of both players, and the blunders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gnubg_nactation.annotation import AnnotatedMatch
from gnubg_nactation.decisions.severity import BLUNDER, SIGNS, points_lost
from gnubg_nactation.decisions.totals import (
    Judgement,
    Totals,
    blunders,
    depth,
    performance,
    rating,
    totals,
)
from gnubg_nactation.exports.names import presentable
from gnubg_nactation.values import NamedTuple

_GAP = 3


class Judging(NamedTuple):
    """From how many points an error is a blunder, and whether rates have gnubg's own words."""

    blunder: float = BLUNDER
    by_gnubg: bool = False


JUDGED = Judging()


def format_account(annotated: AnnotatedMatch, judging: Judging = JUDGED) -> str:
    """A table of both players' errors and a list of all blunders; empty without an analysis."""
    rows = account_rows(annotated, judging)
    if not rows:
        return ""
    annotated = presentable(annotated)
    title = ", ".join(account_title(annotated))
    lines = [title, *_table([("", *annotated.match.players), *rows])]
    found = blunders(annotated, judging.blunder)
    lines += ["", "Blunders" if found else "No blunders"]
    lines += _table([_blunder(annotated, one) for one in found])
    return "\n".join(lines) + "\n"


def account_title(annotated: AnnotatedMatch) -> tuple[str, str]:
    """What the account is of, and its unit."""
    judged = depth(annotated)
    return f"Errors{judged and f' by {judged}'}", "in thousandths of a point per decision"


def account_rows(
    annotated: AnnotatedMatch, judging: Judging = JUDGED
) -> list[tuple[str, str, str]]:
    """What the totals say, a row for each thing: its name and both players' values."""
    both = totals(annotated, judging.blunder)
    if not any(one.is_analysed for one in both):
        return []
    first, second = (_values(one, judging) for one in both)
    return [(name, value, second[name]) for name, value in first.items()]


def _values(one: Totals, judging: Judging) -> dict[str, str]:
    by_gnubg = rating if judging.by_gnubg else None
    signs = dict(zip(("inaccuracies", "errors", "blunders"), SIGNS.values(), strict=True))
    counts = (one.inaccuracies, one.errors, one.blunders)
    return {
        "PR": _rated(one.performance_rating, None if judging.by_gnubg else performance),
        "overall": _rated(one.rate, by_gnubg),
        "plays": _rated(one.play_rate, by_gnubg),
        "cube": _rated(one.cube_rate, by_gnubg),
        "Snowie error rate": _rated(one.snowie_rate),
        **{
            f"{name} {sign}": str(count)
            for (name, sign), count in zip(signs.items(), counts, strict=True)
        },
        "cube errors": str(one.cube_faults),
        "luck, in points": f"{one.luck:+.3f}" if one.rolls_with_luck else "n/a",
    }


def _rated(rate: float | None, word: Callable[[float | None], str] | None = None) -> str:
    return "n/a" if rate is None else f"{rate:.1f} {word(rate) if word else ''}".rstrip()


def _blunder(annotated: AnnotatedMatch, one: Judgement) -> tuple[str, ...]:
    place = f"game {one.game.number}, move {one.move}"
    best = f"best {one.best}" if one.best else ""
    player = annotated.match.players[one.player]
    return points_lost(one.error), player, place, one.made, best, one.position_id


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows as lines, each column as wide as it must be."""
    widths = [max(map(len, column)) + _GAP for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        yield f"  {''.join(cells)}".rstrip()
