"""The contents page of a folder: its match pages with players, scores and ratings."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from gnubg_nactation.annotation import AnnotatedMatch
from gnubg_nactation.decisions.severity import totals
from gnubg_nactation.exports.page.document import (
    REPORT_CSS,
    design,
    document,
    island,
    island_text,
    logo,
    safe_text,
)
from gnubg_nactation.showing import counted, read_json, shown
from gnubg_nactation.system.resources import relative_link
from gnubg_nactation.values import Any

CONTENTS = "index.html"
_TITLE = "Matches"
_DASH = " \u2013 "
_MATCHES = re.compile(rb'<script type="text/plain" id="matches">([\w+/=]*)</script>')
_HEAD = 200_000  # bytes of a page that are searched
_CSS = """\
.wide{overflow-x:auto;background:var(--panel);border:1px solid var(--line);
border-radius:var(--round-large)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.45rem .7rem;text-align:left;border-top:1px solid var(--line)}
thead th{color:var(--soft);font-weight:500;border:0}
tbody th{font-weight:600}
small{display:block;color:var(--soft);font-weight:400}
.number{text-align:right;white-space:nowrap}
"""


def match_entries(annotated: Sequence[AnnotatedMatch]) -> str:
    """The matches of a page as an `island`, from which `contents_page` makes their rows."""
    return island([_entry(match) for match in annotated])


def _entry(annotated: AnnotatedMatch) -> dict[str, Any]:
    match = annotated.match
    ratings = [player.performance_rating for player in totals(annotated)]
    return {
        "players": [shown(name) for name in match.players],
        "length": match.length,
        "score": match.score,
        "ratings": [None if rating is None else round(rating, 1) for rating in ratings],
    }


def read_entries(page: bytes) -> list[dict[str, Any]]:
    """The matches of a page that this program wrote; empty for another file."""
    matches = _MATCHES.search(page[:_HEAD])
    if not matches:
        return []
    try:
        entries = read_json(island_text(matches[1].decode()))
    except ValueError:
        return []
    return [entry for entry in entries if _is_entry(entry)] if isinstance(entries, list) else []


def _is_entry(value: Any) -> bool:
    """Whether a value has the form of an entry, as a page may come from anyone."""
    if not isinstance(value, dict):
        return False
    kinds: dict[str, tuple[type, ...]] = {
        "players": (str,),
        "score": (int,),
        "ratings": (int, float, type(None)),
    }
    return isinstance(value.get("length"), int) and all(
        isinstance(pair := value.get(name), list)
        and len(pair) == 2
        and all(isinstance(part, kind) for part in pair)
        for name, kind in kinds.items()
    )


def is_contents_page(page: bytes) -> bool:
    """Whether a file is a contents page of this program, which may be replaced."""
    return b'<meta name="generator" content="gnubg-nactation">' in page[:_HEAD] and (
        f"<title>{_TITLE}</title>".encode() in page[:_HEAD]
    )


def contents_page(pages: Sequence[tuple[str, Sequence[dict[str, Any]]]]) -> str:
    """The contents of a folder: the path of each page from there, and its entries."""
    rows = [(path, at, entry) for path, entries in pages for at, entry in enumerate(entries, 1)]
    body = (
        f"<header>{logo()}<h1>{_TITLE}</h1></header>\n<main>\n"
        f'<div class="wide" tabindex="0" role="region" aria-label="{_TITLE}"><table>\n'
        '<thead><tr><th scope="col">Match</th><th scope="col" class="number">Score</th>'
        '<th scope="col" class="number">PR</th>'
        "</tr></thead>\n<tbody>\n"
        + "\n".join(_row(*row) for row in rows)
        + "\n</tbody></table></div>\n</main>"
    )
    return document(_TITLE, design() + REPORT_CSS + _CSS, body)


def _row(path: str, at: int, entry: dict[str, Any]) -> str:
    names = _DASH.join(safe_text(f"\u2068{name}\u2069") for name in entry["players"])
    length = counted(entry["length"], "point") if entry["length"] else "money"
    ratings = [None if rating is None else f"{rating:.1f}" for rating in entry["ratings"]]
    link = relative_link(path, os.curdir) + (f"#m{at}g1" if at > 1 else "")
    known = any(rating is not None for rating in ratings)
    rating = _DASH.join(rating or "n/a" for rating in ratings) if known else "no analysis"
    return (
        f'<tr><th scope="row"><a href="{safe_text(link)}">{names}</a> '
        f"<small>{length}, {safe_text(shown(path))}</small></th>"
        f'<td class="number">{entry["score"][0]}{_DASH}{entry["score"][1]}</td>'
        f'<td class="number">{rating}</td></tr>'
    )
