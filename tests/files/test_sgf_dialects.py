"""Whole matches in SGF as programs write it, and gnubg's own files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.match import Game, Match, Move, Resign, Take, replay
from gnubg_nactation.files import mat, sgf
from gnubg_nactation.files.sgf import main_line, parse
from tests.files.mat_dialects import DIALECTS as MAT_DIALECTS
from tests.files.mat_dialects import write as write_mat
from tests.files.sgf_dialects import DIALECTS, write
from tests.files.test_mat_dialects import written_matches

SAMPLES = Path(__file__).parents[2] / "sample_matches"
PREFIX = "Nactation: "

every_dialect = pytest.mark.parametrize("name", DIALECTS)
every_sample = pytest.mark.parametrize(
    "path", sorted(SAMPLES.glob("*.sgf")), ids=lambda path: path.name
)


def plays(match: Match) -> list[list[object]]:
    """The cube and the position after each roll of each game, and doubles and drops.

    The cube shows takes. gnubg's match text has no takes after a raccoon and no doubles before the
    first roll.
    """
    return [[*plays_of_game(match, game)] for game in match.games]


def plays_of_game(match: Match, game: Game) -> Iterator[object]:
    for turn in replay(match, game):
        assert not turn.problem
        if isinstance(turn.action, Move):
            assert turn.state
            cube = turn.state.cube // game.cube, turn.state.owner
            yield turn.action.player, turn.action.roll, cube, turn.play and turn.play.reached
        elif not isinstance(turn.action, Take):
            yield type(turn.action)


def check_legal(data: bytes) -> None:
    match = sgf.read(data).match
    assert match.problems == ()
    assert any(plays(match))


def check_written_again(data: bytes) -> None:
    match = sgf.read(data).match
    assert plays(sgf.read(sgf.from_match(match).data).match) == plays(match)


def check_lines(data: bytes) -> None:
    """A line is added to every comment, changed and removed, and nothing else changes."""
    record = sgf.read(data)
    lines = {
        (at, number): f"{PREFIX}{number}"
        for at, nodes in enumerate(record.nodes)
        for number in range(len(nodes))
    }
    once = sgf.with_comment_lines(record, PREFIX, lines)
    again = sgf.read(once)
    assert sgf.with_comment_lines(again, PREFIX, lines) == once
    removed = sgf.with_comment_lines(again, PREFIX, dict.fromkeys(lines))
    assert removed == sgf.with_comment_lines(record, PREFIX, dict.fromkeys(lines))
    if PREFIX.encode() not in data:
        assert removed == data
    for old_tree, new_tree in zip(parse(data), parse(once), strict=True):
        for old, new in zip(main_line(old_tree), main_line(new_tree), strict=True):
            expected = [entry[:2] for entry in old.properties if entry.name != b"C"]
            assert [entry[:2] for entry in new.properties if entry.name != b"C"] == expected


def without_ends(match: Match) -> list[list[object]]:
    """The legal plays without resignations and the rolls before them."""
    games = plays(match)
    for game, acts in zip(match.games, games, strict=True):
        acts[:] = [act for act in acts if act is not Resign]
        while game.resigned and isinstance(acts[-1], tuple) and acts[-1][-1] is None:
            acts.pop()
    return games


def facts(match: Match) -> list[tuple[object, ...]]:
    """Number, score and result of each game."""
    return [
        (game.number, game.score, game.crawford, game.winner, game.points, game.resigned)
        for game in match.games
    ]


@every_dialect
def test_a_match_is_read_from_every_dialect(name: str) -> None:
    for match in written_matches():
        read = sgf.read(write(match, DIALECTS[name])).match
        assert read.problems == ()
        assert (read.players, read.length, read.jacoby) == (
            ("Alice", "Bob"),
            match.length,
            match.jacoby,
        )
        assert read.headers == (("EventDate", "2026-03-14"), ("Event", "Club night"))
        assert facts(read) == facts(match)
        assert without_ends(read) == without_ends(match)


@every_dialect
def test_lines_can_be_added_and_removed_in_every_dialect(name: str) -> None:
    for match in written_matches()[:2]:
        check_lines(write(match, DIALECTS[name]))


@every_dialect
def test_a_file_of_every_dialect_written_again_has_the_same_plays(name: str) -> None:
    match = sgf.read(write(written_matches()[0], DIALECTS[name])).match
    again = sgf.read(sgf.from_match(match).data).match
    assert without_ends(again) == without_ends(match)
    assert facts(again) == facts(match)


def test_match_text_of_the_same_match_agrees() -> None:
    """Text and SGF of gnubg."""
    for match in written_matches()[:2]:
        (text,) = mat.read(write_mat(match, MAT_DIALECTS["gnubg"]))
        tree = sgf.read(write(match, DIALECTS["gnubg"])).match
        assert (text.players, text.length) == (tree.players, tree.length)
        assert without_ends(text) == without_ends(tree)


@every_sample
def test_samples_of_gnubg_are_legal(path: Path) -> None:
    check_legal(path.read_bytes())


@every_sample
def test_lines_can_be_added_to_samples_and_removed(path: Path) -> None:
    check_lines(path.read_bytes())


@every_sample
def test_a_sample_written_again_has_the_same_plays(path: Path) -> None:
    check_written_again(path.read_bytes())


def test_match_text_of_the_samples_agrees() -> None:
    """gnubg saved one match as SGF and exported it as text."""
    pairs = [path for path in SAMPLES.glob("*.sgf") if path.with_suffix(".mat").exists()]
    assert pairs
    for path in pairs:
        tree = sgf.read(path.read_bytes()).match
        (text,) = mat.read(path.with_suffix(".mat").read_bytes())
        assert (tree.players, tree.length, tree.start) == (text.players, text.length, text.start)
        assert plays(tree) == plays(text)
