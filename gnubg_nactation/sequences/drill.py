"""Questions for whoever learns the language: the letter of a play, or the play of a letter.

A question is the same on a terminal, on a page and on a card: a position, a roll, what is given,
what counts as right, and what is to be learned. Who asks it keeps the score.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
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
from gnubg_nactation.sequences.openings import openings
from gnubg_nactation.sequences.tokens import parse_sequence
from gnubg_nactation.values import Any, NamedTuple


class QuestionKind(Enum):
    """What is asked: the character of a play, or the play that a character names."""

    LETTER = "letter"
    PLAY = "play"


class Answer(Enum):
    """An answer as the author would give it, one that is right as well, or a wrong one."""

    PREFERRED = "preferred"
    RIGHT = "right"
    WRONG = "wrong"


class Subject(NamedTuple):
    """A play to ask about, among those of its roll, and its name, if not the preferred one."""

    play: Play
    plays: Plays
    name: Nactation | None = None


class Question(NamedTuple):
    """A play of a roll and its name, of which one is given and the other asked.

    `accepted` are the right answers in plain spelling, the preferred one first; `judge` knows other
    spellings, too. `explanation` says in a line why the name is right.
    """

    kind: QuestionKind
    play: Play
    plays: Plays
    name: Nactation
    accepted: tuple[str, ...]
    explanation: str

    @property
    def prompt(self) -> str:
        """The play in traditional notation, or its name behind the roll."""
        if self.kind is QuestionKind.LETTER:
            return f"{self.play.roll}: {format_play(self.play)}"
        return f"{self.play.roll}{self.name}"


def questions(
    subjects: Iterable[Subject], asked: Sequence[QuestionKind], rng: random.Random
) -> Iterator[Question]:
    """A question about each play, of one of the kinds that are wanted."""
    for play, plays, name in subjects:
        kind = rng.choice(asked)
        chosen = plays.name(play)
        preferred = chosen.naming.nactation
        shown = name or preferred
        why = f"{shown.family.word}, {chosen.rule}" if shown == preferred else shown.family.word
        names = dict.fromkeys(str(naming.nactation) for naming in plays.names(play))
        accepted = tuple(names) if kind is QuestionKind.LETTER else (format_play(play),)
        explanation = f"{play.roll}{shown} is {format_play(play)} ({why})"
        yield Question(kind, play, plays, shown, accepted, explanation)


def judge(question: Question, answer: str) -> Answer:
    """Whether an answer names the play, or is the play: any spelling that can be read will do.

    A letter may stand behind its roll, and be a word or formatted, as in a sequence.
    """
    play = question.play
    try:
        if question.kind is QuestionKind.PLAY:
            right = parse_play(answer, play.before, play.roll) == play
            return Answer.PREFERRED if right else Answer.WRONG
        found = set(map(str, letters_in(answer.strip(), play.roll)))
    except NactationError:
        return Answer.WRONG
    if question.accepted[0] in found:
        return Answer.PREFERRED
    return Answer.RIGHT if found.intersection(question.accepted) else Answer.WRONG


def letters_in(answer: str, roll: Roll) -> tuple[Nactation, ...]:
    """The Nactations that an answer may be, none for those of another roll; MalformedError."""
    try:
        return (parse_nactation(answer),)
    except MalformedError:
        between = "-" if answer[:2].isalpha() else ""
        text = answer if answer[:2].isdigit() else f"{roll}{between}{answer}"
        tokens = parse_sequence(text).tokens
        return tokens[0].names if len(tokens) == 1 and tokens[0].roll == roll else ()


def question_value(question: Question) -> dict[str, Any]:
    """The question as a value for JSON."""
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
    """The example of each character that names a play, in any order."""
    for family in rng.sample(FAMILIES, len(FAMILIES)):
        position_id, roll, *text = family.example.split(" ", 2)
        if text:  # but of a fan
            position, dice = parse_position_id(position_id), Roll.parse(roll)
            play = parse_play(text[0], position, dice)
            yield Subject(play, Plays(position, dice), Nactation(family))


_NATURAL = 3  # replies to an opening that are worth a question


def from_openings(rng: random.Random) -> Iterator[Subject]:
    """Opening moves and replies to them, in any order, each once."""
    seen: set[Play] = set()
    firsts = [Subject(play, Plays(STANDARD, play.roll)) for _, play in openings()]
    rolls = [(first, roll) for first in firsts for roll in ROLLS]
    for first, roll in rng.sample(rolls, len(rolls)):
        plays = Plays(first.play.after, roll)
        reply = rng.choice(sorted(plays, key=plausibility, reverse=True)[:_NATURAL])
        for subject in (first, Subject(reply, plays)):
            if subject.play not in seen:
                seen.add(subject.play)
                yield subject
