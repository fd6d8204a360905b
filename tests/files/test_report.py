"""gnubg's text reports: what each line becomes, in the languages and with the faults of files."""

from __future__ import annotations

from itertools import pairwise

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAct,
    CubeAnalysis,
    ErrorMark,
    Luck,
    MoveAnalysis,
    PlayAnalysis,
)
from gnubg_nactation.backgammon.match import (
    Double,
    Drop,
    Game,
    Match,
    Move,
    Resign,
    SetPosition,
    Take,
    replay,
)
from gnubg_nactation.backgammon.notation import parse_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.formats import is_report, read
from gnubg_nactation.files.report import read_heading
from gnubg_nactation.values import replace
from tests.files.report_texts import (
    ENGLISH,
    GERMAN,
    JAPANESE,
    TURKISH,
    Language,
    board,
    write_reports,
)
from tests.strategies import random_match

FIRST, SECOND = Player.FIRST, Player.SECOND
LANGUAGES = {"en": ENGLISH, "de": GERMAN, "tr": TURKISH, "ja": JAPANESE}


def move(player: Player, roll: str, text: str, comment: str = "", **analysis: object) -> Move:
    hops = parse_hops(text) if text else ()
    found = MoveAnalysis(**analysis) if analysis else None  # type: ignore[arg-type]
    return Move(player, Roll.parse(roll), hops, text, comment, analysis=found)


def candidate(play: str, equity: float, method: str = "2-ply", **more: object) -> Candidate:
    return Candidate(parse_hops(play), equity, method, **more)  # type: ignore[arg-type]


PASTED = [line.rstrip() for line in board(("Ann", "Ben"), GameState())]
ODDS = (0.551, 0.17, 0.008, 0.117, 0.005)
GAME = Game(
    1,
    (0, 0),
    (
        move(
            FIRST,
            "31",
            "8/5 6/5",
            "A good start.\n\nMore of them, please.",
            play=PlayAnalysis(
                (candidate("8/5 6/5", 0.242, odds=ODDS), candidate("24/20", -0.03, "0-ply")), 0
            ),
            luck=0.243,
        ),
        Double(
            SECOND,
            analysis=CubeAnalysis(CubeAct.DOUBLE, -0.242, -0.807, "2-ply", ErrorMark.VERY_BAD),
        ),
        Take(FIRST, analysis=CubeAnalysis(CubeAct.TAKE, -0.242, -0.807, "2-ply")),
        move(
            SECOND,
            "65",
            "24/18 13/8",
            play=PlayAnalysis(
                (
                    candidate("24/13", -0.31, "rollout", standard_error=0.015),
                    candidate("24/18 13/8", -0.42, "2-ply"),
                ),
                1,
                ErrorMark.BAD,
            ),
            luck=-0.302,
            luck_mark=Luck.UNLUCKY,
        ),
        move(
            FIRST,
            "21",
            "13/11 6/5",
            cube=CubeAnalysis(CubeAct.NO_DOUBLE, 0.31, 0.295, "1-ply"),
            play=PlayAnalysis((candidate("13/11 6/5", 0.33),), 0),
        ),
    ),
    FIRST,
    2,
    resigned=True,
)
MATCH = Match(("Ann", "Ben"), 5, (GAME,))


def read_one(*texts: str) -> Match:
    (match,) = read("\n".join(texts).encode())
    return match


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_turns_and_analysis_in_each_language(language: Language) -> None:
    (text,) = write_reports(MATCH, language)
    (game,) = read_one(text).games
    assert (game.winner, game.points, game.resigned) == (FIRST, 2, True)
    for action, expected in zip(game.actions, GAME.actions, strict=True):
        assert type(action) is type(expected)
        assert action.player is expected.player
        assert action.comment == expected.comment
        assert isinstance(action, Move | Double | Take)
        assert isinstance(expected, Move | Double | Take)
        assert action.analysis == expected.analysis


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(40))
def test_random_matches_read_as_they_were_played(seed: int) -> None:
    match = random_match(seed)
    again = read_one(*write_reports(match))
    assert (again.length, again.jacoby) == (match.length, match.jacoby)
    assert [game.score for game in again.games] == [game.score for game in match.games]
    for game, expected in zip(again.games, match.games, strict=True):
        assert (game.number, game.crawford) == (expected.number, expected.crawford)
        assert (game.winner, game.points) == (expected.winner, expected.points)
        turns = [turn for turn in replay(again, game) if not isinstance(turn.action, SetPosition)]
        played = [turn for turn in replay(match, expected) if not isinstance(turn.action, Resign)]
        assert [turn.state for turn in turns] == [turn.state for turn in played]
        assert [turn.play for turn in turns] == [turn.play for turn in played]
        assert [type(turn.action) for turn in turns] == [type(turn.action) for turn in played]
        assert not any(turn.problem for turn in turns)


def long_match() -> Match:
    return next(
        match
        for match in map(random_match, range(100))
        if match.length > 1 and len(match.games) > 2
    )


def test_one_game_of_a_match_keeps_its_number_and_score() -> None:
    match = long_match()
    (game,) = read_one(write_reports(match)[1]).games
    assert (game.number, game.score) == (2, match.games[1].score)


def test_the_order_of_the_files_does_not_matter() -> None:
    texts = write_reports(long_match())
    assert read_one(*texts[::-1]) == replace(
        read_one(*texts), games=tuple(read_one(*texts[::-1]).games)
    )
    assert [game.number for game in read_one(*texts[::-1]).games] == [
        number for number, _ in enumerate(texts, 1)
    ]


def test_games_whose_scores_do_not_fit_are_not_one_match() -> None:
    first, second, *_ = write_reports(long_match())
    changed = [line for line in first.splitlines() if " wins " not in line]
    winner = 1 - (long_match().games[0].winner or 0)
    name = long_match().players[winner]
    index = next(at for at, line in enumerate(changed) if line.startswith("Game statistics"))
    changed.insert(index, f"{name} wins 1 point")
    assert [len(match.games) for match in read("\n".join([*changed, "", second]).encode())] == [
        1,
        1,
    ]


def test_reports_of_other_players_are_another_match() -> None:
    texts = [*write_reports(MATCH), *write_reports(replace(MATCH, players=("Cid", "Dee")))]
    assert [match.players for match in read("\n".join(texts).encode())] == [
        ("Ann", "Ben"),
        ("Cid", "Dee"),
    ]


@pytest.mark.parametrize(
    ("players", "comment"),
    [
        (("Ann", "Ann B"), ""),
        (("Ann B", "Ann"), ""),
        (("6/5", "24/18 13/8"), ""),
        (("x: y", "moves (Cube: 2)"), ""),
        (("Ann", "Ben"), "Ben wins 2 points if he hits"),
        (("Ann", "Ben"), "13/8 was better.\n* Ben moves 13/8\nEq.: +0.100"),
        (("Ann", "Ben"), "\n".join(["The board was", "", *PASTED])),
    ],
)
def test_names_and_comments_are_not_mistaken_for_turns(
    players: tuple[str, str], comment: str
) -> None:
    *actions, last = GAME.actions
    assert isinstance(last, Move)
    game = replace(GAME, actions=(*actions, replace(last, comment=comment)))
    again = read_one(*write_reports(replace(MATCH, players=players, games=(game,))))
    assert again.players == players
    assert [type(action) for action in again.games[0].actions] == [
        type(action) for action in GAME.actions
    ]
    assert (again.games[0].winner, again.games[0].points) == (FIRST, 2)
    final = again.games[0].actions[-1]
    assert isinstance(final, Move)
    assert final.hops == last.hops
    assert final.comment == comment


def test_a_dropped_double_ends_the_game() -> None:
    game = replace(
        GAME,
        actions=(*GAME.actions[:2], Drop(FIRST)),
        winner=SECOND,
        points=1,
        resigned=False,
    )
    (again,) = read_one(*write_reports(replace(MATCH, games=(game,)))).games
    assert isinstance(again.actions[-1], Drop)
    assert (again.winner, again.resigned) == (SECOND, False)


def test_match_winning_chances_become_equities() -> None:
    """At 5-away 5-away a point is worth 7.7 percent, as 57.7320 % and 42.2680 % are the ends."""
    (text,) = write_reports(MATCH)
    text = text.replace("Eq.: +0.242", "MWC: 57.7320%").replace("Eq.: -0.030", "MWC: 50.0000%")
    first = read_one(text).games[0].actions[0]
    assert isinstance(first, Move)
    assert first.analysis
    assert first.analysis.play
    equities = [play.equity for play in first.analysis.play.candidates]
    assert equities == pytest.approx([1, 0], abs=1e-4)


def test_chances_in_percent() -> None:
    (text,) = write_reports(MATCH)
    shown = "0.551 0.170 0.008 - 0.449 0.117 0.005"
    assert shown in text
    first = (
        read_one(text.replace(shown, "55.1  17.0   0.8 -  44.9  11.7   0.5")).games[0].actions[0]
    )
    assert isinstance(first, Move)
    assert first.analysis
    assert first.analysis.play
    assert first.analysis.play.candidates[0].chances == pytest.approx(ODDS)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("2023-09-05", "2023-09-05"),
        ("14.03.2026", "2026-03-14"),
        ("03/14/26", "2026-03-14"),
        ("14/03/2026", "2026-03-14"),
        ("05/09/2023", "05/09/2023"),  # May or September
        ("07/07/26", "2026-07-07"),
        ("spring", "spring"),
    ],
)
def test_dates(shown: str, expected: str) -> None:
    (text,) = write_reports(MATCH, information={"Date": shown, "Event": "Club night"})
    assert read_one(text).headers == (("EventDate", expected), ("Event", "Club night"))


def test_a_comment_on_the_match() -> None:
    (text,) = write_reports(MATCH, information={"Place": "Rome", "Comment": "Long\nand windy"})
    match = read_one(text)
    assert match.headers == (("Site", "Rome"),)
    assert match.comments == ("Long\nand windy",)


def test_a_missing_turn_is_a_warning_and_no_wrong_play() -> None:
    (text,) = write_reports(MATCH)
    start, end = text.index("Move number 4"), text.index("Move number 5")
    match = read_one(text[:start] + text[end:])
    assert len(match.problems) == 1
    assert "not the board after the turn before" in match.problems[0]
    (game,) = annotate(match).games
    last = game.turns[-1]
    assert last.play
    (whole,) = annotate(read_one(text)).games
    assert last.state == whole.turns[-1].state
    assert last.play == whole.turns[-1].play


def test_a_file_that_is_cut_off_has_the_turns_before() -> None:
    (text,) = write_reports(MATCH)
    whole = read_one(text).games[0].actions
    for start, end in pairwise(sorted({text.index(f"Move number {n}") for n in range(2, 6)})):
        for at in range(start + 60, end, 7):
            try:
                game = read_one(text[:at]).games[0]
            except MalformedError:
                continue
            for action, expected in zip(game.actions, whole, strict=False):
                assert type(action) is type(expected)
                assert getattr(action, "hops", ()) == getattr(expected, "hops", ())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("* Ann moves 8/5 6/5", "* Ben moves 8/5 6/5", r"line \d+: found .*'Ann' is on roll"),
        ("* Ann moves 8/5 6/5", "", "no line such as"),
        ("* Ann accepts", "* Ann rejects", "the game goes on otherwise"),
        ("Move number 4", "Move number 2", "move number 2 after 3"),
        ("X: Ben\n", "X: Cid\n", "expected|the players are now"),
        ("Match ID   : ", "Match ID   : !", "expected a Match ID below"),
        ("Match ID   : ", "Match ID   : //", "expected a Match ID below"),
        ("Position ID: 4", "Position ID: ", "a board without"),
        ("Position ID: s", "Position ID: ", "a cube is offered or answered"),
        ("Move number 4: ", "Move number four: ", "names of both players"),
    ],
)
def test_what_contradicts_itself_is_refused(old: str, new: str, message: str) -> None:
    (text,) = write_reports(MATCH)
    assert old in text
    with pytest.raises(MalformedError, match=message):
        read(text.replace(old, new, 1).encode())


def test_a_turn_without_a_board_is_refused() -> None:
    (text,) = write_reports(MATCH)
    start, end = text.index(" GNU", text.index("Move number 4")), text.index("* Ben moves")
    with pytest.raises(MalformedError, match="move number 4 has no board"):
        read((text[:start] + text[end:]).encode())


def test_an_illegal_play_has_a_problem() -> None:
    (text,) = write_reports(MATCH)
    (game,) = annotate(read_one(text.replace("* Ann moves 8/5 6/5", "* Ann moves 8/4 6/5"))).games
    assert "not a legal play" in game.turns[0].problem


@pytest.mark.parametrize("form", ["utf-8", "utf-8-sig", "crlf", "cr"])
def test_line_ends_and_marks(form: str) -> None:
    (text,) = write_reports(MATCH)
    ends = {"crlf": "\r\n", "cr": "\r"}.get(form, "\n")
    data = text.replace("\n", ends).encode(form if form.startswith("utf") else "utf-8")
    assert is_report(data)
    assert read(data) == read(text.encode())


def test_headings_of_one_match_are_alike() -> None:
    headings = [read_heading(text.encode()[:4096]) for text in write_reports(long_match())]
    assert len({heading.match for heading in headings if heading}) == 1
    assert [heading.games for heading in headings if heading] == list(range(len(headings)))


def test_match_text_is_no_report() -> None:
    for text in (" 5 point match\n\n Game 1\n Ann : 0   Ben : 0\n", "", "(;GM[6])"):
        assert not is_report(text.encode())
        assert read_heading(text.encode()) is None
