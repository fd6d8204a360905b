"""A match as gnubg has saved it, and the place in it that gnubg shows, read from its files."""

from __future__ import annotations

import re
from bisect import bisect_left

from gnubg_nactation.backgammon.match import Action, Match, Move
from gnubg_nactation.files import sgf
from gnubg_nactation.files.sgf.tree import Node, find_property, main_line, parse
from gnubg_nactation.showing import LONGEST_NAME, counted, shown
from gnubg_nactation.values import NamedTuple

# Above the board stand two lines of IDs, and above these the number of the move, in whatever
# language; where a resignation is told, the first ID stands in the same line.
_NUMBER = re.compile(
    rb"^[^0-9\n]*([0-9]+)(?![0-9])[^\n]*(?:\n\s*\n[^\n]*)?\n[^\n]*\n \+1[23]-", re.MULTILINE
)


class RecordIndex(NamedTuple):
    """A game by its number from 0, and how many of its records come before this place."""

    game: int
    passed: int


class Loaded(NamedTuple):
    """A match as gnubg saves it, and the place in it."""

    record: sgf.SgfRecord
    place: RecordIndex

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


def read(data: bytes) -> sgf.SgfRecord:
    """The match of a file that gnubg has saved, without what gnubg thinks of next."""
    return sgf.read(_without_hint(data))


def read_place(record: sgf.SgfRecord, game: bytes, board: bytes) -> RecordIndex:
    """Where in the match gnubg is: it has saved the `game`, and the text of the `board` if any."""
    shown = record.data.find(_without_hint(game).strip())
    starts = [tree.nodes[0].start for tree in parse(record.data)]
    number = _NUMBER.search(board)
    return RecordIndex(bisect_left(starts, max(shown, 0)), int(number[1]) - 1 if number else 0)


def has_plays(match: Match) -> bool:
    """Whether anything was played in a match, which may be no more than a set-up."""
    actions = (action for game in match.games for action in game.actions)
    return any(isinstance(action, Move) and action.hops for action in actions)


def describe(match: Match) -> str:
    """Players, length and size of a match, in a line."""
    moves = sum(isinstance(action, Move) for game in match.games for action in game.actions)
    kind = f"{match.length} point match" if match.length else "money session"
    games = counted(len(match.games), "game")
    players = (shown(name, LONGEST_NAME) for name in match.players)
    return f"{' - '.join(players)}, {kind}, {games}, {counted(moves, 'roll')}"


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
