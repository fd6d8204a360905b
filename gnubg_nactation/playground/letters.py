"""The alphabet, questions for the letters of plays, and why plays have them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.ids import format_xgid
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
from gnubg_nactation.sequences.drill import (
    Answer,
    Question,
    QuestionKind,
    Subject,
    judge,
    letters_in,
    questions,
)
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import replace

_MAX_CHOICES = 6  # letters to choose from
_MAX_SUBJECTS = 200  # plays that are tried, to find some of certain letters
_MAX_ANSWER_CHARS = 100  # a letter and what may be written around it


def alphabet() -> list[View]:
    """The table of all characters, each with the board and the play of its example."""
    return list(map(_row, FAMILIES))


def _row(row: Family) -> View:
    position, roll, *said = row.example.split(" ", 2)
    state = to_state(position)
    return {
        "key": row.key,
        "looks": [
            look_view(Nactation(row, member)) for member in range(1, len(row.characters) + 1)
        ],
        "word": row.word,
        "right": row.right.value,
        "meaning": row.meaning,
        "section": row.section,
        "xgid": format_xgid(replace(state, roll=Roll.parse(roll))),
        "player": int(state.player),
        "roll": roll,
        "said": said[0] if said else "",
    }


def letters(data: bytes, seed: int, count: int, keys: Sequence[str] = ()) -> list[View]:
    """Questions for the letter of plays of a match file, the same for the same seed.

    `keys` are those of the families that may be asked for; without them all may.
    """
    rng = random.Random(seed)
    played = [
        Subject(turn.play, Plays.of(turn.plays))
        for one in read(data)
        for game in one.games
        for turn in replay(one, game)
        if turn.play and len(turn.plays) > 1
    ]
    asked = [row for row in FAMILIES if not keys or row.key in keys]
    subjects = rng.sample(played, min(_MAX_SUBJECTS, len(played)))
    found = (
        one for one in questions(subjects, [QuestionKind.LETTER], rng) if one.name.family in asked
    )
    return [_question(one, asked, rng) for one in islice(found, count)]


def _question(question: Question, asked: Sequence[Family], rng: random.Random) -> View:
    """A question with letters to choose from, of which one is right for the play."""
    play = question.play
    rights = {naming.nactation.family for naming in question.plays.names(play)}
    wrong = [
        row
        for row in asked
        if row not in rights
        and row.right is not Right.NUMERAL
        and (not row.suffix or play.roll.is_doublet)
    ]
    others = rng.sample(wrong, min(_MAX_CHOICES - 1, len(wrong)))
    choices = sorted([question.name.family, *others], key=lambda row: row.key)
    return {
        **board_view(GameState(play.before, roll=play.roll)),
        "said": format_play(play),
        "choices": [look_view(Nactation(row)) for row in choices],
        "right": question.name.family.key,
    }


def check_answer(board: str, roll: str, said: str, given: str) -> View:
    """Whether an answer is the letter of a play: `preferred`, `right` or `wrong`, and why.

    `would` is the play that a wrong letter names, empty if it names none of this roll. Raises
    MalformedError for what is no letter of the roll.
    """
    plays = Plays(board, roll)
    play = plays.explain(said).play
    (question,) = questions([Subject(play, plays)], [QuestionKind.LETTER], random.Random(0))
    given = given.strip()[:_MAX_ANSWER_CHARS]
    try:
        answers = letters_in(given, play.roll)
    except MalformedError:
        answers = ()
    if not answers:
        raise MalformedError(f"{quoted(given)} is no letter of {play.roll}")
    verdict = judge(question, given)
    names = [look_view(naming.nactation) for naming in plays.names(play)]
    value = {"verdict": verdict.value, "names": names, "explanation": question.explanation}
    return value | ({"would": _would(answers, plays)} if verdict is Answer.WRONG else {})


def _would(names: Sequence[Nactation], plays: Plays) -> str:
    """The play that a letter names; empty if it names none."""
    members = ((name, plays.reading(name.family).members) for name in names)
    found = (those[name.member - 1] for name, those in members if name.member <= len(those))
    return next(map(format_play, found), "")


def explain_play(board: str, roll: str, said: str) -> View:
    """Why a play has its Nactations, the preferred one first, and what decides in each family."""
    explanation = Plays(to_state(board).position, Roll.parse(roll)).explain(said)
    return {
        "said": format_play(explanation.play),
        "reason": explanation.reason,
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
