"""The contents page of a folder of match pages."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from gnubg_nactation.cli.work import write
from gnubg_nactation.exports.contents_page import (
    CONTENTS,
    contents_page,
    is_contents_page,
    read_entries,
)


def write_contents(targets: Sequence[str], output: str | None) -> None:
    """Write the contents page of a folder for these pages, unless another file has its name.

    It is made from the pages themselves, also from those of an earlier run. Raises OSError.
    """
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
