"""What a play, a nacbrac or a claim in a text is about, by the words around it."""

from __future__ import annotations

import pytest

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.playground.answers import find_in_post
from gnubg_nactation.prose.finder import read_prose
from gnubg_nactation.prose.page import Finding, Kind
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import decode
from tests.cli.running import run

START = format_position_id(STANDARD)


def before(finding: Finding) -> str:
    assert finding.decoded
    return format_position_id(finding.decoded.start.position)


def after(sequence: str) -> str:
    return format_position_id(decode(sequence).to_roll.position)


@pytest.mark.parametrize(
    ("text", "last", "sequence"),
    [
        ("In reply to 41S I like 62H.", "62H", "41S"),
        ("Replies to 43Z: 42P.", "42P", "43Z"),
        ("43D is answered by 63H.", "63H", "43D"),
        ("After 43D-31P, is 62S or 62R best?", "62R", "43D-31P"),
        ("He answers 43D with... no. After 61P he has 64R or 64Z.", "64Z", "61P"),
        ("I opened 51$. He missed with 31P and I covered, 62P.", "62P", "51$-31P"),
        ("Then Mochy opened 51S. Sander rolled 42P.", "42P", "51S"),
        ("After 61P, 64R/Z?", "Z", "61P"),
        ("Against the slot (51$), 64H.", "64H", "51$"),
        ("Opponent opened 54S, I ran with 63R.", "63R", "54S"),
        ("After 61P, 63R or 52S?", "52S", "61P"),
        ("After his reverse split (43Z) I hit, 62H.", "62H", "43Z"),
        ("#1 54S-63R-31 and #2 43Z-32: there 32H, here 31H.", "31H", "54S-63R"),
        # Lines end within sentences, and two blanks follow a full stop.
        ("After 61P, 63R\nor 63S?", "63S", "61P"),
        ("After 61P, 63R or\n63S?", "63S", "61P"),
        ("On 43D, the best replies\nare 64R and 62R.", "62R", "43D"),
        ("In reply\nto 43Z, 64P is best.", "64P", "43Z"),
        ("After 63S? 55A too.  After 64S? 55P.", "55P", "64S"),
        ("> After 63S? 55A too.\n> After 64S? 55P.", "55P", "64S"),
        # A play right after a sequence.
        ("In 54S-63R, 31P is best in backgammon.", "31P", "54S-63R"),
        ("54S-63R: 31P", "31P", "54S-63R"),
        ("54S-63R (31P)", "31P", "54S-63R"),
        ("54S-63R. I rolled 31P.", "31P", "54S-63R"),
        ("54S-63R, then 31P in backgammon.", "31P", "54S-63R"),
        ("54S-63R. Now 31: H or P?", "P", "54S-63R"),
        ("62S: 43Z, 65S.", "65S", "62S"),
        ("If he opens with 31P, I like 65R. If he opens with 42P, 62R.", "62R", "42P"),
        ("54S-63R: 31P, 42P and 53P", "53P", "54S-63R"),
        ("54S-63R-31P, 31H?", "31H", "54S-63R"),
        # A roll that the sentence names, and a doublet.
        ("I had 54S-63R and then 31. I made my point, my friend likes 31H.", "31H", "54S-63R"),
        ("Au backgammon, 31P-64S, j'ai jeté 42. Faut-il jouer 42P ?", "42P", "31P-64S"),
        ("Jeg åbnede 32Z, og han slog 55. Det blev 55A.", "55A", "32Z"),
        # The next paragraph of a title.
        ("Replies to 43Z:\n\nI play 62S.", "62S", "43Z"),
        # Other languages.
        ("Nach 43Z spielt man 62S.", "62S", "43Z"),
        ("Ich eröffnete 43D, mein Gegner 65R.", "65R", "43D"),
        ("Mon adversaire a ouvert 43D, j'ai répondu 65R.", "65R", "43D"),
        ("Dopo 21S gioco 64P.", "64P", "21S"),
        ("Abrí 61P, mi rival 52S.", "52S", "61P"),
        ("Min modstander åbnede 43D, jeg svarede 65R.", "65R", "43D"),
        # None is a reply.
        ("After 43Z I play 62S, against 21$ I would think.", "21$", ""),
        ("After 54S-63R I cube at 31 pips behind. The opening 31P is another thing.", "31P", ""),
        ("54S-63R was game one, and with 62 in game two I opened 62S.", "62S", ""),
        ("54S-63R. 31P is an opening of backgammon.", "31P", ""),
        ("After 63R or 63S he rolled.", "63S", ""),
        ("After 63R or 52S my opponent danced.", "52S", ""),
        ("If I make the point (31P) or run (65R), I like it.", "65R", ""),
        ("Is 31P best? As a reply to 51S, no.", "51S", ""),
        ("Jane played 42P and Tom 53P.", "53P", ""),
        ("I opened 54S. I would play 54D today.", "54D", ""),
        ("He opened 64S and I used to play 61P as well.", "61P", ""),
    ],
)
def test_a_play_answers_what_the_words_say(text: str, last: str, sequence: str) -> None:
    *_, finding = read_prose(text)
    assert (finding.text, finding.sure) == (last, Confidence.LIKELY)
    assert before(finding) == (after(sequence) if sequence else START)


@pytest.mark.parametrize(
    ("text", "nacbrac", "sequence", "roll"),
    [
        ("[P @87 H94] is the verdict on 54S-63R-31.", "[P @87 H94]", "54S-63R", "31"),
        ("The roll is 31 from 54S-63R. [P H76]", "[P H76]", "54S-63R", "31"),
        ("I rolled 31 against 43S: [P H200].", "[P H200]", "43S", "31"),
        ("After 31P, 64 is close: [R S12 P40].", "[R S12 P40]", "31P", "64"),
        ("31 in the opening: [P S150]", "[P S150]", "", "31"),
        ("Opening 53: [P D80]\nOpening 64: [S R2 P5]", "[S R2 P5]", "", "64"),
        ("After 43D-31 [P H9] I stop. Opening 64: [S R2]", "[S R2]", "", "64"),
        ("64S or 64P? I asked two bots for an hour, they say [S P5 R9].", "[S P5 R9]", "", "64"),
        ("#4: 43Z-32.\n#5: 52D-43.\n\nSee (same as #4): [H X50]", "[H X50]", "43Z", "32"),
        ("Problem 2: 43Z-32\nProblem 3: 52D-43\nFor problem 2 [H X50]", "[H X50]", "43Z", "32"),
    ],
)
def test_a_nacbrac_is_about_the_roll_that_the_words_name(
    text: str, nacbrac: str, sequence: str, roll: str
) -> None:
    finding = next(it for it in read_prose(text) if it.text == nacbrac)
    assert finding.nacbrac
    state = finding.nacbrac.state
    assert str(state.roll) == roll
    assert format_position_id(state.position) == (after(sequence) if sequence else START)
    assert finding.sure is Confidence.LIKELY


def test_a_nacbrac_before_another_paragraph_is_about_nothing() -> None:
    nacbrac, _ = read_prose("Here [P @87 H94].\n\nThen 54S-63R-31.")
    assert isinstance(nacbrac.error, IllegalError)


@pytest.mark.parametrize(
    ("text", "letter", "right", "instead"),
    [
        # 24/14* hits the blot that came down (52D-64H of the tutorial's section 1 and 6).
        ("24/14* is H after 52D-64.", "H", True, ""),
        ("P = 24/14* wins after 52D-64.", "P", False, "H"),
        ("In reply to 41S, H means 24/16* with a 62.", "H", True, ""),
        ("R (24/15) or S (24/18 13/10) with 63?", "R", True, ""),
        ('For 52, "S" is 24/22 13/8.', "S", True, ""),
        ("21$-64: the r play is 24/18/14*", "r", True, ""),
        ("52D-64H R", "R", True, ""),  # one checker that runs: H, and also R
        ("52D-64H R.", "R", True, ""),
        ("52D-64H Z", "Z", False, "H"),
        ("| 52D-64H | R |", "R", True, ""),
        ("In 43D-31 my choice, 8/5 6/5, letter P, is clear.", "P", True, ""),
        ("In 43D-31 moving 8/5 6/5 is called P and wins.", "P", True, ""),
        ("In 43D-31 I move 8/5 6/5, called S by nobody.", None, None, ""),
        ("In 43D-31 I like 8/5 6/5, i.e. P.", "P", True, ""),
        ("In 43D-31 the letter S, 8/5 6/5, is odd.", "S", False, "P"),
        ("In 62R-55 I played A, i.e. 8/3(2) 6/1(2), at once.", "A", True, ""),
        # The play goes on in the next line of the sentence, or the line is quoted.
        ("In backgammon 31P (8/5\n6/5) is best.", "P", True, ""),
        ("<p>The 42P (8/4,\n6/4) of <i>backgammon</i></p>", "P", True, ""),
        ("31P = 8/5\n6/5 is best in backgammon.", "P", True, ""),
        ("> In 43D-42P-21, B\n> (Both) = 24/22 10/9.", "B", True, ""),
        # Another play in a list, and a word.
        ("In 43D-31 some played S, 8/5 6/5 is played by others.", None, None, ""),
        ("In 43D-31 I liked a, 8/5 6/5, a friend said.", None, None, ""),
        ("A play is 8/5 6/5 with 31.", None, None, ""),
        ("54S-63R I\nwould not play.", None, None, ""),  # a word
        ("54S-63R I.", None, None, ""),
        ("54S-63R C", None, None, ""),  # a double
    ],
)
def test_a_claim_may_come_before_its_position(
    text: str, letter: str | None, right: bool | None, instead: str
) -> None:
    claims = [finding.claim for finding in read_prose(text) if finding.claim]
    if letter is None:
        assert not claims
        return
    assert claims[0]
    assert (claims[0].letter, claims[0].right, claims[0].instead) == (letter, right, instead)


def test_plays_below_each_other_are_not_one_play() -> None:
    text = "54S-63R-31. Candidates: 24/20\n13/10*/9\n8/5 6/5\n"
    _, *plays = [finding.text for finding in read_prose(text)]
    assert plays == ["24/20", "13/10*/9", "8/5 6/5"]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("> 43Z-32H-\n> 54Z-\n> 61H", [Kind.SEQUENCE]),
        (">> 43Z-32H-\n> > 54Z", [Kind.SEQUENCE]),
        ("> I rolled 31 in 54S-63R-31 [P\n> @87 H94] there", [Kind.SEQUENCE, Kind.NACBRAC]),
        ("A spoiler in backgammon:\n>!31P!<", [Kind.PLAY]),
    ],
)
def test_the_marks_of_a_quote_are_left_out(text: str, kinds: list[Kind]) -> None:
    findings = read_prose(text)
    assert [finding.kind for finding in findings] == kinds
    assert not any(finding.error for finding in findings)
    assert text[: findings[-1].end] == text.removesuffix(" there").removesuffix("!<")


@pytest.mark.parametrize(
    ("text", "game", "sure"),
    [
        # The list repeats a sequence of the text, except perhaps its last play.
        ("54S-63R-31 again: I mean 54S, 63R, 31P.", "54S-63R-31P", Confidence.LIKELY),
        (
            "The bot gives 42P 61S 11N a lot, the book 42P-61S-11A.",
            "42P-61S-11N",
            Confidence.LIKELY,
        ),
        # A roll to play ends it.
        ("It begins 64S, 31P, 55 instead.", "64S-31P-55", Confidence.LIKELY),
        ("I wrote '52-split, 63-run, 31 and now?' there.", "52S-63R-31", Confidence.LIKELY),
        ('Take "62S, 31P, 44" as it is.', "62S-31P-44", Confidence.SURE),
        # Players before each play, also without commas.
        ("White: 43Z Black: 32H White: 54Z Black: 61?", "43Z-32H-54Z-61", Confidence.SURE),
        # Hyphens at the end of a line and at the start of the next join one sequence.
        ("41S-62S-\n-33 is hard.", "41S-62S-33", Confidence.SURE),
        ("<p>41S-62S-<br />\n33 is hard.</p>", "41S-62S-33", Confidence.SURE),
        ("#7 52S-31P-  \n-62S-41S-\n-65.", "52S-31P-62S-41S-65", Confidence.SURE),
        # A line of two turns below another that cannot all begin a game.
        ("61P-43Z\n65R-63P\n42P-31U\n43P-64F", "61P-43Z-65R-63P-42P-31U-43P-64F", Confidence.SURE),
    ],
)
def test_a_list_is_a_game_by_its_end_or_by_another_sequence(
    text: str, game: str, sure: Confidence
) -> None:
    expected = format_position_id(decode(game).state.position)
    games = [finding for finding in read_prose(text) if finding.kind is Kind.SEQUENCE]
    reached = {
        format_position_id(each.decoded.state.position): each.sure for each in games if each.decoded
    }
    assert reached[expected] is sure


@pytest.mark.parametrize(
    "text",
    [
        "43D-62H-11. Openings: 43D, 31P, 61P.",
        "I open 31P, 42P, 61P.",
        "Their openings of backgammon: Bob: 31P Ann: 42P Joe: 61P",
    ],
)
def test_other_lists_stay_lists(text: str) -> None:
    assert {"31P", "61P"} <= {finding.text for finding in read_prose(text)}


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("After 43D-xx-44.", "43D, any turn, any 44"),
        ("the game 65R-xxx", "65R, any turn"),
        ("as in *-63R", "any turns, 63R"),
        ("31P-*-42P", "31P, any turns, 42P"),
    ],
)
def test_a_pattern_is_no_play(text: str, meaning: str) -> None:
    (finding,) = read_prose(text)
    assert (finding.kind, finding.meaning, finding.decoded) == (Kind.PATTERN, meaning, None)
    assert f": {meaning} (" in run("read", "-", stdin=text.encode()).out
    assert find_in_post(text)["findings"][0]["note"] == meaning
    assert "no Nactation found" not in run("check", "-", stdin=b"54S and " + text.encode()).err


def test_a_roll_at_the_end_is_no_pattern() -> None:
    (finding,) = read_prose("31P 33.")
    assert (finding.kind, finding.text) == (Kind.SEQUENCE, "31P 33")


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        # One everyday term is too little; a second sign decides.
        ("The slot fits screw 21S and cover 43D.", False),
        ("The slot fits 21S, he says; the opponent likes 43D.", True),
        ("We open at nine, with 52D and lamp 64P.", False),
        ("With 52 we open with the lamp and 52D.", True),
        # The signs are in a sentence with a play.
        ("Reply by Friday to win a match. The shirts: 41S in red, 53P in blue.", False),
        ("Card slot 21S, card slot 41S, and a choice of 63S.", False),
        # Usual openings, but of different rolls.
        ("Size 41S for him, 31P for her, the children 21S.", False),
        ("We took 54S or 54D, as you know.", True),
    ],
)
def test_everyday_words_need_a_second_sign(text: str, is_found: bool) -> None:
    assert bool(read_prose(text)) is is_found


@pytest.mark.parametrize(
    "text",
    [
        "see ticket 52D-11",
        "Gates 21B-24D",
        "part no. 61P-63R",
        "at 21S Main Street",
        "it cost me 62$",
        "an MG62 52D keyboard",
        "the plate 43D 652",
        "seats 21A, 21B and 31D",
        "resistors: 43R, 51R and 62R",
        "I lost 21$ yesterday at the backgammon club.",
        "Backgammon: entry 51$, side pool 21$.",
        "Backgammon boards. Prices: 21$, 41$ and 62$ each.",
        "a backgammon set for 51$ each",
        "Round one of backgammon is at table 31A.",
        "Backgammon on the terrace, 31C outside.",
        "My backgammon video has 65K views.",
        "Our backgammon rooms are 43D, 52S and 61P.",
        "In backgammon, a 21$ voucher for everybody.",
        "The backgammon final is at table 54S.",
        "Backgammon: Treffpunkt Gleis 31P, Tisch 54S.",
        "Backgammon, salle 21S, au 43D rue du Bac.",
        "After backgammon meet at the 31P sign, parking 42P.",
        "The backgammon agenda: items 31P-42P.",
    ],
)
def test_codes_are_left_alone(text: str) -> None:
    assert read_prose(text) == ()


def test_plays_among_the_words_of_prices_are_plays() -> None:
    text = "The slot 21$ won, in backgammon. I lost with 51$. On the board 31P is clear."
    assert [finding.text for finding in read_prose(text)] == ["21$", "51$", "31P"]


def test_a_number_changes_the_context_only_where_it_is_named() -> None:
    # As in the tutorial: `in #9` is an aside, and the next play is about the last diagram.
    text = "#9 52D-43\n\n#11 54S-63R-31\n\nAs he saw in #9, it is close. One may play 31H."
    *_, play = read_prose(text)
    assert (play.text, before(play)) == ("31H", after("54S-63R"))


def test_a_claim_about_a_doubtful_token_is_not_called_wrong() -> None:
    # 63J of a position after it; nothing before says which.
    text = "43D-31P is good. 63J is 9/3 8/5 in another position."
    claims = [finding.claim for finding in read_prose(text) if finding.claim]
    assert all(claim.right is None for claim in claims)


def test_a_position_id_without_its_label_is_found() -> None:
    words = "sGfwATDgc/ABMA"
    position, play = read_prose(f"gnubg shows {words} after 31P.")
    assert (position.kind, position.text) == (Kind.POSITION, words)
    assert before(play) == START
    # A column of a report leads nowhere; the sequence before it stays the context.
    *_, report, hit = read_prose(f"54S-63R-31\n\ngame 1   best H      {words}\n31H")
    assert (report.kind, hit.text) == (Kind.POSITION, "31H")
    assert before(hit) == after("54S-63R")
    assert read_prose("Internationals/ and abcdefghijkl12") == ()


def test_a_roll_that_the_paragraph_discusses_is_no_opening() -> None:
    # 8/5* sends a checker to the bar, and 24/16 would leave it there.
    *_, play = read_prose("54S-31P-62? I would never play 62R.")
    assert play.text == "62R"
    assert "no such play" in str(play.error)
    *_, play = read_prose("54S-31P-62? My opening 62 is 62R.")
    assert not play.error


@pytest.mark.parametrize(
    "text", ["What is 64 after 21S? I say {}.", "A 64 against 21S\n\nI vote for {} here."]
)
@pytest.mark.parametrize(("play", "hits"), [("H", "24/14*"), ("24/14*", "24/14*")])
def test_a_roll_after_a_play_answers_it(text: str, play: str, hits: str) -> None:
    """After 21S a blot is on the 11 point of its side, 14 of the other: 24/14 hits it."""
    *_, finding = read_prose(text.format(play))
    assert before(finding) == after("21S")
    assert finding.decoded
    assert finding.decoded.turns[-1].play
    assert format_play(finding.decoded.turns[-1].play) == hits
    assert finding.sure is Confidence.LIKELY


@pytest.mark.parametrize(
    "text", ["61@", "I like 61@ here.", "In backgammon the opening 54Q is odd."]
)
def test_an_opening_that_no_play_has_is_an_error(text: str) -> None:
    """A 61 makes no anchor from the start, and a 54 moves no blots on the far side for a Q."""
    (finding,) = read_prose(text)
    assert "no such play" in str(finding.error)


@pytest.mark.parametrize(
    "text", ["Take bus 61A to seat 54Q.", "The backgammon club is in room 61A."]
)
def test_numbers_of_buses_and_rooms_are_no_plays(text: str) -> None:
    assert not read_prose(text)


# After these plays 6/3* 4/3, p and 8/4 are the P plays of 31: 8/4 is the third (section 7).
_THIRD = "65R-54S-62H-32H-41H-21H-31E-31"


@pytest.mark.parametrize("letter", ["*P*", "<i>P</i>", "[i]P[/i]", "P{3}"])
def test_a_letter_alone_keeps_its_style(letter: str) -> None:
    _, finding = read_prose(f"In {_THIRD}: which, {letter}?")
    assert finding.decoded
    third = decode(f"{_THIRD}P{{3}}").state.position
    assert finding.decoded.state.position == third
    _, claim = read_prose(f"In {_THIRD}: {letter} = 8/4 is best.")
    assert claim.claim
    assert (claim.claim.letter, claim.claim.right) == ("P{3}", True)


@pytest.mark.parametrize("letter", ["*P*", "**P**", "<u>P</u>", "P", "<i>so P it is</i>"])
def test_a_style_that_names_no_play_is_emphasis(letter: str) -> None:
    _, finding = read_prose(f"In 54S-63R-31: I like {letter}.")
    assert finding.decoded
    assert finding.decoded.state.position == decode("54S-63R-31P").state.position


def test_a_member_that_is_written_out_counts() -> None:
    _, claim = read_prose("In 54S-63R-31: P{3} = 8/5 6/5 is best.")
    assert claim.claim
    assert (claim.claim.letter, claim.claim.right, claim.claim.instead) == ("P{3}", False, "P")


@pytest.mark.parametrize(
    ("text", "plays"),
    [
        ("Openings:\n65 R\n64  S, P too\n31 P", ["24/13", "24/18 13/9", "8/2 6/2", "8/5 6/5"]),
        ("Openings\n| 31 | P |\n| 42 | P |\n| 61 | P |", ["8/5 6/5", "8/4 6/4", "13/7 8/7"]),
        ("Openings: 43: D, 32: S, 31: P.", ["13/10 13/9", "24/21 13/11", "8/5 6/5"]),
        ("After 31P: 62 (S), 43 (Z).", ["8/5 6/5", "24/18 13/11", "24/21 13/9"]),
        ("I open 6-5R and 3-1P.", ["24/13", "8/5 6/5"]),
        ("Openings: 64 S or 64 R.", ["24/18 13/9", "24/14"]),
        ("43Z-62S-65: I like 65 R.", ["24/13"]),
        ("54S-63R-31. With 31 I wait, 31 H?", ["13/10*/9"]),
        ("After 31P I rolled 64 and played 64 S.", ["8/5 6/5", "24/18 13/9"]),
        ("54S-63R-31: 31 P (8/5 6/5)", []),  # a claim
        ("In backgammon 64P=64S.", ["8/2 6/2", "24/18 13/9"]),
    ],
)
def test_rolls_and_letters_may_be_apart(text: str, plays: list[str]) -> None:
    found = [finding.decoded for finding in read_prose(text)]
    assert [format_play(it.turns[-1].play) for it in found if it and it.turns[-1].play] == plays


@pytest.mark.parametrize(
    "text",
    [
        "Trousers: 54 S\n43 S\n65 R\n64 S",
        "Congress: 54 (D), 65 (R).",
        "Backgammon: Ann, 54 (S), Bob, 31 (P).",
        "Backgammon: I won 6-5R. He scored 4-2P after penalties.",
        "Backgammon league\n31 P. Smith 4 2\n43 D. Jones 3 3\n65 R. Brown 2 4",
    ],
)
def test_sizes_parties_and_scores_are_no_plays(text: str) -> None:
    assert read_prose(text) == ()


@pytest.mark.parametrize(
    ("text", "sequence"),
    [
        ("whats best after 54s-63r-31? i think 31h", "54S-63R-31H"),
        ("62s 43z 65, ok then 65r", "62S-43Z-65R"),
        ("backgammon: 41s-63r? nah 41s-63s", "41S-63S"),
    ],
)
def test_a_game_in_small_letters_is_as_in_capitals(text: str, sequence: str) -> None:
    last = read_prose(text)[-1]
    assert last.decoded
    assert last.decoded.state == decode(sequence).state
    assert last.sure is Confidence.LIKELY
    assert "small letters" in last.note


@pytest.mark.parametrize(
    "text",
    [
        "Backgammon later. Laps: 51s-54s-62s.",
        "Backgammon costs 31p-42p-53p.",
        "The backgammon game 32d-61p-44.",  # 32d is the second D
    ],
)
def test_other_small_letters_stay_small(text: str) -> None:
    assert not any("small letters" in finding.note for finding in read_prose(text))
