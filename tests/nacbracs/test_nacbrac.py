"""Nacbracs: their text, what stands behind them, which plays they name, and their writing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import STANDARD, Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import Listing, bare_nacbrac, decide_near
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.bots import describe_bot, gnubg_suffix
from gnubg_nactation.nacbracs.nacbrac import Entry, Nacbrac, describe_score, format_nacbrac
from gnubg_nactation.nacbracs.reading import (
    find_nacbracs,
    parse_nacbrac,
    read_nacbracs,
    resolve_entries,
)
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.writing.markup import read_markup
from tests.strategies import positions_and_rolls


def told(text: str) -> str:
    """Names, marked `...` where plays are left out before them, and errors in thousandths."""
    return " ".join(
        f"{'...' * entry.skipped}{entry.name}:"
        f"{'' if entry.error is None else f'{1000 * entry.error:g}'}"
        for entry in parse_nacbrac(text).entries
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[P @87 H94 X101]", "P:0 @:87 H:94 X:101"),
        ("[&=E W6]", "&:0 E:0 W:6"),
        ("[P A=B7 C7]", "P:0 A:7 B:7 C:7"),
        ("[P A7=B]", "P:0 A:7 B:7"),
        ("[P A=4-8]", "P:0 A:8 4:8"),
        ("[4=5 6-8]", "4:0 5:0 6:8"),
        ("[3 4-8 560]", "3:0 4:8 5:60"),
        ("[B P23 d79 092]", "B:0 P:23 d:79 0:92"),
        ("[= +-8]", "=:0 +:8"),
        ("[== P8]", "=:0 =: P:8"),
        ("[IN19 E19]", "I:0 N:19 E:19"),
        ("[P H100 p107...@188...#272]", "P:0 H:100 p:107 ...@:188 ...#:272"),
        ("[...U28 B29 D33...]", "...U:28 B:29 D:33"),
        ("[U\u2026N43]", "U:0 ...N:43"),
        ("[h0.5 T.5 C1.25]", "h:0.5 T:0.5 C:1.25"),
        ("[P T0,5 C1,25]", "P:0 T:0.5 C:1.25"),
        ("[P,T2,35]", "P:0 T:2 3:5"),  # without blanks, commas separate the plays
        ("[A. A.23 C.30 C....O50]", "A.:0 A.:23 C.:30 C.: ...O:50"),
        ("[A...E5]", "A:0 ...E:5"),
        ("[E_ e_3 P{3}4 p{2}5]", "E_:0 e_:3 P{3}:4 p:5"),
        ("[P, Q3,R 4]", "P:0 Q:3 R: 4:"),
        ("[P]", "P:0"),
        ("[ < >3 ]", "<:0 >:3"),
    ],
)
def test_entries(text: str, expected: str) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[<b>P</b> <b><i>P</i></b>7]", "P:0 P{3}:7"),
        ("[b][P @87 H94][/b]", "P:0 @:87 H:94"),
        ("[**P @87 H94**]", "P:0 @:87 H:94"),
        ('<span style="color:red">[P <i>p</i>7]</span>', "P:0 p{4}:7"),
        ("[P *P*7]", "P:0 P{3}:7"),
        ("[R [i]R[/i]7 [u]G[/u]20]", "R:0 R{3}:7 G_:20"),
        ("[O\u0323 C\u03233]", "O.:0 C.:3"),
        ("[O\u0332 C\u03323]", "O_:0 C_:3"),
        ("*[P @87]*", "P:0 @:87"),
        ("[*P*]", "P{3}:0"),
        # Italics of each name alone tell members; of all that stands there they are emphasis.
        ("[*P* *B*7]", "P{3}:0 B{3}:7"),
        ("[*P B7*]", "P:0 B:7"),
        # The best in bold, and no other, is emphasis.
        ("[**P** @87 H94]", "P:0 @:87 H:94"),
        ("[-688 **P** c56]", "P:0 c:56"),
        ("[<b>P=A</b> *E*7]", "P:0 A:0 E{3}:7"),
        ("[<b><i>P</i></b>...E7]", "P{3}:0 ...E:7"),
        ("[<b>A</b> A.23]", "A:0 A.:23"),
        ("[<b>P</b> P7]", "P{5}:0 P:7"),
        ("[P **E**7]", "P:0 E{5}:7"),
        ("[**P** E7 **N**8]", "P{5}:0 E:7 N{5}:8"),
        ("[**P**]", "P{5}:0"),
    ],
)
def test_looks(text: str, expected: str) -> None:
    assert told(text) == expected


def test_what_stands_around_the_entries() -> None:
    found = parse_nacbrac('-3-5[-688 P c56...] "<=62*15*5')
    assert (found.score, found.equity, found.more) == ("-3-5", -0.688, True)
    assert found.suffix == '"<=62*15*5'
    for text, equity in [("[+12 P]", 0.012), ("[688.5 P]", 0.6885), ("[+-8 P9]", None)]:
        assert parse_nacbrac(text).equity == equity
    assert parse_nacbrac("[P]\n").suffix == ""


def test_several() -> None:
    text = "65R-43Z-66 [D Z23] '<31, or\n[D U23] by assumption d[Z D7]g[P D38] -2-1C[D]"
    (piece,) = find_nacbracs(text, read_markup(text))
    assert text[piece.start : piece.end] == "65R-43Z-66 "
    assert [one.score for one in piece.nacbracs] == ["", "", "d", "g", "-2-1C"]
    suffixes = [one.suffix for one in piece.nacbracs]
    assert suffixes == ["'<31, or", "by assumption", "", "", ""]
    # A letter behind a roll names a play and is no score.
    (piece,) = find_nacbracs("31d[P]", read_markup("31d[P]"))
    assert piece.nacbracs[0].score == ""
    assert find_nacbracs("31P", read_markup("31P")) == ((0, 3, ()),)


def test_pieces() -> None:
    text = "65R-\n31 [P]\n'<62***5\n31 g[P] /5\n  N 41Q-\n-21 [U]\n62**10\n-61P [P]\n-3-5[P] 62\n5"
    pieces = find_nacbracs(text, read_markup(text))
    assert [text[one.start : one.end] for one in pieces] == [
        "65R-\n31 ",
        "31 ",
        "N 41Q-\n-21 ",
        "-61P ",
    ]
    found = [[(one.score, one.suffix) for one in piece.nacbracs] for piece in pieces]
    assert found == [
        [("", "'<62***5")],
        [("g", "/5")],
        [("", "62**10")],
        [("", ""), ("-3-5", "62 5")],
    ]


@pytest.mark.parametrize(
    ("score", "words"),
    [
        ("", "money"),
        ("d", "double match point"),
        ("-3-5", "3 away, 5 away"),
        ("-2-1C", "2 away, 1 away, Crawford"),
    ],
)
def test_scores(score: str, words: str) -> None:
    assert describe_score(score) == words
    assert parse_nacbrac(f"{score}[P]").score == score


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("", 0, "no nacbrac"),
        ("31P", 3, "no nacbrac"),
        ("31 [P]", 0, "expected a nacbrac, as in"),
        ("[P] [Q]", 0, "found several"),
        ("[P]\n31P", 0, "expected a nacbrac, as in"),
        ("[]", 1, "without a play"),
        ("[-688 ]", 6, "without a play"),
        ("[P @87", 6, "not closed"),
        ("[P ?]", 3, "found '?'"),
        ("[P [Q]]", 3, "not closed"),
        ("31 -0-5[P]", 3, "not a score"),
        ("[603-14]", 1, "then a blank"),
        ("[P X101 H94]", 8, "must not decrease"),
        ("[P X5=H7]", 6, "two errors"),
        ("[P P{4}]", 3, "not a 'P'"),
        ("[P P_]", 3, "not a Nactation"),
        ("<b>[P ?]</b>", 6, "found '?'"),
    ],
)
def test_what_is_malformed(text: str, at: int, message: str) -> None:
    with pytest.raises(MalformedError) as caught:
        parse_nacbrac(text)
    assert message in str(caught.value)
    assert caught.value.at == at


@given(st.text("[]P@=.+-_{}0123456789 dC<>&*'\"\\/\n\u2026\u0323\u0663uUbi,^~$ ", max_size=30))
@settings(max_examples=500)
def test_only_nactation_errors_escape(text: str) -> None:
    check_reading(text)
    check_reading(f"[{text}]")


def check_reading(text: str) -> None:
    try:
        found = parse_nacbrac(text)
    except NactationError as error:
        trouble = error
    else:
        describe_bot(found.suffix)
        assert found.text == text
        return
    assert trouble.text == text
    assert 0 <= trouble.at <= len(text)


def thousandths(most: int) -> st.SearchStrategy[float]:
    return st.one_of(
        st.integers(0, most).map(lambda n: n / 1000),
        st.integers(0, 10 * most).map(lambda n: n / 10_000),
    )


_SUFFIXES = ["", '"<=62*15*5', "'<62***5", "/e", "\\e", "|5", "gnubg 2-ply", '"^46**31*20']


@st.composite
def nacbracs(draw: st.DrawFn) -> Nacbrac:
    names = st.builds(Nactation, st.sampled_from(FAMILIES), st.integers(1, 20))
    errors = sorted(draw(st.lists(thousandths(2000), min_size=1, max_size=6)))
    entries = [
        Entry(
            draw(names),
            draw(st.sampled_from([error, error, None, 0.0 if not at else error])),
            draw(st.booleans()),
        )
        for at, error in enumerate(errors)
    ]
    if entries[0].error is None and not entries[0].skipped:
        entries[0] = Entry(entries[0].name, 0.0)
    return Nacbrac(
        tuple(entries),
        draw(st.sampled_from(["", "d", "g", "s", "j", "n", "-3-5", "-2-1C"])),
        draw(st.none() | thousandths(3000) | thousandths(3000).map(lambda n: -n)),
        draw(st.booleans()),
        draw(st.sampled_from(_SUFFIXES)),
    )


@given(nacbracs())
@settings(max_examples=300)
def test_what_is_written_is_read_back(nacbrac: Nacbrac) -> None:
    assert parse_nacbrac(format_nacbrac(nacbrac)) == nacbrac


@pytest.mark.parametrize(
    ("suffix", "words"),
    [
        # As the rollout table has them.
        ("'<31*15", "XG 1, 3-ply, 31 thousand trials, 15 for lesser plays"),
        (
            '"=<62*15 5',
            "XG 2, Roller, 3-ply, 62 thousand trials, 15 and 5 for lesser plays",
        ),
        ('"<=5', "XG 2, 3-ply, Roller, 5 thousand trials"),
        ('" \u22645 ', "XG 2, 3-ply, Roller, 5 thousand trials"),
        ("' <62", "XG 1, 3-ply, 62 thousand trials"),
        ("'^15", "XG 1, 4-ply, 15 thousand trials"),
        ("'\"<=5", "XG 1 and XG 2, 3-ply, Roller, 5 thousand trials"),
        ("'<62***5", "XG 1, 3-ply, 62 thousand trials, 5 for lesser plays"),
        ("'<31*5*", "XG 1, 3-ply, 31 thousand trials, 5 for lesser plays"),
        ('"^46**31 20,', "XG 2, 4-ply, 46 thousand trials, 31 and 20 for lesser plays"),
        ("<=62*5", "3-ply, Roller, 62 thousand trials, 5 for lesser plays"),
        ('"+46*12 7', "XG 2, Roller+, 46 thousand trials, 12 and 7 for lesser plays"),
        ("'^62\"", ""),
        # Others.
        ('"++', "XG 2, Roller++"),
        ('"&', "XG 2, Roller++"),
        ("7k", "7,000 trials"),
        ("1t", "1,000 trials"),
        ("7k 2kR", "7,000 trials, rollout of 2,000 trials"),
        ("7k 2kP", "7,000 trials, 2,000 trials for P"),
        ("1.3k", "1,300 trials"),
        ('"<=62k', "XG 2, 3-ply, Roller, 62,000 trials"),
        ("'<31, or", "XG 1, 3-ply, 31 thousand trials"),
        ("'<31 (same as #4)", "XG 1, 3-ply, 31 thousand trials"),
        ("~", "Snowie"),
        ("/e", "gnubg, 2-ply, evaluation"),
        ("|e", "gnubg, 3-ply, evaluation"),
        ("\\e", "gnubg, 4-ply, evaluation"),
        ("/5", "gnubg, 2-ply, 5 thousand trials"),
        ("gnubg 2-ply", "gnubg, 2-ply, evaluation"),
        ("gnubg 0-ply rollout 1296", "gnubg, 0-ply, rollout, 1296 trials"),
        ("GNUbg, 1-ply rollout", "gnubg, 1-ply, rollout"),
        ("by assumption", ""),
        ("5 " * 200, ""),
        ("", ""),
    ],
)
def test_bots(suffix: str, words: str) -> None:
    assert describe_bot(suffix) == words
    assert describe_bot(parse_nacbrac(f"[P]{suffix}").suffix) == words
    assert describe_bot(parse_nacbrac(f"[P] {suffix}").suffix) == words


def test_a_letter_behind_trials_is_the_play_of_that_name() -> None:
    assert describe_bot("7k 2kR", ["S", "R"]) == "7,000 trials, 2,000 trials for R"


@pytest.mark.parametrize(
    "suffix",
    [
        '"' + "+" * 94 + "x",
        "<" * 50 + "=&" * 20 + "x",
        "5 " * 48 + "x",
        "7k " * 32 + "7x",
        "(" * 99,
    ],
)
def test_hostile_suffixes_are_read(suffix: str) -> None:
    # Anything exponential would run into the time limit of the tests.
    assert describe_bot(suffix) == ""


@pytest.mark.parametrize(
    ("plies", "trials", "words", "symbols"),
    [
        (2, 0, "gnubg 2-ply", "/e"),
        (3, 0, "gnubg 3-ply", "|e"),
        (4, 0, "gnubg 4-ply", "\\e"),
        (2, 5184, "gnubg 2-ply rollout 5184 trials", "/5"),
        (0, 1296, "gnubg 0-ply rollout 1296 trials", "gnubg 0-ply rollout 1296 trials"),
        (1, 0, "gnubg 1-ply", "gnubg 1-ply"),
        (2, 324, "gnubg 2-ply rollout 324 trials", "gnubg 2-ply rollout 324 trials"),
    ],
)
def test_suffixes_of_gnubg(plies: int, trials: int, words: str, symbols: str) -> None:
    assert gnubg_suffix(plies, trials) == words
    assert gnubg_suffix(plies, trials, symbols=True) == symbols
    for suffix in (words, symbols):
        assert describe_bot(suffix).startswith(f"gnubg, {plies}-ply, ")
        assert parse_nacbrac(f"[P] {suffix}").suffix == suffix


def test_the_suffix_of_a_rollout_says_how_sure_it_is() -> None:
    suffix = gnubg_suffix(0, 1296, stops=" truncated at 7 plies", errors=[0.0121, 0.0098])
    assert suffix == "gnubg 0-ply rollout 1296 trials truncated at 7 plies, standard errors 12 10"
    words = "gnubg, 0-ply, rollout, 1296 trials, truncated at 7 plies, standard errors 12 10"
    assert describe_bot(parse_nacbrac(f"[P] {suffix}").suffix) == words
    assert gnubg_suffix(1, 36, errors=[0.02]) == "gnubg 1-ply rollout 36 trials, standard error 20"
    many = gnubg_suffix(0, 36, errors=[0.123] * 31)
    assert describe_bot(many).endswith(" 123" * 31)
    assert gnubg_suffix(2, 5184, stops=" truncated at 7 plies", symbols=True).startswith(
        "gnubg 2-ply rollout"
    )


def rated(plays: Iterator[Play], *equities: float) -> list[RatedPlay]:
    return [RatedPlay(play, equity, "2-ply") for play, equity in zip(plays, equities, strict=False)]


ALL = Listing(within=9.0)


def nacbrac_of(rated: Sequence[RatedPlay], plays: Plays, listing: Listing = ALL) -> Nacbrac:
    return bare_nacbrac(decide_near(GameState(), rated, plays, listing).choices)


def test_of_rated_plays() -> None:
    families = Plays(STANDARD, Roll(3, 1))
    names = ["P", "E", "N", "C", "D"]
    plays = [families.reading(one.family).members[0] for one in map(parse_nactation, names)]
    best_first = rated(iter(plays), 0.1, 0.09999, -0.05, -0.0501, -0.2)
    assert str(nacbrac_of(best_first, families)) == "[P=E $150 C150 D300]"
    assert str(nacbrac_of(best_first, families, Listing(2))) == "[P=E]"
    assert str(nacbrac_of(best_first, families, Listing(within=0.15))) == "[P=E $150 C150]"
    shown = nacbrac_of(best_first, families, Listing(1, characters="areal"))
    assert format_nacbrac(shown) == "[A]"
    with pytest.raises(KeyError):
        nacbrac_of(best_first, families, Listing(characters="none"))


def test_plays_that_an_engine_has_looked_at_less_closely_never_lose_less_than_nothing() -> None:
    families = Plays(STANDARD, Roll(3, 1))
    best, *lesser = rated(iter(families), 0.1, 0.3, -0.2)
    looked_at = [best, *[one._replace(method="0-ply") for one in lesser]]
    found = nacbrac_of(looked_at, families, Listing())
    assert [entry.error for entry in found.entries] == [0.0, 0.3]


@given(positions_and_rolls(), st.lists(st.floats(-3, 3), min_size=1, max_size=12), st.data())
@settings(max_examples=150)
def test_a_written_nacbrac_names_its_plays(
    drawn: tuple[Position, Roll], equities: list[float], data: st.DataObject
) -> None:
    families = Plays(*drawn)
    if not families:
        return
    plays = data.draw(st.permutations(families))
    chosen = rated(iter(plays), *sorted(equities, reverse=True))
    characters = data.draw(st.sampled_from(["preferred", "areal", "basic"]))
    written = format_nacbrac(nacbrac_of(chosen, families, ALL._replace(characters=characters)))
    for strict in (False, True):
        found = resolve_entries(parse_nacbrac(written), families, strict=strict)
        assert [one.play for one in found] == [one.play for one in chosen]
        assert {one.sure for one in found} == {Confidence.SURE}


def test_an_entry_without_a_play() -> None:
    families = Plays(STANDARD, Roll(3, 1))
    nacbrac = parse_nacbrac("[P K5]")
    with pytest.raises(
        IllegalError, match="'K' in 4HPwATDgc/ABMA: no such play of 31 is left"
    ) as e:
        resolve_entries(nacbrac, families)
    assert (e.value.text, e.value.at) == ("[P K5]", 3)
    with pytest.raises(IllegalError, match="nothing can be played"):
        resolve_entries(nacbrac, Plays.of(()))


def test_no_play_stands_twice() -> None:
    families = Plays(STANDARD, Roll(3, 1))
    for text in ("[A A5]", "[A P5]", "[P A5]"):
        found = resolve_entries(parse_nacbrac(text), families)
        assert len({one.play for one in found}) == 2
        with pytest.raises(IllegalError):
            resolve_entries(parse_nacbrac(text), families, strict=True)
    with pytest.raises(IllegalError) as caught:
        resolve_entries(parse_nacbrac("[A" + " A" * 500 + "]"), families)
    assert caught.value.at > 1


def test_about_the_last_roll() -> None:
    nacbrac = parse_nacbrac("[P H94]")
    expected = ["8/5 6/5", "13/10*/9"]
    for text in ("54S-63R-31", "54S-63R-31P", "54S-63R-31H"):
        (read,) = read_nacbracs(decode(text), [nacbrac])
        assert [format_play(one.play) for one in read.entries] == expected
        assert (str(read.state.roll), read.nacbrac) == ("31", nacbrac)
        assert set(read.plays) == set(legal_plays(read.state.position, Roll(3, 1)))
    (read,) = read_nacbracs(decode(""), [nacbrac.__class__(nacbrac.entries[:1])], roll=Roll(3, 1))
    assert [format_play(one.play) for one in read.entries] == ["8/5 6/5"]
    for text in ("", "31P-C"):
        with pytest.raises(IllegalError, match="no roll"):
            read_nacbracs(decode(text), [nacbrac])
    with pytest.raises(IllegalError, match="no roll"):
        read_nacbracs(decode(""), [])


@pytest.mark.parametrize("before", ["d\n", "d", "-3-5", "-3-5\n", "-03-5", "-003-05\n", "-2-1C"])
def test_a_sequence_ends_where_the_score_begins(before: str) -> None:
    text = f"31 {before}[P @87]"
    (piece,) = find_nacbracs(text, read_markup(text))
    assert text[piece.start : piece.end] == "31 "
    assert piece.nacbracs[0].score == before.strip().replace("-0", "-").replace("-0", "-")


def test_a_text_has_so_many_nacbracs_at_most() -> None:
    text = "31" + "[P]" * 1001
    assert len(find_nacbracs(text[:-3], read_markup(text[:-3]))[0].nacbracs) == 1000
    with pytest.raises(MalformedError, match=r"^1,001 nacbracs; 1,000 are read at once$") as raised:
        find_nacbracs(text, read_markup(text))
    assert raised.value.at == len(text) - 3
