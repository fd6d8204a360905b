"""Commands on a machine without gnubg, but with the built-in engine."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.cli.running import ROOT, SAMPLES, error_of, output_of, run
from tests.engines.built import FOLDER, needs_builtin

pytestmark = [needs_builtin, pytest.mark.usefixtures("no_gnubg")]
NACBRAC = "54S-63R-31 [P H76 @79 X85] gnubg 2-ply\n"


@pytest.fixture
def builtin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NACTATION_ENGINE", str(FOLDER))


@pytest.mark.usefixtures("builtin")
@pytest.mark.parametrize("options", [(), ("--engine", "builtin")], ids=str)
def test_a_nacbrac_is_that_of_gnubg(options: tuple[str, ...]) -> None:
    assert output_of("nacbrac", *options, "54S-63R-31") == NACBRAC
    digest = (FOLDER / "SHA256SUMS").read_text().split()[0]
    for words in (["54S-63R-31"], ["--cube", "54S-63R"]):
        row = json.loads(output_of("nacbrac", *options, "--json", "--plies", "0", *words))
        assert (row["engine"], row["fingerprint"]) == ("gnubg", f"gnubg.wasm:{digest}")


@pytest.mark.usefixtures("builtin")
def test_what_else_needs_an_engine(tmp_path: Path) -> None:
    games, deck = tmp_path / "games.db", tmp_path / "deck.txt"
    options = "--analyse", "--plies", "0", "--db", games
    assert run("index", *options, SAMPLES / "match-3pt.mat").status == 0
    assert "2 of 2 games" in output_of("leaks", "--db", games, "--player", "Alice")
    opening = "replies", "--plies", "0", "--opening", "31P"
    assert run("cards", *opening, "-o", deck).status == 0
    assert deck.stat().st_size > 1000
    assert "31P 8/5 6/5" in output_of("post", "--to", "plain", "--spoiler", "54S-63R-31")


ROLL, PLAY, BEST = "62S-55", "62S-55H", "13/3 8/3 6/1*"  # the tutorial's 55H leaves the rest open
COMMANDS: dict[str, tuple[tuple[object, ...], str]] = {
    "annotate": (
        ("--analyse", "--plies", "0", SAMPLES / "match-1pt.mat"),
        "Errors, by gnubg 0-ply",
    ),
    "board": ((PLAY,), "O: 0 off, 147 pips"),
    "card": ((PLAY, "-o", "{}/card.svg"), ""),
    "cards": (("replies", "--plies", "0", "--opening", "31P", "-o", "{}/deck.txt"), ""),
    "check": ((PLAY,), f"probably J_ was meant, {BEST}"),
    "decode": ((PLAY,), BEST),
    "explain": ((PLAY,), BEST),
    "explore": (("--db", "{}/games.db", "--plies", "0"), "] gnubg 0-ply"),
    "index": (
        ("--analyse", "--plies", "0", "--db", "{}/new.db", SAMPLES / "match-1pt.mat"),
        "1 match",
    ),
    "nacbrac": (("--plies", "0", ROLL), "62S-55 [A N"),
    "plays": ((ROLL,), BEST),
    "post": (("--to", "plain", PLAY), "XGID=-b----E-C--AdD---bAd--b-aA"),
    "read": (("-",), BEST),
    "replies": (("--plies", "0", "--opening", "31P"), "gnubg 0-ply"),
    "check --same": ((PLAY, PLAY), "same"),
    "scores": (("--plies", "0", "--away", "2", ROLL), "Best play of 55 at each score, gnubg 0-ply"),
}


@pytest.mark.usefixtures("builtin")
@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_takes_it(name: str, tmp_path: Path) -> None:
    words, expected = COMMANDS[name]
    if name == "explore":
        assert run("index", "--db", tmp_path / "games.db", SAMPLES / "match-1pt.mat").status == 0
    arguments = [word.format(tmp_path) if isinstance(word, str) else word for word in words]
    ran = run(*name.split(), "--engine", "builtin", *arguments, stdin=PLAY.encode())
    assert ran.status == (name == "check"), ran.err  # which has a mistake to report
    assert expected in ran.out


def best_replies(engine: str, *options: str) -> list[str]:
    """The best reply to 31P for each of the 21 rolls."""
    replies = output_of("replies", "--engine", engine, *options, "--opening", "31P")
    rows = [line.split("  ")[1:] for line in replies.splitlines() if line.startswith("31P")]
    best = [re.split("[ =]", cell.strip())[0] for row in rows for cell in row if cell]
    assert len(best) == 21
    return best


@pytest.mark.usefixtures("builtin")
def test_a_wrong_path_of_gnubg_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "nacbrac", "--plies", "0", "31P-42"
    hidden = run(*words)
    assert (hidden.status, hidden.err) == (0, "")
    monkeypatch.setenv("NACTATION_GNUBG", "/nowhere/gnubg")
    warning = (
        "nactate: NACTATION_GNUBG names '/nowhere/gnubg', which is not a program; "
        "going on without it\n"
    )
    assert run(*words) == (0, hidden.out, warning)
    assert run(*words, "--engine", "builtin").err == ""


@pytest.mark.usefixtures("builtin")
def test_replies_are_nearly_those_of_the_book() -> None:
    """Which come from deeper searches of gnubg."""
    shallow, deep = best_replies("builtin", "--plies", "0"), best_replies("book")
    assert sum(own == other for own, other in zip(shallow, deep, strict=True)) >= 16


@pytest.mark.usefixtures("builtin")
def test_practice_and_assumption_have_equities() -> None:
    question = output_of("drill", "openings", "--ask", "best", "--count", "1", "--json")
    assert json.loads(question)["asked"] == "best play"
    decoded = output_of("decode", "--engine", "builtin", "62S-55H")
    assert "13/3 8/3 6/1*" in decoded.splitlines()[1]
    assert "better than 13/8(3) 6/1* by gnubg 2-ply" in decoded


@pytest.mark.usefixtures("builtin")
def test_a_rollout_is_the_same_line_everywhere() -> None:
    """gnubg 1.07 prints this line as well; tests/engines/test_rollouts.py compares the figures."""
    words = ["--rollout", "36", "--truncate", "4", "--seed", "1", "--limit", "3", "54S-63R-31"]
    line = "54S-63R-31 [P @77 H97] gnubg 0-ply rollout 36 trials truncated at 4 plies"
    for jobs in ("1", "2"):
        assert output_of("nacbrac", "--jobs", jobs, *words) == f"{line}, standard errors 15 15\n"
    other = output_of("nacbrac", "--until", ".1", *words)  # a few games never end early
    head = line.replace("trials", "trials or until .100")
    assert other == f"{head}, standard errors 15 15\n"
    decoded = output_of("decode", "--engine", "none", other)
    assert "36 trials, or until .100, truncated at 4 plies, standard errors 15 15" in decoded
    row = json.loads(output_of("nacbrac", "--json", "--until", ".1", *words))
    assert (row["trials"], row["truncated_at"], row["seed"], row["until"]) == (36, 4, 1, 0.1)
    assert row["truncated_by"] == 2


@pytest.mark.usefixtures("builtin")
def test_the_end_of_a_truncated_game_has_a_depth() -> None:
    words = "--rollout", "36", "--truncate", "4", "--limit", "2", "54S-63R-31"
    usual, quick = (
        output_of("nacbrac", "--truncate-plies", plies, *words).rstrip() for plies in "20"
    )
    assert usual == output_of("nacbrac", *words).rstrip()
    assert " truncated at 4 plies, standard error " in usual
    assert " truncated at 4 plies by 0-ply, standard error " in quick
    decoded = output_of("decode", "--engine", "none", quick)
    assert "36 trials, truncated at 4 plies by 0-ply, standard error" in decoded
    row = json.loads(output_of("nacbrac", "--json", "--truncate-plies", "0", *words))
    assert (row["truncated_at"], row["truncated_by"]) == (4, 0)
    assert row["nacbrac"] == quick.partition(" ")[2]
    error = error_of("nacbrac", "--rollout", "36", "--truncate-plies", "0", "31", status=2)
    assert "--truncate-plies goes with --truncate" in error
    assert "not 4" in error_of("nacbrac", "--truncate-plies", "4", *words)


@pytest.mark.usefixtures("builtin")
def test_limits_are_lines() -> None:
    assert "at most 3 plies" in error_of("nacbrac", "--rollout", "36", "--rollout-plies", "4", "31")
    assert "at most 3 plies ahead, not 4" in error_of("nacbrac", "--plies", "4", "31")


def test_without_its_files_the_extra_is_named() -> None:
    error = error_of("nacbrac", "--engine", "builtin", "31")
    assert error == (
        "nactate: The built-in engine needs an extra package: "
        'pip install --find-links dist -e ".[engine]"\n'
    )


def test_the_wheel_of_its_files_is_found(tmp_path: Path) -> None:
    subprocess.run(["bash", ROOT / "scripts" / "engine_wheel.sh", tmp_path], check=True)
    (wheel,) = tmp_path.glob("gnubg_nactation_engine-*-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
        [notice] = [name for name in archive.namelist() if name.endswith("licenses/NOTICE")]
        assert archive.read(notice) == (ROOT / "scripts" / "engine" / "NOTICE").read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "gnubg_nactation", "nacbrac", "54S-63R-31"],
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path / 'site'}"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, NACBRAC, "")
