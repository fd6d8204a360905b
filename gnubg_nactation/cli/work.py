"""The unit of work: a file is annotated, here or in a worker, and its result is written."""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gnubg_nactation import EngineError, MalformedError, NactationError, annotate
from gnubg_nactation.annotation import remarks_on
from gnubg_nactation.cli.forms import FORMS, AnnotateOptions
from gnubg_nactation.cli.inputs import ChangedError, Input
from gnubg_nactation.cli.streams import Streams, internal_error, is_debugging
from gnubg_nactation.decisions.totals import totals
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.engines.registry import open_engine
from gnubg_nactation.files.formats import is_sgf, read_sources
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from gnubg_nactation import AnnotatedMatch
    from gnubg_nactation.annotation import Analyse
    from gnubg_nactation.engines.cache import Cached
    from gnubg_nactation.engines.engine import Analyser

T = TypeVar("T")
_NO_ANALYSIS = "no analysis in the file, so no errors to show; --analyse runs an engine"
_idle: dict[str, list[Cached]] = {}  # engines of this worker by name; it may have several threads


class Job(NamedTuple):
    """A file to read and the file for its result (None: standard output)."""

    source: Input
    target: str | None

    @property
    def name(self) -> str:
        """The name of the file in messages."""
        return "standard input" if self.source.is_standard_input else self.source.path


class Counts(NamedTuple):
    """How much was annotated."""

    matches: int = 0
    games: int = 0
    plays: int = 0


class Result(NamedTuple):
    """The annotated bytes of a file, and warnings about its content."""

    data: bytes
    remarks: tuple[str, ...]
    counts: Counts


class Failure(NamedTuple):
    """The reason why a file has no result; `where` names another file that causes it."""

    kind: str
    reason: str
    where: str = ""


def write(target: str, data: bytes, *, lasting: bool = False) -> None:
    """Write a result, unless the file holds it already. Raises OSError.

    The caller removes what an earlier run may have left in the folder.
    """
    if not os.path.isfile(target) or _content(target) != data:
        write_atomically(target, data, lasting=lasting, sweeps=False)


def _content(path: str) -> bytes:
    with open(path, "rb") as file:  # importing pathlib takes long
        return file.read()


def failure_of(error: OSError, kind: str) -> Failure:
    """Return the failure for an error of the system."""
    if isinstance(error, BrokenPipeError):
        raise error  # the reader of our output has gone; `main` handles this
    kind = "changing" if isinstance(error, ChangedError) else kind
    return Failure(kind, error.strerror or str(error), str(error.filename or ""))


def report_outcome(job: Job, outcome: Result | Failure, streams: Streams) -> None:
    """Report a failure, or the warnings about a file that was annotated."""
    if isinstance(outcome, Failure):
        streams.report(f"{outcome.where or job.name}: {outcome.reason}")
        return
    for remark in outcome.remarks:
        streams.report(f"{job.name}: {remark}")


def attempt(
    data: bytes,
    settings: AnnotateOptions,
    engine: Analyser | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Result | Failure:
    """Annotate the bytes of a file; whatever they are, no exception stops the other files.

    `watch` gets the number of analysed turns of a match, and of all its turns.
    """
    return guarded(lambda: _annotate(data, settings, engine, watch))


def guarded(task: Callable[[], T]) -> T | Failure:
    """Return the result of a task, or the failure for its exception."""
    try:
        return task()
    except EngineError as error:
        return Failure("engine", str(error))
    except NactationError as error:
        return Failure("malformed", str(error))
    except MemoryError:
        return Failure("memory", "not enough memory")
    except Exception as error:
        if is_debugging():
            raise
        return Failure("internal", internal_error(error))


def work(data: bytes, settings: AnnotateOptions) -> Result | Failure:
    """Annotate the bytes of a file in a worker, which keeps its engine until it ends."""
    if settings.plies is None:
        return attempt(data, settings)
    try:
        with engine_of_worker(settings.engine) as engine:
            return attempt(data, settings, engine)
    except EngineError as error:
        return Failure("engine", str(error))


@contextmanager
def engine_of_worker(name: str) -> Iterator[Cached]:
    """Yield an engine, which stays open until the worker ends. Raises EngineError."""
    idle = _idle.setdefault(name, [])
    try:
        engine = idle.pop()
    except IndexError:
        engine = open_engine(name, threads=1)  # other workers use the other processors
        atexit.register(engine.close)
    try:
        yield engine
    finally:
        idle.append(engine)


def _annotate(
    data: bytes,
    settings: AnnotateOptions,
    engine: Analyser | None,
    watch: Callable[[int, int], None] | None,
) -> Result:
    if settings.in_place and not is_sgf(data):
        raise MalformedError("--in-place needs an SGF file")
    sources = read_sources(data, settings.encoding)
    analyse = analysis_by(engine, settings.plies, watch) if engine else None
    matches = [annotate(source.match, settings.characters, analyse) for source in sources]
    output = FORMS[settings.to].render(matches, [source.record for source in sources], settings)
    games = [game for match in matches for game in match.games]
    plays = sum(turn.play is not None for game in games for turn in game.turns)
    remarks = tuple(remark for match in matches for remark in remarks_on(match))
    if settings.errors and settings.plies is None and not any(map(_is_analysed, matches)):
        remarks += (_NO_ANALYSIS,)
    return Result(output, remarks, Counts(len(matches), len(games), plays))


def _is_analysed(match: AnnotatedMatch) -> bool:
    return any(total.is_analysed for total in totals(match))


def analysis_by(
    engine: Analyser, plies: int | None, watch: Callable[[int, int], None] | None
) -> Analyse | None:
    """Return the function that analyses a replayed match; None without `plies`."""
    if plies is None:
        return None
    from gnubg_nactation.engines.analysing import analyse_match

    depth = Depth(plies)
    return lambda match, games: analyse_match(match, engine, depth, watch, games)
