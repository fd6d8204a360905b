"""A post as one web page, where each token, play, nacbrac entry and position opens a board.

The text keeps its styles, but not its links and pictures. Boards are popovers, without a script.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from gnubg_nactation.backgammon.analysis import in_prose
from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import choice_words, decisions_of, right_actions
from gnubg_nactation.decisions.severity import points_lost
from gnubg_nactation.exports.page.document import (
    board_colours,
    document,
    plain_board,
    safe_text,
    themed,
)
from gnubg_nactation.nacbracs.nacbrac import Action, actions_of
from gnubg_nactation.prose.page import LONGEST, Finding, Kind
from gnubg_nactation.values import NamedTuple
from gnubg_nactation.writing.colours import colour_text
from gnubg_nactation.writing.markup import Glyph, read_markup

_MAX_BOARDS = 500  # of a page, some four megabytes
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
    """The popover of `length` characters: its lines and its board, if there is one."""

    length: int
    kind: str
    lines: tuple[str, ...]
    state: GameState | None = None
    play: Play | None = None


def format_prose(text: str, findings: Sequence[Finding], title: str) -> str:
    """The post as a page. It has at most 500 boards; findings after these are only marked."""
    glyphs = read_markup(text, longest=LONGEST)
    places = [glyph.at for glyph in glyphs]
    taps = {at: tap for finding in findings for at, tap in _taps(finding, places)}
    numbers: dict[_Tap, int] = {}
    html: list[str] = []
    at = 0
    while at < len(glyphs):
        tap, end = taps.pop(places[at], None), at + 1
        if tap:
            end = at + tap.length
            if len(numbers) < _MAX_BOARDS:
                numbers.setdefault(tap, len(numbers))
            html += _button(tap, numbers.get(tap), _styled(glyphs[at:end]))
        else:
            while end < len(glyphs) and places[end] not in taps:
                end += 1
            html += _styled(glyphs[at:end])
        at = end
    body = _BODY.format(
        title=safe_text(title),
        post="".join(html),
        boards="\n".join(_popover(tap, number) for tap, number in numbers.items()),
    )
    return document(title, themed(_COLOURS) + _CSS + board_colours(), body)


def _taps(finding: Finding, places: Sequence[int]) -> Iterator[tuple[int, _Tap]]:
    """The taps of a finding, each with its offset in the text."""
    sure, note = finding.sure.value, finding.note
    lines: tuple[str, ...]
    length = bisect_left(places, finding.end) - bisect_left(places, finding.start)
    if finding.error:
        yield finding.start, _Tap(length, "error", (finding.text, finding.trouble))
    if finding.kind is Kind.POSITION and finding.state:
        yield finding.start, _Tap(length, sure, (finding.text,), finding.state)
    for decision in decisions_of(finding.copied) if finding.copied else ():
        lines = (finding.text, right_actions(decision), *map(choice_words, decision.choices))
        lines = tuple(filter(None, (*lines, decision.source, *decision.note.splitlines(), note)))
        yield finding.start, _Tap(length, sure, lines, decision.state, decision.choices[0].play)
    if finding.words:
        lines = (finding.text, finding.words, "; ".join(filter(None, (sure, note))))
        yield finding.start, _Tap(length, sure, lines, finding.claim and finding.claim.state)
    if finding.cube:
        actions = map(_action, actions_of(finding.cube))
        lines = (finding.text, *actions, "; ".join(filter(None, (sure, note))))
        yield finding.start, _Tap(length, sure, lines, finding.state)
    for turn in finding.decoded.turns if finding.decoded else ():
        own = "" if turn.doubt in note else turn.doubt
        doubt = "; ".join(filter(None, (own or sure, note)))
        text = turn.token.text
        lines = f"{text}: {turn.meaning}", doubt
        place = finding.place_of(turn)
        shown = length if place > turn.token.at else len(text)
        yield place, _Tap(shown, sure, lines, turn.state, turn.play)
    for resolved in finding.nacbrac.entries if finding.nacbrac else ():
        entry, play_made = resolved.entry, resolved.play
        error = f", {points_lost(entry.error)}" if entry.error else ""
        doubt = "; ".join(filter(None, (resolved.sure.value, resolved.note, note)))
        lines = f"{play_made.roll}{entry.text}: {format_play(play_made)}{error}", doubt
        state = finding.nacbrac.state if finding.nacbrac else None
        yield entry.at, _Tap(len(entry.text), sure, lines, state, play_made)


def _action(action: Action) -> str:
    """A cube action and its loss: `no double`, `double, -.045`."""
    words = in_prose(action.words)
    return words if not action.error else f"{words}, {points_lost(action.error)}"


def _button(tap: _Tap, number: int | None, inner: Iterable[str]) -> Iterator[str]:
    target = "" if number is None else f' popovertarget="t{number}"'
    yield f'<button type="button" class="{tap.kind}"{target}>'
    yield from inner
    yield "</button>"


def _popover(tap: _Tap, number: int) -> str:
    lines = "".join(f"<p>{safe_text(line)}</p>" for line in tap.lines)
    board = ""
    if tap.state:
        code = f"<p><code>{format_xgid(tap.state)}</code></p>"
        board = plain_board(tap.state, tap.play, key=str(number)) + code
    return f'<div popover id="t{number}">{lines}{board}</div>'


def _styled(glyphs: Sequence[Glyph]) -> Iterator[str]:
    """Characters as HTML, each run of one style within its tags."""
    for look, run in groupby(glyphs, key=lambda glyph: glyph._replace(character="", at=0)):
        dot = _DOT if look.dot else ""
        html = safe_text("".join(f"{glyph.character}{dot}" for glyph in run))
        tags = (("i", look.italic), ("b", look.bold), ("u", look.underline))
        for tag in (tag for tag, applies in tags if applies):
            html = f"<{tag}>{html}</{tag}>"
        colour = look.colour and colour_text(look.colour)
        yield f'<span style="color:{colour}">{html}</span>' if colour else html


_DOT = "\u0323"
