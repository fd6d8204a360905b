"""The Nactation in a post, and the text of the post cut into pieces."""

from __future__ import annotations

from bisect import bisect_left

from gnubg_nactation.backgammon.analysis import in_prose
from gnubg_nactation.decisions.copied import decisions_of
from gnubg_nactation.decisions.nacbrac import nacbrac_of
from gnubg_nactation.exports.views import (
    View,
    action_step,
    board_view,
    choice_step,
    entry_step,
    turn_step,
)
from gnubg_nactation.files.copied import Copied
from gnubg_nactation.nacbracs.cube import CubeNacbrac, actions_of
from gnubg_nactation.prose.finder import read_prose
from gnubg_nactation.prose.findings import Finding
from gnubg_nactation.prose.page import LONGEST
from gnubg_nactation.values import Any
from gnubg_nactation.writing.markup import read_markup

_MAX_FINDINGS = 500


def find_in_post(text: str) -> View:
    """Find the Nactation in a post.

    `pieces` are its text without markup: strings, and pairs of a string and a finding's number.
    `more` counts the findings after the last one listed.
    """
    findings = read_prose(text)
    glyphs = read_markup(text, longest=LONGEST)
    places = [glyph.at for glyph in glyphs]
    bare = "".join(glyph.character for glyph in glyphs)
    pieces: list[Any] = []
    at = 0
    for number, finding in enumerate(findings[:_MAX_FINDINGS]):
        first, last = bisect_left(places, finding.start), bisect_left(places, finding.end)
        if at <= first < last:
            pieces += [bare[at:first], [bare[first:last], number]]
            at = last
    return {
        "pieces": [*pieces, bare[at:]],
        "findings": list(map(_finding_view, findings[:_MAX_FINDINGS])),
        "more": max(0, len(findings) - _MAX_FINDINGS),
    }


def _analysis_view(copied: Copied) -> View:
    """The plays and cube actions of an analysis, and the user's note."""
    view: View = {"turns": []}
    for decision in decisions_of(copied):
        nacbrac = nacbrac_of(decision)
        if isinstance(nacbrac, CubeNacbrac):
            before = decision.state.before_double
            view["turns"] += [action_step(before, action) for action in actions_of(nacbrac)]
        else:
            view["turns"] += [choice_step(decision.state, choice) for choice in decision.choices]
    if copied.state:
        view |= {"state": board_view(copied.state), "link": copied.state.xgid}
    note = " / ".join(filter(None, (*copied.note.splitlines(), *copied.problems)))
    return view | ({"note": note} if note else {})


def _finding_view(finding: Finding) -> View:
    value: View = {
        "kind": finding.kind.value,
        "text": finding.text,
        "sure": finding.sure.value,
        "line": finding.line,
        "turns": [],
    }
    if note := "; ".join(filter(None, (finding.words, finding.note))):
        value["note"] = note
    if finding.error:
        value["error"] = finding.trouble
    if decoded := finding.decoded:
        value["turns"] = list(map(turn_step, decoded.turns))
        value["state"] = board_view(decoded.state)
        value["link"] = f"{decoded.start_name} {decoded.sequence}".lstrip()
    if finding.copied:
        return value | _analysis_view(finding.copied)
    nacbrac = finding.nacbrac
    claimed = finding.claim and finding.claim.state
    if state := finding.state or (nacbrac and nacbrac.state) or claimed:
        value |= {"state": board_view(state), "link": state.xgid}
    if nacbrac:
        value["turns"] = [entry_step(nacbrac.state, entry) for entry in nacbrac.entries]
    if finding.cube and state:
        value["turns"] = [action_step(state, action) for action in actions_of(finding.cube)]
    elif finding.cube:
        value["note"] = ", ".join(filter(None, (in_prose(finding.cube.best), finding.note)))
    return value
