"""Impossible figures in files count as unknown, and no output has them."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.archive.indexing import match_row
from gnubg_nactation.backgammon.analysis import Candidate, MoveAnalysis
from gnubg_nactation.backgammon.match import Match, Move
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.engines.questions import read_evaluation
from gnubg_nactation.errors import EngineError
from gnubg_nactation.exports.jsonlines import format_json
from gnubg_nactation.exports.page.document import island, island_text
from gnubg_nactation.exports.page.html import format_html
from gnubg_nactation.exports.text import format_account, format_columns
from gnubg_nactation.files.formats import read
from gnubg_nactation.playground.answers import handle
from gnubg_nactation.showing import json_text
from gnubg_nactation.values import replace
from tests.cli.running import SAMPLES
from tests.files import xg_files
from tests.fuzz.strict import strict_json

SGF = (SAMPLES / "match-3pt-analysed.sgf").read_bytes()
NUMBER = re.compile(rb"(?<=[ \[])-?[0-9]+\.[0-9]+(?=[ \]])")
IMPOSSIBLE = [*b"nan -nan inf 1e308 -1e308 1e999 101 -100.5".split(), b"9" * 400]
WARNING = "impossible numbers in the analysis, such as nan or an equity over 100, are ignored"


def first_roll(match: Match) -> MoveAnalysis:
    action = match.games[0].actions[0]
    assert isinstance(action, Move)
    assert action.analysis
    return action.analysis


@pytest.mark.parametrize("number", IMPOSSIBLE)
@pytest.mark.parametrize(
    ("figure", "lost"), [(b"0.033160", "play"), (b"0.03316]", "luck"), (b"0.148769", "chances")]
)
def test_an_impossible_figure_is_unknown_and_the_others_are_kept(
    figure: bytes, lost: str, number: bytes
) -> None:
    (usual,) = read(SGF)
    (match,) = read(SGF.replace(figure, number + figure.lstrip(b"0123456789."), 1))
    assert match.problems == (WARNING,)
    expected, changed = first_roll(usual), first_roll(match)
    if lost == "play":
        assert expected.play
        assert changed == replace(expected, play=replace(expected.play, candidates=(), rank=None))
    elif lost == "luck":
        assert changed == replace(expected, luck=None)
    else:
        assert expected.play
        assert changed.play
        candidates = list(expected.play.candidates)
        candidates[1] = candidates[1]._replace(odds=b"")
        assert changed == replace(expected, play=replace(expected.play, candidates=(*candidates,)))


def test_unknown_luck_is_not_a_problem() -> None:
    (match,) = read(SGF.replace(b"LU[0.03316]", b"LU[-inf]", 1))
    assert first_roll(match).luck is None
    assert not match.problems


def test_chances_may_be_rounded() -> None:
    odds = b"1.000001 0.5 0 -0.000001 0"
    assert Candidate((), 0, "", None, odds).chances == (1, 0.5, 0, 0, 0)
    (match,) = read(SGF.replace(b"0.148769", b"-0.00001", 1))
    assert not match.problems


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(12))
def test_no_output_holds_an_impossible_number(seed: int) -> None:
    rng, share = random.Random(seed), 0.3 ** (seed % 4 + 1)

    def perhaps(number: re.Match[bytes]) -> bytes:
        return rng.choice(IMPOSSIBLE) if rng.random() < share else number[0]

    data = NUMBER.sub(perhaps, SGF)
    (match,) = read(data)
    annotated = annotate(match)
    assert match.problems == (WARNING,)
    for line in format_json(annotated).splitlines():
        strict_json(line)
    page = format_html([annotated])
    [island] = re.findall(r'id="data">(.*?)</script>', page)
    strict_json(island_text(island))
    texts = [format_columns(annotated, errors=True), format_account(annotated)]
    texts += [handle("export_match", f'["{form}"]', data) for form in ("sgf", "text", "reddit")]
    texts.append(handle("match", "[]", data))
    for text in texts:
        assert "internal error" not in text
    assert not re.search(r"\b(nan|inf)\b", "".join(texts[:2]))
    match_row(annotated)


@pytest.mark.parametrize("write", [json_text, island])
def test_json_refuses_impossible_numbers(write: Callable[[object], str]) -> None:
    for number in (math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match="JSON"):
            write([number])


@pytest.mark.parametrize("number", [math.nan, math.inf, 1e308, 10**400, "nan", None])
def test_an_engine_that_answers_impossible_numbers_is_refused(number: object) -> None:
    for numbers in ([0.5] * 9 + [number], [number] + [0.5] * 9):
        with pytest.raises(EngineError, match="cannot be read"):
            read_evaluation(numbers)


FLOATS = [math.nan, math.inf, -math.inf, 1e38, 101, -100.5]


@pytest.mark.parametrize("number", FLOATS)
def test_impossible_figures_of_xg_are_unknown(number: float) -> None:
    start, hops, point = STANDARD.points, (7, 4, 5, 4), (0, *[0] * 25)
    plays = [xg_files.Plays(hops, 0.1, 3, point), xg_files.Plays((23, 22, 12, 9), 0, 3, point)]
    worse = [plays[0], plays[1]._replace(equity=number)]
    usual = xg_files.Cube(0.1, 0.2)
    for candidates, luck, cube in (
        (worse, 0.2, usual),
        (plays, number, usual),
        (plays, 0.2, usual._replace(no_double=number)),
        (plays, 0.2, usual._replace(double_take=number)),
    ):
        (match,) = read(
            xg_files.xg_file(
                xg_files.header(),
                xg_files.game(),
                xg_files.cube(1, start, analysis=cube),
                xg_files.move(1, (start, point), (3, 1), hops, candidates=candidates, luck=luck),
            )
        )
        roll = first_roll(match)
        assert (roll.play is None) == (candidates is worse)
        assert (roll.luck is None) == (luck is number)
        assert (roll.cube is None) == (cube is not usual)
        assert match.problems == (WARNING,)
