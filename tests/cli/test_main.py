"""The command line as a whole: help, exit statuses, internal errors, closed pipes."""

from __future__ import annotations

import re
import shlex
import signal
import sys
from pathlib import Path
from pkgutil import iter_modules

import pytest

from gnubg_nactation import __version__
from gnubg_nactation.cli import commands as rooms
from gnubg_nactation.cli.commands import commands, plays
from gnubg_nactation.cli.main import build_parser
from tests.cli.running import MATCH, SHEET, run, start


def examples(text: str) -> list[list[str]]:
    """The arguments of each example in a help text."""
    _, _, lines = text.partition("examples:\n")
    calls = [re.search(r"nactate (\S.*?)(?:  | [<|] |$)", line) for line in lines.splitlines()]
    return [shlex.split(call[1]) for call in calls if call]


@pytest.mark.parametrize("command", commands())
def test_help_is_short_and_its_examples_can_be_parsed(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command, "--help").status == 0
    printed = capsys.readouterr()
    assert not printed.err
    assert len(printed.out.splitlines()) <= 80  # two screens
    calls = examples(printed.out)
    assert calls
    for call in calls:
        assert call[0] == command
        build_parser(call).parse_args(call)  # or it would exit


def test_the_help_lists_all_commands_in_groups() -> None:
    ran = run("--help")
    assert (ran.status, ran.err) == (0, "")
    assert run("-h") == run("--help", "annotate") == ran
    assert run() == (2, "", f"nactate: a command is missing\n{ran.out}")
    lines = ran.out.splitlines()
    groups = [line for line in lines if line.endswith(":")]
    assert groups == [f"{group}:" for group in [*rooms.GROUPS, "Options"]]
    listed = [line.split()[0] for line in lines if line.startswith("  ")]
    assert listed == [*commands(), "--help", "--version", "--debug", "--json-schema"]
    modules = {module.name.replace("_", "-") for module in iter_modules(rooms.__path__)}
    assert modules == {*commands(), "name", "same", "sequence"} < {*commands(), *rooms.RETIRED}
    assert not {*commands()} & {*rooms.RETIRED}
    assert lines[-1].startswith("exit status: 0")


OLD_NAMES = {
    "same 54S-63R 4HPwCSDg8+ABIQ": "check --same 54S-63R 4HPwCSDg8+ABIQ",
    "same 54S --engine none 63R": "check 54S --engine none 63R --same",
    "sequence match.mat": "encode match.mat",
    "sequence match.mat --game 1 --turn 2": "encode match.mat --game 1 --turn 2",
    "sequence match.mat --game 2": "encode match.mat --game 2",
    "sequence - --spoken": "encode - --spoken",
    "sequence sheet.txt": "encode sheet.txt --game 1",
    "name match.mat": "encode --name match.mat",
    "name 32Z-41h-11": "encode --name 32Z-41h-11",
    "name --decode 32Z-41hh-11.txt": "encode --from-name 32Z-41hh-11.txt",
    "manpage": "help manpage",
    "completion bash": "help completion bash",
}


@pytest.mark.parametrize("old", OLD_NAMES)
def test_old_names_do_the_same_and_name_the_new_ones(
    old: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("match.mat").write_bytes(MATCH)
    Path("sheet.txt").write_text(SHEET)
    before, now = (run(*call.split(), stdin=MATCH) for call in (old, OLD_NAMES[old]))
    assert (before.status, before.out) == (now.status, now.out)
    name = old.split(maxsplit=1)[0]
    if now.out:
        advice = f"nactate: `nactate {name}` is now `nactate {rooms.RETIRED[name]}`; "
        assert before.err.startswith(advice)
        assert before.err.count("\n") == 1
        assert now.err == ""
    else:
        assert before.err == now.err


@pytest.mark.parametrize("old", ["same", "sequence", "name", "completion", "manpage"])
def test_nothing_lists_old_names(old: str) -> None:
    assert f"\n  {old} " not in run("--help").out
    assert f".SS {old}\n" not in run("help", "manpage").out
    assert run(old, "--help").status == 0


def test_help_needs_a_topic_that_exists(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("help") == run("--help")
    assert run("help", "leaks").status == 0
    assert capsys.readouterr().out.startswith("usage: nactate leaks [options]")
    message = "nactate: help: completion needs your shell: bash, zsh, fish\n"
    assert run("help", "completion") == (2, "", message)
    assert run("help", "leaks", "bash").status == 2
    assert run("help", "leak").status == 2
    assert "unknown value 'leak'; did you mean leaks?" in capsys.readouterr().err


def test_words_may_follow_options() -> None:
    both = run("check", "54S", "63R", "--strict")
    assert run("check", "54S", "--strict", "63R") == both
    assert run("decode", "54S", "--strict", "63R") == run("decode", "--strict", "54S", "63R")


def test_version_prints_name_and_number() -> None:
    assert run("--version") == (0, f"nactate {__version__}\n", "")


def test_an_error_is_one_line() -> None:
    ran = run("plays", "nowhere", "31")
    assert ran.status == 1
    assert not ran.out
    assert ran.err.startswith("nactate: not a position, a sequence or")
    assert ran.err.endswith(" match: 'nowhere'\n")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("command", ["plays start 31", "annotate match.mat"])
def test_debug_shows_the_traceback_of_an_internal_error(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("ouch\nsecond line")

    monkeypatch.setenv("NACTATION_DEBUG", "")
    monkeypatch.setattr(plays, "Plays", fail)
    monkeypatch.setattr("gnubg_nactation.tasks.annotating.annotate", fail)
    monkeypatch.chdir(tmp_path)
    Path("match.mat").write_bytes(MATCH)
    ran = run(*command.split())
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert "internal error at fail, line " in ran.err
    assert ran.err.endswith("KeyError: 'ouch\\nsecond line' (--debug shows the traceback)\n")
    ran = run(*command.split(), "--debug")
    assert ran.err.startswith("nactate: internal error at fail, line ")
    assert "\nTraceback (most recent call last):\n" in ran.err
    assert run(*command.split()) == ran  # the variable is set


def test_an_interrupt_has_its_exit_status(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(plays, "Plays", interrupt)
    assert run("plays", "start", "31").status == 130


def test_the_program_can_be_interrupted() -> None:
    with start("plays", "-") as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"start 31\n" * 2000)  # its first output shows that it is at work
        process.stdin.flush()
        assert process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(600) == 130


_INTERRUPTED = """
import atexit, os, runpy, signal, sys

def interrupt():
    os.kill(os.getpid(), signal.SIGINT)

class Finder:
    def find_spec(self, name, *_):
        if name == "gnubg_nactation.cli.main":
            interrupt()

if "early" in sys.argv:
    sys.meta_path.insert(0, Finder())
else:
    atexit.register(interrupt)
sys.argv[1:] = ["--version"]
runpy.run_module("gnubg_nactation", run_name="__main__")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
@pytest.mark.parametrize(("when", "printed"), [("early", ""), ("late", f"nactate {__version__}\n")])
def test_the_program_can_be_interrupted_while_starting_and_ending(when: str, printed: str) -> None:
    with start(when, program=[sys.executable, "-c", _INTERRUPTED]) as process:
        out, err = process.communicate(timeout=600)
    assert (process.returncode, out.decode(), err) == (130, printed, b"")


def test_the_program_reads_and_writes_its_streams() -> None:
    with start("annotate", "--layout", "row", "-") as process:
        out, err = process.communicate(MATCH, timeout=600)
    assert (process.returncode, out.decode(), err) == (0, SHEET, b"")


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [(["annotate", "-"], MATCH), (["plays", "start", "31"], b""), (["--help"], b"")],
)
def test_a_closed_pipe_is_no_error(arguments: list[str], stdin: bytes) -> None:
    with start(*arguments) as process:
        assert process.stdout
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(stdin, timeout=600)
    assert (process.returncode, err) == (0, b"")
