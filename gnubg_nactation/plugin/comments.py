"""Write comments into the match that gnubg has loaded.

gnubg takes a comment for the next record at its current place. So it gets all comments at once,
game by game, while no click can lead it elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
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
    """The numbers of comments that changed, were new, and were kept because gnubg needs UTF-8."""

    changed: int
    new: int
    skipped: int


def change_comments(
    annotated: Callable[[Loaded], bytes],
    panel: Callable[[], Iterable[Step]] = tuple,
    way: Callable[[], Iterable[Step]] = tuple,
) -> Changed:
    """Give the match in gnubg the comments of the SGF that `annotated` returns for it.

    gnubg then does the steps of `panel` silently, and those of `way`, which may lead away from the
    user's place. Raises NactationError if gnubg did not take the comments, after restoring all of
    them, or if it was stopped; the comments written until then stay.
    """
    gnubg = gnubg_module()
    old: dict[RecordIndex, bytes] = {}
    texts: dict[RecordIndex, str] = {}
    skipped: list[RecordIndex] = []
    back: list[Step] = []
    refused: list[bool] = []
    end: list[Step] = []
    goal: list[Step] = []

    def write(loaded: Loaded) -> Iterator[Step]:
        back.extend(_way_back(gnubg, loaded))
        old.update(_comments(loaded.record.data))
        for place, comment in _comments(annotated(loaded)).items():
            if comment != old[place]:
                try:
                    texts[place] = comment.decode("utf-8")
                except UnicodeDecodeError:
                    skipped.append(place)
        end.extend(panel())
        goal.extend(way())
        if texts or end:
            yield HIDE_OUTPUT  # gnubg would show a line for each
        if texts:
            yield from _walk(gnubg, texts, back)

    def check(record: SgfRecord) -> Iterator[Step]:
        if _lacking(texts, record.data):
            originals = {place: old[place].decode("utf-8", "replace") for place in texts}
            refused.append(True)
            yield from _walk(gnubg, originals, back)
        yield from end
        if texts or end:
            yield SHOW_OUTPUT
        yield from goal  # without output gnubg would not draw the board

    with without_clicks(find_window()):
        try:
            with output_shown_again(back):
                look(write, check)
        except KeyboardInterrupt:
            done = len(texts) - len(_lacking(texts, look().record.data))
            raise NactationError(
                f"gnubg was stopped after {done} of {len(texts)} comments"
            ) from None
    if refused:
        raise NactationError("gnubg did not take the comments; nothing has changed")
    return Changed(len(texts), sum(not old[place] for place in texts), len(skipped))


def _lacking(texts: Mapping[RecordIndex, str], data: bytes) -> list[RecordIndex]:
    """The places at which a match that gnubg has saved has other comments."""
    saved = _comments(data)
    return [place for place, text in texts.items() if saved.get(place) != text.encode()]


def _comments(data: bytes) -> dict[RecordIndex, bytes]:
    """The comment of each record, empty if it has none.

    gnubg saves a tree for each game, and a node for each record but a final resignation.
    """
    comments = {}
    for game, tree in enumerate(parse(data)):
        for at, node in enumerate(main_line(tree)[1:]):
            text = find_property(node, b"C")
            bare = re.sub(rb"\\(.)", rb"\1", text.values[0], flags=re.DOTALL) if text else b""
            comments[RecordIndex(game, at)] = bare
    return comments


def _walk(gnubg: Any, texts: Mapping[RecordIndex, str], back: list[Step]) -> Iterator[Step]:
    """The commands that write the comments and return to the user's place."""
    commands = {
        place: f"annotate move comment {text}" if text else "annotate clear comment"
        for place, text in texts.items()
    }
    lines = {place: command for place, command in commands.items() if is_line(command)}
    for game, group in groupby(sorted(lines), key=lambda place: place.game):
        yield from go_to(RecordIndex(game, 0))
        at = 0
        for place in group:
            if place.passed > at:
                yield f"next {place.passed - at}"
            at = place.passed
            yield lines[place]
    for place in sorted(commands.keys() - lines.keys()):
        yield from go_to(place)
        yield partial(_command, gnubg, commands[place])  # too long for a file of commands
    yield from back


def _command(gnubg: Any, command: str) -> tuple[str, ...]:
    gnubg.command(command)
    return ()


def go_to(place: RecordIndex) -> Iterator[str]:
    """The commands that lead gnubg to a place of the match."""
    # Twice: after a click in the game record the first one ends after a move in GTK 3.
    yield from ("first game", "first game")
    if place.game:
        yield f"next game {place.game}"
    if place.passed:
        yield f"next {place.passed}"


def _way_back(gnubg: Any, loaded: Loaded) -> Iterator[Step]:
    """The steps from anywhere in the match to the place that gnubg shows."""
    info = _position_info(gnubg)
    # A resignation that is a record has been passed as well.
    if info.get("resigned") and loaded.place.passed <= len(loaded.records):
        raise NactationError("answer the resignation first")
    yield from go_to(loaded.place)
    dice = "".join(map(str, info.get("dice", ())))
    if dice.strip("0"):
        if isinstance(loaded.coming, Move):
            yield lambda: () if any(_position_info(gnubg).get("dice", ())) else ("next roll",)
        yield lambda: () if any(_position_info(gnubg).get("dice", ())) else (f"set dice {dice}",)

    def restore_settings() -> Iterator[Step]:
        # Settings made by hand are in no record.
        current = _position_info(gnubg)
        if current and info and current["turn"] != info["turn"]:
            yield f"set turn {info['turn']}"
        if current and info and current["jacoby"] != info["jacoby"]:
            yield f"set jacoby {'on' if info['jacoby'] else 'off'}"

    yield restore_settings


def _position_info(gnubg: Any) -> dict[str, Any]:
    """Data of gnubg on the position that it shows; empty if it shows none."""
    try:
        info: dict[str, Any] = gnubg.posinfo() | {"jacoby": gnubg.cubeinfo()["jacoby"]}
    except Exception:
        return {}
    return info
