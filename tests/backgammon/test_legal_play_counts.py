"""Numbers of legal plays as gnubg counts them, of busy doublets above all.

The table is made by tests/gnubg/make_legal_play_counts.py in the real program.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.backgammon.plays import Roll, legal_plays

TABLE = Path(__file__).with_name("legal_play_counts.tsv")


def read_counts() -> list[tuple[str, str, int]]:
    """Position ID, roll and number of legal plays of every row."""
    _, *rows = TABLE.read_text(encoding="ascii").splitlines()
    cells = [row.split("\t") for row in rows]
    return [(position_id, roll, int(count)) for position_id, roll, count in cells]


@pytest.mark.parametrize(("position_id", "roll", "count"), read_counts())
def test_as_many_plays_as_gnubg_counts(position_id: str, roll: str, count: int) -> None:
    plays = legal_plays(parse_position_id(position_id), Roll.parse(roll))
    assert len(plays) == count
    assert len({play.reached for play in plays}) == count


def test_the_table_is_busy() -> None:
    counts = [count for _, _, count in read_counts()]
    assert len(counts) >= 60
    assert max(counts) > 2000
    assert min(counts) == 0
