"""The match that gnubg has loaded, and the place in it that gnubg shows.

A match is read from the file that gnubg saves, not with `gnubg.match()`: that ends the whole
program where a name or a comment is not UTF-8. Saving makes the file's name that of the match,
so the file has the name that the match has; its folder is of no account to gnubg.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from gnubg_nactation.backgammon.match import Action, Match, Move
from gnubg_nactation.errors import NactationError
from gnubg_nactation.files import sgf
from gnubg_nactation.files.sgf.tree import Node, find_property, main_line, parse
from gnubg_nactation.plugin.program import Step, gnubg_module, quoted, run_at_once
from gnubg_nactation.plugin.window import file_name, find_window, set_title, title
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.values import NamedTuple

__all__ = ["Loaded", "Place", "loaded_match", "look"]

_MATCH, _GAME, _PLACE, _AFTER = "match", "game", "place", "after"
_SAVES = {
    _MATCH: "save match",
    _GAME: "save game",
    _PLACE: "export position text",
    _AFTER: "save match",
}
# Above the board stand two lines of IDs, and above these the number of the move, in whatever
# language; where a resignation is told, the first ID stands in the same line.
_NUMBER = re.compile(
    rb"^[^0-9\n]*([0-9]+)[^\n]*(?:\n\s*\n[^\n]*)?\n[^\n]*\n \+1[23]-", re.MULTILINE
)


class Place(NamedTuple):
    """The game that gnubg shows, and how many of its records lie before the place; from 0."""

    game: int
    passed: int


class Loaded(NamedTuple):
    """A match as gnubg saves it, and the place in it."""

    record: sgf.SgfRecord
    place: Place

    @property
    def records(self) -> tuple[Node, ...]:
        """The nodes of the game that gnubg shows, without its root."""
        return main_line(parse(self.record.data)[self.place.game])[1:]

    @property
    def coming(self) -> Action | None:
        """What the record has next, None at the end of the game."""
        game, passed = self.place
        actions = zip(self.record.nodes[game], self.record.match.games[game].actions, strict=True)
        coming = self.records[passed : passed + 1]
        return next((one for node, one in actions if (node,) == coming), None)


def loaded_match() -> sgf.SgfRecord:
    """The match that gnubg has loaded, as gnubg saves it.

    Its name, the place in it, and all settings stay. Raises NactationError if there is none, or
    outside gnubg.
    """
    return look().record


def look(
    then: Callable[[Loaded], Iterable[Step]] | None = None,
    after: Callable[[sgf.SgfRecord], Iterable[Step]] | None = None,
) -> Loaded:
    """The match that gnubg has loaded, and the place in it.

    `then` gives steps that gnubg is to do before the user can do anything, and `after` more, when
    these are done: it gets the match as it is then. Raises as loaded_match does, and what they
    raise; KeyboardInterrupt if gnubg was stopped on the way.
    """
    found: list[Loaded] = []
    with _files() as files:
        saves = {kind: f"{command} {quoted(str(files[kind]))}" for kind, command in _SAVES.items()}

        def export() -> Iterable[Step]:
            if not files[_MATCH].exists():
                raise NactationError("no match is loaded")
            record = sgf.read(_without_hint(files[_MATCH].read_bytes()))
            yield saves[_GAME]
            # Without a play gnubg would bring its memory of the roll up to date, and before the
            # first of a game it would only say that it cannot.
            if has_plays(record.match) and gnubg_module().board() is not None:
                yield saves[_PLACE]
            yield partial(read, record)

        def read(record: sgf.SgfRecord) -> Iterable[Step]:
            found.append(Loaded(record, _place(record, files)))
            if then:
                yield from then(found[0])
            if after:
                yield saves[_AFTER]
                go_on = after
                yield lambda: go_on(sgf.read(_without_hint(files[_AFTER].read_bytes())))

        try:
            run_at_once(saves[_MATCH], export)
        except KeyboardInterrupt:
            if found:
                raise
            run_at_once(saves[_MATCH], export)  # what was stopped was done before, without us
    return found[0]


def has_plays(match: Match) -> bool:
    """Whether anything was played in a match, which may be no more than a set-up."""
    actions = (action for game in match.games for action in game.actions)
    return any(isinstance(action, Move) and action.hops for action in actions)


@contextmanager
def _files() -> Iterator[dict[str, Path]]:
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
            yield {kind: Path(folder, kind, f"{name}.sgf") for kind in _SAVES}
        finally:
            if window and not name and title(window).endswith(" ()"):
                set_title(window, before)


@contextmanager
def _backups_kept() -> Iterator[None]:
    """Keep what gnubg has saved by itself: it takes that away when it saves a match."""
    folder = Path.home() / ".gnubg" / "backup"
    try:
        backups = {file: file.read_bytes() for file in folder.glob("*.sgf")}
    except OSError:
        backups = {}
    yield
    for file, data in backups.items():
        if not file.exists():
            file.write_bytes(data)


def _without_hint(data: bytes) -> bytes:
    """What gnubg has saved, without what it thinks of next, if that is the last node.

    It saves the play or the answer that it would look at now, though nothing was played: a move
    behind its own roll (a real one takes the place of that), or a take by who has doubled.
    """
    *_, before, last = (None, None, *main_line(parse(data)[-1]))
    if before is None or last is None:
        return data
    first = {name: find_property(before, name) for name in (b"B", b"W", b"PL", b"DI")}
    for colour in (b"B", b"W"):
        found = find_property(last, colour)
        if found is None:
            continue
        took = found.values[0] == b"take"
        doubled, rolled = first[colour], first[b"DI"] and first[b"PL"]
        doubled_itself = took and doubled and doubled.values[0] == b"double"
        if doubled_itself or (not took and rolled and rolled.values[0] == colour):
            return data[: last.start].rstrip() + data[last.end :]
    return data


def _place(record: sgf.SgfRecord, files: Mapping[str, Path]) -> Place:
    shown = record.data.find(_without_hint(files[_GAME].read_bytes()).strip())
    starts = [tree.nodes[0].start for tree in parse(record.data)]
    # It is not there before the first roll of a game.
    number = files[_PLACE].exists() and _NUMBER.search(files[_PLACE].read_bytes())
    return Place(bisect_left(starts, max(shown, 0)), int(number[1]) - 1 if number else 0)
