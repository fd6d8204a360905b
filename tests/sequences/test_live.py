"""Matches typed key by key: every sample, wrong keys, taking back, the keys that it takes."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import reduce
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Drop, Match, Move, Resign, Take, replay
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.files.formats import read
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.live import (
    BACK,
    FIRST_PLAY,
    Ask,
    Draft,
    choices,
    draft_of,
    keys_of,
    press,
    question,
)
from gnubg_nactation.values import replace
from tests.cli.running import SAMPLES

TYPED = sorted(path for path in SAMPLES.iterdir() if path.suffix == ".mat")
KEYS = "123456PSRDJIH@$_. \n\b-dtpbr!Z9e"
MOST_KEYS = 3.3  # a turn


def typed(draft: Draft, keys: Iterable[str]) -> Draft:
    return reduce(press, keys, draft)


def begun(keys: str = "", *, length: int = 7, jacoby: bool = False) -> Draft:
    return typed(Draft(Match(("Ann", "Ben"), length, (), jacoby=jacoby)), keys)


def empty(match: Match) -> Draft:
    return Draft(replace(match, games=()))


@pytest.mark.parametrize("path", TYPED, ids=lambda path: path.stem)
def test_a_sample_is_typed(path: Path) -> None:
    """Score, starters, Crawford game and results follow from the keys; no key is refused."""
    (match,) = read(path)
    draft = empty(match)
    for key in chain.from_iterable(keys_of(match)):
        draft = press(draft, key)
        assert "does nothing" not in draft.note
    assert annotate(draft.recorded).to_mat() == annotate(match).to_mat()
    assert draft.is_over == bool(match.length)


def test_the_keys_of_a_turn() -> None:
    """All keys count: dice, letters, cube, resignations."""
    rows: dict[str, tuple[int, int]] = {}
    for path in TYPED:
        (match,) = read(path)
        keys = "".join(keys_of(match))
        turns = sum(isinstance(action, Move) for game in match.games for action in game.actions)
        rows[path.stem] = (len(keys), turns)
    for name, (count, turns) in rows.items():
        print(f"{name}: {count} keys, {turns} turns, {count / turns:.2f} a turn")  # noqa: T201
        assert count / turns <= MOST_KEYS
    mean = sum(keys for keys, _ in rows.values()) / sum(turns for _, turns in rows.values())
    print(f"all: {mean:.2f} a turn")  # noqa: T201
    assert mean <= 3


def test_dice_then_a_letter() -> None:
    draft = begun("3")
    assert (draft.ask, question(draft)) == (Ask.OPENING, "Opening roll: type the die of Ben")
    draft = press(draft, "1")
    assert (draft.ask, draft.state.player) == (Ask.PLAY, Player.FIRST)
    assert question(draft) == "Ann to play 31: type its letter"
    draft = press(draft, "P")
    (turn,) = draft.turns
    assert str(turn.play) == "8/5 6/5"
    assert question(draft) == "Ben to roll: type two dice"
    assert typed(draft, "64").state.position == turn.play.after  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("keys", "player"),
    [
        ("31", 0),
        ("13", 1),
        ("-31", 1),
        ("-13", 0),
        ("31-", 1),
        ("13-", 0),
        ("31--", 0),
        ("--13", 1),
    ],
)
def test_who_starts(keys: str, player: int) -> None:
    """The first die is the first player's, the higher one starts, and a hyphen swaps them."""
    draft = begun(keys)
    assert draft.state.player == player
    draft = press(draft, "P")
    assert draft.turns[0].action.player == player
    assert str(draft.turns[0].play) == "8/5 6/5"
    assert press(draft, BACK).state.player == player


def test_a_doublet_does_not_open() -> None:
    draft = begun("33")
    assert "'3' does nothing here: a doublet does not open a game; " in draft.note
    assert press(draft, "1").state.roll == (3, 1)


def test_enter_takes_the_first_play() -> None:
    draft = begun("31")
    play = draft.choices[0]
    assert press(draft, FIRST_PLAY).turns[0].play == play
    assert set(draft.choices) == set(Plays(draft.state.position, "31"))


@pytest.mark.parametrize("key", "Q?é0-\x00 ")
def test_a_wrong_letter_is_explained(key: str) -> None:
    """No play of 64 after 31P has these letters, and nothing changes."""
    before = begun("31P64")
    draft = press(before, key)
    assert draft.note.startswith(("64", f"{key!r} does nothing here", "Space does nothing"))
    assert "\n" not in draft.note
    assert draft._replace(note="") == before
    assert press(draft, "S").turns[1].play


@pytest.mark.parametrize(
    ("keys", "note"),
    [
        ("S", "Opening roll: type the die of Ann; - die of Ben first"),
        ("3S", "Opening roll: type the die of Ben"),
        ("31Px", "Ben to roll: type two dice; d double, r resign"),
        ("31P7", "Ben to roll: type two dice"),
        ("31Pt", "Ben to roll: type two dice; d double, r resign"),
        ("31P6d", "Ben to roll: type the second die"),
        ("31Pd3", "Ann to answer the double; t take, p drop"),
        ("31Pdb", "Ann to answer the double; t take, p drop"),
        ("31Pr4", "Ben resigns; 1 single game, 2 gammon, 3 backgammon, r Ann resigns"),
    ],
)
def test_a_wrong_key_is_explained(keys: str, note: str) -> None:
    draft = begun(keys)
    assert f"does nothing here: {note}" in draft.note
    assert draft._replace(note="") == begun(keys[:-1])


def test_the_cube() -> None:
    """Ben doubles, Ann owns the cube at 2, and only she may turn it again."""
    draft = begun("31Pdt64S")
    assert (draft.state.cube, draft.state.owner, draft.state.player) == (2, 0, 0)
    assert "d redouble" in map(str, choices(draft))
    draft = typed(draft, "51$")
    assert "d double" not in map(str, choices(draft))
    assert "Ann owns the cube" in press(draft, "d").note
    draft = typed(draft, "62Sdp")
    (game,) = draft.match.games
    assert (game.winner, game.points, draft.score) == (Player.FIRST, 2, (2, 0))
    assert isinstance(game.actions[-1], Drop)


def test_beavers_are_for_money() -> None:
    draft = begun("31Pdbr", length=0)
    assert [turn.raised for turn in draft.turns] == [0, 1, 2, 3]
    assert draft.state.player is Player.FIRST
    draft = press(draft, "t")
    # Ann was doubled first, so she owns the cube, and Ben, who doubled, rolls.
    assert (draft.state.cube, draft.state.owner, draft.state.player) == (8, 0, 1)
    assert isinstance(draft.turns[-1].action, Take)
    assert press(begun("31Pd"), "b").note
    match = Match(("Ann", "Ben"), 0, (), headers=(("Beaver", "Off"),))
    assert typed(Draft(match), "31Pdb").note


def test_a_beaver_that_is_taken_leaves_the_doubler_on_roll() -> None:
    draft = begun("31Pdbt", length=0)
    assert (draft.state.cube, draft.state.owner, draft.state.player) == (4, 0, 1)


@pytest.mark.parametrize(
    ("keys", "winner", "points"),
    [("r1", 0, 1), ("r2", 0, 2), ("r3", 0, 3), ("rr1", 1, 1), ("rrr2", 0, 2), ("64!1", 0, 1)],
)
def test_resignations(keys: str, winner: int, points: int) -> None:
    """`r` resigns for the player on roll, twice for the opponent; `!` also after a roll."""
    (game,) = begun("31P" + keys).match.games
    assert (game.winner, game.points, game.resigned) == (winner, points, True)
    assert game.actions[-1] == Resign(Player(1 - winner))
    assert begun("31P" + keys).score == ((points, 0) if winner == 0 else (0, points))


def test_gammons_need_the_cube_by_the_jacoby_rule() -> None:
    (game,) = begun("31Pr2", length=0, jacoby=True).match.games
    assert game.points == 1
    (game,) = begun("31Pdtrr2", length=0, jacoby=True).match.games
    assert game.points == 4


def test_the_crawford_game_comes_once() -> None:
    """At 0-2 to 3 points nobody doubles; in the game after it the cube is back."""
    draft = begun("31Pdp31Pdp", length=3)
    assert (draft.score, draft.game.crawford) == ((0, 2), True)
    draft = typed(draft, "31P")
    assert "no double in the Crawford game" in press(draft, "d").note
    draft = typed(draft, "r1")
    assert (draft.score, draft.game.crawford) == ((1, 2), False)
    draft = typed(draft, "31Pdp")
    assert (draft.ask, question(draft)) == (Ask.OVER, "Ben has won the match")
    assert "has won the match" in press(draft, "3").note
    match = Match(("Ann", "Ben"), 3, (), headers=(("Crawford", "Off"),))
    assert not typed(Draft(match), "31Pdp31Pdp").game.crawford


def test_letters_with_marks_and_styles() -> None:
    """A mark and a blank change the last play; 33O is no play at first if only 33O_ is one."""
    draft = begun("31P33")
    plays = Plays(draft.state.position, "33")
    for keys, name in {"O": "O", "O_": "O_", "o_": "o_", "o_ ": "o_{4}", "J ": "J{3}"}.items():
        if plays_has(plays, name):
            assert typed(draft, keys).turns[-1].play == plays.play(name)
    refused = typed(draft, "P      ")
    assert "is not legal here: the last P is" in refused.note
    assert refused.turns[-1].play


def plays_has(plays: Plays, name: str) -> bool:
    try:
        return bool(plays.play(name))
    except IllegalError:
        return False


def test_a_forced_play_needs_no_letter() -> None:
    """Rolls with one play, and fans, take two keys."""
    (match,) = read(SAMPLES / "match-3pt.mat")
    turns = list(replay(match, match.games[0]))
    steps = list(keys_of(match))[: len(turns)]
    counts = {len(turn.plays): len(keys) for keys, turn in zip(steps, turns, strict=True)}
    assert (counts[0], counts[1]) == (2, 2)
    draft = empty(match)
    for keys, turn in zip(steps, turns, strict=True):
        draft = typed(draft, keys)
        last = draft.turns[-1] if draft.turns else None
        assert last is None or last.play == turn.play


@pytest.mark.parametrize("path", TYPED[:3], ids=lambda path: path.stem)
def test_everything_is_taken_back_and_typed_again(path: Path) -> None:
    """Backspace leads back to the start, and at every step the same keys go on."""
    (match,) = read(path)
    keys = list(chain.from_iterable(keys_of(match)))
    draft = typed(empty(match), keys)
    rng, whole = random.Random(1), draft.recorded
    seen = 0
    while draft.match.games or draft.turns or draft.pending:
        shorter = press(draft, BACK)
        assert shorter != draft
        draft = shorter
        seen += 1
        if rng.random() < 0.01:
            assert draft_of(draft.recorded)._replace(pending="") == draft._replace(pending="")
    assert seen >= len(whole.games) + sum(len(game.actions) for game in whole.games)
    assert "nothing is left" in press(draft, BACK).note


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=KEYS, max_size=60), st.sampled_from([0, 1, 5]))
def test_any_keys(keys: str, length: int) -> None:
    """Any keys leave a legal match, and a note or a change; taking back undoes each."""
    draft = begun(length=length)
    for key in keys:
        after = press(draft, key)
        assert after.note or after != draft or key == "-"
        if after.note and len(after.pending) <= len(draft.pending):
            assert after._replace(note="", typed=None) == draft._replace(note="", typed=None)
        draft = after
        assert question(draft)
    assert draft_of(draft.recorded).score == draft.score
    for game in draft.recorded.games:
        assert not any(turn.problem for turn in replay(draft.recorded, game))


def test_what_cannot_be_continued() -> None:
    (match,) = read(SAMPLES / "money-beaver-setup.sgf")
    with pytest.raises(IllegalError, match="game 1 sets up a board"):
        draft_of(match)


def test_a_match_that_breaks_off_goes_on() -> None:
    """A roll at the end is still to be played, also by the second player of Nackgammon."""
    match = Match(("Ann", "Ben"), 5, (), start=NACKGAMMON)
    draft = typed(Draft(match), "13")
    game = replace(draft.game, actions=(Move(Player.SECOND, Roll(3, 1)),))
    roll = replace(match, games=(game,))
    again = draft_of(roll)
    assert (again.ask, again.state) == (Ask.PLAY, draft.state)
