"""The rollout table (section 17): every entry of it that is known, read as the author means it."""

from pathlib import Path
from typing import NamedTuple

import pytest

from gnubg_nactation.backgammon.ids import format_position_id, parse_position, parse_position_id
from gnubg_nactation.backgammon.notation import format_play, parse_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.nacbrac import Nacbrac, format_nacbrac
from gnubg_nactation.nacbracs.reading import (
    ResolvedEntry,
    parse_nacbrac,
    read_nacbracs,
    resolve_entries,
)
from gnubg_nactation.sequences.assumption import Evaluator
from gnubg_nactation.sequences.decode import decode


class Row(NamedTuple):
    """A row of the table; `plays` are in traditional notation, `?` where nobody knows."""

    diagram: str
    start: str
    sequence: str
    roll: str
    position_id: str
    nacbrac: str
    plays: str

    @property
    def families(self) -> Plays:
        return Plays(parse_position_id(self.position_id), Roll.parse(self.roll))

    @property
    def parsed(self) -> Nacbrac:
        return parse_nacbrac(self.nacbrac)

    @property
    def wanted(self) -> list[str]:
        position, roll = parse_position_id(self.position_id), Roll.parse(self.roll)
        return [
            play if play == "?" else format_play(parse_play(play, position, roll))
            for play in self.plays.split(";")
        ]


def read_rows() -> list[Row]:
    lines = Path(__file__).with_name("nacbracs.tsv").read_text(encoding="utf-8").splitlines()
    return [Row(*line.split("\t")) for line in lines[2:]]


ROWS = read_rows()

# Entries that are read as something else, by their places, and why.
_NOT_RECOVERED = {
    ("27", 3): "B is italic: 24/23 11/7 loses .050 and the plain 24/20 11/10 .087 by gnubg",
    ("39a", 0): "by assumption, though 24/18(2) is a natural U",
    ("39a", 2): "by assumption, though 13/7(2) is a natural D",
    ("73", 1): "by assumption, though 13/8 is a T",
    ("73", 7): "D is italic: 13/8, which the T before it seems to be",
    ("79", 2): "M is underlined, though the plain one is as natural",
    ("79", 3): "taken for an underlined O, since nobody knows what the P behind it is",
    ("83", 6): "S is bold: the italic one is as natural",
    ("93", 1): "I is underlined, though the plain one is as natural",
    ("93", 5): "which y is underlined cannot be told",
    ("93", 6): "which y is underlined cannot be told",
}


def check(row: Row, resolved: tuple[ResolvedEntry, ...], others: set[int]) -> None:
    """Each entry is read as it should be, but for some places."""
    found = [format_play(one.play) for one in resolved]
    differ = {
        at
        for at, (one, play) in enumerate(zip(found, row.wanted, strict=True))
        if play not in ("?", one)
    }
    assert differ == others, [(row.wanted[at], found[at]) for at in sorted(differ)]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.diagram)
def test_as_copied_without_italics_and_underlines(row: Row) -> None:
    others = {at for diagram, at in _NOT_RECOVERED if diagram == row.diagram}
    check(row, resolve_entries(row.parsed, row.families, looks_lost=True), others)


def test_printed_errors_tell_plays_apart_by_an_engine(equities: Evaluator) -> None:
    # Of #73 T28 can be no 13/8, which loses .1 and more, nor D118 what loses .03.
    row = next(row for row in ROWS if row.diagram == "73")
    state = GameState(parse_position_id(row.position_id), roll=Roll.parse(row.roll))
    found = resolve_entries(
        row.parsed, row.families, looks_lost=True, values=lambda: equities(state)
    )
    check(row, found, set())


# With nothing said about lost looks, plain letters that name a play are taken at their word.
_STRICT = {
    "69": {1},
    "77": {2, 3, 4},
    "85": {0, 1, 2, 3, 5},
    "87": {2},
    "91": {0, 1, 2, 3, 4},
}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.diagram)
def test_as_printed(row: Row) -> None:
    others = {at for diagram, at in _NOT_RECOVERED if diagram == row.diagram}
    found = resolve_entries(row.parsed, row.families)
    check(row, found, others | _STRICT.get(row.diagram, set()))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.diagram)
def test_behind_its_sequence(row: Row) -> None:
    text = "-".join(filter(None, [row.sequence, row.roll]))
    decoded = decode(text, start=parse_position(row.start))
    (read,) = read_nacbracs(decoded, [row.parsed], looks_lost=True)
    assert format_position_id(read.state.position) == row.position_id
    assert read.entries == resolve_entries(row.parsed, row.families, looks_lost=True)


# The author leaves out a hyphen behind a numeral, or a blank.
_TIDIED = {
    "17": "[B P23 d79 0-92 N93]",
    "23": "[I N19 E19 A42 C71 n84 O98]",
    "29": "[$ %1 U7 S30 2-69 R82 s93]",
    "41a": "[4 4-11]",
    "43a": "[3 4-8 5-60]",
    "69": "[L 1-19 X105]",
}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.diagram)
def test_written_back(row: Row) -> None:
    assert format_nacbrac(row.parsed) == _TIDIED.get(row.diagram, row.nacbrac)


def test_how_much_of_the_table_is_read() -> None:
    entries = sum(len(row.wanted) for row in ROWS)
    assert (len(ROWS), entries, len(_NOT_RECOVERED)) == (67, 298, 11)


def test_an_engine_tells_what_looks_alike() -> None:
    # What gnubg 2-ply says the plays of #83 lose, the rest being worse.
    losses = {
        "24/20 23/21 13/11": 0, "24/22(2) 23/21 13/11": 11, "23/21 13/9 11/9": 13,
        "24/20(2)": 19, "24/22 13/9 11/9": 26, "24/22 23/21 13/11 8/6": 38,
        "24/20 24/22 13/11": 45, "24/18 13/11": 55, "24/22(2) 23/21 11/9": 118,
    }  # fmt: skip
    row = next(row for row in ROWS if row.diagram == "83")
    families, plays = row.families, {}
    for text, loss in losses.items():
        plays[parse_play(text, parse_position_id(row.position_id), Roll.parse(row.roll))] = loss
    values = {play: -plays.get(play, 200) / 1000 for play in families}
    check(row, resolve_entries(row.parsed, families, values=lambda: values), set())
