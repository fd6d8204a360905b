"""Score sheets of matches that are being written: every state is kept and read back."""

from __future__ import annotations

import random
from itertools import chain
from pathlib import Path

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Match
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.exports.draft import draft_text, new_draft, read_draft
from gnubg_nactation.files.formats import read
from gnubg_nactation.sequences.live import Ask, Draft, keys_of, press
from gnubg_nactation.values import replace
from tests.sequences.test_live import TYPED, typed


def same(draft: Draft) -> None:
    """The sheet of a draft gives it back; of a turn that has begun, the whole roll."""
    text = draft_text(draft)
    again = read_draft(text)
    assert draft_text(again) == text
    assert (again.score, again.state, again.ask) == (draft.score, draft.state, draft.ask)
    assert annotate(again.recorded).to_mat() == annotate(draft.recorded).to_mat()


@pytest.mark.thorough
@pytest.mark.parametrize("path", TYPED, ids=lambda path: path.stem)
def test_samples_are_kept_anywhere(path: Path) -> None:
    (match,) = read(path)
    keys = "".join(chain.from_iterable(keys_of(match)))
    ends = {*random.Random(0).sample(range(len(keys)), 8), len(keys)}
    draft = Draft(replace(match, games=()))
    for count, key in enumerate(keys, 1):
        draft = press(draft, key)
        is_kept = len(draft.pending) in {0, 2} and draft.ask is not Ask.SIZE
        if count in ends and is_kept:
            same(draft)
    same(draft)


@pytest.mark.parametrize(
    ("head", "keys"),
    [
        ("Ann - Ben, money", "31Pd"),
        ("Ann - Ben, money", "31Pdb"),
        ("Ann - Ben, money", "31Pdbrt64"),
        ("Ann - Ben, money, Jacoby", "31Pdbp13Pr3"),
        ("Ann - Ben, money, Jacoby, no beavers", "31Pdt64S51$drrr2"),
        ("Ann - Ben, 5 point match, no Crawford", "13P64!2"),
        ("Ann - Ben, 3 point match, Nackgammon", "13PdpP"),
        ('"A - B" - Ben, 3 point match', "13"),
        ("Ann - Ben, 7 point match, 2026-11-23, City Open, Paris", "31"),
        ("Ann - Ben, 7 point match", ""),
    ],
)
def test_cube_results_and_rules_are_kept(head: str, keys: str) -> None:
    draft = typed(new_draft(head), keys)
    if draft.ask not in {Ask.OPENING, Ask.ROLL} or not draft.pending:
        same(draft)
    assert read_draft(draft_text(draft)).match.headers == draft.match.headers


def test_a_sheet_for_people() -> None:
    draft = typed(new_draft("Ann - Ben, 3 point match, 2026-11-23"), "13P64Sd")
    assert draft_text(draft) == (
        'Ann - Ben, 3 point match\n; [EventDate "2026.11.23"]\n\n'
        "Game 1: Ann 0, Ben 0\n-31P-64S doubles\n"
    )
    assert draft_text(typed(draft, "p31")) == (
        'Ann - Ben, 3 point match\n; [EventDate "2026.11.23"]\n\n'
        "Game 1: Ann 0, Ben 0\n-31P-64S doubles passes\nBen wins 1 point\n\n"
        "Game 2: Ann 0, Ben 1\n31\n"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no score sheet"),
        ("hello", "found 'hello'"),
        ("Ann - Ben, 3 point match\n\n31P-64Q\n", "line 3, column 5: found '64Q'"),
        ("A - B, money\n\n31P\n\nC - D, money\n\n31P\n", "found 2 matches, expected one"),
    ],
)
def test_what_is_no_draft(text: str, message: str) -> None:
    with pytest.raises(MalformedError, match=message):
        read_draft(text)


@pytest.mark.parametrize("title", ["Game 2: Ann 1, Ben 0", "Game 1: Ann 0, Ben 0, cube at 2"])
def test_a_game_whose_score_does_not_follow(title: str) -> None:
    """The draft would begin it at 0-0 with the cube at 1."""
    with pytest.raises(IllegalError, match="a number, score or cube that does not follow"):
        read_draft(f"Ann - Ben, money\n\n{title}\n31P-64S\n")


def test_a_head_alone_begins_a_match() -> None:
    with pytest.raises(MalformedError, match="expected a head such as"):
        new_draft("31P-64S")
    assert new_draft("Ann - Ben, money").match == Match(("Ann", "Ben"), 0, ())
