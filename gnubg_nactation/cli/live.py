"""A match typed key by key in a terminal; its score sheet is kept at every key."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator

from gnubg_nactation.backgammon.match import Match
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.cli.results import width_of
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.board import board_text
from gnubg_nactation.exports.draft import draft_text, new_draft
from gnubg_nactation.files.sheet import EXAMPLE
from gnubg_nactation.sequences.live import Draft, choices, news, plays_of, press, question
from gnubg_nactation.showing import shown
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.system.keys import single_keys
from gnubg_nactation.tasks.settings import SettingsError
from gnubg_nactation.tasks.transcribing import continue_sheet

Save = Callable[[Match], None]
"""Writes the complete turns to the output, if there is one."""
_CLEAR = "\x1b[2J\x1b[H"
_HEAD = f"Players and length, as in {EXAMPLE}: "
_MAX_HEAD = 1000  # bytes
_BOARD_LINES = 23  # of a screen, with everything but the list of plays
_MIN_LINES = 2


def type_match(path: str, save: Save, streams: Streams) -> int:
    """Type a match, going on where the sheet with this path ends; returns the exit status.

    Raises SettingsError without a terminal, and NactationError if the sheet cannot be continued.
    """
    if not (streams.stdin.isatty() and streams.stdout.isatty()):
        raise SettingsError(
            "--live needs a terminal; without it, SHEET is read as a finished sheet"
        )
    draft = _first(path, streams)
    if draft is None:
        return Status.OK
    status = Status.OK
    _keep(path, draft)
    try:
        with single_keys(streams.stdin.fileno()) as next_key:
            _show(draft, streams)
            while key := next_key():
                typed = press(draft, key)
                if draft_text(typed) != draft_text(draft):
                    _keep(path, typed)
                if len(typed.match.games) != len(draft.match.games):
                    save(typed.recorded)
                draft = typed
                _show(draft, streams)
    except KeyboardInterrupt:
        status = Status.INTERRUPTED
    if draft.recorded.games:
        save(draft.recorded)
    streams.print(f"\n{shown(path)} has the match so far; the same command continues it\n")
    return status


def _first(path: str, streams: Streams) -> Draft | None:
    """The draft in a sheet, or a new one whose head is asked for; None if no head is typed."""
    if os.path.exists(path):
        return _continued(path, streams)
    while True:
        streams.print(_HEAD)
        streams.flush()
        line = streams.stdin.readline(_MAX_HEAD).decode("utf-8", "replace").strip()
        if not line:
            return None
        try:
            return new_draft(line)
        except NactationError as error:
            streams.report(str(error))


def _continued(path: str, streams: Streams) -> Draft:
    """The draft in a sheet; a copy keeps what is lost when it is written again, such as remarks."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        draft, has_more = continue_sheet(data)
    except NactationError as error:
        raise NactationError(f"{path}: {error}") from None
    if has_more:
        copy = f"{path}.orig"
        while os.path.exists(copy):
            copy += "~"
        write_atomically(copy, data)
        streams.report(f"{path}: its remarks and layout are kept in {copy}")
    return draft


def _keep(path: str, draft: Draft) -> None:
    write_atomically(path, draft_text(draft).encode(), lasting=False)


def _show(draft: Draft, streams: Streams) -> None:
    """Draw the screen: the board, the last turn, the sheet, and what can be typed."""
    is_plain = sys.platform == "win32" or os.environ.get("TERM", "dumb") == "dumb"
    width, lines = width_of(streams) - 1, os.get_terminal_size(streams.stdout.fileno()).lines
    sheet = draft_text(draft).rstrip().rpartition("\n")[2]
    below = [
        news(draft),
        sheet if len(sheet) <= width else f"…{sheet[1 - width :]}",
        "",
        *_plays(draft, width, max(lines - _BOARD_LINES, _MIN_LINES)),
        "; ".join(filter(None, (question(draft), ", ".join(map(str, choices(draft)))))),
        draft.note,
    ]
    text = "\n".join(
        [
            board_text(draft.state, players=draft.match.players),
            "",
            *map(shown, below),
        ]
    )
    streams.print(f"{'' if is_plain else _CLEAR}{text}\n> {draft.pending}")
    streams.flush()


def _plays(draft: Draft, width: int, height: int) -> Iterator[str]:
    """The plays of the roll in columns, the most natural first, as far as there is room."""
    if not draft.choices:
        return
    plays = plays_of(draft.state)
    cells = [
        f"{plays.name(play).naming.nactation!s:5} {format_play(play)}" for play in draft.choices
    ]
    room = max(map(len, cells)) + 2
    columns = max(width // room, 1)
    count = min(len(cells), columns * height)
    for at in range(0, count, columns):
        yield "".join(cell.ljust(room) for cell in cells[at : at + columns]).rstrip()
    if count < len(cells):
        yield f"and {len(cells) - count} more plays, also by their letters"
