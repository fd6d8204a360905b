"""A turn of a match that is being written is replaced, and the turns after it stay if they can."""

from __future__ import annotations

from functools import reduce

import pytest

from gnubg_nactation.backgammon.match import Turn
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.exports.draft import draft_text, new_draft
from gnubg_nactation.files.formats import read
from gnubg_nactation.sequences.live import Draft, correct, draft_of, keys_of, press, turns_by_game
from tests.cli.running import SAMPLES


def typed(keys: str, head: str = "Ann - Ben, 7 point match") -> Draft:
    return reduce(press, keys, new_draft(head))


def rows(draft: Draft) -> str:
    """The turns of the last game, as its sheet shows them."""
    return draft_text(draft).splitlines()[-1]


def test_another_letter_keeps_the_turns_after_it() -> None:
    draft = typed("31P64S52S")
    corrected = correct(draft, 1, "R")
    assert not corrected.is_open
    assert (corrected.lost, rows(corrected.draft)) == (0, "31P-64R-52S")


def test_the_dice_are_typed_already_and_can_be_taken_back() -> None:
    draft = typed("31P64S52S")
    begun = correct(draft, 1, "")
    assert (begun.is_open, begun.draft.pending, rows(begun.draft)) == (True, "64", "31P-64")
    assert correct(draft, 1, "\b\b").draft.pending == ""
    corrected = correct(draft, 1, "\b\b63R")
    assert (corrected.lost, rows(corrected.draft)) == (0, "31P-63R-52S")
    before = correct(draft, 1, "\b\b\b")
    assert before.draft.note == "choose the turn before this one to correct it"
    assert rows(before.draft) == "31P"


def turns_of_game(draft: Draft) -> tuple[Turn, ...]:
    """The turns of the last game."""
    return turns_by_game(draft)[-1]


def test_a_play_stays_by_its_checkers_not_by_its_letter() -> None:
    """24/20* hits the slot, and nothing if there is none: the letter is another, the move not."""
    draft = typed("21$64Z")
    corrected = correct(draft, 0, "D")
    plays = [
        turn.play and format_play(turn.play)
        for turn in (*turns_of_game(draft), *turns_of_game(corrected.draft))
    ]
    assert plays == ["13/11 6/5", "24/20* 13/7", "13/10", "24/20 13/7"]
    assert corrected.lost == 0


def test_turns_that_are_not_possible_any_more_are_counted() -> None:
    """Without a checker on the 18 point, 18/8 cannot be played; with it, all is as before."""
    draft = typed("62S31P64T52S")
    ran = turns_of_game(draft)[2].play
    assert ran
    assert format_play(ran) == "18/8"
    corrected = correct(draft, 0, "D")
    assert (corrected.lost, rows(corrected.draft)) == (2, "62D-31P")
    again = correct(draft, 0, "D\b\b\b62S")
    assert (again.lost, rows(again.draft)) == (0, rows(draft))


def test_marks_belong_to_the_new_turn() -> None:
    """A key that varies a letter does so at the turn that was chosen, not at the end."""
    draft = typed("21S64S")
    corrected = correct(draft, 0, "S ")
    once = typed("21S ")
    assert rows(corrected.draft) == f"{rows(once)}-64S"


def test_a_forgotten_double_is_put_before_its_roll() -> None:
    draft = typed("31P64S52S")
    offered = correct(draft, 2, "\b\bd")
    assert (offered.lost, rows(offered.draft)) == (0, "31P-64S doubles")
    taken = correct(draft, 2, "\b\bdt")
    assert (taken.lost, rows(taken.draft)) == (0, "31P-64S doubles takes 52S")


def test_a_double_that_was_none_is_replaced_with_the_roll_after_it() -> None:
    draft = typed("31Pdt64S52S")
    assert rows(draft) == "31P doubles takes 64S-52S"
    corrected = correct(draft, 1, "64S")
    assert (corrected.lost, rows(corrected.draft)) == (0, "31P-64S-52S")


def test_a_turn_of_an_earlier_game() -> None:
    """Ben resigns one point more, which changes the score of the game after it."""
    draft = typed("31Pr131P64S")
    assert [len(turns) for turns in turns_by_game(draft)] == [1, 2]
    corrected = correct(draft, 0, "D")
    assert corrected.lost == 0
    assert "\n31D\nAnn wins 1 point\n" in draft_text(corrected.draft)
    assert rows(corrected.draft) == "31P-64S"


def test_keys_after_the_new_turn_continue_at_the_end() -> None:
    corrected = correct(typed("31P64S52"), 0, "DS44A")
    assert rows(corrected.draft) == "31D-64S-52S-44A"


@pytest.mark.parametrize("at", [-1, 2, 1000])
def test_no_such_turn(at: int) -> None:
    with pytest.raises(IllegalError, match="the match has 2"):
        correct(typed("31P64S"), at, "")


@pytest.mark.thorough
def test_each_turn_typed_again_changes_nothing() -> None:
    """Every turn of a match, replaced with itself, keeps all that follows."""
    (match,) = read(SAMPLES / "match-3pt.mat")
    draft = draft_of(match)
    text = draft_text(draft)
    steps = [keys for keys in keys_of(match) if keys[0] != "!"]
    for at, keys in enumerate(steps):
        is_roll = keys[0].isdigit()
        rest = keys[2:] or keys[1:] if is_roll else keys  # of a forced play one die is typed
        corrected = correct(draft, at, rest)
        assert (corrected.is_open, corrected.lost) == (False, 0), at
        assert draft_text(corrected.draft) == text, at
