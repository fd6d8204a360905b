"""The files of a run over many matches: what is read, where results go, and their settings."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.showing import quoted
from gnubg_nactation.tasks.annotating import FORMS, Result
from gnubg_nactation.tasks.outcomes import Failure
from gnubg_nactation.tasks.settings import setting
from gnubg_nactation.tasks.sources import (
    MEGABYTES,
    STANDARD_INPUT,
    Input,
    Job,
    below,
    find_inputs,
    tidy,
    write,
)
from gnubg_nactation.values import Any


def largest_setting() -> Any:
    """Declare the largest file that is read, in megabytes."""
    return setting(MEGABYTES, f"largest input in MB (default: {MEGABYTES})", "MB", parse=_megabytes)


def _megabytes(text: str) -> int:
    if text.isdecimal() and 0 < int(text[:9]) <= 1_000_000:
        return int(text)
    raise MalformedError(f"{quoted(text)} is not a number of megabytes")


def find_jobs(
    files: Sequence[str], form: str, output: str | None, *, in_place: bool = False
) -> list[Job]:
    """Return the files to read, each with the file for its result.

    Results of an earlier run in a folder inside a searched one are no inputs. In a folder, a
    result has the name of its file with a new ending. If two would get the same name, both also
    keep their old ending (`a.mat.sgf`).
    """
    inputs = list(find_inputs(files))
    if in_place or output is None or output == STANDARD_INPUT:
        return [Job(source, source.path if in_place else None) for source in inputs]
    folder, real = tidy(output), _resolver()
    is_folder = os.path.isdir(folder)
    if is_folder and any(_is_below(real(folder), real(name)) for name in files):
        inputs = [source for source in inputs if not _is_below(real(source.path), real(folder))]
    to_folder = output.endswith(("/", "\\")) or is_folder
    if len(inputs) == 1 and not to_folder and not os.path.isdir(files[0] or "."):
        return [Job(inputs[0], folder)]
    ending = FORMS[form].suffix
    places = [_with_ending(_name(source), ending) for source in inputs]
    # Names that differ only in case are the same on many systems.
    counts = Counter(place.casefold() for place in places)
    return [
        Job(
            source,
            below(folder) + (place if counts[place.casefold()] == 1 else _name(source) + ending),
        )
        for source, place in zip(inputs, places, strict=True)
    ]


def overwriting(jobs: list[Job]) -> str:
    """Name an input that a result would overwrite, or a target of two results."""
    real = _resolver()
    targets = Counter(real(target) for _, target in jobs if target)
    for path in [path for source, _ in jobs for path in (source.path, *source.others)]:
        if real(path) in targets:
            return f"{path} would be overwritten; --in-place annotates SGF in place"
    twice = next((target for target, count in targets.items() if count > 1), "")
    return f"two results would be written to {twice}" if twice else ""


def _resolver() -> Callable[[str], str]:
    """Return a fast `realpath` for many files in few folders."""

    @cache
    def real_folder(path: str) -> str:
        return os.path.realpath(path)

    def real(path: str) -> str:
        folder, name = os.path.split(path)
        if name in {"", ".", ".."}:
            return real_folder(path)
        place = os.path.join(real_folder(folder), name)
        return os.path.realpath(place) if os.path.islink(place) else place

    return real


def _is_below(path: str, folder: str) -> bool:
    """Whether a real path is inside a folder, at any depth."""
    return path != folder and path.startswith(os.path.join(folder, ""))


def _name(source: Input) -> str:
    return "stdin" if source.is_standard_input else source.place


def _with_ending(place: str, ending: str) -> str:
    """Replace the ending of a name; a first or last dot begins no ending."""
    dot = place.rfind(".")
    has_ending = place.rfind(os.sep) + 1 < dot < len(place) - 1
    return (place[:dot] if has_ending else place) + ending


def report_outcome(job: Job, outcome: Result | Failure, streams: Streams) -> None:
    """Report a failure, or the warnings about a file that was annotated."""
    if isinstance(outcome, Failure):
        streams.report(f"{outcome.where or job.name}: {outcome.reason}")
        return
    for remark in outcome.remarks:
        streams.report(f"{job.name}: {remark}")


def add_contents(targets: Sequence[str], output: str | None) -> None:
    """Write the contents page of a folder for these pages, unless another file has its name.

    It is made from the pages themselves, also from those of an earlier run. Raises OSError.
    """
    from pathlib import Path

    from gnubg_nactation.exports.contents_page import (
        CONTENTS,
        contents_page,
        is_contents_page,
        read_entries,
    )

    if output is None or not os.path.isdir(output):
        return
    folder = Path(output)
    contents = folder / CONTENTS
    if contents.is_file() and not is_contents_page(contents.read_bytes()):
        return
    pages = [
        (Path(os.path.relpath(target, output)).as_posix(), entries)
        for target in map(Path, targets)
        if target.is_file() and (entries := read_entries(target.read_bytes()))
    ]
    if pages:
        write(str(contents), contents_page(pages).encode())
