"""Proof-reading: whether the characters that somebody wrote say what was played."""

from __future__ import annotations

from enum import Enum

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import Decoded, DecodedTurn
from gnubg_nactation.sequences.tiers import SLIGHT, ReadingKind
from gnubg_nactation.values import NamedTuple


class Verdict(Enum):
    """Right and preferred, right but not what the author would write, or wrong."""

    OK = "ok"
    VALID = "valid"
    WRONG = "wrong"


class Checked(NamedTuple):
    """What a character says (`says`, None for no play), what was meant, and how to write that."""

    verdict: Verdict
    written: Nactation | None
    says: Play | None
    meant: Play | None
    better: Nactation | None


def check_sequence(decoded: Decoded) -> list[tuple[DecodedTurn, Checked]]:
    """The verdict on every token of a sequence, by its reading as a whole."""
    return [(turn, _check_turn(turn)) for turn in decoded.turns]


def _check_turn(turn: DecodedTurn) -> Checked:
    play, plays = turn.play, turn.plays
    if play is None:
        return Checked(Verdict.OK, turn.nactation, None, None, None)
    if not turn.token.names:
        verdict = Verdict.WRONG if turn.how is ReadingKind.ASSUMED else Verdict.OK
        return Checked(verdict, None, None, play, plays.name(play).naming.nactation)
    names = turn.token.names
    written = next((name for name in names if name == turn.nactation), names[0])
    checked = check_name(written, play, plays)
    if checked.verdict is Verdict.WRONG and _is_sound(turn):
        return checked._replace(verdict=Verdict.VALID)
    return checked


def _is_sound(turn: DecodedTurn) -> bool:
    """Whether what is not to the letter is later usage, or leaves nothing to choose (section 8)."""
    if turn.how is not ReadingKind.ASSUMED:
        return turn.cost == SLIGHT
    return not turn.others and turn.sure is not Confidence.DOUBTFUL


def check_name(written: Nactation, meant: Play, plays: Plays) -> Checked:
    """The verdict on a character for a play that is known, among the legal plays of its roll."""
    better = plays.name(meant).naming.nactation
    try:
        says: Play | None = plays.play(written)
    except IllegalError:
        says = None
    right = Verdict.OK if written == better else Verdict.VALID
    verdict = right if says == meant else Verdict.WRONG
    return Checked(verdict, written, says, meant, better)
