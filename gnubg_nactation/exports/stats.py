"""Statistics as text, CSV, JSON and a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gnubg_nactation.archive.stats import Statistics, Tally
from gnubg_nactation.decisions.severity import performance
from gnubg_nactation.exports.page.document import REPORT_CSS, design, document, logo, safe_text
from gnubg_nactation.exports.spreadsheet import csv_text
from gnubg_nactation.showing import counted, json_line, rounded, shown, with_sign
from gnubg_nactation.values import Any

DIGITS = 5  # as many as a database stores
NO_DATE = "no date"
NO_GAMES = "no game has this player and meets the filters"
COLUMNS = (
    *("matches", "games", "decisions", "PR", "plays", "cube", "luck"),
    *("doubles", "wrong", "missed", "takes", "wrong", "drops", "wrong"),
)


def format_statistics(statistics: Statistics, player: str) -> str:
    """The statistics as text: the total, then a table by month and one by opponent."""
    lines = [f"Statistics of {shown(player)}", *total_lines(statistics.total)]
    for title, rows in tables_of(statistics):
        cells = [(title, *COLUMNS), *((shown(name), *cells_of(tally)) for name, tally in rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines.append("")
        for first, *others in cells:
            row = [first.ljust(widths[0])]
            row += [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
            lines.append("  ".join(row).rstrip())
    return "\n".join(lines) + "\n"


def total_lines(total: Tally) -> Iterator[str]:
    """The matches, decisions and ratings of all matches together."""
    if not total.games:
        yield NO_GAMES
        return
    matches = counted(total.matches, "match", "matches")
    games = counted(total.games, "game")
    if not total.analysed:
        yield f"{matches}, {games}, none analysed; add an analysis with `nactate index --analyse`"
        return
    plays, cubes = counted(total.plays, "play"), counted(total.cubes, "close cube decision")
    yield f"{matches}, {games}, {total.analysed} analysed: {plays} and {cubes}"
    words = performance(total.rating)
    ratings = (total.rating, total.play_rating, total.cube_rating)
    whole, play, cube = (_number(rating) or "n/a" for rating in ratings)
    yield f"PR {whole} ({words}): plays {play}, cube {cube}"
    if total.luck_points is not None:
        yield f"Luck {with_sign(total.luck_points, 2)} points in {counted(total.rolls, 'roll')}"


def tables_of(
    statistics: Statistics,
) -> list[tuple[str, Sequence[tuple[str, Tally]]]]:
    """The title of the first column and the rows of each table that has any."""
    months = [(month or NO_DATE, tally) for month, tally in statistics.months]
    tables = (("month", months), ("opponent", statistics.opponents))
    return [(title, rows) for title, rows in tables if rows]


def cells_of(tally: Tally) -> tuple[str, ...]:
    """The cells of COLUMNS."""
    luck = tally.luck_points
    return (
        *(f"{number:,}" for number in (tally.matches, tally.games, tally.decisions)),
        *map(_number, (tally.rating, tally.play_rating, tally.cube_rating)),
        "" if luck is None else with_sign(luck, 2),
        *map(str, _actions(tally).values()),
    )


def _actions(tally: Tally) -> dict[str, int]:
    names = ("doubles", "wrong_doubles", "missed_doubles", "takes", "wrong_takes")
    return {name: getattr(tally, name) for name in (*names, "drops", "wrong_drops")}


def _number(rating: float | None) -> str:
    return "" if rating is None else f"{rating:.2f}"


def csv_statistics(statistics: Statistics) -> str:
    """The rows of both tables and the total as CSV, with the table in the first column."""
    rows = [("all", "", statistics.total)]
    rows += [("month", month, tally) for month, tally in statistics.months]
    rows += [("opponent", name, tally) for name, tally in statistics.opponents]
    views = [(kind, name, *tally_view(tally).values()) for kind, name, tally in rows]
    return csv_text([("table", "name", *tally_view(Tally())), *views])


def json_statistics(statistics: Statistics, player: str) -> str:
    """The statistics as one line of JSON; see `statistics_view`."""
    return json_line(statistics_view(statistics, player))


def statistics_view(statistics: Statistics, player: str) -> dict[str, Any]:
    """The statistics as one JSON object; losses and luck are in points."""
    months = [{"month": month or None, **tally_view(tally)} for month, tally in statistics.months]
    opponents = [{"opponent": name, **tally_view(tally)} for name, tally in statistics.opponents]
    total = tally_view(statistics.total)
    return {"player": player, **total, "months": months, "opponents": opponents}


def rating_view(tally: Tally) -> float | None:
    """The rating of a tally with the digits of JSON."""
    return rounded(tally.rating, DIGITS)


def luck_view(tally: Tally) -> float | None:
    """The luck of a tally in points."""
    return rounded(tally.luck_points, DIGITS)


def tally_view(tally: Tally) -> dict[str, Any]:
    """The numbers of a tally; losses and luck are in points."""
    return {
        "matches": tally.matches,
        "games": tally.games,
        "analysed": tally.analysed,
        "decisions": tally.decisions,
        "plays": tally.plays,
        "cubes": tally.cubes,
        "rating": rating_view(tally),
        "play_rating": rounded(tally.play_rating, DIGITS),
        "cube_rating": rounded(tally.cube_rating, DIGITS),
        "play_lost": round(tally.play_points, DIGITS),
        "cube_lost": round(tally.cube_points, DIGITS),
        "luck": luck_view(tally),
        "rolls": tally.rolls,
        **_actions(tally),
    }


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
