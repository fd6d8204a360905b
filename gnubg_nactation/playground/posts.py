"""The Nactation of a post, and its text in pieces."""

from __future__ import annotations

from bisect import bisect_left

from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.exports.views import View, action_step, board_view, entry_step, turn_step
from gnubg_nactation.nacbracs.cube import actions_of
from gnubg_nactation.prose.finder import read_prose
from gnubg_nactation.prose.findings import Finding
from gnubg_nactation.prose.page import LONGEST
from gnubg_nactation.values import Any
from gnubg_nactation.writing.markup import read_markup

_MAX_FINDINGS = 500


def find_in_post(text: str) -> View:
    """What there is of Nactation in a post: its text in pieces, some with a finding's number."""
    findings = read_prose(text)
    glyphs = read_markup(text, longest=LONGEST)
    places = [glyph.at for glyph in glyphs]
    bare = "".join(glyph.character for glyph in glyphs)
    pieces: list[Any] = []
    at = 0
    for number, one in enumerate(findings[:_MAX_FINDINGS]):
        first, last = bisect_left(places, one.start), bisect_left(places, one.end)
        if at <= first < last:
            pieces += [bare[at:first], [bare[first:last], number]]
            at = last
    return {
        "pieces": [*pieces, bare[at:]],
        "findings": list(map(_finding, findings[:_MAX_FINDINGS])),
        "more": max(0, len(findings) - _MAX_FINDINGS),
    }


def _finding(one: Finding) -> View:
    value: View = {"kind": one.kind.value, "text": one.text, "sure": one.sure.value}
    value |= {"line": one.line, "turns": []}
    if one.note:
        value["note"] = one.note
    if one.error:
        value["error"] = one.trouble
    if one.decoded:
        value["turns"] = list(map(turn_step, one.decoded.turns))
        value["state"] = board_view(one.decoded.state)
        value["link"] = f"{one.decoded.start_name} {one.decoded.sequence}".lstrip()
    if one.nacbrac:
        state = one.nacbrac.state
        value["state"] = board_view(state)
        value["link"] = format_xgid(state)
        value["turns"] = [entry_step(state, entry) for entry in one.nacbrac.entries]
    if one.state:  # of a position, or of a nacbrac of the cube
        value |= {"state": board_view(one.state), "link": format_xgid(one.state)}
    if one.cube and one.state:
        value["turns"] = [action_step(one.state, action) for action in actions_of(one.cube)]
    elif one.cube:
        value["note"] = ", ".join(filter(None, (one.cube.best, one.note)))
    return value
