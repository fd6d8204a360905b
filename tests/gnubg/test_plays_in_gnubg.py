"""Legal plays and how they are written, against the real program."""

from __future__ import annotations

from pathlib import Path

from gnubg_nactation.backgammon.ids import format_position_id, parse_position_id
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from tests.backgammon.test_legal_play_counts import read_counts
from tests.gnubg.ingame import run_in_gnubg
from tests.strategies import random_positions


def test_plays_are_written_as_gnubg_writes_them(tmp_path: Path) -> None:
    pairs = random_positions(1200, seed=11)[::4]
    questions = [(format_position_id(position), str(roll)) for position, roll in pairs]
    answers = run_in_gnubg("inside_hints.py", questions, tmp_path)
    for (position, roll), theirs in zip(pairs, answers, strict=True):
        ours = [format_play(play) for play in legal_plays(position, roll)]
        assert sorted(ours) == sorted(theirs)
    assert sum(map(len, answers)) > 5000


def test_the_table_of_counts_is_gnubgs(tmp_path: Path) -> None:
    rows = read_counts()[::4]
    questions = [(position_id, roll) for position_id, roll, _ in rows]
    answers = run_in_gnubg("inside_hints.py", questions, tmp_path)
    assert [len(plays) for plays in answers] == [count for _, _, count in rows]


def test_busy_plays_are_written_as_gnubg_writes_them(tmp_path: Path) -> None:
    rows = [row for row in read_counts() if 500 < row[2] < 1000][:5]
    questions = [(position_id, roll) for position_id, roll, _ in rows]
    answers = run_in_gnubg("inside_hints.py", questions, tmp_path)
    for (position_id, roll, _), theirs in zip(rows, answers, strict=True):
        plays = legal_plays(parse_position_id(position_id), Roll.parse(roll))
        assert sorted(map(format_play, plays)) == sorted(theirs)
