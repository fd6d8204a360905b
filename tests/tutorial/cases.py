"""The tutorial's diagrams as test cases, from cases.tsv."""

from pathlib import Path
from typing import NamedTuple

from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.plays import Plays


class Case(NamedTuple):
    """A row of the table; `nactation` and `others` are plain spellings."""

    diagram: str
    position_id: str
    roll: str
    play: str
    nactation: str
    kind: str
    others: str

    @property
    def position(self) -> Position:
        return parse_position_id(self.position_id)

    @property
    def families(self) -> Plays:
        return Plays(self.position, Roll.parse(self.roll))

    @property
    def legal_play(self) -> Play:
        return parse_play(self.play, self.position, Roll.parse(self.roll))

    @property
    def named(self) -> Nactation:
        return parse_nactation(self.nactation)


def read_cases() -> list[Case]:
    lines = Path(__file__).with_name("cases.tsv").read_text(encoding="utf-8").splitlines()
    return [Case(*line.split("\t")) for line in lines[2:]]


class Caption(NamedTuple):
    """A lead-up sequence as printed, and by the rules if these differ.

    `plays` are in traditional notation, separated by semicolons, empty if there was no choice.
    """

    diagram: str
    start: str
    sequence: str
    position_id: str
    by_rules: str
    plays: str


def read_captions() -> list[Caption]:
    lines = Path(__file__).with_name("sequences.tsv").read_text(encoding="utf-8").splitlines()
    return [Caption(*line.split("\t")) for line in lines[2:]]


def caption_of(diagram: str) -> Caption:
    return next(caption for caption in read_captions() if caption.diagram == diagram)
