"""What people write beside the rules: each reading, and that it is told."""

from __future__ import annotations

import pytest

from gnubg_nactation.backgammon.ids import format_position_id, parse_position
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.position import NACKGAMMON, Position
from gnubg_nactation.errors import AmbiguousError, IllegalError, MalformedError
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.check import Verdict, check_sequence
from gnubg_nactation.sequences.decode import DecodedTurn, decode
from gnubg_nactation.sequences.filename import file_name, read_file_name
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.sequences.tokens import parse_sequence
from tests.backgammon.boards import board
from tests.tutorial.cases import caption_of


def last(text: str, start: Position | None = None) -> DecodedTurn:
    return decode(text, start=start).turns[-1]


def played(turn: DecodedTurn) -> str:
    return format_play(turn.play) if turn.play else ""


# --- R_ for U_ --------------------------------------------------------------------------------


@pytest.mark.parametrize("third", ["33R_", "33R"])
def test_r_is_read_as_u_where_no_play_is_one(third: str) -> None:
    """Two threes on the far side end on the 18pt at best, so that no play of 33 is an R_."""
    decoded = decode(f"63$-{third}-32K-11U-65r-64H-51R-55P")
    turn = decoded.turns[1]
    # Two runs, a jump and an inside; with the hit that 32K, two hits from the bar, answers.
    assert played(turn) == "24/21*(2) 8/5 6/3"
    assert "U_" in turn.note
    assert turn.sure is (Confidence.LIKELY if third == "33R_" else Confidence.DOUBTFUL)
    assert played(decoded.turns[2]) == "bar/22*/20*"
    assert all(turn.cost == 0 for turn in decoded.turns[2:])


def test_r_stays_r_where_a_play_is_one() -> None:
    # #90: 24/20/16 9/5 6/2 is an R_, as the 16pt is no up point.
    start = parse_position("4HPGATBiz8IIMA")
    turn = last("44R_", start)
    assert (played(turn), turn.note) == ("24/16 9/5 6/2", "")


def test_r_for_u_is_not_strict_and_valid() -> None:
    with pytest.raises(AmbiguousError, match="read as U_"):
        decode("63$-33R_", strict=True)
    verdicts = [one.verdict for _, one in check_sequence(decode("63$-33R_"))]
    assert verdicts[-1] is Verdict.VALID


# --- dots -------------------------------------------------------------------------------------


def test_a_dot_asks_for_the_natural_play() -> None:
    # 39.6: hit with three threes and come down with the fourth; to the letter D is 13/7(2).
    turn = last("43D-33D.")
    assert turn.token.text == "33D."
    assert (played(turn), turn.how.value) == ("24/15* 13/10", "assumed")
    assert "dot" in turn.note
    assert turn.sure is not Confidence.SURE
    assert turn.others


@pytest.mark.parametrize(
    ("text", "play"), [("43D.", "13/10 13/9"), ("54S-63R-31P.", "8/5 6/5"), ("21$.", "13/11 6/5")]
)
def test_the_natural_play_is_mostly_what_the_letter_says(text: str, play: str) -> None:
    turn = last(text)
    assert played(turn) == play
    assert "dot" in turn.note


@pytest.mark.parametrize("text", ["54S.63R.31P", "54S. 63R. 31P.", "54S.63R 31P"])
def test_periods_that_part_tokens_ask_for_nothing(text: str) -> None:
    assert not any(token.natural for token in parse_sequence(text).tokens)


def test_a_dot_where_there_is_a_dotted_letter_is_its_mark() -> None:
    names = parse_sequence("64P-62S-52S-11N.").tokens[-1].names
    assert str(names[0]) == "N."
    with pytest.raises(AmbiguousError, match="dot"):
        decode("43D-33D.", strict=True)


@pytest.mark.parametrize("text", ["64P-62S-52S-11O.", "64P-62S-52S-11O.-31P"])
def test_a_dot_that_no_play_has_is_never_dropped_in_silence(text: str) -> None:
    # 44.2: the tutorial prints O. for a play with one down and three insides, which is N. by
    # section 15; with one down and three jumps no play is possible there.
    turn = decode(text).turns[3]
    assert played(turn) == "8/6(2)"  # O, and the period ends a sentence
    assert turn.sure is Confidence.LIKELY
    assert turn.note == "no play is an O.: the dot is read as a full stop"


def test_a_period_that_separates_tokens_leaves_no_doubt() -> None:
    turns = decode("61P.66O.31P").turns
    assert [turn.sure for turn in turns] == [Confidence.SURE] * 3


# --- hyphens, bearing off, remarks ------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("41-n", ["41n"]),
        ("54-S 63-R 31-P", ["54S", "63R", "31P"]),
        ("54-S-63-R-31-P", ["54S", "63R", "31P"]),
        ("54S-63R-31-P", ["54S", "63R", "31P"]),  # a roll cannot be passed
        ("52S-55A-42-F", ["52S", "55A", "42", "F"]),
        ("54S-63R-31-C", ["54S", "63R", "31", "C"]),
        ("51S-41K-1-52V", ["51S", "41K", "1", "52V"]),
    ],
)
def test_a_hyphen_before_the_choice(text: str, tokens: list[str]) -> None:
    assert [
        f"{token.roll}{token.names[0]}" if token.roll and token.names else token.text
        for token in parse_sequence(text).tokens
    ] == tokens


def test_bearing_off_without_a_roll() -> None:
    start = board(p6=2, p5=2, p3=1, p19=-3)
    # The two on the 6pt and 5pt are the highest.
    start = board(p6=1, p5=1, p2=2, p19=-3)
    after = last("=", start).after.position.switch_sides()
    assert (after.points[6], after.points[5], after.points[2]) == (0, 0, 2)
    start = board(p6=2, p5=2, p3=1, p19=-3, p22=-2)
    decoded = decode("--+", start=start)
    assert sum(decoded.turns[0].after.position.switch_sides().points[1:7]) == 1
    with pytest.raises(IllegalError, match="no checker can be borne off"):
        decode("54S-=")


@pytest.mark.parametrize(
    ("text", "remarks"),
    [
        ("54S-63R-31P*", ["", "", "*"]),
        ("54S!-63R?-31P!?", ["!", "?", "!?"]),
        ("54S (a common choice), 63R 31P! (a (very) good one)", ["(a common choice)", "", "!.."]),
        ("(from a book) 54S-63R-31P", ["(from a book)", "", ""]),
        ("54S-63R-31P (1) (2)", ["", "", "(1) (2)"]),
    ],
)
def test_emphasis_and_comments_are_kept(text: str, remarks: list[str]) -> None:
    turns = decode(text).turns
    assert [played(turn) for turn in turns] == ["24/20 13/8", "24/15", "8/5 6/5"]
    expected = [remark.replace("!..", "! (a (very) good one)") for remark in remarks]
    assert [turn.token.remark for turn in turns] == expected


@pytest.mark.parametrize(
    ("text", "remark"),
    [("54S-63R-31?", "?"), ('"54S-63R-31??"', "??"), ("54S-63R!-31?.", "?")],
)
def test_a_question_after_the_last_roll_asks_for_its_play(text: str, remark: str) -> None:
    # Section 14 of the definition: `?` carries no meaning, so this is the sequence without it.
    *_, last = turns = decode(text).turns
    assert [turn.play for turn in turns] == [turn.play for turn in decode("54S-63R-31").turns]
    assert (last.how, last.token.remark) == (ReadingKind.TO_PLAY, remark)


@pytest.mark.parametrize(
    "text", ["54S-63R-31?-64P", "54S-63?-31", "54S (63R", "(54S-63R)", "54S)", "!54S"]
)
def test_malformed_remarks(text: str) -> None:
    with pytest.raises(MalformedError):
        decode(text)


# --- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "letters"),
    [
        ("34-split", "43Z"),  # the 3 comes first, and splits
        ("43-split", "43S"),
        ("33-split", "33S"),
        ("43 reverse split", "43Z"),
        ("21-alternate slot", "21%"),
        ("21 alternate-slot", "21%"),
        ("21-slot", "21$"),
        ("61 double slot", "61&"),
        ("65-alternate anchor", "65#"),
        ("32-hit and split", "32X"),
        ("31-dance", "31^"),
        ("31 stay off", "31^"),
        ("51 5-down", "51D"),
    ],
)
def test_words_for_characters(words: str, letters: str) -> None:
    (token,), (expected,) = parse_sequence(words).tokens, parse_sequence(letters).tokens
    assert (token.kind, token.roll, token.names) == (expected.kind, expected.roll, expected.names)


@pytest.mark.parametrize("word", ["dance", "Dances", "stay off", "stays-off", "Fan", "F"])
def test_words_for_a_fan(word: str) -> None:
    # #35: 55A makes five points; the rolls of 1 and 3 alone stay off.
    assert last(f"52S-55A-{word}").how is ReadingKind.FAN


def test_the_five_down_is_the_d_of_73() -> None:
    before, _, after = caption_of("73").sequence.partition("51D")
    turn = decode(f"{before}51-5-down{after}").turns[9]
    assert played(turn) == "bar/24 13/8"


def test_the_five_down_without_entering() -> None:
    # Of 54 the five comes down from the midpoint, and the four is played anyhow.
    turn = last("54 5-down")
    assert "13/8" in played(turn)
    assert turn.how.value == "assumed"
    assert len(turn.others) > 1
    assert all("13/8" in format_play(play) or "13/4" in format_play(play) for play in turn.others)


def test_spoken() -> None:
    spoken = decode("54-split, 63-run, 31-point").state
    assert spoken == decode("54S-63R-31P").state


@pytest.mark.parametrize(
    "text",
    ["Nackgammon Opening 62Q", "N62Q", "N 62Q", "nackgammon: 62Q", "Nackgammon opening: 62Q"],
)
def test_nackgammon(text: str) -> None:
    # 28.1, the quadruple split.
    turn = last(text)
    assert turn.state.position == NACKGAMMON
    assert played(turn) == "24/18 23/21"


def test_an_opening() -> None:
    assert decode("White's opening 52S").state == decode("52S").state


# --- after entering ---------------------------------------------------------------------------


def test_a_d_after_entering_has_two_readings() -> None:
    # #73: the author means bar/24 13/8; to the letter the first D is bar/20 10/9.
    before = caption_of("73").sequence.partition("-51D")[0]
    turn = last(f"{before}-51D")
    assert (played(turn), turn.sure) == ("bar/20 10/9", Confidence.DOUBTFUL)
    assert [format_play(play) for play in turn.others] == ["bar/24 13/8"]
    assert "far outer board" in turn.note
    # #46: both readings are the six down from the midpoint.
    turn = decode(caption_of("46").sequence).turns[5]
    assert (played(turn), turn.sure, turn.others) == ("bar/23 13/7", Confidence.SURE, ())
    assert decode(f"{before}-51D", strict=True).state == last(f"{before}-51D").after


def test_a_later_token_chooses_among_the_readings_of_a_d() -> None:
    before = caption_of("73").sequence.partition("-51D")[0]
    # Only the checker that stayed on the 10pt, the other side's 15pt, can be hit with 64.
    turn, hit = decode(f"{before}-51D-64H").turns[-2:]
    assert (played(turn), played(hit)) == ("bar/24 13/8", "bar/15*")


# --- names of files ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("safe", "usual"),
    [
        ("32Z-41hh-11", "32Z-41h-11"),
        ("32Z-41HH-11", "32Z-41h-11"),
        ("top-61P-63R", "-61P-63R"),
        ("nack-41Q-21K", "N 41Q-21K"),
        ("43U-21slot-21slot+2", "43U-21$-21%"),
        ("66anchor-11anchor+4", "66@-11#{4}"),
        ("21uu-21V-21vv-21U+5", "21u-21V-21v-21U{5}"),
        ("11E_-22E~-22E~+4", "11E_-22E.-22e.{4}"),
        ("31fan-42all-21in-61and", "31^-42>-21<-61&"),
        ("66two-66four", "66=-66+"),
    ],
)
def test_safe_names_wherever_sequences_are_read(safe: str, usual: str) -> None:
    def gist(text: str) -> tuple[object, ...]:
        parsed = parse_sequence(text)
        tokens = [(token.kind, token.roll, token.names[:1]) for token in parsed.tokens]
        return parsed.start, parsed.starts, tokens

    assert gist(safe) == gist(usual) == gist(read_file_name(safe))
    assert gist(file_name(usual)) == gist(usual)


def test_a_name_as_the_author_shortens_it() -> None:
    # Section 7: without angle brackets, the roll for a full entrance, one number for one checker.
    for author, usual in (("52S-55A-2", "52S-55A-21<"), ("52S-55A-42", "52S-55A-42>")):
        positions = {
            format_position_id(decode(text).state.position)
            for text in (author, usual, read_file_name(author))
        }
        assert len(positions) == 1


def test_words_of_english_between_tokens_are_no_names() -> None:
    with pytest.raises(MalformedError):
        decode("54S 63R 31 and 42")


def test_every_plain_spelling_is_still_itself() -> None:
    for text in ("P", "p", "P{3}", "E_", "e_", "U{5}", "$", "%", "${3}", "4", "4{2}", "=", "+"):
        (token,) = parse_sequence(f"66{text}").tokens
        assert token.names == (parse_nactation(text),)
