"""The match that gnubg has loaded, and the place in it that gnubg shows.

A match is read from a file that gnubg saves, not with `gnubg.match()`, which ends the whole
program if a name or a comment is not UTF-8. Saving gives the match the name of the file, so the
file gets the name that the match has already.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from gnubg_nactation.errors import NactationError
from gnubg_nactation.plugin.program import Step, gnubg_module, path_argument, run_at_once
from gnubg_nactation.plugin.window import file_name, find_window, set_title, title
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gnubg_nactation.files.sgf import SgfRecord
    from gnubg_nactation.plugin.saved import Loaded

_MATCH, _GAME, _PLACE, _AFTER = "match", "game", "place", "after"
_SAVES = {
    _MATCH: "save match",
    _GAME: "save game",
    _PLACE: "export position text",
    _AFTER: "save match",
}


def loaded_match() -> SgfRecord:
    """The match that gnubg has loaded, as gnubg saves it; gnubg itself is left unchanged.

    Raises NactationError if no match is loaded, or outside gnubg.
    """
    return look().record


def look(
    then: Callable[[Loaded], Iterable[Step]] | None = None,
    after: Callable[[SgfRecord], Iterable[Step]] | None = None,
) -> Loaded:
    """The match that gnubg has loaded, and the place in it.

    `then` returns steps for gnubg to do before the user can do anything. `after` gets the match
    after these steps and returns more. Raises as loaded_match and these functions do, and
    KeyboardInterrupt if gnubg was stopped.
    """
    results: list[Loaded] = []
    with _files() as files:
        saves = {
            kind: f"{command} {path_argument(files[kind])}" for kind, command in _SAVES.items()
        }

        def export() -> Iterable[Step]:
            if not os.path.exists(files[_MATCH]):
                raise NactationError("no match is loaded; open one first")
            # Imported only if there is a match to read.
            from gnubg_nactation.plugin import saved  # noqa: PLC0415

            record = saved.read(_contents(files[_MATCH]))
            yield saves[_GAME]
            # Without a play gnubg would forget the roll that it shows; before the first play of a
            # game it cannot export a position.
            has_place = saved.has_plays(record.match) and gnubg_module().board() is not None
            if has_place:
                yield saves[_PLACE]

            def read() -> Iterable[Step]:
                board = _contents(files[_PLACE]) if has_place else b""
                place = saved.read_place(record, _contents(files[_GAME]), board)
                results.append(saved.Loaded(record, place))
                if then:
                    yield from then(results[0])
                if after:
                    yield saves[_AFTER]
                    last = after
                    yield lambda: last(saved.read(_contents(files[_AFTER])))

            yield read

        try:
            run_at_once(saves[_MATCH], export)
        except KeyboardInterrupt:
            if os.path.exists(files[_MATCH]):  # gnubg would ask whether to replace it
                raise
            run_at_once(saves[_MATCH], export)  # gnubg stopped work that it did before ours
    return results[0]


@contextmanager
def _files() -> Iterator[dict[str, str]]:
    """Files with the name of the match, for gnubg to save to."""
    window = find_window()
    old_title = title(window) if window else ""
    name = file_name(window)
    if re.search(r"[\x00-\x1f\x7f/\\]", name):
        name = ""
    with temporary_folder() as folder, _backups_kept():
        for kind in _SAVES:
            os.mkdir(os.path.join(folder, kind))
        try:
            yield {kind: os.path.join(folder, kind, f"{name}.sgf") for kind in _SAVES}
        finally:
            if window and not name and title(window).endswith(" ()"):
                set_title(window, old_title)


@contextmanager
def _backups_kept() -> Iterator[None]:
    """Keep gnubg's automatic backups, which it deletes when it saves a match."""
    folder = os.path.join(os.path.expanduser("~"), ".gnubg", "backup")
    try:
        files = [entry.path for entry in os.scandir(folder) if entry.name.endswith(".sgf")]
        backups = {file: _contents(file) for file in files}
    except OSError:
        backups = {}
    yield
    for file, data in backups.items():
        if not os.path.exists(file):
            with open(file, "wb") as opened:
                opened.write(data)


def _contents(file: str) -> bytes:
    with open(file, "rb") as opened:
        return opened.read()
