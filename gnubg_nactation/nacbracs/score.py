"""Scores of nacbracs, from the side of the player on roll (section 12 of the language)."""

from __future__ import annotations

import re

from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import replace

MONEY = ""
_MAX_POINTS = 64  # of a match, the bots' limit
_WORDS = {
    MONEY: "money",
    "d": "double match point",
    "g": "gammon go",
    "s": "gammon save",
    "j": "money with Jacoby",
    "n": "money without Jacoby",
}
_NAMES = {"money": MONEY, "dmp": "d", "gg": "g", "gs": "s", "jacoby": "j"}
# Points to go of the player on roll and of the opponent; C for the Crawford game.
_LETTERS = {"g": "-2-1C", "s": "-1-2C", "d": "-1-1"}
_AWAY = re.compile(r"-?([0-9]{1,3})-([0-9]{1,3})(C?)", re.IGNORECASE)


def parse_score(text: str) -> str:
    """Read a score as a nacbrac writes it: empty for money, a letter, or `-3-5`, `-2-1C`.

    Accepts the letters d g s j n, the words money, dmp, gg, gs and jacoby, and the points to go of
    the player on roll and the opponent, with a C for the Crawford game. Raises MalformedError.
    """
    word = text.strip().strip("()")
    if word.lower() in _NAMES:
        return _NAMES[word.lower()]
    if word and word in _WORDS:
        return word
    match = _AWAY.fullmatch(word)
    if not match:
        raise MalformedError(
            f"not a score: {quoted(text)} (expected dmp, gg, gs, money, jacoby, or points to go "
            "such as -3-5 or -2-1C)"
        )
    away, opponent_away = int(match[1]), int(match[2])
    if not (1 <= away <= _MAX_POINTS and 1 <= opponent_away <= _MAX_POINTS):
        raise MalformedError(f"not a score: {quoted(text)} (1 to {_MAX_POINTS} points to go)")
    if match[3] and (away == 1) == (opponent_away == 1):
        raise MalformedError(
            f"not a score: {quoted(text)} (in the Crawford game one side needs 1 point)"
        )
    return f"-{away}-{opponent_away}{match[3].upper()}"


def describe_score(score: str) -> str:
    """A nacbrac's score in words: `gammon go`, `3 away, 5 away`; KeyError if unknown."""
    match = _AWAY.fullmatch(score)
    if not match:
        return _WORDS[score]
    return f"{match[1]} away, {match[2]} away{', Crawford' if match[3] else ''}"


def name_of_score(score: str) -> str:
    """The text that `parse_score` reads as this score: `money`, `dmp`, `-3-5`."""
    return next((name for name, same in _NAMES.items() if same == score), score)


def at_score(state: GameState, score: str) -> GameState:
    """The state at a nacbrac's score.

    Gammon go is 2 points against 1 in the Crawford game, gammon save the reverse.
    """
    match = _AWAY.fullmatch(_LETTERS.get(score, score))
    if not match:
        return replace(state, length=0, score=(0, 0), crawford=False, jacoby=score == "j")
    away, opponent_away = int(match[1]), int(match[2])
    length = max(away, opponent_away)
    points = length - away, length - opponent_away
    points = points if state.player is Player.FIRST else points[::-1]
    return replace(state, length=length, score=points, crawford=bool(match[3]), jacoby=False)


def score_of(state: GameState) -> str:
    """The score of a state as a nacbrac writes it, with the letters d, g and s if they fit."""
    if not state.length:
        return "j" if state.jacoby else MONEY
    away = state.length - state.score[state.player]
    opponent_away = state.length - state.score[state.player.other]
    score = f"-{away}-{opponent_away}{'C' if state.crawford else ''}"
    return next((letter for letter, same in _LETTERS.items() if same == score), score)
