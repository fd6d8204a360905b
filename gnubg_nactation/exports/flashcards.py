"""Questions to be learned by heart: of replies, of errors, and of the alphabet."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence

from gnubg_nactation.annotation import AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.archive.leaks import REDOUBLED, Example, Leaks
from gnubg_nactation.archive.replies import Chart
from gnubg_nactation.backgammon.analysis import FAULTS, CubeAct
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.match import Drop, Move, Take, move_numbers
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import PLAYER_NAMES, GameState, Player
from gnubg_nactation.exports.chart import heading, nacbrac_of_replies
from gnubg_nactation.exports.moment import (
    Answer,
    Choice,
    answer_of_cube,
    answer_of_turn,
    cube_words,
    question,
    score_words,
)
from gnubg_nactation.exports.nacbracs import judged_cube, judged_turn
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.cube import CubeNacbrac
from gnubg_nactation.nacbracs.nacbrac import Entry, Nacbrac
from gnubg_nactation.nacbracs.score import MONEY, at_score, score_of
from gnubg_nactation.sequences.drill import Asked, from_alphabet, questions
from gnubg_nactation.sequences.notation import START_MARKS, sequence
from gnubg_nactation.showing import shown
from gnubg_nactation.statistics import cube_of, play_of
from gnubg_nactation.values import NamedTuple, replace

__all__ = [
    "Flashcard",
    "flashcards_of_alphabet",
    "flashcards_of_chart",
    "flashcards_of_leaks",
    "flashcards_of_match",
    "once",
]

_MOST = 5  # plays of an answer
_DIGITS = 24  # of an identity


class Flashcard(NamedTuple):
    """A question about a moment, and what is to be known of it.

    `kind` is `replies`, `errors` or `alphabet`. `drawn` is the play that the question shows, if it
    shows one. `explanation` says why the first play of the answer has its name; it is empty for
    the cube. `sequence` led there, and ends with the roll; it is empty where nobody knows. `source`
    is who says what is right, or where the error was made. `also` tells apart questions of a kind
    about the same moment.
    """

    kind: str
    state: GameState
    question: str
    answer: Answer
    nacbrac: Nacbrac | CubeNacbrac | None = None
    explanation: str = ""
    sequence: str = ""
    source: str = ""
    drawn: Play | None = None
    also: str = ""

    @property
    def xgid(self) -> str:
        """The moment as programs know it."""
        return format_xgid(self.state)

    @property
    def identity(self) -> str:
        """What stays the same when the answer gets better: of kind, position, roll and stakes."""
        state = self.state
        owned = "" if state.owner is None else str(int(state.owner is state.player))
        parts = (
            *(self.kind, format_position_id(state.position), str(state.roll or "")),
            *(score_of(state), str(state.cube), owned, str(int(state.doubled)), self.also),
        )
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:_DIGITS]


def flashcards_of_chart(chart: Chart) -> Iterator[Flashcard]:
    """A question for each reply that a chart knows, which asks for the play."""
    for opening, roll in chart.cells():
        replies = chart.at(opening, roll)[:_MOST]
        if not replies:
            continue
        state = at_score(GameState(opening.play.after, roll=roll), chart.score or MONEY)
        way = f"{opening.token}-{roll}"
        stakes = "" if chart.score is None else f" {score_words(state)}."
        choices = tuple(
            Choice(format_play(one.play), str(roll), one.name, loss=one.loss, play=one.play)
            for one in replies
        )
        yield Flashcard(
            "replies",
            state,
            f"{way}: your play?{stakes}",
            Answer(choices),
            nacbrac_of_replies(replies, _MOST),
            _why(replies[0].play, replies[0].name),
            way,
            heading(chart),
        )


def flashcards_of_match(
    annotated: AnnotatedMatch, file: str, least: float, player: str = ""
) -> Iterator[Flashcard]:
    """A question for each decision of an analysed match that lost so many points at least.

    Of one player, whatever the case of his letters, if he is named; `file` is where it is from.
    """
    for game in annotated.games:
        moves = move_numbers(game.turns)
        for at, (turn, move) in enumerate(zip(game.turns, moves, strict=True)):
            name = annotated.match.players[turn.action.player]
            if turn.state is None or (player and name.casefold() != player.casefold()):
                continue
            before = sequence(
                (one, one.namings[0].nactation if one.namings else None) for one in game.turns[:at]
            )
            source = f"{shown(file)}#{game.number}.{move}{'ab'[turn.action.player]}"
            yield from _of_turn(turn, turn.state, before, source, least)


def _of_turn(
    turn: AnnotatedTurn, state: GameState, before: str, source: str, least: float
) -> Iterator[Flashcard]:
    cube, play = cube_of(turn), play_of(turn)
    if cube and _costs(cube.error, least):
        moment = replace(state, roll=None)
        answer = answer_of_cube(cube, taking=isinstance(turn.action, Take | Drop))
        judged = judged_cube(turn)
        if answer:
            nacbrac = judged.nacbrac if judged else None
            yield _error(moment, answer, nacbrac, before, source)
    if play and _costs(play.error, least) and isinstance(turn.action, Move):
        moment = replace(state, roll=turn.action.roll)
        answered, ranked = answer_of_turn(turn), judged_turn(turn)
        if answered and ranked:
            starts = START_MARKS[0] * (turn.action.player is Player.SECOND)
            way = f"{before}-{turn.action.roll}" if before else f"{starts}{turn.action.roll}"
            yield _error(moment, answered, ranked.nacbrac, way, source)


def _costs(error: float | None, least: float) -> bool:
    return bool(error) and round(error or 0.0, 3) >= least


def _error(
    state: GameState,
    answer: Answer,
    nacbrac: Nacbrac | CubeNacbrac | None,
    sequence: str,
    source: str,
) -> Flashcard:
    best = answer.choices[0]
    why = _why(best.play, best.name) if best.play and best.name else ""
    words = f"{score_words(state)}, {cube_words(state, PLAYER_NAMES)}"
    asked = f"{question(state, PLAYER_NAMES)} {words}."
    return Flashcard("errors", state, asked, answer, nacbrac, why, sequence, source)


def flashcards_of_leaks(leaks: Leaks, least: float) -> Iterator[Flashcard]:
    """A question for each decision of an archive's leaks that lost so many points at least.

    Those that cost most in all come first, plays before the cube. The archive knows the best play
    and those that were made, and no others.
    """
    for leak in leaks.plays:
        example = leak.examples[0]
        if _costs(example.lost, least) and example.best:
            yield _of_leak(example, leak.now.times)
    for leak in leaks.cubes:
        for example in leak.examples:
            if _costs(example.lost, least) and leak.made in _RIGHT:
                made = Choice(leak.made, loss=example.lost, made=True)
                right = Choice(_RIGHT[leak.made], loss=0.0)
                place = shown(str(example.place))
                yield _error(example.state, Answer((right, made)), None, "", place)


def _of_leak(example: Example, times: int) -> Flashcard:
    state = example.state
    assert state.roll is not None  # it is a leak of a play
    plays, roll = Plays(state.position, state.roll), str(state.roll)
    best, made = parse_nactation(example.best), parse_nactation(example.made)
    right, wrong = plays.play(best), plays.play(made)
    lost = example.lost
    answer = Answer(
        (
            Choice(format_play(right), roll, best, loss=0.0, play=right),
            Choice(format_play(wrong), roll, made, loss=lost, made=True, play=wrong),
        )
    )
    nacbrac = Nacbrac((Entry(best, 0.0), Entry(made, round(lost, 3))))
    source = shown(str(example.place)) + f", {times} times in all" * (times > 1)
    return _error(state, answer, nacbrac, "", source)


_RIGHT = {
    FAULTS[CubeAct.NO_DOUBLE]: "double",
    FAULTS[CubeAct.DOUBLE]: "no double",
    FAULTS[CubeAct.TAKE]: "pass",
    FAULTS[CubeAct.DROP]: "take",
}
_RIGHT |= {fault: _RIGHT[of_double] for of_double, fault in REDOUBLED.items()}


def flashcards_of_alphabet() -> Iterator[Flashcard]:
    """Two questions about each example of the alphabet: for its letter, and for its play."""
    rng = random.Random(0)  # of no account: all are taken, and put into order
    subjects = sorted(from_alphabet(rng), key=lambda one: str(one.name))
    for subject in subjects:
        for asked in Asked:
            (one,) = questions([subject], [asked], rng)
            roll = str(one.play.roll)
            others = [name for name in one.accepted if name != str(one.name)]
            also = f" Right as well: {', '.join(others)}." * (
                asked is Asked.LETTER and bool(others)
            )
            yield Flashcard(
                "alphabet",
                GameState(one.play.before, roll=one.play.roll),
                f"{one.given}: which {asked.value}?",
                Answer((Choice(format_play(one.play), roll, one.name, play=one.play),)),
                explanation=f"{one.explanation}. {one.name.family.meaning}{also}",
                drawn=one.play if asked is Asked.LETTER else None,
                also=f"{asked.value} {one.name}",
            )


def _why(play: Play, name: Nactation) -> str:
    """What the name says and why the play has it; of another name than the preferred, both."""
    explanation = Plays(play.before, play.roll).explain(play)
    found = next(
        (one for one in explanation.nactations if one.naming.nactation == name),
        explanation.nactations[0],
    )
    row, preferred = found.row, explanation.preferred
    text = f"{found.naming.nactation} is {row.word}: {row.meaning}"
    if found.size > 1:
        text += f" It is member {found.naming.nactation.member} of {found.size} by {found.rule}."
    if preferred == found.naming.nactation:
        return f"{text} It is preferred: {explanation.reason}."
    return f"{text} Alone, {preferred} is preferred: {explanation.reason}."


def once(cards: Sequence[Flashcard]) -> list[Flashcard]:
    """The cards without those that ask what an earlier one asks."""
    return list({one.identity: one for one in reversed(cards)}.values())[::-1]
