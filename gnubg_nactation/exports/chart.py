"""A chart of replies, and the differences of two, as text, CSV, JSON and a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.plays import ROLLS, Roll
from gnubg_nactation.decisions.decision import Choice, bare_nacbrac
from gnubg_nactation.decisions.severity import points, points_lost
from gnubg_nactation.exports.page.document import document, safe_text, themed
from gnubg_nactation.exports.spreadsheet import csv_text
from gnubg_nactation.nacbracs.book import format_header, format_section
from gnubg_nactation.nacbracs.nacbrac import (
    MONEY,
    Nacbrac,
    describe_score,
    format_nacbrac,
    name_of_score,
)
from gnubg_nactation.sequences.openings import Opening
from gnubg_nactation.showing import (
    WITH_PLAYS,
    PlaysStyle,
    json_line,
    rounded,
    shown,
    table_lines,
)
from gnubg_nactation.values import TYPE_CHECKING, Any, replace
from gnubg_nactation.writing.spelling import spell

if TYPE_CHECKING:
    from gnubg_nactation.archive.replies import Chart, Difference

MAX_IN_CELL, _COMPARED = 2, 4  # plays in a cell, and of each source in a difference
_GAP = 2  # columns between cells
MEANING = "the best play and the next one, with its loss in thousandths"


def heading(chart: Chart) -> str:
    """The source of the chart and its score: `gnubg 2-ply, money`."""
    score = "all scores" if chart.score is None else describe_score(chart.score)
    return f"{shown(chart.source)}, {score}"


def chart_text(chart: Chart, width: int) -> str:
    """The chart as one or more tables that are at most `width` characters wide."""
    columns = [
        [str(roll), *(_cell(chart, opening, roll) for opening in chart.openings)] for roll in ROLLS
    ]
    names = ["", *(opening.token for opening in chart.openings)]
    lines = [f"Replies by {heading(chart)}: {MEANING}"]
    while columns:
        part, columns = _part(columns, width - max(map(len, names)))
        lines += ["", *table_lines(zip(names, *part, strict=True), _GAP)]
    return "".join(f"{line}\n" for line in lines)


def _part(columns: list[list[str]], width: int) -> tuple[list[list[str]], list[list[str]]]:
    """The columns that fit, at least one, and the others."""
    count = 0
    for column in columns:
        width -= max(map(len, column)) + _GAP
        if width < 0 and count:
            break
        count += 1
    return columns[:count], columns[count:]


def _cell(chart: Chart, opening: Opening, roll: Roll) -> str:
    replies = chart.at(opening, roll)
    return format_nacbrac(bare_nacbrac(replies[:MAX_IN_CELL]))[1:-1] if replies else "-"


def plays_text(chart: Chart, style: PlaysStyle) -> str:
    """A line for each roll, with the plays of the letters; empty if that is too wide."""
    cells = [cell for cell in chart.cells() if chart.at(*cell)]
    rows = [["", str(roll), *_play_cells(chart.at(at, roll)[:MAX_IN_CELL])] for at, roll in cells]
    lines = style.lines(lambda plays: table_lines(rows, _GAP) if plays else [""] * len(rows))
    text, above = "", ""
    for (opening, _), line in zip(cells, lines if any(lines) else [], strict=False):
        text += f"\nAfter {opening.token}\n" * (opening.token != above) + f"{line}\n"
        above = opening.token
    return text


def _play_cells(replies: Sequence[Choice]) -> list[str]:
    plays = [f"{reply.name} {reply.text}" for reply in replies]
    loss = replies[-1].loss if len(replies) == MAX_IN_CELL else None
    blanks = [""] * (MAX_IN_CELL - len(plays))
    return [*plays, *blanks, "" if loss is None else points_lost(loss)]


def chart_csv(chart: Chart) -> str:
    """A row for each play of each cell; the loss is in points."""
    rows: list[Sequence[object]] = [
        ("opening", "roll", "rank", "nactation", "play", "loss", "count")
    ]
    for opening, roll in chart.cells():
        for rank, reply in enumerate(chart.at(opening, roll), 1):
            play = f"{roll}{reply.name}", reply.text, rounded(reply.loss), reply.times or None
            rows.append((opening.token, str(roll), rank, *play))
    return csv_text(rows)


def chart_book(chart: Chart, date: str) -> str:
    """The chart as a book with a header; the date is in the form 2026-11-23."""
    score = MONEY if chart.score is None else chart.score
    names = {"source": chart.source, "date": date, "scores": name_of_score(score)}
    sections = [
        format_section(
            opening.play.after,
            opening.token,
            [(roll, [_nacbrac(choices, score)] * bool(choices)) for roll, choices in cells],
        )
        for opening in chart.openings
        for cells in [[(roll, chart.at(opening, roll)) for roll in ROLLS]]
    ]
    return format_header(names) + "".join(sections)


def _nacbrac(choices: Sequence[Choice], score: str) -> Nacbrac:
    equity = choices[0].equity if choices else None
    return replace(bare_nacbrac(choices), score=score, equity=equity and round(equity, 3))


def chart_json(chart: Chart) -> str:
    """A line of JSON for each cell that has a reply."""
    return "".join(
        json_line(_view(chart, opening, roll))
        for opening, roll in chart.cells()
        if chart.at(opening, roll)
    )


def _view(chart: Chart, opening: Opening, roll: Roll) -> dict[str, Any]:
    return {
        "opening": opening.token,
        "roll": str(roll),
        "position_id": format_position_id(opening.play.after),
        **_source_view(chart, chart.at(opening, roll)),
    }


def _source_view(chart: Chart, replies: Iterable[Choice]) -> dict[str, Any]:
    plays = [
        {"nactation": str(reply.name), "play": reply.text, "loss": rounded(reply.loss)}
        | ({"count": reply.times} if reply.times else {})
        for reply in replies
    ]
    return {"source": chart.source, "score": chart.score, "plays": plays}


def differences_text(
    first: Chart,
    second: Chart,
    differences: Sequence[Difference],
    style: PlaysStyle = WITH_PLAYS,
) -> str:
    """A line for each difference, the most expensive first: both nacbracs and the cost.

    Each nacbrac is followed by its best play.
    """
    common = [cell for cell in first.cells() if first.at(*cell) and second.at(*cell)]
    ordered = _by_cost(differences)

    def write(plays: bool) -> Iterator[str]:
        rows = []
        for difference in ordered:
            reply, ours, theirs, cost = _row(difference)
            best, other = ([it[0].text] * plays for it in (difference.first, difference.second))
            rows.append((reply, ours, *best, theirs, *other, points(-cost) if cost else ""))
        yield from table_lines(rows, _GAP)

    lines = [
        f"{heading(first)} | {heading(second)}",
        f"{len(differences)} of {len(common)} replies in both charts differ",
        *style.lines(write),
    ]
    return "".join(f"{line}\n" for line in lines)


def _by_cost(differences: Sequence[Difference]) -> list[Difference]:
    return sorted(differences, key=lambda difference: -(difference.cost or 0.0))


def _row(difference: Difference) -> tuple[str, str, str, float | None]:
    """The reply, the nacbracs of both charts, and the cost in points."""
    first, second = (
        format_nacbrac(bare_nacbrac(replies[:_COMPARED]))
        for replies in (difference.first, difference.second)
    )
    return f"{difference.opening.token}-{difference.roll}", first, second, difference.cost


def differences_csv(first: Chart, second: Chart, differences: Sequence[Difference]) -> str:
    """A row for each difference, the most expensive first; `cost` is in points."""
    head = "reply", heading(first), heading(second), "cost"
    rows = ((*texts, rounded(cost)) for *texts, cost in map(_row, _by_cost(differences)))
    return csv_text([head, *rows])


def differences_json(first: Chart, second: Chart, differences: Sequence[Difference]) -> str:
    """A line of JSON for each difference, the most expensive first; `cost` is in points."""
    lines = []
    for difference in _by_cost(differences):
        value = {
            "opening": difference.opening.token,
            "roll": str(difference.roll),
            "position_id": format_position_id(difference.opening.play.after),
            "cost": rounded(difference.cost),
            "sources": [
                _source_view(first, difference.first),
                _source_view(second, difference.second),
            ],
        }
        lines.append(json_line(value))
    return "".join(lines)


_CLOSE, _CLEAR = 0.01, 0.1  # points that the second play loses
_COLOURS = {
    "ground": ("#ffffff", "#121212"),
    "ink": ("#000000", "#f2f2f2"),
    "line": ("#8a8a8a", "#6b6b6b"),
    "head": ("#e6e6e6", "#2c2c2c"),
    "near": ("#fff0b8", "#4a3d10"),
    "far": ("#dcefdc", "#1f3a24"),
}
_CSS = """\
@page{size:A4 landscape;margin:7mm}
body{font:.8rem/1.25 system-ui,"DejaVu Sans",sans-serif;margin:1rem;
background:var(--ground);color:var(--ink)}
h1{font-size:1.1em;margin:0 0 .4em}
p{margin:.4em 0 0}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th,td{border:1px solid var(--line);padding:.1em .25em;text-align:left;white-space:nowrap}
th{background:var(--head)}
.best{font-size:1.2em}
.near{background:var(--near)}
.far{background:var(--far)}
@media print{
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{margin:0;font-size:6.6pt;line-height:1.15}
.wide{overflow:visible}
table{table-layout:fixed}
th,td{padding:0 .6mm;height:5.5mm;overflow:hidden;border-width:.2mm}
th:first-child{width:8mm}
}
"""
_BODY = """\
<main>
<h1>{title}</h1>
<div class="wide" tabindex="0" role="region" aria-label="Replies">
<table>
<thead><tr><th scope="col">after</th>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>
<p>Each cell: {meaning}. <span class="near">Close: it loses at most 10.</span>
<span class="far">Clear: it loses more than 100.</span></p>
</main>"""


def chart_page(chart: Chart) -> str:
    """The page, with a row for each first move and a column for each roll."""
    title = f"Replies by {heading(chart)}"
    head = "".join(f'<th scope="col">{roll}</th>' for roll in ROLLS)
    rows = "\n".join(
        f'<tr><th scope="row">{safe_text(opening.token)}</th>'
        + "".join(_page_cell(chart, opening, roll) for roll in ROLLS)
        + "</tr>"
        for opening in chart.openings
    )
    body = _BODY.format(title=safe_text(title), head=head, rows=rows, meaning=safe_text(MEANING))
    return document(title, themed(_COLOURS) + _CSS, body)


def _page_cell(chart: Chart, opening: Opening, roll: Roll) -> str:
    replies = chart.at(opening, roll)
    if not replies:
        return "<td></td>"
    nacbrac = bare_nacbrac(replies[:MAX_IN_CELL])
    text = format_nacbrac(nacbrac, lambda name: spell(name, "html"), safe_text, _best)
    second = nacbrac.entries[1].error if len(nacbrac.entries) > 1 else None
    kind = ""
    if second is not None and not replies[0].loss:
        kind = ' class="near"' if second <= _CLOSE else ' class="far"' if second > _CLEAR else ""
    return f"<td{kind}>{text[1:-1]}</td>"


def _best(name: str) -> str:
    return f'<span class="best">{name}</span>'
