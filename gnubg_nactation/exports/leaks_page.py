"""Leaks as one web page without scripts, each with a board, to read or print."""

from __future__ import annotations

import os
from collections.abc import Mapping

from gnubg_nactation.archive.leaks import Leak, Leaks
from gnubg_nactation.archive.mistakes import Example
from gnubg_nactation.archive.opening_leaks import OpeningLeak, OpeningLeaks
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.severity import points_lost
from gnubg_nactation.decisions.themes import RIGHT_ACTIONS
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.board.layout import Layout, arrow_path, arrows
from gnubg_nactation.exports.board.style import class_prefix
from gnubg_nactation.exports.leaks import (
    COSTLIEST,
    NO_LEAK,
    account_lines,
    costliest_words,
    example_words,
    figures,
    kinds_of,
    leak_words,
)
from gnubg_nactation.exports.opening_leaks import openings_head
from gnubg_nactation.exports.page.board import board_colours, plain_board
from gnubg_nactation.exports.page.document import REPORT_CSS, design, document, logo
from gnubg_nactation.exports.page.text import glyph, safe_text
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.showing import shown

_CSS = """\
h3{font-size:1rem;margin:0 0 .3rem}
.leaks{list-style:none;margin:0;padding:0;display:grid;gap:1rem;
grid-template-columns:repeat(auto-fill,minmax(min(100%,22rem),1fr))}
.leaks>li{background:var(--panel);border:1px solid var(--line);border-radius:.6rem;padding:.8rem}
dl{display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;margin:0 0 .5rem;font-variant-numeric:tabular-nums}
dl div{display:flex;gap:.4rem}
dt{color:var(--soft)}
dd{margin:0}
dl div:first-child dd{color:var(--bad);font-weight:600}
svg{display:block;width:100%;height:auto}
.examples{margin:.5rem 0 0;padding:0;list-style:none;font-size:.875rem;color:var(--soft)}
.place{margin:.5rem 0 0;font-size:.875rem}
path.made{stroke:var(--board-hit);stroke-width:5;stroke-dasharray:9 8}
.key::before{content:"";display:inline-block;width:2.2em;margin-right:.4em;vertical-align:.25em;
border-top:4px solid var(--board-arrow)}
.key.made{margin-left:1em}
.key.made::before{border-top:4px dashed var(--board-hit)}
nav ul{list-style:none;margin:.8rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem}
nav a{display:inline-block;padding:.3rem 0}
@media print{
nav{display:none}
.leaks{grid-template-columns:1fr 1fr}
.leaks>li{break-inside:avoid}
h2{break-after:avoid}
}
"""
_BODY = """\
<header>{logo}<h1>{title}</h1></header>
<main>
{account}{legend}{contents}
{sections}
</main>"""


_LEGEND = """
<p><span class="key best">best play</span> <span class="key made">play made</span></p>"""

_CONTENTS = """
<nav aria-label="Contents"><ul>{}</ul></nav>"""


def leaks_page(
    result: Leaks, player: str, openings: OpeningLeaks, links: Mapping[str, str] | None = None
) -> str:
    """The page of a player's leaks; boards have the arrows of the best play and the play made.

    `links` has the pages of match files, to which places lead.
    """
    title, links = f"Leaks of {shown(player)}", links or {}
    account = "\n".join(f"<p>{safe_text(line)}</p>" for line in account_lines(result))
    cards = [_decision(example, f"c{at}", links) for at, example in enumerate(result.costliest)]
    parts = [(COSTLIEST, cards)] if cards else []
    parts += [
        (name, [_leak(result, leak, f"{kind}-{at}", links) for at, leak in enumerate(leaks)])
        for kind, (name, leaks) in enumerate(kinds_of(result))
    ]
    if openings.leaks:
        cards = [_opening(leak, f"o{at}") for at, leak in enumerate(openings.leaks)]
        parts.append((safe_text(openings_head(openings)), cards))
    sections = "\n".join(
        f'<section aria-labelledby="k{at}"><h2 id="k{at}">{name}</h2>\n<ol class="leaks">\n'
        + "\n".join(f"<li>{card}</li>" for card in cards)
        + "\n</ol></section>"
        for at, (name, cards) in enumerate(parts)
    )
    contents = "".join(
        f'<li><a href="#k{at}">{_short(name)}</a></li>' for at, (name, _) in enumerate(parts)
    )
    body = _BODY.format(
        logo=logo(),
        title=safe_text(title),
        account=account,
        legend=_LEGEND if result.themes or openings.leaks else "",
        contents=_CONTENTS.format(contents) if len(parts) > 1 else "",
        sections=sections or f"<p>{NO_LEAK}</p>",
    )
    return document(title, design() + REPORT_CSS + _CSS + board_colours(), body)


def _short(name: str) -> str:
    """The name of a section without its figures."""
    return name.partition(" (")[0]


def _decision(example: Example, key: str, links: Mapping[str, str]) -> str:
    return (
        f"<h3>{costliest_words(example, _glyph)}</h3>\n"
        f"<dl><div><dt>lost</dt><dd>{points_lost(example.lost)}</dd></div></dl>\n"
        f'{_board(example, key)}\n<p class="place">{_place(example, links)}</p>'
    )


def _leak(result: Leaks, leak: Leak, key: str, links: Mapping[str, str]) -> str:
    rows = "".join(
        f"<div><dt>{name}</dt><dd>{text}</dd></div>" for name, text in figures(result, leak).items()
    )
    head = f"<h3>{leak_words(leak, _glyph)}</h3>\n<dl>{rows}</dl>"
    if leak.kind == "phase":
        return head
    examples = "".join(
        f"<li>{_place(example, links)}  {example_words(example, _glyph)}</li>"
        for example in leak.examples
    )
    return f'{head}\n{_board(leak.examples[0], key)}\n<ul class="examples">{examples}</ul>'


def _opening(leak: OpeningLeak, key: str) -> str:
    """A play that loses by the book, with its board."""
    line = leak.line
    best, play, _ = line.plays[0]
    loss = "more than the book lists" if leak.loss is None else points_lost(leak.loss)
    words = f"{safe_text(line.sequence)}{_glyph(leak.made)} where {_glyph(str(best))} is best"
    svg = plain_board(line.state, play, key=key)
    return (
        f"<h3>{words}</h3>\n<dl><div><dt>lost each time</dt><dd>{loss}</dd></div>"
        f"<div><dt>times</dt><dd>{leak.times} of {leak.faced}</dd></div></dl>\n"
        f"{_plays_on(line.state, play, _play_of(leak.play, line.state), svg)}"
    )


def _place(example: Example, links: Mapping[str, str]) -> str:
    """The place of a decision, linked to its step on the page of the match."""
    place = example.place
    name = os.path.basename(place.file)  # the page may be shown to others
    text = safe_text(shown(f"{name}#{place.decision}"))
    if place.file not in links:
        return text
    step = "m" * (place.match > 1) + place.decision
    before_roll = "c" * (RIGHT_ACTIONS.get(example.made) == "double")
    return f'<a href="{safe_text(links[place.file])}#{step}{before_roll}">{text}</a>'


def _board(example: Example, key: str) -> str:
    """The board with both plays; of the cube without arrows."""
    state, best, made = example.state, _best(example), _made(example)
    return _plays_on(state, best, made, plain_board(state, best, key=key, players=example.players))


def _plays_on(state: GameState, best: Play | None, made: Play | None, svg: str) -> str:
    """A board with the best play, and the arrows of the play made."""
    if made is None or made == best:
        return svg
    layout = Layout(state.player, "right")
    shafts = "".join(arrow_path(arrow) for arrow in arrows(made, state.player, layout))
    arrow = f'<path class="{class_prefix("light")}-line made" d="{shafts}"/></svg>'
    return svg.removesuffix("</svg>") + arrow


def _glyph(name: str) -> str:
    return f'<span class="glyph">{glyph(name)}</span>'


def _best(example: Example) -> Play | None:
    """The best play; None for the cube, and if it is unknown."""
    state = example.state
    if not (state.roll and example.best):
        return None
    try:
        return Plays(state.position, state.roll).play(parse_nactation(example.best))
    except NactationError:  # the database was changed by hand
        return None


def _made(example: Example) -> Play | None:
    """The play made; None for the cube, and if it is unknown."""
    return _play_of(example.play, example.state)


def _play_of(text: str, state: GameState) -> Play | None:
    if not (state.roll and text):
        return None
    try:
        return parse_play(text, state.position, state.roll)
    except NactationError:
        return None
