"""Study: flashcards, and questions about letters and openings."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from gnubg_nactation.annotation import annotate, presentable
from gnubg_nactation.backgammon.match import Match, replay
from gnubg_nactation.backgammon.plays import ROLLS, Play
from gnubg_nactation.decisions.severity import cube_of, play_of
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.exports.flashcards import (
    Flashcard,
    flashcards_of_copied,
    flashcards_of_match,
    flashcards_of_mistakes,
    once,
)
from gnubg_nactation.files.formats import read
from gnubg_nactation.language.alphabet import FAMILIES, Family, Right
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plausibility import plausibility
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.book import shipped_book
from gnubg_nactation.nacbracs.nacbrac import MONEY, name_of_score
from gnubg_nactation.sequences.drill import (
    Answer,
    Question,
    QuestionKind,
    Subject,
    failing_clause,
    judge,
    letters_in,
    questions,
)
from gnubg_nactation.sequences.openings import FIRST_ROLLS, OPENINGS
from gnubg_nactation.showing import quoted
from gnubg_nactation.tasks.face import Face, Library, Watch
from gnubg_nactation.tasks.games import FilterSettings
from gnubg_nactation.tasks.openings import SCORES
from gnubg_nactation.tasks.settings import setting
from gnubg_nactation.tasks.sources import encoding_setting
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3

# Flashcards

_MIN_ERROR, _MAX_ERRORS = 0.05, 100


class CardSettings(FilterSettings):
    """Which errors become flashcards."""

    errors: float = setting(
        _MIN_ERROR,
        f"only errors of at least this size (default: {_MIN_ERROR})",
        "POINTS",
        least=0,
        most=10,
        measure=" points",
        group="errors",
    )
    most: int = setting(
        _MAX_ERRORS,
        f"only the N costliest errors of the database (default: {_MAX_ERRORS})",
        "N",
        least=1,
        most=10**5,
        group="errors",
    )
    encoding: str | None = encoding_setting("errors")


def cards(
    source: sqlite3.Connection | tuple[str, bytes],
    settings: CardSettings = CardSettings(),  # noqa: B008 (frozen)
    face: Face | None = None,
) -> list[Flashcard]:
    """Return flashcards of the errors in a database, or in a file given by its name and bytes.

    The file is an analysed match, or a text that XG or gnubg copies. Raises MalformedError for
    another file. If no player has the name of a filter, raises UnknownError for a database, and
    returns an empty list for a file.
    """
    if isinstance(source, tuple):
        return once(cards_of_file(*source, settings, face or Library())[0])
    return once(list(cards_of_errors(source, settings)))


def cards_of_errors(archive: sqlite3.Connection, settings: CardSettings) -> Iterator[Flashcard]:
    """Yield cards of the costliest errors in a database. Raises UnknownError for a name."""
    from gnubg_nactation.archive.leaks import list_distinct_mistakes

    mistakes = list_distinct_mistakes(archive, settings.filters(), settings.errors)
    yield from islice(flashcards_of_mistakes(mistakes), settings.most)


def cards_of_file(
    name: str, data: bytes, settings: CardSettings, watch: Watch, *, positions: bool = False
) -> tuple[list[Flashcard], bool]:
    """Return the cards of a file, and whether a position in it could not be used.

    It is an analysed match, or a text with positions as XG and gnubg copy them; with `positions`
    only such a text. Raises MalformedError.
    """
    from gnubg_nactation.tasks.subjects import copied_in_file, report_problems

    cards: list[Flashcard] = []
    faulty = False
    if copied_positions := copied_in_file(data, settings.encoding):
        topic = "positions" if positions else "errors"
        for number, copied in enumerate(copied_positions, 1):
            faulty |= report_problems(copied, watch, name)
            cards += flashcards_of_copied(copied, f"{name}#{number}", topic)
    elif positions:
        raise MalformedError("no position as XG or gnubg copies it, with its analysis")
    else:
        cards += _errors_of(read(data, settings.encoding), name, settings)
    return cards, faulty


def _errors_of(matches: Sequence[Match], path: str, settings: CardSettings) -> Iterator[Flashcard]:
    annotated = [presentable(annotate(match)) for match in matches]
    turns = [turn for match in annotated for game in match.games for turn in game.turns]
    if not any(play_of(turn) or cube_of(turn) for turn in turns):
        raise MalformedError("the file has no analysis, so its errors are unknown")
    for number, match in enumerate(annotated, 1):
        yield from flashcards_of_match(match, path, settings.errors, settings.player, number)


# Drill

CLOSE = 0.01  # points that a right play may lose: a deeper search often changes such an order


def ask_best_plays(rng: random.Random) -> Iterator[Question]:
    """Ask for the best plays in the opening book for money, in random order.

    Plays that lose at most CLOSE are accepted, as in the playground.
    """
    book = shipped_book()
    keys = [key for key in book.lines if key[2] == MONEY]
    for key in rng.sample(keys, len(keys)):
        line = book.at(*key)
        if line and len(line.plays) > 1:
            plays = Plays(line.state.position, key[1])
            close = [play for _, play, loss in line.plays if not loss or loss <= CLOSE]
            names = [plays.name(play).naming.nactation for play in close]
            bare = replace(line.read.nacbrac, suffix="")
            why = f"{line.sequence} {bare} {book.label_of(line)}"
            accepted = tuple(map(str, names))
            yield Question(QuestionKind.BEST, close[0], plays, names[0], accepted, why)


def subjects_of(
    matches: Sequence[Match], rng: random.Random, limit: int | None = None
) -> Iterator[Subject]:
    """Yield at most `limit` plays of matches that had a choice, in random order."""
    subjects = [
        Subject(turn.play, Plays.of(turn.plays))
        for match in matches
        for game in match.games
        for turn in replay(match, game)
        if turn.play and len(turn.plays) > 1
    ]
    count = len(subjects)
    return iter(rng.sample(subjects, count if limit is None else min(limit, count)))


# Letters

_MAX_FAMILIES = 6  # to choose from
_MAX_SUBJECTS = 200  # plays searched for certain letters
_MAX_ANSWER_CHARS = 100


class LetterQuestion(NamedTuple):
    """A question for the letter of a play, and families to choose from, only one of them right."""

    question: Question
    families: tuple[Family, ...]


def ask_letters(
    matches: Sequence[Match], rng: random.Random, keys: Collection[str] = ()
) -> Iterator[LetterQuestion]:
    """Ask for the letters of plays in matches, of the families with these keys; all if none."""
    families = [family for family in FAMILIES if not keys or family.key in keys]
    subjects = subjects_of(matches, rng, _MAX_SUBJECTS)
    for question in questions(subjects, [QuestionKind.LETTER], rng):
        if question.name.family in families:
            yield LetterQuestion(question, _to_choose(question, families, rng))


def _to_choose(
    question: Question, families: Sequence[Family], rng: random.Random
) -> tuple[Family, ...]:
    play = question.play
    rights = {naming.nactation.family for naming in question.plays.names(play)}
    wrong = [
        family
        for family in families
        if family not in rights
        and family.right is not Right.NUMERAL
        and (not family.suffix or play.roll.is_doublet)
    ]
    distractors = rng.sample(wrong, min(_MAX_FAMILIES - 1, len(wrong)))
    return tuple(sorted([question.name.family, *distractors], key=lambda family: family.key))


class LetterVerdict(NamedTuple):
    """How good an answer is, and the letters of the play, the preferred one first.

    A wrong answer comes with the play that it names, None if it names no play of the roll, and
    with the clause of its definition that fails.
    """

    answer: Answer
    names: tuple[Nactation, ...]
    explanation: str
    play: Play | None = None
    clause: str = ""


def judge_letter(plays: Plays, play: Play, answer: str) -> LetterVerdict:
    """Judge an answer to the question for the letter of a play.

    Raises MalformedError for an answer that is no letter of the roll.
    """
    subjects = [Subject(play, plays)]
    (question,) = questions(subjects, [QuestionKind.LETTER], random.Random(0))
    answer = answer.strip()[:_MAX_ANSWER_CHARS]
    try:
        answers = letters_in(answer, play.roll)
    except MalformedError:
        answers = ()
    if not answers:
        raise MalformedError(f"{quoted(answer)} is not a letter for {play.roll}")
    names = tuple([naming.nactation for naming in plays.names(play)])
    verdict = LetterVerdict(judge(question, answer), names, question.explanation)
    if verdict.answer is not Answer.WRONG:
        return verdict
    return verdict._replace(play=_play_of(answers, plays), clause=failing_clause(question, answer))


def _play_of(names: Sequence[Nactation], plays: Plays) -> Play | None:
    """Return the play of the first name that has one."""
    for name in names:
        members = plays.reading(name.family).members
        if name.member <= len(members):
            return members[name.member - 1]
    return None


# Openings

FIRST, REPLIES, ALL = "first", "replies", "all"
_MIN_CHOICES = 8


def ask_openings(subject: str, score: str) -> list[str]:
    """Return questions as texts that `look_up` reads, such as `31P-42` and `31P-42 dmp`.

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


def choices_of(plays: Plays, rated: Collection[Play | None]) -> list[Play]:
    """Return plays to choose from: those rated by the book, and others that look natural."""
    natural = sorted(plays, key=plausibility, reverse=True)
    listed = [play for play in natural if play in rated]
    others = [play for play in natural if play not in rated]
    return [*listed, *others[: max(_MIN_CHOICES - len(listed), 0)]]


def find_play(plays: Plays, roll: str, text: str) -> Play:
    """Return the play of a letter or of points, as in 8/4 6/4.

    Raises MalformedError or IllegalError if the text names no play of the roll.
    """
    text = text.strip()
    return plays.explain(text.removeprefix(roll) or text).play
