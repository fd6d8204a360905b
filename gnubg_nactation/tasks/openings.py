"""The first rolls of games: charts of the replies to openings, and the book of this package."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timezone

from gnubg_nactation.archive.database import archive_at
from gnubg_nactation.archive.filters import check_filters
from gnubg_nactation.backgammon.plays import ROLLS, Roll
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import NEAR, Choice, read_decision
from gnubg_nactation.decisions.severity import thousandths
from gnubg_nactation.engines.book import BookEngine
from gnubg_nactation.errors import MalformedError, NactationError
from gnubg_nactation.nacbracs.book import (
    MAX_LISTED,
    SHIPPED,
    Book,
    parse_book,
    shipped_book,
    unpack,
)
from gnubg_nactation.nacbracs.nacbrac import (
    MONEY,
    at_score,
    name_of_score,
    parse_score,
    score_of,
)
from gnubg_nactation.sequences.openings import FIRST_ROLLS, OPENINGS, Opening, openings
from gnubg_nactation.showing import quoted, shown
from gnubg_nactation.tasks.engines import (
    plies_setting,
    rating_engine_setting,
)
from gnubg_nactation.tasks.face import Face, Library, showing_progress
from gnubg_nactation.tasks.games import FilterSettings
from gnubg_nactation.tasks.settings import Settings, SettingsError, setting
from gnubg_nactation.tasks.sources import STANDARD_INPUT
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, replace

if TYPE_CHECKING:
    import sqlite3

    from gnubg_nactation.archive.replies import Chart
    from gnubg_nactation.engines.engine import Program
    from gnubg_nactation.tasks.text_field import TypedText

# Charts of replies

ENGINE, ARCHIVE = "engine", "archive"
_COUNT = "count"  # the usual order


class Source(NamedTuple):
    """`engine`, `archive` or the file of a book, and a score, None for that of the settings."""

    name: str
    score: str | None = None


def read_source(text: str) -> Source:
    """Read a source, as in `engine@dmp`. Raises MalformedError."""
    name, at, score = text.rpartition("@")
    if at and not os.path.exists(text):
        return Source(name, parse_score(score))
    return Source(text)


def read_opening(text: str) -> Opening:
    """Read a first move, as in 31P. Raises MalformedError."""
    try:
        return openings((text,))[0]
    except NactationError as error:
        raise MalformedError(f"{quoted(text)} is not a first move: {error}") from None


class ChartSettings(Settings):
    """Which replies a chart has, and how they are found."""

    falls_back_on_book = True
    source: Source = setting(
        Source(ENGINE),
        "source of the replies: engine (default), archive (the database), book (that of this "
        "program) or a book's file; "
        "@SCORE sets the score: engine@dmp",
        "SOURCE",
        parse=read_source,
        flags="--from",
        only_one="source",
    )
    opening: tuple[Opening, ...] = setting(
        (),
        f"only replies to this first move; repeatable (default: the {len(OPENINGS)} usual)",
        "OPENING",
        parse=read_opening,
    )
    plies: int | None = plies_setting()
    engine: str = rating_engine_setting()
    order: str | None = setting(
        None,
        "sort plays of the database by count (default) or mean error",
        choices=(_COUNT, "error"),
    )


class RepliesSettings(ChartSettings, FilterSettings):
    """Which replies a chart has, how they are found, and for a database, which games count."""


def replies(
    source: Book | Program | sqlite3.Connection,
    settings: RepliesSettings = RepliesSettings(),  # noqa: B008 (frozen)
    face: Face | None = None,
    *,
    name: str = "the database",
) -> Chart:
    """Chart the replies to openings by a book, an engine, or the games of a database.

    `settings.source` has no effect. `name` is that of the database in the chart. Raises
    UnknownError if nobody in the database has the name of a filter, EngineError.
    """
    import sqlite3

    from gnubg_nactation.archive.replies import (
        chart_of_archive,
        chart_of_book,
        chart_of_engine,
    )

    chosen, score = settings.opening or openings(), settings.score or MONEY
    if isinstance(source, BookEngine):
        source = source.book
    if isinstance(source, Book):
        return chart_of_book(source, chosen, score)
    if isinstance(source, sqlite3.Connection):
        filters = settings.filters()
        check_filters(source, filters)
        return chart_of_archive(source, chosen, name, filters, settings.order or _COUNT)
    depth = source.bot.depth(settings.plies)
    label = source.bot.label(depth)
    with showing_progress(face or Library(), "replies", 0, f"replies by {label}") as watch:
        return chart_of_engine(source, depth, chosen, label, score, watch.step)


def chart_from(source: Source, settings: RepliesSettings, face: Face, database: str) -> Chart:
    """Chart the replies of a source; `database` is a path. NactationError, OSError."""
    if source.score is not None:
        settings = replace(settings, score=source.score)
    if source.name == ENGINE:
        return replies(face.open_engine(), settings, face)
    if source.name == ARCHIVE:
        with archive_at(database) as archive:
            return replies(archive, settings, face, name=database)
    return replies(read_book(source.name, face), settings, face)


def check_sources(sources: Sequence[Source], settings: RepliesSettings, db: str | None) -> None:
    """Raise SettingsError if a setting does nothing for these sources."""
    names = {each.name for each in sources}
    if settings.plies is not None and ENGINE not in names:
        raise SettingsError("--plies goes with an engine")
    if ARCHIVE not in names and (filters := archive_options(settings, db)):
        raise SettingsError(f"--{filters[0]} goes with an archive")


def archive_options(settings: RepliesSettings, db: str | None) -> list[str]:
    """Return the names of the options for an archive that are set, without the score."""
    values = {
        "player": settings.player,
        "opponent": settings.opponent,
        "me": settings.me,
        "since": settings.since,
        "until": settings.until,
        "event": settings.event,
        "db": db,
        "order": settings.order,
        "length": settings.length is not None,
        "min": settings.min_count != 1,
    }
    return [name for name, value in values.items() if value]


def files_of(sources: Iterable[Source], database: str) -> Iterator[str]:
    """Yield the files that charts are read from: books and databases."""
    for name, _ in sources:
        if name != ENGINE and not _is_shipped(name):
            yield database if name == ARCHIVE else name


# Books


def _is_shipped(word: str) -> bool:
    """Whether a word names the book of this package, and no file."""
    return word == SHIPPED and not os.path.exists(word)


def read_book(word: str, face: Face) -> Book:
    """Read a book from a UTF-8 file, or from standard input for `-`. MalformedError, OSError.

    `book` is the book of this package, unless there is a file of that name.
    """
    if _is_shipped(word):
        return shipped_book()
    name = "standard input" if word == STANDARD_INPUT else word
    return parse_book(unpack(face.read(word)), name)


def today() -> str:
    """Return the day by universal time."""
    return datetime.now(timezone.utc).date().isoformat()


# Looking up a position in the book of this package

SCORES = (MONEY, "d", "g", "s")  # those of the book
OF_OPPONENT = {"g": "s", "s": "g"}  # the score from the other side


class BookPlay(NamedTuple):
    """A play of the book.

    `goes_on` means that the book has the position after it. The best play at a score `differs` if
    it is not the best for money.
    """

    choice: Choice
    goes_on: bool = False
    differs: bool = False


class BookEntry(NamedTuple):
    """What the book has at a score, in a position or about its roll.

    `rolls` are those of the position, `plays` those of the roll, the best first; all other plays
    lose at least `beyond` thousandths of a point. `scores` are all that have the position, or the
    roll, with its plays. `rolled_out` labels the rollout of the roll's plays; empty if none.
    """

    rolls: Mapping[Roll, Sequence[BookPlay]] = {}
    plays: Sequence[BookPlay] = ()
    beyond: int = 0
    scores: Mapping[str, Sequence[BookPlay]] = {}
    rolled_out: str = ""


class LookedUp(NamedTuple):
    """A sequence with the score named after it, and the entry of the book; None if it has none.

    `error` is about a word at its end that names another score.
    """

    sequence: str
    score: str
    typed: TypedText
    entry: BookEntry | None
    error: str = ""


def look_up(text: str) -> LookedUp:
    """Read a text such as `31P-42` or `31P-42 dmp`, and look up its position in the book.

    Raises MalformedError.
    """
    sequence, _, word = text.rstrip().rpartition(" ")
    score = _read_score(word)
    if score not in SCORES:
        sequence, score = text, MONEY
    from gnubg_nactation.tasks.text_field import read_text

    typed = read_text(sequence)
    state, entry = typed.state, None
    if typed.progress.error:
        return LookedUp(sequence, score, typed, None, _unknown_score(sequence))
    if not typed.progress.is_unfinished and state.cube == 1 and not state.doubled:
        entry = _roll_entry(state, state.roll, score) if state.roll else _entry(state, score)
    return LookedUp(sequence, score, typed, entry)


def _read_score(word: str) -> str | None:
    """Return the score that a word names, as d, g or s if it is one of these; None if none."""
    try:
        return score_of(at_score(GameState(STANDARD), parse_score(word)))
    except MalformedError:
        return None


def _unknown_score(text: str) -> str:
    """Return the error about a last word that names a score the book does not have, else ""."""
    word = text.rstrip().rpartition(" ")[2]
    if _read_score(word) is None:
        return ""
    *others, last = map(name_of_score, SCORES)
    return f"the book has no score {shown(word)}, only {', '.join(others)} and {last}"


def _entry(state: GameState, score: str) -> BookEntry:
    rolls = FIRST_ROLLS if state.position == STANDARD else ROLLS
    plays = {roll: _plays(state, roll, score) for roll in rolls}
    return BookEntry(
        {roll: listed for roll, listed in plays.items() if listed},
        scores={each: () for each in SCORES if _goes_on(state, each)},
    )


def _roll_entry(state: GameState, roll: Roll, score: str) -> BookEntry:
    scores = {each: _plays(state, roll, each) for each in SCORES}
    after = OF_OPPONENT.get(score, score)
    plays = [
        each._replace(goes_on=_goes_on(GameState(each.choice.play.after), after))
        if each.choice.play
        else each
        for each in scores[score]
    ]
    last = thousandths(plays[-1].choice.loss) if plays else 0
    beyond = last if len(plays) == MAX_LISTED else max(last, round(1000 * NEAR))
    listed = {name: each for name, each in scores.items() if each}
    book = shipped_book()
    line = book.at(state.position, roll, score)
    rolled_out = book.label_of(line) if line and line.is_rolled_out else ""
    return BookEntry({}, plays, beyond, listed, rolled_out)


def _choices(state: GameState, roll: Roll, score: str) -> tuple[Choice, ...]:
    """Return the plays of the book for a roll, the best first; none if it lacks the roll."""
    line = shipped_book().at(state.position, roll, score)
    return read_decision(line.read).choices if line else ()


def _plays(state: GameState, roll: Roll, score: str) -> list[BookPlay]:
    choices = _choices(state, roll, score)
    money = _choices(state, roll, MONEY) if score else choices
    best = {choice.play for at, choice in enumerate(money) if not at or choice.loss == 0}
    return [
        BookPlay(choice, differs=not at and bool(best) and choice.play not in best)
        for at, choice in enumerate(choices)
    ]


def _goes_on(state: GameState, score: str) -> bool:
    """Whether the book has a roll in a position; it leaves out rolls without a play."""
    return any(_choices(state, roll, score) for roll in reversed(ROLLS))
