"""Questions to be learned by heart: of replies, of errors, and of the alphabet."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence

from gnubg_nactation.annotation import AnnotatedMatch
from gnubg_nactation.archive.leaks import REDOUBLED, Example, Leaks
from gnubg_nactation.archive.replies import Chart
from gnubg_nactation.backgammon.analysis import FAULTS, CubeAct, CubeAnalysis
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import PLAYER_NAMES, GameState, Player
from gnubg_nactation.decisions.decision import (
    Choice,
    Decision,
    cube_decision,
    near_decision,
    play_decision,
)
from gnubg_nactation.decisions.nacbrac import bare_nacbrac, nacbrac_of
from gnubg_nactation.decisions.totals import judgements
from gnubg_nactation.decisions.wording import cube_words, question, score_words
from gnubg_nactation.exports.chart import heading
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.cube import CubeNacbrac
from gnubg_nactation.nacbracs.nacbrac import Nacbrac
from gnubg_nactation.nacbracs.score import MONEY, at_score, score_of
from gnubg_nactation.sequences.drill import QuestionKind, from_alphabet, questions
from gnubg_nactation.sequences.notation import START_MARKS, sequence
from gnubg_nactation.showing import shown
from gnubg_nactation.values import NamedTuple

_MOST = 5  # plays of an answer
_DIGITS = 24  # of an identity


class Flashcard(NamedTuple):
    """A question about a decision, whose choices are the answer.

    `kind` is `replies`, `errors` or `alphabet`. `drawn` is the play that the question shows, if it
    shows one. `explanation` says why the first play of the answer has its name; it is empty for
    the cube. `sequence` led there, and ends with the roll; it is empty where nobody knows. `source`
    is who says what is right, or where the error was made. `also` tells apart questions of a kind
    about the same decision.
    """

    kind: str
    decision: Decision
    question: str
    nacbrac: Nacbrac | CubeNacbrac | None = None
    explanation: str = ""
    sequence: str = ""
    source: str = ""
    drawn: Play | None = None
    also: str = ""

    @property
    def xgid(self) -> str:
        """The state as programs know it."""
        return format_xgid(self.decision.state)

    @property
    def identity(self) -> str:
        """What stays the same when the answer gets better: of kind, position, roll and stakes."""
        state = self.decision.state
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
        yield Flashcard(
            "replies",
            Decision(state, replies),
            f"{way}: your play?{stakes}",
            bare_nacbrac(replies),
            _why(replies[0]),
            way,
            heading(chart),
        )


def flashcards_of_match(
    annotated: AnnotatedMatch, file: str, least: float, player: str = ""
) -> Iterator[Flashcard]:
    """A question for each decision of an analysed match that lost so many points at least.

    Of one player, whatever the case of his letters, if he is named; `file` is where it is from.
    """
    for one in judgements(annotated):
        turn, game = one.turn, one.game
        name = annotated.match.players[one.player]
        other = bool(player) and name.casefold() != player.casefold()
        if turn.state is None or other or not _costs(one.error, least):
            continue
        source = f"{shown(file)}#{game.number}.{one.move}{'ab'[one.player]}"
        way = sequence(
            (earlier, earlier.namings[0].nactation if earlier.namings else None)
            for earlier in game.turns[: one.place[1]]
        )
        if isinstance(one.judged, CubeAnalysis):
            decision = near = cube_decision(turn)
        else:
            decision, near = play_decision(turn), near_decision(turn)
            starts = START_MARKS[0] * (one.player is Player.SECOND)
            way = f"{way}-{turn.state.roll}" if way else f"{starts}{turn.state.roll}"
        if decision and near:
            yield _error(decision, nacbrac_of(near), source, way)


def _costs(error: float | None, least: float) -> bool:
    return bool(error) and round(error or 0.0, 3) >= least


def _error(
    decision: Decision, nacbrac: Nacbrac | CubeNacbrac | None, source: str, sequence: str = ""
) -> Flashcard:
    state, why = decision.state, _why(decision.choices[0])
    words = f"{score_words(state)}, {cube_words(state, PLAYER_NAMES)}"
    asked = f"{question(state, PLAYER_NAMES)} {words}."
    return Flashcard("errors", decision, asked, nacbrac, why, sequence, source)


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
                made = Choice(action=leak.made, loss=example.lost)
                right = Choice(action=_RIGHT[leak.made], loss=0.0)
                decision = Decision(example.state, (right, made), made=1)
                yield _error(decision, None, shown(str(example.place)))


def _of_leak(example: Example, times: int) -> Flashcard:
    state = example.state
    assert state.roll is not None  # it is a leak of a play
    plays, lost = Plays(state.position, state.roll), example.lost
    best, made = parse_nactation(example.best), parse_nactation(example.made)
    choices = Choice(plays.play(best), best, loss=0.0), Choice(plays.play(made), made, loss=lost)
    source = shown(str(example.place)) + f", {times} times in all" * (times > 1)
    return _error(Decision(state, choices, made=1), bare_nacbrac(choices), source)


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
        for asked in QuestionKind:
            (one,) = questions([subject], [asked], rng)
            others = [name for name in one.accepted if name != str(one.name)]
            also = f" Right as well: {', '.join(others)}." * (
                asked is QuestionKind.LETTER and bool(others)
            )
            yield Flashcard(
                "alphabet",
                Decision(
                    GameState(one.play.before, roll=one.play.roll), (Choice(one.play, one.name),)
                ),
                f"{one.prompt}: which {asked.value}?",
                explanation=f"{one.explanation}. {one.name.family.meaning}{also}",
                drawn=one.play if asked is QuestionKind.LETTER else None,
                also=f"{asked.value} {one.name}",
            )


def _why(choice: Choice) -> str:
    """What the name says and why the play has it; of another name than the preferred, both.

    Empty for the cube.
    """
    play = choice.play
    if play is None:
        return ""
    explanation = Plays(play.before, play.roll).explain(play)
    found = next(
        (one for one in explanation.nactations if one.naming.nactation == choice.name),
        explanation.nactations[0],
    )
    family, preferred = found.family, explanation.preferred
    text = f"{found.naming.nactation} is {family.word}: {family.meaning}"
    if found.size > 1:
        text += f" It is member {found.naming.nactation.member} of {found.size} by {found.rule}."
    if preferred == found.naming.nactation:
        return f"{text} It is preferred: {explanation.reason}."
    return f"{text} Alone, {preferred} is preferred: {explanation.reason}."


def once(cards: Sequence[Flashcard]) -> list[Flashcard]:
    """The cards without those that ask what an earlier one asks."""
    return list({one.identity: one for one in reversed(cards)}.values())[::-1]
