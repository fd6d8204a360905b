"""A page as one file: its head, its security policy, its colours in light and dark, its data."""

from __future__ import annotations

import binascii
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial

from gnubg_nactation.annotation import AnnotatedMatch
from gnubg_nactation.backgammon.match import place_name
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import BAR
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.exports.board import (
    BOARDS,
    MIDDLE,
    PALETTES,
    RADIUS,
    Layout,
    board_svg,
    class_prefix,
    style_sheet,
)
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.system.resources import package_text
from gnubg_nactation.values import Any
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


_MAX_DATA = 50_000_000  # characters of unpacked data, as a page may come from anyone
# In light and in dark, for `themed`.
COLOURS = {
    "ground": ("#f7f5f0", "#16181c"),
    "panel": ("#ffffff", "#1f2329"),
    "ink": ("#1d2126", "#e8e6e1"),
    "soft": ("#5a6068", "#a7adb5"),
    "line": ("#d9d4c8", "#363c45"),
    "accent": ("#1a5c4b", "#7fd4b8"),
    "chosen": ("#d9ece5", "#1d463a"),
    "bad": ("#a11b1b", "#ff9b93"),
    "wrong": ("#8f4400", "#f4b06a"),
    "doubtful": ("#655500", "#d9c765"),
    "good": ("#17653a", "#7fd99a"),
}

# Spacing, type and shapes of all pages, which read as pages of one program.
_TOKENS = """\
:root{--control:2.5rem;--control-small:2rem;--gap-small:.2rem;--gap:.4rem;--gap-large:.8rem;
--text-small:.8rem;--text-label:.875rem;--text-large:1.15rem;
--round-small:.3rem;--round:.5rem;--round-large:.6rem;--round-card:.75rem;
--round-full:1rem;--shadow:0 6px 24px rgb(0 0 0/.28);--shadow-small:0 1px 2px rgb(0 0 0/.4);
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;
--serif:Georgia,"Noto Serif","DejaVu Serif",serif;
--mono:ui-monospace,"DejaVu Sans Mono",Menlo,monospace}
@media(max-width:40rem){:root{--control:2.75rem;--control-small:2.75rem}} /* 44 px for a finger */
@media(prefers-contrast:more){:root:root:root{--soft:var(--ink);--line:var(--ink)}}
"""

# Pages without a script, to read or print: leaks, statistics, the matches of a folder.
REPORT_CSS = """\
body{max-width:80rem;padding:1rem}
header{display:flex;align-items:center;gap:var(--gap-large);margin-bottom:.5rem}
h1{font-size:1.35rem;margin:0}
h2{font-size:1.15rem;margin:1.5rem 0 .5rem}
main>p{margin:.1rem 0}
@media print{body{padding:0;max-width:none;font-size:10pt}}
"""

_PAGE = """\
<!doctype html>
<html lang="en" data-board="usual">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="gnubg-nactation">
{meta}<title>{title}</title>
<style>{css}</style>
</head>
<body>
{body}{script}
</body>
</html>
"""


def document(title: str, css: str, body: str, script: str = "", matches: str = "") -> str:
    """A complete page. `title` is plain text; the rest is CSS, HTML and JavaScript.

    `matches` is an `island` for the contents page of a folder.
    """
    return _PAGE.format(
        policy=escape(_policy(css, script)),
        meta=f'<script type="text/plain" id="matches">{matches}</script>\n' if matches else "",
        title=safe_text(title),
        css=css,
        body=body,
        script=f"<script>{script}</script>" if script else "",
    )


def logo() -> str:
    """The icon of the program, next to the title of a page."""
    return (
        package_text("web/icon.svg").strip().replace("<svg", '<svg class="logo" aria-hidden="true"')
    )


def design() -> str:
    """The style that all pages begin with: tokens as CSS variables, and the rules they share."""
    return themed(COLOURS) + _TOKENS + package_text("exports/page/base.css")


def themed(pairs: Mapping[str, tuple[str, str]]) -> str:
    """CSS variables for colours, each with a light and a dark value.

    Dark applies if the system is dark or `data-theme` asks for it; paper is light. The function
    light-dark() would be shorter, but browsers of 2023 show its colours as black.
    """
    light, dark = (
        "".join(f"--{name}:{pair[at]};" for name, pair in pairs.items()) for at in (0, 1)
    )
    return (
        f":root{{color-scheme:light;{light}}}\n"
        "@media screen and (prefers-color-scheme:dark)"
        f"{{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}\n"
    )


def _policy(css: str, script: str) -> str:
    """Forbid loading and sending anything; allow only this style and this script.

    `img-src data:` lets the script draw the picture that it copies.
    """
    scripts = f"script-src {_hash(script)}; img-src data:; " if script else ""
    return (
        f"default-src 'none'; style-src-elem {_hash(css)}; style-src-attr 'unsafe-inline'; "
        f"{scripts}base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = binascii.b2a_base64(hashlib.sha256(text.encode()).digest(), newline=False).decode()
    return f"'sha256-{digest}'"


def island(value: Any) -> str:
    """A value as JSON, deflated and in base64, for a script element."""
    text = clean(json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
    # Little memory makes small blocks, each with codes that suit its column: 4 % smaller.
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 4)
    data = packer.compress(text.encode()) + packer.flush()
    return binascii.b2a_base64(data, newline=False).decode()


def island_text(text: str) -> str:
    """The JSON of a script element, not packed in earlier versions. Raises ValueError."""
    if text.startswith("{"):
        return text
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(binascii.a2b_base64(text), _MAX_DATA)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    return data.decode()


def columns(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """A table of rows by columns, which deflates better; None for missing and empty values."""
    full = [{name: value for name, value in row.items() if value or value == 0} for row in rows]
    names = dict.fromkeys(name for row in full for name in row)
    return {name: [row.get(name) for row in full] for name in names}


_LAYOUT = Layout(Player.FIRST, "right")
_STYLE = re.compile("<style>[^<]*</style>")


def first_board(matches: Sequence[AnnotatedMatch]) -> str:
    """The first turn with a known board as SVG, without its style."""
    turns = (
        (annotated.match, turn)
        for annotated in matches
        for game in annotated.games
        for turn in game.turns
    )
    match, turn = next((pair for pair in turns if pair[1].state is not None), (None, None))
    state = turn.state if turn and turn.state else GameState()
    players = match.players if match else None
    return plain_board(state, turn.play if turn else None, view=Player.FIRST, players=players)


def plain_board(state: GameState, play: Play | None = None, **options: Any) -> str:
    """The board as SVG without its style, for `board_colours`; options as for `board_svg`."""
    return _STYLE.sub("", board_svg(state, play, theme="light", **options))


def board_colours() -> str:
    """The style of boards, light or dark like the page."""
    light, dark = PALETTES["light"], PALETTES["dark"]
    names = {colour: f"var(--board-{name})" for name, colour in light.items()}
    pairs = {f"board-{name}": (light[name], dark[name]) for name in light}
    return themed(pairs) + re.sub("#[0-9a-f]{6}", lambda hit: names[hit[0]], style_sheet("light"))


def match_style() -> str:
    """The style of boards with depth, and of the summary of a match; before that of the page.

    The page begins with `board_paint` and has `board_colours`.
    """
    return package_text("web/match.css")


def board_paint() -> str:
    """The paint of checkers and frame, which `match_style` uses."""
    return package_text("web/checkers.svg")


def board_choices() -> str:
    """The colours of the boards that `data-board` asks for, in light and dark."""
    rules = []
    for name, colours in BOARDS.items():
        values = "".join(f"--board-{part}:{colour};" for part, colour in colours.items())
        if not values:
            continue
        rules.append(f":root[data-board='{name}'][data-board]{{{values}}}\n")
    return "".join(rules)


def usual_board() -> str:
    """The colours of a board that nobody has chosen: green, and night in the dark."""
    green, night = BOARDS["green"], BOARDS["night"]
    colours = {f"board-{part}": (green[part], night[part]) for part in green}
    return themed(colours).replace(":root", ":root[data-board=usual]")


def board_places() -> dict[str, Any]:
    """Where checkers and cube are drawn: `places` of page.schema.json."""
    players = tuple(Player)

    def stack(place: Callable[[int], tuple[int, int]]) -> tuple[int, int, int]:
        (x, first), (_, second) = place(0), place(1)
        return x, first, second - first

    return {
        "prefix": class_prefix("light"),
        "middle": MIDDLE,
        "radius": RADIUS,
        "checkers": [
            [stack(partial(_LAYOUT.checker, player, point)) for point in range(1, BAR + 1)]
            for player in players
        ],
        "off": [stack(partial(_LAYOUT.off, player)) for player in players],
        "cube": [_LAYOUT.cube(owner) for owner in (None, *players)],
    }
