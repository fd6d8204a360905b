"""The alphabet, questions about the letters of plays, and explanations of letters."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.match import replay
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.exports.views import View, board_view, look_view
from gnubg_nactation.files.formats import read
from gnubg_nactation.language.alphabet import FAMILIES, Family, Right
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences import drill
from gnubg_nactation.sequences.drill import Answer, Question, QuestionKind, Subject
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import replace

_MAX_CHOICES = 6  # letters to choose from
_MAX_SUBJECTS = 200  # plays searched for certain letters
_MAX_ANSWER_CHARS = 100


def alphabet() -> list[View]:
    """The table of all characters, each with the board and the play of its example."""
    return list(map(_family_view, FAMILIES))


def _family_view(family: Family) -> View:
    position, roll, *play = family.example.split(" ", 2)
    state = to_state(position)
    members = range(1, len(family.characters) + 1)
    return {
        "key": family.key,
        "looks": [look_view(Nactation(family, member)) for member in members],
        "word": family.word,
        "right": family.right.value,
        "meaning": family.meaning,
        "section": family.section,
        "xgid": replace(state, roll=Roll.parse(roll)).xgid,
        "player": int(state.player),
        "roll": roll,
        "said": play[0] if play else "",
    }


def letters(data: bytes, seed: int, count: int, keys: Sequence[str] = ()) -> list[View]:
    """Questions about the letters of plays in a match file, the same for the same seed.

    `keys` are those of the families to ask about; all if there are none.
    """
    rng = random.Random(seed)
    played = [
        Subject(turn.play, Plays.of(turn.plays))
        for match in read(data)
        for game in match.games
        for turn in replay(match, game)
        if turn.play and len(turn.plays) > 1
    ]
    families = [family for family in FAMILIES if not keys or family.key in keys]
    subjects = rng.sample(played, min(_MAX_SUBJECTS, len(played)))
    questions = (
        question
        for question in drill.questions(subjects, [QuestionKind.LETTER], rng)
        if question.name.family in families
    )
    return [_question_view(question, families, rng) for question in islice(questions, count)]


def _question_view(question: Question, families: Sequence[Family], rng: random.Random) -> View:
    """A question with several letters, only one of which is right."""
    play = question.play
    rights = {naming.nactation.family for naming in question.plays.names(play)}
    wrong = [
        family
        for family in families
        if family not in rights
        and family.right is not Right.NUMERAL
        and (not family.suffix or play.roll.is_doublet)
    ]
    distractors = rng.sample(wrong, min(_MAX_CHOICES - 1, len(wrong)))
    choices = sorted([question.name.family, *distractors], key=lambda family: family.key)
    return {
        **board_view(GameState(play.before, roll=play.roll)),
        "said": format_play(play),
        "choices": [look_view(Nactation(family)) for family in choices],
        "right": question.name.family.key,
    }


def check_answer(board: str, roll: str, text: str, answer: str) -> View:
    """Whether an answer is the letter of a play: `preferred`, `right` or `wrong`, and why.

    `would` is the play that a wrong letter names, empty if it names no play of the roll, and
    `clause` says which clause of its definition fails.
    Raises MalformedError for an answer that is no letter of the roll.
    """
    plays = Plays(board, roll)
    play = plays.explain(text).play
    subjects = [Subject(play, plays)]
    (question,) = drill.questions(subjects, [QuestionKind.LETTER], random.Random(0))
    answer = answer.strip()[:_MAX_ANSWER_CHARS]
    try:
        names = drill.letters_in(answer, play.roll)
    except MalformedError:
        names = ()
    if not names:
        raise MalformedError(f"{quoted(answer)} is not a letter for {play.roll}")
    verdict = drill.judge(question, answer)
    value = {
        "verdict": verdict.value,
        "names": [look_view(naming.nactation) for naming in plays.names(play)],
        "explanation": question.explanation,
    }
    if verdict is Answer.WRONG:
        value |= {"would": _play_of(names, plays), "clause": drill.failing_clause(question, answer)}
    return value


def _play_of(names: Sequence[Nactation], plays: Plays) -> str:
    """The play of the first name that has one; empty if none has."""
    for name in names:
        members = plays.reading(name.family).members
        if name.member <= len(members):
            return format_play(members[name.member - 1])
    return ""


def explain_play(board: str, roll: str, text: str) -> View:
    """Why a play has its Nactations, the preferred one first, and what decides in each family."""
    explanation = Plays(to_state(board).position, Roll.parse(roll)).explain(text)
    return {
        "said": format_play(explanation.play),
        "reason": explanation.reason,
        "order": explanation.order,
        "names": [
            {
                "look": look_view(name.naming.nactation),
                "word": name.family.word,
                "right": name.naming.right.value,
                "meaning": name.family.meaning,
                "note": name.note,
                "member": name.naming.nactation.member,
                "size": name.size,
                "rule": name.rule,
                "members": [
                    {
                        "look": look_view(member.nactation),
                        "said": format_play(member.play),
                        "why": str(member.decision) if member.decision else "",
                    }
                    for member in name.members
                ],
            }
            for name in explanation.nactations
        ],
    }
