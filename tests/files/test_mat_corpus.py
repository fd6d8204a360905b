"""Real match files, if present, compared with independent results.

`test_mat_dialects.py` has the same for match text that tests write.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

import pytest

from gnubg_nactation.backgammon.match import Match, Move, replay
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files import mat
from tests.files.collection import MANIFEST, MATCHES, SAMPLES, files
from tests.files.mat_texts import expressible

pytestmark = pytest.mark.thorough
TEXTS = files(".mat")  # skips these tests without the collection


class Entry(NamedTuple):
    """The facts about a file."""

    file: str
    length: str
    games: str
    rolls: str
    results: str


def _manifest() -> list[Entry]:
    with MANIFEST.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines, delimiter="\t"))[1:]
    return [Entry(row[0], *row[4:8]) for row in rows if not row[0].endswith(".sgf")]


ENTRIES = _manifest()

# Cells that cannot be replayed: illegal plays, missing plays, and plays that the record itself
# calls illegal.
PROBLEMS = {
    "5nqfGw9bWG3deTaU.mat": ["'14/10 13/12' is not a legal play of 31"],
    "hQ8sVn2LbTdF4wRm.mat": [
        "'14/8 15/10 6/8' is not a legal play of 65",
        "'13/9 13/7' is not a legal play of 63",
        "'7/1' is not a legal play of 41",
    ],
    "rK7pXm4TqLb9NzWd.mat": ["'13/3 7/4' is not a legal play of 33"],
    "Wakagashira-nori-2009Feb092110.txt": ["no play is recorded"],
    "Wakagashira-nori-2009Feb092123.txt": ["no play is recorded"],
    "nicksbar-nori-2009Jan302316.txt": ["no play is recorded"] * 2,
    "Nori-Kenji081229.txt": ["not a checker play: 'Illegal play ("] * 3,
}


def _read(path: Path) -> Match:
    (match,) = mat.read(path.read_bytes())
    return match


def test_the_list_of_files_is_complete() -> None:
    assert len(ENTRIES) > 170


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.file)
def test_a_file_has_the_expected_games_and_results(entry: Entry) -> None:
    match = _read(MATCHES / entry.file)
    results = [
        "-" if game.winner is None else f"{'LR'[game.winner]}{game.points}" for game in match.games
    ]
    rolls = sum(isinstance(action, Move) for game in match.games for action in game.actions)
    facts = (str(match.length), str(len(match.games)), str(rolls), " ".join(results))
    assert facts == entry[1:]
    assert match.problems == ()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.file)
def test_a_file_replays_with_known_problems_only(entry: Entry) -> None:
    match = _read(MATCHES / entry.file)
    turns = [turn for game in match.games for turn in replay(match, game)]
    problems = [turn.problem for turn in turns if turn.problem]
    expected = PROBLEMS.get(Path(entry.file).name, [])
    assert len(problems) == len(expected)
    for problem, begin in zip(problems, expected, strict=True):
        assert problem.startswith(begin)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.file)
def test_a_file_reads_back_as_written(entry: Entry) -> None:
    match = _read(MATCHES / entry.file)
    text = mat.write(match)
    (again,) = mat.read(text.encode())
    assert expressible(again) == expressible(match)
    assert mat.write(again) == text


def test_an_analysis_report_is_no_match_text() -> None:
    (path,) = (MATCHES / "not-a-match").iterdir()
    with pytest.raises(MalformedError, match=r"^line 1: found 'The score"):
        mat.read(path.read_bytes())


@pytest.mark.parametrize(
    "path", [path for path in TEXTS if path.parent == SAMPLES], ids=lambda path: path.name
)
def test_gnubgs_own_files_are_written_byte_for_byte(path: Path) -> None:
    data = path.read_bytes()
    match = _read(path)
    assert mat.write(match).encode() == data
    assert match.problems == ()
    assert not [t for game in match.games for t in replay(match, game) if t.problem]


EDGE_PROBLEMS = {
    "autodouble-beaver-setup.BAD-EXPORT.mat": 2  # the result thrice
}


@pytest.mark.parametrize(
    "path", [path for path in TEXTS if path.parent == SAMPLES / "edge"], ids=lambda p: p.name
)
def test_odd_files_are_read_or_refused(path: Path) -> None:
    if path.name in ("trunc_header.mat", "trunc_nogame.mat"):
        with pytest.raises(MalformedError, match=r"^line 4: '5 point match' is not followed by a"):
            _read(path)
        return
    match = _read(path)
    assert len(match.problems) == EDGE_PROBLEMS.get(path.name, 0)
    assert match.games[0].actions
    assert expressible(_read_text(mat.write(match))) == expressible(match)


def _read_text(text: str) -> Match:
    (match,) = mat.read(text.encode())
    return match
