"""A post as one web page that needs nothing else, its boards on tap.

It shows the text as it looked, without links and pictures. Each token of a sequence, each play,
each entry of a nacbrac and each position is a button, and its board a popover, which needs no
script.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.exports.page.board import board_colours, plain_board
from gnubg_nactation.exports.page.document import document, themed
from gnubg_nactation.exports.page.text import safe_text
from gnubg_nactation.nacbracs.cube import Action, actions_of
from gnubg_nactation.prose.findings import Finding, Kind
from gnubg_nactation.prose.page import LONGEST
from gnubg_nactation.values import NamedTuple
from gnubg_nactation.writing.colours import colour_text
from gnubg_nactation.writing.markup import read_markup
from gnubg_nactation.writing.typography import Glyph

_MOST_BOARDS = 500  # of a page, some four megabytes
_BODY = """\
<header><h1>{title}</h1></header>
<main>{post}</main>
<aside aria-label="Boards">
{boards}
</aside>"""
_COLOURS = {
    "ground": ("#ffffff", "#121212"),
    "ink": ("#000000", "#ffffff"),
    "sure": ("#e4ecfb", "#24324d"),
    "likely": ("#e3f0e0", "#233a26"),
    "guess": ("#f6eccb", "#453a1c"),
    "error": ("#fadfdf", "#552a2a"),
}
_CSS = """\
body{font:1rem/1.6 system-ui,sans-serif;max-width:45rem;margin:1rem auto;padding:0 1rem;
background:var(--ground);color:var(--ink)}
h1{font-size:1rem}
main{white-space:pre-wrap;overflow-wrap:anywhere}
button{all:unset;cursor:pointer;border-radius:.2em;padding:.15em .1em;user-select:text;
background:var(--sure)}
button:focus-visible{outline:2px solid}
button.likely{background:var(--likely)}
button.guess,button.doubtful{background:var(--guess)}
button.error{background:var(--error)}
[popover]{width:min(36rem,94vw);box-sizing:border-box;border:1px solid;border-radius:.5em;
background:var(--ground);color:var(--ink)}
[popover] p{margin:.3em 0}
[popover] svg{display:block;width:100%;height:auto}
[popover] code{overflow-wrap:anywhere}
"""


class _Tap(NamedTuple):
    """So many characters of the post, and what is shown for them.

    `says` is in words, line by line; `state` is the board, None where nothing can be read.
    """

    length: int
    kind: str
    says: tuple[str, ...]
    state: GameState | None = None
    play: Play | None = None


def format_prose(text: str, findings: Sequence[Finding], title: str) -> str:
    """The post as a page, with what was found in it on tap.

    The page has 500 boards at most; what comes behind them is marked, but not on tap.
    """
    glyphs = read_markup(text, longest=LONGEST)
    places = [glyph.at for glyph in glyphs]
    taps = {at: tap for finding in findings for at, tap in _taps(finding, places)}
    shown: dict[_Tap, int] = {}
    written: list[str] = []
    at = 0
    while at < len(glyphs):
        tap, end = taps.pop(places[at], None), at + 1
        if tap:
            end = at + tap.length
            if len(shown) < _MOST_BOARDS:
                shown.setdefault(tap, len(shown))
            written += _button(tap, shown.get(tap), _looks(glyphs[at:end]))
        else:
            while end < len(glyphs) and places[end] not in taps:
                end += 1
            written += _looks(glyphs[at:end])
        at = end
    body = _BODY.format(
        title=safe_text(title),
        post="".join(written),
        boards="\n".join(_popover(tap, number) for tap, number in shown.items()),
    )
    return document(title, themed(_COLOURS) + _CSS + board_colours(), body)


def _taps(finding: Finding, places: Sequence[int]) -> Iterator[tuple[int, _Tap]]:
    """What is on tap of a finding, each with its offset in the text."""
    sure, note = finding.sure.value, finding.note
    length = bisect_left(places, finding.end) - bisect_left(places, finding.start)
    if finding.error:
        yield finding.start, _Tap(length, "error", (finding.text, finding.trouble))
    if finding.kind is Kind.POSITION and finding.state:
        yield finding.start, _Tap(length, sure, (finding.text,), finding.state)
    if finding.cube:
        actions = map(_action, actions_of(finding.cube))
        says = (finding.text, *actions, "; ".join(filter(None, (sure, note))))
        yield finding.start, _Tap(length, sure, says, finding.state)
    for turn in finding.decoded.turns if finding.decoded else ():
        play = format_play(turn.play) if turn.play else turn.how.value
        doubt = "; ".join(filter(None, (turn.sure.value if turn.note else sure, turn.note, note)))
        said = turn.token.text
        # A roll is written high number first, whatever stands in the text.
        yield (
            turn.token.at,
            _Tap(len(said), sure, (f"{said}: {play}", doubt), turn.state, turn.play),
        )
    for one in finding.nacbrac.entries if finding.nacbrac else ():
        error = "" if one.entry.error is None else f", {one.entry.error:.3f}"
        said = f"{one.play.roll}{one.entry.text}: {format_play(one.play)}{error}"
        doubt = "; ".join(filter(None, (one.sure.value, one.note, note)))
        state = finding.nacbrac.state if finding.nacbrac else None
        yield one.entry.at, _Tap(len(one.entry.text), sure, (said, doubt), state, one.play)


def _action(action: Action) -> str:
    """What may be done about the cube: `no double`, `double, 0.045`."""
    return action.words if not action.error else f"{action.words}, {action.error:.3f}"


def _button(tap: _Tap, number: int | None, inner: Iterable[str]) -> Iterator[str]:
    target = "" if number is None else f' popovertarget="t{number}"'
    yield f'<button type="button" class="{tap.kind}"{target}>'
    yield from inner
    yield "</button>"


def _popover(tap: _Tap, number: int) -> str:
    said = "".join(f"<p>{safe_text(line)}</p>" for line in tap.says)
    board = ""
    if tap.state:
        code = f"<p><code>{format_xgid(tap.state)}</code></p>"
        board = plain_board(tap.state, tap.play, key=str(number)) + code
    return f'<div popover id="t{number}">{said}{board}</div>'


def _looks(glyphs: Sequence[Glyph]) -> Iterator[str]:
    """Characters as HTML, each run of one look within its tags."""
    for look, run in groupby(glyphs, key=lambda glyph: glyph._replace(character="", at=0)):
        dot = _DOT if look.dot else ""
        html = safe_text("".join(f"{glyph.character}{dot}" for glyph in run))
        tags = (("i", look.italic), ("b", look.bold), ("u", look.underline))
        for tag in (tag for tag, wanted in tags if wanted):
            html = f"<{tag}>{html}</{tag}>"
        colour = look.colour and colour_text(look.colour)
        yield f'<span style="color:{colour}">{html}</span>' if colour else html


_DOT = "\u0323"
