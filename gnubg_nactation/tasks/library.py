"""What a player does with a database of matches: store them, explore and find positions, leaks."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from functools import partial
from itertools import islice

from gnubg_nactation.archive import leaks as archive_leaks
from gnubg_nactation.archive.filters import check_filters, describe_filters
from gnubg_nactation.archive.finding import FoundTurn, find_position, find_sequence
from gnubg_nactation.archive.indexing import (
    CONTENT,
    FileRow,
    MatchRow,
    add_file,
    file_known,
    files_to_recount,
    forget,
    is_current,
    keep_games,
    read_rows,
    refresh,
)
from gnubg_nactation.archive.leaks import OpeningLeaks, find_opening_leaks
from gnubg_nactation.archive.mistakes import NOW, Example, find_mistakes
from gnubg_nactation.archive.nodes import ORDERS, Node, reordered, with_ways
from gnubg_nactation.archive.stats import Statistics, count_by_player
from gnubg_nactation.archive.stats import find_statistics as statistics_of
from gnubg_nactation.archive.trees import BookAtScore, shipped_at, tree
from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import Depth, Program
from gnubg_nactation.errors import EngineError
from gnubg_nactation.exports.explorer.table import check_known, of_roll
from gnubg_nactation.exports.survey import DatabaseSummary
from gnubg_nactation.nacbracs.nacbrac import MONEY, at_score, score_of
from gnubg_nactation.sequences.notation import sequence as sequence_of
from gnubg_nactation.sequences.pattern import Pattern, parse_pattern
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.system.resources import near
from gnubg_nactation.tasks.engines import (
    NONE,
    analyst_setting,
    jobs_setting,
    names_engine,
    plies_setting,
    scheduler_setting,
)
from gnubg_nactation.tasks.face import Face, Library, showing_progress
from gnubg_nactation.tasks.games import (
    FilterSettings,
    MyGameSettings,
    PlayerSettings,
    games_of_player,
    min_count_setting,
    since_setting,
)
from gnubg_nactation.tasks.outcomes import Failure, engine_of_worker, failure_of, guarded
from gnubg_nactation.tasks.settings import Settings, setting
from gnubg_nactation.tasks.subjects import (
    RatedSequenceSettings,
    StartSettings,
    read_named,
    read_subject,
)
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, Protocol, dataclass, replace

if TYPE_CHECKING:
    import sqlite3


# Matches are stored

_ANALYSIS = "analysis"
_MAX_TASK_FILES = 8  # their rows wait in memory
_CRASHED = Failure("crashed", "the process reading it died")


class Source(Protocol):
    """A match file: its name in the database, and how to read it, in any process. No tuple."""

    @property
    def name(self) -> str:
        """The name, for instance an absolute path."""

    def status(self) -> tuple[int, int | None]:
        """Return the number of bytes and the time of the last change, None if unknown. OSError."""

    def read(self) -> bytes:
        """Return the bytes. Raises OSError."""


@dataclass(frozen=True, slots=True)
class _Bytes:
    """A source in memory."""

    name: str
    data: bytes

    def status(self) -> tuple[int, int | None]:
        return len(self.data), None

    def read(self) -> bytes:
        return self.data


class IndexSettings(Settings):
    """How matches are stored; with `analyse`, an engine analyses those without an analysis."""

    force: bool = setting(False, "read unchanged files again")
    jobs: int = jobs_setting("read N files")
    analyse: bool = setting(
        False, "analyse the first turns of games without analysis", group=_ANALYSIS
    )
    turns: int = setting(
        6,
        "analyse the first N turns of each game (default: 6)",
        "N",
        least=1,
        most=1000,
        group=_ANALYSIS,
    )
    engine: str = analyst_setting(_ANALYSIS)
    plies: int | None = plies_setting(_ANALYSIS)
    scheduler: str | None = scheduler_setting("analyse", _ANALYSIS)


class Contents(NamedTuple):
    """How much a database holds; the result of `odd` games is impossible, so no mean has them."""

    files: int
    matches: int
    games: int
    turns: int
    duplicates: int
    odd: int


class Indexed(NamedTuple):
    """What was stored, with the reason for each failure by name, and what the database holds now.

    If `is_stopped`, the same call goes on later.
    """

    failures: Mapping[str, str]
    contents: Contents
    is_stopped: bool = False


def index(
    archive: sqlite3.Connection,
    sources: Iterable[Source | tuple[str, bytes]],
    settings: IndexSettings = IndexSettings(),  # noqa: B008 (frozen)
    face: Face | None = None,
    *,
    gone: Callable[[], Iterable[str]] = tuple,
    find: Callable[[str], Source | None] | None = None,
) -> Indexed:
    """Store the matches of new and changed files; copies of a match count once.

    A source is a name with bytes, or reads its bytes when they are needed. After that the files
    `gone` are forgotten; `find` returns a stored file that has to be read again, as the counted
    copy of its match is gone (default: it is one of `sources`). Old rows of a file stay until the
    new ones are stored. Failures are reported to the face. Raises EngineError.
    """
    face = face or Library()
    files = [_Bytes(*source) if isinstance(source, tuple) else source for source in sources]
    storing = _Storing(archive, settings, face)
    storing.store(storing.changed(files))
    if not storing.is_stopped:
        if names := [*gone()]:
            forget(archive, names)
        storing.recount(find or {file.name: file for file in files}.get)
    return Indexed(storing.failures, contents_of(archive), storing.is_stopped)


def contents_of(archive: sqlite3.Connection) -> Contents:
    """Count what a database holds."""
    row = archive.execute(_CONTENTS).fetchone()
    return Contents(*(number or 0 for number in row))


_CONTENTS = """
SELECT
  (SELECT count(*) FROM files),
  (SELECT count(*) FROM matches WHERE counted),
  (SELECT count(*) FROM games),
  (SELECT sum(kept) FROM games),
  (SELECT count(*) FROM matches WHERE NOT counted),
  (SELECT count(*) FROM games JOIN matches ON matches.id = match
   WHERE games.odd <> '' OR matches.odd <> '')
"""


def survey(archive: sqlite3.Connection) -> DatabaseSummary:
    """Return what a database holds in short."""
    first, last = archive.execute(
        "SELECT min(date), max(date) FROM matches WHERE counted AND date <> ''"
    ).fetchone()
    players = tuple(count_by_player(archive))
    _, matches, games, turns, *_ = contents_of(archive)
    return DatabaseSummary(matches, games, turns, players, first or "", last or "")


class _Reading(NamedTuple):
    """How a process reads files. The engine, if any, analyses the first `turns` of matches.

    `label` names the engine and its depth.
    """

    engine: str = ""
    plies: int = 0
    turns: int = 0
    label: str = ""

    @property
    def made(self) -> str:
        """The note in the database about a file: the version of its rows, and the engine."""
        return f"{CONTENT} {self.label}, {self.turns} turns" if self.engine else str(CONTENT)

    def is_made(self, made: str) -> bool:
        """Whether the database holds a file as it is read now, or with an analysis."""
        return made == self.made or (not self.engine and is_current(made))


class _Opened(NamedTuple):
    """The bytes of a file, or the failure to read them."""

    row: FileRow
    data: bytes = b""
    failure: Failure | None = None


class _Outcome(NamedTuple):
    """The rows of a file, or the failure to read it."""

    file: FileRow
    matches: tuple[MatchRow, ...] = ()
    failure: Failure | None = None


class _Storing:
    """Stores files, and notes the failures."""

    def __init__(self, archive: sqlite3.Connection, settings: IndexSettings, face: Face) -> None:
        self._archive, self._settings, self._face = archive, settings, face
        self._reading = _Reading()
        if settings.analyse and settings.engine != NONE:
            bot = face.open_engine().bot  # one message if there is none, not one for each file
            depth = bot.depth(settings.plies)
            label = bot.label(depth)
            self._reading = _Reading(settings.engine, depth.plies, settings.turns, label)
        self.failures: dict[str, str] = {}
        self.is_stopped = False

    def changed(self, sources: Iterable[Source]) -> list[Source]:
        """Return the files to read; store the new times of files with the same bytes."""
        changed, same = [], []
        for source in sources:
            stored = file_known(self._archive, source.name)
            current = None
            if stored and not self._settings.force and not stored.problem:
                current = _unchanged(source, stored) if self._reading.is_made(stored.made) else None
            if current is None:
                changed.append(source)
            elif current != stored:
                same.append(current)
        refresh(self._archive, same)
        return changed

    def store(self, sources: Sequence[Source]) -> None:
        """Read files into the database."""
        failed = 0
        with (
            showing_progress(self._face, "indexing", len(sources), "files") as watch,
            closing(self._read_all(sources)) as outcomes,
        ):
            for number, (file, matches, failure) in enumerate(outcomes, 1):
                if failure:
                    failed += 1
                    self.failures[file.path] = failure.reason
                    watch.report(f"{near(file.path)}: {failure.reason}")
                # A malformed file is noted; other failures of a stored file may be temporary.
                if (
                    failure is None
                    or (failure.kind == "malformed" and not keep_games(self._archive, file))
                    or (failure.kind != "gone" and not file_known(self._archive, file.path))
                ):
                    add_file(self._archive, file, matches, again=self._settings.force)
                watch.step(number, failed=failed)
                if watch.is_stopped():
                    self.is_stopped = True
                    return

    def recount(self, find: Callable[[str], Source | None]) -> None:
        """If the counted copy of a match is gone, read another file for it."""
        tried: set[str] = set()
        while not self.is_stopped and (
            names := [name for name in files_to_recount(self._archive) if name not in tried]
        ):
            tried.update(names)
            self.store([source for name in names if (source := find(name))])

    def _read_all(self, sources: Sequence[Source]) -> Generator[_Outcome, None, None]:
        """Yield the outcomes of files, which a cluster, several processes or this one read."""
        reading, settings = self._reading, self._settings
        processes = min(settings.jobs, len(sources))
        if processes < 2 and not (settings.scheduler and sources):
            engine = self._face.open_engine() if reading.engine else None
            for source in sources:
                yield _read_source(source, reading, engine)
            return
        # A web page and gnubg for Windows have no processes.
        from gnubg_nactation.tasks.processes import by_pool, task_size, tasks_by_scheduler

        outcomes: Generator[_Outcome | None, None, None]
        if settings.scheduler:
            opened = ([_open(source, reading)] for source in sources)  # workers get bytes
            do = partial(_read_opened, reading=reading)
            outcomes = tasks_by_scheduler(opened, do, None, settings.scheduler)
        else:
            size = 1 if reading.engine else min(_MAX_TASK_FILES, task_size(len(sources), processes))
            rest = iter(sources)
            tasks = iter(lambda: list(islice(rest, size)), [])
            outcomes = by_pool(tasks, partial(_read_sources, reading=reading), None, processes)
        with closing(outcomes):
            for source, outcome in zip(sources, outcomes, strict=True):
                yield outcome or _failed(FileRow(source.name, made=reading.made), _CRASHED)


def _unchanged(source: Source, stored: FileRow) -> FileRow | None:
    """Return the current row of a stored file; None if its bytes are not those."""
    with suppress(OSError):  # reading it will report the error
        size, changed = source.status()
        if size == stored.size and changed == stored.changed:
            return stored
        if size == stored.size and digest_of(source.read()) == stored.digest:
            return stored._replace(changed=changed or 0)
    return None


def _read_sources(sources: Sequence[Source], reading: _Reading) -> list[_Outcome | None]:
    """Read the files of a task, in a worker."""
    return _read_opened((_open(source, reading) for source in sources), reading)


def _read_opened(files: Iterable[_Opened], reading: _Reading) -> list[_Outcome | None]:
    """Read the bytes of files, in a worker, which keeps its engine."""
    try:
        with engine_of_worker(reading.engine) if reading.engine else nullcontext() as engine:
            return [_read(file, reading, engine) for file in files]
    except EngineError as error:
        return [_failed(file.row, Failure("engine", str(error))) for file in files]


def _read_source(source: Source, reading: _Reading, engine: Program | None) -> _Outcome:
    return _read(_open(source, reading), reading, engine)


def _open(source: Source, reading: _Reading) -> _Opened:
    file = FileRow(source.name, made=reading.made)
    try:
        # If the file changes from now on, the next run sees a new time.
        size, changed = source.status()
        file = file._replace(size=size, changed=changed or 0)
        data = source.read()
    except OSError as error:
        kind = "gone" if isinstance(error, FileNotFoundError) else "unreadable"
        return _Opened(file, failure=failure_of(error, kind))
    return _Opened(file._replace(size=len(data), digest=digest_of(data)), data)


def _read(opened: _Opened, reading: _Reading, engine: Program | None) -> _Outcome:
    file, data, failure = opened
    if failure:
        return _failed(file, failure)
    analyse = None
    if engine:
        from gnubg_nactation.engines.analysing import analyse_beginnings

        depth, count = Depth(reading.plies), reading.turns
        analyse = partial(analyse_beginnings, engine=engine, depth=depth, count=count)
    rows = guarded(lambda: read_rows(data, analyse))
    return _failed(file, rows) if isinstance(rows, Failure) else _Outcome(file, rows)


def _failed(file: FileRow, failure: Failure) -> _Outcome:
    return _Outcome(file._replace(problem=failure.reason), failure=failure)


def digest_of(data: bytes) -> bytes:
    """Return the digest of the bytes of a file, as the database has it."""
    return hashlib.blake2b(data, digest_size=16).digest()


# Stored positions are explored

ERROR = "error"  # the order of nodes
_DEPTH, _MAX_DEPTH = 1, 40


class ExploreSettings(RatedSequenceSettings, FilterSettings):
    """What to show of a position, and what to compare it with."""

    roll: Roll | None = setting(None, "only this roll, e.g. 31", "ROLL", parse=Roll.parse)
    depth: int | None = setting(
        None,
        "follow games for N plays (default: 1, 4 for a page)",
        "N",
        least=1,
        most=_MAX_DEPTH,
    )
    order: str = setting(
        ERROR,
        "sort plays by mean error (default), count, adjusted or plain result",
        choices=ORDERS,
    )
    book: str | None = setting(
        None,
        "compare with this book of nacbracs, `-`, or none (default: the book of this program)",
        "FILE",
    )
    plies: int | None = plies_setting()


class Root(NamedTuple):
    """A position to look up, with the sequence that leads there and the roll, if any."""

    state: GameState
    sequence: str = ""
    roll: Roll | None = None


class Explored(NamedTuple):
    """What was played from a position on, by position, and what a book and an engine say.

    `nacbracs` are the engine's for the rolls of the first position; none without an engine.
    `about` describes the turns that count.
    """

    root: Root
    depth: int
    nodes: Mapping[Position, Node]
    about: str
    book: BookAtScore | None
    nacbracs: Mapping[Roll, str]


def explore(
    archive: sqlite3.Connection,
    what: Root | GameState | Position | str = "start",
    settings: ExploreSettings = ExploreSettings(),  # noqa: B008 (frozen)
    face: Face | None = None,
    *,
    name: str = "the database",
    ways: bool = False,
) -> Explored:
    """Return what was played in a position, and after it to the depth of the settings.

    A text is anything that names a position, as for the command: `31P-63`, a Position ID. With
    `ways`, nodes have the sequences that led there. `name` is that of the database in messages.
    Raises UnknownError if no game reached the position or nobody has the name, MalformedError and
    IllegalError for the text, EngineError.
    """
    face = face or Library()
    root = what if isinstance(what, Root) else root_of(what, settings, face)
    position, depth = root.state.position, settings.depth or _DEPTH
    filters = settings.filters()
    check_filters(archive, filters)
    nodes = tree(archive, position, filters, depth)
    if ways:
        nodes = with_ways(archive, nodes, filters)
    about = describe_filters(filters)
    check_known(nodes[position], name, root.sequence, about)
    if settings.order != ERROR:
        nodes = {at: reordered(node, settings.order) for at, node in nodes.items()}
    if root.roll:
        nodes[position] = of_roll(nodes[position], root.roll)
    book = _book_at_score(settings, nodes.values(), face)
    nacbracs = _nacbracs(nodes[position], root, settings, face) if names_engine(settings) else {}
    return Explored(root, depth, nodes, about, book, nacbracs)


def root_of(what: GameState | Position | str, settings: ExploreSettings, face: Face) -> Root:
    """Return the position that a text names, before a double. Errors as in `read_subject`."""
    if not isinstance(what, str):
        state = to_state(what)
        return Root(state, roll=settings.roll or state.roll)
    subject = read_subject(what or "start", settings, face)
    turns = subject.decoded.turns if subject.decoded else ()
    played = (turn for turn in turns if turn.how is not ReadingKind.TO_PLAY)
    sequence = sequence_of((turn, turn.nactation) for turn in played)
    before = subject.state.before_double
    return Root(before, sequence, settings.roll or before.roll)


def _book_at_score(
    settings: ExploreSettings, nodes: Iterable[Node], face: Face
) -> BookAtScore | None:
    """Return the book of the settings; by default that of this program if it has one of the nodes.

    None if there is none.
    """
    if settings.book == NONE:
        return None
    score = score_of(at_score(GameState(), settings.score or MONEY))
    if settings.book:
        from gnubg_nactation.tasks.openings import read_book

        return BookAtScore(read_book(settings.book, face), score)
    return shipped_at(score, nodes)


def _nacbracs(node: Node, root: Root, settings: ExploreSettings, face: Face) -> dict[Roll, str]:
    """Return the engine's nacbrac of each roll with a choice."""
    from gnubg_nactation.decisions.decision import nacbrac_text
    from gnubg_nactation.engines.book import NotInBookError
    from gnubg_nactation.engines.nacbracs import judge

    engine = face.open_engine()
    depth = engine.bot.depth(settings.plies)
    state = root.state if settings.score is None else at_score(root.state, settings.score)
    nacbracs = {}
    for row in node.rolls:
        if any(play.play for play in row.plays):
            about = f"{row.roll}: {engine.bot.level(depth)} by {engine.bot.name}"
            with showing_progress(face, about), suppress(NotInBookError):
                decision = judge(engine, replace(state, roll=row.roll), depth)
                nacbracs[row.roll] = nacbrac_text(decision)
    return nacbracs


# Games are found


def find(
    archive: sqlite3.Connection,
    what: Pattern | GameState | Position | str,
    settings: MyGameSettings = MyGameSettings(),  # noqa: B008 (frozen)
    face: Face | None = None,
    *,
    soon: bool = False,
) -> Iterator[FoundTurn]:
    """Find the turns with a sequence or a position, sorted by file, game and turn.

    With `soon` the first ones come sooner, which takes more memory if there are many games.

    A text is a sequence with wildcards, such as `54S-*-31P`, or anything that names a position.
    Raises MalformedError for the text, UnknownError if nobody has the name.
    """
    sought = sought_by(what, face or Library()) if isinstance(what, str) else what
    filters = settings.filters()
    check_filters(archive, filters)
    if isinstance(sought, Pattern):
        return find_sequence(archive, sought, filters, soon=soon)
    state = to_state(sought)
    return find_position(archive, state.position, state.roll, filters)


def sought_by(text: str, face: Face) -> Pattern | GameState:
    """Read what to find. Raises MalformedError, IllegalError and OSError."""
    subject = read_named(text, StartSettings(), face)
    return subject.state if subject else parse_pattern(text)


# A player's mistakes and progress


class LeaksSettings(PlayerSettings):
    """Whose losses to list, and how many. From `since` on they are compared with those before."""

    since: str = since_setting("compare losses from this day, month or year on with those before")
    min_count: int = min_count_setting(2)
    top: int = setting(
        10, "show at most N leaks of each kind (default: 10)", "N", least=1, most=1000
    )


class PlayerLeaks(NamedTuple):
    """What a player's mistakes cost, in all and in the openings; `whose` are the names."""

    leaks: archive_leaks.Leaks
    openings: OpeningLeaks
    whose: str


def leaks(
    archive: sqlite3.Connection,
    settings: LeaksSettings = LeaksSettings(),  # noqa: B008 (frozen)
) -> PlayerLeaks:
    """List what a player's mistakes cost, the costliest first.

    Raises SettingsError if it is not clear who the player is, UnknownError for an unknown name.
    """
    filters, names, whose = games_of_player(archive, settings, "leaks")
    found = archive_leaks.find_leaks(archive, filters, names, settings.top)
    ever = replace(filters, since="")
    return PlayerLeaks(found, find_opening_leaks(archive, ever, names, settings.top), whose)


class PlayerMistake(NamedTuple):
    """A wrong decision to study: its theme, its phase, and the opening that it replies to."""

    example: Example
    theme: str
    phase: str
    opening: str


def mistakes(
    archive: sqlite3.Connection,
    settings: PlayerSettings = PlayerSettings(),  # noqa: B008 (frozen)
    most: int = 1000,
    theme: str = "",
    least: float = 0,
) -> list[PlayerMistake]:
    """List a player's wrong decisions, the costliest first; at `most` so many.

    They have the `theme`, if any, and lose at `least` so many points. Raises as `leaks` does.
    """
    filters, names, _ = games_of_player(archive, settings, "mistakes")
    return [
        PlayerMistake(example, mistake.theme, mistake.phase, mistake.opening)
        for mistake, example in archive_leaks.list_mistakes(
            archive, filters, names, most, theme, least
        )
    ]


def count_mistakes(
    archive: sqlite3.Connection, settings: PlayerSettings, most: int, least: float
) -> int:
    """How many wrong decisions `mistakes` lists, without their positions."""
    filters, names, _ = games_of_player(archive, settings, "mistakes")
    found = find_mistakes(archive, filters, names, most, least=least)
    return sum(period == NOW for period, *_ in found)


class PlayerStatistics(NamedTuple):
    """Ratings, luck and cube actions by month and opponent; `whose` are the names."""

    statistics: Statistics
    whose: str


def stats(
    archive: sqlite3.Connection,
    settings: PlayerSettings = PlayerSettings(),  # noqa: B008 (frozen)
) -> PlayerStatistics:
    """Return a player's statistics. Raises as `leaks` does."""
    filters, names, whose = games_of_player(archive, settings, "statistics")
    return PlayerStatistics(statistics_of(archive, filters, names), whose)
