"""The plugin and the batch script in the real GNU Backgammon, as a user types them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from gnubg_nactation import plugin
from gnubg_nactation.files import sgf
from tests.gnubg.ingame import GNUBG, ROOT, needs_gnubg

SAMPLES = ROOT / "sample_matches"
SCRIPTS = ROOT / "scripts"
IMPORT = ">import nactation_plugin"
ANNOTATE = ">nactation_plugin.annotate()"
SHOW = ">nactation_plugin.show()"
HUMANS = ("set player 0 human", "set player 1 human", "set display off", "set automatic roll off")
MATCH = b"""\
 ; [Event "Club, \xe9t\xe9"]

 3 point match

 Game 1
 Ren\xe9 : 0                     Bob : 0
  1) 31: 8/5 6/5                 52: 13/8 24/22
  2) 64: 24/14                   11: 8/7(2) 6/5(2)
"""
COMMENT = re.compile(rb"C\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)

pytestmark = needs_gnubg


def run_gnubg(folder: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    home = folder / "home"
    home.mkdir(exist_ok=True)
    inherited = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return subprocess.run(
        [GNUBG, "-t", "-q", "-r", *options],
        env=inherited
        | {"HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8"}
        | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=600,
        check=False,
        cwd=environment.get("PWD", folder),
    )


def type_in_gnubg(folder: Path, *lines: str, **environment: str) -> str:
    """Type lines into gnubg; returns its output. The plugin's folder is in PYTHONPATH."""
    commands = folder / "commands"
    commands.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    environment = {"PYTHONPATH": str(SCRIPTS)} | environment
    done = run_gnubg(folder, "-c", str(commands), **environment)
    assert done.returncode == 0, done
    assert "Traceback" not in done.stderr
    return done.stdout


def comments(data: bytes) -> list[str]:
    return [
        action.comment
        for game in sgf.read(data).match.games
        for action in game.actions
        if action.comment
    ]


def without_comments(data: bytes) -> bytes:
    return COMMENT.sub(b"", data)


def load(name: str) -> str:
    return f'load match "{SAMPLES / name}"'


def test_import_tells_what_is_loaded_and_what_can_be_done(tmp_path: Path) -> None:
    output = type_in_gnubg(tmp_path, load("match-5pt.sgf"), IMPORT)
    assert re.search(r"Alice - Bob, 5 point match, \d+ games?, \d+ rolls", output)
    for name in ("show()", "annotate()", "export_sgf(path)", "export_text(path)"):
        assert f"nactation_plugin.{name}" in output


def test_a_second_import_tells_it_again(tmp_path: Path) -> None:
    output = type_in_gnubg(tmp_path, IMPORT, load("match-5pt.sgf"), IMPORT, IMPORT)
    assert output.count("nactation_plugin.annotate()") == 3
    assert output.count("Alice - Bob, 5 point match") == 2


# How often each line greets. `help` and the like look up attributes that the module lacks.
GREETINGS = {
    "import nactation_plugin": 1,
    "help(nactation_plugin)": 0,
    "dir(nactation_plugin)": 0,
    "repr(nactation_plugin)": 0,
    "hasattr(nactation_plugin, 'no_such_name')": 0,
    "import pydoc; text = pydoc.render_doc('nactation_plugin')": 0,
    "import rlcompleter; rlcompleter.Completer(globals()).complete('nactation_plugin.s', 0)": 0,
    "import importlib; module = importlib.reload(nactation_plugin)": 1,
    "from nactation_plugin import show": 1,
    "import nactation_plugin as again": 1,
}


def test_only_an_import_greets(tmp_path: Path) -> None:
    lines = [line for call in GREETINGS for line in (f">{call}", ">print('-- end')")]
    output = type_in_gnubg(tmp_path, IMPORT, ">print('-- end')", *lines)
    first, *parts = output.split("-- end\n")[:-1]
    assert "Nactation for the loaded match" in first
    counts = [part.count("Nactation for the loaded match") for part in parts]
    assert dict(zip(GREETINGS, counts, strict=True)) == GREETINGS
    shown = parts[1]
    assert "Help on module nactation_plugin" in shown
    assert "type `>import nactation_plugin` at its prompt" in shown


def test_calls_that_lack_something_say_so(tmp_path: Path) -> None:
    output = type_in_gnubg(
        tmp_path,
        load("match-5pt.sgf"),
        IMPORT,
        ">nactation_plugin.decode()",
        ">nactation_plugin.export_text()",
        ">nactation_plugin.export_text()",
        ">nactation_plugin.export_sgf()",
        '>nactation_plugin.export_text("/no/such/x.txt")',
        '>nactation_plugin.export_sgf("x\\0.sgf")',
        '>nactation_plugin.export_sgf("")',
        ">nactation_plugin.quiz()",
    )
    assert 'nactation: a sequence is missing, as in decode("54S-63R-31")\n' in output
    folder = tmp_path / "home" / "Nactation"
    names = ["Alice - Bob 2.txt", "Alice - Bob.sgf", "Alice - Bob.txt"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert all(f"{folder / name} saved\n" in output for name in names)
    assert "/no/such/x.txt cannot be saved: there is no folder /no/such\n" in output
    assert "nactation: a file cannot be called 'x\\x00.sgf'\n" in output
    assert "nactation: a file cannot be called ''\n" in output
    assert "nactation: no mistakes to ask about; analyse the match first\n" in output
    assert not Path("/no").exists()


def test_the_page_is_opened_in_the_browser(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text('#!/bin/sh\necho "$1" >> "$0.opened"\n')
    browser.chmod(0o755)
    folder = tmp_path / "home" / "Nactation"
    place = folder / "last place.html"
    look = f">print('at', open({str(place)!r}).read())"
    output = type_in_gnubg(
        tmp_path,
        load("match-3pt-analysed.sgf"),
        IMPORT,
        *("first game", "next 1000", ">nactation_plugin.page()", ">nactation_plugin.quiz()", look),
        *("first game", "next 5", ">nactation_plugin.page()", look),
        *(">nactation_plugin.quiz()", look),
        BROWSER=str(browser),
    )
    # It never says `opened`: whether a browser came up is not known.
    assert output.count(f"{folder / 'last page.html'} saved; opening it\n") == 4
    opened = Path(f"{browser}.opened").read_text().splitlines()
    names = ["last page.html", *["last place.html"] * 3]
    assert opened == [(folder / name).as_uri() for name in names]
    # Bob began: 1.1b, 1.2a, 1.2b, 1.3a and 1.3b are passed.
    anchors = re.findall('^at .*url=last%20page.html#([^"]*)', output, re.MULTILINE)
    assert anchors == ["quiz", "1.4a", "quiz-1.4a"]
    page = (folder / "last page.html").read_text("utf-8")
    assert 'id="1.4a"' in page


_NEW = "print(*sorted(set(sys.modules) - before))"


@pytest.mark.parametrize("lines", [[], [load("match-5pt.sgf")]], ids=["no match", "a match"])
def test_import_brings_no_heavy_room_into_gnubg(lines: list[str], tmp_path: Path) -> None:
    """They would delay gnubg's start; they are imported when they are used."""
    output = type_in_gnubg(
        tmp_path, *lines, ">import sys; before = set(sys.modules)", IMPORT, f">{_NEW}"
    )
    comments_now = set(output.splitlines()[-1].split())
    rooms = {name.split(".")[1] for name in comments_now if name.startswith("gnubg_nactation.")}
    assert not rooms & {"annotation", "archive", "engines", "exports", "language", "sequences"}
    assert not comments_now & {"dataclasses", "inspect", "json", "typing", "urllib", "xml"}


def test_import_from_the_project_folder(tmp_path: Path) -> None:
    done = run_gnubg(tmp_path, "--python=scripts/nactation_plugin.py", PWD=str(ROOT))
    assert "__file__" in done.stderr  # a script has none; it is for import
    script = tmp_path / "script.py"
    script.write_text("import nactation_plugin")
    done = run_gnubg(tmp_path, f"--python={script}", PWD=str(ROOT))
    assert "nactation_plugin.show()" in done.stdout


def test_annotate_show_save_and_load_again(tmp_path: Path) -> None:
    original, saved, again = (tmp_path / name for name in ("before.sgf", "saved.sgf", "again.sgf"))
    output = type_in_gnubg(
        tmp_path,
        load("match-5pt.sgf"),
        f'save match "{original}"',
        IMPORT,
        SHOW,
        ANNOTATE,
        f'save match "{saved}"',
        f'load match "{saved}"',
        ANNOTATE,
        f'save match "{again}"',
    )
    done, nothing = re.findall(r"(\d+) moves annotated, (.*)", output)
    assert done[1] == f"{done[0]} new comments"
    assert nothing == (done[0], "already up to date")
    comments_now = comments(saved.read_bytes())
    assert len(comments_now) == int(done[0])
    assert all(comment.startswith("Nactation: ") for comment in comments_now)
    assert without_comments(saved.read_bytes()) == without_comments(original.read_bytes())
    assert again.read_bytes() == saved.read_bytes()
    assert "Alice - Bob, 5 point match" in output
    first = sgf.read(saved.read_bytes()).match.games[0].actions[0]
    assert first.comment == "Nactation: 21S"
    assert re.search(r"^   1 .*21S", output, re.MULTILINE)


def test_the_users_own_comments_stay(tmp_path: Path) -> None:
    saved = tmp_path / "saved.sgf"
    own = 'C:\\temp [x] "quoted" & <b>'
    type_in_gnubg(
        tmp_path,
        load("match-5pt.sgf"),
        ">gnubg.navigate()",
        f"annotate move comment {own}",
        ">gnubg.navigate(1)",
        '>gnubg.command("annotate move comment one\\n\\n  two \\u00e9")',
        IMPORT,
        ANNOTATE,
        ANNOTATE,
        f'save match "{saved}"',
    )
    first, second, *_ = comments(saved.read_bytes())
    assert re.fullmatch(r"Nactation: \S+\n" + re.escape(own), first)
    assert re.fullmatch(r"Nactation: \S+\none\n\n  two é", second)


def test_our_comments_can_be_removed(tmp_path: Path) -> None:
    original, after = tmp_path / "before.sgf", tmp_path / "after.sgf"
    output = type_in_gnubg(
        tmp_path,
        load("match-5pt-annotated.sgf"),
        IMPORT,
        ">nactation_plugin.remove()",
        *("first game", "annotate move comment my own"),
        f'save match "{original}"',
        ANNOTATE,
        ">nactation_plugin.remove()",
        ">nactation_plugin.remove()",
        f'save match "{after}"',
    )
    removed = re.findall(r"(\d+) Nactation comments removed", output)
    assert len(removed) == 2
    assert removed[1] == "111"
    assert "nactation: the match has no Nactation comments\n" in output
    assert after.read_bytes() == original.read_bytes()
    assert comments(after.read_bytes()) == ["my own"]


def test_an_old_line_of_ours_is_replaced(tmp_path: Path) -> None:
    saved = tmp_path / "saved.sgf"
    output = type_in_gnubg(
        tmp_path,
        load("match-5pt.sgf"),
        IMPORT,
        ANNOTATE,
        ">gnubg.navigate()",
        '>gnubg.command("annotate move comment mine\\nNactation: old\\nmine too")',
        ANNOTATE,
        f'save match "{saved}"',
    )
    assert "1 comment changed" in output
    assert re.fullmatch(r"mine\nNactation: \S+\nmine too", comments(saved.read_bytes())[0])
    assert b"old" not in saved.read_bytes()


@pytest.mark.parametrize("clockwise", ["off", "on"])
def test_the_place_in_the_match_stays(tmp_path: Path, clockwise: str) -> None:
    place = ">print('PLACE', gnubg.positionid(), gnubg.matchid(), flush=True)"
    output = type_in_gnubg(
        tmp_path,
        f"set clockwise {clockwise}",
        load("match-5pt.sgf"),
        IMPORT,
        ">gnubg.navigate(); gnubg.navigate(game=1); gnubg.navigate(next=7)",
        place,
        ANNOTATE,
        place,
    )
    original, after = re.findall("PLACE (.*)", output)
    assert original == after


def test_the_analysis_stays(tmp_path: Path) -> None:
    original, after = tmp_path / "before.sgf", tmp_path / "after.sgf"
    match = tmp_path / "match.mat"
    match.write_bytes(MATCH)
    type_in_gnubg(
        tmp_path,
        "set analysis chequerplay evaluation plies 0",
        "set analysis cubedecision evaluation plies 0",
        f'import auto "{match}"',
        "analyse match",
        f'save match "{original}"',
        IMPORT,
        ANNOTATE,
        f'save match "{after}"',
    )
    assert original.read_bytes().count(b"]A[") >= 4
    assert len(comments(after.read_bytes())) == 4
    assert without_comments(after.read_bytes()) == without_comments(original.read_bytes())


def test_the_errors_of_an_analysed_match_are_told(tmp_path: Path) -> None:
    """From gnubg's analysis: 52 played 13/6 lost .129 against the split."""
    output, plain, text = (tmp_path / name for name in ("told.sgf", "plain.sgf", "told.txt"))
    listing = type_in_gnubg(
        tmp_path,
        load("match-3pt-analysed.sgf"),
        IMPORT,
        SHOW,
        f'>nactation_plugin.export_sgf("{plain}", errors=False)',
        f'>nactation_plugin.export_text("{text}")',
        ANNOTATE,
        f'save match "{output}"',
    )
    assert "52T ?? -.129 (S)" in listing
    assert listing.count("Errors, by gnubg 0-ply, in thousandths") == 1
    assert comments(output.read_bytes())[0] == "Nactation: 52T  [S D37...T129] gnubg 0-ply"
    assert comments(plain.read_bytes())[0] == "Nactation: 52T"
    assert text.read_text("utf-8").strip() in listing


def test_a_match_that_is_not_utf_8(tmp_path: Path) -> None:
    match, loaded, saved = (tmp_path / name for name in ("a.mat", "loaded.sgf", "saved.sgf"))
    match.write_bytes(MATCH)
    own = tmp_path / "own.sgf"
    type_in_gnubg(tmp_path, f'import auto "{match}"', f'save match "{loaded}"')
    own.write_bytes(loaded.read_bytes().replace(b";B[52", b"C[na\xefve];B[52", 1))
    output = type_in_gnubg(
        tmp_path,
        f'load match "{own}"',
        IMPORT,
        ANNOTATE,
        SHOW,
        f'save match "{saved}"',
        f'>nactation_plugin.export_sgf("{tmp_path}/export.sgf")',
    )
    assert "4 moves annotated, 3 new comments; 1 comment left unchanged (not UTF-8)" in output
    assert b"C[na\xefve]" in saved.read_bytes()
    assert b"PW[Ren\xe9]" in saved.read_bytes()
    assert saved.read_bytes().count(b"C[Nactation: ") == 3
    assert re.search(rb"C\[Nactation: \S+\nna\xefve\]", (tmp_path / "export.sgf").read_bytes())


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_exports(tmp_path: Path, locale: str) -> None:
    folder = tmp_path / "a b 'é"
    folder.mkdir()
    (folder / "x.txt").write_text("old")
    saved = tmp_path / "saved.sgf"
    output = type_in_gnubg(
        tmp_path,
        load("match-5pt.sgf"),
        IMPORT,
        f'>nactation_plugin.export_sgf("{folder}/x.sgf")',
        f'>nactation_plugin.export_text("{folder}/x.txt")',
        '>nactation_plugin.export_text("~/y.txt", traditional=True)',
        f'>nactation_plugin.export_sgf("{folder}")',
        '>nactation_plugin.export_sgf("/dev/null/x.sgf")',
        ANNOTATE,
        f'save match "{saved}"',
        LC_ALL=locale,
    )
    assert output.count(" saved\n") == 3
    assert output.count("cannot be saved: ") == 2
    assert (folder / "x.sgf").read_bytes() == saved.read_bytes()
    assert (folder / "x.txt").read_text("utf-8").startswith("Alice - Bob, 5 point match")
    assert "/" in (tmp_path / "home" / "y.txt").read_text("utf-8")
    assert sorted(path.name for path in folder.iterdir()) == ["x.sgf", "x.txt"]


def test_no_match_is_loaded(tmp_path: Path) -> None:
    output = type_in_gnubg(
        tmp_path, IMPORT, ANNOTATE, SHOW, f'>nactation_plugin.export_sgf("{tmp_path}/x.sgf")'
    )
    assert "(no match is loaded)" in output
    assert output.count("nactation: no match is loaded; open one first\n") == 3
    assert not (tmp_path / "x.sgf").exists()


def test_a_position_without_a_game(tmp_path: Path) -> None:
    original, after = tmp_path / "before.sgf", tmp_path / "after.sgf"
    output = type_in_gnubg(
        tmp_path,
        *HUMANS,
        "new game",
        "set board 4PPgASjgc/ABMA",
        "set dice 31",
        f'save match "{original}"',
        IMPORT,
        ANNOTATE,
        SHOW,
        f'>nactation_plugin.export_text("{tmp_path}/x.txt")',
        f'save match "{after}"',
    )
    assert output.count("nactation: nothing has been played yet") == 3
    assert after.read_bytes() == original.read_bytes()
    assert not (tmp_path / "x.txt").exists()


def test_a_game_that_is_being_played(tmp_path: Path) -> None:
    output = type_in_gnubg(
        tmp_path,
        *HUMANS,
        "new match 3",
        "set dice 31",
        "move 8/5 6/5",
        IMPORT,
        ANNOTATE,
        "set dice 64",
        "move 24/14",
        "set dice 21",
        ANNOTATE,
        "move 13/11 6/5",
        ANNOTATE,
    )
    assert re.findall(r"\d+ moves? annotated, (.*)", output) == [
        "1 new comment",
        "1 new comment",
        "1 new comment",
    ]


def batch_option(folder: Path) -> str:
    """The option to run a copy of the batch script, as gnubg opens only ASCII paths."""
    return f"--python={shutil.copy(SCRIPTS / 'gnubg_batch.py', folder)}"


def test_batch(tmp_path: Path) -> None:
    matches = tmp_path / "matches"
    matches.mkdir()
    sample = (SAMPLES / "match-5pt.sgf").read_bytes()
    for name, data in {
        "a.mat": (SAMPLES / "match-5pt.mat").read_bytes(),
        "a.sgf": sample,
        "cut.sgf": sample[:800],
        "empty.mat": b"",
        "i 'ü\".mat": MATCH,
        "words.txt": b"no match\n" * 9,
        "z.sgf": sample,
    }.items():
        (matches / name).write_bytes(data)
    done = run_gnubg(
        tmp_path,
        batch_option(tmp_path),
        PYTHONPATH=str(SCRIPTS),
        NACTATE_FILES=f"{matches}\n{tmp_path}/no*such",
        NACTATE_OUTPUT=str(tmp_path / "out"),
    )
    assert done.returncode == 1, done
    failed = re.findall(r"(\S+): failed: (.*)", done.stdout)
    assert [Path(name).name for name, _ in failed] == [
        "cut.sgf",
        "empty.mat",
        "words.txt",
        "no*such",
    ]
    assert "4 of 8 files annotated" in done.stdout
    results = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert sorted(results) == ["a.mat.sgf", "a.sgf.sgf", "i 'ü\".sgf", "z.sgf"]
    assert len(comments(results["i 'ü\".sgf"])) == 4
    # gnubg would swallow the first game of the file after one that is cut.
    assert comments(results["z.sgf"]) == comments(results["a.sgf.sgf"])
    assert len(comments(results["z.sgf"])) > 50


def test_batch_goes_on_after_a_crash_of_gnubg(tmp_path: Path) -> None:
    matches = tmp_path / "matches"
    matches.mkdir()
    for name in ("a", "c", "e"):
        (matches / f"{name}.mat").write_bytes(MATCH)
    for name in ("b", "d"):  # which gnubg counts in 32 bits
        crashing = MATCH.replace(b"Bob : 0", b"Bob : 2147483648")
        (matches / f"{name}.mat").write_bytes(crashing)
    done = run_gnubg(
        tmp_path,
        batch_option(tmp_path),
        PYTHONPATH=str(SCRIPTS),
        NACTATE_FILES=str(matches),
        NACTATE_OUTPUT=str(tmp_path / "out"),
    )
    assert done.returncode == 1, done
    failed = re.findall(r"(\S+): failed: (.*)", done.stdout)
    assert [(Path(name).name, why) for name, why in failed] == [
        (f"{name}.mat", "gnubg crashes over it") for name in ("b", "d")
    ]
    assert "3 of 5 files annotated" in done.stdout
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.sgf", "c.sgf", "e.sgf"]


def test_batch_of_nothing(tmp_path: Path) -> None:
    done = run_gnubg(tmp_path, batch_option(tmp_path), PYTHONPATH=str(SCRIPTS))
    assert done.returncode == 2
    assert "NACTATE_FILES" in done.stdout


@pytest.mark.parametrize(("form", "ending"), [("text", ".txt"), ("json", ".jsonl")])
def test_batch_to_other_forms(tmp_path: Path, form: str, ending: str) -> None:
    match = SAMPLES / "match-5pt.mat"
    done = run_gnubg(
        tmp_path,
        "--python=scripts/gnubg_batch.py",
        PWD=str(ROOT),
        NACTATE_FILES=str(match),
        NACTATE_OUTPUT=str(tmp_path / "out"),
        NACTATE_TO=form,
    )
    assert done.returncode == 0, done
    assert (tmp_path / "out" / f"match-5pt{ending}").read_text("utf-8")


@pytest.mark.parametrize("call", [plugin.show, plugin.annotate, plugin.greet])
def test_outside_gnubg(call: object, capsys: pytest.CaptureFixture[str]) -> None:
    assert callable(call)
    call()
    assert "this works only inside GNU Backgammon" in capsys.readouterr().out


LIVE = (*HUMANS, "set confirm new off", "new match 5", "set dice 31", "move 8/5 6/5")
STATE = ">print('STATE', gnubg.gnubgid(), gnubg.posinfo()['dice'], flush=True)"


GAMES = (
    ("set dice 52",),
    ("set dice 52", "hint"),
    ("set dice 52", "hint", "previous", "next"),
    ("double",),
    ("double", "hint"),
    ("double", "take", "roll"),
    ("set turn 0",),
    ("set dice 52", "resign normal", "accept", "previous"),
    ("set dice 52", "resign normal", "accept", "new game", "previous game", "next 2"),
    ("set board 4PPgASjgc/ABMA",),
    ("set board 4PPgASjgc/ABMA", "set dice 31", "hint"),
)


@pytest.mark.parametrize("clockwise", ["off", "on"])
def test_games_that_go_on_as_they_were(tmp_path: Path, clockwise: str) -> None:
    """gnubg saves its hint like a record, and the roll in no record."""
    asked = (">print('GAME', flush=True)", STATE, ANNOTATE, STATE, ANNOTATE, STATE)
    lines = [line for game in GAMES for line in (*LIVE, *game, *asked)]
    direction = f"set clockwise {clockwise}"
    _, *outputs = type_in_gnubg(tmp_path, direction, IMPORT, *lines).split("GAME\n")
    for game, output in zip(GAMES, outputs, strict=True):
        first, second, third = re.findall("STATE (.*)", output)
        assert first == second == third, game
        expected = ["1 new comment", "already up to date"]
        assert re.findall(r"annotated, (.*)", output) == expected, game


def test_what_gnubg_would_play_is_not_told_as_played(tmp_path: Path) -> None:
    output = type_in_gnubg(tmp_path, *LIVE, "set dice 52", "hint", IMPORT, SHOW)
    assert "31P-52\n" in output  # the roll is to be played
    assert "52S" not in output
    name = ">nactation_plugin.name()"
    output = type_in_gnubg(tmp_path, *LIVE, "double", IMPORT, name)
    assert re.search(r"^(top-)?31P-C$", output, re.MULTILINE)


def test_the_jacoby_rule_stays_as_it_was_set(tmp_path: Path) -> None:
    lines = (*HUMANS, "set jacoby on", "new session", "set dice 31", "move 8/5 6/5")
    output = type_in_gnubg(
        tmp_path, *lines, "set jacoby off", "set dice 52", IMPORT, STATE, ANNOTATE, STATE
    )
    first, second = re.findall("STATE (.*)", output)
    assert first == second
