"""The settings for what computes: an engine, how deep it searches, and how many processes."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

from gnubg_nactation.engines import registry
from gnubg_nactation.engines.engine import GNUBG, MAX_BUILTIN_PLIES, MAX_PLIES, SAGE
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.showing import quoted
from gnubg_nactation.tasks.settings import setting
from gnubg_nactation.values import Any, Protocol

AUTO, BOOK, NONE = "auto", registry.BOOK, "none"  # words for an engine


class EngineNames(Collection[str]):
    """The words for an engine: `prefix`, the names that the registry has at each use, `suffix`."""

    def __init__(self, prefix: tuple[str, ...] = (), suffix: tuple[str, ...] = ()) -> None:
        self._prefix, self._suffix = prefix, suffix

    def __iter__(self) -> Iterator[str]:
        yield from (*self._prefix, *(entry.name for entry in registry.ENGINES), *self._suffix)

    def __contains__(self, name: object) -> bool:
        return any(name == word for word in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def engine_setting(help: str, *, book: bool = False, group: str = "") -> Any:  # noqa: A002 (as `setting`)
    """Declare the engine of a task; with `book`, the book of this program can be one."""
    if book:
        help += "; book: the opening book of this program"  # noqa: A001
    names = EngineNames((AUTO,), (BOOK, NONE) if book else (NONE,))
    return setting(AUTO, help, choices=names, group=group)


def rating_engine_setting() -> Any:
    """Declare the engine that rates plays."""
    return engine_setting("engine for equities (auto: gnubg, builtin or sage)", book=True)


def plies_setting(group: str = "", only_one: str = "") -> Any:
    """Declare the search depth of an engine; None is the usual one."""
    return setting(
        None,
        f"search depth in plies (gnubg 0-{MAX_PLIES}, builtin 0-{MAX_BUILTIN_PLIES}, "
        f"default {GNUBG.usual}; sage 1-{MAX_PLIES}, default {SAGE.usual})",
        "N",
        choices=range(MAX_PLIES + 1),
        group=group,
        only_one=only_one,
    )


def analyst_setting(group: str = "") -> Any:
    """Declare the engine that analyses matches."""
    return engine_setting(
        "engine of --analyse (auto: gnubg, builtin or sage; none: do not analyse)", group=group
    )


def jobs_setting(work: str, group: str = "") -> Any:
    """Declare the number of processes."""
    return setting(
        1,
        f"{work} at a time (0: one per processor, default: 1)",
        "N",
        parse=_jobs,
        group=group,
    )


def _jobs(text: str) -> int:
    if not text.isdecimal() or int(text) > 1000:
        raise MalformedError(f"{quoted(text)} is not a number of processes")
    return int(text) or os.cpu_count() or 1


def scheduler_setting(verb: str, group: str = "") -> Any:
    """Declare the address of a cluster."""
    return setting(
        None,
        f"{verb} on a Dask cluster (needs the extra `cluster`)",
        "dask://HOST:PORT",
        group=group,
    )


class EngineChoice(Protocol):
    """Settings that have an engine."""

    @property
    def engine(self) -> str:
        """A name of the registry, or `auto` or `none`."""


def names_engine(settings: EngineChoice) -> bool:
    """Whether the settings name an engine. One other than the book implies `assume`."""
    return settings.engine not in {AUTO, NONE}
