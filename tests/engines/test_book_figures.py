"""The figures of the book of this program: a sample computed again by both engines."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from gnubg_nactation.archive.book_making import Deviation, check_book, sample_of, third_nodes
from gnubg_nactation.backgammon.plays import ROLLS, Roll, legal_plays
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.compiled import CompiledGnubg
from gnubg_nactation.engines.engine import Depth, Engine
from gnubg_nactation.nacbracs import book
from gnubg_nactation.nacbracs.book import shipped_book
from gnubg_nactation.nacbracs.nacbrac import MONEY
from gnubg_nactation.sequences.openings import openings
from tests.cli.running import output_of
from tests.engines.built import needs_builtin
from tests.figures import LOSS
from tests.gnubg.ingame import needs_gnubg

MAX_BYTES = 250_000


def deviations(engine: Engine, count: int, seed: int) -> list[Deviation]:
    sample = sample_of(shipped_book(), count, seed)
    return list(check_book(shipped_book(), sample, engine, Depth(2)))


def check(sample: list[Deviation]) -> None:
    for deviation in sample:
        assert deviation.points <= LOSS, deviation.line.sequence
        if deviation.best_differs:  # then two plays are nearly equal
            assert min(loss for _, _, loss in deviation.line.plays[1:] if loss) <= LOSS


@needs_gnubg
def test_gnubg_gives_a_sample_of_the_figures(gnubg: Gnubg) -> None:
    check(deviations(gnubg, 12, 1))


@needs_builtin
def test_the_built_in_engine_gives_a_sample_of_the_figures(builtin: CompiledGnubg) -> None:
    check(deviations(builtin, 3, 2))


def test_the_book_has_all_first_rolls_and_replies_at_four_scores() -> None:
    keys = list(shipped_book().lines)
    for score in ("", "d", "g", "s"):
        positions = dict.fromkeys(position for position, _, at in keys if at == score)
        first, *replies = list(positions)[:31]
        rolls = [sum(key[0] == at and key[2] == score for key in keys) for at in (first, *replies)]
        assert rolls == [15] + [21] * 30


def test_the_book_has_the_third_roll_after_each_close_reply_to_the_openings() -> None:
    rolls = defaultdict[Position, set[Roll]](set)
    for position, roll, score in shipped_book().lines:
        if score == MONEY:
            rolls[position].add(roll)
    nodes = third_nodes(shipped_book(), 0.02, openings())
    assert len({node.sequence[:3] for node in nodes}) == len(openings())
    for node in nodes:
        for roll in set(ROLLS) - rolls[node.position]:
            assert not legal_plays(node.position, roll), (node.sequence, roll)


def test_the_book_adds_little_to_the_package() -> None:
    assert (Path(book.__file__).parent / "opening.book.gz").stat().st_size <= MAX_BYTES


@pytest.mark.parametrize("sequence", ["54S-63R-31", "31P-42P-31"])
def test_a_third_roll_is_in_the_book(sequence: str) -> None:
    assert output_of("nacbrac", "--engine", "book", sequence).startswith(f"{sequence} [")
