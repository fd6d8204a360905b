"""What the data of a page leave out, because it follows from the rest, and what they keep."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.analysis import ErrorMark
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import Choice, Decision
from gnubg_nactation.exports.page.data import TurnData, game_data
from gnubg_nactation.exports.page.packing import pack
from gnubg_nactation.files import sgf
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.language.plays import Plays
from tests.exports.pages import ANALYSED

PLAYS = Plays(STANDARD, Roll(3, 1))


def choice(name: str, equity: float, level: str = "2-ply", odds: bytes = b"") -> Choice:
    nactation = parse_nactation(name)
    return Choice(PLAYS.play(nactation), nactation, "", equity, None, level, None, odds)


CHOICES = (
    choice("P", 0.1004, odds=b".5 .1 0 .1 0"),
    choice("$", -0.0493, "0-ply", b".5 .1 0 .1 0"),
    choice("C", -0.0996, odds=b".499 .1 0 .101 0"),
)
MADE = Decision(GameState(), CHOICES, 1, "gnubg 2-ply")


def told(**changes: Any) -> dict[str, Any]:
    """What the page tells of Ann's play, which loses .150, if its analysis is changed so."""
    (game,) = annotate(sgf.read_all(ANALYSED)[0].match).games
    turn = game.turns[0]
    assert isinstance(turn.action, Move)
    assert turn.action.analysis
    play = turn.action.analysis.play
    assert play
    analysis = replace(turn.action.analysis, play=replace(play, **changes))
    turn = replace(turn, action=replace(turn.action, analysis=analysis))
    [data] = game_data(replace(game, turns=(turn,)))
    assert data.decision
    return data.fields


def test_a_loss_that_its_size_tells_goes() -> None:
    assert not {"lost", "sound"} & told().keys()


def test_a_loss_that_is_marked_by_hand_stays() -> None:
    marked = told(marked=ErrorMark.DOUBTFUL)
    assert marked["lost"] == [["", 150, "doubtful"]]
    assert "sound" not in marked


def test_a_play_that_lost_nothing_by_the_record_is_sound() -> None:
    sound = told(rank=None)
    assert sound["sound"] == 1
    assert "lost" not in sound


def test_the_plays_stand_in_columns() -> None:
    columns = pack([TurnData({}), *[TurnData({"source": ""}, one) for one in (MADE, LESSER)]])
    assert columns["heads"] == "100:1;100:2:12"
    assert columns["names"] == "P $ C;P $ C"
    assert columns["losses"] == "0 150+~ 200;0 150+~ 200"
    assert columns["says"] == "8/5 6/5,,24/23 8/5;8/5 6/5,13/10 6/5,"
    assert columns["chances0"] == "500 0 -1;500 0 -1"


LESSER = MADE._replace(made=2, rank=11)


def test_who_says_so_is_told_where_it_changes() -> None:
    others = [MADE, MADE, MADE._replace(source="gnubg 0-ply")]
    turns = [TurnData({"source": one.source}, one) for one in others]
    pack(turns)
    assert [turn.fields for turn in turns] == [
        {"source": "gnubg 2-ply"},
        {},
        {"source": "gnubg 0-ply"},
    ]


def test_a_nacbrac_tells_what_the_plays_do_not() -> None:
    turns = [
        TurnData({"source": "", "nacbrac": text}, MADE)
        for text in (
            "-3-3[P...$150] gnubg 2-ply",
            "-3-3[P...$150] gnubg 2-ply",
            "-3-3[P $150 E151] gnubg 2-ply",
            "-3-3[P=p $150] gnubg 2-ply",
            "-3-3[P $15] gnubg 2-ply",
            "-3-2[P $150] gnubg 2-ply",
        )
    ]
    pack(turns)
    assert [turn.fields["nacbrac"] for turn in turns] == [
        "-3-3[P...$150] gnubg 2-ply",
        "1~",
        "2 E151",
        "0P=p $150",
        "1 $15",
        "-3-2[P $150] gnubg 2-ply",
    ]
