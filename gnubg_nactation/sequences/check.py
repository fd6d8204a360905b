"""Proof-reading: whether the characters of a sequence name the plays that were made."""

from __future__ import annotations

from enum import Enum

from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import Decoded, DecodedTurn
from gnubg_nactation.sequences.tiers import SLIGHT, ReadingKind
from gnubg_nactation.sequences.tokens import other_play
from gnubg_nactation.values import NamedTuple


class Verdict(Enum):
    """Right and preferred, right but not preferred, or wrong."""

    OK = "ok"
    VALID = "valid"
    WRONG = "wrong"


class CheckedName(NamedTuple):
    """A verdict on a name: the play it names, the play intended, and its preferred name.

    All are None where they do not apply: `play` if the name fits no legal play. `sure` and `doubt`
    are those of the turn in a sequence.
    """

    verdict: Verdict
    name: Nactation | None
    play: Play | None
    intended: Play | None
    preferred: Nactation | None
    sure: Confidence = Confidence.SURE
    doubt: str = ""


def verdict_text(name: CheckedName) -> str:
    """A verdict in words: `ok`, or what is wrong and what was probably meant."""
    intended = format_play(name.intended) if name.intended else "no play"
    if name.verdict is Verdict.OK:
        return "ok"
    if name.verdict is Verdict.VALID:
        return f"valid for {intended}, though {name.preferred} is preferred"
    names = f"it names {format_play(name.play) if name.play else 'no play'}"
    if name.intended is None:
        return f"wrong: {names}, unlike its comment"
    if name.name is None:
        return f"wrong: the roll leaves a choice; probably {name.preferred}, {intended}"
    return f"wrong: {names}; probably {name.preferred} was meant, {intended}"


def check_sequence(decoded: Decoded) -> list[tuple[DecodedTurn, CheckedName]]:
    """Check every token of a sequence against its reading in the whole."""
    return [
        (turn, _check_turn(turn)._replace(sure=turn.sure, doubt=turn.doubt))
        for turn in decoded.turns
    ]


def _check_turn(turn: DecodedTurn) -> CheckedName:
    play, plays = turn.play, turn.plays
    if play is None:
        verdict = Verdict.WRONG if turn.token.glosses else Verdict.OK
        return CheckedName(verdict, turn.nactation, None, None, None)
    hops, meant = other_play(turn.token.glosses, play, plays)
    if hops:
        intended = meant[0] if len(meant) == 1 else None
        preferred = plays.name(intended).naming.nactation if intended else None
        return CheckedName(Verdict.WRONG, turn.nactation, play, intended, preferred)
    names = turn.token.names
    if not names:
        verdict = Verdict.WRONG if turn.how is ReadingKind.ASSUMED else Verdict.OK
        return CheckedName(verdict, None, None, play, plays.name(play).naming.nactation)
    name = next((name for name in names if name == turn.nactation), names[0])
    checked = check_name(name, play, plays)
    if checked.verdict is Verdict.WRONG and _is_acceptable(turn):
        return checked._replace(verdict=Verdict.VALID)
    return checked


def _is_acceptable(turn: DecodedTurn) -> bool:
    """Whether a loose name follows later usage, or fits only one play (section 8)."""
    if turn.how is not ReadingKind.ASSUMED:
        return turn.cost == SLIGHT
    return not turn.others and turn.sure is not Confidence.DOUBTFUL


def check_name(name: Nactation, intended: Play, plays: Plays) -> CheckedName:
    """Check a name against the play intended, one of the legal plays of its roll."""
    preferred = plays.name(intended).naming.nactation
    try:
        play: Play | None = plays.play(name)
    except IllegalError:
        play = None
    right = Verdict.OK if name == preferred else Verdict.VALID
    verdict = right if play == intended else Verdict.WRONG
    return CheckedName(verdict, name, play, intended, preferred)
