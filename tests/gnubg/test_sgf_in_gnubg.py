"""The real GNU Backgammon loads the SGF that is written here and finds the same plays in it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from gnubg_nactation.backgammon.match import (
    Double,
    Game,
    Match,
    Move,
    SetCube,
    SetPosition,
    replay,
)
from gnubg_nactation.backgammon.notation import parse_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.files import mat, sgf
from tests.gnubg.ingame import GNUBG, needs_gnubg
from tests.strategies import random_match

FIRST, SECOND = Player.FIRST, Player.SECOND
PREFIX = "Nactation: "

pytestmark = needs_gnubg


def gnubg(folder: Path, commands: Iterable[str]) -> str:
    """Run commands in the folder; returns gnubg's output."""
    script = folder / "commands"
    script.write_text("\n".join(commands), encoding="utf-8")
    done = subprocess.run(
        [GNUBG, "-t", "-q", "-r", "-c", script.name],
        env=os.environ | {"HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=600,
        check=True,
        cwd=folder,
    )
    return (done.stdout + done.stderr).decode("utf-8", "replace")


def through_gnubg(
    folder: Path, files: list[bytes], load: str = "load match"
) -> list[tuple[Match, sgf.SgfRecord]]:
    """Each file loaded into gnubg: the match text it exports and the SGF it saves."""
    commands = []
    for number, data in enumerate(files):
        (folder / f"in{number}").write_bytes(data)
        commands += [
            f'{load} "in{number}"',
            f'export match mat "out{number}.mat"',
            f'save match "out{number}.sgf"',
        ]
    output = gnubg(folder, commands)
    assert "error" not in output.lower()
    results = []
    for number in range(len(files)):
        (text,) = mat.read((folder / f"out{number}.mat").read_bytes())
        results.append((text, sgf.read((folder / f"out{number}.sgf").read_bytes())))
    return results


def plays(match: Match) -> list[list[object]]:
    """The cube and the position reached of each roll that is followed by a play, and doubles."""
    return [[*plays_of_game(match, game)] for game in match.games]


def plays_of_game(match: Match, game: Game) -> Iterator[object]:
    for turn in replay(match, game):
        match turn.action:
            case Move(player, roll):
                assert turn.state
                reached = turn.play and turn.play.reached
                yield player, roll, turn.state.cube, turn.state.owner, reached
            case Double(player):
                yield player


def test_random_matches_are_loaded_with_the_same_plays(tmp_path: Path) -> None:
    matches = [random_match(seed, max_games=4) for seed in range(25)]
    assert sum(len(plays(match)) for match in matches) > 50
    results = through_gnubg(tmp_path, [sgf.from_match(match).data for match in matches])
    for match, (text, record) in zip(matches, results, strict=True):
        assert plays(text) == plays(match)
        assert plays(record.match) == plays(match)
        assert text.length == record.match.length == match.length
        assert record.match.start == match.start
        assert record.match.jacoby == match.jacoby
        for game, saved, text_game in zip(match.games, record.match.games, text.games, strict=True):
            result = game.winner, game.points
            assert (saved.winner, saved.points) == (text_game.winner, text_game.points) == result
            assert (saved.resigned, saved.crawford) == (game.resigned, game.crawford)
            assert saved.score == text_game.score == game.score


def test_comments_are_loaded_with_their_moves(tmp_path: Path) -> None:
    records = [sgf.from_match(random_match(seed, max_games=2)) for seed in range(5)]
    lines = [
        {
            (at, number): f"{PREFIX}é]\\ {at}-{number}"
            for at, nodes in enumerate(record.nodes)
            for number, node in enumerate(nodes)
            if node is not None
        }
        for record in records
    ]
    files = [
        sgf.with_comment_lines(record, PREFIX, expected)
        for record, expected in zip(records, lines, strict=True)
    ]
    for (_, saved), expected in zip(through_gnubg(tmp_path, files), lines, strict=True):
        comments = {
            (at, number): action.comment
            for at, game in enumerate(saved.match.games)
            for number, action in enumerate(game.actions)
        }
        assert comments == expected


def test_set_ups_are_loaded(tmp_path: Path) -> None:
    board = Position((-1, 2, *[0] * 4, 3, *[0] * 5, -2, *[0] * 11, -2, 1))
    actions = (
        SetPosition(SECOND, board.switch_sides()),
        SetCube(4, SECOND),
        Move(SECOND, Roll(3, 1), parse_hops("bar/22 13/12")),
        Move(FIRST, Roll(6, 4)),
    )
    match = Match(("Nora", "Omar"), 0, (Game(1, (0, 0), actions, cube=2),))
    ((_, saved),) = through_gnubg(tmp_path, [sgf.from_match(match).data])
    (game,) = saved.match.games
    assert game.cube == 2
    assert plays(saved.match) == plays(match)
    first, value, owner, *_ = game.actions
    assert isinstance(first, SetPosition)
    assert isinstance(value, SetCube)
    assert isinstance(owner, SetCube)
    assert first.position in (board, board.switch_sides())
    assert (value.value, owner.value, owner.owner) == (4, 4, SECOND)
