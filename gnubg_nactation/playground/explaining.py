"""Why a play has its Nactations."""

from __future__ import annotations

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.exports.views import View, look_view
from gnubg_nactation.language.plays import Plays


def explain_play(board: str, roll: str, said: str) -> View:
    """Why a play has its Nactations, the preferred one first, and what decides in each family."""
    explanation = Plays(to_state(board).position, Roll.parse(roll)).explain(said)
    return {
        "said": format_play(explanation.play),
        "reason": explanation.reason,
        "names": [
            {
                "look": look_view(name.naming.nactation),
                "word": name.row.word,
                "right": name.naming.right.value,
                "meaning": name.row.meaning,
                "note": name.note,
                "member": name.naming.nactation.member,
                "size": name.size,
                "rule": name.rule,
                "members": [
                    {
                        "look": look_view(member.nactation),
                        "said": format_play(member.play),
                        "why": str(member.decision) if member.decision else "",
                    }
                    for member in name.members
                ],
            }
            for name in explanation.nactations
        ],
    }
