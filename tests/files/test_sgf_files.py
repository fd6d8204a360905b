"""SGF written by programs: real matches, and gnubg's SGF compared with its match text.

The files cannot be distributed, so they are next to the project; without them this is skipped.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.match import Game, Match, Move, Take, replay
from gnubg_nactation.files import mat, sgf
from gnubg_nactation.files.sgf import main_line, parse

SHARED = Path(__file__).parents[3] / "shared"
MATCHES, SAMPLES = SHARED / "matches", SHARED / "samples"
FILES = sorted(SHARED.glob("*/**/*.sgf"))
PREFIX = "Nactation: "

pytestmark = pytest.mark.skipif(not FILES, reason="no collection of SGF files next to the project")


def by_name(path: Path) -> str:
    return path.name


every_file = pytest.mark.parametrize("path", FILES, ids=by_name)


def plays(match: Match) -> list[list[object]]:
    """The cube and the position after each roll of each game, and doubles and drops.

    The cube shows takes. gnubg's match text has no takes after a raccoon and no doubles before the
    first roll.
    """
    return [[*plays_of_game(match, game)] for game in match.games]


def plays_of_game(match: Match, game: Game) -> Iterator[object]:
    for turn in replay(match, game):
        if isinstance(turn.action, Move):
            assert turn.state
            cube = turn.state.cube // game.cube, turn.state.owner
            yield turn.action.player, turn.action.roll, cube, turn.play and turn.play.reached
        elif not isinstance(turn.action, Take):
            yield type(turn.action)


@every_file
def test_every_play_is_legal(path: Path) -> None:
    match = sgf.read(path.read_bytes()).match
    assert match.problems == ()
    assert [t.problem for game in match.games for t in replay(match, game) if t.problem] == []


@every_file
def test_lines_can_be_added_and_removed(path: Path) -> None:
    data = path.read_bytes()
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


@every_file
def test_a_file_written_again_has_the_same_plays(path: Path) -> None:
    match = sgf.read(path.read_bytes()).match
    assert plays(sgf.read(sgf.from_match(match).data).match) == plays(match)


@pytest.mark.parametrize("path", sorted(MATCHES.glob("**/*.sgf")), ids=by_name)
def test_games_moves_and_results_are_as_expected(path: Path) -> None:
    with (MATCHES / "MANIFEST.tsv").open(encoding="utf-8") as rows:
        manifest = {row["file"]: row for row in csv.DictReader(rows, delimiter="\t")}
    row = manifest.get(path.relative_to(MATCHES).as_posix())
    if row is None:
        pytest.skip("not in the list of files")
    match = sgf.read(path.read_bytes()).match
    assert match.length == int(row["match length"])
    assert len(match.games) == int(row["games"])
    actions = row["moves+cube actions (SGF) or rolls (text)"]
    assert sum(len(game.actions) for game in match.games) == int(actions)
    results = [
        f"{'?' if g.winner is None else 'WB'[g.winner]}+{g.points}{'R' * g.resigned}"
        for g in match.games
    ]
    assert " ".join(results) == row["result of each game"]


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.with_suffix(".mat").exists()], ids=by_name
)
def test_match_text_of_the_same_match_agrees(path: Path) -> None:
    ours = sgf.read(path.read_bytes()).match
    (theirs,) = mat.read(path.with_suffix(".mat").read_bytes())
    assert (ours.players, ours.length, ours.start) == (theirs.players, theirs.length, theirs.start)
    assert plays(ours) == plays(theirs)
