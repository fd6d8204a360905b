"""Adds files to the database, replaces and removes them, each in one transaction."""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
from collections.abc import Container, Iterable, Sequence
from datetime import date
from functools import lru_cache

from gnubg_nactation.annotation import (
    Analyse,
    AnnotatedGame,
    AnnotatedMatch,
    AnnotatedTurn,
    annotate,
)
from gnubg_nactation.archive.database import UNIT, transaction
from gnubg_nactation.archive.filters import check_text
from gnubg_nactation.archive.mistake_table import add_mistakes
from gnubg_nactation.archive.tallies import UNPLAYED, add_empty_tallies, add_tallies
from gnubg_nactation.backgammon.analysis import CubeAct
from gnubg_nactation.backgammon.ids import pack_position
from gnubg_nactation.backgammon.match import (
    Double,
    Drop,
    Match,
    Move,
    SetCube,
    Take,
    count_moves,
    move_numbers,
    stake_problem,
)
from gnubg_nactation.backgammon.notation import format_portions
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.decisions.severity import (
    NEAR_DOUBLE,
    counted_play_of,
    cube_of,
    is_close_cube,
    luck_of,
    play_of,
)
from gnubg_nactation.decisions.themes import OTHER, theme_of_play
from gnubg_nactation.files.formats import read_sources
from gnubg_nactation.sequences.notation import sequence, start_prefix
from gnubg_nactation.showing import LONGEST_NAME, shown
from gnubg_nactation.values import NamedTuple

# Increase it when the rows of a file change, because files are read or plays are named in another
# way. `index` reads files with another number again.
CONTENT = 7
_MAX_NUMBER = 10**12  # SQLite has numbers of 64 bits
_MAX_CUBE = 1 << 20
_MAX_EQUITY = 1000.0


class TurnRow(NamedTuple):
    """A row of the table `turns` without its game; `level` is a name."""

    position: bytes
    roll: int
    turn: int
    player: int
    cube: int
    owner: int | None
    nactation: str
    play: str
    result: int | None
    adjusted: int | None
    luck: int | None
    error: int | None
    missed: int | None
    level: str | None
    best: str | None
    near: int | None
    theme: str | None = None


class GameRow(NamedTuple):
    """A row of the table `games` without its match, with its turns."""

    number: int
    first_score: int
    second_score: int
    crawford: bool
    winner: int | None
    points: int
    invalid_because: str
    sequence: str
    turns: tuple[TurnRow, ...]
    moves: str = ""


class MatchRow(NamedTuple):
    """A row of the table `matches` without its file, with its games.

    `content` identifies the match, whatever the format of its file. `analysed` counts the analysed
    turns.
    """

    content: bytes
    analysed: int
    players: tuple[str, str]
    event: str
    date: str
    length: int
    jacoby: bool
    invalid_because: str
    games: tuple[GameRow, ...]


def match_row(annotated: AnnotatedMatch, *, cut: bool = False) -> MatchRow:
    """Return the rows of a match; `cut` means that only the first turns of games were analysed.

    Then no result is adjusted: only short games could be, which would bias the mean.
    """
    match = annotated.match
    invalid_because = _why_match_invalid(match)
    games = tuple(
        [_game_row(match, game, not invalid_because, cut=cut) for game in annotated.games]
    )
    headers = {name.lower(): text for name, text in match.headers}
    players = _player(match.players[0]), _player(match.players[1])
    return MatchRow(
        _content(players, match.length, games),
        sum(turn.level is not None for game in games for turn in game.turns),
        players,
        shown(headers.get("event", ""), LONGEST_NAME),
        _date(headers.get("eventdate", "")) or _date(headers.get("date", "")),
        _bounded(match.length),
        match.jacoby,
        invalid_because,
        games,
    )


_RATING = re.compile(r",\d{3,4}$", re.ASCII)  # of GridGammon; it changes with each match


def _player(name: str) -> str:
    return _RATING.sub("", shown(name, LONGEST_NAME))


_DATE = re.compile(r"(\d{4})[-./](\d\d?)[-./](\d\d?)(?!\d)", re.ASCII)


def _date(text: str) -> str:
    """Return the date in ISO form; empty if it is not a date."""
    match = _DATE.match(text.strip())
    try:
        return date(*map(int, match.groups())).isoformat() if match else ""
    except ValueError:
        return ""


def _content(players: tuple[str, str], length: int, games: Sequence[GameRow]) -> bytes:
    """Return a digest that identifies a match in any format, whoever is the first player.

    Cube actions are left out: the cube's values show them, and some formats omit takes. Points
    beyond the match length do not count, as some programs leave them out.
    """
    names = [" ".join(name.replace("_", " ").split()).casefold() for name in players]
    swaps = names[0] > names[1]
    digest = hashlib.blake2b(repr((sorted(names), length)).encode(), digest_size=16)
    for game in games:
        score = game.first_score, game.second_score
        if game.winner is not None or any(turn.nactation != UNPLAYED for turn in game.turns):
            winner, points = game.winner, game.points
            if winner is not None and length > 0:
                points = min(points, length - score[winner])
            winner = winner if winner is None else winner ^ swaps
            digest.update(repr((*(score[::-1] if swaps else score), winner, points)).encode())
        for position, roll, _, player, cube, _, nactation, *_ in game.turns:
            if roll:
                digest.update(b"%s%d %d %d " % (position, roll, player ^ swaps, cube))
                digest.update(nactation.encode())
    return digest.digest()


def _game_row(match: Match, game: AnnotatedGame, is_valid: bool, *, cut: bool) -> GameRow:
    invalid_because = _why_game_invalid(match, game)
    won = game.points if game.winner is Player.FIRST else -game.points
    points = (won, -won) if game.winner is not None and is_valid and not invalid_because else None
    rolls = [turn for turn in game.turns if isinstance(turn.action, Move)]
    adjusts = not cut and all(_luck(turn) is not None for turn in rolls)
    turns = []
    later = 0  # the first player's luck in later rolls
    for turn in reversed(game.turns):
        if row := _turn_row(turn, points, later if adjusts else None):
            turns.append(row)
        if adjusts and turn.state:
            luck = (_luck(turn) or 0) * turn.state.cube
            later += -luck if turn.action.player else luck
    turns.reverse()
    return GameRow(
        _bounded(game.number),
        _bounded(game.score[0]),
        _bounded(game.score[1]),
        game.crawford,
        None if game.winner is None else int(game.winner),
        _bounded(game.points),
        invalid_because,
        _sequence(game),
        tuple(turns),
        _moves(game, turns),
    )


def _luck(turn: AnnotatedTurn) -> int | None:
    return _units(luck_of(turn))


def _units(points: float | None) -> int | None:
    """Convert points to units; None if there are too many."""
    return round(points * UNIT) if points is not None and abs(points) < _MAX_EQUITY else None


def _bounded(number: int) -> int:
    return max(-_MAX_NUMBER, min(number, _MAX_NUMBER))


def _why_match_invalid(match: Match) -> str:
    """Explain why the results of a match are impossible; empty if they are possible."""
    for game in match.games:
        if max(game.score) >= match.length > 0:
            first, second = game.score
            return f"game {game.number} begins at {first} to {second}, to {match.length} points"
    return ""


def _why_game_invalid(match: Match, game: AnnotatedGame) -> str:
    """Explain why the result of a game is impossible; empty if it is possible."""
    if game.winner is None:
        return ""
    if problem := stake_problem(match, game, game.turns):
        return problem
    cube = game.cube  # at most, if the board is unknown
    for action in game.actions:
        match action:
            case Double():
                cube *= 2
            case SetCube(value=value):
                cube = max(cube, value)
    if 0 < game.points <= 3 * cube <= 3 * _MAX_CUBE:
        return ""
    return f"the points won are {_bounded(game.points)}, with the cube at most at {_bounded(cube)}"


def _sequence(game: AnnotatedGame) -> str:
    state = game.turns[0].state if game.turns else None
    return start_prefix(state.position if state else None) + sequence(
        (turn, turn.name) for turn in game.turns
    )


def _moves(game: AnnotatedGame, turns: Sequence[TurnRow]) -> str:
    """Return the move numbers of turns; empty if they follow from the players."""
    if len(turns) == len(game.turns):
        return ""
    pairs = zip(game.turns, move_numbers(game.turns), strict=True)
    numbers = {turn.number: move for turn, move in pairs}
    moves = [numbers[turn.turn] for turn in turns]
    if moves == count_moves(Player(turn.player) for turn in turns):
        return ""
    return " ".join(map(str, moves))


_format_portions = lru_cache(maxsize=1 << 14)(format_portions)  # plays repeat
_RAISES = {1: CubeAct.DOUBLE.value, 2: "beaver", 3: "raccoon"}


def _turn_row(
    turn: AnnotatedTurn, points: tuple[int, int] | None, later: int | None
) -> TurnRow | None:
    """Return the row of a turn; None unless it is a legal play or a cube action on a known board.

    A roll that was not played, or illegally, has a row if its luck or its cube decision is known.
    `points` are both players' results of the game, `later` is the first player's later luck.
    """
    action, state = turn.action, turn.state
    if state is None:
        return None
    play = play_of(turn)
    cube = cube_of(turn)
    luck = missed = None
    roll, name, text, best = 0, "", "", None
    match action:
        case Move():
            luck = _luck(turn)
            missed = _units(cube.error) if cube else None
            if turn.play is None and turn.plays:
                if luck is None and cube is None:
                    return None
                name, error = UNPLAYED, None
            else:
                roll = int(str(action.roll))
                name = turn.nactation
                text = _format_portions(turn.play.portions) if turn.play else ""
                counted = counted_play_of(turn) if len(turn.plays) > 1 else None
                error = counted.error if counted else None
                best = str(turn.best.nactation) if turn.best else None
        case Double():
            name = _RAISES.get(turn.raised, _RAISES[3])
            error = cube.error if cube else None
        case Take() | Drop():
            name = (CubeAct.TAKE if isinstance(action, Take) else CubeAct.DROP).value
            error = cube.error if cube else None
        case _:
            return None
    player, loss = int(action.player), _units(error)
    result = adjusted = None
    if points is not None:
        result = points[player]
        if later is not None:
            adjusted = result * UNIT - (-later if player else later)
    judge = play.best if play else None
    level = judge.method if judge else cube.method if cube else None
    return TurnRow(
        pack_position(state.position),
        roll,
        turn.number,
        player,
        _bounded(state.cube),
        None if state.owner is None else int(state.owner),
        name,
        text,
        result,
        adjusted,
        luck,
        loss,
        missed,
        level,
        best,
        int(is_close_cube(cube, NEAR_DOUBLE)) if cube else None,
        _theme(turn) if loss and roll else None,
    )


def _theme(turn: AnnotatedTurn) -> str | None:
    """The name of the theme of a wrong play; None if the best play is unknown."""
    if turn.play is None or turn.best is None:
        return None
    best = turn.plays.play(turn.best.nactation)
    return (OTHER if turn.play == best else theme_of_play(turn.play, best)).name


class FileRow(NamedTuple):
    """A row of the table `files`."""

    path: str
    size: int = 0
    changed: int = 0
    digest: bytes = b""
    made: str = ""
    problem: str = ""


def read_rows(data: bytes, analyse: Analyse | None = None) -> tuple[MatchRow, ...]:
    """Return the rows of the matches of a file; raises NactationError.

    `analyse` is called for matches without analysis and may analyse parts of them.
    """
    return tuple(_read(source.match, analyse) for source in read_sources(data))


def _read(match: Match, analyse: Analyse | None) -> MatchRow:
    if match.has_analysis:
        analyse = None
    return match_row(annotate(match, analyse=analyse), cut=analyse is not None)


def add_file(
    connection: sqlite3.Connection,
    file: FileRow,
    matches: Sequence[MatchRow] = (),
    *,
    again: bool = False,
    without_games: Container[int] = (),
) -> None:
    """Store a file and its matches instead of its earlier ones, in one transaction.

    Does nothing if the same file is stored and each of its matches is counted somewhere, unless
    `again` is set. A match without analysis keeps the engine's analysis of the match that it
    replaces, if the same was played in both. The games of the matches with the numbers
    `without_games` are in another file, so these are not counted if a copy is.
    """
    with transaction(connection):
        stored = file_known(connection, file.path)
        if stored == file and not again and file.path not in files_to_recount(connection):
            return
        old_players: set[int] = set()
        if stored:
            old_players = _players_of(connection, file.path)
            analysis = _engine_of(stored.made)
            matches, keeps = _replace(connection, stored, file.digest, matches)
            if keeps and not _engine_of(file.made):
                file = file._replace(made=f"{file.made} {analysis}")
        file_id = _insert(
            connection,
            "INSERT INTO files (path, size, changed, digest, made, problem)"
            " VALUES (CAST(? AS TEXT), ?, ?, ?, ?, ?)",
            (os.fsencode(file.path), *file[1:]),
        )
        for place, match in enumerate(matches, 1):
            at = file_id, place, os.fsencode(file.path)
            _add_match(connection, at, match, has_games=place not in without_games)
        for player in old_players - _players_of(connection, file.path):
            connection.execute(_FORGET_PLAYER, {"player": player})


def keep_games(connection: sqlite3.Connection, file: FileRow) -> bool:
    """Note the problem of a stored file that cannot be read any more; False if it has no games."""
    with transaction(connection):
        return bool(
            connection.execute(
                "UPDATE files SET problem = ? WHERE path = CAST(? AS TEXT) AND EXISTS"
                " (SELECT 1 FROM matches WHERE file = files.id AND counted)",
                (file.problem, os.fsencode(file.path)),
            ).rowcount
        )


def forget(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Remove files and their matches, in one transaction.

    If another file has the same match, its games are counted there from now on;
    `files_to_recount` lists the files to read again for that.
    """
    with transaction(connection):
        connection.execute("CREATE TEMP TABLE leaving (id INTEGER PRIMARY KEY)")
        connection.executemany(
            "INSERT OR IGNORE INTO leaving SELECT id FROM files WHERE path = CAST(? AS TEXT)",
            ((os.fsencode(path),) for path in paths),
        )
        matches = "SELECT id FROM matches WHERE file IN leaving"
        counted = connection.execute(f"{matches} AND counted AND content IN ({_COPIED})").fetchall()
        for (match,) in counted:
            _hand_over(connection, match, "SELECT id FROM leaving")
        games = f"SELECT id FROM games WHERE match IN ({matches})"
        connection.execute(f"DELETE FROM turns WHERE game IN ({games})")
        connection.execute(f"DELETE FROM games WHERE match IN ({matches})")
        if connection.execute("DELETE FROM matches WHERE file IN leaving").rowcount:
            connection.execute(
                "DELETE FROM players WHERE id NOT IN"
                " (SELECT first FROM matches UNION SELECT second FROM matches)"
            )
        connection.execute("DELETE FROM files WHERE id IN leaving")
        connection.execute("DROP TABLE leaving")


def files_to_recount(connection: sqlite3.Connection) -> list[str]:
    """List the files to read again, as they have the best copy of a match but not its games.

    That includes matches whose games came from a file that was removed.
    """
    rows = connection.execute(
        "SELECT content, path, counted = 1 FROM matches JOIN files ON files.id = file"
        " WHERE content IN (SELECT content FROM matches GROUP BY content"
        f" HAVING count(*) > 1 OR max(counted) <> 1) ORDER BY {_BEST}"
    )
    first: dict[bytes, tuple[str, bool]] = {}
    for content, path, is_settled in rows:
        first.setdefault(content, (path, bool(is_settled)))
    return list(dict.fromkeys(path for path, is_settled in first.values() if not is_settled))


def is_current(made: str) -> bool:
    """Whether the rows of a file, noted as FileRow.made, are as this version makes them."""
    return made.partition(" ")[0] == str(CONTENT)


def file_known(connection: sqlite3.Connection, path: str) -> FileRow | None:
    """Return the row of a file; None if the file is not in the database."""
    columns = connection.execute(
        f"SELECT {', '.join(FileRow._fields)} FROM files WHERE path = CAST(? AS TEXT)",
        (os.fsencode(path),),
    ).fetchone()
    return FileRow(*columns) if columns else None


def refresh(connection: sqlite3.Connection, files: Iterable[FileRow]) -> None:
    """Store new modification times of files with the same bytes."""
    with transaction(connection):
        connection.executemany(
            "UPDATE files SET changed = ? WHERE path = CAST(? AS TEXT) AND digest = ?",
            [(file.changed, os.fsencode(file.path), file.digest) for file in files],
        )


def add_handles(connection: sqlite3.Connection, names: Iterable[str]) -> None:
    """Store names that the owner of the archive plays under. Raises UnknownError."""
    names = [*names]
    check_text(*names)
    with transaction(connection):
        connection.executemany(
            "INSERT OR IGNORE INTO handles VALUES (?)", [(name,) for name in names]
        )


def replace_handles(connection: sqlite3.Connection, names: Iterable[str]) -> None:
    """Store the names that the owner plays under instead of the earlier ones."""
    with transaction(connection):
        connection.execute("DELETE FROM handles")
        connection.executemany("INSERT INTO handles VALUES (?)", [(name,) for name in {*names}])


def _insert(connection: sqlite3.Connection, sql: str, values: Sequence[object]) -> int:
    """Insert a row and return its `id`."""
    row_id = connection.execute(sql, values).lastrowid
    assert row_id is not None
    return row_id


_BEST = "analysed DESC, path, place"  # the order of copies: the first is counted
_COPIED = "SELECT content FROM matches GROUP BY content HAVING count(*) > 1"
_FORGET_PLAYER = (
    "DELETE FROM players WHERE id = :player AND NOT EXISTS"
    " (SELECT 1 FROM matches WHERE :player IN (first, second))"
)


def _players_of(connection: sqlite3.Connection, path: str) -> set[int]:
    rows = connection.execute(
        "SELECT first, second FROM matches JOIN files ON files.id = file"
        " WHERE path = CAST(? AS TEXT)",
        (os.fsencode(path),),
    )
    return {player for row in rows for player in row}


def _engine_of(origin: str) -> str:
    """Return the engine, depth and turns of the archive's own analysis of a file; or empty."""
    return origin.partition(" ")[2]


def _add_match(
    connection: sqlite3.Connection,
    place: tuple[int, int, bytes],
    match: MatchRow,
    *,
    has_games: bool,
) -> None:
    """Add a match of a file; `place` is the file's `id`, the match's number in it, and its path.

    If no copy is better, the match is counted, instead of any copy counted so far.
    """
    file, at, path = place
    copy = connection.execute(
        "SELECT matches.id, analysed, CAST(path AS BLOB) FROM matches JOIN files ON files.id = file"
        " WHERE content = ? AND counted",
        (match.content,),
    ).fetchone()
    counted = int(copy is None or (-match.analysed, path) < (-copy[1], copy[2]))
    if not has_games:  # until its file is read
        counted = 0 if copy else 2
    if copy and counted:
        _uncount(connection, copy[0])
    first, second = (_id_of(connection, "players", name) for name in match.players)
    match_id = _insert(
        connection,
        "INSERT INTO matches (file, place, content, analysed, counted, first, second, event, date,"
        " length, jacoby, odd) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(file, at, match.content, match.analysed, counted, first, second),
            *(match.event, match.date, match.length, match.jacoby, match.invalid_because),
        ),
    )
    if counted:
        levels: dict[str | None, int | None] = {None: None}
        for game in match.games:
            _add_game(connection, match_id, game, levels)


def _replace(
    connection: sqlite3.Connection, known: FileRow, digest: bytes, matches: Sequence[MatchRow]
) -> tuple[list[MatchRow], bool]:
    """Remove the old version of a file; return the matches to add and whether all kept analysis.

    `digest` and `matches` are those of the new version. A match without analysis gets the
    archive's own analysis of the same match.
    """
    path = os.fsencode(known.path)
    keep = bool(_engine_of(known.made))
    stored = connection.execute(  # of copies in one file, the one with the games comes last
        "SELECT matches.id, place, content, analysed FROM matches"
        " JOIN files ON files.id = file WHERE path = CAST(? AS TEXT) ORDER BY counted > 0",
        (path,),
    ).fetchall()
    earlier: dict[object, tuple[int, int]] = {}
    for number, place, content, analysed in stored:
        earlier[content] = earlier[place] = number, analysed
    successors: list[MatchRow] = []
    has_all = keep and bool(matches)
    for place, match in enumerate(matches, 1):
        number, analysed = earlier.get(match.content) or earlier.get(place, (0, 0))
        # The players may have other names now. In the same bytes the plays may, too.
        if (
            keep
            and match.content not in earlier
            and digest != known.digest
            and not _has_same_plays(connection, number, match)
        ):
            number = analysed = 0
        if keep and analysed and not match.analysed:
            successors.append(_with_analysis(connection, number, match))
        else:
            successors.append(match)
            has_all = has_all and bool(match.analysed or number)
    same = {match.content for match in successors}
    for number, _, content, _ in stored:
        if content in same or not _hand_over(connection, number):
            _uncount(connection, number)
        connection.execute("DELETE FROM matches WHERE id = ?", (number,))
    connection.execute("DELETE FROM files WHERE path = CAST(? AS TEXT)", (path,))
    return successors, has_all


def _hand_over(connection: sqlite3.Connection, match: int, leaving: str = "0") -> bool:
    """Move the games of a match to its best copy until that is read; False if there is no copy.

    The archive's own analysis moves with them. The copy may not be in the files `leaving`.
    """
    copy = connection.execute(
        "SELECT b.id, b.file, a.analysed, made, b.first, b.second"
        " FROM matches AS a JOIN matches AS b"
        " ON b.content = a.content AND b.file <> a.file JOIN files ON files.id = a.file"
        f" WHERE a.id = ? AND a.counted AND b.file NOT IN ({leaving}) ORDER BY b.analysed DESC,"
        " (SELECT path FROM files WHERE id = b.file), b.place LIMIT 1",
        (match,),
    ).fetchone()
    if not copy:
        return False
    number, file, analysed, label, *players = copy
    connection.execute("UPDATE games SET match = ? WHERE match = ?", (number, match))
    connection.execute("UPDATE matches SET counted = 0 WHERE id = ?", (match,))
    connection.execute(
        "UPDATE matches SET counted = 2, analysed = ?, (first, second) ="
        " (SELECT first, second FROM matches WHERE id = ?) WHERE id = ?",
        (analysed, match, number),  # in the copy the second player may be the first
    )
    connection.executemany(_FORGET_PLAYER, [{"player": player} for player in players])
    if analysis := _engine_of(label):
        connection.execute(
            "UPDATE files SET made = made || ' ' || ? WHERE id = ? AND made NOT LIKE '% %'"
            " AND NOT EXISTS (SELECT 1 FROM matches WHERE file = files.id AND analysed = 0)",
            (analysis, file),
        )
    return True


def _has_same_plays(connection: sqlite3.Connection, stored: int, match: MatchRow) -> bool:
    """Whether the same rolls were played in the same way in a stored match."""
    columns = "number, turn, position, roll, nactation"
    sql = f"SELECT {columns} FROM games JOIN turns ON game = id WHERE match = ? AND roll"
    return set(connection.execute(sql, (stored,))) == {
        (game.number, turn.turn, turn.position, turn.roll, turn.nactation)
        for game in match.games
        for turn in game.turns
        if turn.roll
    }


_TURN = "position = ? AND roll = ? AND nactation = ? AND game = ? AND turn = ?"
_RENAMED = "position = ? AND roll = ? AND game = ? AND turn = ?"  # the name may have changed
_ANALYSIS = "luck", "error", "missed", "level", "best", "near", "theme"


def _with_analysis(connection: sqlite3.Connection, stored: int, match: MatchRow) -> MatchRow:
    """Return the match with the analysis stored for the same match."""
    sql = "SELECT id, number FROM games WHERE match = ? AND kept"
    numbers = {number: game for game, number in connection.execute(sql, (stored,))}
    games: list[GameRow] = []
    for game in match.games:
        turns = game.turns
        if number := numbers.get(game.number):
            turns = tuple([_with_error(connection, number, turn) for turn in turns])
        games.append(game._replace(turns=turns))
    analysed = sum(turn.level is not None for game in games for turn in game.turns)
    return match._replace(games=tuple(games), analysed=analysed)


def _with_error(connection: sqlite3.Connection, game: int, turn: TurnRow) -> TurnRow:
    columns = "luck, error, missed, (SELECT name FROM levels WHERE id = level), best, near, theme"
    key = turn.position, turn.roll, game, turn.turn
    full_key = *key[:2], turn.nactation, *key[2:]
    sql = f"SELECT {columns} FROM turns WHERE"
    row = connection.execute(f"{sql} {_TURN}", full_key).fetchone()
    row = row or connection.execute(f"{sql} {_RENAMED}", key).fetchone()
    return turn._replace(**dict(zip(_ANALYSIS, row, strict=True))) if row else turn


def _uncount(connection: sqlite3.Connection, copy: int) -> None:
    """Remove the games of a copy."""
    connection.execute(
        "DELETE FROM turns WHERE game IN (SELECT id FROM games WHERE match = ?)", (copy,)
    )
    connection.execute("DELETE FROM games WHERE match = ?", (copy,))
    connection.execute("UPDATE matches SET counted = 0 WHERE id = ?", (copy,))


def _add_game(
    connection: sqlite3.Connection, match: int, game: GameRow, levels: dict[str | None, int | None]
) -> None:
    game_id = _insert(
        connection,
        "INSERT INTO games (match, number, first_score, second_score, crawford, winner, points,"
        " odd, sequence, kept, moves) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (match, *game[:-2], len(game.turns), game.moves),
    )
    for turn in game.turns:
        if turn.level is not None and turn.level not in levels:
            levels[turn.level] = _id_of(connection, "levels", turn.level)
    connection.executemany(
        "INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(*turn[:2], game_id, *turn[2:13], levels[turn.level], *turn[14:]) for turn in game.turns],
    )
    if any(turn[_FIRST_FIGURE:] != _NO_FIGURES for turn in game.turns):
        add_tallies(connection, "?", (game_id,))
        if any(turn.error or turn.missed for turn in game.turns):
            add_mistakes(connection, "?", (game_id,))
    else:
        add_empty_tallies(connection, game_id, {turn.player for turn in game.turns})


_FIRST_FIGURE = TurnRow._fields.index("luck")
_NO_FIGURES = (None,) * len(TurnRow._fields[_FIRST_FIGURE:])


def _id_of(connection: sqlite3.Connection, table: str, name: str) -> int:
    """Return the `id` of a name in a table of names; adds a new name."""
    row = connection.execute(f"SELECT id FROM {table} WHERE name = ?", (name,)).fetchone()
    return row[0] if row else _insert(connection, f"INSERT INTO {table} (name) VALUES (?)", (name,))
