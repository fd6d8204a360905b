"""What drawn boards look like, kept in files to be looked at (in a browser) by people.

To renew the files:

    python -m tests.golden.boards

Then look at them, and read the difference (`git diff tests/golden`) before it is committed.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.exports.board import board_svg, board_text
from tests.backgammon.boards import board

FOLDER = Path(__file__).parent
NAMES = ("Ann", "Ben <ben@example.org>")

OPENING = GameState(STANDARD, Player.FIRST, Roll(3, 1), score=(2, 0), length=5)
# Stacks of more than five, both bars, checkers borne off, and two blots to be hit.
HITS = GameState(
    board(p25=2, p13=7, p8=1, p6=4, p0=-1, p20=-1, p15=-1, p18=-2, p1=-6, p12=-2, p24=-1),
    Player.SECOND,
    Roll(5, 5),
    cube=4,
    owner=Player.FIRST,
    score=(9, 10),
    length=11,
)
BEAR_OFF = GameState(
    board(p1=2, p2=3, p3=2, p24=-1, p20=-3, p19=-3),
    Player.FIRST,
    Roll(6, 5),
    score=(4, 2),
    length=5,
    crawford=True,
)
DOUBLED = GameState(STANDARD, Player.SECOND, doubled=True, cube=2, owner=Player.FIRST, jacoby=True)


def play_of(state: GameState, text: str) -> Play:
    assert state.roll
    return parse_play(text, state.position, state.roll)


_OPENED = partial(board_svg, OPENING, play_of(OPENING, "8/5 6/5"), players=NAMES)
CASES = {
    "board-opening.svg": partial(_OPENED, theme="light"),
    "board-opening-from-above.svg": partial(_OPENED, view=Player.SECOND),
    "board-hits.svg": partial(
        board_svg, HITS, play_of(HITS, "bar/20*/15* bar/20 13/8"), theme="dark"
    ),
    "board-bear-off.svg": partial(
        board_svg, BEAR_OFF, play_of(BEAR_OFF, "3/off(2)"), theme="light", home="left", width=310
    ),
    "board-doubled.svg": partial(board_svg, DOUBLED),
    "board-opening.txt": partial(board_text, OPENING, players=NAMES),
    "board-hits.txt": partial(board_text, HITS, play_of(HITS, "bar/20*/15* bar/20 13/8")),
    "board-hits-from-above.txt": partial(board_text, HITS, players=NAMES, view=Player.FIRST),
    "board-doubled.txt": partial(board_text, DOUBLED),
}


def renew() -> None:
    """Write all files anew."""
    for name, render in CASES.items():
        (FOLDER / name).write_text(render() + "\n", encoding="utf-8")


if __name__ == "__main__":
    renew()
