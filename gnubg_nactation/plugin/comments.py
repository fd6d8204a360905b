"""Comments put into the match that gnubg has loaded.

gnubg takes a comment for the record that comes next at its place. So all are given to it at
once, each game walked through from its start, while nothing can lead it elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import groupby

from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.errors import NactationError
from gnubg_nactation.files.sgf import SgfRecord
from gnubg_nactation.files.sgf.tree import find_property, main_line, parse
from gnubg_nactation.plugin.loaded import look
from gnubg_nactation.plugin.program import (
    HIDE_OUTPUT,
    SHOW_OUTPUT,
    Step,
    gnubg_module,
    is_line,
    output_shown_again,
)
from gnubg_nactation.plugin.saved import Loaded, RecordIndex
from gnubg_nactation.plugin.window import find_window, without_clicks
from gnubg_nactation.values import Any, NamedTuple


class Changed(NamedTuple):
    """How many comments have changed, were new where there was none, and stay as they are.

    The last are not UTF-8, the only text that gnubg takes.
    """

    changed: int
    new: int
    kept: int


def change_comments(wanted: Callable[[Loaded], bytes]) -> Changed:
    """Give the match in gnubg the comments of an SGF that `wanted` makes of it.

    The user's place stays. Raises NactationError if gnubg did not take them, with all put back;
    or if it was stopped on the way, when those that were written stay, each with its own move.
    """
    gnubg = gnubg_module()
    old: dict[RecordIndex, bytes] = {}
    texts: dict[RecordIndex, str] = {}
    kept: list[RecordIndex] = []
    back: list[Step] = []
    refused: list[bool] = []

    def write(loaded: Loaded) -> Iterator[Step]:
        back.extend(_way_back(gnubg, loaded))
        old.update(_comments(loaded.record.data))
        for place, comment in _comments(wanted(loaded)).items():
            if comment != old[place]:
                try:
                    texts[place] = comment.decode("utf-8")
                except UnicodeDecodeError:
                    kept.append(place)
        if texts:
            yield HIDE_OUTPUT  # gnubg would show a line for each
            yield from _walk(gnubg, texts, back)

    def check(record: SgfRecord) -> Iterator[Step]:
        if _lacking(texts, record.data):
            before = {place: old[place].decode("utf-8", "replace") for place in texts}
            refused.append(True)
            yield from _walk(gnubg, before, back)
        if texts:
            yield SHOW_OUTPUT

    with without_clicks(find_window()):
        try:
            with output_shown_again(back):
                look(write, check)
        except KeyboardInterrupt:
            done = len(texts) - len(_lacking(texts, look().record.data))
            raise NactationError(f"gnubg was stopped: {done} of {len(texts)} are written") from None
    if refused:
        raise NactationError("gnubg did not take the comments; all are as they were")
    return Changed(len(texts), sum(not old[place] for place in texts), len(kept))


def _lacking(texts: Mapping[RecordIndex, str], data: bytes) -> list[RecordIndex]:
    """Where the match that gnubg has saved has other comments than these."""
    now = _comments(data)
    return [place for place, text in texts.items() if now.get(place) != text.encode()]


def _comments(data: bytes) -> dict[RecordIndex, bytes]:
    """The comment of each record, empty where there is none.

    gnubg saves one tree for each game and one node for each record but a resignation, the last.
    """
    found = {}
    for game, tree in enumerate(parse(data)):
        for at, node in enumerate(main_line(tree)[1:]):
            text = find_property(node, b"C")
            bare = re.sub(rb"\\(.)", rb"\1", text.values[0], flags=re.DOTALL) if text else b""
            found[RecordIndex(game, at)] = bare
    return found


def _walk(gnubg: Any, texts: Mapping[RecordIndex, str], back: list[Step]) -> Iterator[Step]:
    """Commands that write the comments and return to the user's place."""
    commands = {
        place: f"annotate move comment {text}" if text else "annotate clear comment"
        for place, text in texts.items()
    }
    lines = {place: command for place, command in commands.items() if is_line(command)}
    for game, group in groupby(sorted(lines), key=lambda place: place.game):
        yield from _go(RecordIndex(game, 0))
        at = 0
        for place in group:
            if place.passed > at:
                yield f"next {place.passed - at}"
            at = place.passed
            yield lines[place]
    for place in sorted(commands.keys() - lines.keys()):
        yield from _go(place)
        yield partial(_command, gnubg, commands[place])  # which a file of commands cannot hold
    yield from back


def _command(gnubg: Any, command: str) -> tuple[str, ...]:
    gnubg.command(command)
    return ()


def _go(place: RecordIndex) -> Iterator[str]:
    # Twice: where the game record was clicked in, the first one ends behind a move in GTK 3.
    yield from ("first game", "first game")
    if place.game:
        yield f"next game {place.game}"
    if place.passed:
        yield f"next {place.passed}"


def _way_back(gnubg: Any, loaded: Loaded) -> Iterator[Step]:
    """Steps that lead from anywhere in the match to the place that gnubg shows."""
    info = _shown(gnubg)
    # A resignation that is a record has been passed, too.
    if info.get("resigned") and loaded.place.passed <= len(loaded.records):
        raise NactationError("a resignation is offered, which is to be answered first")
    yield from _go(loaded.place)
    dice = "".join(map(str, info.get("dice", ())))
    if dice.strip("0"):
        if isinstance(loaded.coming, Move):
            yield lambda: () if any(_shown(gnubg).get("dice", ())) else ("next roll",)
        yield lambda: () if any(_shown(gnubg).get("dice", ())) else (f"set dice {dice}",)

    def mend() -> Iterator[Step]:
        # What the user has set by hand is in no record.
        now = _shown(gnubg)
        if now and info and now["turn"] != info["turn"]:
            yield f"set turn {info['turn']}"
        if now and info and now["jacoby"] != info["jacoby"]:
            yield f"set jacoby {'on' if info['jacoby'] else 'off'}"

    yield mend


def _shown(gnubg: Any) -> dict[str, Any]:
    """What gnubg says of the position that it shows; empty where it shows none."""
    try:
        info: dict[str, Any] = gnubg.posinfo() | {"jacoby": gnubg.cubeinfo()["jacoby"]}
    except Exception:  # so it says that
        return {}
    return info
