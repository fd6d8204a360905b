"""Statistics as one web page without scripts: a chart of the ratings by month, and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gnubg_nactation.archive.stats import Statistics, Tally
from gnubg_nactation.exports.page.document import REPORT_CSS, design, document, logo
from gnubg_nactation.exports.page.text import safe_text
from gnubg_nactation.exports.stats import COLUMNS, cells_of, tables_of, total_lines
from gnubg_nactation.showing import shown

_CSS = """\
.wide{overflow-x:auto;background:var(--panel);border:1px solid var(--line);border-radius:.6rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .5rem;text-align:right;white-space:nowrap}
th:first-child{text-align:left}
thead th{color:var(--soft);font-weight:500;border-bottom:1px solid var(--line)}
tbody th{font-weight:600}
.wide svg{display:block;height:16rem;margin:.5rem}
.wide text{font-size:11px;fill:var(--soft);text-anchor:middle}
.wide .value{fill:var(--ink)}
.plays{fill:var(--accent)}
.cube{fill:var(--wrong)}
.key::before{content:"";display:inline-block;width:1em;height:.7em;margin-right:.4em}
.key.plays::before{background:var(--accent)}
.key.cube::before{background:var(--wrong)}
.key+.key{margin-left:1em}
@media print{.wide{overflow:visible}}
"""
_BODY = """\
<header>{logo}<h1>{title}</h1></header>
<main>
{lines}
{sections}
</main>"""
_STEP, _BAR, _HIGH, _FOOT = 56, 30, 200, 22  # the chart, in its own units


def statistics_page(statistics: Statistics, player: str) -> str:
    """The page of a player's statistics."""
    title = f"Statistics of {shown(player)}"
    lines = "\n".join(f"<p>{safe_text(line)}</p>" for line in total_lines(statistics.total))
    rated = [(month, tally) for month, tally in statistics.months if month and tally.decisions]
    sections = [_chart(rated)] if rated else []
    sections += [_table(name, rows) for name, rows in tables_of(statistics)]
    body = _BODY.format(
        logo=logo(), title=safe_text(title), lines=lines, sections="\n".join(sections)
    )
    return document(title, design() + REPORT_CSS + _CSS, body)


def _chart(months: Sequence[tuple[str, Tally]]) -> str:
    """The rating of each month as a bar, divided into plays and cube."""
    width = _STEP * len(months)
    bars = "".join(_bars(months))
    words = ", ".join(f"{month}: {tally.rating:.2f}" for month, tally in months)
    return (
        '<section aria-labelledby="chart"><h2 id="chart">PR by month</h2>\n'
        "<p>Lower is better. "
        '<span class="key plays">plays</span><span class="key cube">cube</span></p>\n'
        '<div class="wide" tabindex="0" role="region" aria-labelledby="chart">'
        f'<svg viewBox="0 0 {width} {_HIGH + 2 * _FOOT}" role="img" aria-label="{words}">'
        f"{bars}</svg></div></section>"
    )


def _bars(months: Sequence[tuple[str, Tally]]) -> Iterator[str]:
    scale = _HIGH / max(*(tally.rating or 0.0 for _, tally in months), 1.0)
    floor = _HIGH + _FOOT
    for at, (month, tally) in enumerate(months):
        middle, rating = at * _STEP + _STEP // 2, tally.rating or 0.0
        lost = tally.play_lost + tally.cube_lost
        whole = rating * scale
        cube = whole * tally.cube_lost / lost if lost else 0.0
        left, top = middle - _BAR // 2, floor - whole
        yield (
            f'<rect class="cube" x="{left}" y="{top:.1f}" width="{_BAR}" height="{cube:.1f}"/>'
            f'<rect class="plays" x="{left}" y="{top + cube:.1f}" width="{_BAR}"'
            f' height="{whole - cube:.1f}"/>'
            f'<text class="value" x="{middle}" y="{top - 5:.1f}">{rating:.1f}</text>'
            f'<text x="{middle}" y="{floor + 15}">{month}</text>'
        )


def _table(name: str, rows: Sequence[tuple[str, Tally]]) -> str:
    head = "".join(f'<th scope="col">{column}</th>' for column in (name, *COLUMNS))
    body = "\n".join(
        f'<tr><th scope="row">{safe_text(shown(first))}</th>'
        + "".join(f"<td>{cell}</td>" for cell in cells_of(tally))
        + "</tr>"
        for first, tally in rows
    )
    return (
        f'<section aria-labelledby="by-{name}"><h2 id="by-{name}">By {name}</h2>\n'
        f'<div class="wide" tabindex="0" role="region" aria-labelledby="by-{name}"><table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div></section>"
    )
