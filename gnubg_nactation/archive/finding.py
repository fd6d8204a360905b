"""Finds sequences and positions in an archive, and the places of turns in match files."""

from __future__ import annotations

import os
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, islice

from gnubg_nactation.archive.filters import ALL, TABLES, Filters, roll_of, selects, where
from gnubg_nactation.archive.mistake_table import STARTS, moves_of
from gnubg_nactation.archive.tallies import UNPLAYED, has_column, has_item
from gnubg_nactation.backgammon.analysis import CubeAct
from gnubg_nactation.backgammon.ids import pack_position, unpack_position
from gnubg_nactation.backgammon.match import place_name
from gnubg_nactation.backgammon.notation import Hop, parse_hops, resolve
from gnubg_nactation.backgammon.plays import POINT_BIT, Play, Portion, Roll, pack
from gnubg_nactation.backgammon.position import BAR, OFF, Position, sound
from gnubg_nactation.errors import NactationError
from gnubg_nactation.language.alphabet import FAMILIES, Family, Right, family
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.plays import Plays, may_be_member
from gnubg_nactation.language.styles import HIT, HIT_AND_SPLIT, KILL
from gnubg_nactation.sequences.notation import FAN
from gnubg_nactation.sequences.pattern import OMITTED, TAKE, Pattern, Step, ends
from gnubg_nactation.system.resources import near
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import sqlite3


_HITTING = {row.key for row in FAMILIES if row.style in {KILL, HIT, HIT_AND_SPLIT}}
_MAX_HOPS = 4
_CHUNK = 100  # games


@lru_cache(maxsize=1 << 12)  # openings repeat
def is_named(step: Step, position: bytes, roll: int, text: str) -> bool:
    """Whether a step of a pattern names a play, given in traditional notation."""
    names, families = _names_of(step)
    if "*" not in text and all(row.key in _HITTING for row in families):
        return False  # without looking at the board
    try:
        if not _may_have_letter(families, roll, text):
            return False
        board, dice, hops = unpack_position(position), roll_of(roll), parse_hops(text)
        if not _may_be_member(board, dice, hops, families):
            return False  # without the other plays
        plays = Plays(board, dice)
        play = resolve(hops, board, dice, plays)
    except NactationError:  # no such play, so no such name
        return False
    return any(plays.place(play, family(key)) for key in step.families) or any(
        plays.place(play, name.family) == name.member for name in names
    )


@lru_cache(maxsize=1 << 8)
def _names_of(step: Step) -> tuple[tuple[Nactation, ...], tuple[Family, ...]]:
    """The Nactations of a step and all families that it names."""
    names = tuple(map(parse_nactation, step.names))
    return names, (*map(family, step.families), *(name.family for name in names))


@lru_cache(maxsize=1 << 14)  # the same plays are made on many boards
def _may_have_letter(families: tuple[Family, ...], roll: int, text: str) -> bool:
    """Whether a play may be in one of the families on any board; areas do not depend on it."""
    if not all(row.right is Right.AREAL and row.style is None for row in families):
        return True
    hops = parse_hops(text)
    counts = Counter(hop.source for hop in hops)
    board = sound(tuple([counts[point] for point in range(BAR + 1)]))
    return _may_be_member(board, roll_of(roll), hops, families)


def _may_be_member(
    board: Position, roll: Roll, hops: tuple[Hop, ...], families: tuple[Family, ...]
) -> bool:
    """Whether a play may be in one of the families; True if its portions are not clear."""
    checkers = pack((0, *(count for count in board.points[1:])))
    hits = 0
    for source, target, _ in hops:
        checkers += POINT_BIT[target] - POINT_BIT[source]
        hits |= (target != OFF and board.points[target] == -1) << target
    plays = [Play(board, roll, way, hits, checkers) for way in _ways(board, roll, hops)]
    return not plays or any(may_be_member(row, play) for play in plays for row in families)


def _ways(board: Position, roll: Roll, hops: tuple[Hop, ...]) -> Iterator[tuple[Portion, ...]]:
    """Yield the portions that these hops may consist of."""
    if roll.is_doublet:
        portions = [
            Portion(at, max(at - roll.high, OFF), roll.high, False)
            for source, target, _ in hops
            for at in range(source, target, -roll.high)
        ]
        if len(portions) <= _MAX_HOPS:
            yield tuple(portions)
        return
    for high, low in (roll, roll[::-1]):
        if len(hops) == 1:
            [(source, target, _)] = hops
            stop = source - high
            if _plays(source, target, high):
                yield (Portion(source, target, high, False),)
            if stop > OFF and board.points[stop] >= 0 and _plays(stop, target, low):
                yield Portion(source, stop, high, False), Portion(stop, target, low, False)
        elif len(hops) == 2:
            (source, target, _), (other, end, _) = hops
            if _plays(source, target, high) and _plays(other, end, low):
                yield Portion(source, target, high, False), Portion(other, end, low, False)


def _plays(source: int, target: int, die: int) -> bool:
    return max(source - die, OFF) == target


_FAN_TOKEN = "F"
_BARE = len("31")  # a roll without a name
_HIDES_TAKE = re.compile("-[CR](?=-)")


def likely_games(
    connection: sqlite3.Connection, pattern: Pattern, filters: Filters, *, by_game: bool
) -> array[int]:
    """Return the games that may match, in no order; `by_game`: turns have an index by game."""
    is_possible = _first_look(connection, pattern, by_game=by_game)
    rows = connection.execute(*_query(pattern, filters))
    return array("q", (game for game, sequence in rows if is_possible(game, sequence)))


def _sorted_games(
    connection: sqlite3.Connection, pattern: Pattern, filters: Filters
) -> Iterator[array[int]]:
    """Yield the games that may match, sorted by file and game, some at a time."""
    is_possible = _first_look(connection, pattern, by_game=_has_index(connection))
    sql, values = _query(pattern, filters)
    ids = array("q", (game for game, _ in connection.execute(sql, values)))
    numbers = f"[{','.join(map(str, ids))}]"
    rows = connection.execute(_SORTED.format(", g.sequence"), {"here": _here(), "ids": numbers})
    while chunk := list(islice(rows, _CHUNK)):
        yield array("q", (game for game, sequence in chunk if is_possible(game, sequence)))


def _first_look(
    connection: sqlite3.Connection, pattern: Pattern, *, by_game: bool
) -> Callable[[int, str], bool]:
    """A function that tells quickly whether a game with this sequence may match a pattern."""
    segments = list(_segments(pattern))
    is_anchored = bool(segments) and pattern.steps[0] is segments[0].steps[0]
    fits = lru_cache(maxsize=1 << 16)(_fits)

    def is_possible(game: int, sequence: str) -> bool:
        text = f"-{sequence.removeprefix('N ').removeprefix('-')}-"
        at = 0
        for number, segment in enumerate(segments):
            fixed = is_anchored and not number
            search: Callable[..., re.Match[str] | None] = (
                segment.tokens.match if fixed else segment.tokens.search
            )
            while place := search(text, at):
                at = place.start() + 1
                if _has_names(place, segment.steps, fits, find_row, game):
                    break
                if fixed:
                    return False
            else:
                return False
        return True

    def find_row(game: int, turn: int) -> Any:
        if not by_game:
            return None
        sql = "SELECT roll, nactation, position, play FROM turns WHERE game = ? AND turn = ?"
        return connection.execute(sql, (game, turn)).fetchone()

    return is_possible


def _query(pattern: Pattern, filters: Filters) -> tuple[str, tuple[Any, ...]]:
    """The SQL for the games with enough turns, the rolls of the pattern, and a filtered player."""
    rolls = sorted(pattern.rolls)
    count = sum(step is not None for step in pattern.steps)
    # An illegal play is not `kept`.
    conditions = ["g.kept + length(g.sequence) * (instr(g.sequence, '?') > 0) >= ?"]
    conditions += ["instr(g.sequence, ?)" for _ in rolls]
    condition, values = where(filters)
    tables = "games AS g"
    if condition:
        tables = "matches AS m CROSS JOIN games AS g ON g.match = m.id"
        conditions.insert(0, selects(None, condition))
    sql = f"SELECT g.id, g.sequence FROM {tables} WHERE {' AND '.join(conditions)}"
    return sql, (*values, count, *rolls)


class _Segment(NamedTuple):
    """Steps for consecutive tokens of a sequence, and their rolls as a regular expression."""

    steps: tuple[Step, ...]
    tokens: re.Pattern[str]


def _segments(pattern: Pattern) -> Iterator[_Segment]:
    """Yield the runs of steps that have a token each: others match what sequences leave out."""
    run: list[Step] = []
    for step in (*pattern.steps, None):
        if step and step.begins and not step.begins & OMITTED:
            run.append(step)
        elif run:
            yield _Segment(tuple(run), segment_pattern(run))
            run = []


def segment_pattern(steps: Sequence[Step]) -> re.Pattern[str]:
    """A regular expression for tokens with the rolls of these steps, between hyphens."""
    return re.compile("".join(f"-(?:{_token(step)})" for step in steps) + "(?=-)")


def _token(step: Step) -> str:
    rolls = [begin for begin in sorted(step.begins) if begin.isdigit()]
    tokens = [begin for begin in sorted(step.begins) if not begin.isdigit()]
    if rolls:
        tokens.append(f"(?:{'|'.join(rolls)})[^-]*")
        names = step.names | step.families
        tokens += [_FAN_TOKEN] * (not names or FAN in names)
    return "|".join(tokens)


def _fits(step: Step, token: str) -> bool | None:
    """Whether a token of a sequence matches a step; None if its play may."""
    if token == _FAN_TOKEN:
        return True
    if len(token) == _BARE and (step.names or step.families):  # a forced play has no name
        return None
    return step.fits(token)


def _has_names(
    place: re.Match[str],
    steps: Sequence[Step],
    fits: Callable[[Step, str], bool | None],
    find_row: Callable[[int, int], Any],
    game: int,
) -> bool:
    """Whether the plays of these tokens have the names of the steps, as far as that is clear."""
    tokens = place[0][1:].split("-")
    verdicts = list(map(fits, steps, tokens))
    if False in verdicts:
        return False
    if None not in verdicts:
        return True
    # Each double but the last is followed by a take, which has no token.
    first = place.string.count("-", 0, place.start() + 1)
    first += len(_HIDES_TAKE.findall(place.string, 0, place.start() + 1))
    doubles = 0
    for at, (step, token, verdict) in enumerate(zip(steps, tokens, verdicts, strict=True)):
        if verdict is None:
            row = find_row(game, first + at + doubles)
            if row and str(row[0]) == token[:2] and not _names(step, *row):
                return False
        doubles += token in {"C", "R"}
    return True


def _names(
    step: Step,
    roll: int,
    name: str,
    position: bytes,
    play: str,
) -> bool:
    verdict = step.fits(f"{roll}{name}")
    return is_named(step, position, roll, play) if verdict is None and play else bool(verdict)


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
    `made` is the roll with its Nactation, and `play` the play in traditional notation; both are
    empty for a cube action, the play also if there was none.
    """

    place: TurnLocation
    turn: int
    sequence: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    players: tuple[str, str]
    date: str
    made: str = ""
    play: str = ""


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
    rows: list[_Row]

    @property
    def start(self) -> bytes:
        """The position of the first turn in the database."""
        return next((turn.row.position for turn in self.turns if turn.row), b"")

    def sequence(self, at: int) -> str:
        """The sequence up to and including a turn; empty if no sequence leads there."""
        turns = self.turns[: at + 1]
        legal = all(turn.row and turn.row.turn == number for number, turn in enumerate(turns, 1))
        if not legal or self.start not in STARTS.values():
            return ""
        return self.begins + "-".join(turn.token for turn in turns if turn.token)

    def move_numbers(self) -> dict[int, int]:
        """The move number of each turn, by its number in the game."""
        moves = moves_of([row.player for row in self.rows], self.head.moves)
        return dict(zip((row.turn for row in self.rows), moves, strict=True))

    def place(self, row: _Row, numbers: dict[int, int]) -> TurnLocation:
        """The place of a turn, by the move numbers of the game."""
        file, match, number = self.head[2:5]
        return TurnLocation(file, match, number, numbers[row.turn], row.player)


def find_sequence(
    connection: sqlite3.Connection, pattern: Pattern, filters: Filters = ALL, *, soon: bool = False
) -> Iterator[FoundTurn]:
    """Yield the filtered turns that complete a pattern, sorted by file, game and turn.

    With `soon` the first ones come sooner, but the sequences of all games need room in memory.
    """
    start = STARTS[pattern.nackgammon]
    if soon:
        chunks = _sorted_games(connection, pattern, filters)
    else:
        ids = likely_games(connection, pattern, filters, by_game=_has_index(connection))
        chunks = iter([ids])
    for game in chain.from_iterable(_games(connection, chunk, filters) for chunk in chunks):
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
    number = int(str(roll)) if roll else None
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
    return has_item(connection, "index", "turns_by_game")


# The path as `near` shows it, so that files are sorted as they are printed.
_HERE = "CAST(:here AS TEXT)"  # bytes, as it may not be UTF-8
_NEAR = (
    f"CASE instr(f.path, {_HERE}) WHEN 1 THEN substr(f.path, length({_HERE}) + 1) ELSE f.path END"
)
_SORTED = f"""
SELECT g.id{{}} FROM games AS g JOIN matches AS m ON m.id = g.match JOIN files AS f ON f.id = m.file
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
    for (game,) in connection.execute(_SORTED.format(""), {"here": _here(), "ids": numbers}):
        row = connection.execute(sql, (*values, *values, game)).fetchone()
        sequence, listed, path, match, number, first, second, date, *selected = row
        names = first, second
        head = _Head(sequence, listed, near(path), match, number, names, date, tuple(selected))
        tokens = sequence.removeprefix("N ").removeprefix("-")
        rows = [_Row(*row) for row in connection.execute(_ROWS.format(turns), (game,))]
        played = (row for row in rows if row.nactation != UNPLAYED)
        turns_of_game = tuple(_game_turns(tokens.split("-"), played))
        yield _Game(game, head, sequence.removesuffix(tokens), turns_of_game, rows)


def _here() -> bytes:
    """The current folder, for `near` in SQL."""
    return os.fsencode(os.path.join(os.getcwd(), ""))


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
        made = f"{row.roll}{row.nactation}" if row.roll else ""
        about = game.head.players, game.head.date, made, row.play
        yield FoundTurn(place, row.turn, sequence, before, after, *about)
