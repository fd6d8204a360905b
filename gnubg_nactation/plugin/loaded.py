"""The match that gnubg has loaded, and the place in it that gnubg shows.

A match is read from the file that gnubg saves, not with `gnubg.match()`: that ends the whole
program where a name or a comment is not UTF-8. Saving makes the file's name that of the match,
so the file has the name that the match has; its folder is of no account to gnubg.
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
    """The match that gnubg has loaded, as gnubg saves it.

    Its name, the place in it, and all settings stay. Raises NactationError if there is none, or
    outside gnubg.
    """
    return look().record


def look(
    then: Callable[[Loaded], Iterable[Step]] | None = None,
    after: Callable[[SgfRecord], Iterable[Step]] | None = None,
) -> Loaded:
    """The match that gnubg has loaded, and the place in it.

    `then` gives steps that gnubg is to do before the user can do anything, and `after` more, when
    these are done: it gets the match as it is then. Raises as loaded_match does, and what they
    raise; KeyboardInterrupt if gnubg was stopped on the way.
    """
    found: list[Loaded] = []
    with _files() as files:
        saves = {
            kind: f"{command} {path_argument(files[kind])}" for kind, command in _SAVES.items()
        }

        def export() -> Iterable[Step]:
            if not os.path.exists(files[_MATCH]):
                raise NactationError("no match is loaded")
            # Only now: the plugin is imported whether there is a match to be read or not.
            from gnubg_nactation.plugin import saved  # noqa: PLC0415

            record = saved.read(_contents(files[_MATCH]))
            yield saves[_GAME]
            # Without a play gnubg would bring its memory of the roll up to date, and before the
            # first of a game it would only say that it cannot.
            shows = saved.has_plays(record.match) and gnubg_module().board() is not None
            if shows:
                yield saves[_PLACE]

            def read() -> Iterable[Step]:
                board = _contents(files[_PLACE]) if shows else b""
                place = saved.read_place(record, _contents(files[_GAME]), board)
                found.append(saved.Loaded(record, place))
                if then:
                    yield from then(found[0])
                if after:
                    yield saves[_AFTER]
                    go_on = after
                    yield lambda: go_on(saved.read(_contents(files[_AFTER])))

            yield read

        try:
            run_at_once(saves[_MATCH], export)
        except KeyboardInterrupt:
            if found:
                raise
            run_at_once(saves[_MATCH], export)  # what was stopped was done before, without us
    return found[0]


@contextmanager
def _files() -> Iterator[dict[str, str]]:
    """Files that gnubg can save to under the name that its match has."""
    window = find_window()
    before = title(window) if window else ""
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
                set_title(window, before)


@contextmanager
def _backups_kept() -> Iterator[None]:
    """Keep what gnubg has saved by itself: it takes that away when it saves a match."""
    folder = os.path.join(os.path.expanduser("~"), ".gnubg", "backup")
    try:
        files = [one.path for one in os.scandir(folder) if one.name.endswith(".sgf")]
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
