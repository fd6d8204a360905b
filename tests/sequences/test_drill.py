"""Questions about letters and plays, and what counts as a right answer."""

import random
from itertools import islice

import pytest

from gnubg_nactation.backgammon.notation import format_play, parse_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.drill import (
    Answer,
    Question,
    QuestionKind,
    Subject,
    from_alphabet,
    from_openings,
    judge,
    questions,
)


def question(kind: QuestionKind, roll: str, play: str) -> Question:
    dice = Roll.parse(roll)
    subject = Subject(parse_play(play, STANDARD, dice), Plays(STANDARD, dice))
    (result,) = questions([subject], [kind], random.Random(1))
    return result


@pytest.mark.parametrize(
    ("roll", "play", "answer", "verdict"),
    [
        ("31", "8/5 6/5", "P", Answer.PREFERRED),
        ("31", "8/5 6/5", "31P", Answer.PREFERRED),
        ("31", "8/5 6/5", "13P", Answer.PREFERRED),
        ("31", "8/5 6/5", " point ", Answer.PREFERRED),
        ("31", "8/5 6/5", "31-point", Answer.PREFERRED),
        ("31", "8/5 6/5", "A", Answer.RIGHT),  # its areal letter (section 4)
        ("31", "8/5 6/5", "5", Answer.RIGHT),  # its numeral (section 9)
        ("31", "8/5 6/5", "p", Answer.WRONG),
        ("31", "8/5 6/5", "61P", Answer.WRONG),
        ("31", "8/5 6/5", "31P-61P", Answer.WRONG),
        ("31", "8/5 6/5", "nonsense \x00 [", Answer.WRONG),
        ("31", "8/5 6/5", "", Answer.WRONG),
        ("54", "24/20 13/8", "S", Answer.PREFERRED),
        ("54", "24/20 13/8", "Z", Answer.RIGHT),  # allowed in section 2
        ("21", "13/11 6/5", "$", Answer.PREFERRED),
        ("21", "13/11 6/5", "slot", Answer.PREFERRED),
        ("21", "13/11 6/5", "N", Answer.RIGHT),
        ("33", "13/10(3) 6/3", "N_", Answer.PREFERRED),
        ("33", "13/10(3) 6/3", "N\u0332", Answer.PREFERRED),
        ("33", "13/10(3) 6/3", "N", Answer.WRONG),  # without its underline another play
    ],
)
def test_letters(roll: str, play: str, answer: str, verdict: Answer) -> None:
    assert judge(question(QuestionKind.LETTER, roll, play), answer) is verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("8/5 6/5", Answer.PREFERRED),
        ("6/5, 8/5", Answer.PREFERRED),
        ("8/4", Answer.WRONG),
        ("8/5 6/4", Answer.WRONG),
        ("P", Answer.WRONG),
    ],
)
def test_plays(answer: str, verdict: Answer) -> None:
    assert judge(question(QuestionKind.PLAY, "31", "8/5 6/5"), answer) is verdict


@pytest.mark.parametrize("kind", [QuestionKind.LETTER, QuestionKind.PLAY])
def test_every_accepted_answer_is_right(kind: QuestionKind) -> None:
    for source in (from_alphabet, from_openings):
        rng = random.Random(5)
        for drilled in islice(questions(source(rng), [kind], rng), 60):
            first, *further = (judge(drilled, answer) for answer in drilled.accepted)
            assert first is Answer.PREFERRED
            assert set(further) <= {Answer.RIGHT}


def test_the_alphabet_asks_for_every_character_that_names_a_play() -> None:
    families = [subject.name.family for subject in from_alphabet(random.Random(2)) if subject.name]
    assert {family.key for family in FAMILIES} - {family.key for family in families} == {"^"}
    assert len(families) == len(set(families))
    for play, plays, name in from_alphabet(random.Random(2)):
        assert name
        assert plays.play(name) == play


def test_openings_are_first_moves_and_replies_and_none_twice() -> None:
    subjects = list(from_openings(random.Random(3)))
    assert len({subject.play for subject in subjects}) == len(subjects)
    firsts = [subject for subject in subjects if subject.play.before == STANDARD]
    assert "24/20 13/8" in map(format_play, (subject.play for subject in firsts))  # 54S, of #1
    assert len(firsts) < len(subjects)


def test_a_seed_gives_the_same_questions() -> None:
    def some(seed: int) -> list[str]:
        rng = random.Random(seed)
        mixed = questions(from_openings(rng), list(QuestionKind), rng)
        return [drilled.prompt for drilled in islice(mixed, 8)]

    assert some(7) == some(7) != some(8)
