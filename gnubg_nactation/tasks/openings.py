"""The first rolls of games: charts of the replies to openings, and books."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date, datetime, timezone
from functools import partial

from gnubg_nactation.archive.book_making import (
    FIRST_ROLLS,
    MAX_LISTED,
    MAX_ROLLS,
    TOLERANCE,
    Deviation,
    MakingSettings,
    Node,
    Task,
    first_nodes,
    make_sections,
    sample_of,
    second_nodes,
    tasks_of,
    third_nodes,
)
from gnubg_nactation.archive.book_making import check_book as deviations_of
from gnubg_nactation.archive.database import archive_at
from gnubg_nactation.archive.filters import check_filters
from gnubg_nactation.archive.replies import (
    Chart,
    chart_of_archive,
    chart_of_book,
    chart_of_engine,
)
from gnubg_nactation.backgammon.plays import ROLLS, Roll
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import NEAR, Choice, read_decision
from gnubg_nactation.engines import registry
from gnubg_nactation.engines.book import BookEngine
from gnubg_nactation.engines.engine import MAX_PLIES, Depth
from gnubg_nactation.errors import EngineError, IllegalError, MalformedError, NactationError
from gnubg_nactation.nacbracs.book import (
    SHIPPED,
    Book,
    Line,
    format_header,
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
from gnubg_nactation.sequences.openings import OPENINGS, Opening, openings
from gnubg_nactation.showing import quoted, shown
from gnubg_nactation.tasks.engines import (
    jobs_setting,
    plies_setting,
    rating_engine_setting,
    scheduler_setting,
)
from gnubg_nactation.tasks.face import Face, Library, Watch, showing_progress
from gnubg_nactation.tasks.games import FilterSettings
from gnubg_nactation.tasks.settings import Settings, SettingsError, setting
from gnubg_nactation.tasks.sources import STANDARD_INPUT
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, replace

if TYPE_CHECKING:
    import sqlite3

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
    """As ChartSettings; filters choose the games of an archive."""


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


def read_day(text: str) -> str:
    """Read a day, as in 2026-11-23. Raises MalformedError."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise MalformedError(f"{quoted(text)} is not a day, as in 2026-11-23") from None


def today() -> str:
    """Return the day by universal time."""
    return datetime.now(timezone.utc).date().isoformat()


def plays_in_book(book: Book, sequence: str) -> list[Line]:
    """Return the lines of a book after a sequence. Raises IllegalError if there are none."""
    from gnubg_nactation.sequences.decode import decode

    state = decode(sequence).state
    lines = [
        line
        for key in book.lines
        if key[0] == state.position and (state.roll is None or key[1] == state.roll)
        if (line := book.at(*key))
    ]
    if not lines:
        raise IllegalError(f"{book.label} does not have {sequence}")
    return lines


_MAKE, _CHECK = "make", "check"  # groups of settings
_AFTER, _PLIES, _SAMPLE = 0.02, 2, 20


class _EngineSettings(Settings):
    """The engine that rates the plays of a book."""

    engine: str = setting(
        registry.ENGINES[0].name,
        "engine that rates the plays (default: gnubg)",
        choices=[entry.name for entry in registry.ENGINES],
        group="engine",
    )
    plies: int = setting(
        _PLIES,
        f"search depth in plies (0-{MAX_PLIES}, default: {_PLIES})",
        "N",
        choices=range(MAX_PLIES + 1),
        group="engine",
    )


class CheckBookSettings(_EngineSettings):
    """Which decisions of a book to compute again."""

    sample: int = setting(
        _SAMPLE,
        f"recompute N decisions (default: {_SAMPLE})",
        "N",
        least=1,
        most=10**6,
        group=_CHECK,
    )
    seed: int = setting(1, "which decisions to compute (default: 1)", "N", group=_CHECK)


class BookCheck(NamedTuple):
    """Decisions of a book compared with an engine; `label` names the engine and its depth."""

    label: str
    deviations: tuple[Deviation, ...]

    @property
    def is_right(self) -> bool:
        """Whether no loss differs by more than TOLERANCE."""
        return all(deviation.points <= TOLERANCE for deviation in self.deviations)


def check_book(
    book: Book,
    settings: CheckBookSettings = CheckBookSettings(),  # noqa: B008 (frozen)
    watch: Watch | None = None,
) -> BookCheck:
    """Compare a sample of a book with an engine. Raises EngineError."""
    keys = sample_of(book, settings.sample, settings.seed)
    deviations: list[Deviation] = []
    with (
        closing(registry.new_engine(settings.engine)) as engine,
        showing_progress(watch or Library(), "checking", len(keys), "decisions") as progress,
    ):
        depth = Depth(settings.plies)
        for deviation in deviations_of(book, keys, engine, depth):
            deviations.append(deviation)
            progress.step(len(deviations))
        return BookCheck(engine.bot.label(depth), tuple(deviations))


class MakeBookSettings(_EngineSettings):
    """Which positions a book has, and how they are computed."""

    rolls: int = setting(
        2,
        f"number of rolls of a game (1-{MAX_ROLLS}, default: 2)",
        "N",
        least=1,
        most=MAX_ROLLS,
        group=_MAKE,
    )
    score: tuple[str, ...] = setting(
        (),
        "score of the first two rolls; repeatable (default: money)",
        "SCORE",
        parse=parse_score,
        group=_MAKE,
    )
    after: float = setting(
        _AFTER,
        f"with --rolls 3: only after replies that lose at most POINTS (default: {_AFTER})",
        "POINTS",
        least=0,
        most=10,
        measure=" points",
        group=_MAKE,
    )
    third: tuple[Opening, ...] = setting(
        (),
        f"with --rolls 3: only after this opening; repeatable (default: all {len(OPENINGS)})",
        "OPENING",
        parse=read_opening,
        group=_MAKE,
    )
    date: str | None = setting(
        None, "date in the header (default: today)", "YYYY-MM-DD", parse=read_day, group=_MAKE
    )
    jobs: int = jobs_setting("compute N rolls", _MAKE)
    scheduler: str | None = scheduler_setting("compute", _MAKE)

    @property
    def scores(self) -> tuple[str, ...]:
        """The scores of the first two rolls, each once."""
        return tuple(dict.fromkeys(self.score or (MONEY,)))


def book_header(settings: MakeBookSettings) -> str:
    """Return the header of a book to make. Raises SettingsError, EngineError."""
    has_third = settings.rolls == MAX_ROLLS
    if has_third and MONEY not in settings.scores:
        raise SettingsError("third rolls come after the replies for money; add --score money")
    with closing(registry.new_engine(settings.engine)) as engine:
        name, source = engine.name, engine.bot.label(engine.bot.depth(settings.plies))
    names = [name_of_score(score) for score in settings.scores]
    command = f"nactate book make --engine {settings.engine} --plies {settings.plies}"
    command += f" --rolls {settings.rolls}" + "".join(f" --score={name}" for name in names)
    if has_third:
        command += f" --after {settings.after}"
        command += "".join(f" --third={opening.token}" for opening in settings.third)
    return format_header(
        {
            "source": source,
            "engine": name,
            "plies": str(settings.plies),
            "date": settings.date or today(),
            "scores": " ".join(names),
            "command": command,
        }
    )


def book_sections(
    settings: MakeBookSettings,
    header: str,
    finished: Sequence[str] = (),
    watch: Watch | None = None,
) -> Generator[str, None, None]:
    """Yield the sections of a book, first those that an interrupted run has `finished`.

    Raises EngineError.
    """
    levels: list[Callable[[Book], Sequence[Node]]] = [
        lambda _: first_nodes(settings.scores),
        lambda _: second_nodes(settings.scores),
        partial(third_nodes, within=settings.after, firsts=settings.third or openings()),
    ]
    rest, done = [*finished], [header]
    with showing_progress(watch or Library(), "making a book", 0, "positions") as progress:
        for level in levels[: settings.rolls]:
            nodes = level(parse_book("".join(done), "the book"))
            tasks, total = list(tasks_of(nodes)), len(done) - 1 + len(nodes)
            while tasks and len(rest) >= len(tasks[0]):
                for _ in tasks.pop(0):
                    done.append(rest.pop(0))
                    yield done[-1]
            if tasks:
                rest = []  # a task without all its sections starts again
            with closing(_computed(tasks, settings)) as sections:
                for section in sections:
                    if not section:
                        raise EngineError("a worker died; run the same command again to continue")
                    done.append(section)
                    yield section
                    progress.step(len(done) - 1, total)


def _computed(tasks: Sequence[Task], settings: MakeBookSettings) -> Generator[str, None, None]:
    """Yield the sections of tasks, in order; an empty one if its worker died."""
    make = partial(make_sections, MakingSettings(settings.engine, settings.plies))
    if settings.jobs < 2 and not settings.scheduler:
        for task in tasks:
            yield from make(task)
        return
    from gnubg_nactation.tasks.processes import by_pool, tasks_by_scheduler

    if settings.scheduler:
        yield from tasks_by_scheduler(tasks, make, "", settings.scheduler)
    else:
        yield from by_pool(tasks, make, "", settings.jobs)


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
    roll, with its plays.
    """

    rolls: Mapping[Roll, Sequence[BookPlay]] = {}
    plays: Sequence[BookPlay] = ()
    beyond: int = 0
    scores: Mapping[str, Sequence[BookPlay]] = {}


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
    last = _mills(plays[-1].choice) if plays else 0
    beyond = last if len(plays) == MAX_LISTED else max(last, round(1000 * NEAR))
    return BookEntry({}, plays, beyond, {name: each for name, each in scores.items() if each})


def _mills(choice: Choice) -> int:
    return round(1000 * (choice.loss or 0.0))


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
