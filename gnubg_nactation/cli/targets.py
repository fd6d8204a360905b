"""Where the results of `nactate annotate` go, and which wishes do not go together."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

from gnubg_nactation.cli.delivery import Job
from gnubg_nactation.cli.engine import AUTO, analyse_conflict
from gnubg_nactation.cli.forms import FORMS
from gnubg_nactation.cli.inputs import Input, Tell, below, find_inputs, tidy
from gnubg_nactation.cli.packed import Packed, repeated
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

_TEXT_OPTIONS = ("traditional", "layout", "boards", "fans", "forced", "start_mark", "spoken")
_TO_SCREEN = {None, "-"}


def find_jobs(options: argparse.Namespace, tell: Tell) -> Packed[Job]:
    """The files to read and where each result goes.

    What an earlier run has written into a folder inside a searched one is left out. In a folder a
    result keeps the name of its file with the ending of the new form; where two would be the
    same, both keep their old ending too (`a.mat.sgf`). `tell` as in `find_inputs`.
    """
    found = find_inputs(options.files, tell)
    if options.in_place or options.output in _TO_SCREEN:
        return Packed(Job(source, source.path if options.in_place else None) for source in found)
    output, real = tidy(options.output), _resolver()
    is_folder = os.path.isdir(output)
    if is_folder and any(_is_below(real(output), real(name)) for name in options.files):
        found = (one for one in found if not _is_below(real(one.path), real(output)))
    inputs = Packed(found)
    to_folder = options.output.endswith(("/", "\\")) or is_folder
    if len(inputs) == 1 and not to_folder and not os.path.isdir(options.files[0] or "."):
        return Packed(Job(source, output) for source in inputs)
    head, ending = below(output), FORMS[options.to].suffix
    alike = repeated(lambda: (_folded(_with_ending(_named(one), ending)) for one in inputs))

    def target(source: Input) -> str:
        named = _named(source)
        place = _with_ending(named, ending)
        return head + (named + ending if alike and _folded(place) in alike else place)

    return Packed(Job(source, target(source)) for source in inputs)


def usage_error(options: argparse.Namespace, jobs: Packed[Job]) -> str:
    """What is wrong with the options taken together; empty if nothing is."""
    if options.encoding and not _known_encoding(options.encoding):
        return f"no such encoding: {quoted(options.encoding)}"
    if idle := analyse_conflict(options, (("plies", None), ("engine", AUTO))):
        return idle
    if conflict := _option_conflict(options):
        return conflict
    if options.in_place:
        if options.output or options.to != "sgf":
            return "--in-place goes with SGF alone and without -o"
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

    given = list(filter(is_set, _TEXT_OPTIONS))
    if given and options.to in {"sgf", "json", "html"}:
        return f"--{given[0].replace('_', '-')} does nothing for --to {options.to}"
    if options.db is not None and options.to != "html":
        return f"--db does nothing for --to {options.to}"
    if options.db is not None and options.scheduler:
        return "--db is a file of this machine, which workers elsewhere do not have"
    judged = list(filter(is_set, ("blunder", "words")))
    if judged and (options.to == "sgf" or (judged[-1], options.to) == ("words", "json")):
        return f"--{judged[-1]} does nothing for --to {options.to}"
    if options.traditional and options.layout != "columns":
        return f"--traditional does nothing for --layout {options.layout}"
    return ""


def _overwriting(jobs: Packed[Job]) -> str:
    real = _resolver()

    def paths() -> Iterator[str]:
        for source, target in jobs:
            yield real(source.path)
            if target:
                yield real(target)

    again = repeated(paths)
    if not again:
        return ""
    written = Counter(path for job in jobs if job.target and (path := real(job.target)) in again)
    for job in jobs:
        if real(job.source.path) in written:
            return f"{job.source.path} would be overwritten; --in-place annotates SGF in place"
    twice = [target for target, count in written.items() if count > 1]
    return f"two results would be written to {twice[0]}" if twice else ""


def _resolver() -> Callable[[str], str]:
    """What finds the place that a path leads to, for many in few folders."""

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
    """Whether something lies in a folder or below it; what paths lead to."""
    return path != folder and path.startswith(os.path.join(folder, ""))


def _known_encoding(name: str) -> bool:
    try:
        return isinstance(" ".encode(name), bytes)
    except (LookupError, ValueError):
        return False


def _named(source: Input) -> str:
    return "stdin" if source.is_standard_input else source.place


def _with_ending(place: str, ending: str) -> str:
    """With another ending; a dot that begins or ends a name begins no ending."""
    dot = place.rfind(".")
    has_ending = place.rfind(os.sep) + 1 < dot < len(place) - 1
    return (place[:dot] if has_ending else place) + ending


def _folded(place: str) -> str:
    """What two names have in common that are one on many systems."""
    return place.casefold()
