"""The totals of an analysed match are those that gnubg prints with `show statistics match`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.decisions.severity import Totals, rating, totals
from gnubg_nactation.files import sgf
from tests.gnubg.ingame import ROOT, run_in_gnubg

NAMES = ("match-11pt.mat", "match-5pt.mat", "money.mat", "nackgammon-5pt.mat")
# gnubg.errorrating answers with the number of the word.
WORDS = (
    "Awful!",
    "Beginner",
    "Casual player",
    "Intermediate",
    "Advanced",
    "Expert",
    "World class",
    "Supernatural",
)
LIMITS = (2, 5, 8, 12, 18, 26, 35)
RATES = [0.0, 100.0, *(limit + step for limit in LIMITS for step in (-0.001, 0, 0.001))]


class MatchStatistics(NamedTuple):
    """gnubg's printed statistics of a match, its counts, and our totals."""

    lines: list[tuple[str, list[str]]]  # the name of each and the values of both players
    counts: dict[str, Any]
    ours: tuple[Totals, Totals]

    def values(self, name: str, player: Player) -> list[str]:
        return [values[player] for line, values in self.lines if line == name]


class Answer(NamedTuple):
    matches: list[MatchStatistics]
    ratings: list[int]


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Answer:
    folder = tmp_path_factory.mktemp("statistics")
    pairs = [
        (str(ROOT / "sample_matches" / name), str(folder / f"{at}.sgf"))
        for at, name in enumerate(NAMES)
    ]
    match = run_in_gnubg("inside_statistics.py", {"matches": pairs, "rates": RATES}, folder)
    matches = [
        MatchStatistics(
            [line for text in printed.splitlines() if (line := parse_line(text))],
            counts,
            totals(annotate(sgf.read(Path(target).read_bytes()).match)),
        )
        for (_, target), (printed, counts) in zip(pairs, match["statistics"], strict=True)
    ]
    return Answer(matches, match["ratings"])


def parse_line(line: str) -> tuple[str, list[str]] | None:
    """The name, and the values of both players without the brackets after them."""
    name, cells = line[:39].strip(), re.sub(r"\([^)]*\)+", "  ", line[39:])
    values = re.split(r"\s{2,}", cells.strip())
    return (name, values) if name and len(values) == 2 else None


def test_counts(answer: Answer) -> None:
    for match in answer.matches:
        rolls = sum(int(match.values("Total moves", player)[0]) for player in Player)
        for player in Player:
            ours = match.ours[player]
            assert [str(ours.moves)] == match.values("Unforced moves", player)
            assert [str(ours.decisions)] == match.values("Total cube decisions", player)
            assert [str(ours.close)] == match.values("Close or actual cube decisions", player)
            assert ours.rolls == rolls
            cube = match.counts["XO"[player]]["cube"]
            faults = [key for key in cube if key.startswith(("missed-", "wrong-"))]
            assert ours.cube_faults == sum(cube[key] for key in faults)


def test_rates(answer: Answer) -> None:
    compared = 0
    for match in answer.matches:
        for player in Player:
            ours = match.ours[player]
            rates = [ours.play_rate, ours.cube_rate, ours.rate, ours.snowie_rate]
            theirs = match.values("Error rate mEMG (MWC)", player)
            theirs += match.values("Error rate mEMG (Points)", player)
            theirs += match.values("Snowie error rate", player)
            for rate, printed in zip(rates, theirs, strict=True):
                # Printed with one digit; of chances in a match six digits are saved.
                assert (rate or 0.0) == pytest.approx(-float(printed), abs=0.051, rel=1e-3)
                compared += bool(rate)
    assert compared >= 28


def test_ratings(answer: Answer) -> None:
    words = set()
    for match in answer.matches:
        for player in Player:
            ours = match.ours[player]
            for name, rate in (
                ("Chequerplay rating", ours.play_rate),
                ("Cube decision rating", ours.cube_rate),
                ("Overall rating", ours.rate),
            ):
                assert match.values(name, player) == [rating(rate)]
                words.add(rating(rate))
    assert len(words) >= 4


def test_limits_of_ratings(answer: Answer) -> None:
    assert [rating(rate) for rate in RATES] == [WORDS[number] for number in answer.ratings]
    assert {rating(rate) for rate in RATES} == set(WORDS)
