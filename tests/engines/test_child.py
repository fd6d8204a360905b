"""The child gnubg: its answers, and that it always answers or ends in time."""

from __future__ import annotations

import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.backgammon.position import CHECKERS, STANDARD, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.engines import child, process
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.engines.questions import (
    NODES_BEFORE,
    commands_for,
    format_questions,
    read_answers,
    read_evaluation,
)
from gnubg_nactation.errors import EngineError, IllegalError
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.decode import decode
from tests.figures import near, near_loss
from tests.gnubg.ingame import GNUBG, ROOT, needs_gnubg
from tests.strategies import random_positions

pytestmark = needs_gnubg

OPENING = GameState(STANDARD, roll=Roll(3, 1))
MINUTES_OF_WORK = Depth(4, plays=20)  # an analysis that takes minutes


def _pid(engine: Gnubg) -> int:
    assert engine._process is not None
    return engine._process._process.pid


def _runs(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _wait_until(holds: Callable[[], bool]) -> None:
    while not holds():
        time.sleep(0.01)


def _program(folder: Path, *lines: str) -> str:
    path = folder / "gnubg"
    path.write_text("\n".join(("#!/bin/sh", *lines)) + "\n")
    path.chmod(0o755)
    return str(path)


_VERSION = 'echo \'nactation {"version": "x"}\''  # a line of a script


def _writes_its_number(file: Path) -> str:
    """The line of a script that writes its process number into a file, which has it at once."""
    return f"echo $$ >{file}.new && mv {file}.new {file}"


def test_the_best_opening_play_of_31_makes_the_5_point(gnubg: Gnubg) -> None:
    best, *rest = gnubg.rank(OPENING, Depth(0))
    assert {portion.target for portion in best.play.portions} == {5}
    assert len(rest) == len(legal_plays(STANDARD, Roll(3, 1))) - 1
    equities = [best.equity, *(play.equity for play in rest)]
    assert equities == sorted(equities, reverse=True)
    assert {play.method for play in rest} == {"0-ply"}


def test_every_legal_play_is_ranked_whatever_the_position(gnubg: Gnubg) -> None:
    for position, roll in random_positions(400, seed=5)[::8]:
        ranked = gnubg.rank(GameState(position, roll=roll), Depth(0))
        assert {rated.play for rated in ranked} == set(legal_plays(position, roll))


def test_plays_limits_the_deep_search(gnubg: Gnubg) -> None:
    methods = [play.method for play in gnubg.rank(OPENING, Depth(2, plays=12))]
    assert methods == ["2-ply"] * 12 + ["0-ply"] * 4


def test_plays_limits_a_rollout(gnubg: Gnubg) -> None:
    ranked = gnubg.rank(OPENING, Depth(0, trials=12, plays=2))
    assert [play.method for play in ranked[:3]] == ["rollout", "rollout", "2-ply"]
    assert {portion.target for portion in ranked[0].play.portions} == {5}


def test_a_rollout_in_steps_is_the_rollout_of_all_at_once(gnubg: Gnubg, tmp_path: Path) -> None:
    """`watch` follows each step; gnubg itself gets all trials in one command."""
    done: list[int] = []
    depth = Depth(0, trials=40, plays=1, truncate=3)
    (best, *_) = gnubg.rank(OPENING, depth, done.append)
    assert done == [12, 24, 36, 40]
    sgf, places = format_questions([OPENING])
    (tmp_path / "asked.sgf").write_text(sgf)
    script = tmp_path / "script.py"
    commands = [*commands_for(depth, whole=False, threads=1), "load match asked.sgf"]
    script.write_text(
        f"for one in {commands!r}: gnubg.command(one)\n"
        "gnubg.navigate()\n"
        f"gnubg.navigate(next={NODES_BEFORE})\n"
        "gnubg.command('set rollout trials 40')\n"
        "gnubg.command('analyse match')\n"
        "gnubg.command('clear cache')\n"  # gnubg 1.08 would use its 2-ply results
        "gnubg.command('analyse rollout move 1')\n"
        "gnubg.command('save match answered.sgf')\n"
    )
    subprocess.run(
        [GNUBG, "-t", "-q", "-r", f"--python={script}"],
        cwd=tmp_path,
        input=b"",
        check=True,
        timeout=600,
    )
    (analysis,) = read_answers((tmp_path / "answered.sgf").read_bytes(), [OPENING], places)
    assert analysis.play
    once = analysis.play.candidates[0]
    # A game more or less would change a hundred times as much; within a rollout gnubg 1.08 looks
    # at games and at their ends with as many plies as it is set to for each, and keeps both.
    assert best.equity == near(once.equity)
    assert best.standard_error == pytest.approx(once.standard_error, abs=1e-4)


def test_a_rollout_uses_its_plies_and_truncation(gnubg: Gnubg) -> None:
    """More plies and other truncations change the results, also after other settings."""
    depths = [
        Depth(0, 12, 1, truncate=2),
        Depth(0, 12, 1, truncate=4),
        Depth(1, 12, 1, truncate=2),
    ]
    best = [gnubg.rank(OPENING, depth)[0] for depth in depths]
    assert len({rated.equity for rated in best}) == 3
    assert all(0 < (rated.standard_error or 0) < 0.1 for rated in best)
    again = gnubg.rank(OPENING, depths[0])[0]
    assert again.equity == near(best[0].equity)
    assert "set rollout truncation enable off" in commands_for(
        Depth(0, 12, 1), whole=False, threads=1
    )


def _best(gnubg: Gnubg, state: GameState) -> str:
    plays = [rated.play for rated in gnubg.rank(state, Depth(2, plays=12))]
    return str(Plays.of(plays).name(plays[0]).naming.nactation)


def test_the_score_counts(gnubg: Gnubg) -> None:
    """Tutorial #37, 65R-43Z-66: P is best at gammon go alone, as gammons count all there."""
    state = decode("65R-43Z-66").state
    assert state.player is Player.FIRST
    assert _best(gnubg, replace(state, length=2, score=(0, 1), crawford=True)) == "P"
    assert _best(gnubg, replace(state, length=1)) != "P"
    assert _best(gnubg, replace(state, length=2, score=(1, 0), crawford=True)) != "P"
    evaluation = gnubg.evaluate(replace(state, length=1), Depth(0))
    assert evaluation.cubeful == near_loss(2 * evaluation.chances[0] - 1)  # no gammons


@pytest.mark.parametrize("owner", [None, Player.FIRST, Player.SECOND])
@pytest.mark.parametrize("player", Player)
def test_the_state_is_taken_from_the_side_of_its_player(
    gnubg: Gnubg, owner: Player | None, player: Player
) -> None:
    """The same game with the players exchanged is worth the same."""
    score = (1, 3) if player is Player.FIRST else (3, 1)
    here = GameState(
        parse_position_id("4HPwCSDg8+ABIQ"),
        player,
        cube=1 if owner is None else 2,
        owner=None if owner is None else owner if player is Player.FIRST else owner.other,
        score=score,
        length=7,
    )
    evaluation = gnubg.evaluate(here, Depth(0))
    (_, analysis), *_ = gnubg.analyse([here], Depth(0))
    if owner is Player.SECOND:
        assert analysis.cube is None  # it is the opponent's
    else:
        assert analysis.cube is not None
        assert analysis.cube.no_double is not None
        assert analysis.cube.double_take is not None
        doubled = min(analysis.cube.double_take, 1.0)
        assert evaluation.cubeful == near_loss(max(analysis.cube.no_double, doubled))


def test_without_a_legal_play_there_is_no_rank(gnubg: Gnubg) -> None:
    closed = Position((*(0, 0, 0), *([0] * 16), *([-2] * 6), 1))
    assert gnubg.rank(GameState(closed, roll=Roll(6, 5)), Depth(0)) == ()
    assert gnubg.rank(replace(OPENING, roll=None), Depth(0)) == ()


def test_a_game_or_match_that_is_over_is_refused(gnubg: Gnubg) -> None:
    over = Position((0, -2, *([0] * 24)))
    assert over.off == CHECKERS
    with pytest.raises(IllegalError, match="the game is over"):
        gnubg.evaluate(GameState(over), Depth(0))
    with pytest.raises(IllegalError, match="the match is over: 5-2 in a match to 5"):
        gnubg.rank(replace(OPENING, length=5, score=(5, 2)), Depth(0))
    with pytest.raises(IllegalError, match="the match is too long"):
        gnubg.rank(replace(OPENING, length=70, score=(10, 5)), Depth(0))
    assert gnubg.rank(replace(OPENING, length=70, score=(10, 6)), Depth(0))


def test_an_answer_does_not_depend_on_those_before(gnubg: Gnubg) -> None:
    """Searches below and from 2 plies in turn, which share a cache in gnubg 1.08."""
    depths = [Depth(2), Depth(0), Depth(2, plays=4), Depth(1)]
    answers = []
    for turn in (depths, depths[::-1], depths):
        answers.append({depth: gnubg.rank(OPENING, depth) for depth in turn})
        gnubg.rank(OPENING, Depth(0, trials=12, plays=1, truncate=2))
    with Gnubg(GNUBG, threads=2) as fresh:
        assert fresh.rank(OPENING, Depth(2)) == answers[0][Depth(2)]
    assert answers[1] == answers[0]
    assert answers[2] == answers[0]


def test_a_gnubg_that_has_gone_elsewhere_is_understood(tmp_path: Path) -> None:
    """Like gnubg for Windows, which changes to its own folder."""
    program = _program(tmp_path, f"cd {tmp_path}", f'exec {GNUBG} "$@"')
    with Gnubg(program) as engine:
        assert engine.rank(OPENING, Depth(0))
    assert {file.name for file in tmp_path.iterdir()} == {"gnubg"}


def test_a_gnubg_that_was_killed_is_started_again(gnubg: Gnubg) -> None:
    first = gnubg.rank(OPENING, Depth(0))
    pid = _pid(gnubg)
    os.kill(pid, signal.SIGKILL)
    assert gnubg.rank(OPENING, Depth(0)) == first
    assert _pid(gnubg) != pid


def test_a_gnubg_that_dies_of_the_same_question_twice_is_given_up(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    program = _program(tmp_path, _VERSION, "read line", f"echo >>{asked}", "kill -9 $$")
    with Gnubg(program) as engine, pytest.raises(EngineError, match=r"unexpectedly \(signal 9\)"):
        engine.rank(OPENING, Depth(0))
    assert asked.read_text() == "\n\n"


def test_a_gnubg_that_does_not_answer_is_killed_in_time(
    gnubg: Gnubg, monkeypatch: pytest.MonkeyPatch
) -> None:
    gnubg.rank(OPENING, Depth(0))
    pid = _pid(gnubg)
    monkeypatch.setattr(child, "_TIMEOUT", 0.0)
    monkeypatch.setattr(child, "_STATE_SECONDS", {4: 0.1})
    with pytest.raises(EngineError, match=r"did not answer within 0\.1 seconds"):
        gnubg.rank(OPENING, MINUTES_OF_WORK)
    assert not _runs(pid)


def test_other_output_is_ignored(tmp_path: Path) -> None:
    program = _program(
        tmp_path, "echo 'a warning'", "echo 'another' >&2", f'exec {GNUBG} "$@"', "exit 3"
    )
    with Gnubg(program) as engine:
        assert engine.name.startswith("GNU Backgammon ")
        assert engine.rank(OPENING, Depth(0))


@pytest.mark.parametrize(
    "lines",
    [["exit 0"], ["echo unknown option >&2", "exit 1"], ["printf 'nactation {\"ver'"]],
)
def test_another_program_is_recognised(tmp_path: Path, lines: list[str]) -> None:
    program, message = _program(tmp_path, *lines), "ended unexpectedly.*; is it GNU Backgammon"
    with Gnubg(program) as engine, pytest.raises(EngineError, match=message):
        engine.rank(OPENING, Depth(0))


def test_another_program_is_waited_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_STARTING", 0.1)
    starts = Mock(wraps=process.Process)
    monkeypatch.setattr(child, "Process", starts)
    with Gnubg(_program(tmp_path, "exec sleep 1000")) as engine:
        for _ in range(5):
            with pytest.raises(EngineError, match=r"did not answer within 0\.1 seconds"):
                engine.rank(OPENING, Depth(0))
    assert starts.call_count == 1


def test_a_program_that_cannot_run(tmp_path: Path) -> None:
    program = tmp_path / "gnubg"
    program.write_text("not a program")
    program.chmod(0o755)
    with Gnubg(str(program)) as engine, pytest.raises(EngineError, match="cannot be started"):
        engine.rank(OPENING, Depth(0))


@pytest.mark.parametrize("home", ["e", "é"])
def test_a_folder_may_have_any_name(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders of the package and of temporary files; gnubg opens only ASCII paths."""
    package, temporary = tmp_path / "My Nactation files é", tmp_path / home
    for folder in (package, temporary):
        folder.mkdir()
    shutil.copy(Path(process.__file__).with_name("server.py"), package)
    monkeypatch.setattr(process, "__file__", str(package / "process.py"))
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    with Gnubg(GNUBG) as engine:
        assert engine.rank(OPENING, Depth(0))
    assert [*temporary.iterdir()] == []


def test_the_environment_of_the_caller_does_not_reach_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTHONHOME", "PYTHONPATH", "LD_LIBRARY_PATH", "HOME"):
        monkeypatch.setenv(name, "/nowhere")
    with Gnubg(GNUBG) as engine:
        assert engine.rank(OPENING, Depth(0))


def test_closing_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Gnubg(GNUBG) as engine:
        engine.rank(OPENING, Depth(0))
        pid = _pid(engine)
        assert _runs(pid)
        assert list(tmp_path.iterdir())
    assert not _runs(pid)
    assert not list(tmp_path.iterdir())


def test_a_wait_is_reported_until_it_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program answers when the wait for its version, then for a roll, was reported."""
    monkeypatch.setattr(process, "_PATIENCE", 0.0)
    reports: list[str] = []

    def report(text: str) -> None:
        reports.append(text)
        (tmp_path / f"reports{len(reports)}").touch()

    lines = (f"until [ -e {tmp_path}/reports{number} ]; do sleep .1; done" for number in (1, 3))
    program = _program(
        tmp_path,
        next(lines),
        _VERSION,
        next(lines),
        "echo nactation []",
    )
    with (
        Gnubg(program, report=report) as engine,
        pytest.raises(EngineError, match="cannot be read"),
    ):
        engine.rank(OPENING, Depth(2))
    waits = [f"waiting for gnubg's answer ({topic})" for topic in ("its version", "31, 2-ply")]
    assert reports == [waits[0], "", waits[1], ""]


_IMPATIENT = """
from gnubg_nactation.cli.main import run
from gnubg_nactation.engines import process
process._PATIENCE, process._STARTING = 0.0, 600.0
run()
"""


@pytest.mark.parametrize("lines", [["exec sleep 1000"], ["exec yes 'nactation: 12'"]])
def test_ctrl_c_ends_a_wait_that_a_terminal_shows(tmp_path: Path, lines: list[str]) -> None:
    pid = tmp_path / "pid"
    program = _program(tmp_path, _writes_its_number(pid), *lines)
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", _IMPATIENT, "nacbrac", "--engine", "gnubg", "54S-31"],
        env=os.environ | {"NACTATION_GNUBG": program, "XDG_CACHE_HOME": str(tmp_path)},
        stderr=theirs,
        cwd=ROOT,
    ) as asking:
        output = b""
        while b"waiting for gnubg's answer (its version) ..." not in output:
            output += os.read(ours, 1000)
        _wait_until(pid.exists)  # nothing more is shown until then
        asking.send_signal(signal.SIGINT)
    assert asking.returncode == 130
    assert not _runs(int(pid.read_text()))
    os.close(ours)
    os.close(theirs)


_ASK_FOREVER = """
import sys
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.engine import Depth
engine = Gnubg(sys.argv[1])
engine.name
print(engine._process._process.pid, flush=True)
engine.rank(GameState(STANDARD, roll=Roll(3, 1)), Depth(4, plays=20))
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_it_does_not_outlive_its_parent(how: signal.Signals, tmp_path: Path) -> None:
    asking = subprocess.Popen(
        [sys.executable, "-c", _ASK_FOREVER, GNUBG],
        env=os.environ | {"TMPDIR": str(tmp_path)},  # where a killed process leaves its folder
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
    )
    assert asking.stdout is not None
    with asking:
        pid = int(asking.stdout.readline())
        time.sleep(0.5)  # it is at work
        assert _runs(pid)
        asking.send_signal(how)
    _wait_until(lambda: not _runs(pid))


def test_without_gnubg_the_error_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("gnubg_nactation.engines.process._UNIX", ())
    with pytest.raises(EngineError, match="apt install gnubg"):
        Gnubg()
    monkeypatch.setenv("NACTATION_GNUBG", "/nowhere/gnubg")
    with pytest.raises(EngineError, match="NACTATION_GNUBG names '/nowhere/gnubg'"):
        Gnubg()


def test_a_script_that_starts_gnubg_is_ended_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It leaves no open pipe, which a reader would wait for."""
    pid = tmp_path / "pid"
    program = _program(tmp_path, _writes_its_number(pid), "sleep 1000", "exit 0")
    monkeypatch.setattr(process, "_STARTING", 0.1)
    with Gnubg(program) as engine:
        engine.start()
        _wait_until(pid.exists)
        with pytest.raises(EngineError, match="did not answer"):
            engine.rank(OPENING, Depth(0))
    assert not _runs(int(pid.read_text()))


def test_a_program_may_be_named_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _program(tmp_path, f'exec {GNUBG} "$@"')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NACTATION_GNUBG", "./gnubg")
    with Gnubg() as engine:
        assert engine.rank(OPENING, Depth(0))


@pytest.mark.parametrize("numbers", [(5,), (-1,), (0, -1), (0, 0, -1)])
def test_an_impossible_depth(numbers: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="not a depth"):
        Depth(*numbers)


def test_a_rollout_needs_a_number_of_plays(gnubg: Gnubg) -> None:
    with pytest.raises(ValueError, match="needs a number of plays"):
        gnubg.rank(OPENING, Depth(0, trials=36))
    with pytest.raises(ValueError, match="no rollout"):
        list(gnubg.analyse([OPENING], Depth(0, trials=36, plays=2)))


@pytest.mark.parametrize(
    "lines",
    [
        ["echo 'nactation {not json'", "exec sleep 1000"],
        ["echo 'nactation []'", "exec sleep 1000"],
        [f"printf 'nactation {'[' * 100_000}\\n'", "exec sleep 1000"],
        [f"printf 'nactation {'9' * 10_000}\\n'", "exec sleep 1000"],
        [_VERSION, "echo 'nactation []'", "exec sleep 1000"],
        [_VERSION, "echo 'nactation {}'", "exec sleep 1000"],
    ],
)
def test_an_unreadable_answer_is_an_error(tmp_path: Path, lines: list[str]) -> None:
    with Gnubg(_program(tmp_path, *lines)) as engine:
        for _ in range(2):
            with pytest.raises(EngineError, match="cannot be read"):
                engine.rank(OPENING, Depth(0))


@pytest.mark.parametrize("number", [10**400, float("nan"), "x", None])
def test_chances_that_are_no_numbers_are_an_error(number: object) -> None:
    with pytest.raises(EngineError, match="cannot be read"):
        read_evaluation([number] * 10)


@pytest.mark.parametrize("line", ["exec yes", "exec cat /dev/zero"])
def test_endless_output_is_ended_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setattr(process, "_STARTING", 0.1)
    with (
        Gnubg(_program(tmp_path, line)) as engine,
        pytest.raises(EngineError, match=r"did not answer within 0\.1 seconds"),
    ):
        engine.rank(OPENING, Depth(0))
