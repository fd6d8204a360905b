"""Matches of BGBlitz and GammonView and in OGXM, which the reference library also reads."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gvformat
import ogxm
import pytest

from gnubg_nactation.annotation import AnnotatedTurn, annotate
from gnubg_nactation.backgammon.match import Double, Match, Move, Take
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.decisions.severity import cube_of, luck_of, play_of
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.exports.ogxm import format_ogxm
from gnubg_nactation.exports.sgf import own_comment
from gnubg_nactation.files import mat
from gnubg_nactation.files.formats import read
from gnubg_nactation.values import replace
from tests.cli.running import SAMPLES, run
from tests.files import bgf_files
from tests.files.bgf_files import GREEN, RED, bgf_file
from tests.strategies import random_match

ANALYSED = SAMPLES / "match-3pt-analysed.sgf"
POINT = [(8, 5), (6, 5)]
BGBLITZ = [
    bgf_files.move(GREEN, (3, 1), POINT, [(POINT, 0.15, 0.55), ([(24, 23), (13, 10)], -0.01, 0.5)]),
    bgf_files.move(RED, (6, 3), [(24, 18), (18, 15)]),
    *bgf_files.cube(GREEN, accepted=True, no_double=0.4, take=0.5),
    bgf_files.move(GREEN, (6, 5), [(24, 18), (18, 13)]),
]
# An illegal play with too many steps, one backwards, one that cannot be read, and no play.
ODD = """ 7 point match

 Game 1
 Ann : 0                             Ben : 0
  1) 31: 8/5 6/5                     63: 24/15
  2) 31: 13/9 13/10 6/5              65: 24/18 13/8
  3) 65: 13/7 10/15                  21: who knows
      Wins 2 points

 Game 2
 Ann : 3                             Ben : 0
  1) 42: 8/4 6/4                     52: 13/8 24/22
  2) 66:
"""


def written(match: Match) -> bytes:
    """The match in OGXM, as the reference library also takes it."""
    data = format_ogxm(annotate(match))
    assert ogxm.v1_to_v2(data) == data  # it checks all rules of the format
    assert ogxm.v2_problem(ogxm.binary_to_json(data)) is None
    return data


def facts(match: Match) -> Iterator[object]:
    """All that a match says, but for numbers of analyses."""
    yield match.players, match.length, match.jacoby, match.start, match.limit, match.headers
    yield match.comments
    for game, annotated in zip(match.games, annotate(match).games, strict=True):
        yield game.score, game.winner, game.points, game.resigned, game.crawford, game.cube
        yield game.comments
        yield from map(_turn_facts, annotated.turns)


def _turn_facts(turn: AnnotatedTurn) -> object:
    action, play = turn.action, play_of(turn)
    roll = str(action.roll) if isinstance(action, Move) else ""
    ranks = play and (play.rank, [(choice.method, choice.text) for choice in play.candidates])
    cube = cube_of(turn)
    return (
        (type(action).__name__, action.player, roll, own_comment(action.comment)),
        (
            format_play(turn.play) if turn.play else bool(turn.problem),
            turn.state and turn.state.xgid,
        ),
        (ranks, cube and (cube.act, cube.method)),
    )


def numbers(match: Match) -> Iterator[float]:
    """The numbers of the analyses, in order."""
    for game in annotate(match).games:
        for turn in game.turns:
            play, cube, luck = play_of(turn), cube_of(turn), luck_of(turn)
            for choice in play.candidates if play else ():
                yield from (choice.equity, *(choice.chances or ()))
            if cube:
                assert cube.no_double is not None
                assert cube.double_take is not None
                yield from (cube.no_double, cube.double_take)
            if luck is not None:
                yield luck


def assert_same(match: Match, copy: Match) -> None:
    """The facts are the same, and the numbers in the four digits of the format."""
    for fact, other in zip(facts(match), facts(copy), strict=True):
        assert fact == other
    assert list(numbers(copy)) == pytest.approx(list(numbers(match)), abs=0.0002)


@pytest.mark.parametrize(
    "path",
    sorted(path for path in SAMPLES.iterdir() if not path.match("money-[br]*.sgf")),
    ids=lambda path: path.name,
)
def test_the_reference_takes_what_is_written_and_it_reads_the_same(path: Path) -> None:
    for match in read(path):
        data = written(match)
        (copy,) = read(data)
        assert_same(match, copy)
        assert written(copy) == data


@pytest.mark.parametrize("seed", range(4))
def test_any_match_reads_the_same(seed: int) -> None:
    match = random_match(seed, max_games=2)
    (copy,) = read(written(match))
    if copy.beavers:  # a beaver in a record allows them
        assert any(turn.raised > 1 for game in annotate(match).games for turn in game.turns)
        match = replace(match, beavers=True)
    assert_same(match, copy)


def test_beavers_are_kept_and_then_allowed() -> None:
    for name in ("money-beaver-setup.sgf", "money-raccoon.sgf"):
        (match,) = read(SAMPLES / name)
        (copy,) = read(written(match))
        kinds = [type(action).__name__ for action in match.games[0].actions]
        assert [type(action).__name__ for action in copy.games[0].actions] == kinds
        assert copy.beavers


def test_the_comment_on_the_take_of_a_beaver_is_kept() -> None:
    data = (SAMPLES / "money-raccoon.sgf").read_bytes()
    (match,) = read(data.replace(b";W[take]", b";W[take]C[Why not?]"))
    (copy,) = read(written(match))
    assert [action.comment for action in copy.games[0].actions if action.comment] == ["Why not?"]


def test_faults_of_a_record_are_kept() -> None:
    (match,) = mat.read(ODD.encode())
    (copy,) = read(written(match))
    assert_same(match, copy)
    problems = [bool(turn.problem) for game in annotate(copy).games for turn in game.turns]
    assert problems.count(True) >= 3


def test_the_nactation_is_a_note_with_our_name() -> None:
    (match,) = read(ANALYSED)
    notes = [
        note
        for note in ogxm.binary_to_json(written(match))["annotations"]
        if note.get("author") == "gnubg-nactation"
    ]
    assert "Nactation: 52T" in [note["value"] for note in notes]
    (copy,) = read(written(match))
    assert not any("Nactation" in action.comment for action in copy.games[0].actions)


def test_gammonviews_own_forms_read_the_same() -> None:
    (match,) = read(ANALYSED)
    document: dict[str, Any] = gvformat.read_gvab(written(match))
    assert_same(match, read(json.dumps(document).encode())[0])  # .gva
    # The first version of OGXM has no notes, and no equity beyond 3 points.
    (old,) = read(gvformat.write_gvab_v1(document))
    plays = [turn.play for game in annotate(match).games for turn in game.turns]
    assert [turn.play for game in annotate(old).games for turn in game.turns] == plays
    limited = [min(max(number, -3), 3) for number in numbers(match)]
    assert list(numbers(old)) == pytest.approx(limited, abs=0.0003)


def test_a_stream_has_several_matches() -> None:
    (first,), (second,) = read(SAMPLES / "match-3pt.mat"), read(ANALYSED)
    one, two = read(written(first) + written(second))
    assert_same(first, one)
    assert_same(second, two)


def test_bgblitz_is_read_with_its_analysis() -> None:
    (match,) = read(bgf_file(bgf_files.match(BGBLITZ, won=4)))
    assert (match.players, match.length, match.jacoby) == (("Ann", "Ben"), 0, True)
    assert match.headers == (("EventDate", "2026.01.10"), ("Event", "Club night"))
    (game,) = match.games
    assert (game.winner, game.points) == (0, 4)
    turns = annotate(match).games[0].turns
    assert [format_play(turn.play) for turn in turns if turn.play] == [
        "8/5 6/5",
        "24/15",
        "24/13",
    ]
    assert [type(turn.action) for turn in turns] == [Move, Move, Double, Take, Move]
    play = play_of(turns[0])
    assert play is not None
    assert play.rank == 0
    assert [choice.method for choice in play.candidates] == ["BGBlitz 3-ply"] * 2
    assert [choice.equity for choice in play.candidates] == [0.15, -0.01]
    assert play.candidates[0].chances == pytest.approx((0.55, 0.55 / 3, 0, 0.15, 0), abs=0.0001)


def test_the_first_player_of_bgblitz_is_the_first_in_the_alphabet() -> None:
    """As in all files of GammonView, so that the matches of two players have one order."""
    (match,) = read(bgf_file(bgf_files.match(BGBLITZ, won=4, green="Zoe"), packed=False))
    assert match.players == ("Ben", "Zoe")
    assert match.games[0].actions[0].player == 1
    assert match.games[0].winner == 1


def test_a_file_that_is_cut_off_is_refused() -> None:
    (match,) = read(SAMPLES / "match-3pt.mat")
    for data in (format_ogxm(annotate(match)), bgf_file(bgf_files.match(BGBLITZ))):
        for length in range(75, len(data), 97):
            with pytest.raises(MalformedError, match=r"cut off|damaged") as caught:
                read(data[:length])
            assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"OGXM" + bytes(200), "damaged"),
        (b"OGXM" + bytes([2, 0, 2, 0, 2, 0, 2, 0]) + b"\xff" * 400, "bytes are stated"),
        (b"OGXM\1\0\0\0\1\0\0\0" + bytes(3 << 20), "over 1 MB"),
        (b"{}\n" + gzip.compress(bytes(64 << 20)), "over 4 MB"),
        (b"{}\n:)\n\1" + b"\xf8" * 5000, "nested too deeply"),
        (b"{}\n:)\n\1\xfa\x80a\x24" + bytes(500_000), "a number without an end"),
        (bgf_file([1, 2]), "values are missing"),
        (bgf_file({"games": []}), "without a game"),
        (b'{"player_white": "a", "action_id":' + b"[" * 100_000, "nested"),
        (b'{"player_white": "a", "action_id": 1}', "values that are missing"),
        (b'{"player_white": "a", "games": [{"plies": [{"action_id": "x"}]}]}', "of another kind"),
        (
            b'{"player_white": "a", "variant": 3, "games": [{"plies": [{"action_id": 1}]}]}',
            "longgammon",
        ),
    ],
    ids=lambda value: None if isinstance(value, bytes) else value,
)
def test_damaged_and_hostile_files_are_one_line(data: bytes, message: str) -> None:
    with pytest.raises(MalformedError, match=message) as caught:
        read(data)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_changed_byte_is_noticed() -> None:
    (match,) = read(SAMPLES / "match-3pt.mat")
    data = bytearray(format_ogxm(annotate(match)))
    data[len(data) // 2] ^= 1
    with pytest.raises(MalformedError, match="damaged"):
        read(bytes(data))


def test_without_the_extra_the_message_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (match,) = read(SAMPLES / "match-3pt.mat")
    data = format_ogxm(annotate(match))
    monkeypatch.setitem(sys.modules, "gvformat", None)
    for content in (data, bgf_file(bgf_files.match(BGBLITZ))):
        with pytest.raises(
            MalformedError, match=r"needs an extra package: pip.*\[?files"
        ) as caught:
            read(content)
        assert "\n" not in str(caught.value)
    with pytest.raises(MalformedError, match="needs an extra package"):
        format_ogxm(annotate(match))


def test_the_command_writes_and_reads_it(tmp_path: Path) -> None:
    target = tmp_path / "x.ogxm"
    assert run("annotate", "--to", "ogxm", "-o", target, ANALYSED).status == 0
    assert ogxm.is_ogxm_binary(target.read_bytes())
    # The same turns, but for the source of the text: the analysis has four digits.
    assert run("annotate", target).out == run("annotate", ANALYSED).out
    by_ending = tmp_path / "y.ogxms"
    assert run("annotate", "-o", by_ending, ANALYSED).status == 0
    assert by_ending.read_bytes() == target.read_bytes()


def test_a_match_that_it_cannot_hold_is_one_line(tmp_path: Path) -> None:
    rows = "\n\n".join(f" Game {at}\n A : 0  B : 0\n  1) 31: 8/5 6/5" for at in range(1, 1003))
    path = tmp_path / "many.mat"
    path.write_text(f" 0 point match\n\n{rows}\n")
    result = run("annotate", "--to", "ogxm", "-o", tmp_path / "x.ogxm", path)
    assert result.status == 1
    assert "OGXM cannot hold this match: too many games" in result.err


def test_an_illegal_play_shows_its_hops() -> None:
    (copy,) = read(written(mat.read(ODD.encode())[0]))
    shown = [action.text for action in copy.games[0].actions if isinstance(action, Move)]
    assert "13/9 13/10 6/5" in shown
