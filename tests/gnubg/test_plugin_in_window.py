"""The plugin in gnubg's window: clicked, typed at, stopped, and read off the screen."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.exports.sgf import PREFIX, format_sgf
from gnubg_nactation.files import sgf
from tests.cli.running import run
from tests.gnubg.ingame import GNUBG, needs_gnubg
from tests.gnubg.test_plugin import SAMPLES, comments
from tests.gnubg.window import (
    GnubgWindow,
    display_without_a_screen,
    gnubg_in_window,
    needs_display,
    short_folder,
)

pytestmark = [needs_gnubg, needs_display, pytest.mark.timeout(1800)]  # on a busy machine

ANALYSED = SAMPLES / "match-3pt-analysed.sgf"
IMPORT = ">import nactation_plugin"
START = "167 (+0)"  # a player's pips, below gnubg's board


def call(text: str) -> str:
    return f">nactation_plugin.{text}"


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    with display_without_a_screen() as name:
        yield name


@pytest.fixture
def home() -> Iterator[Path]:
    with short_folder() as folder:
        yield folder


def expected(data: bytes) -> bytes:
    record = sgf.read(data)
    return format_sgf(annotate(record.match), record, errors=True)


def row(window: GnubgWindow, number: int, side: int = 0) -> tuple[int, int]:
    """Where to click a row of the game record."""
    trees = (widget for widget in window.widgets() if widget.kind == "GtkTreeView")
    tree = next(tree for tree in trees if tree.height > 100)
    return tree.x + 60 + side * tree.width // 2, tree.y + 34 + 21 * number


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def annotate_twice(window: GnubgWindow) -> None:
    """As no move is chosen, the first error is: its board appears, and its comment in the panel."""
    texts = window.texts()
    assert not [text for text in texts if PREFIX in text]
    assert START not in texts
    window.menu("Nactation", "Annotate this match")
    window.wait_for_status("88 moves annotated, 88 new comments; here is the first error, 1.1b")
    window.wait(lambda: f"{PREFIX}52T  [S D37...T129] gnubg 0-ply" in window.texts())
    window.wait(lambda: window.texts().count(START) == 2, "the board of the first roll")
    window.menu("Nactation", "Annotate this match")
    window.wait_for_status("88 moves annotated, already up to date")
    assert "first error" not in window.status


def remove_and_load(window: GnubgWindow) -> None:
    """The comments go; a sequence replaces the match only after a yes."""
    window.menu("Nactation", "Remove Nactation comments")
    window.wait_for_status("88 Nactation comments removed")
    assert not [text for text in window.texts() if PREFIX in text]

    def load(button: str) -> None:
        window.menu("Nactation", "Load a sequence...")
        window.wait(lambda: window.find("Load", "Label"), "the box")
        window.do("type", "--delay", "50", "54S-63R-31")
        window.wait(lambda: "54S-63R-31" in window.texts(), "the text typed")
        window.click("Load", "Label")
        window.wait_for_text("This replaces the loaded match")
        window.click(button, "Label")
        window.wait(lambda: not window.find(button, "Label"), "the end of the box")

    load("Cancel")
    assert window.title == "GNU Backgammon (saved)"
    load("Replace")
    window.wait_for_status("54S 24/20 13/8, 63R 24/15, 31 to play")
    assert "54S-63R-31" in window.title


def test_a_session_by_mouse_without_a_terminal(
    display: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As started from a menu of the desktop: without a terminal, by clicks only."""
    monkeypatch.setenv("BROWSER", "true")
    environment = {**os.environ, "HOME": str(home)}
    for name in ("PYTHONPATH", "PYTHONUSERBASE", "PYTHONNOUSERSITE"):
        environment.pop(name, None)
    setup = [sys.executable, "-m", "gnubg_nactation", "gnubg-setup", "--gnubg", GNUBG]
    project = Path(__file__).parents[2]
    subprocess.run(
        [*setup, "--at-start"], env=environment, cwd=project, check=True, capture_output=True
    )
    originals = files(home)
    (home / "no-path").touch()
    saved = home / "saved.sgf"
    with gnubg_in_window(home, display, str(ANALYSED), terminal=False) as window:
        window.wait(lambda: "match-3pt-analysed" in window.title)
        title = window.title
        window.menu("Nactation", "Best play")
        window.wait_for_status("nactation: this game is over; choose a move of it")
        annotate_twice(window)
        window.ask("first game")
        window.click_at(*row(window, 2, side=1))
        window.wait(lambda: f"{PREFIX}51n  [N n106] gnubg 0-ply" in window.texts())
        window.menu("Nactation", "Nacbrac of this roll")
        window.wait_for_status(" gnubg 2-ply")
        assert re.match(r"51 -3-3\[N( \S+\d)+\] gnubg 2-ply$", window.status)
        window.menu("Nactation", "Nacbrac of the cube")
        window.wait_for_status("cube ")
        assert re.search(r"^cube -3-3\[N D/T \d+ D/P 1?\d{3}\] gnubg 2-ply$", window.status)
        window.menu("Nactation", "Sequence to this position")
        window.wait_for_status("top-52T-53P-32and-62D-51")
        window.menu("Nactation", "Save as text...")
        window.wait(lambda: "match-3pt-analysed.txt" in window.texts(), "the name to save")
        window.do("key", "Return")
        window.wait_for_status("match-3pt-analysed.txt saved")
        window.menu("Nactation", "Page in the browser")
        window.wait_for_status("last page.html saved; opening it")
        assert "last%20page.html#1.3b" in (home / "Nactation" / "last place.html").read_text()
        assert window.title == title
        window.ask(f'save match "{saved}"')
        remove_and_load(window)
    assert saved.read_bytes().count(PREFIX.encode()) == 88
    assert "52T ?? -.129 (S)" in (home / "Nactation" / "match-3pt-analysed.txt").read_text()
    assert originals <= files(home)
    subprocess.run(
        [*setup, "--undo"], env=environment, cwd=project, check=True, capture_output=True
    )
    foreign = (".gnubg/", ".cache/", ".config/gtk", "spy")  # gnubg's, GTK's, the test's
    remaining = {name for name in files(home) if not name.startswith(foreign)}
    ours = {"no-path", "saved.sgf", "stdout", ".local/share/recently-used.xbel"}
    assert remaining - ours == {"Nactation/match-3pt-analysed.txt"}  # the user's
    start_file = (home / ".gnubg" / "gnubgrc").read_text()
    assert re.fullmatch(r'\s*load python "[^"\n]*/spy\.py"\n', start_file)  # the test's


def test_clicks_and_keys_cannot_lead_comments_astray(display: str, home: Path) -> None:
    """Annotate the match twelve times during random clicks and keys in the window."""
    original = home / "before.sgf"
    chance = random.Random(9)
    stop = threading.Event()
    with gnubg_in_window(home, display, str(SAMPLES / "match-5pt.sgf")) as window:
        window.ask(IMPORT)
        window.ask(f'save match "{original}"')
        window.ask("set confirm new off")
        window.ask("first game")
        rows = [row(window, number, side) for number in range(20) for side in (0, 1)]
        keys = ["Down", "Up", "Page_Down", "Home", "End", "Left", "Right", "alt+g", "Escape"]

        def disturb() -> None:
            while not stop.is_set():
                if chance.random() < 0.7:
                    window.click_at(*chance.choice(rows))
                else:
                    window.do("key", chance.choice(keys))

        disturber = threading.Thread(target=disturb)
        disturber.start()
        try:
            annotated = expected(original.read_bytes())
            for number in range(12):
                window.ask(f'load match "{original}"')
                window.ask(">nactation_plugin.annotate()", wait=False)
                time.sleep(chance.random() / 2)
                saved = home / f"saved{number}.sgf"
                window.ask(f'save match "{saved}"')
                assert saved.read_bytes() == annotated
        finally:
            stop.set()
            disturber.join()
        # gnubg is killed next, and may print its result after saving the match.
        output = home / "stdout"
        window.wait(lambda: output.read_text().count("111 new comments") == 12, "12 annotations")
    checked = run("check", home / "saved11.sgf")
    assert (checked.status, checked.err) == (0, "")
    assert checked.out.count(": ok\n") == 111


def test_nothing_but_what_a_call_says_is_changed(display: str, home: Path) -> None:
    """File name, title, place, settings and gnubg's own backups, around each call."""
    match = home / "our match (final).v2.sgf"
    match.write_bytes(ANALYSED.read_bytes())
    backup = home / ".gnubg" / "backup" / "Xy12Zw.sgf"
    backup.parent.mkdir(parents=True)
    backup.write_text("gnubg's own")
    state = home / "state"
    settings = ("confirm", "evaluation", "player", "rollout", "analysis", "output")
    look = (
        f">open({str(state)!r}, 'w').write(repr([gnubg.gnubgid(), gnubg.posinfo(), "
        f"[gnubg.show(name) for name in {settings!r}]]))"
    )
    calls = ["show()", "annotate()", "annotate(errors=False)", "export_text()", "export_sgf()"]
    calls += ["page()", "quiz()", "nacbrac(0)", "nacbrac(0, cube=True)", "best(0)", "name()"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BROWSER", "true")
        with gnubg_in_window(home, display, str(match)) as window:
            window.wait(lambda: window.title == "GNU Backgammon (our match (final).v2)")
            for place in (["next 4"], ["next 5", "next roll"], ["next game 1", "next 9"], []):
                for command in ["first game", *place] if place else []:
                    window.ask(command)
                window.ask(look)
                original = state.read_text()
                for text in ["", *calls]:
                    window.ask(call(text) if text else IMPORT)
                    assert window.title == "GNU Backgammon (our match (final).v2)", text
                    window.ask(look)
                    assert state.read_text() == original, text
            window.click("Save", "GtkLabel")  # in the tool bar: menus differ between versions
            window.wait(lambda: "our match (final).v2.sgf" in window.texts(), "the name to save")
            window.do("key", "Escape")
    assert backup.read_text() == "gnubg's own"


def test_a_match_without_a_file_keeps_having_none(display: str, home: Path) -> None:
    lines = "set player 0 human\nset player 1 human\nset automatic roll off"
    with gnubg_in_window(home, display, rc=lines) as window:
        window.ask("new match 3", wait=False)
        window.close()
        for command in ("set dice 31", "move 8/5 6/5"):
            window.ask(command)
        title = window.title  # of 1.08 with the name that a file would have
        for command in (IMPORT, call("annotate()")):
            window.ask(command)
        window.wait_for_status("1 new comment")
        assert window.title == title


def test_a_file_of_commands_opened_by_mouse(display: str, home: Path) -> None:
    commands = home / "annotate"
    commands.write_text(f"{IMPORT}; nactation_plugin.annotate()\n")
    with gnubg_in_window(home, display, str(ANALYSED)) as window:
        window.menu("File", "Open Commands...")
        window.wait(lambda: "Open Commands file" in window.texts())
        while "/" not in window.texts():  # which opens a line to type in
            window.do("key", "slash")
            time.sleep(0.5)
        window.do("type", "--delay", "50", str(commands)[1:])
        window.wait(lambda: str(commands) in window.texts())
        window.do("key", "Return")
        window.wait_for_status("88 moves annotated, 88 new comments")
        assert not [widget for widget in window.widgets() if "Dialog" in widget.kind]


def test_long_answers_have_a_box_or_the_panel_for_messages(display: str, home: Path) -> None:
    with gnubg_in_window(home, display, str(ANALYSED)) as window:
        for command in (IMPORT, "first game", "next 5", call("nacbrac(0, all=True)")):
            window.ask(command)
        window.wait(lambda: window.find("Close", "Label"), "the box")
        [table] = [text for text in window.texts() if "\n" in text]
        assert [line[:2] for line in table.splitlines()[::10]] == ["66", "51", "11"]
        assert len(table.splitlines()) == 21
        window.click("Close", "Label")
        window.wait(lambda: not window.find("Close", "Label"))
        window.menu("View", "Panels", "Message")
        window.ask(call("nacbrac(0, all=True)"))
        window.wait(lambda: any(text.endswith(table) for text in window.texts()), "the panel")
        assert not [widget for widget in window.widgets() if "Dialog" in widget.kind]


def test_long_work_shows_how_far_it_is_and_can_be_stopped(display: str, home: Path) -> None:
    with gnubg_in_window(home, display, str(ANALYSED)) as window:
        for command in (IMPORT, "first game", "next 5"):
            window.ask(command)
        window.ask(call("nacbrac(4, all=True)"), wait=False)
        window.wait_for_status("Considering 66, play ")
        window.ask(call("annotate()"), wait=False)
        window.wait_for_status("nactation: nacbrac is still running")
        stop = [widget for widget in window.widgets() if widget.kind == "GtkImage"][-1]
        window.click_at(stop.x + stop.width // 2, stop.y + stop.height // 2)
        window.close()
        window.wait_for_status("nactation: interrupted")
        window.ask(call("best(0)"))
        window.wait_for_status("(gnubg 0-ply)")


def test_comments_of_several_lines(display: str, home: Path) -> None:
    """A file of commands cannot hold them; two in a row, and in another game."""
    saved = home / "saved.sgf"
    own = [(0, 3), (0, 4), (1, 2)]
    with gnubg_in_window(home, display, str(SAMPLES / "match-5pt.sgf")) as window:
        for game, record in own:
            window.ask("first game")
            if game:
                window.ask(f"next game {game}")
            window.ask(f"next {record}")
            text = f"annotate move comment my own\\n {game} {record}"
            window.ask(f'>gnubg.command("{text}")')
        window.ask(IMPORT)
        window.ask(call("annotate()"))
        window.wait_for_status("111 moves annotated, 108 new comments, 3 comments changed")
        window.ask(f'save match "{saved}"')
    games = sgf.read(saved.read_bytes()).match.games
    places = [
        (game, at)
        for game, game_record in enumerate(games)
        for at, action in enumerate(game_record.actions)
        if "my own" in action.comment
    ]
    assert places == own
    for game, record in own:
        comment = games[game].actions[record].comment
        assert re.fullmatch(rf"{PREFIX}\d\d\S+\nmy own\n {game} {record}", comment)
    assert saved.read_bytes() == expected(saved.read_bytes())
    assert len(comments(saved.read_bytes())) == 111


def test_the_board_in_the_window(display: str, home: Path) -> None:
    with gnubg_in_window(home, display) as window:
        window.ask(IMPORT)
        for text, answer in {
            'decode("54S-63R-31")': "54S 24/20 13/8, 63R 24/15, 31 to play",
            "nacbrac(1)": "31 j[P ",
            "best(0)": "31P  8/5 6/5  +0.",
            "name()": "54S-63R-31",
            "decode()": "nactation: a sequence is missing",
            'export_text("/no/such/x.txt")': "there is no folder /no/such",
        }.items():
            window.ask(call(text))
            window.wait_for_text(answer)


def test_the_board_without_a_terminal(display: str, home: Path) -> None:
    """`decode` and a wrong call, if Python has no terminal to print to."""
    with gnubg_in_window(home, display, terminal=False) as window:
        window.ask(IMPORT)
        window.ask(call('decode("54S-63R-31")'))
        window.wait_for_status("54S 24/20 13/8, 63R 24/15, 31 to play")
        window.ask(call("annotate(4)"))
        window.wait(lambda: any("TypeError" in text for text in window.texts()), "the mistake")


def test_a_live_game_after_a_hint(display: str, home: Path) -> None:
    """gnubg saves its hint, which is not a record and cannot have a comment."""
    lines = "set player 0 human\nset player 1 human\nset automatic roll off"
    with gnubg_in_window(home, display, rc=lines) as window:
        window.ask("new match 3", wait=False)
        window.close()
        for command in ("set dice 31", "move 8/5 6/5", "set dice 52", IMPORT):
            window.ask(command)
        window.ask("hint", wait=False)
        window.wait(lambda: any("Hint" in text for text in window.texts() if "-" in text), "hints")
        window.do("key", "Escape")
        window.ask(call("annotate()"))
        window.wait_for_status("1 move annotated, 1 new comment")
