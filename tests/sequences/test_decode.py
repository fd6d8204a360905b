"""Sequences: decoding, its inverse, doubtful readings, and what cannot be read."""

import json
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.ids import parse_position
from gnubg_nactation.backgammon.match import Match, Move, replay
from gnubg_nactation.backgammon.notation import format_play, parse_play
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import (
    AmbiguousError,
    IllegalError,
    MalformedError,
    NactationError,
)
from gnubg_nactation.exports.jsonlines import format_json
from gnubg_nactation.exports.text import game_sequence
from gnubg_nactation.files import mat, sgf
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.prose.finder import read_prose
from gnubg_nactation.sequences.assumption import Confidence, EngineQuestions
from gnubg_nactation.sequences.decode import Decoded, Doubt, decode, spot_of
from gnubg_nactation.sequences.tiers import ReadingKind, TokenInPosition
from gnubg_nactation.sequences.tokens import TokenKind, parse_sequence
from gnubg_nactation.writing.spelling import spell
from tests.strategies import matches, random_positions
from tests.tutorial.cases import caption_of, read_captions

SAMPLES = sorted((Path(__file__).parents[2] / "sample_matches").glob("*.mat"))


def plays(decoded: Decoded) -> list[str]:
    return [format_play(turn.play) if turn.play else "" for turn in decoded.turns]


def readings(decoded: Decoded) -> list[str]:
    return [turn.how.value for turn in decoded.turns]


def check_inverse(match: Match) -> None:
    """Every game's sequence decodes to the very plays of the game."""
    for game in annotate(match).games:
        decoded = decode(game_sequence(game), start=match.start, strict=True)
        turns = [turn for turn in game.turns if isinstance(turn.action, Move)]
        read_turns = [
            turn for turn in decoded.turns if turn.state.roll or turn.how is ReadingKind.FAN
        ]
        assert [turn.play for turn in turns] == [
            turn.play if turn.how is not ReadingKind.TO_PLAY else None for turn in read_turns
        ]
        for turn, read_turn in zip(turns, read_turns, strict=True):
            assert turn.state is not None
            assert turn.state.position == read_turn.state.position
            assert turn.action.player is read_turn.action.player


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_sequences_of_the_sample_matches(path: Path) -> None:
    for match in mat.read(path.read_bytes()):
        check_inverse(match)


def leaves_an_obvious_rest(strict: Play, meant: Play) -> bool:
    """Whether section 8 would rather assume a play, which adds an obvious part to the letter's.

    The part is a hit outside the home board (#38, #39), or a pair
    that makes a point (#36, #37). Neither is assumed instead of a hit, nor a pair instead of pairs.
    """
    before, now = meant.before.points, meant.reached.points
    hits = any(portion.hits and portion.target > 6 for portion in meant.portions)
    pairs = Counter((portion.source, portion.target) for portion in meant.portions)
    makes_point = any(
        count == 2 and before[target] < 2 <= now[target] for (_, target), count in pairs.items()
    )
    in_pairs = all(count % 2 == 0 for count in Counter(strict.portions).values())
    return not strict.hits and (hits or (makes_point and not in_pairs))


def test_what_the_author_would_write_is_never_doubtful() -> None:
    """Unless section 8 would assume another play: of 2,184 doublets this concerns 43."""
    seen = assumed = 0
    for position, roll in random_positions(800, seed=77):
        plays = Plays(position, roll)
        if len(plays) < 2 or not (roll.is_doublet or seen < 300):
            continue
        for play in plays[:3]:
            name = plays.name(play).naming.nactation
            (turn,) = decode(f"{roll}{name}", start=position, strict=True).turns
            assert turn.play == play
            seen += 1
            if turn.sure is not Confidence.SURE and not name.family.key.isdigit():  # open
                assert roll.is_doublet
                assert turn.sure is Confidence.LIKELY
                assert all(leaves_an_obvious_rest(play, other) for other in turn.others)
                assumed += 1
    assert seen > 1000
    assert 0 < assumed < seen / 40


@pytest.mark.thorough
@given(matches())
@settings(max_examples=25)
def test_the_sequences_of_random_matches(match: Match) -> None:
    check_inverse(match)


def test_every_nactation_decodes_to_its_play() -> None:
    rng = random.Random(3)
    for position, roll in random_positions(400, seed=31):
        legal = legal_plays(position, roll)
        families = Plays.of(legal)
        for play in rng.sample(list(legal), min(4, len(legal))):
            for naming in families.names(play):
                assert families.play(naming.nactation) == play


@pytest.mark.parametrize(
    "text",
    [
        "54S-63R-31P",
        "54S/63R/31P",
        "54S.63R.31P",
        "54S, 63R, 31P",
        "54S 63R\n31P",
        "45S-36R-13P",
        "54S63R-31P",
        "54-split, 63-run, 31-point",
        "54split 63run 31point",
        "54S-63R-31P-",
        "1. 54S 63R\n2. 31P",
        "+54S-63R-31P",
        "54S->63R --> 31P",
        "54S→63R → 31P",
        "“54S-63R-31P”",
        '"54S-63R-31P".',
        "'54S, 63R, 31P'",
    ],
)
def test_ways_to_write_a_sequence(text: str) -> None:
    # The introduction of the tutorial, and section 11 of what people write.
    assert plays(decode(text)) == ["24/20 13/8", "24/15", "8/5 6/5"]


PUT_UP = GameState(STANDARD, cube=2, owner=Player.SECOND, score=(2, 3), length=7)
CASES = [
    *((caption.sequence, parse_position(caption.start)) for caption in read_captions()),
    ("54S-C-63R-R-P", STANDARD),
    ("-54S-C-T-63R", STANDARD),
    ("-31P-64R", PUT_UP),
    ("31P", replace(PUT_UP, cube=1, owner=None, doubled=True)),
]


@pytest.mark.parametrize(("text", "start"), CASES, ids=[text for text, _ in CASES])
def test_a_decoded_sequence_is_a_game(text: str, start: Position | GameState) -> None:
    decoded = decode(text, start=start)
    match = decoded.match
    (game,) = match.games
    replayed = list(replay(match, game))[len(game.actions) - len(decoded.turns) :]
    for turn, again in zip(decoded.turns, replayed, strict=True):
        state = again.state if turn.token.kind is not TokenKind.FAN else turn.state
        assert (turn.action, turn.state, turn.play) == (again.action, state, again.play)
        assert (*turn.plays,) == (*again.plays,)
        assert again.problem == ""
    annotated = annotate(match)
    json_turns = json.loads(format_json(annotated))["turns"][-len(decoded.turns) :]
    for turn, value in zip(decoded.turns, json_turns, strict=True):
        assert (value["play"] or "") == (format_play(turn.play) if turn.play else "")
    (written,) = sgf.read(sgf.from_match(match).data).match.games
    assert len(written.actions) >= len(decoded.turns)


@pytest.mark.parametrize("text", ["-54S-63R", "->54S-63R", "--> 54S-63R", "--- 54S-63R"])
def test_the_second_player_may_start(text: str) -> None:
    assert [turn.action.player for turn in decode(text).turns] == [Player.SECOND, Player.FIRST]


def test_nackgammon_by_its_letter() -> None:
    decoded = decode("N 53")  # the caption of #51
    assert decoded.state.position == NACKGAMMON
    assert str(decoded.state.roll) == "53"


def test_pairs_run_together() -> None:
    assert plays(decode("31P22E-61P64S")) == plays(decode("31P-22E-61P-64S"))


def test_a_digit_behind_a_roll_is_a_numeral() -> None:
    caption = caption_of("41")
    turn = decode(caption.sequence).turns[6]
    assert (turn.token.text, turn.how.value) == ("654", "numeral")
    assert turn.play == parse_play("13/8 10/4", turn.state.position, Roll(6, 5))


def test_enter_fan_and_forced_rolls() -> None:
    # #29 and #30: one checker enters with a 1; a fan without its roll.
    caption = caption_of("30")
    assert "fan" in readings(decode(caption.sequence))
    caption = caption_of("29")
    turn = decode(caption.sequence).turns[2]
    assert (turn.token.text, turn.how.value) == ("1", "enter")
    # #35: 55A makes a board that 31 does not enter.
    assert readings(decode("52S-55A-31^"))[-1] == "fan"
    assert readings(decode("52S-55A-42"))[-1] == "forced"
    assert plays(decode("52S-55A-21<"))[-1] == "bar/23"


def test_cube_letters() -> None:
    # The second player doubles, the first takes by playing on, and redoubles two rolls later.
    decoded = decode("54S-C-63R-R-P")
    assert [turn.action.player for turn in decoded.turns] == [0, 1, 1, 0, 1]
    rolled = decoded.turns[2].state
    assert (rolled.cube, rolled.owner, rolled.doubled) == (2, Player.FIRST, False)
    assert decoded.turns[4].state.doubled


def test_nothing_follows_a_pass() -> None:
    with pytest.raises(IllegalError, match="the game is over"):
        decode("54S-C-P-63R")


def test_redoubling_needs_the_cube() -> None:
    with pytest.raises(IllegalError, match="no redouble is legal here"):
        decode("54S-R")


def test_a_roll_at_the_end_is_to_be_played() -> None:
    decoded = decode("54S-63R-31")
    assert readings(decoded)[-1] == "to be played"
    assert str(decoded.state.roll) == "31"


def test_convenience_and_loose_letters_are_named() -> None:
    assert readings(decode("54S")) == ["convenience"]
    caption = caption_of("46")
    assert readings(decode(caption.sequence))[5] == "waived"  # 62D, bar/23 13/7


def test_later_tokens_change_an_earlier_reading() -> None:
    # In #63 the P makes the 7pt. 61H hits only if it was an italic P, which makes the 20pt.
    caption = caption_of("63")
    turn = decode(f"{caption.sequence}-31P").turns[-1]
    assert (turn.how.value, format_play(turn.play or turn.others[0])) == ("strict", "10/7* 8/7")
    turn = decode(f"{caption.sequence}-31P-61H-42E").turns[-3]
    assert (turn.how.value, format_play(turn.play or turn.others[0])) == ("assumed", "24/20")


@pytest.mark.parametrize(
    "text",
    [
        "43Z-32H-54K",  # one on the bar, one blot in reach: nothing hits twice
        "43Z-32H-54K-21",  # a roll to be played says nothing
        "54S-63R-31P-22K",
        "61P-63R-21S-66V",
        "41$-32X",
        "43Z-43X-44M-32-54N",  # after an underlined M there would be one (#61)
    ],
)
def test_an_impossible_last_token_bends_no_sound_one_before_it(text: str) -> None:
    wrong = [token for token in parse_sequence(text).tokens if token.names][-1]
    with pytest.raises(IllegalError, match=f"^'{wrong.text}'") as caught:
        decode(text)
    assert caught.value.at == wrong.at


@pytest.mark.parametrize(("text", "slip"), [("43Z-32H-54K-21S", 2), ("54S-63R-31K-22D-64R", 2)])
def test_a_slip_in_the_middle_is_named_where_it_is(text: str, slip: int) -> None:
    with pytest.raises(IllegalError) as caught:
        decode(text)
    assert caught.value.at == parse_sequence(text).tokens[slip].at


def test_a_mark_is_the_last_to_be_bent() -> None:
    """A game of 2014: 66f_ is the second with two runs, a down and a jump (section 16).

    A later doublet has lost its underline: that one is doubted, not this.
    """
    game = (
        "31P-22E-61E-64H-31Z-41D-52Z-32K-53-431-51E-C-41H-42C-21K-2-51H-F-66f_-3-61H-3-41H-3-52H"
        "-53-F-22N-1-62P-32U-63H-32H-55F_"
    )
    decoded = decode(game)
    [turn] = [turn for turn in decoded.turns if turn.token.text == "66f_"]
    assert (format_play(turn.play or turn.others[0]), turn.sure, turn.note) == (
        "24/18 22/16 13/7 8/2",
        Confidence.SURE,
        "",
    )
    assert "-66f_-" in decoded.sequence
    assert turn.nactation
    assert spell(turn.nactation, "html") == "<u>f</u>"
    assert spell(turn.nactation, "unicode") == "f\u0332"
    assert {turn.token.text for turn in decoded.turns if turn.cost} <= {"22N", "32H"}


def test_the_fewest_tokens_are_doubted() -> None:
    # In #58 43W is a slip. What comes of it takes one doubt behind it, or two that begin with 22N.
    caption = caption_of("58")
    turns = decode(caption.sequence).turns
    assert [turn.token.text for turn in turns if turn.cost > 1] == ["32r"]
    expected = caption.plays.split(";")[: [turn.token.text for turn in turns].index("43W")]
    for turn, text in zip(turns, expected, strict=False):
        if turn.play and "/" in text:
            assert turn.play == parse_play(text, turn.play.before, turn.play.roll)


def test_of_single_doubts_the_mildest_and_of_these_the_latest_counts() -> None:
    mark, part, nothing = 2, 6, Doubt()
    doubts = [
        nothing.add(mark, 1),
        nothing.add(mark, 3),
        nothing.add(part, 1),
        nothing.add(mark, 1).add(mark, 2),
    ]
    assert doubts == sorted(doubts)
    assert len(set(doubts)) == len(doubts)


def test_the_doubtful_token_is_the_one_that_is_doubted() -> None:
    for caption in read_captions():
        tokens = parse_sequence(caption.by_rules).tokens
        start = parse_position(caption.start)
        turns = decode(caption.by_rules, start=start).turns
        if len(turns) < 3 or any(turn.cost > 1 for turn in turns) or not tokens[-1].names:
            continue
        for letter in "KXT":
            changed = f"{caption.by_rules[: tokens[-1].at]}{tokens[-1].roll}{letter}"
            with suppress(IllegalError):
                again = decode(changed, start=start).turns
                assert [turn.play for turn in again[:-1]] == [turn.play for turn in turns[:-1]]


def test_strict_refuses_what_is_doubtful_and_names_what_it_might_mean() -> None:
    # Of the caption of #61 the underline of 44M is lost, which only 54N after it shows.
    caption = caption_of("61")
    with pytest.raises(AmbiguousError, match=r"'44M' in .*bar/21\* 13/9 8/4\*\(2\)") as caught:
        decode(caption.sequence, strict=True)
    assert caught.value.at == caption.sequence.index("44M")
    assert [str(play) for play in caught.value.candidates] == ["bar/21* 13/9 8/4*(2)"]


def test_strict_refuses_what_is_possible_in_no_way() -> None:
    with pytest.raises(IllegalError, match=r"Legal: "):
        decode("54S-63R-31K", strict=True)


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("54S-73R", 4, "73"),
        ("54S-63R-31?-64P", 10, "'?'"),
        ("hello", 0, "'hello'"),
        ("54S-63R-31P-9", 12, "'9'"),
        ("54S-63{R", 6, "'{'"),
    ],
)
def test_malformed_text_says_where(text: str, at: int, expected: str) -> None:
    with pytest.raises(MalformedError, match=expected.replace("?", r"\?")) as caught:
        decode(text)
    assert caught.value.at == at
    assert caught.value.excerpt().splitlines()[1].index("^") == at + 2


@pytest.mark.parametrize(
    ("token", "right"),
    [
        ("21<", "21>"),  # both enter, which is > and not < or ^ (section 6 of the definition)
        ("21^", "21>"),
        ("21=", "21>"),
        ("63>", "63<"),  # the 19pt is made, and so only one enters
    ],
)
def test_a_symbol_must_be_true_of_the_only_play(token: str, right: str) -> None:
    with pytest.raises(IllegalError, match=f"no such play of {token[:2]}") as caught:
        decode(f"43Z-32K-{token}")
    assert caught.value.at == 8
    assert decode(f"43Z-32K-{right}").is_strict


def test_an_impossible_play_says_what_is_possible() -> None:
    with pytest.raises(IllegalError, match=r"31K.*Legal: ") as caught:
        decode("54S-63R-31K")
    assert caught.value.at == 8
    assert "\n" not in str(caught.value)
    assert caught.value.reason == "no such play of 31"


def test_an_arrow_may_be_a_choice() -> None:
    """Two checkers enter (section 7): `>` behind the hyphen of its roll, as any choice."""
    start = parse_position("M07wATDg8+ABYA")
    assert plays(decode("42->", start=start)) == plays(decode("42>", start=start))


@given(st.text(max_size=60) | st.text(alphabet="0123456SPRZU$@#-. {}_*<>[]/", max_size=40))
@settings(max_examples=300)
def test_only_our_errors_escape(text: str) -> None:
    error = _error_of(text)
    assert error is None or "\n" not in str(error)


@given(st.data())
@settings(max_examples=120)
def test_a_changed_character_is_read_or_refused(data: st.DataObject) -> None:
    caption = data.draw(st.sampled_from(read_captions()))
    text = caption.sequence
    at = data.draw(st.integers(0, max(len(text) - 1, 0)))
    changed = text[:at] + data.draw(st.sampled_from("PSRZ$@1-6 .FCx*")) + text[at + 1 :]
    error = _error_of(changed)
    if error is not None:
        assert "\n" not in str(error)
        assert error.text == changed
        assert 0 <= error.at <= len(changed)


def _error_of(text: str) -> NactationError | None:
    try:
        decode(text)
    except NactationError as error:
        return error
    return None


def test_the_standard_start_is_the_default() -> None:
    assert decode("").state.position == STANDARD


@pytest.mark.parametrize(
    "text",
    [
        "[b]54S-63R-31P[/b]",
        "54<b>S</b>-63<b>R</b>-31<b>P</b>",
        '<span style="color:blue">54S-63R-31P</span>',
        "**54S**-**63R**-**31P**",
    ],
)
def test_emphasis_is_not_rank(text: str) -> None:
    assert plays(decode(text)) == ["24/20 13/8", "24/15", "8/5 6/5"]


def test_italics_and_underlines_pasted_from_a_forum() -> None:
    # 76.3 of the tutorial: an italic P makes the 7pt without a hit; 85.1: an underlined C.
    caption = caption_of("76")
    for text in ("<i>P</i>", "*P*", "[i]P[/i]", "\U0001d443", "P{3}"):
        assert plays(decode(f"{caption.sequence}-21{text}"))[-1] == "10/7"
    caption = caption_of("85")
    for text in ("<u>C</u>", "[u]C[/u]", "C\u0332", "C_"):
        assert plays(decode(f"{caption.sequence}-44{text}", strict=True))[-1] == "24/16 22/18 8/4"


@pytest.mark.parametrize("tag", ["u", "i", "b"])
def test_the_style_of_a_whole_sequence_is_emphasis(tag: str) -> None:
    text = f"<p>An opening: <{tag}>54S-63R-31P</{tag}></p>"
    assert plays(decode(f"<{tag}>54S-63R-31P</{tag}>")) == ["24/20 13/8", "24/15", "8/5 6/5"]
    (finding,) = read_prose(text)
    assert finding.decoded
    assert plays(finding.decoded) == ["24/20 13/8", "24/15", "8/5 6/5"]


def test_members_of_numerals_and_dotted_b() -> None:
    caption = caption_of("41")
    assert plays(decode(f"{caption.sequence}-634{{2}}-61P"))[-2] == "23/14"  # 41.2
    caption = caption_of("83")
    assert plays(decode(f"{caption.sequence}-22B."))[-1] == "23/21 13/9 11/9"  # Z, 83.3


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("3163P", "31 63P"),
        ("54S3163P", "54S 31 63P"),
        ("631P", "6 31P"),
        ("64254P", "642 54P"),
        ("3163", "31 63"),
        ("316354P", "31 63 54P"),
    ],
)
def test_a_name_needs_the_last_two_digits(text: str, tokens: str) -> None:
    assert [token.text for token in parse_sequence(text).tokens] == tokens.split()


# --- what is too much ----------------------------------------------------------------------

HOPELESS = "31-42-53-64-65-21-33K-21"


def test_a_sequence_is_given_up_after_so_many_readings() -> None:
    with pytest.raises(IllegalError, match=r"\.\.\. \(gave up after 3000 readings\)$"):
        decode(HOPELESS)
    with pytest.raises(IllegalError) as raised:
        decode("54S-63R-31L", strict=True)
    assert "given up" not in str(raised.value)


def test_an_engine_gets_sixty_questions_about_a_sequence() -> None:
    questions: list[GameState] = []
    with pytest.raises(IllegalError):
        decode(HOPELESS, assume=questions.append)
    assert len(questions) == len(set(questions)) == 60


@pytest.mark.parametrize("text", [HOPELESS, "56T-66P-517-238-66O-54H-61W-66N-631"])
def test_no_position_is_read_twice(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    visits: list[tuple[int, GameState]] = []

    def spot(decoded: Decoded, judge: EngineQuestions) -> TokenInPosition:
        visits.append((len(decoded.turns), decoded.state))
        return spot_of(decoded, judge)

    monkeypatch.setattr("gnubg_nactation.sequences.decode.spot_of", spot)
    with pytest.raises(IllegalError):
        decode(text)
    assert len(visits) == len(set(visits)) + 1  # once more for the message


@pytest.mark.parametrize("text", ["31P-" * 25_001, "x" * 100_001, "[P]" * 33_334])
def test_what_is_too_long_is_refused(text: str) -> None:
    with pytest.raises(MalformedError, match=r"^a text of 100,\d+ characters; 100,000 are read"):
        decode(text)


# The rules: a beaver doubles the cube again and keeps it; a raccoon doubles once more. The player
# who doubled first rolls next.
@pytest.mark.parametrize(
    ("answers", "cube", "owner"),
    [
        ("T", 2, Player.SECOND),
        ("beaver-T", 4, Player.SECOND),
        ("beaver", 4, Player.SECOND),
        ("beaver-raccoon-T", 8, Player.SECOND),
        ("Bvr-Rcn", 8, Player.SECOND),
    ],
)
def test_beavers_turn_the_cube(answers: str, cube: int, owner: Player) -> None:
    last = decode(f"54S-63R-C-{answers}-31P").turns[-1]
    assert (last.state.cube, last.state.owner, last.state.player) == (cube, owner, Player.FIRST)
    assert last.play == decode("54S-63R-31P").turns[-1].play


@pytest.mark.parametrize(
    ("text", "start", "reason"),
    [
        ("54S-63R-C", GameState(length=3, score=(2, 0), crawford=True), "in the Crawford game"),
        ("54S-63R-C-beaver", GameState(length=3), "beavers are for money games"),
        ("54S-63R-C-T-31P-63R-R", None, "the opponent owns the cube"),
        ("54S-63R-C-C", None, "the double before it has no answer"),
        ("54S-63R-C-T-31P-C", None, "this is a redouble"),
    ],
)
def test_an_impossible_action_with_the_cube_says_why(
    text: str, start: GameState | None, reason: str
) -> None:
    with pytest.raises(IllegalError, match=reason):
        decode(text, start=start)


def test_a_word_on_the_next_line_is_another_turn() -> None:
    # In a column a forced roll may be followed by a fan of the opponent.
    kinds = [[token.kind.name for token in parse_sequence(text).tokens] for text in _FANS]
    assert kinds == [["PLAY"], ["ROLL", "FAN"], ["ROLL", "FAN"]]


_FANS = ["51 Fan", "51\nFan", "51\r\nFan"]
