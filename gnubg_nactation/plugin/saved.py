"""Read a match that gnubg has saved, and the place in it that gnubg shows."""

from __future__ import annotations

import re
from bisect import bisect_left

from gnubg_nactation.backgammon.match import Action, Match, Move
from gnubg_nactation.errors import NactationError
from gnubg_nactation.files import sgf
from gnubg_nactation.files.sgf import Node, find_property, main_line, parse
from gnubg_nactation.showing import LONGEST_NAME, counted, shown
from gnubg_nactation.values import NamedTuple

# The number of the move, in any language, above two lines of IDs above the board; after a
# resignation the first ID is in the same line. A board that is clockwise begins with 1 or 24.
_NUMBER = re.compile(
    rb"^[^0-9\n]*([0-9]+)(?![0-9])[^\n]*(?:\n\s*\n[^\n]*)?\n[^\n]*\n +\+(?:1[23]|24|-1)-",
    re.MULTILINE,
)


class RecordIndex(NamedTuple):
    """A place in a match: a game, from 0, and the number of its records before the place."""

    game: int
    passed: int


class Loaded(NamedTuple):
    """A match as gnubg saves it, and the place in it."""

    record: sgf.SgfRecord
    place: RecordIndex

    @property
    def records(self) -> tuple[Node, ...]:
        """The nodes of the game that gnubg shows, without its root."""
        return self._nodes(self.place.game)

    def indices(self, game: int) -> list[RecordIndex | None]:
        """The place before each action of a game; None if gnubg has no record of it."""
        at = {node.start: number for number, node in enumerate(self._nodes(game))}
        return [
            None if node is None else RecordIndex(game, at[node.start])
            for node in self.record.nodes[game]
        ]

    def _nodes(self, game: int) -> tuple[Node, ...]:
        return main_line(parse(self.record.data)[game])[1:]

    @property
    def coming(self) -> Action | None:
        """The next action of the record; None at the end of the game."""
        game, passed = self.place
        actions = zip(self.record.nodes[game], self.record.match.games[game].actions, strict=True)
        coming = self.records[passed : passed + 1]
        return next((action for node, action in actions if (node,) == coming), None)


def read(data: bytes) -> sgf.SgfRecord:
    """The match of a file that gnubg has saved, without gnubg's hint for the next play."""
    return sgf.read(_without_hint(data))


def read_place(record: sgf.SgfRecord, game: bytes, board: bytes) -> RecordIndex:
    """The place in the match, from the `game` and the text of the `board` that gnubg saved.

    Raises NactationError if the text has no number of a move.
    """
    start = record.data.find(_without_hint(game).strip())
    starts = [tree.nodes[0].start for tree in parse(record.data)]
    number = _NUMBER.search(board)
    if board and not number:
        raise NactationError("gnubg does not show the number of the move")
    return RecordIndex(bisect_left(starts, max(start, 0)), int(number[1]) - 1 if number else 0)


def has_plays(match: Match) -> bool:
    """Whether any play was made in a match; it may only set up a position."""
    actions = (action for game in match.games for action in game.actions)
    return any(isinstance(action, Move) and action.hops for action in actions)


def describe(match: Match) -> str:
    """The players, length and size of a match in a line."""
    moves = sum(isinstance(action, Move) for game in match.games for action in game.actions)
    kind = f"{match.length} point match" if match.length else "money session"
    games = counted(len(match.games), "game")
    players = (shown(name, LONGEST_NAME) for name in match.players)
    return f"{' - '.join(players)}, {kind}, {games}, {counted(moves, 'roll')}"


def _without_hint(data: bytes) -> bytes:
    """A file that gnubg has saved without gnubg's hint, if that is the last node.

    A hint is a move after a node with its roll (a real move replaces the roll), or a take by the
    doubler.
    """
    *_, previous, last = (None, None, *main_line(parse(data)[-1]))
    if previous is None or last is None:
        return data
    properties = {name: find_property(previous, name) for name in (b"B", b"W", b"PL", b"DI")}
    for colour in (b"B", b"W"):
        action = find_property(last, colour)
        if action is None:
            continue
        is_take = action.values[0] == b"take"
        doubled, rolled = properties[colour], properties[b"DI"] and properties[b"PL"]
        takes_itself = is_take and doubled and doubled.values[0] == b"double"
        if takes_itself or (not is_take and rolled and rolled.values[0] == colour):
            return data[: last.start].rstrip() + data[last.end :]
    return data
