"""Where the results of `nactate annotate` go, and which wishes do not go together."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from gnubg_nactation.cli.forms import FORMS
from gnubg_nactation.cli.inputs import Input

__all__ = ["is_below", "targets", "wrong_usage"]

_TO_SCREEN = {None, "-"}


def targets(options: argparse.Namespace, inputs: Sequence[Input]) -> list[Path | None]:
    """Where each result goes; None is standard output.

    In a folder a result keeps the name of its file with the ending of the new form; where two
    would be the same, both keep their old ending too (`a.mat.sgf`).
    """
    if options.in_place:
        return [source.path for source in inputs]
    if options.output in _TO_SCREEN:
        return [None] * len(inputs)
    output = Path(options.output)
    to_folder = options.output.endswith(("/", "\\")) or output.is_dir()
    if len(inputs) == 1 and not to_folder and not Path(options.files[0]).is_dir():
        return [output]
    ending = FORMS[options.to].suffix
    places = [_named(source).with_suffix(ending) for source in inputs]
    alike = Counter(_folded(place) for place in places)
    return [
        output / (place if alike[_folded(place)] == 1 else f"{_named(source)}{ending}")
        for place, source in zip(places, inputs, strict=True)
    ]


def is_below(path: Path, folder: Path) -> bool:
    """Whether a file lies in a folder or below it."""
    return folder.resolve() in path.resolve().parents


def wrong_usage(
    options: argparse.Namespace, inputs: Sequence[Input], places: Sequence[Path | None]
) -> str:
    """What is wrong with the options taken together; empty if nothing is."""
    if options.encoding and not _known_encoding(options.encoding):
        return f"no such encoding: {options.encoding!r}"
    if options.plies is not None and not options.analyse:
        return "--plies goes with --analyse"
    if options.in_place:
        if options.output or options.to != "sgf":
            return "--in-place goes with SGF alone and without -o"
        if any(source.is_standard_input for source in inputs):
            return "--in-place cannot write to standard input"
        return ""
    if len(inputs) > 1 and options.output in _TO_SCREEN and options.to in {"sgf", "html"}:
        return f"several files to {options.to.upper()} need -o FOLDER"
    resolved = [place.resolve() for place in places if place]
    written = set(resolved)
    for source in inputs:
        if source.path.resolve() in written:
            return f"{source.path} would be overwritten; --in-place annotates SGF in place"
    twice = [place for place, count in Counter(resolved).items() if count > 1]
    return f"two results would be written to {twice[0]}" if twice else ""


def _known_encoding(name: str) -> bool:
    try:
        return isinstance(" ".encode(name), bytes)
    except (LookupError, ValueError):
        return False


def _named(source: Input) -> Path:
    return Path("stdin") if source.is_standard_input else source.place


def _folded(place: Path) -> str:
    """What two names have in common that are one on many systems."""
    return str(place).casefold()
