"""`nactate book`: compute a book of the first rolls, and look at books."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing

from gnubg_nactation.archive.book_making import Deviation, compare_books
from gnubg_nactation.cli.results import check_output
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.decisions.severity import points
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.nacbracs.book import SHIPPED, Book, header_of, join_rollouts, pack, sections_of
from gnubg_nactation.nacbracs.nacbrac import describe_score
from gnubg_nactation.showing import counted, shown
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.tasks.books import (
    CheckBookSettings,
    MakeBookSettings,
    book_header,
    book_sections,
    check_book,
    plays_in_book,
)
from gnubg_nactation.tasks.openings import read_book
from gnubg_nactation.tasks.settings import SettingsError, setting

DESCRIPTION = """\
Compute a book, the best plays of the first rolls, and show, compare, check or join books.
`replies`, `explore` and `cards` read it. An interrupted `make` continues."""
EXAMPLES = f"""\
  nactate book show                       what the book of this program has
  nactate book show --at 31P              its replies to 31P
  nactate book check --engine builtin     compute a sample again
  nactate book make -o my.book            the replies for money
  nactate book make --rolls 3 --score money --score dmp --jobs 4 -o my.book
  nactate book compare my.book            with the book of this program
  nactate book join {SHIPPED} my.book -o new.book   with the rollouts of my.book

A FILE is a book, or `{SHIPPED}` (default) for the book of this program.
"""
USAGE = "{make,show,compare,check,join} [FILE ...]"
_FILES = {"make": 0, "show": 1, "compare": 2, "check": 1, "join": 2}


class Options(MakeBookSettings, CheckBookSettings, first="action files at engine plies output"):
    """The settings of the tasks, and the files."""

    action: str = setting("", "what to do", choices=tuple(_FILES), words="one")
    files: tuple[str, ...] = setting((), f"books to read (default: {SHIPPED})", "FILE", words="any")
    at: str | None = setting(None, "show the plays after this sequence", "SEQUENCE")
    output: str | None = setting(
        None,
        "book to write; .gz compresses it",
        "FILE",
        flags="-o --output",
        group="make",
    )


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    if len(settings.files) > _FILES[settings.action]:
        raise SettingsError(f"too many files for {settings.action}")
    if (settings.output is None) == (settings.action in {"make", "join"}):
        raise SettingsError("-o goes with make and join, which need it")
    if settings.at and settings.action != "show":
        raise SettingsError("--at goes with show")
    if settings.action == "make":
        _make(settings.output or "", settings, streams)
        return Status.OK
    first, second = [*settings.files, SHIPPED, SHIPPED][:2]
    book = read_book(first, streams)
    if settings.output is not None:
        check_output(settings.output, settings.files)
        _write(settings.output, join_rollouts(book, read_book(second, streams)))
        return Status.OK
    if settings.action == "show":
        streams.print(_contents(book) if settings.at is None else _plays(book, settings.at))
        return Status.OK
    if settings.action == "compare":
        other = read_book(second, streams)
        deviations = list(compare_books(book, other))
        streams.print(f"{book.label} | {other.label}\n{_summary(deviations)}")
        return Status.OK
    check = check_book(book, settings, streams)
    engine = f"{settings.engine}: {check.label}"
    streams.print(f"{book.label} | {engine}\n{_summary(check.deviations)}")
    return Status.OK if check.is_right else Status.FAILED


def _make(path: str, settings: Options, streams: Streams) -> None:
    """Write a book, and compress it if its name ends with `.gz`.

    Sections go to `path` with `.part` first, where a later call continues.
    """
    part = f"{path}.part"
    header, finished = _unfinished(part, book_header(settings))
    text = header
    with (
        open(part, "w", encoding="utf-8", newline="\n") as file,
        closing(book_sections(settings, header, finished, streams)) as sections,
    ):
        file.write(header)
        for section in sections:
            file.write(section)
            file.flush()
            text += section
    _write(path, text)
    os.unlink(part)


def _write(path: str, text: str) -> None:
    write_atomically(path, pack(text) if path.endswith(".gz") else text.encode())


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


def _contents(book: Book) -> str:
    """The properties of a book, and how much it has at each score."""
    positions = dict.fromkeys((position, score) for position, _, score in book.lines)
    scores = dict.fromkeys(score for _, score in positions)
    lines = [f"{name}: {shown(value)}" for name, value in book.properties.items()]
    for score in scores:
        count = sum(each == score for _, each in positions)
        decisions = sum(each == score for _, _, each in book.lines)
        lines.append(
            f"{describe_score(score)}: {decisions:,} rolls in {counted(count, 'position')}"
        )
    return "".join(f"{line}\n" for line in lines)


def _plays(book: Book, sequence: str) -> str:
    lines = plays_in_book(book, sequence)
    return "".join(f"{line.sequence} {line.read.nacbrac}\n" for line in lines)


def _summary(deviations: Sequence[Deviation]) -> str:
    """A line for each decision whose best play differs, and totals."""
    differing = [deviation for deviation in deviations if deviation.best_differs]
    lines = [
        f"{deviation.line.sequence} {deviation.line.read.nacbrac}  best play differs"
        for deviation in differing
    ]
    largest = max((deviation.points for deviation in deviations), default=0.0)
    lines.append(
        f"{counted(len(deviations), 'decision')} in both, {len(differing)} with another best play; "
        f"largest difference of a loss {points(largest)}"
    )
    return "".join(f"{line}\n" for line in lines)
