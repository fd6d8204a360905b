"""The plugin's calls about the position on gnubg's board, and those that set it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gnubg_nactation.backgammon.ids import parse_gnubg_id
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.files import sgf
from gnubg_nactation.nacbracs.reading import parse_nacbrac
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.sequences.filename import read_file_name
from tests.archive.by_hand import Played, Record, fill
from tests.cli.running import run
from tests.figures import same_but_figures
from tests.gnubg.ingame import ROOT, gnubg_version, needs_gnubg
from tests.gnubg.terminal import INTERRUPT, gnubg_in_terminal
from tests.gnubg.test_plugin import HUMANS, IMPORT, SAMPLES, load, type_in_gnubg

pytestmark = needs_gnubg

IDS = ">print('BOARD', gnubg.gnubgid(), flush=True)"


def call(text: str) -> str:
    return f">nactation_plugin.{text}"


def ask(folder: Path, *lines: str) -> list[str]:
    """The last line that each call among the lines prints, after any board of gnubg."""
    marked = []
    for line in lines:
        marked += [line, ">print('END', flush=True)"] if line.startswith(call("")) else [line]
    answers = type_in_gnubg(folder, IMPORT, *marked)
    return [part.splitlines()[-1] for part in answers.split("\nEND\n")[:-1]]


def test_best_plays_of_the_roll(tmp_path: Path) -> None:
    answers = ask(
        tmp_path,
        *HUMANS,
        "set jacoby off",
        "new match 5",
        "set dice 31",
        call("nacbrac()"),
        call("nacbrac(0)"),
        call("nacbrac(1, limit=3)"),
        call("nacbrac(0, within=0.05)"),
        call("best(0)"),
        call("best()"),
    )
    head, *_ = answers
    assert re.fullmatch(r"31 -5-5\[P( \S+\d)+\] gnubg 2-ply", head)
    nacbracs = [parse_nacbrac(text.partition(" ")[2]) for text in answers[:4]]
    assert [nacbrac.suffix for nacbrac in nacbracs] == [
        f"gnubg {plies}-ply" for plies in (2, 0, 1, 0)
    ]
    assert all(str(nacbrac.entries[0].name) == "P" for nacbrac in nacbracs)
    assert len(nacbracs[2].entries) == 3
    assert all((entry.error or 0) <= 0.05 for entry in nacbracs[3].entries)
    for text, plies in zip(answers[4:], (0, 2), strict=True):
        assert re.fullmatch(rf"31P  8/5 6/5  \+0\.\d{{3}}  \(gnubg {plies}-ply\)", text)


def test_the_answers_in_the_documentation(tmp_path: Path) -> None:
    if not gnubg_version().startswith("1.07"):
        pytest.skip("the figures are of gnubg 1.07")
    text = (ROOT / "docs" / "gnubg.md").read_text("utf-8")
    rows = re.findall(r"^\| `>nactation_plugin\.(.+?)` \| `(.+?)`", text, re.MULTILINE)
    assert [row[0] for row in rows] == ["nacbrac()", "nacbrac(cube=True)", "best()", "name()"]
    _, *answers = ask(tmp_path, call('decode("54S-63R-31")'), *[call(row[0]) for row in rows])
    assert same_but_figures(answers, [row[1] for row in rows])


def test_depth_is_the_users_and_his_settings_stay(tmp_path: Path) -> None:
    answers = type_in_gnubg(
        tmp_path,
        *HUMANS,
        "set evaluation chequerplay evaluation plies 1",
        "new session",
        "set dice 31",
        ">def settings(): return gnubg.show('evaluation') + gnubg.show('confirm')",
        ">before, place = settings(), gnubg.gnubgid()",
        IMPORT,
        call("nacbrac()"),
        call("best(0)"),
        ">print('SAME', settings() == before, gnubg.gnubgid() == place, flush=True)",
        call('decode("31P-64R")'),
        ">print('SAME', settings() == before, gnubg.gnubgid() == place, flush=True)",
    )
    assert re.search(r"\[P .*\] gnubg 1-ply", answers)
    assert re.findall("SAME (.*)", answers) == ["True True", "True False"]


def test_asking_changes_nothing_in_the_match(tmp_path: Path) -> None:
    original, after = tmp_path / "before.sgf", tmp_path / "after.sgf"
    answers = type_in_gnubg(
        tmp_path,
        load("match-5pt.sgf"),
        ">gnubg.navigate(); gnubg.navigate(next=4)",
        f'save match "{original}"',
        IMPORT,
        IDS,
        call("nacbrac(0)"),
        call("best(0)"),
        call("name()"),
        IDS,
        f'save match "{after}"',
    )
    first, last = re.findall("BOARD (.*)", answers)
    assert first == last
    assert after.read_bytes() == original.read_bytes()


def test_the_roll_of_the_record_where_one_has_stepped_to(tmp_path: Path) -> None:
    """gnubg shows it, though no dice are on its board."""
    answers = ask(
        tmp_path,
        load("match-3pt-analysed.sgf"),
        "first game",
        "next 3",
        call("nacbrac(0)"),
        call("best(0)"),
        call("name()"),
        "next roll",
        call("nacbrac(0)"),
        "next 2",
        call("name()"),
    )
    best = re.match(r"62 -3-3\[(\w) \w\d+", answers[0])  # D or S, as gnubg's version has it
    assert best
    assert answers[1].startswith(f"62{best[1]}  ")
    assert answers[2] == "top-52T-53P-32and-62"
    assert answers[3] == answers[0]
    assert answers[4] == "top-52T-53P-32and-62D-51nn-43"


def test_clockwise_boards_have_the_same_answers(tmp_path: Path) -> None:
    place = ("first game", "next 7", call("best(0)"))
    lines = [line for way in ("off", "on") for line in (f"set clockwise {way}", *place)]
    first, second = ask(tmp_path, load("match-5pt.sgf"), *lines)
    assert first == second
    assert first.startswith("41")  # Alice's roll there


def test_the_cube_and_all_rolls(tmp_path: Path) -> None:
    answers = ask(
        tmp_path,
        *HUMANS,
        "set jacoby off",
        "new match 5",
        "set dice 31",
        "move 8/5 6/5",
        call("nacbrac(0)"),
        call("nacbrac(0, cube=True)"),
        ">print('HINT', gnubg.cfevaluate()[1:4], flush=True)",
        "double",
        call("nacbrac(2)"),
        "take",
        call("nacbrac(0)"),
        call("nacbrac(0, cube=True)"),
        "set dice 52",
        "move 13/8 13/11",
        "set dice 66",
        call("nacbrac(0, all=True)"),
    )
    pattern = r"cube (-5-5\[N D/T ([0-9]+) D/P ([0-9]+)\]) gnubg ([0-9])-ply"
    first, again, answer = (re.fullmatch(pattern, text) for text in answers[:3])
    assert first
    assert again
    assert first[0] == again[0]
    assert int(first[3]) > 1000  # to take is worth less than nothing to the doubler
    assert answer
    assert (first[4], answer[4]) == ("0", "2")
    assert answers[3:5] == [
        "nactation: no dice on the board; roll them, or choose a move with a roll",
        "nactation: the player on roll may not double",
    ]
    assert answers[5].startswith("11 ")  # the last of them; 66 is first


def test_what_was_played_there_in_other_games(tmp_path: Path) -> None:
    """The output of the command, for the roll on the board if there is one."""
    fill([Record((Played(STANDARD, 0, 31, "P", "8/5 6/5"),))], str(tmp_path / "games.db")).close()
    answers = type_in_gnubg(
        tmp_path,
        IMPORT,
        call('decode("31")'),
        call('explore("games.db")'),
        call("explore()"),
        call('decode("31P-63", replace=True)'),
        call("explore('~/none.db')"),
        call("explore('games.db')"),
    )
    expected = run("explore", "--db", tmp_path / "games.db", "--roll", "31").out
    assert answers.count(expected.removeprefix("start  ")) == 2
    assert "none.db: no such database; create it with `nactate index`\n" in answers
    assert "nactation: games.db has no game that reached sGfwATDgc/ABMA\n" in answers


def test_games_are_explored_in_the_home_if_the_folder_has_none(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    lines = (IMPORT, call('decode("31")'), call("explore()"))
    missing = "nactation: no games to explore: make {} from your matches (nactate index)\n"
    assert missing.format(home / "games.db") in type_in_gnubg(tmp_path, *lines)
    fill([Record((Played(STANDARD, 0, 31, "P", "8/5 6/5"),))], str(home / "games.db")).close()
    expected = run("explore", "--db", home / "games.db", "--roll", "31").out
    assert expected.removeprefix("start  ") in type_in_gnubg(tmp_path, *lines)
    other = str(tmp_path / "other.db")  # the user's wish, so that no other is taken
    assert missing.format(other) in type_in_gnubg(tmp_path, *lines, NACTATION_DB=other)


def test_before_the_first_roll_of_a_game_and_in_a_beaver(tmp_path: Path) -> None:
    answers = ask(
        tmp_path,
        load("match-3pt-analysed.sgf"),
        "first game",
        call("nacbrac(0)"),
        call("name()"),
        *HUMANS,
        "set confirm new off",
        "new session",
        "set dice 31",
        "move 8/5 6/5",
        "double",
        "redouble",
        call("nacbrac(0)"),
    )
    assert answers[0].startswith("52 -3-3[S ")
    assert answers[1] == "top-52"
    assert answers[2] == "nactation: beavers cannot be judged"


def test_what_cannot_be_asked(tmp_path: Path) -> None:
    answers = ask(
        tmp_path,
        *HUMANS,
        call("best()"),
        call("name()"),
        "set automatic game off",
        "new session",
        "set dice 31",
        call("best(9)"),
        call("best('x')"),
        call("nacbrac(limit=0)"),
        "move 8/5 6/5",
        call("best()"),
        "double",
        call("best()"),
        "take",
        "set board /wEAAAAAAAAAAA",
        "set dice 66",
        call("name()"),
        "resign normal",
        call("best()"),
        "accept",
        call("best()"),
        call("name()"),
    )
    assert [text.removeprefix("nactation: ") for text in answers] == [
        "there is no position on the board; open a match and choose a move",
        "there is no position on the board; open a match and choose a move",
        "plies must be 0 to 4",
        "plies must be 0 to 4",
        "limit must be at least 1, and within at least 0",
        "no dice on the board; roll them, or choose a move with a roll",
        "answer the double first",
        "no sequence leads here: a position was set up in this game",
        "answer the resignation first",
        "this game is over; choose a move of it",
        "this game is over; choose a move of it",
    ]


SEQUENCES = {
    "54S-63R-31": "54S-63R-31",
    "54S": "54S",
    "31": "31",
    "-61P-63R": "top-61P-63R",
    "-31": "top-31",
    "54S-55A-F-31": "54S-55A-F-31",
    "31P-C": "31P-C",
    "31P-C-T-64R": "31P-C-64R",
    "N 43Z-41": "nack-43Z-41",
    "32Z-41h-11": "32Z-41I-11",
}


def test_sequences_are_put_on_the_board_and_named(tmp_path: Path) -> None:
    lines = [IMPORT]
    for number, text in enumerate(SEQUENCES):
        lines += [">print('NEXT', flush=True)", call(f'decode("{text}")'), call("name()"), IDS]
        lines += [f"save match {number}.sgf"]
    _, *answers = type_in_gnubg(tmp_path, *lines).split("NEXT\n")
    for number, (text, answer) in enumerate(zip(SEQUENCES, answers, strict=True)):
        assert re.search(rf"^{re.escape(SEQUENCES[text])}$", answer, re.MULTILINE)
        [gnubg_id] = re.findall("BOARD (.*)", answer)
        state = parse_gnubg_id(gnubg_id)
        expected = decode(text).state
        assert (state.position, state.player, state.roll) == (
            expected.position,
            expected.player,
            expected.roll,
        )
        assert (state.cube, state.owner, state.doubled) == (
            expected.cube,
            expected.owner,
            expected.doubled,
        )
        match = sgf.read((tmp_path / f"{number}.sgf").read_bytes()).match
        assert match.length == 0
        assert match.jacoby
        assert match.players == ("gnubg", match.players[1])


def test_play_goes_on_from_there(tmp_path: Path) -> None:
    answers = ask(
        tmp_path,
        *HUMANS,
        call('decode("54S-63R-31")'),
        "move 8/5 6/5",
        "set dice 66",
        call("name()"),
        "move 13/7(4)",
        call("name()"),
    )
    assert answers[0] == "54S 24/20 13/8, 63R 24/15, 31 to play"
    assert answers[1:] == ["54S-63R-31P-66", answers[2]]
    assert re.fullmatch(r"54S-63R-31P-66\S+", answers[2])


def test_no_match_is_lost_unasked(tmp_path: Path) -> None:
    answers = ask(
        tmp_path,
        load("match-5pt.sgf"),
        call('decode("54S-63R-31")'),
        call('decode("54S-63R-31", replace=True)'),
        call('decode("31")'),
        "set player 0 human",
        "move 8/5 6/5",
        call('decode("62")'),
    )
    assert answers[0].startswith("nactation: the loaded match would be lost (Alice - Bob, 5 point")
    assert answers[0].endswith('decode("54S-63R-31", replace=True)')
    assert answers[2] == "31 to play"
    assert answers[3].startswith("nactation: the loaded match would be lost")


def test_names_of_the_places_of_a_match(tmp_path: Path) -> None:
    lines = [load("match-5pt.sgf")]
    for game, record in ((0, 3), (0, 7), (1, 5), (1, 0), (2, 2)):
        place = f"gnubg.navigate(game={game}); " * bool(game)
        lines += [f">gnubg.navigate(); {place}gnubg.navigate(next={record})", call("name()")]
    answers = ask(tmp_path, *lines)
    assert len({*answers}) == 5
    for text, rolls in zip(answers, (3, 7, 5, 0, 2), strict=True):
        assert len(re.findall(r"\d\d|F", text)) in {rolls, rolls + 1}, text


def test_no_sequence_plays_a_roll_that_is_only_shown(tmp_path: Path) -> None:
    """Bob fans with 41 at the first place, Alice has one play of 31 at the second."""
    names = []
    for record in (9, 13):
        lines = ("first game", f"next {record}", ">print('AT', gnubg.gnubgid(), flush=True)")
        answers = type_in_gnubg(tmp_path, load("match-5pt.sgf"), IMPORT, *lines, call("name()"))
        [gnubg_id] = re.findall("AT (.*)", answers)
        names.append(answers.splitlines()[-1])
        state = decode(read_file_name(names[-1])).state
        assert (state.position, state.player) == (
            parse_gnubg_id(gnubg_id).position,
            parse_gnubg_id(gnubg_id).player,
        )
    assert names[0].endswith("-33B")
    assert names[1].endswith("-62-63P")


def test_no_sequence_leads_past_a_beaver_or_an_automatic_double(tmp_path: Path) -> None:
    """A sequence leaves them out, so that its cube would be another."""
    lines = ["first game", *["next", call("name()")] * 6]
    answers = ask(tmp_path, load("money-raccoon.sgf"), *lines)
    beaver = "nactation: no sequence leads here: a beaver or an automatic double has no letter"
    assert answers == ["32S", "32S-C", beaver, beaver, beaver, beaver]
    match = (SAMPLES / "money-raccoon.sgf").read_bytes()
    automatic = tmp_path / "automatic.sgf"
    automatic.write_bytes(match.replace(b"RU[Jacoby]", b"RU[Jacoby]CV[2]"))
    answers = ask(tmp_path, f'load match "{automatic}"', "first game", "next 1", call("name()"))
    assert answers == [beaver]


def test_no_sequence_leads_to_a_position_that_was_set_up(tmp_path: Path) -> None:
    match = (SAMPLES / "money-beaver-setup.sgf").read_bytes()
    plain = tmp_path / "plain.sgf"  # without the cube that starts at 4, and the beaver
    plain.write_bytes(re.sub(rb"CV\[4\]|;B\[double\]\n;W\[double\]\n;B\[take\]\n", b"", match))
    lines = ["first game", "next 2", *["next", call("name()")] * 5]
    answers = ask(tmp_path, f'load match "{plain}"', *lines)
    set_up = "nactation: no sequence leads here: a position was set up in this game"
    assert answers == ["51S-63S-21slot", *[set_up] * 4]
    answers = ask(tmp_path, *HUMANS, "new game", "set board /wEAAAAAAAAAAA", call("name()"))
    assert answers == [set_up]


def test_in_a_terminal_work_can_be_stopped(tmp_path: Path) -> None:
    with gnubg_in_terminal(tmp_path) as gnubg:
        lines = {
            IMPORT: "after a sequence on the board",
            call('decode("31P")'): "31P 8/5 6/5",
            call('decode("32Z-41h-11")'): "11 to play",
        }
        for line, answer in lines.items():
            gnubg.type(line + "\n")  # and nothing is asked, though a game is on
            gnubg.wait(answer)
        gnubg.type(">settings = gnubg.show('evaluation')\n" + call("nacbrac(4)") + "\n")
        gnubg.wait(" of 51")  # within a command between searches gnubg forgets an interrupt
        gnubg.type(INTERRUPT)
        gnubg.wait("nactation: interrupted")
        gnubg.wait("(gnubg) ")
        gnubg.type(call("best(0)") + "\n")
        assert "11E" in gnubg.wait("(gnubg 0-ply)")
        gnubg.type(">print('SAME', gnubg.show('evaluation') == settings)\n")
        gnubg.wait("SAME True")


def test_in_a_terminal_a_call_can_be_stopped_while_it_reads_the_match(tmp_path: Path) -> None:
    """gnubg then asks nothing: an answer to a question that nobody sees would never come."""
    with gnubg_in_terminal(tmp_path) as gnubg:
        gnubg.type(load("match-3pt-analysed.sgf") + "\n" + IMPORT + "\n")
        gnubg.wait("after a sequence on the board")
        gnubg.type(">import os, signal; from gnubg_nactation.plugin import saved\n")
        gnubg.type(">interrupt = lambda: os.kill(os.getpid(), signal.SIGINT)\n")
        gnubg.type(">read = saved.read; saved.read = lambda data: (interrupt(), read(data))[1]\n")
        for text in ("annotate()", "show()"):
            gnubg.type(call(text) + "\n")
            gnubg.wait("nactation: interrupted")
        gnubg.type(">saved.read = read\n" + call("annotate()") + "\n")
        gnubg.wait(" moves annotated, ")
