"""A chart of replies as text, CSV and JSON, and what differs between two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gnubg_nactation.archive.replies import Chart, Difference
from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.plays import ROLLS, Roll
from gnubg_nactation.decisions.decision import Choice
from gnubg_nactation.decisions.nacbrac import bare_nacbrac
from gnubg_nactation.decisions.severity import points
from gnubg_nactation.exports.spreadsheet import csv_text
from gnubg_nactation.nacbracs.nacbrac import format_nacbrac
from gnubg_nactation.nacbracs.score import describe_score
from gnubg_nactation.sequences.openings import Opening
from gnubg_nactation.showing import json_text, shown
from gnubg_nactation.values import Any

SHOWN, _COMPARED = 2, 4  # plays of a cell, and of each source where they differ
_GAP = 2  # columns between cells
MEANING = "the play that comes first and the next one, with what it loses in thousandths"


def heading(chart: Chart) -> str:
    """Whose the chart is, and at which score: `gnubg 2-ply, money`."""
    score = "all scores" if chart.score is None else describe_score(chart.score)
    return f"{shown(chart.source)}, {score}"


def chart_text(chart: Chart, width: int) -> str:
    """The chart as a table that is so many columns wide, in as many parts as that takes."""
    columns = [[str(roll), *(_cell(chart, one, roll) for one in chart.openings)] for roll in ROLLS]
    names = ["", *(one.token for one in chart.openings)]
    left = max(map(len, names))
    lines = [f"Replies by {heading(chart)}: {MEANING}"]
    while columns:
        part, columns = _part(columns, width - left)
        widths = [max(map(len, column)) + _GAP for column in part]
        lines.append("")
        for at, name in enumerate(names):
            cells = (one[at].ljust(wide) for one, wide in zip(part, widths, strict=True))
            lines.append(f"{name:{left + _GAP}}{''.join(cells)}".rstrip())
    return "".join(f"{line}\n" for line in lines)


def _part(columns: list[list[str]], width: int) -> tuple[list[list[str]], list[list[str]]]:
    """The columns that there is room for, one at least, and the others."""
    count = 0
    for column in columns:
        width -= max(map(len, column)) + _GAP
        if width < 0 and count:
            break
        count += 1
    return columns[:count], columns[count:]


def _cell(chart: Chart, opening: Opening, roll: Roll) -> str:
    replies = chart.at(opening, roll)
    return format_nacbrac(bare_nacbrac(replies[:SHOWN]))[1:-1] if replies else "-"


def chart_csv(chart: Chart) -> str:
    """A row for each play of each cell, its loss in points; names stand behind their roll."""
    head = "opening", "roll", "rank", "nactation", "play", "loss", "count"
    return csv_text([head, *_rows(chart)])


def _rows(chart: Chart) -> Iterator[Sequence[object]]:
    for opening, roll in chart.cells():
        for rank, one in enumerate(chart.at(opening, roll), 1):
            loss = None if one.loss is None else round(one.loss, 6)
            token, play = f"{roll}{one.name}", one.text
            yield opening.token, str(roll), rank, token, play, loss, one.times or None


def chart_json(chart: Chart) -> str:
    """A line of JSON for each cell of which something is known."""
    return "".join(
        f"{json_text(_object(chart, opening, roll))}\n"
        for opening, roll in chart.cells()
        if chart.at(opening, roll)
    )


def _object(chart: Chart, opening: Opening, roll: Roll) -> dict[str, Any]:
    return {
        "opening": opening.token,
        "roll": str(roll),
        "position_id": format_position_id(opening.play.after),
        "source": chart.source,
        "score": chart.score,
        "plays": _plays(chart.at(opening, roll)),
    }


def _plays(replies: Iterable[Choice]) -> list[dict[str, Any]]:
    return [
        {
            "nactation": str(one.name),
            "play": one.text,
            "loss": None if one.loss is None else round(one.loss, 6),
        }
        | ({"count": one.times} if one.times else {})
        for one in replies
    ]


def differences_text(first: Chart, second: Chart, found: Sequence[Difference]) -> str:
    """A line for each difference, the dearest first: both nacbracs, and what it costs at most."""
    known = [cell for cell in first.cells() if first.at(*cell) and second.at(*cell)]
    lines = [
        f"{heading(first)} | {heading(second)}",
        f"{len(found)} of {len(known)} replies that both know differ",
    ]
    rows = [
        (
            f"{one.opening.token}-{one.roll}",
            format_nacbrac(bare_nacbrac(one.first[:_COMPARED])),
            format_nacbrac(bare_nacbrac(one.second[:_COMPARED])),
            points(-one.cost) if one.cost else "",
        )
        for one in _dearest_first(found)
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    for *cells, cost in rows:
        told = "  ".join(f"{cell:{width}}" for cell, width in zip(cells, widths, strict=True))
        lines.append(f"{told}  {cost}".rstrip())
    return "".join(f"{line}\n" for line in lines)


def _dearest_first(found: Sequence[Difference]) -> list[Difference]:
    return sorted(found, key=lambda one: -(one.cost or 0.0))


def differences_csv(first: Chart, second: Chart, found: Sequence[Difference]) -> str:
    """A row for each difference, the dearest first; `cost` is in points."""
    head = "reply", heading(first), heading(second), "cost"
    return csv_text(
        [
            head,
            *(
                (
                    f"{one.opening.token}-{one.roll}",
                    format_nacbrac(bare_nacbrac(one.first[:_COMPARED])),
                    format_nacbrac(bare_nacbrac(one.second[:_COMPARED])),
                    None if one.cost is None else round(one.cost, 6),
                )
                for one in _dearest_first(found)
            ),
        ]
    )


def differences_json(first: Chart, second: Chart, found: Sequence[Difference]) -> str:
    """A line of JSON for each difference, the dearest first."""
    return "".join(
        json_text(
            {
                "opening": one.opening.token,
                "roll": str(one.roll),
                "position_id": format_position_id(one.opening.play.after),
                "cost": None if one.cost is None else round(one.cost, 6),
                "sources": [
                    {"source": chart.source, "score": chart.score, "plays": _plays(replies)}
                    for chart, replies in ((first, one.first), (second, one.second))
                ],
            }
        )
        + "\n"
        for one in _dearest_first(found)
    )
