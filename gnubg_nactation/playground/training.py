"""Questions about the openings, for the view that trains them."""

from __future__ import annotations

from gnubg_nactation.archive.book_making import FIRST_ROLLS
from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import ROLLS
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.exports.views import View, board_view, play_option
from gnubg_nactation.language.plausibility import plausibility
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.score import MONEY, at_score, name_of_score
from gnubg_nactation.playground.openings import SCORES, opening, split_score
from gnubg_nactation.sequences.openings import OPENINGS
from gnubg_nactation.showing import quoted

FIRST, REPLIES, ALL = "first", "replies", "all"
_CHOICES = 8  # letters to choose from, at least


def training_questions(subject: str, score: str) -> list[str]:
    """The questions of a subject, as texts that `opening` reads: `31P-42`, `31P-42 dmp`.

    The subject is `first` (rolls), `replies`, `all`, or an opening such as `31P`. The score is the
    name of one of the book, or `all`.
    """
    rolls = [] if subject not in {FIRST, ALL} else list(map(str, FIRST_ROLLS))
    tokens = OPENINGS if subject in {REPLIES, ALL} else [subject] if subject in OPENINGS else []
    sequences = [*rolls, *(f"{token}-{roll}" for token in tokens for roll in ROLLS)]
    names = [name for name in map(name_of_score, SCORES) if score in {name, ALL}]
    money = name_of_score(MONEY)
    return [
        sequence if name == money else f"{sequence} {name}"
        for sequence in sequences
        for name in names
    ]


def training_question(text: str) -> View:
    """A question such as `31P-42 dmp`: the result of `opening`, with the player on roll as White.

    `choices` are the plays to choose from: those of the book, and others that look natural.
    """
    view = opening(text)
    _, score = split_score(text)
    state = to_state(view["state"]["xgid"])
    if state.roll is None or not view["book"].get("plays"):
        raise IllegalError(f"{quoted(text)}: the book has no such roll")
    state = at_score(GameState(state.position, roll=state.roll), score)
    plays = Plays(view["state"]["xgid"], view["state"]["roll"])
    rated = {play["said"] for play in view["book"]["plays"]}
    natural = sorted(plays, key=plausibility, reverse=True)
    listed = [play for play in natural if format_play(play) in rated]
    others = [play for play in natural if format_play(play) not in rated]
    chosen = [*listed, *others[: max(_CHOICES - len(listed), 0)]]
    options = [play_option(play, plays) for play in chosen]
    options.sort(key=lambda option: str(option["token"]))
    return view | {"state": board_view(state), "choices": options}


def play_named(board: str, roll: str, text: str) -> str:
    """The play of a letter or of points (`8/4 6/4`), in traditional notation.

    Raises MalformedError or IllegalError if the text names no play of the roll.
    """
    text = text.strip()
    plays = Plays(board, roll)
    return format_play(plays.explain(text.removeprefix(roll) or text).play)
