"""Sections 8 and 9: assumption, with the judgement of the real gnubg and without it."""

from __future__ import annotations

import json
from operator import attrgetter

import pytest

from gnubg_nactation.backgammon.ids import parse_position
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import AmbiguousError, EngineError, IllegalError
from gnubg_nactation.prose.finder import read_prose
from gnubg_nactation.sequences.assumption import Confidence, EngineQuestions, Equities, Evaluator
from gnubg_nactation.sequences.decode import DecodedTurn, decode
from gnubg_nactation.sequences.tiers import TIERS, TokenInPosition
from gnubg_nactation.sequences.tokens import Token, TokenKind
from tests.cli.running import run
from tests.tutorial.cases import Case, caption_of, read_captions, read_cases

# What a letter would mean "technically" where the author means another play by it.
_TECHNICALLY = {"39.U", "39.D"}
_DIAGRAMS = {str(diagram) for diagram in range(36, 45)}
_TO_THE_LETTER = {
    "36.2": "bar/21",
    "36.3": "bar/24 8/5",
    "38.2": "13/9(4)",
    "39.5": "24/18(2)",
    "39.6": "13/7(2)",
}
_CASES = [
    case
    for case in read_cases()
    if case.diagram[:2] in _DIAGRAMS and case.diagram not in _TECHNICALLY
]


def name(case: Case) -> str:
    return case.diagram


def find(diagram: str) -> Case:
    return next(case for case in read_cases() if case.diagram == diagram)


def read(case: Case, assume: Evaluator | bool = False) -> DecodedTurn:
    text = case.roll + case.nactation
    (turn,) = decode(text, start=case.position, assume=assume).turns
    return turn


def candidates(case: Case, values: Equities | None = None) -> list[Play]:
    """The plays that a character may mean by the rules or by assumption, the likeliest first."""
    play, name = case.legal_play, case.named
    token = Token(TokenKind.PLAY, f"{play.roll}{name}", 0, play.roll, (name,))
    judge = EngineQuestions((lambda _: values) if values else None, weighs=True)
    spot = TokenInPosition(token, GameState(play.before), True, case.families, judge)
    readings = [*TIERS[0].readings(spot), *TIERS[-1].readings(spot)]
    return [reading.play for reading in sorted(readings, key=attrgetter("cost")) if reading.play]


def no_engine(_: GameState) -> Equities:
    raise EngineError("asked in vain")


def words(play: Play | None) -> str:
    return format_play(play) if play else ""


@pytest.mark.parametrize("case", _CASES, ids=name)
def test_what_the_author_means_comes_first(case: Case, equities: Evaluator) -> None:
    turn = read(case, equities)
    assert turn.play == case.legal_play
    values = equities(turn.state)
    assert candidates(case, values)[0] == case.legal_play


@pytest.mark.parametrize("case", [case for case in _CASES if case.kind == "assumption"], ids=name)
def test_only_assume_reads_by_an_engine(
    case: Case, equities: Evaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is the same on every machine, and to the letter where a play has that name."""
    options = ("decode", "--json", "--from", case.position_id, case.roll + case.nactation)
    plain = run(*options)
    monkeypatch.setenv("NACTATION_GNUBG", "none")
    assert plain == run(*options) == run(*options, "--engine", "none")
    turn, meant = json.loads(plain.out), format_play(case.legal_play)
    assert turn["play"] == _TO_THE_LETTER.get(case.diagram, meant)
    if turn["play"] != meant:
        assert (turn["sure"], turn["others"][0]) == ("likely", meant)
    assert read(case, equities).play == case.legal_play


@pytest.mark.parametrize(
    ("text", "strictly", "meant"),
    [
        ("64S-33D-11U", "bar/21", "bar/23 6/5(2)"),  # 36.2
        ("64S-33D-11$", "bar/24 8/5", "bar/24 8/7 6/5(2)"),  # 36.3
        ("64S-44D", "13/9(4)", "24/16* 13/9(2)"),  # 38.2
        ("43D-33U", "24/18(2)", "24/15* 24/21"),  # 39.5
        ("43D-33D", "13/7(2)", "24/15* 13/10"),  # 39.6
    ],
)
def test_both_modes_read_the_examples_of_section_8(
    text: str, strictly: str, meant: str, equities: Evaluator
) -> None:
    """To the letter without an engine, with what section 8 assumes; the other way with one."""
    plain, assumed = decode(text).turns[-1], decode(text, assume=equities).turns[-1]
    assert (words(plain.play), plain.sure) == (strictly, Confidence.LIKELY)
    assert words(plain.others[0]) == meant
    assert plain.note == "to the letter, but others are more natural by rule of thumb"
    assert (words(assumed.play), assumed.how.value) == (meant, "assumed")
    assert f"strictly {strictly}" in assumed.note


@pytest.mark.thorough
@pytest.mark.parametrize("case", _CASES, ids=name)
def test_open_sage_reads_what_the_author_means(case: Case, by_sage: Evaluator) -> None:
    turn = read(case, by_sage)
    assert turn.play == case.legal_play
    assert candidates(case, by_sage(turn.state))[0] == case.legal_play


@pytest.mark.parametrize("case", _CASES, ids=name)
def test_without_an_engine_it_is_among_the_first_two(case: Case) -> None:
    assert case.legal_play in list(dict.fromkeys(candidates(case)))[:2]


@pytest.mark.parametrize("diagram", ["36.4", "37.1", "40.1", "42.2", "44.2"])
def test_without_an_engine_the_order_is_a_rule_of_thumb(diagram: str) -> None:
    turn = read(find(diagram))
    assert turn.play == find(diagram).legal_play
    assert turn.sure is Confidence.GUESS
    assert turn.gap is None
    assert "ranked by rule of thumb" in turn.note
    assert turn.others


@pytest.mark.parametrize(
    ("diagram", "sure", "runner_up"),
    [
        ("36.4", Confidence.LIKELY, "bar/22 9/8"),
        ("37.1", Confidence.LIKELY, "24/18 13/7(2) 8/2"),
        ("40.1", Confidence.LIKELY, "10/4 6/1*"),  # each other five costs far more
        ("44.2", Confidence.DOUBTFUL, "11/9 6/5(2)"),  # which is 9: #44.3
    ],
)
def test_an_engine_says_how_sure_it_is(
    diagram: str, sure: Confidence, runner_up: str, equities: Evaluator
) -> None:
    turn = read(find(diagram), equities)
    assert (turn.play, turn.sure) == (find(diagram).legal_play, sure)
    assert words(turn.others[0]) == runner_up
    assert turn.gap is not None
    assert turn.note.endswith(f", {turn.gap:.3f} better than {runner_up}")


@pytest.mark.parametrize(("diagram", "strictly"), _TO_THE_LETTER.items())
def test_a_strict_reading_that_is_far_worse_comes_second_when_weighed(
    diagram: str, strictly: str, equities: Evaluator
) -> None:
    turn = read(find(diagram), equities)
    assert (turn.how.value, turn.sure) == ("assumed", Confidence.LIKELY)
    assert f"strictly {strictly}, 0." in turn.note
    assert strictly in map(words, turn.others)
    # To the letter it is the strict one, so that blunders of real matches are read right.
    turn = read(find(diagram))
    assert (words(turn.play), turn.how.value, turn.sure) == (strictly, "strict", Confidence.LIKELY)
    assert turn.others[0] == find(diagram).legal_play
    assert "more natural by rule of thumb" in turn.note


def test_a_later_turn_makes_it_try_the_next_reading(equities: Evaluator) -> None:
    # After 24/18 13/7(3) nobody is on the bar. A fan is possible only after a hit.
    assert words(decode("65R-43Z-66U", assume=equities).turns[2].play) == "24/18 13/7(3)"
    turn = decode("65R-43Z-66U-F", assume=equities).turns[2]
    assert words(turn.play) == "24/18 13/1* 13/7"
    assert turn.gap is not None
    assert turn.gap < 0
    assert "worse than 24/18 13/7(3)" in turn.note
    # So does a numeral: of #40 with 654 only 10/4 6/1* hits.
    caption = caption_of("40").sequence
    assert words(decode(f"{caption}-654", assume=equities).turns[-1].play) == "13/8 10/4"
    assert words(decode(f"{caption}-654-F", assume=equities).turns[-2].play) == "10/4 6/1*"


def test_a_later_turn_brings_the_strict_reading_back(equities: Evaluator) -> None:
    # 13/9(4) of #38 is no hit, so that 8/4 6/4 may follow; after 24/16* a checker has to enter.
    for rest, expected in (("", "24/16* 13/9(2)"), ("-42P", "13/9(4)")):
        turn = decode(f"64S-44D{rest}", assume=equities).turns[1]
        assert words(turn.play) == expected


def test_strict_refuses_and_names_what_it_might_mean() -> None:
    expected = r"'11L' in .*; it might mean bar/24 9/8 6/5\(2\); "
    with pytest.raises(AmbiguousError, match=expected) as caught:
        decode("64S-33D-11L", strict=True, assume=no_engine)
    assert caught.value.candidates[0] == find("36.4").legal_play
    assert caught.value.at == len("64S-33D-")
    with pytest.raises(IllegalError):
        decode("54S-63R-31K", strict=True)


def test_an_engine_judges_strict_readings_too() -> None:
    for text in ("65R-43Z-66U", "54S"):
        with pytest.raises(EngineError, match="in vain"):
            decode(text, assume=no_engine)


def test_the_doublets_of_the_captions_are_read_alike_when_weighed(equities: Evaluator) -> None:
    seen: set[tuple[GameState, str]] = set()
    for caption in read_captions():
        for turn in decode(caption.by_rules, start=parse_position(caption.start)).turns:
            rolled = turn.state.roll
            if not turn.token.names or rolled is None or not rolled.is_doublet:
                continue
            if turn.sure is Confidence.SURE and (turn.state, turn.token.text) not in seen:
                seen.add((turn.state, turn.token.text))
                start = turn.state.position
                again = decode(turn.token.text, start=start, assume=equities).turns[0]
                assert again.play == turn.play, (caption.diagram, turn.token.text, again.note)
    assert len(seen) >= 30


@pytest.mark.parametrize("text", ["65R-51S-66Z", "65R-41S-66Z", "65R-21S-66Z"])
def test_a_loose_hit_at_home_is_not_more_natural(text: str) -> None:
    """Ballard's best plays; 24/18 13/7(2) 8/2* would hit on the 2pt."""
    turn = decode(text).turns[2]
    assert (words(turn.play), turn.sure) == ("24/18 13/7(3)", Confidence.SURE)
    assert (turn.note, turn.others) == ("", ())


@pytest.mark.usefixtures("each_engine")
def test_the_library_opens_the_installed_engine() -> None:
    turn = decode("64S-44D", assume=True).turns[1]
    assert words(turn.play) == "24/16* 13/9(2)"
    assert "by gnubg 2-ply" in turn.note
    finding = read_prose("After 64S-44D he fans.", assume=True)[0]
    assert finding.sure is Confidence.LIKELY
    assert "by gnubg 2-ply" in finding.note


def test_no_doublet_of_the_captions_is_called_unnatural() -> None:
    """Two points made with a hit (52S-55A) or checkers moved in pairs are what they say."""
    seen = 0
    for caption in read_captions():
        for turn in decode(caption.by_rules, start=parse_position(caption.start)).turns:
            if turn.play and turn.play.roll.is_doublet and turn.how.value == "strict":
                assert (turn.note, turn.others) == ("", ()), (caption.diagram, turn.token.text)
                seen += 1
    assert seen >= 29
