"""Nactation in prose, and its look-alikes."""

from __future__ import annotations

from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from gnubg_nactation.backgammon.ids import format_position_id, parse_state
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import AmbiguousError, MalformedError, UnreadError
from gnubg_nactation.prose.finder import read_prose
from gnubg_nactation.prose.page import Finding, Kind
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import Budget, decode, spot_of
from gnubg_nactation.sequences.tiers import TokenInPosition
from tests.cli.running import run
from tests.test_promise import calls

ROOT = Path(__file__).parents[2]
SEQUENCE, PLAY, NACBRAC = Kind.SEQUENCE, Kind.PLAY, Kind.NACBRAC


def kind_and_text(finding: Finding) -> tuple[Kind, str]:
    return finding.kind, finding.text


def only_finding(text: str) -> Finding:
    (finding,) = read_prose(text)
    return finding


def reached(finding: Finding) -> str:
    assert finding.decoded
    return format_position_id(finding.decoded.state.position)


def reached_by(sequence: str) -> str:
    return format_position_id(decode(sequence).state.position)


# By reading the page. The game of the first command is a sequence in columns.
README = [
    (SEQUENCE, "54S-63R"),
    (PLAY, "31P"),
    (PLAY, "P"),
    (PLAY, "8/5 6/5"),
    (SEQUENCE, "54S-63R-31P"),
    (PLAY, "24/15"),
    (NACBRAC, "31 [P H76 @79]"),
    (SEQUENCE, "64S-61P-21D"),
    (SEQUENCE, "54S-63R-31P"),
    (SEQUENCE, "-64S-61P-21D-54R-62$-42H-62c-55Z-62H-41B-53A-21c-54A-F-42U-51S-64P-54P"),
    (PLAY, "54X"),
    (Kind.POSITION, "bNsAYCo4n4MhIA"),
    (PLAY, "41D"),
    (Kind.POSITION, "mM+FAyCMt8EAWA"),
    (SEQUENCE, "43Z-32H-54"),
    (PLAY, "43Z"),
    (PLAY, "24/21 13/9"),
    (Kind.POSITION, "4HPhASLgc/ABMA"),
    (PLAY, "32H"),
    (PLAY, "13/10 6/4*"),
    (Kind.POSITION, "yHPiATDgc+EBUA"),
    (Kind.POSITION, "yHPiATDgc+EBUA"),
    (SEQUENCE, "54S-63R-31"),
    (SEQUENCE, "54S-63R-31"),
    (NACBRAC, "[P H76 @79 X85] gnubg 2-ply"),
    (SEQUENCE, "54S-63R-31"),
    (NACBRAC, "[P @87 H94]"),
    (PLAY, "31P"),
    (PLAY, "8/5 6/5"),
    (PLAY, "31@"),
    (PLAY, "24/20"),
    (PLAY, "31H"),
]


def mentions(text: str) -> list[tuple[str, str]]:
    """The findings after the first, each with its play."""
    _, *others = read_prose(text)
    assert all(finding.claim or finding.sure is Confidence.LIKELY for finding in others)
    return [(finding.text, _play_of(finding)) for finding in others]


def _play_of(finding: Finding) -> str:
    play = finding.decoded.turns[-1].play if finding.decoded else None
    return finding.claim.play if finding.claim else format_play(play) if play else ""


def test_plays_and_letters_alone_are_about_what_the_text_discusses() -> None:
    """The plays of #1, in the nearest position that allows them."""
    assert mentions("54S-63R-31. I went 13/10*/9, but P is safer, and so is 24/20.") == [
        ("13/10*/9", "13/10*/9"),
        ("P", "8/5 6/5"),
        ("24/20", "24/20"),
    ]
    rows = mentions("54S-63R-31\n\n 1  P   8/5 6/5    +.217\n 2  H   13/10*/9   +.131\n")
    assert rows == [("P 8/5 6/5", "8/5 6/5"), ("H 13/10*/9", "13/10*/9")]
    doublets = mentions("Replies to 31P:\n\n66: B, as always\n22: N\n")
    assert doublets == [("B", "24/18(2) 13/7(2)"), ("N", "13/11(2) 6/4(2)")]


def test_letters_alone_are_about_a_position_and_the_roll_named_after_it() -> None:
    """The position after 54S-63R (#1), without its roll and with it."""
    position = "Position ID: 4HPwCSDg8+ABIQ Match ID: cAkAAAAAAAAA"
    assert mentions(f"{position}\nWhite to play 31. P is best.\nP 8/5 6/5; H 13/10*/9") == [
        ("P", "8/5 6/5"),
        ("P 8/5 6/5", "8/5 6/5"),
        ("H 13/10*/9", "13/10*/9"),
    ]
    xgid = "XGID=-a----E-D-a-eD---c-eA---A-:0:0:1:31:0:0:0:0:10"
    assert mentions(f"{xgid}\n\nBlack rolled a 31 here. Best is H.") == [("H", "13/10*/9")]
    _, letter = read_prose(f"{xgid}\n\nBlack rolled a 31 here. Best is P.")
    assert reached(letter) == reached_by("54S-63R-31P")  # not the opening


def test_letters_after_another_roll_are_no_plays_of_the_roll_before() -> None:
    assert mentions("54S-63R-31P\n\nI say 66: P or D?") == []
    assert mentions("54S-63R-31. If it were 65, S would be clear.") == []
    letters = mentions("In backgammon 31P is best. Later 65 is R, but 62 is S.")
    assert letters == [("R", "24/13"), ("S", "24/18 13/11")]


@pytest.mark.parametrize(
    "text",
    [
        "| After | Roll | Play |\n|---|---|---|\n| 62S | 43 | Z |",
        "<table><tr><td>62S</td><td>43</td><td>Z</td></tr></table>",
        "Opening: 62S\nRoll: 43\nBest: Z",
        "He opens with 62S, and on 4-3 I play Z.",
    ],
)
def test_the_roll_next_to_a_letter_is_its_roll(text: str) -> None:
    """Z is the 3 with a back checker and the 4 down (section 2): of a 62 it would be 24/22 13/7."""
    opening, letter = read_prose(text)
    assert (opening.text, letter.text) == ("62S", "Z")
    assert reached(letter) == reached_by("62S-43Z")


@pytest.mark.parametrize(
    "text",
    [
        "Q1: 62S-43\nQ2: 61P-53\nA1: Z\nA2: P",
        "Problem 1. 62S-43\nProblem 2. 61P-53\n\nSolutions\n\n1. Z\n2. P",
        "1) 62S-43 2) 61P-53. Answers: 1) Z, 2) P.",
        "Problem A: 62S-43\nProblem B: 61P-53\n\nMy answers: A is Z, B is P.",
    ],
)
def test_numbered_answers_are_about_the_questions_of_their_numbers(text: str) -> None:
    *_, first, second = read_prose(text)
    assert (reached(first), reached(second)) == (reached_by("62S-43Z"), reached_by("61P-53P"))


@pytest.mark.parametrize(
    "text",
    [
        "A 8/5 6/5\nB 24/21 13/12\nC 13/10 6/5\n\nI vote B, my wife C.",
        "a) 31P, b) 31H, c) 31X? I like C.",
        "(A) P (B) H (C) X\nPoll: three for B, two for C.",
    ],
)
def test_the_labels_of_a_poll_are_no_letters_of_plays(text: str) -> None:
    """B is 24/21 8/7 here, and C is 24/23 8/5 (section 4)."""
    findings = read_prose(f"54S-63R-31\n{text}")
    assert not {finding.text for finding in findings} & {"A", "B", "C"}


@pytest.mark.parametrize("letter", ["H_", "%_"])
def test_a_letter_without_an_italic_form_is_left_out(letter: str) -> None:
    assert mentions(f"54S-63R-31: {letter} = 13/10*/9. I like {letter} best.") == [
        ("13/10*/9", "13/10*/9")
    ]
    assert [finding.text for finding in read_prose(f"52D-64H {letter}\n")] == ["52D-64H"]


@pytest.mark.parametrize(
    "words",
    [
        "Regards, Carl H.",
        "H) 24/18",  # not legal, and a label
        "I am a B.A. of U-M.",
        "$ ls -H",
        "A good roll.",
        "see 3/1",
        "plan-B",
        " | X           O    |   | O  X           X |",  # a board as XG draws it
        "X:Ann   O:Ben\nPip count  X: 158  O: 158\nWins 55,9% (G:17,0% B:0,8%)",
        # A board as gnubg and `post` draw it: with figures in its first and last row.
        (
            "+12-11-10--9--8--7-------6--5--4--3--2--1-+     O: gnubg\n"
            "| X           O    |   | O  X           X |     0 points\n"
            "| O     O     X    |   | X              O |     Rolled 31\n"
            "+13-14-15-16-17-18------19-20-21-22-23-24-+     X: Ann"
        ),
        "X to play 31",
        "Cube: 2, X own cube",  # as XG copies it
        "X owns the cube, X doubled.",
        "O is on roll, X has 3 checkers back. X: Ann, O: Ben",
        "Player X beat Team O. Ann (X) wins.",
        "see you @ the club",
        # A lesson about letters
        "The letter P means point, S stands for split, and X is the other player.",
        "Z is the reverse split; it is the same H as in the book.",
        # Numbered things
        "In Position C and Diagram D, group B, type H, vitamin C.",
        "Thanks,\nH",
        "Best, P.",
    ],
)
def test_what_is_no_letter_of_a_play_is_left_out(words: str) -> None:
    assert mentions(f"54S-63R-31\n\n{words}") == []


def test_the_sign_of_nackgammon_is_no_letter() -> None:
    (game,) = read_prose("N 53P-61P: the N is the sign of nackgammon.")
    assert game.text == "N 53P-61P"


@pytest.mark.parametrize(
    ("text", "plays"),
    [
        ("31P-65R-44B/C in backgammon.", ["31P-65R-44B", "31P-65R-44C"]),
        ("31P-64P/R in backgammon.", ["31P-64P", "31P-64R"]),
        ("54S-63R-31H/P?", ["54S-63R-31H", "54S-63R-31P"]),
        ("54S/63R/31P/C/P", ["54S/63R/31P/C/P"]),  # a double and a pass
    ],
)
def test_a_letter_after_a_slash_is_another_play(text: str, plays: list[str]) -> None:
    assert list(map(reached, read_prose(text))) == list(map(reached_by, plays))


def test_the_turns_after_an_ellipsis_are_not_surely_the_first() -> None:
    assert only_finding("In backgammon: ...-65R-44B-62").sure is Confidence.DOUBTFUL
    assert only_finding("Hmm...54S-63R-31 in backgammon").sure is Confidence.SURE


def test_x_and_o_may_be_letters_of_plays() -> None:
    """X is 24/23 13/10*, a hit and the rest on the far side (section 7)."""
    assert mentions("54S-63R-31: is it X, O or P?")[0] == ("X", "24/23 13/10*")
    assert mentions("54S-63R-31. 24/23 13/10* (X) wins.")[-1] == ("X", "24/23 13/10*")


@pytest.mark.parametrize(
    "text",
    [
        "Option B: 24/20.",
        "Play B: 24/20",
        "A: 8/5 6/5, B: 24/20, C: 13/9",
        "(A) 8/5 6/5 or (B) 24/20?",
        "I like candidate B, 24/20.",
        "candidate B is 24/20 and candidate C is 13/9",
    ],
)
def test_the_labels_of_candidates_are_no_letters(text: str) -> None:
    """The letter of 24/20 is @ (section 7: a P play on the far side), that of 13/9 is H."""
    _, *findings = read_prose(f"54S-63R-31\n\n{text}")
    plays = [finding.text for finding in findings]
    assert "24/20" in plays
    assert set(plays) <= {"8/5 6/5", "24/20", "13/9"}


def test_letters_in_a_row_are_claims() -> None:
    assert mentions("54S-63R-31: my choice D, then?") == [("D", "13/10*/9")]
    _, *findings = read_prose("54S-63R-31: P: 8/5 6/5, H: 13/10*/9, and option P is 8/5 6/5")
    assert [finding.claim and finding.claim.letter for finding in findings] == ["P", "H", "P"]


@pytest.mark.parametrize("target", ["plain", "reddit"])
def test_the_board_of_a_post_has_no_letters(target: str) -> None:
    post = run("post", "--to", target, "54S-63R-31").out
    assert [kind_and_text(finding)[0] for finding in read_prose(post)] == [SEQUENCE, Kind.POSITION]


def test_the_readme_is_read() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    findings = read_prose(text)
    assert [kind_and_text(finding) for finding in findings] == README
    assert all(finding.error is None for finding in findings)
    sure = {Confidence.SURE, Confidence.LIKELY}
    assert all(finding.sure in sure for finding in findings)
    for finding in findings:
        line = text.splitlines()[finding.line - 1]
        assert line[finding.column - 1 :].startswith(finding.text[:2])
        assert text[finding.start :].startswith(finding.text[:2])


@pytest.mark.parametrize(
    ("text", "sequence"),
    [
        ("I had 54S-63R-31P yesterday.", "54S-63R-31P"),
        ("(54S-63R-31P)", "54S-63R-31P"),
        ("54S-63R-31: what now?", "54S-63R-31"),
        ("<p>54<b>S</b>-63<b>R</b>-31<b>P</b></p>", "54S-63R-31P"),
        ("**54S**-**63R**-31", "54S-63R-31"),
        ("[b]54S[/b]/63R/31P", "54S-63R-31P"),
        ("54S \u2013 63R \u2013 31P", "54S-63R-31P"),
        ("54S -> 63R \u2192 31P", "54S-63R-31P"),
        ("54S-63R-\n31P", "54S-63R-31P"),
        ("\u00ab54S-63R-31P\u00bb", "54S-63R-31P"),
        ("54S63R-31P", "54S-63R-31P"),
        ("54S 63R 31", "54S-63R-31"),
        ("If White opens 43Z and Black\nreplies 32H he is better.", "43Z-32H"),
        ("suppose 54-split, 63-run, 31: how do you play it?", "54S-63R-31"),
        ("He began: -61P-63R and so on.", "-61P-63R"),
        ("N 41Q-21K is of Nackgammon", "N 41Q-21K"),
        ("   1  54S   63R\n   2  31P   62S\n", "54S-63R-31P-62S"),
        ("54S\n63R\n31H\n", "54S-63R-31H"),
        # Remarks after tokens carry no meaning.
        ("31P (me) 65R (him) 44B (me) 62Z (him) in backgammon", "31P-65R-44B-62Z"),
        ("62S-54D(?)-31P", "62S-54D-31P"),
        ("62S (I always do that) - 54D (he's a builder) - 31P! (bang)", "62S-54D-31P"),
        # The fan is the turn of its player, without its roll.
        ("1. 31P 64R\n2. 55A F\n3. 62S 43", "31P-64R-55A-F-62S-43"),
        ("    me    Ralf\n 1. 31P   64R\n 2. 55A   fan\n 3. 62S", "31P-64R-55A-F-62S"),
    ],
)
def test_sequences_are_found(text: str, sequence: str) -> None:
    finding = only_finding(text)
    assert (finding.kind, finding.error) == (SEQUENCE, None)
    assert reached(finding) == reached_by(sequence)


@pytest.mark.parametrize(
    "text",
    [
        "2012-03-14, or 14.3.2012, or 3/14/12",
        "at 5:43, 13:52 or 16h",
        "won 5-3, 21-19 and 13-11",
        "call 555-4321 or +41 63 54 32 11",
        "24/23 13/11, bar/22*, 6/5(2), 15/11$",
        "costs $54.31, 21% more, 31 EUR",
        "version 3.11.2, 2.13 or v1.4.52",
        "see pages 31-42, 54 and 63, #12, [1], [3-5]",
        "the 21-point, a 13-point match, the 24-point anchor",
        "a P-51D, an F-16C and a B-52H; MP3, 4K, 65W, 64K",
        "it cost 54$ at 32C",
        "on the 21st and the 42nd",
        "Position ID: internationals, internationals:abcdefghijkl",
        "Mr. S. P. Run and D. Slot [sic] [see above] [B. 1999]",
        "https://example.org/54S-63R-31P.html or a@31P.org, file_54S",
        "I was 54th, 63rd, then 31x12 and 42mm by 65cm",
        "[b]bold[/b] [i]P[/i] [url=http://x.org]31[/url]",
        "parts A12-B34-C56, 31A-4B-52C, 5S-63R and 21B-A22-31",
        "part no. 5S-63R-31P",
    ],
)
def test_what_only_looks_like_it_is_left_alone(text: str) -> None:
    assert read_prose(text) == ()


@pytest.mark.parametrize(
    ("text", "play"),
    [
        # An opening, as nothing else is told.
        ("With an opening 31P is best.", "8/5 6/5"),
        ("Is 42-point automatic?", "8/4 6/4"),
    ],
)
def test_a_play_by_itself_is_an_opening(text: str, play: str) -> None:
    finding = only_finding(text)
    assert finding.decoded
    (turn,) = finding.decoded.turns
    assert turn.play
    assert (finding.kind, format_play(turn.play), finding.sure) == (PLAY, play, Confidence.LIKELY)


def test_what_may_be_a_price_is_doubtful_where_nactation_is_spoken() -> None:
    _, play = read_prose("He won by 62S-62D-51.\n\nIt was 54$, I think.")
    assert (kind_and_text(play), play.sure) == ((PLAY, "54$"), Confidence.DOUBTFUL)


def test_a_play_of_the_roll_before_it_is_an_alternative() -> None:
    # Position #1 of the tutorial, and hits on the blot that ran to its 15pt.
    _, play = read_prose("After 54S-63R-31 many would choose 31H.")
    assert (kind_and_text(play), play.sure) == ((PLAY, "31H"), Confidence.LIKELY)
    assert reached(play) == reached_by("54S-63R-31H")


def test_a_play_that_a_sequence_holds_is_quoted() -> None:
    _, play = read_prose("In 54S-63R-31 White's 63R was fine.")
    assert play.decoded
    assert format_position_id(play.decoded.start.position) == reached_by("54S")
    assert play.sure is Confidence.LIKELY


def test_a_reply_goes_on_from_the_sequence() -> None:
    _, play = read_prose("After 54S-63R-31P he rolled 11E and won.")
    assert (play.sure, reached(play)) == (Confidence.LIKELY, reached_by("54S-63R-31P-11E"))


@pytest.mark.parametrize(
    "text",
    [
        "White 43Z, Black 32H",
        "If White opens 43Z and Black,\nas usual, replies 32H he has the better game.",
        "After 61P-55A: white played 43Z, and the opponent 32H.",
    ],
)
def test_a_reply_to_a_play_by_itself(text: str) -> None:
    *_, first, reply = read_prose(text)
    assert [kind_and_text(first), kind_and_text(reply)] == [(PLAY, "43Z"), (PLAY, "32H")]
    assert reached(reply) == reached_by("43Z-32H")
    assert (reply.sure, reply.note) == (Confidence.LIKELY, f"a reply to 43Z of line {first.line}")


def test_replies_go_on() -> None:
    *_, last = read_prose("White 43Z, Black 32H, and White had 61C.")
    assert reached(last) == reached_by("43Z-32H-61C")


@pytest.mark.parametrize(
    "text",
    [
        "White plays 43Z, and I 31P.",  # nobody replies
        "White likes 43Z, and white plays 31P.",
        f"White 43Z. {'Much can be said of that. ' * 9} Black 31P.",
        "White 43Z\n\nBlack 31P",
    ],
)
def test_what_is_no_reply_is_an_opening(text: str) -> None:
    *_, finding = read_prose(text)
    assert (reached(finding), finding.note) == (reached_by("31P"), "taken for an opening")


def test_nothing_doubtful_is_read_strictly() -> None:
    # 64S was 20/14 13/9 by the procedure of 2011; today it is, if an S{3} lost its italics (#54).
    text = "We had 32S-63H-53H-61U-41P-F-64S-63H-42S there."
    loosely, strictly = only_finding(text), read_prose(text, strict=True)[0]
    assert (loosely.error, loosely.decoded is None) == (None, False)
    assert isinstance(strictly.error, AmbiguousError)
    assert strictly.error.at == text.index("64S")
    # The hint has no option of the command line.
    assert strictly.trouble == f"{strictly.error}; it reads through in the usage of 2012"
    assert loosely.note.endswith("; reads through in the usage of 2012)")
    *_, nacbrac = read_prose("63S-33 [O o5 A{7}9]", strict=True)
    assert nacbrac.error


def test_openings_in_a_row_are_a_list() -> None:
    plays = read_prose("Everybody plays 31P, 42P, 53P and 61P.")
    assert [kind_and_text(play) for play in plays] == [
        (PLAY, text) for text in ("31P", "42P", "53P", "61P")
    ]
    assert all(len(play.decoded.turns) == 1 for play in plays if play.decoded)


def test_a_sequence_goes_on_in_the_next_line() -> None:
    text = "43Z-43X-32H-42H-65R\n-55B-41-65R-22N"
    (game,) = read_prose(text)
    assert reached(game) == reached_by("43Z-43X-32H-42H-65R-55B-41-65R-22N")
    assert game.sure is Confidence.SURE
    # Not where other words or an empty line are between them.
    head, tail = read_prose(text.replace("\n", "\n\n"))
    assert reached(tail) == reached(game)
    assert "after the sequence of line 1" in tail.note
    assert head.sure is Confidence.SURE


@pytest.mark.parametrize(
    ("text", "position", "names"),
    [
        ("54S-63R-31 [P @87 H94 X101]", "54S-63R", "P@HX"),
        ("54S-63R-31\nd[P @87 H94]", "54S-63R", "P@H"),
        ("54S-63R-31P is what I found: [P @87 H94]", "54S-63R", "P@H"),
        ("31 [P D137]", "", "PD"),
        ("51S-44 [B A23 E58 N83] '<31*10", "51S", "BAEN"),
    ],
)
def test_nacbracs_are_about_the_roll_before_them(text: str, position: str, names: str) -> None:
    *_, finding = read_prose(text)
    assert finding.kind is NACBRAC
    assert finding.nacbrac
    assert format_position_id(finding.nacbrac.state.position) == reached_by(position)
    assert "".join(entry.entry.text for entry in finding.nacbrac.entries) == names


def test_a_score_may_stand_right_behind_another_nacbrac() -> None:
    *_, first, second = read_prose("54S-63R-31 [P @87]d[P @50]-3-5[P @60]")
    assert first.nacbrac
    assert second.nacbrac
    assert [first.nacbrac.nacbrac.score, second.nacbrac.nacbrac.score] == ["d", "-3-5"]


def test_the_score_of_a_nacbrac_is_no_part_of_the_sequence_before_it() -> None:
    sequence, finding = read_prose("54S-63R-31 -3-5[P @50]")
    assert sequence.decoded
    assert sequence.text == "54S-63R-31"
    assert finding.nacbrac
    assert (finding.nacbrac.nacbrac.score, finding.text) == ("-3-5", "-3-5[P @50]")


def test_a_nacbrac_about_nothing_is_told() -> None:
    finding = only_finding("as in [P @87 H94 X101]")
    assert (finding.kind, finding.nacbrac) == (NACBRAC, None)
    assert "no roll" in str(finding.error)


CUBE = "[N D/T 45 D/P 690]"


@pytest.mark.parametrize(
    ("text", "best", "position", "sure"),
    [
        (f"54S-63R {CUBE}", "no double, take", "54S-63R", Confidence.SURE),
        (f"In 54S-63R-31 it was -3-5{CUBE} gnubg 2-ply.", "no double, take", "54S-63R", ...),
        (f"54S-63R {'was played often. ' * 4}{CUBE}", ..., "54S-63R", Confidence.LIKELY),
        ("54S-63R-C [D/T N 14 D/P 397]", "double, take", "54S-63R", Confidence.SURE),
        ("54S-63R-C [D N14]", "double", "54S-63R", Confidence.SURE),
        ("54S-63R [D 603-14]", "double, take", "54S-63R", Confidence.SURE),
        ("<p>54<b>S</b>-63R</p><p>[<b>D/P</b>=N D/T 20]</p>", "double, pass", "54S-63R", ...),
    ],
)
def test_nacbracs_of_the_cube_are_about_the_end_of_the_sequence(
    text: str, best: object, position: str, sure: object
) -> None:
    sequence, finding = read_prose(text)
    assert finding.cube
    assert finding.state
    assert sequence.kind is SEQUENCE
    assert (finding.kind, finding.error, finding.state.roll) == (NACBRAC, None, None)
    assert format_position_id(finding.state.position) == reached_by(position)
    assert best in {..., finding.cube.best}
    assert sure in {..., finding.sure}


def test_a_nacbrac_of_the_cube_says_what_it_says_without_a_position() -> None:
    finding = only_finding(f"The verdict here: {CUBE}")
    assert finding.cube
    assert (finding.cube.best, finding.state, finding.error) == ("no double, take", None, None)
    # In double match point the cube is dead.
    start = decode("54S-63R").state
    (finding,) = read_prose(f"d{CUBE}", start=start)
    assert "may not double" in str(finding.error)


@pytest.mark.parametrize("text", ["by D/P or [D/T]", "[N 45-12]", "[D/T is right, 9 of 10]", "[N]"])
def test_what_only_looks_like_the_cube_is_left_alone(text: str) -> None:
    assert read_prose(text) == ()


@pytest.mark.parametrize(
    ("second", "eleventh", "first", "third"),
    [
        ("1.2b", "1.11a", "2.1b", "3.2.3a"),
        # as earlier versions wrote them
        ("game 1, move 2", "game 1, move 11", "game 2, move 1", "game 2, move 3"),
    ],
)
def test_a_line_about_a_move_of_a_match_is_not_about_the_sequence_before_it(
    second: str, eleventh: str, first: str, third: str
) -> None:
    # As `nacbrac` writes the moves of an analysed match; the players' names may be anything.
    text = (
        "54S-63R-31 [P @87]\n"
        f"{second}, Bob 31P: 32& -3-3[S D65...&192] gnubg 0-ply\n"
        f"final.sgf: {eleventh}, A: no double d{CUBE} gnubg 0-ply\n"
        f"{first}, B: 31P [P @87] {third}, C: 42P [P @87]\n"
    )
    _, about, move, cube, last, behind = read_prose(text)
    assert f"position of {third} " in str(behind.error)
    assert behind.start >= last.end
    assert about.nacbrac
    assert f"position of {second} " in str(move.error)
    assert f"position of {first} " in str(last.error)
    assert cube.cube
    note = f"of {eleventh}"
    assert (cube.cube.best, cube.state, cube.note) == ("no double, take", None, note)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("54S-63R-C-43 [D/T N 14 D/P 397]", 13),
        ("54S-63R [D/T N 14 D/T 397]", 18),
        ("He wrote 54S-63R-31K. Well.", 17),
        ("He wrote 54S-63R-71P. Well.", 17),
        ("He wrote 54S-71P. Well.", 13),
        ("He wrote 54S-6R-31P. Well.", 13),
        ("He wrote 54S-R63-31P. Well.", 13),
        ("He wrote 5S-63R-31P. Well.", 9),
        ("He wrote S54-63R-31P. Well.", 9),
        ("First 54S-63R-31, and then 31K as ever.", 27),
        ("54S-63R-31 [P @87 K94]", 18),
    ],
)
def test_a_slip_is_told_with_its_place(text: str, at: int) -> None:
    *_, finding = read_prose(text)
    assert finding.error
    assert finding.error.at == at


def test_lines_and_columns_are_those_of_the_text() -> None:
    finding = only_finding("first\n\n  see &amp; <i>read</i>: 54S-63R-31P\n")
    assert (finding.line, finding.column) == (3, 26)
    assert finding.end - finding.start == len("54S-63R-31P")


def test_the_start_may_be_given() -> None:
    start = decode("54S-63R").state
    findings = read_prose("31H, then", start=start)
    assert [reached(play) for play in findings] == [reached_by("54S-63R-31H")]


def test_a_text_has_an_end() -> None:
    with pytest.raises(MalformedError, match="1,000,001 characters"):
        read_prose("x" * 1_000_001)


HOSTILE = {
    "readme": (ROOT / "README.md").read_text(encoding="utf-8"),
    "sequences": "54S-63R-31P and\n",
    "chain": "54S-63R-31P-",
    "nacbracs": "[P @87 H94 X101] ",
    "tags": "<b>54S-<i>63R [url=",
    "brackets": "[",
    "marks": "-",
    "cubes": "54S-63R [N D/T 45 D/P 690] ",
    "moves": "game 1, move 2, Bob: 32& -3-3[S D65 &192] ",
    "places": "1.2b, Bob: 32& -3-3[S D65 &192] ",
    "numbers": "1.1.1.1.1.1",
    "rows": "1  54S  63R\n2 31P 62S\n",
    "signs": "[====P= . . .,",
    "polls": "62S-43 A) 31P B) 31H C) P, I like B ",
    "answers": "Q1: 62S-43 A1: Z ",
    "replies": "43Z: 65: S; 64: R; 43Z: 63 S, ",
    "remarks": "54S (why) - 63R (so",
    "runs": "65 R, 62 (S), ",
    "hyphens": "6-5R ",
    "small": "54s-63r-31 ",
    "fans": "1. 31P 55P F F\n2. F F 64R\n",
}


@pytest.mark.thorough
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_the_work_is_in_proportion(text: str) -> None:
    def read(length: int) -> object:
        return read_prose((text * (length // len(text) + 1))[:length])

    assert calls(partial(read, 20_000)) < 15 * calls(partial(read, 2_000))


@pytest.mark.parametrize(
    ("text", "bot"),
    [
        ('[P @87 H94]"< is from XG.', '"<'),
        ("[P @87 H94] gnubg 2-ply, I think", " gnubg 2-ply"),
        (
            "[P @87 H94] gnubg 0-ply rollout 1296 trials is better",
            " gnubg 0-ply rollout 1296 trials",
        ),
        ("([P @87 H94]/)", "/"),
        ('[P @87 H94]"<=62*15 and so on', '"<=62*15'),
        # Quotes and other text.
        ('"[P @87 H94]"', ""),
        ('"I have [P @87 H94]" he said', ""),
        ("[P @87 H94]' he said", ""),
        ("[P @87 H94] gnubg likes P", ""),
        ("[P @87 H94] 5 years ago", ""),
        ("[P @87 H94] / H is the other play", ""),
    ],
)
def test_a_bot_may_come_before_other_words(text: str, bot: str) -> None:
    nacbrac = next(it for it in read_prose(f"54S-63R-31: {text}") if it.kind is NACBRAC)
    assert nacbrac.text == f"[P @87 H94]{bot}"


def test_the_roll_of_the_next_nacbrac_names_no_bot() -> None:
    text = '54S-63R-31 [P @87] 42 [P R30] "<=62*15 5'
    findings = read_prose(text)
    assert [kind_and_text(finding)[1] for finding in findings[1:]] == [
        "[P @87]",
        '42 [P R30] "<=62*15 5',
    ]


XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:{}:{}:0:0:0:0:10"  # White or Black, before any roll
POSITION = Kind.POSITION


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"Here: {XGID.format(1, 31)}.", XGID.format(1, 31)),
        (f"<p>{XGID.format(-1, 31)}</p>X to play 31", XGID.format(-1, 31)),
        (XGID.format(1, "00").removeprefix("XGID="), XGID.format(1, "00")),
        ("Position ID: **4HPwATDgc/ABMA** it is", "4HPwATDgc/ABMA"),
        (
            "  GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n  Match ID   : cAkAAAAAAAAA",
            "4HPwATDgc/ABMA:cAkAAAAAAAAA",
        ),
        ("(GNUBGID 4HPwATDgc/ABMA:cAkAAAAAAAAA)", "4HPwATDgc/ABMA:cAkAAAAAAAAA"),
        ("GNUID=4HPwATDgc/ABMA:cAkAAAAAAAAA", "4HPwATDgc/ABMA:cAkAAAAAAAAA"),
        (XGID.format(1, 31).replace("XGID", "xgid"), XGID.format(1, 31)),
    ],
)
def test_positions_are_found(text: str, name: str) -> None:
    finding = only_finding(text)
    assert (finding.kind, finding.sure, finding.state) == (
        POSITION,
        Confidence.SURE,
        parse_state(name),
    )
    assert finding.decoded is None


@pytest.mark.parametrize(
    "text", ["XGID=-b----E-C---eZ:0:0", XGID.format(1, 71), XGID.format(1, 31).replace("c", "p")]
)
def test_a_position_that_is_none_is_told(text: str) -> None:
    finding = only_finding(f"It is {text}, I think.")
    assert (finding.kind, finding.text, finding.state) == (POSITION, text, None)
    assert finding.error


@pytest.mark.parametrize(
    ("roll", "tail", "expected"),
    [
        # The roll of the position, a doublet, with which no game begins: one point is made.
        (33, "33P-63R", (SEQUENCE, "13/7(2)", "from the position of line 1")),
        (33, "I like 33P here.", (PLAY, "13/7(2)", "from the position of line 1")),
        (33, "33 [P Z9]", (NACBRAC, "13/7(2)", "about the position of line 1")),
        ("00", "33P-63R", (SEQUENCE, "13/7(2)", "from the position of line 1")),
        # Another roll begins with the opening, as ever.
        (31, "My game: 54S-63R-31P", (SEQUENCE, "24/20 13/8", "")),
    ],
)
@pytest.mark.parametrize("side", [1, -1])
def test_text_after_a_position_is_about_it(
    side: int, roll: object, tail: str, expected: tuple[Kind, str, str]
) -> None:
    """Both players have the same board at first, so that no more than the side differs."""
    position, finding = read_prose(f"{XGID.format(side, roll)}\n{tail}")
    assert position.kind is POSITION
    results = (
        finding.decoded.turns if finding.decoded else finding.nacbrac and finding.nacbrac.entries
    )
    assert results
    assert results[0].play
    assert (finding.kind, format_play(results[0].play), finding.note) == expected


def test_the_cube_of_a_position_has_its_nacbrac() -> None:
    position, finding = read_prose(f"{XGID.format(1, '00')} Cube? [D/T N10]")
    assert finding.cube
    assert finding.state
    assert position.state
    assert finding.state.position == position.state.position


# Each has many doubtful readings, and none of them fits.
_HOPELESS = {
    "sequences": "Why not 41-61P-64P-{0}{0}-33K-3{1}$-21?",
    "lists": "Why not 41S, 6{0}P, 64{1}, {0}{0}Q, 33K, 21$?",
    "columns": "41P\n6{0}P\n{0}{0}Q\n{1}{1}Q\n33K\n6{1}Q",
    "dice": "Why not 41-61P-64P-333333{0}33{1}33333{0}33{1}3361$-32?",
    "nacbracs": "54S-63R-{0}{0} [Q K5 J9 Y{1} V90 E95 C98] here",
}


def _post(form: str, count: int) -> str:
    dice = list(product(range(1, 7), repeat=2))
    return "\n\n".join(f"{form.format(*dice[at % 36])} {at}" for at in range(count))


@pytest.mark.parametrize("kind", _HOPELESS)
def test_what_nothing_fits_does_not_multiply(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text has a budget of readings; strict ones are read after it is used up, too."""
    spots = 0

    def spot(*arguments: Any) -> TokenInPosition:
        nonlocal spots
        spots += 1
        return spot_of(*arguments)

    monkeypatch.setattr("gnubg_nactation.sequences.decode.spot_of", spot)
    text = _post(_HOPELESS[kind], 150)
    findings = read_prose(f"{text}\n\nBut 54S-63R-31P is good.")
    assert findings[-1].text == "54S-63R-31P"
    assert findings[-1].sure is Confidence.SURE
    assert spots < Budget(len(text)).left + len(text)


def test_an_unread_sequence_has_an_error() -> None:
    budget = Budget(0)
    budget.spend(budget.left)
    text = "So 54S-63R-31K or\n54S-63R-31P."
    unread, second = read_prose(text, budget=budget)
    assert isinstance(unread.error, UnreadError)
    assert (unread.line, unread.column, unread.error.at) == (1, 4, text.index("31K"))
    assert "too many doubtful tokens" in unread.trouble
    assert reached(second) == reached_by("54S-63R-31P")


@pytest.mark.thorough
def test_an_engine_gets_a_limited_number_of_questions_about_a_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gnubg_nactation.prose.page._MAX_QUESTIONS", 100)
    states: list[GameState] = []

    def equities(state: GameState) -> None:
        states.append(state)

    rolls = [f"{high}{low}" for high, low in product(range(1, 7), repeat=2)]
    text = " and ".join(
        f"{start}-{first}-{then}H" for start in ("43Z", "31P") for first in rolls for then in rolls
    )
    read_prose(text, assume=equities)
    assert len(states) == 100


@pytest.mark.parametrize("text", ["What about 54S-63R-31Q?", "Nack Ballard has 43Z-32Q."])
def test_a_wrong_letter_makes_no_game_of_nackgammon(text: str) -> None:
    """Both have a strict reading from there, but nobody names that game."""
    finding = only_finding(text)
    assert finding.error
    assert finding.decoded is None
    named = only_finding(f"In Nackgammon: {text.partition(' ')[2]}")
    assert named.note == "as a sequence of Nackgammon"


@pytest.mark.parametrize(
    ("text", "is_nackgammon", "sure"),
    [
        ("In nackgammon 53P-62 is tough.", True, Confidence.SURE),  # as `decode` reads it
        ("Nackgammon. After 53P-62?", True, Confidence.LIKELY),
        ("Nackgammon\n53P-62", True, Confidence.LIKELY),
        ("I like nackgammon, too. But in backgammon, 53P-62.", False, Confidence.LIKELY),
        ("Unlike nackgammon, 53P-62 is easy here in backgammon.", False, Confidence.LIKELY),
        ("I like nackgammon, too.\n\nBut in backgammon, 53P-62.", False, Confidence.SURE),
    ],
)
def test_a_text_that_names_nackgammon_may_mean_its_start(
    text: str, is_nackgammon: bool, sure: Confidence
) -> None:
    finding = only_finding(text)
    assert finding.sure is sure
    assert reached(finding) == reached_by("N 53P-62" if is_nackgammon else "53P-62")
