"""The opening book in the page: its rolls, plays and scores."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.archive.book_making import FIRST_ROLLS, MAX_LISTED
from gnubg_nactation.backgammon.plays import ROLLS, Play, Roll
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import PLAYER_NAMES, GameState
from gnubg_nactation.decisions.decision import NEAR, Choice, read_decision
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.exports.views import View, look_view
from gnubg_nactation.nacbracs.book import shipped_book
from gnubg_nactation.nacbracs.score import (
    MONEY,
    at_score,
    describe_score,
    name_of_score,
    parse_score,
    score_of,
)
from gnubg_nactation.playground.equities import signed
from gnubg_nactation.playground.text_field import read_text
from gnubg_nactation.showing import shown

SCORES = (MONEY, "d", "g", "s")  # those of the book
_OF_OPPONENT = {"g": "s", "s": "g"}  # the score from the other side


def opening(text: str) -> View:
    """Read a text such as `31P-42` or `31P-42 dmp`, and look up its position in the book.

    The result is that of `read_text` for the sequence, with `book`:

    - `score` is its name, `source` the book's, `xgid` that of the position at the score
    - `rolls` are those that the book has, if no roll is to be played, each with its best plays
    - `plays` are those of the roll to play, the best first; `goes_on` means that the book has the
      position after the play; all other plays lose at least `beyond` thousandths of a point
    - `scores` are all scores that have the roll, or the position, with the best plays of the roll

    A play that is the best at a score, but not for money, `differs`. Raises MalformedError.
    """
    sequence, score = split_score(text)
    view = read_text(sequence)
    if "error" in view:
        view |= _unknown_score(sequence)
    state = GameState.parse(view["state"]["xgid"])
    book: View = {
        "text": sequence,
        "score": name_of_score(score),
        "source": shipped_book().label,
        "xgid": at_score(state, score).xgid,
    }
    if "error" not in view and not view.get("unfinished") and _has(state):
        book |= _plays(state, score) if state.roll else _rolls(state, score)
    return view | {"book": book}


def split_score(text: str) -> tuple[str, str]:
    """The sequence, and the score of a nacbrac that is named after it."""
    sequence, _, word = text.rstrip().rpartition(" ")
    score = _read_score(word)
    return (sequence, score) if score in SCORES else (text, MONEY)


def _read_score(word: str) -> str | None:
    """The score that a word names, with the letters d, g and s if they fit; None if none."""
    try:
        return score_of(at_score(GameState(STANDARD), parse_score(word)))
    except MalformedError:
        return None


def _unknown_score(text: str) -> View:
    """The error about a last word that names a score which the book does not have, else empty."""
    word = text.rstrip().rpartition(" ")[2]
    if _read_score(word) is None:
        return {}
    *others, last = map(name_of_score, SCORES)
    scores = f"{', '.join(others)} and {last}"
    return {"error": {"message": f"the book has no score {shown(word)}, only {scores}"}}


def _has(state: GameState) -> bool:
    """Whether the book can have this state: nobody has doubled."""
    return state.cube == 1 and not state.doubled


def _choices(state: GameState, roll: Roll, score: str) -> tuple[Choice, ...]:
    """The plays of the book for a roll, the best first; none if it does not have the roll."""
    line = shipped_book().at(state.position, roll, score)
    return read_decision(line.read).choices if line else ()


def _rolls(state: GameState, score: str) -> View:
    rolls = FIRST_ROLLS if state.position == STANDARD else ROLLS
    plays = {roll: list(_views(state, roll, score).values()) for roll in rolls}
    scores = [each for each in SCORES if _goes_on(state, each)]
    return {
        "rolls": [{"roll": str(roll), "plays": views} for roll, views in plays.items() if views],
        "scores": [_score_view(state, each) for each in scores],
    }


def _plays(state: GameState, score: str) -> View:
    roll = state.roll
    assert roll is not None
    views = {each: _views(state, roll, each) for each in SCORES}
    after = _OF_OPPONENT.get(score, score)
    return {
        "plays": [
            view | ({"goes_on": True} if play and _goes_on(GameState(play.after), after) else {})
            for play, view in views[score].items()
        ],
        "beyond": _beyond(list(views[score].values())),
        "scores": [
            _score_view(state, each) | {"plays": list(plays.values())}
            for each, plays in views.items()
            if plays
        ],
    }


def _beyond(listed: Sequence[View]) -> int:
    """What plays that a line does not list lose at least, in thousandths of a point."""
    last = int(listed[-1]["mills"]) if listed else 0
    return last if len(listed) == MAX_LISTED else max(last, round(1000 * NEAR))


def _goes_on(state: GameState, score: str) -> bool:
    """Whether the book has a roll in a position; it leaves out rolls without a play."""
    return any(_choices(state, roll, score) for roll in reversed(ROLLS))


def _score_view(state: GameState, score: str) -> View:
    player = f" for {PLAYER_NAMES[state.player]}" if score in _OF_OPPONENT else ""
    words = describe_score(score).capitalize() + player
    return {"score": name_of_score(score), "words": words}


def _views(state: GameState, roll: Roll, score: str) -> dict[Play | None, View]:
    """The plays of the book, each with its equity and loss; `mills` are thousandths of a point."""
    views = dict[Play | None, View]()
    choices = _choices(state, roll, score)
    money = _choices(state, roll, MONEY) if score else choices
    best = {choice.play for choice in money[:1] + _equal(money)}
    for at, choice in enumerate(choices):
        assert choice.name is not None
        loss = choice.loss or 0.0
        view: View = {
            "look": look_view(choice.name),
            "said": choice.text,
            "token": str(choice.name),
            "equity": signed(choice.equity or 0.0),
            "loss": signed(-loss) if at and choice.loss is not None else "",
            "mills": round(1000 * loss),
        }
        differs = not at and best and choice.play not in best
        views[choice.play] = view | ({"differs": True} if differs else {})
    return views


def _equal(choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """The plays that the book rates as the best one."""
    return tuple([choice for choice in choices if choice.loss == 0])
