"""The suffix of what an analysis says, and what it means when it is read."""

from __future__ import annotations

import pytest

from gnubg_nactation.nacbracs.bots import analysis_suffix, bot_of, describe_bot


# The signs are those of the language: / | \ for gnubg, " for XG 2, then < ^ > = + & for its level.
@pytest.mark.parametrize(
    ("method", "words", "symbols", "said"),
    [
        ("2-ply", "gnubg 2-ply", "/e", "gnubg, 2-ply, evaluation"),
        ("0-ply", "gnubg 0-ply", "gnubg 0-ply", "gnubg, 0-ply, evaluation"),
        ("rollout", "gnubg rollout", "gnubg rollout", "gnubg, rollout"),
        ("XG 4-ply", "XG 4-ply", '"^e', "XG 2, 4-ply, evaluation"),
        ("XG Roller", "XG Roller", '"=e', "XG 2, Roller, evaluation"),
        ("XG Roller+", "XG Roller+", '"+e', "XG 2, Roller+, evaluation"),
        ("XG Roller++", "XG Roller++", '"&e', "XG 2, Roller++, evaluation"),
        ("XG rollout", "XG rollout", "XG rollout", "XG, rollout"),
        ("XG 3-ply red", "XG 3-ply red", "XG 3-ply red", "XG, 3-ply red, evaluation"),
        ("XG book", "XG book", "XG book", "XG, book"),
        ("BGBlitz", "BGBlitz", "BGBlitz", "BGBlitz"),
        ("BGBlitz 2-ply", "BGBlitz 2-ply", "BGBlitz 2-ply", "BGBlitz, 2-ply, evaluation"),
        ("Sage 1-ply", "Sage 1-ply", "Sage 1-ply", "Sage, 1-ply, evaluation"),
    ],
)
def test_one_level(method: str, words: str, symbols: str, said: str) -> None:
    assert analysis_suffix([method, method], ["P", "H"]) == words
    assert analysis_suffix([method], symbols=True) == symbols
    assert describe_bot(symbols) == said
    assert describe_bot(words) == said.replace("XG 2", "XG")


def test_several_levels() -> None:
    """Of the best, then the lesser ones with their plays, which has no signs."""
    methods = ["XG Roller++", "XG 3-ply", "XG 2-ply", "XG 3-ply"]
    suffix = analysis_suffix(methods, ["P", "H", "O.", "X"], symbols=True)
    assert suffix == "XG Roller++, 3-ply for H X, 2-ply for O."
    assert describe_bot(suffix) == "XG, Roller++, evaluation, 3-ply for H X, 2-ply for O."


def test_standard_errors_of_a_rollout() -> None:
    suffix = analysis_suffix(["rollout"] * 3, errors=[0.0051, 0.012])
    assert suffix == "gnubg rollout, standard errors 5 12"
    assert describe_bot(suffix) == "gnubg, rollout, standard errors 5 12"


def test_whose_level_it_is() -> None:
    assert [bot_of(method) for method in ("2-ply", "XG 4-ply", "rollout")] == [
        ("gnubg", "2-ply"),
        ("XG", "4-ply"),
        ("gnubg", "rollout"),
    ]


@pytest.mark.parametrize(
    "suffix",
    ["Roller++", "XG XG", "gnubg 2-ply, 0-ply", "gnubg 2-ply for H", "at 2-ply", "Even at 2-ply"],
)
def test_what_says_nothing(suffix: str) -> None:
    assert describe_bot(suffix) == ""
