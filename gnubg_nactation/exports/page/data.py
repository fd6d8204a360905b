"""What the page's script knows of a match: each turn with its board and its explanation."""

from __future__ import annotations

from collections.abc import Iterator

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedTurn
from gnubg_nactation.backgammon.analysis import CubeAnalysis, PlayAnalysis
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.match import Double, Move
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.exports.text import action_words
from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.language.nactation import Nactation, Naming
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.ranking_reasons import decide, ranking_of
from gnubg_nactation.sequences.notation import token
from gnubg_nactation.showing import shown, shown_lines
from gnubg_nactation.statistics import losses, play_of
from gnubg_nactation.values import Any

__all__ = ["KINDS", "game_data", "said"]

# By which right a Nactation names a play.
_LONGEST = 200  # characters of a play that cannot be read
KINDS = {
    Right.AREAL.value: "areal letter",
    Right.STYLE.value: "style",
    Right.SYMBOL.value: "symbol",
    Right.NUMERAL.value: "numeral",
    Right.CONVENIENCE.value: "convenience: S names the Z plays, as no play is an S",
    Right.WAIVED.value: "the rest of the play, entering waived",
}


def said(turn: AnnotatedTurn) -> str:
    """The turn in words or traditional notation: `24/18 13/11`, `doubles to 2`."""
    action, state = turn.action, turn.state
    if not isinstance(action, Move):
        return action_words(turn)
    if turn.play:
        return format_play(turn.play)
    return shown(action.text, _LONGEST) or ("cannot move" if state and not turn.plays else "")


def game_data(game: AnnotatedGame, anchor: str) -> list[dict[str, Any]]:
    """The turns of a game for the script; absent keys stand for nothing."""
    return [
        {key: value for key, value in _turn(turn, anchor) if value is not None}
        for turn in game.turns
    ]


def _turn(turn: AnnotatedTurn, anchor: str) -> Iterator[tuple[str, Any]]:
    action, state = turn.action, turn.state
    yield "id", f"{anchor}t{turn.number}"
    yield "player", int(action.player)
    yield "said", said(turn)
    naming = turn.namings[0] if turn.namings else None
    yield "token", token(turn, naming.nactation if naming else None) or None
    yield "comment", _comment(action.comment) or None
    yield "trouble", turn.problem or turn.trouble or None
    if isinstance(action, Move):
        yield "roll", str(action.roll)
        yield from _equity(turn)
        yield "nacbrac", _nacbrac(turn) or None
    if isinstance(action, Double):
        yield "doubles", 1 if turn.raised < 2 else 2  # a beaver, of what is offered already
    yield "losses", [_loss(loss) for loss in losses(turn)] or None
    if state is not None:
        yield "xgid", format_xgid(state).removeprefix("XGID=")
        yield "position", format_position_id(state.position)
    name = turn.nactation
    if name:
        yield "name", name
    if turn.play is not None and naming is not None:
        yield "kind", naming.right.value
        if len(turn.plays) == 1:
            yield "forced", 1
            return
        plays = Plays.of(turn.plays)
        ranks = _rank(naming, plays)  # first: whose members are ranked needs no place counted
        # Without numerals, which take most of the time and name hardly a play that stays aboard.
        letters = turn.namings[1:] or plays.letters(turn.play)
        others = [[str(one.nactation), one.right.value] for one in letters if one != naming]
        yield "others", others or None
        yield "ranks", ranks


def _equity(turn: AnnotatedTurn) -> Iterator[tuple[str, Any]]:
    """What the play made is worth to the first player, and the best play where it is another."""
    analysis = play_of(turn)
    if analysis is None or analysis.made is None or analysis.best is None:
        return
    equity = analysis.made.equity
    yield "equity", round(equity if turn.action.player is Player.FIRST else -equity, 3)
    if turn.best is not None:
        yield "best", [str(turn.best.nactation), analysis.best.text]


def _nacbrac(turn: AnnotatedTurn) -> str:
    if play_of(turn) is None:
        return ""
    # What reads nacbracs is slow to import, and most matches have no analysis.
    from gnubg_nactation.exports.nacbracs import judged_turn  # noqa: PLC0415

    judged = judged_turn(turn)
    return str(judged.nacbrac) if judged else ""


def _loss(loss: CubeAnalysis | PlayAnalysis) -> list[Any]:
    size = None if loss.error is None else round(loss.error, 3)
    return [loss.fault, size, loss.mark.value if loss.mark else ""]


def _comment(text: str) -> str:
    if not text:
        return ""
    # Imported only where there are comments: a match of another format has no use for SGF.
    from gnubg_nactation.exports.sgf import PREFIX  # noqa: PLC0415

    lines = (line for line in text.splitlines() if not line.startswith(PREFIX))
    return shown_lines("\n".join(lines)).strip()


def _rank(naming: Naming, plays: Plays) -> dict[str, Any] | None:
    """The size of the family, and what decides between the play and its neighbour.

    The neighbour is the member just above; for the first member it is the second.
    """
    nactation = naming.nactation
    reading = plays.reading(nactation.family, naming.right)
    members = reading.members
    if len(members) < 2:
        return None
    at = nactation.member - 1
    other = at - 1 if at else 1
    decision = decide(members[min(at, other)], members[max(at, other)], ranking_of(reading))
    return {
        "size": len(members),
        "at": nactation.member,
        "other": str(Nactation(nactation.family, other + 1)),
        "play": format_play(members[other]),
        "by": str(decision),
    }
