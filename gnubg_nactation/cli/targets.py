"""Where the results of `nactate annotate` go, and which wishes do not go together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gnubg_nactation.cli.delivery import Job
from gnubg_nactation.cli.forms import FORMS
from gnubg_nactation.cli.inputs import Input, find_inputs
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

__all__ = ["find_jobs", "wrong_usage"]

_TO_SCREEN = {None, "-"}


def find_jobs(options: argparse.Namespace) -> list[Job]:
    """The files to read and where each result goes.

    What an earlier run has written into a folder inside a searched one is left out. In a folder a
    result keeps the name of its file with the ending of the new form; where two would be the
    same, both keep their old ending too (`a.mat.sgf`).
    """
    inputs = list(find_inputs(options.files))
    if options.in_place or options.output in _TO_SCREEN:
        return [Job(source, source.path if options.in_place else None) for source in inputs]
    from pathlib import Path

    output = Path(options.output)
    if output.is_dir() and any(_is_below(output, Path(name)) for name in options.files):
        inputs = [source for source in inputs if not _is_below(source.path, output)]
    to_folder = options.output.endswith(("/", "\\")) or output.is_dir()
    if len(inputs) == 1 and not to_folder and not Path(options.files[0]).is_dir():
        return [Job(inputs[0], output)]
    ending = FORMS[options.to].suffix
    places = [_named(source).with_suffix(ending) for source in inputs]
    alike = Counter(_folded(place) for place in places)
    return [
        Job(
            source,
            output / (place if alike[_folded(place)] == 1 else f"{_named(source)}{ending}"),
        )
        for place, source in zip(places, inputs, strict=True)
    ]


def wrong_usage(options: argparse.Namespace, jobs: Sequence[Job]) -> str:
    """What is wrong with the options taken together; empty if nothing is."""
    if options.encoding and not _known_encoding(options.encoding):
        return f"no such encoding: {options.encoding!r}"
    if options.plies is not None and not options.analyse:
        return "--plies goes with --analyse"
    if options.in_place:
        if options.output or options.to != "sgf":
            return "--in-place goes with SGF alone and without -o"
        if any(job.source.is_standard_input for job in jobs):
            return "--in-place cannot write to standard input"
        return ""
    if len(jobs) > 1 and options.output in _TO_SCREEN and options.to in {"sgf", "html"}:
        return f"several files to {options.to.upper()} need -o FOLDER"
    written = Counter(job.target.resolve() for job in jobs if job.target)
    for job in jobs if written else ():
        if job.source.path.resolve() in written:
            return f"{job.source.path} would be overwritten; --in-place annotates SGF in place"
    twice = [target for target, count in written.items() if count > 1]
    return f"two results would be written to {twice[0]}" if twice else ""


def _is_below(path: Path, folder: Path) -> bool:
    """Whether something lies in a folder or below it."""
    return folder.resolve() in path.resolve().parents


def _known_encoding(name: str) -> bool:
    try:
        return isinstance(" ".encode(name), bytes)
    except (LookupError, ValueError):
        return False


def _named(source: Input) -> Path:
    return source.place.with_name("stdin") if source.is_standard_input else source.place


def _folded(place: Path) -> str:
    """What two names have in common that are one on many systems."""
    return str(place).casefold()
