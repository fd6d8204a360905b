"""Searches in an archive, compared with the turns of the files."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gnubg_nactation.annotation import AnnotatedMatch, AnnotatedTurn, annotate
from gnubg_nactation.archive import finding
from gnubg_nactation.archive.database import open_archive
from gnubg_nactation.archive.filters import Filters
from gnubg_nactation.archive.finding import (
    FoundTurn,
    find_position,
    find_sequence,
    is_named,
)
from gnubg_nactation.archive.indexing import FileRow, add_file, match_row
from gnubg_nactation.backgammon.ids import pack_position, parse_position, unpack_position
from gnubg_nactation.backgammon.match import Double, Drop, Move, Take, move_numbers
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.files.formats import read
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.sequences.pattern import Step, parse_pattern
from tests.cli.running import MATCH, SAMPLES
from tests.strategies import random_positions

# A beaver, a position that is set up, Nackgammon, an illegal play.
SETUP = (SAMPLES / "money-beaver-setup.sgf").read_bytes()
FILES = {
    "a.mat": (SAMPLES / "match-7pt.mat").read_bytes(),
    "b.sgf": SETUP.replace(b";PL[B]DI[31])", b";B[31mpmn]\n;W[31splk])"),
    "c.mat": b" 3 point match\n\n Game 1\n Ann : 0  Ben : 0\n"
    b"  1) 54: 24/20 13/8             63: 24/14\n  2) 31: 8/5 6/5                42: 8/4 6/4\n",
    "d.mat": MATCH + MATCH.replace(b"Ann", b"Cid"),
    "e.mat": b'; [Variation "NackGammon"]\n\n' + MATCH,
    "f.mat": MATCH.replace(b"54: 24/20", b"41: 24/23").replace(b"13/8", b"13/9"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture(scope="module")
def matches(folder: Path) -> dict[str, list[AnnotatedMatch]]:
    return {name: [annotate(match) for match in read(folder / name)] for name in FILES}


@pytest.fixture(scope="module")
def archive(folder: Path, matches: dict[str, list[AnnotatedMatch]]) -> Iterator[sqlite3.Connection]:
    with closing(open_archive(":memory:", create=True)) as connection:
        for name, file_matches in matches.items():
            add_file(
                connection,
                FileRow(str(folder / name)),
                [match_row(match) for match in file_matches],
            )
        yield connection


def as_text(results: Iterable[FoundTurn]) -> list[str]:
    """The places, without the folder."""
    return [f"{Path(result.place.file).name}#{result.place.decision}" for result in results]


def turns_of(matches: dict[str, list[AnnotatedMatch]]) -> Iterator[tuple[str, AnnotatedTurn]]:
    """Every turn of the files with its place."""
    for name, file_matches in matches.items():
        for at, match in enumerate(file_matches, 1):
            for game in match.games:
                for turn, move in zip(game.turns, move_numbers(game.turns), strict=True):
                    second = f"{at}." if at > 1 else ""
                    yield f"{name}#{second}{game.number}.{move}{'ab'[turn.action.player]}", turn


def test_every_turn_has_the_place_of_the_move_list(
    archive: sqlite3.Connection, matches: dict[str, list[AnnotatedMatch]]
) -> None:
    expected = sorted(
        place
        for place, turn in turns_of(matches)
        if turn.state
        and isinstance(turn.action, Move | Double | Take | Drop)
        and not (isinstance(turn.action, Move) and turn.play is None and turn.plays)
    )
    positions = archive.execute("SELECT DISTINCT position FROM turns").fetchall()
    found = (
        result.place
        for (position,) in positions
        for result in find_position(archive, unpack_position(position))
    )
    places = [f"{Path(place.file).name}#{place.decision}" for place in found]
    assert sorted(places) == expected
    assert "b.sgf#1.6b" in expected  # after a position and two cubes that were set up


def test_places_do_not_need_the_files(
    archive: sqlite3.Connection, matches: dict[str, list[AnnotatedMatch]]
) -> None:
    """Queries open no file. Moves that an older database lacks are counted."""
    with closing(open_archive(":memory:", create=True)) as copy:
        for name, file_matches in matches.items():
            add_file(
                copy, FileRow(f"/nowhere/{name}"), [match_row(match) for match in file_matches]
            )
        pattern = parse_pattern("??")
        expected = as_text(find_sequence(archive, pattern))
        assert as_text(find_sequence(copy, pattern)) == expected
        copy.execute("ALTER TABLE games RENAME COLUMN moves TO other")
        counted = as_text(find_sequence(copy, pattern))
    assert len(counted) == len(expected)
    differ = [place for place, number in zip(expected, counted, strict=True) if place != number]
    assert differ == ["b.sgf#1.6b", "b.sgf#1.7a"]


def names_of(turn: AnnotatedTurn) -> list[Nactation]:
    """All right Nactations of the play of a turn, the preferred one among them."""
    namings = Plays.of(turn.plays).names(turn.play) if turn.play else ()
    return [naming.nactation for naming in namings]


@pytest.mark.parametrize("name", ["31P", "63H", "41Z", "41I", "5?A", "62$", "63L", "64@", "?2K"])
def test_a_search_of_the_files_finds_the_same_plays(
    archive: sqlite3.Connection, matches: dict[str, list[AnnotatedMatch]], name: str
) -> None:
    rolled = [
        (place, names_of(turn))
        for place, turn in turns_of(matches)
        if isinstance(turn.action, Move) and set(name[:2]) - {"?"} <= {*str(turn.action.roll)}
    ]
    expected = [place for place, names in rolled if name[2:] in map(str, names)]
    assert as_text(find_sequence(archive, parse_pattern(name))) == expected
    family = [
        place for place, names in rolled if name[2:] in {naming.family.key for naming in names}
    ]
    assert as_text(find_sequence(archive, parse_pattern(f"{name}{{?}}"))) == family


@pytest.mark.parametrize("roll", ["66", "??"])
def test_fans_and_rolls_are_found(
    archive: sqlite3.Connection, matches: dict[str, list[AnnotatedMatch]], roll: str
) -> None:
    moves = [
        (place, turn)
        for place, turn in turns_of(matches)
        if isinstance(turn.action, Move) and roll in {str(turn.action.roll), "??"}
    ]
    fans = [place for place, turn in moves if turn.nactation == "^"]
    assert as_text(find_sequence(archive, parse_pattern(f"{roll}^"))) == fans != []
    rolled = [place for place, turn in moves if turn.play or not turn.plays]
    assert as_text(find_sequence(archive, parse_pattern(roll))) == rolled


def test_a_play_is_found_by_each_of_its_names(archive: sqlite3.Connection) -> None:
    """24/23 13/9 is a Z, and called S because no play of 41 is strictly an S (section 12)."""

    def results(pattern: str) -> list[str]:
        return as_text(find_sequence(archive, parse_pattern(pattern)))

    by_name = archive.execute("SELECT DISTINCT nactation FROM turns WHERE roll = 41 AND turn = 1")
    assert by_name.fetchall() == [("S",)]
    assert results("41Z-63R") == results("41S-63R") == results("?1Z{?}-63R") == ["f.mat#1.1b"]
    for pattern in ("*-41Z-63R-31p", "31p after 63R after 41Z", "41S-*-31p", "31p after ?1Z-?"):
        assert results(pattern) == ["f.mat#1.2a"]
    assert not results("41D-63R")
    assert not results("41s-63R")


def test_cube_actions_are_found(
    archive: sqlite3.Connection, matches: dict[str, list[AnnotatedMatch]]
) -> None:
    for pattern, kind in (("*-C-T", Take), ("*-C-P", Drop)):
        expected = [place for place, turn in turns_of(matches) if isinstance(turn.action, kind)]
        results = as_text(find_sequence(archive, parse_pattern(pattern)))
        assert results == expected
        assert results


def test_the_sequence_leads_to_the_turn(archive: sqlite3.Connection) -> None:
    results = [
        result for result in find_sequence(archive, parse_pattern("??H{?}")) if result.sequence
    ]
    assert len(results) > 5
    for result in results:
        decoded = decode(result.sequence)
        player = decoded.turns[-1].action.player
        rows = archive.execute(
            "SELECT t.play FROM turns AS t JOIN games AS g ON g.id = t.game JOIN matches AS m"
            " ON m.id = g.match JOIN files AS f ON f.id = m.file"
            " WHERE f.path LIKE ? AND g.number = ? AND t.turn = ?",
            (f"%{Path(result.place.file).name}", result.place.game, result.turn),
        ).fetchone()
        assert str(decoded.turns[-1].play) == rows[0]
        assert int(player) == result.place.player


def test_no_sequence_leads_past_an_illegal_play_or_a_set_up(archive: sqlite3.Connection) -> None:
    every = list(find_sequence(archive, parse_pattern("31")))
    results = dict(zip(as_text(every), every, strict=True))
    assert results["c.mat#1.2a"].sequence == ""
    assert results["b.sgf#1.6b"].sequence == ""
    assert results["d.mat#1.2a"].sequence == "54S-63R-31P"


def test_a_position_is_found_after_any_sequence(
    archive: sqlite3.Connection, matches: dict[str, list[AnnotatedMatch]]
) -> None:
    def at(position: Position, roll: Roll | None = None) -> list[str]:
        return [
            place
            for place, turn in turns_of(matches)
            if turn.state
            and turn.state.position == position
            and (turn.play or not isinstance(turn.action, Move))
            and (roll is None or turn.state.roll == roll)
            and isinstance(turn.action, Move | Double | Take | Drop)
        ]

    for position in (STANDARD, NACKGAMMON):
        assert as_text(find_position(archive, position)) == at(position) != []
    opened = Roll(5, 4)
    assert as_text(find_position(archive, STANDARD, opened)) == at(STANDARD, opened) != []
    assert not list(find_position(archive, parse_position("4HPwATDgc/ABUA")))


def test_a_pattern_begins_with_its_own_start(archive: sqlite3.Connection) -> None:
    assert as_text(find_sequence(archive, parse_pattern("N 54Z-63r"))) == ["e.mat#1.1b"]
    assert not list(find_sequence(archive, parse_pattern("54Z-63r")))
    assert as_text(find_sequence(archive, parse_pattern("54S-63R"))) == [
        "d.mat#1.1b",
        "d.mat#2.1.1b",
    ]


def test_filters_apply_to_the_player_of_the_last_turn(archive: sqlite3.Connection) -> None:
    pattern = parse_pattern("31P")
    every = list(find_sequence(archive, pattern))
    for name in ("Ann", "Cid"):
        results = list(find_sequence(archive, pattern, Filters(player=name.lower())))
        assert results == [
            result for result in every if result.players[result.place.player] == name
        ]
        assert results


@pytest.mark.parametrize(
    "text",
    [
        *(
            "54S-63R",
            "54-?-31P",
            "*-63-31P",
            "?-63r",
            "31P after 5?S",
            "*-C-T",
            "*-C-?",
            "F",
            "*-??^",
        ),
        *("*-6?H{?}-?", "*-41Z-*-31p", "*-33", "N 54Z", "*-31-*-42-*-6?", "*-T-5?", "?-?-?-?-21"),
        "-".join(["?"] * 400),
    ],
)
@pytest.mark.parametrize("player", ["", "Cid"])
def test_a_search_looks_at_every_game_that_may_match(
    archive: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, text: str, player: str
) -> None:
    """The first search by rolls leaves out no game, with and without the index by game."""
    pattern, filters = parse_pattern(text), Filters(player=player)
    results = [list(find_sequence(archive, pattern, filters))]
    assert results[0] == list(find_sequence(archive, pattern, filters, soon=True))
    with closing(open_archive(":memory:", create=True)) as older:
        archive.backup(older)
        older.execute("DROP INDEX turns_by_game")
        results.append(list(find_sequence(older, pattern, filters)))
        every = array("q", (game for (game,) in archive.execute("SELECT id FROM games")))
        monkeypatch.setattr(finding, "likely_games", lambda *_, **__: every)
        results.append(list(find_sequence(archive, pattern, filters)))
    assert results[0] == results[1] == results[2]


def test_no_name_of_a_play_is_left_out() -> None:
    """A play is looked up by each of its names, as it is stored."""
    count = 0
    for position, roll in random_positions(300, 7):
        plays = Plays(position, roll)
        number, packed = 10 * roll.high + roll.low, pack_position(position)
        for play in plays[:3]:
            for naming in plays.names(play):
                name = naming.nactation
                text, step = str(play), Step(frozenset({str(roll)}), frozenset({str(name)}))
                expected = plays.place(play, name.family) == name.member
                assert is_named(step, packed, number, text) is expected
                count += expected
    assert count > 1500


def test_results_are_sorted_by_file_as_they_are_printed(
    folder: Path, matches: dict[str, list[AnnotatedMatch]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files below the current folder have relative paths."""
    monkeypatch.chdir(folder)
    names = ["/a/z.mat", str(folder / "d.mat"), str(folder / "+/d.mat"), "/z/a.mat"]
    with closing(open_archive(":memory:", create=True)) as connection:
        for number, name in enumerate(names):
            rows = [
                match_row(match)._replace(content=b"%d.%d" % (number, at))
                for at, match in enumerate(matches["d.mat"])
            ]
            add_file(connection, FileRow(name), rows)
        results = [str(turn.place) for turn in find_sequence(connection, parse_pattern("31"))]
    files = ["+/d.mat", "/a/z.mat", "/z/a.mat", "d.mat"]
    assert results == [f"{file}#{place}" for file in files for place in ("1.2a", "2.1.2a")]
