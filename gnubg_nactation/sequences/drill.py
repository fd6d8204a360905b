"""Questions for learners of the language: the letter of a play, or the play of a letter.

A question is the same on a terminal, on a page and on a card.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from enum import Enum

from gnubg_nactation.backgammon.ids import format_position_id, parse_position_id
from gnubg_nactation.backgammon.notation import format_play, parse_play
from gnubg_nactation.backgammon.plays import ROLLS, Play, Roll
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.errors import MalformedError, NactationError
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.plausibility import plausibility
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.why_not import why_not
from gnubg_nactation.sequences.openings import openings
from gnubg_nactation.sequences.tokens import parse_sequence
from gnubg_nactation.values import Any, NamedTuple


class QuestionKind(Enum):
    """A question for the character of a play, for the play that it names, or for the best play."""

    LETTER = "letter"
    PLAY = "play"
    BEST = "best play"


class Answer(Enum):
    """The preferred answer, another right one, or a wrong one."""

    PREFERRED = "preferred"
    RIGHT = "right"
    WRONG = "wrong"


class Subject(NamedTuple):
    """A play to ask about, all plays of its roll, and its name, if not the preferred one."""

    play: Play
    plays: Plays
    name: Nactation | None = None


class Question(NamedTuple):
    """A question for a play or its name, given the other.

    `accepted` has the right answers in plain spelling, the preferred one first; `judge` accepts
    other spellings, too. Those for the best play are names. `explanation` gives the reason in a
    line.
    """

    kind: QuestionKind
    play: Play
    plays: Plays
    name: Nactation
    accepted: tuple[str, ...]
    explanation: str

    @property
    def prompt(self) -> str:
        """The play in traditional notation, its name after the roll, or the roll alone."""
        if self.kind is QuestionKind.BEST:
            return f"{self.play.roll}:"
        if self.kind is QuestionKind.LETTER:
            return f"{self.play.roll}: {format_play(self.play)}"
        return f"{self.play.roll}{self.name}"


def questions(
    subjects: Iterable[Subject], kinds: Sequence[QuestionKind], rng: random.Random
) -> Iterator[Question]:
    """A question about each play, of a random one of these kinds."""
    for play, plays, subject_name in subjects:
        kind = rng.choice(kinds)
        preferred, rule = plays.name(play)
        name = subject_name or preferred.nactation
        why = f"{name.family.word}, {rule}" if name == preferred.nactation else name.family.word
        names = dict.fromkeys(str(naming.nactation) for naming in plays.names(play))
        accepted = (format_play(play),) if kind is QuestionKind.PLAY else tuple(names)
        explanation = f"{play.roll}{name} is {format_play(play)} ({why})"
        yield Question(kind, play, plays, name, accepted, explanation)


def judge(question: Question, answer: str) -> Answer:
    """Judge an answer in any spelling that can be read.

    A letter may have its roll before it, and be a word or formatted, as in a sequence.
    """
    play = question.play
    try:
        if question.kind is QuestionKind.PLAY:
            right = parse_play(answer, play.before, play.roll) == play
            return Answer.PREFERRED if right else Answer.WRONG
        if question.kind is QuestionKind.BEST:
            return _judge_best(question, answer.strip())
        names = set(map(str, letters_in(answer.strip(), play.roll)))
    except NactationError:
        return Answer.WRONG
    if question.accepted[0] in names:
        return Answer.PREFERRED
    return Answer.RIGHT if names.intersection(question.accepted) else Answer.WRONG


def _judge_best(question: Question, answer: str) -> Answer:
    """Judge a best play, by its name or in traditional notation; the alternatives are as good."""
    play, plays = question.play, question.plays
    try:
        named = {plays.play(name) for name in letters_in(answer, play.roll)}
    except NactationError:
        named = set()
    named = named or {parse_play(answer, play.before, play.roll)}
    best = [plays.play(name) for name in question.accepted]
    return Answer.PREFERRED if named.intersection(best) else Answer.WRONG


def failing_clause(question: Question, answer: str) -> str:
    """Why a wrong letter does not name the play; empty for other answers."""
    if question.kind is not QuestionKind.LETTER:
        return ""
    with suppress(NactationError):
        for name in letters_in(answer.strip(), question.play.roll)[:1]:
            if clause := why_not(question.play, name, question.plays):
                return f"not {name}: {clause}"
    return ""


def letters_in(answer: str, roll: Roll) -> tuple[Nactation, ...]:
    """The possible Nactations of an answer; empty for another roll. Raises MalformedError."""
    try:
        return (parse_nactation(answer),)
    except MalformedError:
        between = "-" if answer[:2].isalpha() else ""
        text = answer if answer[:2].isdigit() else f"{roll}{between}{answer}"
        tokens = parse_sequence(text).tokens
        return tokens[0].names if len(tokens) == 1 and tokens[0].roll == roll else ()


def question_value(question: Question) -> dict[str, Any]:
    """The question as JSON."""
    play = question.play
    return {
        "asked": question.kind.value,
        "position_id": format_position_id(play.before),
        "roll": str(play.roll),
        "given": question.prompt,
        "accepted": list(question.accepted),
        "play": format_play(play),
        "nactation": str(question.name),
        "meaning": question.name.family.meaning,
        "explanation": question.explanation,
    }


def from_alphabet(rng: random.Random) -> Iterator[Subject]:
    """The example of each character that names a play, in random order."""
    for family in rng.sample(FAMILIES, len(FAMILIES)):
        position_id, roll, *text = family.example.split(" ", 2)
        if text:  # a fan has none
            position, dice = parse_position_id(position_id), Roll.parse(roll)
            play = parse_play(text[0], position, dice)
            yield Subject(play, Plays(position, dice), Nactation(family))


_MAX_REPLIES = 3  # of a roll, the most natural ones


def from_openings(rng: random.Random) -> Iterator[Subject]:
    """Opening moves and replies to them, in random order, each once."""
    seen: set[Play] = set()
    firsts = [Subject(play, Plays(STANDARD, play.roll)) for _, play in openings()]
    rolls = [(first, roll) for first in firsts for roll in ROLLS]
    for first, roll in rng.sample(rolls, len(rolls)):
        plays = Plays(first.play.after, roll)
        reply = rng.choice(sorted(plays, key=plausibility, reverse=True)[:_MAX_REPLIES])
        for subject in (first, Subject(reply, plays)):
            if subject.play not in seen:
                seen.add(subject.play)
                yield subject
