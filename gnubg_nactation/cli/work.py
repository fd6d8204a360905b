"""The unit of work: the bytes of one file annotated, whoever does it and wherever."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gnubg_nactation import (
    EngineError,
    MalformedError,
    NactationError,
    annotate,
)
from gnubg_nactation.annotation import remarks_on
from gnubg_nactation.cli.forms import FORMS, AnnotateOptions
from gnubg_nactation.cli.streams import internal_error, is_debugging
from gnubg_nactation.decisions.totals import totals
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.engines.registry import open_engine
from gnubg_nactation.files.formats import is_sgf, read_sources
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from gnubg_nactation import AnnotatedMatch
    from gnubg_nactation.annotation import Analyse
    from gnubg_nactation.engines.cache import Cached
    from gnubg_nactation.engines.engine import Analyser

T = TypeVar("T")


class Counts(NamedTuple):
    """How much was annotated."""

    matches: int = 0
    games: int = 0
    plays: int = 0


class Result(NamedTuple):
    """The annotated bytes of one file, and remarks on what was wrong in it."""

    data: bytes
    remarks: tuple[str, ...]
    counts: Counts


class Failure(NamedTuple):
    """Why a file has no result: what kind of reason, the reason, and what else it is about."""

    kind: str
    reason: str
    where: str = ""


def attempt(
    data: bytes,
    wanted: AnnotateOptions,
    engine: Analyser | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Result | Failure:
    """Annotate the bytes of one file, whatever they are: one bad file must not stop the others.

    The result depends on the bytes and on what is wanted, and with an analysis on the engine, too.
    `watch` is told how many turns of a match are analysed, and of how many.
    """
    return guarded(lambda: _annotate(data, wanted, engine, watch))


def guarded(task: Callable[[], T]) -> T | Failure:
    """What a task makes of a file, or why it makes nothing."""
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


def work(data: bytes, wanted: AnnotateOptions) -> Result | Failure:
    """`attempt` by a worker of others: an engine that it starts stays until the worker ends."""
    if wanted.plies is None:
        return attempt(data, wanted)
    try:
        with engine_of_worker(wanted.engine) as engine:
            return attempt(data, wanted, engine)
    except EngineError as error:
        return Failure("engine", str(error))


@contextmanager
def engine_of_worker(name: str) -> Iterator[Cached]:
    """An engine by its name, which stays until the worker ends; EngineError."""
    idle = _idle.setdefault(name, [])
    try:
        engine = idle.pop()
    except IndexError:
        engine = open_engine(name, threads=1)  # other workers have the other processors
        atexit.register(engine.close)
    try:
        yield engine
    finally:
        idle.append(engine)


_idle: dict[str, list[Cached]] = {}  # of this worker by name, which may have several threads


def _annotate(
    data: bytes,
    wanted: AnnotateOptions,
    engine: Analyser | None,
    watch: Callable[[int, int], None] | None,
) -> Result:
    if wanted.in_place and not is_sgf(data):
        raise MalformedError("not SGF, so no comments can be put into it")
    sources = read_sources(data, wanted.encoding)
    matches = [source.match for source in sources]
    analyse = analysis_by(engine, wanted.plies, watch) if engine else None
    annotated = [annotate(match, wanted.characters, analyse) for match in matches]
    made = FORMS[wanted.to].render(annotated, [source.record for source in sources], wanted)
    games = [game for match in annotated for game in match.games]
    plays = sum(turn.play is not None for game in games for turn in game.turns)
    remarks = tuple(remark for one in annotated for remark in remarks_on(one))
    if wanted.errors and wanted.plies is None and not any(map(_is_analysed, annotated)):
        remarks += ("no analysis in it, so no errors are told; --analyse has gnubg analyse it",)
    return Result(made, remarks, Counts(len(annotated), len(games), plays))


def analysis_by(
    engine: Analyser, plies: int | None, watch: Callable[[int, int], None] | None
) -> Analyse | None:
    """What analyses a match that is replayed; None where no analysis is wanted."""
    if plies is None:
        return None
    from gnubg_nactation.engines.analysing import analyse_match

    depth = Depth(plies)
    return lambda match, games: analyse_match(match, engine, depth, watch, games)


def _is_analysed(annotated: AnnotatedMatch) -> bool:
    return any(one.is_analysed for one in totals(annotated))
