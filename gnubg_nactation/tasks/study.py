"""Study: flashcards, and the questions of a drill."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Match, replay
from gnubg_nactation.decisions.severity import cube_of, play_of
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.exports.flashcards import (
    Flashcard,
    flashcards_of_copied,
    flashcards_of_leaks,
    flashcards_of_match,
)
from gnubg_nactation.exports.names import presentable
from gnubg_nactation.files.formats import read
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.book import shipped_book
from gnubg_nactation.nacbracs.score import MONEY
from gnubg_nactation.sequences.drill import Question, QuestionKind, Subject
from gnubg_nactation.tasks.face import Watch
from gnubg_nactation.tasks.games import FilterSettings
from gnubg_nactation.tasks.settings import setting
from gnubg_nactation.tasks.subjects import copied_in_file, report_problems
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

# Flashcards

_MIN_ERROR, _MAX_LEAKS = 0.05, 100


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
        _MAX_LEAKS,
        f"only the N costliest errors of the database (default: {_MAX_LEAKS})",
        "N",
        least=1,
        most=10**5,
        group="errors",
    )
    encoding: str | None = setting(
        None, "text encoding of the files (default: detected)", group="errors"
    )


def cards_of_errors(archive: sqlite3.Connection, settings: CardSettings) -> Iterator[Flashcard]:
    """Yield cards of the costliest errors in a database. Raises UnknownError for a name."""
    from gnubg_nactation.archive.leaks import find_leaks

    leaks = find_leaks(archive, settings.filters(), limit=settings.most)
    return iter(flashcards_of_leaks(leaks, settings.errors))


def cards_of_file(
    name: str, data: bytes, settings: CardSettings, watch: Watch, *, positions: bool = False
) -> tuple[list[Flashcard], bool]:
    """Return the cards of a file, and whether a position in it could not be used.

    It is an analysed match, or a text with positions as XG and gnubg copy them; with `positions`
    only such a text. Raises MalformedError.
    """
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
    for match in annotated:
        yield from flashcards_of_match(match, path, settings.errors, settings.player)


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
            why = f"{line.sequence} {line.read.nacbrac} {book.label}"
            accepted = tuple(map(str, names))
            yield Question(QuestionKind.BEST, close[0], plays, names[0], accepted, why)


def subjects_of(matches: Sequence[Match], rng: random.Random) -> Iterator[Subject]:
    """Yield the plays of matches that had a choice, in random order."""
    subjects = [
        Subject(turn.play, Plays.of(turn.plays))
        for match in matches
        for game in match.games
        for turn in replay(match, game)
        if turn.play and len(turn.plays) > 1
    ]
    return iter(rng.sample(subjects, len(subjects)))
