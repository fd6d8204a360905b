"""Traditional notation for some of the moves, as the tutorial's introduction recommends."""

import pytest

from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.check import Verdict, check_sequence
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.sequences.tiers import ReadingKind

_PLAYS = ["24/20 13/8", "24/15", "8/5 6/5"]


def played(sequence: str) -> list[str]:
    return [format_play(turn.play) for turn in decode(sequence).turns if turn.play]


@pytest.mark.parametrize(
    "sequence",
    [
        "54S 63: 24/15 31P",
        "54S 63 24/15 31P",
        "54S-63-24/15-31P",
        "54S-63(24/15)-31P",
        "54S-63 (24/15)-31P",
        "54S, 63: 24/15, 31P",
        "54S-63: 24/18/15-31P",
        "54S-63: 24/18 18/15-31P",
        "54: 24/20 13/8, 63: 24/15, 31: 8/5 6/5",
        "54: 24/20, 13/8 63: 24/15 31: 8/5, 6/5",
        "54 13/8 24/20 63R 31 6/5 8/5",
        "54S (24/20 13/8) 63R (24/15) 31P (8/5 6/5)",
        "1. 54S 63: 24/15\n2. 31P",
        "54S 63: 24/15\n31P",
    ],
)
def test_letters_and_longhand_mix(sequence: str) -> None:
    decoded = decode(sequence)
    assert played(sequence) == _PLAYS
    assert all(turn.sure is Confidence.SURE and not turn.cost for turn in decoded.turns)
    assert decoded.sequence == "54S-63R-31P"


@pytest.mark.parametrize(
    ("sequence", "plays"),
    [
        ("21S-63R-21: 13/10*-32: bar/22 24/22", [
            "24/23 13/11", "24/15", "13/10*", "bar/22 24/22"
        ]),
        ("52S-55: 8/3*(2) 6/1*(2)-31", ["24/22 13/8", "8/3*(2) 6/1*(2)"]),
        ("65R 66: 24/18(2) 13/7(2) 31", ["24/13", "24/18(2) 13/7(2)"]),
        ("65R-66: 24/18, 24/18, 13/7, 13/7-31", ["24/13", "24/18(2) 13/7(2)"]),
        ("51$-43: 24/20* 13/10-42", ["13/8 6/5", "24/20* 13/10"]),
        ("51$-43: 24/20 13/10-42", ["13/8 6/5", "24/20* 13/10"]),  # a star may be missing
    ],
)  # fmt: skip
def test_longhand_of_all_kinds(sequence: str, plays: list[str]) -> None:
    assert played(sequence) == plays


@pytest.mark.parametrize("sequence", ["31P 42/31", "54/63/31", "54S/63R/31P", "52 21/43"])
def test_rolls_between_slashes_are_no_longhand(sequence: str) -> None:
    assert not any(turn.how is ReadingKind.LONGHAND for turn in decode(sequence).turns)


def test_a_letter_that_its_longhand_contradicts_is_doubtful() -> None:
    turn = decode("54S-63R-31P (13/10*/9)").turns[-1]
    assert turn.sure is Confidence.DOUBTFUL
    assert turn.note == "the longhand is 13/10*/9"
    assert list(map(format_play, turn.others)) == ["13/10*/9"]


@pytest.mark.parametrize(
    ("sequence", "at", "note"),
    [
        ("54S-63R (24/18 13/10)-31P", 1, "the longhand is 24/18 13/10"),
        ("54S-63R-31P (13/7)", 2, "the longhand is 13/7, not legal"),
        ("54S-63R-31P (= 8/2!)", 2, "the longhand is 8/2, not legal"),
        ("54S-63R-31P (8/5 6/5) (24/18)", 2, "the longhand is 24/18, not legal"),
        ("54S-63: 24/15 (24/18 13/10)-31P", 1, "the longhand is 24/18 13/10"),
    ],
)
def test_every_comment_that_contradicts_its_token_is_reported(
    sequence: str, at: int, note: str
) -> None:
    decoded = decode(sequence)
    assert played("54S-63R-31P") == [format_play(turn.play) for turn in decoded.turns if turn.play]
    assert [turn.sure is Confidence.SURE for turn in decoded.turns] == [
        number != at for number in range(3)
    ]
    assert decoded.turns[at].note == note
    verdicts = [checked.verdict for _, checked in check_sequence(decoded)]
    assert [verdict is Verdict.WRONG for verdict in verdicts] == [
        number == at for number in range(3)
    ]


# The sequence of #30, in which the second player fans before 51T.
@pytest.mark.parametrize(
    ("sequence", "at", "note"),
    [
        ("52S-32X-21H-42@-62X-54R-32@-52H-F (bar/22)-51T", 8, "the longhand is bar/22, not legal"),
        ("52S-32X-21H-42@-62X-54R-32@-52H-F (what else)-51T", None, ""),
    ],
)
def test_a_comment_may_contradict_a_fan(sequence: str, at: int | None, note: str) -> None:
    decoded = decode(sequence)
    doubtful = [number for number, turn in enumerate(decoded.turns) if turn.note]
    assert doubtful == [at] * (at is not None)
    assert all(decoded.turns[number].note == note for number in doubtful)
    wrong = [checked.verdict is Verdict.WRONG for _, checked in check_sequence(decoded)]
    assert any(wrong) == (at is not None)


@pytest.mark.parametrize("comment", ["1/2", "see 13/7", "8/5 or 6/5", "13-7", "10 pips"])
def test_a_comment_that_is_no_play_contradicts_nothing(comment: str) -> None:
    turn = decode(f"54S-63R-31P ({comment})").turns[-1]
    assert (turn.sure, turn.note, turn.others) == (Confidence.SURE, "", ())


def test_a_roll_whose_comment_is_not_legal_is_an_error() -> None:
    with pytest.raises(IllegalError, match="24/14 is not a legal play of 63"):
        decode("54S-63 (24/14)-31P")


def test_a_letter_that_no_play_has_gives_way_to_its_longhand() -> None:
    turn = decode("54S-63R-31K (8/5 6/5)").turns[-1]
    assert turn.play
    assert format_play(turn.play) == "8/5 6/5"
    assert turn.sure is not Confidence.SURE


@pytest.mark.parametrize("longhand", ["13/7", "8/5 6/3", "24/20 13/8"])
def test_longhand_that_is_not_legal_is_never_guessed(longhand: str) -> None:
    # None of these is a whole play of 63 there; the first two fit the dice.
    with pytest.raises(IllegalError) as error:
        decode(f"54S 63: {longhand} 31P")
    assert "63" in str(error.value)
