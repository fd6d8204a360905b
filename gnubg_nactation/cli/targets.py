"""Where the results of `nactate annotate` go, and which of its options conflict."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from functools import cache

from gnubg_nactation.cli.engine import AUTO, analyse_conflict
from gnubg_nactation.cli.forms import FORMS
from gnubg_nactation.cli.inputs import Input, below, find_inputs, tidy
from gnubg_nactation.cli.work import Job
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

_TEXT_OPTIONS = ("traditional", "layout", "boards", "fans", "forced", "start_mark", "spoken")
_TO_SCREEN = {None, "-"}


def find_jobs(options: argparse.Namespace) -> list[Job]:
    """Return the files to read, each with the file for its result.

    Results of an earlier run in a folder inside a searched one are no inputs. In a folder, a
    result has the name of its file with a new ending. If two would get the same name, both also
    keep their old ending (`a.mat.sgf`).
    """
    inputs = list(find_inputs(options.files))
    if options.in_place or options.output in _TO_SCREEN:
        return [Job(source, source.path if options.in_place else None) for source in inputs]
    output, real = tidy(options.output), _resolver()
    is_folder = os.path.isdir(output)
    if is_folder and any(_is_below(real(output), real(name)) for name in options.files):
        inputs = [source for source in inputs if not _is_below(real(source.path), real(output))]
    to_folder = options.output.endswith(("/", "\\")) or is_folder
    if len(inputs) == 1 and not to_folder and not os.path.isdir(options.files[0] or "."):
        return [Job(inputs[0], output)]
    ending = FORMS[options.to].suffix
    places = [_with_ending(_name(source), ending) for source in inputs]
    # Names that differ only in case are the same on many systems.
    counts = Counter(place.casefold() for place in places)
    return [
        Job(
            source,
            below(output) + (place if counts[place.casefold()] == 1 else _name(source) + ending),
        )
        for source, place in zip(inputs, places, strict=True)
    ]


def usage_error(options: argparse.Namespace, jobs: list[Job]) -> str:
    """Return an error if options conflict; empty if they do not."""
    if options.encoding and not _is_encoding(options.encoding):
        return f"unknown encoding: {quoted(options.encoding)}"
    if conflict := analyse_conflict(options, (("plies", None), ("engine", AUTO))):
        return conflict
    if conflict := _option_conflict(options):
        return conflict
    if options.in_place:
        if options.output or options.to != "sgf":
            return "--in-place works only with SGF files and without -o"
        if any(job.source.is_standard_input for job in jobs):
            return "--in-place cannot write to standard input"
        return ""
    if len(jobs) > 1 and options.output in _TO_SCREEN and options.to in {"sgf", "html"}:
        return f"several files to {options.to.upper()} need -o FOLDER"
    return "" if options.output in _TO_SCREEN else _overwriting(jobs)


def _option_conflict(options: argparse.Namespace) -> str:
    """Name an option without effect on the form or layout; empty if there is none."""

    def is_set(name: str) -> bool:
        return bool(getattr(options, name) != options.parser.get_default(name))

    text_option = next(filter(is_set, _TEXT_OPTIONS), "")
    if text_option and options.to in {"sgf", "mat", "json", "html"}:
        return f"--{text_option.replace('_', '-')} does nothing for --to {options.to}"
    if options.db is not None and options.to != "html":
        return f"--db does nothing for --to {options.to}"
    if options.db is not None and options.scheduler:
        return "--db is a file of this machine, which workers elsewhere do not have"
    judging = list(filter(is_set, ("blunder", "words")))
    if judging and (options.to in {"sgf", "mat"} or (judging[-1], options.to) == ("words", "json")):
        return f"--{judging[-1]} does nothing for --to {options.to}"
    if options.traditional and options.layout != "columns":
        return f"--traditional does nothing for --layout {options.layout}"
    return ""


def _overwriting(jobs: list[Job]) -> str:
    """Name an input that a result would overwrite, or a target of two results."""
    real = _resolver()
    targets = Counter(real(target) for _, target in jobs if target)
    for source, _ in jobs:
        if real(source.path) in targets:
            return f"{source.path} would be overwritten; --in-place annotates SGF in place"
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


def _is_encoding(name: str) -> bool:
    try:
        return isinstance(" ".encode(name), bytes)
    except (LookupError, ValueError):
        return False


def _name(source: Input) -> str:
    return "stdin" if source.is_standard_input else source.place


def _with_ending(place: str, ending: str) -> str:
    """Replace the ending of a name; a first or last dot begins no ending."""
    dot = place.rfind(".")
    has_ending = place.rfind(os.sep) + 1 < dot < len(place) - 1
    return (place[:dot] if has_ending else place) + ending
