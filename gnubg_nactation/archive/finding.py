"""Finds sequences and positions in an archive, and the places of turns in match files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import groupby

from gnubg_nactation.archive.database import has_column
from gnubg_nactation.archive.filters import ALL, TABLES, Filters, where
from gnubg_nactation.backgammon.analysis import CubeAct
from gnubg_nactation.backgammon.ids import pack_position, unpack_position
from gnubg_nactation.backgammon.match import count_moves
from gnubg_nactation.backgammon.notation import parse_hops, resolve
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import NactationError
from gnubg_nactation.language.alphabet import FAMILIES, family
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.styles import HIT, HIT_AND_SPLIT, KILL
from gnubg_nactation.sequences.pattern import TAKE, Pattern, Step, ends
from gnubg_nactation.system.paths import near
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import sqlite3

_STARTS = {False: pack_position(STANDARD), True: pack_position(NACKGAMMON)}
_HITTING = {row.key for row in FAMILIES if row.style in {KILL, HIT, HIT_AND_SPLIT}}
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
        match = f"{self.match}." if self.match > 1 else ""
        return f"{match}{self.game}.{self.move}{'ab'[self.player]}"

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
    is_selected: int  # by the filters


class _GameTurn(NamedTuple):
    """A turn: its token in sequences (may be empty), and the token that patterns match.

    An illegal play has no row.
    """

    token: str
    pattern_token: str
    row: _Row | None = None


class _Game(NamedTuple):
    """A game by its `id`, its turns, and the signs before its sequence: `N `, `-`, both or none."""

    id: int
    begins: str
    turns: tuple[_GameTurn, ...]
    moves: str  # as in the table

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
        moves = [int(move) for move in self.moves.split()]
        if len(moves) != len(rows):
            moves = count_moves(Player(row.player) for row in rows)
        return dict(zip((row.turn for row in rows), moves, strict=True))


def find_sequence(
    connection: sqlite3.Connection, pattern: Pattern, filters: Filters = ALL
) -> list[FoundTurn]:
    """Find the filtered turns that complete a pattern, sorted by file, game and turn."""
    start = _STARTS[pattern.nackgammon]
    results: list[FoundTurn] = []
    for game in _games(connection, _likely(connection, pattern), filters):
        if game.start == start or not (pattern.nackgammon or pattern.is_anchored):
            results += _locate(connection, game, _fitting(pattern, game))
    return sorted(results, key=_order)


def find_position(
    connection: sqlite3.Connection,
    position: Position,
    roll: Roll | None = None,
    filters: Filters = ALL,
) -> list[FoundTurn]:
    """Find the turns in a position, optionally with a roll, in the order of `find_sequence`."""
    packed = pack_position(position)
    number = 10 * roll.high + roll.low if roll else None
    games = connection.execute("SELECT DISTINCT game FROM turns WHERE position = ?", (packed,))
    results: list[FoundTurn] = []
    for game in _games(connection, [game for (game,) in games], filters):
        rows = [(at, turn.row) for at, turn in enumerate(game.turns) if turn.row]
        places = [at for at, row in rows if row.position == packed and number in {None, row.roll}]
        results += _locate(connection, game, places)
    return sorted(results, key=_order)


def places_of(
    connection: sqlite3.Connection, turns: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], TurnLocation]:
    """Return the places of turns; a turn is the `id` of its game and its number in the game."""
    turns = set(turns)
    places: dict[tuple[int, int], TurnLocation] = {}
    for game in _games(connection, sorted({game for game, _ in turns})):
        head = _head(connection, game.id)
        numbers = game.move_numbers()
        places |= {
            (game.id, row.turn): head.place(row, numbers)
            for _, _, row in game.turns
            if row and (game.id, row.turn) in turns
        }
    return places


def _likely(connection: sqlite3.Connection, pattern: Pattern) -> list[int]:
    """Return the games with the rolls of the pattern."""
    rolls = sorted(pattern.rolls)
    condition = " AND ".join(
        ["ltrim(sequence, 'N -') LIKE ? || '%'", *("instr(sequence, ?)" for _ in rolls)]
    )
    rows = connection.execute(f"SELECT id FROM games WHERE {condition}", (pattern.first, *rolls))
    return [game for (game,) in rows]


def _fitting(pattern: Pattern, game: _Game) -> Iterator[int]:
    """Yield the turns that complete a pattern; plays are only named if all else matches."""
    tokens = [turn.pattern_token for turn in game.turns]
    likely = ends(pattern, tokens, lambda _at, _step: True)
    if any(row.is_selected for at in likely if (row := game.turns[at].row)):
        yield from ends(pattern, tokens, partial(_is_named, game))


def _is_named(game: _Game, at: int, step: Step) -> bool:
    row = game.turns[at].row
    return row is not None and bool(row.play) and _names(step, row.position, row.roll, row.play)


@lru_cache(maxsize=1 << 12)  # openings repeat
def _names(step: Step, position: bytes, roll: int, text: str) -> bool:
    """Whether a step of a pattern names a play, given in traditional notation."""
    if step.families and step.families <= _HITTING and "*" not in text:
        return False  # without looking at the board
    plays = Plays(unpack_position(position), Roll(*divmod(roll, 10)))
    try:
        play = resolve(parse_hops(text), plays[0].before, plays[0].roll, plays)
    except NactationError:  # no such play, so no such name
        return False
    names = map(parse_nactation, step.names)
    return any(plays.place(play, family(key)) for key in step.families) or any(
        plays.place(play, name.family) == name.member for name in names
    )


def _games(
    connection: sqlite3.Connection, games: Sequence[int], filters: Filters = ALL
) -> Iterator[_Game]:
    """Yield the games with these `id`s; their rows show which turns meet the filters."""
    if not games:
        return
    condition, values = where(filters)
    columns = ", ".join(f"t.{name}" for name in ("game", *_Row._fields[:-1]))
    sql = (
        f"SELECT {columns}, {condition or 1} FROM {TABLES}"
        " WHERE t.game IN (SELECT value FROM json_each(?)) ORDER BY t.game, t.turn"
    )
    rows = connection.execute(sql, (*values, json.dumps(games)))
    moves = "moves" if has_column(connection, "games", "moves") else "''"
    head = f"SELECT sequence, {moves} FROM games WHERE id = ?"
    for game, turn_rows in groupby(rows, lambda row: int(row[0])):
        sequence, moves = connection.execute(head, (game,)).fetchone()
        tokens = sequence.removeprefix("N ").removeprefix("-")
        begins = sequence.removesuffix(tokens)
        turns = _game_turns(tokens.split("-"), [_Row(*row[1:]) for row in turn_rows])
        yield _Game(game, begins, tuple(turns), moves)


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


def _order(turn: FoundTurn) -> tuple[Any, ...]:
    return *turn.place[:3], turn.turn


def _locate(
    connection: sqlite3.Connection, game: _Game, places: Iterable[int]
) -> Iterator[FoundTurn]:
    """Yield the turns at these places in a game that meet the filters."""
    selected = [(at, row) for at in places if (row := game.turns[at].row) and row.is_selected]
    if not selected:
        return
    head = _head(connection, game.id)
    numbers = game.move_numbers()
    for at, row in selected:
        parts = game.turns[: at + 1], game.turns[at + 1 :]
        before, after = (tuple(turn.token for turn in part if turn.token) for part in parts)
        place, sequence = head.place(row, numbers), game.sequence(at)
        yield FoundTurn(place, row.turn, sequence, before, after, head.players, head.date)


class _Head(NamedTuple):
    """A game without its turns."""

    file: str
    match: int
    number: int
    players: tuple[str, str]
    date: str

    def place(self, row: _Row, numbers: dict[int, int]) -> TurnLocation:
        return TurnLocation(self.file, self.match, self.number, numbers[row.turn], row.player)


def _head(connection: sqlite3.Connection, game: int) -> _Head:
    path, match, number, first, second, date = connection.execute(
        "SELECT f.path, m.place, g.number, a.name, b.name, m.date FROM games AS g"
        " JOIN matches AS m ON m.id = g.match JOIN files AS f ON f.id = m.file"
        " JOIN players AS a ON a.id = m.first JOIN players AS b ON b.id = m.second WHERE g.id = ?",
        (game,),
    ).fetchone()
    return _Head(near(path), match, number, (first, second), date)
