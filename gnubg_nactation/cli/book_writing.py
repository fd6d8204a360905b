"""Writing a book section by section, so that an interrupted run continues where it stopped."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial

from gnubg_nactation.archive.book_making import MakingSettings, Node, Task, make_sections, tasks_of
from gnubg_nactation.errors import EngineError, IllegalError
from gnubg_nactation.nacbracs.book import Book, parse_book
from gnubg_nactation.nacbracs.book_format import header_of, pack, sections_of
from gnubg_nactation.system.atomic import write_atomically

Compute = Callable[[Iterable[Task]], Iterator[str]]
"""Computes the sections of tasks, in order; raises EngineError."""

Level = Callable[[Book], Sequence[Node]]
"""The positions of a roll, which may depend on the book so far."""


def write_book(
    path: str,
    header: str,
    levels: Sequence[Level],
    compute: Compute,
    watch: Callable[[int, int], None] | None,
) -> None:
    """Write a book, and compress it if its name ends with `.gz`.

    Sections go to `path` with `.part` first, where a later call continues. `watch` is called with
    the number of sections done and of those known so far. Raises EngineError, OSError, and
    IllegalError if the unfinished book has another header.
    """
    part = f"{path}.part"
    header, sections = _unfinished(part, header)
    written: list[str] = []
    with open(part, "w", encoding="utf-8", newline="\n") as file:
        file.write(header)

        def add(section: str) -> None:
            file.write(section)
            file.flush()
            written.append(section)

        for level in levels:
            nodes = level(parse_book(header + "".join(written), part))
            tasks = list(tasks_of(nodes))
            total = len(written) + len(nodes)
            while tasks and len(sections) >= len(tasks[0]):
                for _ in tasks.pop(0):
                    add(sections.pop(0))
            if tasks:
                sections = []  # a task without all its sections starts again
            for section in compute(tasks):
                add(section)
                if watch:
                    watch(len(written), total)
    text = header + "".join(written)
    write_atomically(path, pack(text) if path.endswith(".gz") else text.encode())
    os.unlink(part)


def _unfinished(part: str, header: str) -> tuple[str, list[str]]:
    """The header and the sections of an unfinished book, which keeps its date."""
    if not os.path.exists(part):
        return header, []
    with open(part, encoding="utf-8") as file:
        text = file.read()
    old, new = header_of(text), header_of(header)
    if not old:
        return header, []
    if old | {"date": ""} != new | {"date": ""}:
        raise IllegalError(
            f"{part} is an unfinished book with other options; repeat those, or delete it"
        )
    return header.replace(f"# date: {new['date']}", f"# date: {old['date']}"), [*sections_of(text)]


def computer(settings: MakingSettings, jobs: int, scheduler: str | None = None) -> Compute:
    """The function that computes sections in this many processes, or in a cluster."""
    make = partial(make_sections, settings)

    def compute(tasks: Iterable[Task]) -> Iterator[str]:
        if scheduler:
            from gnubg_nactation.cli.cluster import tasks_by_scheduler

            sections = tasks_by_scheduler(tasks, make, "", scheduler)
        elif jobs > 1:
            from gnubg_nactation.cli.pool import by_pool

            sections = by_pool(tasks, make, "", jobs)
        else:
            sections = (section for task in tasks for section in make(task))
        with closing(sections):
            for section in sections:
                if not section:
                    raise EngineError("a worker died; run the same command again to continue")
                yield section

    return compute
