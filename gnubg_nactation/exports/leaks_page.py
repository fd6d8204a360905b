"""Leaks as one web page without scripts, each with a board, to read or print."""

from __future__ import annotations

from gnubg_nactation.archive.leaks import Example, Leak, Leaks
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.leaks import (
    NO_LEAK,
    account_lines,
    example_words,
    figures,
    kinds_of,
    leak_words,
)
from gnubg_nactation.exports.page.board import board_colours, plain_board
from gnubg_nactation.exports.page.document import COLOURS, document, themed
from gnubg_nactation.exports.page.text import glyph, safe_text
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.showing import shown

_CSS = """\
*{box-sizing:border-box}
body{font:1rem/1.45 system-ui,"Segoe UI","DejaVu Sans",sans-serif;max-width:80rem;margin:0 auto;
padding:1rem;background:var(--ground);color:var(--ink);overflow-wrap:anywhere}
h1{font-size:1.35rem;margin:0 0 .5rem}
h2{font-size:1.15rem;margin:1.5rem 0 .5rem}
h3{font-size:1rem;margin:0 0 .3rem}
header p{margin:.1rem 0}
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
.glyph{font:1.15em/1 Georgia,"Noto Serif","DejaVu Serif",serif}
.glyph b{font-weight:800}
.chip{border-radius:.25em;padding:0 .22em;background:#fff}
.chip.on-black{background:#000}
@media print{
body{padding:0;max-width:none;font-size:10pt}
.leaks{grid-template-columns:1fr 1fr}
.leaks>li{break-inside:avoid}
h2{break-after:avoid}
}
"""
_BODY = """\
<header><h1>{title}</h1>
{account}</header>
<main>
{sections}
</main>"""


def leaks_page(result: Leaks, player: str) -> str:
    """The page of a player's leaks; boards have the arrows of the best play."""
    title = f"Leaks of {shown(player)}"
    lines = [*account_lines(result), "Arrows show the best play."]
    account = "\n".join(f"<p>{safe_text(line)}</p>" for line in lines)
    sections = "\n".join(
        f'<section aria-labelledby="k{kind}"><h2 id="k{kind}">{name}</h2>\n<ol class="leaks">\n'
        + "\n".join(_leak(result, leak, f"{kind}-{at}") for at, leak in enumerate(leaks))
        + "\n</ol></section>"
        for kind, (name, leaks) in enumerate(kinds_of(result))
    )
    none = f"<p>{NO_LEAK}</p>"
    body = _BODY.format(title=safe_text(title), account=account, sections=sections or none)
    return document(title, themed(COLOURS) + _CSS + board_colours(), body)


def _leak(result: Leaks, leak: Leak, key: str) -> str:
    worst = leak.examples[0]
    rows = "".join(
        f"<div><dt>{name}</dt><dd>{text}</dd></div>" for name, text in figures(result, leak).items()
    )
    examples = "".join(f"<li>{_example(example)}</li>" for example in leak.examples)
    return (
        f"<li><h3>{leak_words(leak, _glyph)}</h3>\n<dl>{rows}</dl>\n"
        f"{plain_board(worst.state, _best(worst), key=key)}\n"
        f'<ul class="examples">{examples}</ul></li>'
    )


def _example(example: Example) -> str:
    return f"{safe_text(shown(str(example.place)))}  {example_words(example, _glyph)}"


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
