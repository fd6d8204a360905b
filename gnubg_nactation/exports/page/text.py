"""Text on pages: made safe, Nactations in their style, anchors and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from gnubg_nactation.backgammon.match import place_name
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.writing.colours import on_black
from gnubg_nactation.writing.spelling import escape, spell


def safe_text(text: str) -> str:
    """The text as HTML that shows it."""
    return escape(clean(text))


def clean(text: str) -> str:
    """The text without characters that HTML forbids."""
    # Most text is printable except for these, and the pattern is slow to compile.
    printable = text
    for mark in "\u2068\u2069\u2060":
        printable = printable.replace(mark, "")
    if printable.isprintable():
        return text
    return re.sub(_FORBIDDEN, "\ufffd", text)


_FORBIDDEN = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"


@lru_cache(maxsize=1024)
def glyph(name: str) -> str:
    """A Nactation in its style; a coloured one on black or white, which shows it better."""
    nactation = parse_nactation(name)
    spelling = spell(nactation, "html")
    if not nactation.look.colour:
        return spelling
    ground = " on-black" if on_black(nactation.look.colour) else ""
    return f'<span class="chip{ground}">{spelling}</span>'


def turn_anchor(game: str, move: int, player: Player) -> str:
    """The anchor of a turn from that of its game: `2.13b` for `g2`, as in posts and cards."""
    match, _, number = game.rpartition("g")
    return f"{match and f'{match}.'}{place_name(int(number), move, player)}"


def anchor_start(game: str) -> str:
    """The beginning of the anchors of a game's turns: `2.` for `g2`."""
    match, _, number = game.rpartition("g")
    return f"{match and f'{match}.'}{number}."


def table_section(
    kind: str, anchor: str, title: str, players: Sequence[str], rows: Iterable[Sequence[str]]
) -> str:
    """The start of a section with its title and a table with a column for each player.

    `title` and `rows` (a name and two cells) are HTML. Only screen readers hear the name of the
    first column.
    """
    head = "".join(f'<th scope="col"><span>{safe_text(name)}</span></th>' for name in players)
    body = "\n".join(
        f'<tr><th scope="row">{name}</th><td>{left}</td><td>{right}</td></tr>'
        for name, left, right in rows
    )
    corner = f'<th scope="col"><span class="unseen">{_CORNERS[kind]}</span></th>'
    return (
        f'<section class="{kind}" id="{anchor}" aria-labelledby="{anchor}h">\n'
        f'<h2 id="{anchor}h">{title}</h2>\n<table>\n<thead><tr>{corner}{head}</tr>'
        f"</thead>\n<tbody>\n{body}\n</tbody></table>\n"
    )


_CORNERS = {"game": "Row", "account": "Kind"}
