"""The table `mistakes`: each wrong decision with its theme and phase, which queries group.

It follows from the turns, as the tallies do, so databases of older versions get it when `index`
runs. Until then a query makes a temporary one of the games that it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from gnubg_nactation.archive.filters import roll_of
from gnubg_nactation.archive.tallies import LEAST_WRONG, UNPLAYED, has_column, has_item, has_tallies
from gnubg_nactation.backgammon.analysis import FAULTS, CubeAct
from gnubg_nactation.backgammon.ids import is_contact, pack_position, unpack_position
from gnubg_nactation.backgammon.match import count_moves
from gnubg_nactation.backgammon.notation import parse_hops, resolve
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.decisions.themes import (
    OTHER,
    REDOUBLED,
    THEMES,
    WITHOUT_CONTACT,
    theme_of_fault,
    theme_of_play,
)
from gnubg_nactation.errors import NactationError
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import sqlite3

# The positions in which games begin, by whether it is Nackgammon.
STARTS = {False: pack_position(STANDARD), True: pack_position(NACKGAMMON)}
PHASES = "opening", "middle", "ending"
_OPENING_PLAYS = 6  # three of each side
_FAULTS = {act.value: fault for act, fault in FAULTS.items()}
_RIGHT_TO_DROP = (CubeAct.DROP.value, False), (CubeAct.TAKE.value, True)
_MISSED, _ACTION, _PLAY = range(3)  # kinds


def add_mistakes(
    connection: sqlite3.Connection,
    games: str,
    values: tuple[Any, ...] = (),
    table: str = "main.mistakes",
) -> None:
    """Add the mistakes of games, which a query in SQL selects, from their turns."""
    theme, moves = (
        name if has_column(connection, owner, name) else empty
        for owner, name, empty in (("turns", "theme", "NULL"), ("games", "moves", "''"))
    )
    turns = connection.execute(_TURNS.format(theme, moves, games), values)
    rows = (row for _, game in groupby(turns, itemgetter(0)) for row in _mistakes_of(game))
    marks = ", ".join("?" * len(_COLUMNS))
    connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def complete_mistakes(connection: sqlite3.Connection) -> None:
    """Add the mistakes of games that an older version of this program has stored."""
    if not _is_complete(connection):
        add_mistakes(connection, _MISSING)


def prepare_mistakes(
    connection: sqlite3.Connection, games: str, values: tuple[Any, ...] = ()
) -> None:
    """Make a temporary table if a database of an older version lacks the mistakes of some games.

    It has those of the games that a query in SQL selects.
    """
    connection.execute("DROP TABLE IF EXISTS temp.mistakes")
    if not _is_complete(connection):
        connection.execute(f"CREATE TEMP TABLE mistakes ({', '.join(_COLUMNS)})")
        add_mistakes(connection, games, values, "temp.mistakes")
        connection.execute("CREATE INDEX temp.mistakes_by_game ON mistakes (game, turn, kind)")


def _is_complete(connection: sqlite3.Connection) -> bool:
    """Whether there are as many mistakes as the tallies count."""
    has_both = has_item(connection, "table", "mistakes") and has_tallies(connection)
    return has_both and bool(connection.execute(_SAME_NUMBER).fetchone()[0])


_COLUMNS = (
    *("game", "turn", "kind", "player", "move", "lost", "position", "roll", "nactation"),
    *("fault", "best", "theme", "phase", "opening", "away", "opponent_away"),
)
_WRONG = "wrong_plays + wrong_actions"
_SAME_NUMBER = (
    f"SELECT (SELECT total({_WRONG}) FROM main.tallies) = (SELECT count(*) FROM main.mistakes)"
)
_MISSING = (
    f"SELECT game FROM main.tallies AS t WHERE {_WRONG} > 0"
    " AND NOT EXISTS (SELECT 1 FROM main.mistakes AS w WHERE w.game = t.game)"
)
_TURNS = (
    "SELECT t.game, t.turn, t.player, t.owner, t.position, t.roll, t.nactation, t.play, t.error,"
    " t.missed, ifnull(t.best, ''), {}, {}, substr(g.sequence, 1, 20), m.length,"
    " m.length - g.first_score, m.length - g.second_score"
    " FROM games AS g JOIN matches AS m ON m.id = g.match CROSS JOIN turns AS t ON t.game = g.id"
    " WHERE g.id IN ({}) ORDER BY 1, 2"
)


class _Turn(NamedTuple):
    game: int
    turn: int
    player: int
    owner: int | None
    position: bytes
    roll: int
    nactation: str
    play: str
    error: int | None
    missed: int | None
    best: str
    theme: str | None
    moves: str
    sequence: str
    length: int
    away: int
    opponent_away: int


def _mistakes_of(rows: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """The rows of the mistakes in a game."""
    turns = [_Turn._make(row) for row in rows]
    moves = moves_of([turn.player for turn in turns], turns[0].moves)
    drops = {
        turn.turn
        for turn in turns
        if not turn.roll
        and turn.error is not None
        and (turn.nactation, turn.error > 0) in _RIGHT_TO_DROP
    }
    actions = 0
    for turn, move in zip(turns, moves, strict=True):
        number = turn.turn - actions
        about = turn.game, turn.turn
        key = turn.player, move
        place = turn.position, turn.roll, turn.nactation
        away = (turn.opponent_away, turn.away) if turn.player else (turn.away, turn.opponent_away)
        away = away if turn.length else (0, 0)
        losses = turn.missed, None if turn.roll else turn.error
        for kind, loss in enumerate(losses):
            if loss and loss >= LEAST_WRONG:
                act = CubeAct.NO_DOUBLE.value if kind == _MISSED else turn.nactation
                fault = _cube_fault(act, is_redouble=turn.owner == turn.player)
                is_too_good = kind == _ACTION and turn.turn + 1 in drops
                theme = theme_of_fault(fault, too_good=is_too_good).name
                phase = _phase(turn.position, "", number)
                yield *about, kind, *key, loss, *place, fault, None, theme, phase, "", *away
        if turn.roll and turn.error and turn.error >= LEAST_WRONG:
            theme = turn.theme if turn.theme in THEMES else _theme_of(turn)
            phase = _phase(turn.position, theme, number)
            opening = _opening(turns[0], turn) if number == 2 else ""
            names = None, turn.best, theme, phase, opening
            yield *about, _PLAY, *key, turn.error, *place, *names, 0, 0
        actions += not turn.roll and turn.nactation != UNPLAYED


def moves_of(players: Sequence[int], listed: str) -> list[int]:
    """The move numbers of a game's turns: those listed, unless they follow from the players."""
    moves = [int(move) for move in listed.split()]
    return moves if len(moves) == len(players) else count_moves(map(_SIDES.__getitem__, players))


_SIDES = tuple(Player)


def _phase(position: bytes, theme: str, number: int) -> str:
    """The first three plays of each side, the middle with contact, or the ending."""
    is_ending = theme in WITHOUT_CONTACT
    if theme in {"", OTHER.name}:  # these do not tell
        is_ending = not is_contact(position)
    return PHASES[2] if is_ending else PHASES[number > _OPENING_PLAYS]


def _opening(first: _Turn, turn: _Turn) -> str:
    """The opening and the roll of a reply to it: `31P-64`; empty if the opening is unknown.

    `first` is the first turn of the game in the database.
    """
    _, nackgammon, tokens = turn.sequence.rpartition("N ")
    if (first.turn, first.position) != (1, STARTS[bool(nackgammon)]):
        return ""
    opening = tokens.removeprefix("-").partition("-")[0]
    return f"{nackgammon}{opening}-{turn.roll}"


def _theme_of(turn: _Turn) -> str:
    """The theme of a wrong play that a database of an older version lacks."""
    if not (turn.best and turn.play):
        return OTHER.name
    plays = Plays(unpack_position(turn.position), roll_of(turn.roll))
    try:
        made = resolve(parse_hops(turn.play), plays[0].before, plays[0].roll, plays)
        best = plays.play(parse_nactation(turn.best))
    except (NactationError, IndexError):  # the database was changed by hand
        return OTHER.name
    return (OTHER if made == best else theme_of_play(made, best)).name


def _cube_fault(act: str, *, is_redouble: bool) -> str:
    fault = _FAULTS.get(act, f"wrong {act}")
    return REDOUBLED.get(fault, fault) if is_redouble else fault
