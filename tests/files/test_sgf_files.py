"""Real matches in SGF, if present, and gnubg's SGF compared with its match text.

`test_sgf_dialects.py` has the same for files that tests write.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from gnubg_nactation.files import mat, sgf
from tests.files.collection import MANIFEST, MATCHES, files
from tests.files.test_sgf_analysis import count_marks
from tests.files.test_sgf_dialects import check_legal, check_lines, check_written_again, plays

pytestmark = pytest.mark.thorough
FILES = files(".sgf")  # skips these tests without the collection


def by_name(path: Path) -> str:
    return path.name


every_file = pytest.mark.parametrize("path", FILES, ids=by_name)


@every_file
def test_every_play_is_legal(path: Path) -> None:
    check_legal(path.read_bytes())


@every_file
def test_lines_can_be_added_and_removed(path: Path) -> None:
    check_lines(path.read_bytes())


@every_file
def test_a_file_written_again_has_the_same_plays(path: Path) -> None:
    check_written_again(path.read_bytes())


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.is_relative_to(MATCHES)], ids=by_name
)
def test_games_moves_and_results_are_as_expected(path: Path) -> None:
    with MANIFEST.open(encoding="utf-8") as rows:
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


def test_marks_follow_from_the_errors() -> None:
    counts = [count_marks(sgf.read(path.read_bytes()).match) for path in FILES]
    errors, wrong = map(sum, zip(*counts, strict=True))
    assert errors > 1000
    assert wrong < errors / 100  # an analysed play may have no mark
