"""Where an archive has a sequence or a position, and where in its files a turn stands."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import groupby

from gnubg_nactation.archive.database import has_moves
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
    """Where a turn is in its file, by the numbers of move lists.

    `file` is its path, relative if it is below the current folder. `match` is the number of the
    match in the file, from 1, and `player` is 0 or 1, the player who acts.
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
        """As `card` and `post` take it: `final.sgf#2.13b`."""
        return f"{self.file}#{self.decision}"


class Found(NamedTuple):
    """A turn that was asked for, `turn` by its number in the game.

    `before` are the tokens of the game's sequence up to the turn, its own among them if it has
    one, and `after` those behind. `sequence` is what leads there, empty where no sequence does:
    from a position that was set up, or past a play that was not legal. `players` and `date` are
    those of the match.
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
    met: int


class _GameTurn(NamedTuple):
    """A turn of a game: its token, empty where sequences leave it out, and what it is sought by.

    A play that was not legal has no row.
    """

    token: str
    sought: str
    row: _Row | None = None


class _Game(NamedTuple):
    """A game by its `id`, its turns, and the signs before its sequence: `N `, `-`, both or none.

    `moves` is as in the table.
    """

    number: int
    begins: str
    turns: tuple[_GameTurn, ...]
    moves: str

    @property
    def start(self) -> bytes:
        """The position of the first turn that is known."""
        return next((turn.row.position for turn in self.turns if turn.row), b"")

    def sequence(self, at: int) -> str:
        """The sequence up to a turn and with it; empty if there is none."""
        turns = self.turns[: at + 1]
        known = all(turn.row and turn.row.turn == number for number, turn in enumerate(turns, 1))
        if not known or self.start not in _STARTS.values():
            return ""
        return self.begins + "-".join(turn.token for turn in turns if turn.token)

    def move_numbers(self) -> dict[int, int]:
        """The numbers of the turns in move lists, by their numbers in the game."""
        rows = [turn.row for turn in self.turns if turn.row]
        moves = [int(move) for move in self.moves.split()]
        if len(moves) != len(rows):
            moves = count_moves(Player(row.player) for row in rows)
        return dict(zip((row.turn for row in rows), moves, strict=True))


def find_sequence(
    connection: sqlite3.Connection, pattern: Pattern, filters: Filters = ALL
) -> list[Found]:
    """The turns with which a pattern is complete, in the order of files, games and turns.

    The filters are about these turns.
    """
    start = _STARTS[pattern.nackgammon]
    found: list[Found] = []
    for game in _games(connection, _likely(connection, pattern), filters):
        if game.start == start or not (pattern.nackgammon or pattern.is_anchored):
            found += _found(connection, game, _fitting(pattern, game))
    return sorted(found, key=_order)


def find_position(
    connection: sqlite3.Connection,
    position: Position,
    roll: Roll | None = None,
    filters: Filters = ALL,
) -> list[Found]:
    """The turns in a position, with a roll if one is given, in the order of `find_sequence`."""
    packed = pack_position(position)
    number = 10 * roll.high + roll.low if roll else None
    there = connection.execute("SELECT DISTINCT game FROM turns WHERE position = ?", (packed,))
    found: list[Found] = []
    for game in _games(connection, [game for (game,) in there], filters):
        rows = [(at, one.row) for at, one in enumerate(game.turns) if one.row]
        places = [at for at, row in rows if row.position == packed and number in {None, row.roll}]
        found += _found(connection, game, places)
    return sorted(found, key=_order)


def places_of(
    connection: sqlite3.Connection, turns: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], TurnLocation]:
    """Where turns stand, each given by the `id` of its game and its number in the game."""
    wanted = set(turns)
    found: dict[tuple[int, int], TurnLocation] = {}
    for game in _games(connection, sorted({number for number, _ in wanted})):
        head = _head(connection, game.number)
        numbers = game.move_numbers()
        found |= {
            (game.number, row.turn): head.place(row, numbers)
            for _, _, row in game.turns
            if row and (game.number, row.turn) in wanted
        }
    return found


def _likely(connection: sqlite3.Connection, pattern: Pattern) -> list[int]:
    """The games whose sequences may fit, by the rolls in them."""
    rolls = sorted(pattern.rolls)
    condition = " AND ".join(
        ["ltrim(sequence, 'N -') LIKE ? || '%'", *("instr(sequence, ?)" for _ in rolls)]
    )
    rows = connection.execute(f"SELECT id FROM games WHERE {condition}", (pattern.first, *rolls))
    return [game for (game,) in rows]


def _fitting(pattern: Pattern, game: _Game) -> Iterator[int]:
    """The turns with which a pattern is complete; names are looked up where nothing else fails."""
    sought = [turn.sought for turn in game.turns]
    likely = ends(pattern, sought, lambda _at, _step: True)
    if any(row.met for at in likely if (row := game.turns[at].row)):
        yield from ends(pattern, sought, partial(_is_named, game))


def _is_named(game: _Game, at: int, step: Step) -> bool:
    """Whether a step of a pattern names the play of a turn in its position."""
    row = game.turns[at].row
    return row is not None and bool(row.play) and _names(step, row.position, row.roll, row.play)


@lru_cache(maxsize=1 << 12)  # openings come again and again
def _names(step: Step, position: bytes, roll: int, played: str) -> bool:
    """Whether a step names a play, which is given in traditional notation."""
    if step.families and step.families <= _HITTING and "*" not in played:
        return False  # clear without the board
    plays = Plays(unpack_position(position), Roll(*divmod(roll, 10)))
    try:
        play = resolve(parse_hops(played), plays[0].before, plays[0].roll, plays)
    except NactationError:  # no such play there, so no such name
        return False
    names = map(parse_nactation, step.names)
    return any(plays.place(play, family(key)) for key in step.families) or any(
        plays.place(play, name.family) == name.member for name in names
    )


def _games(
    connection: sqlite3.Connection, games: Sequence[int], filters: Filters = ALL
) -> Iterator[_Game]:
    """The games with these `id`s, each with its turns; `met` says that one meets the filters."""
    if not games:
        return
    condition, values = where(filters)
    columns = ", ".join(f"t.{name}" for name in ("game", *_Row._fields[:-1]))
    sql = (
        f"SELECT {columns}, {condition or 1} FROM {TABLES}"
        " WHERE t.game IN (SELECT value FROM json_each(?)) ORDER BY t.game, t.turn"
    )
    rows = connection.execute(sql, (*values, json.dumps(games)))
    moves = "moves" if has_moves(connection) else "''"
    head = f"SELECT sequence, {moves} FROM games WHERE id = ?"
    for number, found in groupby(rows, lambda row: int(row[0])):
        sequence, moves = connection.execute(head, (number,)).fetchone()
        tokens = sequence.removeprefix("N ").removeprefix("-")
        begins = sequence.removesuffix(tokens)
        turns = (*_game_turns(tokens.split("-"), [_Row(*row[1:]) for row in found]),)
        yield _Game(number, begins, turns, moves)


def _game_turns(sequence: Sequence[str], rows: Iterable[_Row]) -> Iterator[_GameTurn]:
    """The turns of a game, each with its token of the sequence."""
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


def _order(one: Found) -> tuple[Any, ...]:
    return *one.place[:3], one.turn


def _found(connection: sqlite3.Connection, game: _Game, places: Iterable[int]) -> Iterator[Found]:
    """The turns at these places in a game, if they meet the filters."""
    met = [(at, row) for at in places if (row := game.turns[at].row) and row.met]
    if not met:
        return
    head = _head(connection, game.number)
    numbers = game.move_numbers()
    for at, row in met:
        parts = game.turns[: at + 1], game.turns[at + 1 :]
        before, after = (tuple(one.token for one in part if one.token) for part in parts)
        place, sequence = head.place(row, numbers), game.sequence(at)
        yield Found(place, row.turn, sequence, before, after, head.players, head.date)


class _Head(NamedTuple):
    """What is known of a game without its turns."""

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
