"""Commands about a position take every form of its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from gnubg_nactation.backgammon.ids import format_gnubg_id, format_xgid
from gnubg_nactation.sequences.decode import decode
from tests.cli.running import MATCH, SAMPLES, error_of, output_of, run

STATE = decode("54S-63R-31").state
ANALYSED = SAMPLES / "match-3pt-analysed.sgf"
FORMS = {
    "sequence": ["54S-63R-31"],
    "several words": ["54S", "63R", "31"],
    "XGID": [format_xgid(STATE)],
    "both IDs": [format_gnubg_id(STATE)],
    "move of a match": ["match.mat#1.2"],
    "turn of a match": ["match.mat#1.1.2a"],
}
COMMANDS = {
    "board": "X to play 31",
    "plays": "4HPwCSDg8+ABIQ 31: 15 legal plays\n",
    "explain 8/5 6/5": "4HPwCSDg8+ABIQ 31: 8/5 6/5\n",
    "explore --db games.db": "P  8/5 6/5",
    "post --to plain": "XGID=-a----E-D-a-eD---c-eA---A-:0:0:1:31:0:0:0:",
    "card --form svg -o -": "to play 31:",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a match, and a database of it."""
    path = tmp_path_factory.mktemp("subjects")
    (path / "match.mat").write_bytes(MATCH)
    assert run("index", "--db", path / "games.db", path / "match.mat").status == 0
    return path


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("form", FORMS)
def test_each_form_of_a_position_works(
    form: str, command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    name, *words = command.split()
    assert COMMANDS[command] in output_of(name, *FORMS[form], *words)
    if name == "post":  # its output has no sequence
        assert (
            run("check", "--same", " ".join(FORMS[form]), "54S-63R").out == "same: 4HPwCSDg8+ABIQ\n"
        )


@pytest.mark.parametrize(
    "command",
    [
        "board -o {} match.mat#1.2",
        "board --svg -o link.svg match.mat#1.2",
        "card -o {} match.mat#1.2",
        "card --form svg -o link.svg match.mat#1.2",
        "card --animate -o {} match.mat#1.2",
        "read -o {} match.mat",
        "read --to html -o link.svg match.mat",
    ],
)
def test_no_command_overwrites_the_file_that_it_reads(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("match.mat").write_bytes(MATCH)
    Path("link.svg").symlink_to("match.mat")
    error = error_of(*command.format("match.mat").split(), status=2)
    assert "-o would overwrite match.mat" in error
    assert Path("match.mat").read_bytes() == MATCH
    assert Path("link.svg").is_symlink()


@pytest.mark.usefixtures("each_engine")
@pytest.mark.parametrize("form", FORMS)
def test_nacbrac_takes_each_form_of_a_position(
    form: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match at 3-3 has a score, and money has none."""
    monkeypatch.chdir(folder)
    output = output_of("nacbrac", "--plies", "0", *FORMS[form])
    start = "-3-3[P H" if "match" in form else "[P "
    assert output.removeprefix("54S-63R-").startswith(f"31 {start}")
    table = output_of("scores", "--plies", "0", "--away", "3", *FORMS[form])
    assert table.startswith("Best play of 31 at each score, gnubg 0-ply\n")
    assert ("[" in table) == ("match" in form)


@pytest.mark.parametrize("cube", [[], ["--cube"]])
def test_a_place_and_its_file_give_the_same_nacbrac(cube: list[str]) -> None:
    lines = run("nacbrac", *cube, "--game", 1, "--move", 6, ANALYSED).out.splitlines()
    line = run("nacbrac", *cube, "--engine", "none", f"{ANALYSED}#1.6b").out.rstrip()
    assert line.endswith("gnubg 0-ply")
    assert lines[-1].endswith(f" {line.removeprefix('21 ')}")


def test_the_play_of_a_match_is_shown_and_explained(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert "X plays 31: 8/5 6/5" in run("board", "--play", "match.mat#1.2").out
    assert run("explain", "match.mat#1.2").out == run("explain", "54S-63R-31", "8/5", "6/5").out
    assert run("find", "--db", "games.db", "--places", "match.mat#1.2").out == "match.mat#1.2a\n"


@pytest.mark.parametrize("command", [*COMMANDS, "same start", "nacbrac", "scores"])
@pytest.mark.parametrize(
    ("subject", "error"),
    [
        ("hello", "nactate: not a position, a sequence or a decision of a match: 'hello"),
        ("54S-71P", "nactate: not a roll: '71' (expected two digits from 1 to 6)"),
        ("match.mat#9.1", "nactate: there is no game 9; the match has 1"),
    ],
)
def test_every_command_reports_the_same_errors(
    command: str, subject: str, error: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    name, *words = command.split()
    assert error_of(name, subject, *words).startswith(error)
