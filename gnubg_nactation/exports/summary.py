"""The account of an analysed match as text: both players' totals, and the blunders."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
from gnubg_nactation.nacbracs.bots import bot_of
from gnubg_nactation.showing import table_lines
from gnubg_nactation.values import NamedTuple

_GAP = 3
_COUNTED = ("inaccuracies", "errors", "blunders")


class Judging(NamedTuple):
    """The least points of a blunder, and whether rates get gnubg's own words."""

    blunder: float = BLUNDER
    by_gnubg: bool = False


DEFAULT_JUDGING = Judging()


def format_account(annotated: AnnotatedMatch, judging: Judging = DEFAULT_JUDGING) -> str:
    """A table of both players' errors and a list of all blunders; empty without an analysis."""
    rows = account_rows(annotated, judging)
    if not rows:
        return ""
    annotated = presentable(annotated)
    title = ", ".join(account_title(annotated))
    lines = [title, *_table([("", *annotated.match.players), *rows])]
    bad = [_blunder_row(annotated, blunder) for blunder in blunders(annotated, judging.blunder)]
    lines += ["", "Blunders" if bad else "No blunders", *_table(bad)]
    return "\n".join(lines) + "\n"


def account_title(annotated: AnnotatedMatch) -> tuple[str, str]:
    """The title of the account, and its unit."""
    method = depth(annotated)
    level = " ".join(bot_of(method)).rstrip() if method else ""
    return f"Errors{level and f', by {level}'}", "in thousandths of a point per decision"


def account_rows(
    annotated: AnnotatedMatch, judging: Judging = DEFAULT_JUDGING
) -> list[tuple[str, str, str]]:
    """A row for each total: its name and both players' values; empty without an analysis."""
    both = totals(annotated, judging.blunder)
    if not any(player.is_analysed for player in both):
        return []
    first, second = (_values(player, judging) for player in both)
    return [(name, value, second[name]) for name, value in first.items()]


def _values(player: Totals, judging: Judging) -> dict[str, str]:
    by_gnubg = rating if judging.by_gnubg else None
    names = (f"{name} {sign}" for name, sign in zip(_COUNTED, SIGNS.values(), strict=True))
    counts = map(str, (player.inaccuracies, player.errors, player.blunders))
    return {
        "PR": _rated(player.performance_rating, None if judging.by_gnubg else performance),
        "overall": _rated(player.rate, by_gnubg),
        "plays": _rated(player.play_rate, by_gnubg),
        "cube": _rated(player.cube_rate, by_gnubg),
        "Snowie error rate": _rated(player.snowie_rate),
        **dict(zip(names, counts, strict=True)),
        "cube errors": str(player.cube_faults),
        "luck, in points": f"{player.luck:+.3f}" if player.rolls_with_luck else "n/a",
    }


def _rated(rate: float | None, word: Callable[[float | None], str] | None = None) -> str:
    return "n/a" if rate is None else f"{rate:.1f} {word(rate) if word else ''}".rstrip()


def _blunder_row(annotated: AnnotatedMatch, blunder: Judgement) -> tuple[str, ...]:
    best = f"best {blunder.best}" if blunder.best else ""
    player = annotated.match.players[blunder.player]
    return points_lost(blunder.error), player, blunder.name, blunder.made, best, blunder.position_id


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"  {line}".rstrip() for line in table_lines(rows, _GAP)]
