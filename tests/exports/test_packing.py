"""What the data of a page leave out, because it follows from the rest, and what they keep."""

from __future__ import annotations

from typing import Any

from gnubg_nactation.exports.page.packing import pack

PLAYS = "P 0 500 100 0 100 0 8/5 6/5,$ 150+~ 0 0 0 0 0 13/10 6/5,N 200 -1 0 0 1 0 24/21 13/12"
MADE = {"plays": PLAYS, "worth": 100, "made": 1, "source": "gnubg 2-ply"}


def packed(**more: Any) -> dict[str, Any]:
    """A turn with these plays, of which the second was made, as it is left."""
    turn = {**MADE, **more}
    columns = pack([turn], 0.08)
    assert columns["losses"] == "0 150+~ 200"
    assert columns["says"] == "8/5 6/5,,24/21 13/12"
    assert columns["chances0"] == "500 0 -1"
    return turn


def test_a_loss_that_its_size_tells_goes() -> None:
    assert "lost" not in packed(lost=[["", 150, "very bad"]])
    cube = ["missed double", 50, "bad"]
    assert packed(lost=[cube, ["", 150, "very bad"]])["lost"] == [cube]


def test_a_loss_that_is_marked_by_hand_stays() -> None:
    assert packed(lost=[["", 150, "doubtful"]])["lost"] == [["", 150, "doubtful"]]
    assert "sound" not in packed(lost=[["", 150, "doubtful"]])


def test_a_play_that_lost_nothing_by_the_record_is_sound() -> None:
    assert packed()["sound"] == 1


def test_a_nacbrac_tells_what_the_plays_do_not() -> None:
    turns = [
        {**MADE, "nacbrac": text}
        for text in (
            "-3-3[P...$150] gnubg 2-ply",
            "-3-3[P...$150] gnubg 2-ply",
            "-3-3[P $150 E151] gnubg 2-ply",
            "-3-3[P=p $150] gnubg 2-ply",
            "-3-3[P $15] gnubg 2-ply",
            "-3-2[P $150] gnubg 2-ply",
        )
    ]
    pack(turns, 0.08)
    assert [turn["nacbrac"] for turn in turns] == [
        "-3-3[P...$150] gnubg 2-ply",
        "1~",
        "2 E151",
        "0P=p $150",
        "1 $15",
        "-3-2[P $150] gnubg 2-ply",
    ]
