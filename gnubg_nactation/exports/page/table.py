"""A section of the page with a table: a row for each thing, a column for each player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gnubg_nactation.exports.page.text import safe_text

__all__ = ["Section", "table_section"]


class Section(NamedTuple):
    """What a section is: its class, anchor, title, what stands small beside it, and its rows."""

    kind: str
    anchor: str
    title: str
    aside: str
    corner: str


def table_section(
    section: Section, players: Sequence[str], rows: Iterable[tuple[str, str, str]], below: str
) -> str:
    """The section as HTML; `rows` (name and both cells) and `below` are HTML already."""
    kind, anchor, title, aside, corner = section
    head = "".join(f'<th scope="col"><span>{safe_text(name)}</span></th>' for name in players)
    body = "\n".join(
        f'<tr><th scope="row">{name}</th><td>{left}</td><td>{right}</td></tr>'
        for name, left, right in rows
    )
    return (
        f'<section class="{kind}" id="{anchor}" aria-labelledby="{anchor}h">\n'
        f'<h2 id="{anchor}h">{title} <small>{aside}</small></h2>\n'
        f'<table>\n<thead><tr><th scope="col"><span class="unseen">{corner}</span></th>{head}</tr>'
        f"</thead>\n<tbody>\n{body}\n</tbody></table>\n{below}</section>"
    )
