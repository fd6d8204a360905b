"""The database that `scripts/archive_made.py` makes for measurements is a sound archive."""

from __future__ import annotations

import sys
from pathlib import Path

from gnubg_nactation.archive.damage import find_damage
from gnubg_nactation.archive.database import SCHEMA, archive_at
from gnubg_nactation.archive.finding import find_sequence
from gnubg_nactation.backgammon.ids import unpack_position
from gnubg_nactation.backgammon.notation import parse_hops, resolve
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.pattern import parse_pattern
from tests.archive.contents import check
from tests.cli.running import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

from archive_made import make


def test_a_made_database_is_sound(tmp_path: Path) -> None:
    """Its plays are legal and have their names, although positions were changed."""
    make(str(tmp_path / "made.db"), 6_000)
    with archive_at(str(tmp_path / "made.db")) as archive:
        check(archive)
        assert not find_damage(archive, SCHEMA)
        rows = archive.execute(
            "SELECT position, roll, play, nactation FROM turns WHERE play <> '' AND turn > 4"
        ).fetchall()
        for position, roll, play, name in rows[::50]:
            plays = Plays(unpack_position(position), Roll(*divmod(roll, 10)))
            made = resolve(parse_hops(play), plays[0].before, plays[0].roll, plays)
            assert str(plays.name(made).naming.nactation) == name
        positions = [position for position, *_ in rows]
        assert len(set(positions)) > len(positions) / 3
        assert next(find_sequence(archive, parse_pattern("*-31-42")))


def test_the_library_of_one_player_has_his_matches_alone(tmp_path: Path) -> None:
    """All are analysed; he is the first player in some and the second in others."""
    make(str(tmp_path / "own.db"), 6_000, own=True)
    with archive_at(str(tmp_path / "own.db")) as archive:
        check(archive)
        assert not find_damage(archive, SCHEMA)
        matches = archive.execute("SELECT first, second, analysed FROM matches").fetchall()
        assert len(matches) > 10
        assert all(1 in seats and analysed for *seats, analysed in matches)
        assert len({seats.index(1) for *seats, _ in matches}) == 2
