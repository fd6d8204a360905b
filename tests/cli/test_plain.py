"""A task with a plain report is a command and an answer of the page by one declaration each."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import NamedTuple

import pytest

from gnubg_nactation.cli.commands import GROUPS
from gnubg_nactation.cli.main import build_parser
from gnubg_nactation.playground import answers
from gnubg_nactation.tasks.face import Face, Library
from gnubg_nactation.tasks.settings import setting
from gnubg_nactation.tasks.subjects import SequenceSettings, read_turn
from tests.cli.running import error_of, output_of


class Side(NamedTuple):
    name: str
    pips: int


class Pips(NamedTuple):
    sides: tuple[Side, ...]
    roll: str | None

    def __str__(self) -> str:
        return "\n".join(f"{side.name}: {side.pips}" for side in self.sides)


class PipsSettings(SequenceSettings):
    words: tuple[str, ...] = setting((), "the position", "SUBJECT", words="some")


def pips(settings: PipsSettings, face: Face = Library()) -> Pips:  # noqa: B008 (only read)
    """Count the pips of both players.

    Raises as `read_turn` does.
    """
    state = read_turn(settings.words, settings, face)[0].state
    sides = Side("X", state.position.pips), Side("O", state.position.opponent_pips)
    return Pips(sides, str(state.roll) if state.roll else None)


@pytest.fixture(autouse=True)
def command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the command and the answer."""
    module = ModuleType("gnubg_nactation.cli.commands.pips")
    vars(module).update(TASK=pips, EXAMPLES="  nactate pips start\n")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(GROUPS["Find the best play"], "pips", "count pips")
    monkeypatch.setitem(answers.ANSWERS, "pips", answers.plain(pips))


def test_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Its text is that of the report, its JSON fits the schema of the report's class."""
    assert output_of("pips", "54S") == "X: 167\nO: 158\n"
    sides = '[{"name": "X", "pips": 167}, {"name": "O", "pips": 158}]'
    assert (
        output_of("pips", "--json", "54S") == f'{{"format": 1, "sides": {sides}, "roll": null}}\n'
    )
    assert '"roll": "31"' in output_of("pips", "--to", "json", "54S-63R-31")
    assert error_of("pips", "54Q").startswith("nactate: ")
    with pytest.raises(SystemExit):
        build_parser(["pips"]).parse_args(["pips", "--help"])
    assert "\n\nCount the pips of both players.\n\n" in capsys.readouterr().out


def test_an_answer() -> None:
    view = '{"value":{"sides":[{"name":"X","pips":167},{"name":"O","pips":158}],"roll":null}}'
    assert answers.handle("pips", '[{"words": ["54S"]}]') == view
    assert "no setting" in answers.handle("pips", '[{"word": ["54S"]}]')
