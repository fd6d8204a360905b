"""Flashcards about replies, errors, copied positions and the alphabet."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator, Sequence

from gnubg_nactation.backgammon.analysis import CubeAnalysis
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.match import place_name
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import PLAYER_NAMES, GameState, Player
from gnubg_nactation.decisions.decision import (
    Choice,
    Decision,
    bare_nacbrac,
    cube_decision,
    cube_words,
    decisions_of,
    nacbrac_of,
    near_decision,
    near_decisions_of,
    play_decision,
    question,
    read_decision,
    score_words,
)
from gnubg_nactation.decisions.severity import judgements
from gnubg_nactation.decisions.themes import RIGHT_ACTIONS
from gnubg_nactation.exports.chart import heading
from gnubg_nactation.exports.sgf import own_comment
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.book import Book
from gnubg_nactation.nacbracs.nacbrac import (
    MONEY,
    CubeNacbrac,
    Nacbrac,
    at_score,
    describe_score,
    score_of,
)
from gnubg_nactation.sequences.drill import QuestionKind, from_alphabet, questions
from gnubg_nactation.sequences.notation import START_MARKS, sequence
from gnubg_nactation.sequences.openings import FIRST_ROLLS
from gnubg_nactation.showing import shown
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, replace

if TYPE_CHECKING:
    from gnubg_nactation.annotation import AnnotatedMatch
    from gnubg_nactation.archive.mistakes import Example
    from gnubg_nactation.archive.replies import Chart
    from gnubg_nactation.files.copied import Copied

_MAX_PLAYS = 5  # of an answer
_ID_DIGITS = 24
_LETTERED_SCORES = "d", "g", "s"


class Flashcard(NamedTuple):
    """A question about a decision, whose choices are the answer.

    `kind` is `openings`, `replies`, `errors`, `positions` or `alphabet`. `drawn_play` is the play
    that the question shows, if any. `explanation` says why the best play has its name, `comment` is
    the user's in the file. `sequence` led there and ends with the roll; empty if unknown. `source`
    is the bot of the answer, or the place of the error. `variant` distinguishes questions about the
    same decision.
    """

    kind: str
    decision: Decision
    question: str
    nacbrac: Nacbrac | CubeNacbrac | None = None
    explanation: str = ""
    comment: str = ""
    sequence: str = ""
    source: str = ""
    drawn_play: Play | None = None
    variant: str = ""

    @property
    def xgid(self) -> str:
        """The XGID of the state."""
        return format_xgid(self.decision.state)

    @property
    def identity(self) -> str:
        """A hash of kind, position, roll and stakes, which does not depend on the answer."""
        state = self.decision.state
        owner = "" if state.owner is None else str(int(state.owner is state.player))
        parts = (
            *(self.kind, format_position_id(state.position), str(state.roll or "")),
            *(score_of(state), str(state.cube), owner, str(int(state.doubled)), self.variant),
        )
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:_ID_DIGITS]


def flashcards_of_chart(chart: Chart) -> Iterator[Flashcard]:
    """A question for the play of each reply in a chart."""
    for opening, roll in chart.cells():
        replies = chart.at(opening, roll)[:_MAX_PLAYS]
        if not replies:
            continue
        state = at_score(GameState(opening.play.after, roll=roll), chart.score or MONEY)
        start = f"{opening.token}-{roll}"
        stakes = "" if chart.score is None else f" {score_words(state)}."
        yield Flashcard(
            "replies",
            Decision(state, replies),
            f"{start}: your play?{stakes}",
            bare_nacbrac(replies),
            _why(replies[0]),
            sequence=start,
            source=heading(chart),
        )


def flashcards_of_first_rolls(book: Book) -> Iterator[Flashcard]:
    """A question for the play of each first roll in a book, with the plays at other scores."""
    for roll in FIRST_ROLLS:
        line = book.at(STANDARD, roll)
        if line is None:
            continue
        decision = read_decision(line.read)
        decision = decision._replace(choices=decision.choices[:_MAX_PLAYS])
        others = [
            f"At {describe_score(score)}: {replace(other.nacbrac, score=MONEY)}"
            for score in _LETTERED_SCORES
            if (other := book.at(STANDARD, roll, score))
        ]
        yield Flashcard(
            "openings",
            decision,
            f"{roll}: your play? {score_words(decision.state)}.",
            bare_nacbrac(decision.choices),
            "\n".join([_why(decision.choices[0]), *others]),
            sequence=str(roll),
            source=book.label_of(line),
        )


def flashcards_of_match(
    annotated: AnnotatedMatch, file: str, min_loss: float, player: str = "", number: int = 1
) -> Iterator[Flashcard]:
    """A question for each decision of an analysed match that lost at least `min_loss` points.

    `player` limits them to one player, ignoring case; `file` is the name of the match file, and
    `number` that of the match in it.
    """
    for judgement in judgements(annotated):
        turn, game, mover = judgement.turn, judgement.game, judgement.player
        name = annotated.match.players[mover]
        is_other = bool(player) and name.casefold() != player.casefold()
        if turn.state is None or is_other or not _costs(judgement.error, min_loss):
            continue
        source = f"{shown(file)}#{place_name(game.number, judgement.move, mover, number)}"
        moves = sequence((earlier, earlier.name) for earlier in game.turns[: judgement.place[1]])
        if isinstance(judgement.analysis, CubeAnalysis):
            decision = near = cube_decision(turn)
        else:
            decision, near = play_decision(turn), near_decision(turn)
            start = START_MARKS[0] * (mover is Player.SECOND)
            moves = f"{moves}-{turn.state.roll}" if moves else f"{start}{turn.state.roll}"
        if decision and near:
            card = _error(decision, nacbrac_of(near), source, moves)
            yield card._replace(comment=own_comment(turn.action.comment))


def _costs(error: float | None, min_loss: float) -> bool:
    return bool(error) and round(error or 0.0, 3) >= min_loss


def _error(
    decision: Decision, nacbrac: Nacbrac | CubeNacbrac | None, source: str, sequence: str = ""
) -> Flashcard:
    state, why = decision.state, _why(decision.choices[0])
    words = f"{score_words(state)}, {cube_words(state, PLAYER_NAMES)}"
    text = f"{question(state, PLAYER_NAMES)} {words}."
    return Flashcard("errors", decision, text, nacbrac, why, sequence=sequence, source=source)


def flashcards_of_copied(
    copied: Copied, place: str, kind: str = "positions"
) -> Iterator[Flashcard]:
    """A question for each decision of a position that XG or gnubg copies, at a place in a file."""
    pairs = zip(decisions_of(copied), near_decisions_of(copied), strict=True)
    for decision, near in pairs:
        by = f"{decision.source}, {shown(place)}"
        yield _error(decision, nacbrac_of(near), by)._replace(kind=kind, comment=decision.note)


def flashcards_of_mistakes(mistakes: Iterable[tuple[Example, int]]) -> Iterator[Flashcard]:
    """A question for each mistake in a database, with how often it was made; each question once.

    The database has only the best play and the plays made.
    """
    asked = set()
    for mistake, times in mistakes:
        if mistake.best or mistake.made in RIGHT_ACTIONS:  # what is right is known
            source = shown(str(mistake.place)) + f", {times} times in all" * (times > 1)
            card = flashcard_of_decision(
                mistake.state, mistake.made, mistake.best, mistake.lost, source
            )
            if card.identity not in asked:
                asked.add(card.identity)
                yield card


def flashcard_of_decision(
    state: GameState, made: str, best: str, lost: float, source: str
) -> Flashcard:
    """A question for a decision of a database, with the best choice and the one made.

    Both are Nactations of the roll; about the cube `made` is a fault or a right action. `lost` is
    in points. Raises MalformedError or IllegalError for what is no play there.
    """
    if state.roll is None:
        action = RIGHT_ACTIONS.get(made, made)
        right, wrong = Choice(action=action, loss=0.0), Choice(action=made, loss=lost)
        decision = _of_two(state, right, wrong)
        return _error(decision, None, source)
    plays = Plays(state.position, state.roll)
    name, played = parse_nactation(best or made), parse_nactation(made)
    right = Choice(plays.play(name), name, loss=0.0)
    wrong = Choice(plays.play(played), played, loss=lost)
    decision = _of_two(state, right, wrong)
    return _error(decision, bare_nacbrac(decision.choices), source)


def _of_two(state: GameState, right: Choice, wrong: Choice) -> Decision:
    if (right.play, right.action) == (wrong.play, wrong.action):
        return Decision(state, (right,), made=0)
    return Decision(state, (right, wrong), made=1)


def flashcards_of_alphabet() -> Iterator[Flashcard]:
    """Two questions about each example of the alphabet: for its letter, and for its play."""
    rng = random.Random(0)  # without effect: all questions are asked, in order
    subjects = sorted(from_alphabet(rng), key=lambda subject: str(subject.name))
    for subject in subjects:
        for kind in (QuestionKind.LETTER, QuestionKind.PLAY):
            (drill,) = questions([subject], [kind], rng)
            play, name, by_letter = drill.play, drill.name, kind is QuestionKind.LETTER
            right = [letter for letter in drill.accepted if by_letter and letter != str(name)]
            text = f"{drill.explanation}. {name.family.meaning}"
            yield Flashcard(
                "alphabet",
                Decision(GameState(play.before, roll=play.roll), (Choice(play, name),)),
                f"{drill.prompt}: which {kind.value}?",
                explanation=f"{text} Right as well: {', '.join(right)}." if right else text,
                drawn_play=play if by_letter else None,
                variant=f"{kind.value} {name}",
            )


def _why(choice: Choice) -> str:
    """The meaning of a play's name and why it is preferred; empty for the cube."""
    play = choice.play
    if play is None:
        return ""
    explanation = Plays(play.before, play.roll).explain(play)
    letter = next(
        (letter for letter in explanation.nactations if letter.naming.nactation == choice.name),
        explanation.nactations[0],
    )
    name, family, preferred = letter.naming.nactation, letter.family, explanation.preferred
    text = f"{name} is {family.word}: {family.meaning}"
    if letter.size > 1:
        text += f" It is member {name.member} of {letter.size} by {letter.rule}."
    if preferred == name:
        return f"{text} It is preferred: {explanation.reason}."
    return f"{text} Alone, {preferred} is preferred: {explanation.reason}."


def once(cards: Sequence[Flashcard]) -> list[Flashcard]:
    """The cards without repeated questions, each where it was first."""
    first: dict[str, Flashcard] = {}
    for card in cards:
        first.setdefault(card.identity, card)
    return [*first.values()]
