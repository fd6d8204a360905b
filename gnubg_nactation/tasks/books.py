"""Books of the first rolls: made by an engine, shown and checked."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from datetime import date
from functools import partial

from gnubg_nactation.archive.book_making import (
    MAX_ROLLS,
    TOLERANCE,
    CloseRollout,
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
from gnubg_nactation.engines import registry
from gnubg_nactation.engines.engine import MAX_PLIES, USUAL_ENDS, Depth
from gnubg_nactation.errors import EngineError, IllegalError, MalformedError
from gnubg_nactation.nacbracs.book import (
    ROLLOUT,
    Book,
    Line,
    format_header,
    parse_book,
)
from gnubg_nactation.nacbracs.nacbrac import (
    MONEY,
    name_of_score,
    parse_score,
)
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.sequences.openings import OPENINGS, Opening, openings
from gnubg_nactation.showing import quoted
from gnubg_nactation.tasks.engines import (
    EngineNames,
    jobs_setting,
    scheduler_setting,
)
from gnubg_nactation.tasks.face import Library, Watch, showing_progress
from gnubg_nactation.tasks.openings import read_opening, today
from gnubg_nactation.tasks.settings import Settings, SettingsError, setting
from gnubg_nactation.values import NamedTuple


def read_day(text: str) -> str:
    """Read a day, as in 2026-11-23. Raises MalformedError."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise MalformedError(f"{quoted(text)} is not a day, as in 2026-11-23") from None


def plays_in_book(book: Book, sequence: str) -> list[Line]:
    """Return the lines of a book after a sequence. Raises IllegalError if there are none."""
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
_CLOSE = 0.02


class _EngineSettings(Settings):
    """The engine that rates the plays of a book."""

    engine: str = setting(
        "gnubg",
        "engine that rates the plays (default: gnubg)",
        choices=EngineNames(),
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
    rollout: int | None = setting(
        None,
        "roll out close plays, with this many games each",
        "TRIALS",
        least=1,
        most=10**6,
        group=_MAKE,
    )
    close: float | None = setting(
        None,
        f"with --rollout: plays that lose at most POINTS, if several do (default: {_CLOSE})",
        "POINTS",
        least=0,
        most=10,
        measure=" points",
        group=_MAKE,
    )
    truncate: int | None = setting(
        None,
        "with --rollout: end games after this many rolls (default: never)",
        "ROLLS",
        least=1,
        most=1000,
        group=_MAKE,
    )
    truncate_plies: int | None = setting(
        None,
        f"with --truncate: search depth at the end of such a game (default: {USUAL_ENDS})",
        "N",
        choices=range(MAX_PLIES + 1),
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

    @property
    def close_rollout(self) -> CloseRollout | None:
        """Which plays are rolled out, and how; None if none."""
        if not self.rollout:
            return None
        ends = USUAL_ENDS if self.truncate_plies is None else self.truncate_plies
        depth = Depth(trials=self.rollout, truncate=self.truncate or 0, ends=ends)
        return CloseRollout(depth, _CLOSE if self.close is None else self.close)


def book_header(settings: MakeBookSettings) -> str:
    """Return the header of a book to make. Raises SettingsError, EngineError."""
    has_third = settings.rolls == MAX_ROLLS
    if has_third and MONEY not in settings.scores:
        raise SettingsError("third rolls come after the replies for money; add --score money")
    if not has_third and (settings.third or settings.after != _AFTER):
        raise SettingsError("--after and --third go with --rolls 3")
    rollout = settings.close_rollout
    if not rollout and (settings.close, settings.truncate) != (None, None):
        raise SettingsError("--close and --truncate go with --rollout")
    if settings.truncate_plies is not None and not settings.truncate:
        raise SettingsError("--truncate-plies goes with --truncate")
    with closing(registry.new_engine(settings.engine)) as engine:
        name, source = engine.name, engine.bot.label(engine.bot.depth(settings.plies))
    names = [name_of_score(score) for score in settings.scores]
    command = f"nactate book make --engine {settings.engine} --plies {settings.plies}"
    command += f" --rolls {settings.rolls}" + "".join(f" --score={name}" for name in names)
    if has_third:
        command += f" --after {settings.after}"
        command += "".join(f" --third={opening.token}" for opening in settings.third)
    if rollout:
        command += f" --rollout {settings.rollout} --close {rollout.close}"
        command += f" --truncate {settings.truncate}" if settings.truncate else ""
        ends = settings.truncate_plies
        command += "" if ends is None else f" --truncate-plies {ends}"
    return format_header(
        {
            "source": source,
            "engine": name,
            "plies": str(settings.plies),
            "date": settings.date or today(),
            "scores": " ".join(names),
            **({ROLLOUT: str(rollout)} if rollout else {}),
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
            tasks = list(tasks_of(nodes, alone=settings.rollout is not None))
            total = len(done) - 1 + len(nodes)
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
    make = partial(
        make_sections, MakingSettings(settings.engine, settings.plies, settings.close_rollout)
    )
    if settings.jobs < 2 and not settings.scheduler:
        for task in tasks:
            yield from make(task)
        return
    from gnubg_nactation.tasks.processes import by_pool, tasks_by_scheduler

    if settings.scheduler:
        yield from tasks_by_scheduler(tasks, make, "", settings.scheduler)
    else:
        yield from by_pool(tasks, make, "", settings.jobs)
