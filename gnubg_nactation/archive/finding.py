"""Finds sequences and positions in an archive, and the places of turns in match files."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from gnubg_nactation.archive.database import has_column, has_index
from gnubg_nactation.archive.filters import ALL, TABLES, Filters, selects, where
from gnubg_nactation.archive.likely import likely_games
from gnubg_nactation.archive.play_names import is_named
from gnubg_nactation.backgammon.analysis import CubeAct
from gnubg_nactation.backgammon.ids import pack_position
from gnubg_nactation.backgammon.match import count_moves, place_name
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.sequences.pattern import TAKE, Pattern, Step, ends
from gnubg_nactation.system.paths import near
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3

_STARTS = {False: pack_position(STANDARD), True: pack_position(NACKGAMMON)}
_SHOWN_ACTIONS = {CubeAct.DOUBLE.value, CubeAct.DROP.value}  # the cube actions that sequences have


class TurnLocation(NamedTuple):
    """The place of a turn in its file, with the numbers of move lists.

    `file` is a path, relative if it is below the current folder. `match` counts the matches of the
    file from 1. `player` acts; 0 is the first player.
    """

    file: str
    match: int
    game: int
    move: int
    player: int

    @property
    def decision(self) -> str:
        """The place within the file: `2.13b`; in its second match `2.2.13b`."""
        return place_name(self.game, self.move, self.player, self.match)

    def __str__(self) -> str:
        """Return the place as `card` and `post` read it: `final.sgf#2.13b`."""
        return f"{self.file}#{self.decision}"


class FoundTurn(NamedTuple):
    """A turn that matches a search; `turn` is its number in the game.

    `before` has the tokens of the game up to and including this turn, `after` the rest.
    `sequence` leads from the start to this turn; it is empty if the game began from a position
    that was set up, or an illegal play came before. `players` and `date` are those of the match.
    """

    place: TurnLocation
    turn: int
    sequence: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    players: tuple[str, str]
    date: str


class _Row(NamedTuple):
    turn: int
    player: int
    roll: int
    nactation: str
    play: str
    position: bytes


class _GameTurn(NamedTuple):
    """A turn: its token in sequences (may be empty), and the token that patterns match.

    An illegal play has no row.
    """

    token: str
    pattern_token: str
    row: _Row | None = None


class _Head(NamedTuple):
    """A game without its turns.

    `sequence` and `moves` are as in the table. `selected` has 1 for each player whose turns meet
    the filters, else 0.
    """

    sequence: str
    moves: str
    file: str
    match: int
    number: int
    players: tuple[str, str]
    date: str
    selected: tuple[int, int]


class _Game(NamedTuple):
    """A game by its `id`, its turns, and the signs before its sequence: `N `, `-`, both or none."""

    id: int
    head: _Head
    begins: str
    turns: tuple[_GameTurn, ...]

    @property
    def start(self) -> bytes:
        """The position of the first turn in the database."""
        return next((turn.row.position for turn in self.turns if turn.row), b"")

    def sequence(self, at: int) -> str:
        """The sequence up to and including a turn; empty if no sequence leads there."""
        turns = self.turns[: at + 1]
        legal = all(turn.row and turn.row.turn == number for number, turn in enumerate(turns, 1))
        if not legal or self.start not in _STARTS.values():
            return ""
        return self.begins + "-".join(turn.token for turn in turns if turn.token)

    def move_numbers(self) -> dict[int, int]:
        """The move number of each turn, by its number in the game."""
        rows = [turn.row for turn in self.turns if turn.row]
        moves = [int(move) for move in self.head.moves.split()]
        if len(moves) != len(rows):
            moves = count_moves(Player(row.player) for row in rows)
        return dict(zip((row.turn for row in rows), moves, strict=True))

    def place(self, row: _Row, numbers: dict[int, int]) -> TurnLocation:
        """The place of a turn, by the move numbers of the game."""
        file, match, number = self.head[2:5]
        return TurnLocation(file, match, number, numbers[row.turn], row.player)


def find_sequence(
    connection: sqlite3.Connection, pattern: Pattern, filters: Filters = ALL
) -> Iterator[FoundTurn]:
    """Yield the filtered turns that complete a pattern, sorted by file, game and turn."""
    start = _STARTS[pattern.nackgammon]
    ids = likely_games(connection, pattern, filters, by_game=_has_index(connection))
    for game in _games(connection, ids, filters):
        if game.start == start or not (pattern.nackgammon or pattern.is_anchored):
            yield from _locate(game, _fitting(pattern, game))


def find_position(
    connection: sqlite3.Connection,
    position: Position,
    roll: Roll | None = None,
    filters: Filters = ALL,
) -> Iterator[FoundTurn]:
    """Yield the turns in a position, optionally with a roll, in the order of `find_sequence`."""
    packed = pack_position(position)
    number = 10 * roll.high + roll.low if roll else None
    condition, values = where(filters)
    sql = (
        f"SELECT DISTINCT t.game FROM {TABLES if condition else 'turns AS t'} WHERE t.position = ?"
    )
    sql += f" AND {condition}" * bool(condition)
    ids = array("q", (game for (game,) in connection.execute(sql, (packed, *values))))
    for game in _games(connection, ids, filters):
        rows = [(at, turn.row) for at, turn in enumerate(game.turns) if turn.row]
        places = [at for at, row in rows if row.position == packed and number in {None, row.roll}]
        yield from _locate(game, places)


def places_of(
    connection: sqlite3.Connection, turns: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], TurnLocation]:
    """Return the places of turns; a turn is the `id` of its game and its number in the game."""
    turns = set(turns)
    places: dict[tuple[int, int], TurnLocation] = {}
    for game in _games(connection, array("q", {game for game, _ in turns})):
        numbers = game.move_numbers()
        places |= {
            (game.id, row.turn): game.place(row, numbers)
            for _, _, row in game.turns
            if row and (game.id, row.turn) in turns
        }
    return places


def _fitting(pattern: Pattern, game: _Game) -> Iterator[int]:
    """Yield the turns that complete a pattern; plays are only named if all else matches."""
    tokens = [turn.pattern_token for turn in game.turns]
    likely = ends(pattern, tokens, lambda _at, _step: True)
    if any(game.head.selected[row.player] for at in likely if (row := game.turns[at].row)):
        yield from ends(pattern, tokens, partial(_is_named, game))


def _is_named(game: _Game, at: int, step: Step) -> bool:
    row = game.turns[at].row
    return row is not None and bool(row.play) and is_named(step, row.position, row.roll, row.play)


def _has_index(connection: sqlite3.Connection) -> bool:
    return has_index(connection, "turns_by_game")


# The path as `near` shows it, so that files are sorted as they are printed.
_HERE = "CAST(:here AS TEXT)"  # bytes, as it may not be UTF-8
_NEAR = (
    f"CASE instr(f.path, {_HERE}) WHEN 1 THEN substr(f.path, length({_HERE}) + 1) ELSE f.path END"
)
_SORTED = f"""
SELECT g.id FROM games AS g JOIN matches AS m ON m.id = g.match JOIN files AS f ON f.id = m.file
WHERE g.id IN (SELECT value FROM json_each(:ids)) ORDER BY {_NEAR}, m.place, g.number, g.id
"""
_HEAD = """
SELECT g.sequence, {}, f.path, m.place, g.number, a.name, b.name, m.date, {}, {}
FROM games AS g JOIN matches AS m ON m.id = g.match JOIN files AS f ON f.id = m.file
JOIN players AS a ON a.id = m.first JOIN players AS b ON b.id = m.second WHERE g.id = ?
"""
_ROWS = f"SELECT {', '.join(_Row._fields)} FROM {{}} WHERE game = ? ORDER BY turn"


def _games(
    connection: sqlite3.Connection, ids: array[int], filters: Filters = ALL
) -> Iterator[_Game]:
    """Yield the games with these `id`s, sorted by file and game, one by one."""
    if not ids:
        return
    numbers = f"[{','.join(map(str, ids))}]"
    turns = "turns" if _has_index(connection) else _copied(connection, numbers)
    moves = "moves" if has_column(connection, "games", "moves") else "''"
    condition, values = where(filters)
    sql = _HEAD.format(moves, *(selects(player, condition or "1") for player in (0, 1)))
    here = os.fsencode(os.path.join(os.getcwd(), ""))
    for (game,) in connection.execute(_SORTED, {"here": here, "ids": numbers}):
        row = connection.execute(sql, (*values, *values, game)).fetchone()
        sequence, listed, path, match, number, first, second, date, *selected = row
        names = first, second
        head = _Head(sequence, listed, near(path), match, number, names, date, tuple(selected))
        tokens = sequence.removeprefix("N ").removeprefix("-")
        rows = [_Row(*row) for row in connection.execute(_ROWS.format(turns), (game,))]
        turns_of_game = tuple(_game_turns(tokens.split("-"), rows))
        yield _Game(game, head, sequence.removesuffix(tokens), turns_of_game)


def _copied(connection: sqlite3.Connection, games: str) -> str:
    """Copy the turns of games; return the table. Databases of older versions have no index."""
    [number] = connection.execute("SELECT count(*) FROM sqlite_temp_master").fetchone()
    table = f"turns{number}"
    connection.execute(
        f"CREATE TEMP TABLE {table} AS SELECT game, {', '.join(_Row._fields)} FROM turns"
        " WHERE game IN (SELECT value FROM json_each(?))",
        (games,),
    )
    connection.execute(f"CREATE INDEX temp.{table}_by_game ON {table} (game, turn)")
    return table


def _game_turns(sequence: Sequence[str], rows: Iterable[_Row]) -> Iterator[_GameTurn]:
    """Yield the turns of a game with their tokens of the sequence."""
    tokens = list(reversed(sequence))
    for row in rows:
        while tokens and tokens[-1].endswith("?"):
            token = tokens.pop()
            yield _GameTurn(token, token)
        if row.roll or row.nactation in _SHOWN_ACTIONS:
            token = tokens.pop() if tokens else ""
            yield _GameTurn(token, f"{row.roll}{row.nactation}" if row.roll else token, row)
        else:  # a take, a beaver
            yield _GameTurn("", TAKE if row.nactation == CubeAct.TAKE.value else "", row)


def _locate(game: _Game, places: Iterable[int]) -> Iterator[FoundTurn]:
    """Yield the turns at these places in a game that meet the filters."""
    numbers: dict[int, int] = {}
    for at in places:
        row = game.turns[at].row
        if row is None or not game.head.selected[row.player]:
            continue
        numbers = numbers or game.move_numbers()
        parts = game.turns[: at + 1], game.turns[at + 1 :]
        before, after = (tuple(turn.token for turn in part if turn.token) for part in parts)
        place, sequence = game.place(row, numbers), game.sequence(at)
        yield FoundTurn(place, row.turn, sequence, before, after, game.head.players, game.head.date)
