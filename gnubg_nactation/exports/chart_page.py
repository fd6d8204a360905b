"""A chart of replies as one web page that prints on A4 landscape."""

from __future__ import annotations

from gnubg_nactation.archive.replies import Chart
from gnubg_nactation.backgammon.plays import ROLLS, Roll
from gnubg_nactation.decisions.nacbrac import bare_nacbrac
from gnubg_nactation.exports.chart import MAX_IN_CELL, MEANING, heading
from gnubg_nactation.exports.page.document import document, themed
from gnubg_nactation.exports.page.text import safe_text
from gnubg_nactation.nacbracs.nacbrac import format_nacbrac
from gnubg_nactation.sequences.openings import Opening
from gnubg_nactation.writing.spelling import spell

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
        + "".join(_cell(chart, opening, roll) for roll in ROLLS)
        + "</tr>"
        for opening in chart.openings
    )
    body = _BODY.format(title=safe_text(title), head=head, rows=rows, meaning=safe_text(MEANING))
    return document(title, themed(_COLOURS) + _CSS, body)


def _cell(chart: Chart, opening: Opening, roll: Roll) -> str:
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
