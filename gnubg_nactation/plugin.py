"""Nactation inside GNU Backgammon: what `>import nactation_plugin` offers there.

The functions without an underscore that print are for the user's prompt: each says in a line what
it did or why it could not. `loaded_match` and `add_comments` are for programs and raise instead.

A match is read from the bytes that gnubg saves, not with `gnubg.match()`: that ends the whole
program where a name or a comment is not UTF-8.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from itertools import groupby
from pathlib import Path
from typing import BinaryIO, NamedTuple, ParamSpec, Protocol, cast

from gnubg_nactation.annotate import AnnotatedMatch
from gnubg_nactation.annotate import annotate as annotate_match
from gnubg_nactation.backgammon.match import Match, Move
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.sgf import comment_lines, format_sgf
from gnubg_nactation.exports.text import format_columns
from gnubg_nactation.files import sgf
from gnubg_nactation.files.atomic import write_atomically
from gnubg_nactation.files.sgf_tree import find_property, main_line, parse

__all__ = [
    "add_comments",
    "annotate",
    "export_sgf",
    "export_text",
    "greet",
    "loaded_match",
    "quoted",
    "run_command",
    "say",
    "show",
]

_CALLS = """\
  nactation_plugin.show()             its moves on the screen
  nactation_plugin.annotate()         a comment for each of its moves, here in gnubg
  nactation_plugin.export_sgf(path)   the match with these comments, as a file for gnubg
  nactation_plugin.export_text(path)  its moves, as a file of text"""
_SGF = b"(;FF[4]GM[6]"  # how a match that gnubg saves begins
_FAR = 10**6  # more records, and more games, than there are
_P = ParamSpec("_P")


class _Gnubg(Protocol):
    """What is used of the module that GNU Backgammon has built in."""

    def command(self, text: str, /) -> None: ...
    def navigate(self, next: int = 0, game: int = 0) -> tuple[int, int] | None: ...  # noqa: A002


def _spoken(function: Callable[_P, str]) -> Callable[_P, None]:
    """Print what the function answers, or in a line why it cannot."""

    @wraps(function)
    def speak(*args: _P.args, **kwargs: _P.kwargs) -> None:
        try:
            text = function(*args, **kwargs)
        except NactationError as error:
            text = f"nactation: {error}"
        say(text)

    return speak


@_spoken
def greet() -> str:
    """Print which match is loaded and what can be done with it."""
    try:
        match = loaded_match().match
    except NactationError as error:
        loaded = str(error)
    else:
        moves = sum(isinstance(action, Move) for game in match.games for action in game.actions)
        kind = f"{match.length} point match" if match.length else "money session"
        games = _count(len(match.games), "game")
        loaded = f"{' - '.join(match.players)}, {kind}, {games}, {_count(moves, 'roll')}"
    return f"Nactation for the loaded match ({loaded}):\n{_CALLS}"


@_spoken
def show(*, traditional: bool = False) -> str:
    """Print the moves of the loaded match; with `traditional` also as 8/5 6/5.

    Where gnubg has a window, the text goes to the terminal that started it.
    """
    _, annotated = _annotated()
    return format_columns(annotated, traditional=traditional).rstrip()


@_spoken
def annotate() -> str:
    """Give each move of the loaded match a comment with its Nactation, in gnubg itself.

    The comments show in gnubg's annotation window and are saved by `save match`. Other comments
    and the analysis stay; a second time changes nothing. In gnubg's window this takes one or two
    seconds for 100 moves, elsewhere no time.
    """
    record, annotated = _annotated()
    changed, kept = add_comments(record, annotated)
    answer = f"{_count(len(comment_lines(annotated)), 'move')} annotated, "
    answer += f"{_count(changed, 'comment')} changed" if changed else "nothing to change"
    troubles = sum(bool(turn.trouble) for game in annotated.games for turn in game.turns)
    if troubles:
        answer += f"; {_count(troubles, 'move')} without Nactation, as show() tells"
    if kept:
        answer += f"; {_count(kept, 'comment')} kept as they are, not being UTF-8"
    return answer


@_spoken
def export_sgf(path: str) -> str:
    """Write the loaded match, with a comment for each move, to an SGF file."""
    record, annotated = _annotated()
    return _write(path, format_sgf(annotated, record))


@_spoken
def export_text(path: str, *, traditional: bool = False) -> str:
    """Write the moves of the loaded match to a file of text, UTF-8."""
    _, annotated = _annotated()
    return _write(path, format_columns(annotated, traditional=traditional).encode())


def loaded_match() -> sgf.SgfRecord:
    """The match that gnubg has loaded, as gnubg saves it.

    Raises NactationError if there is none, or outside gnubg.
    """
    data = run_command("save match -")  # `gnubg.board()` has none after a game of one move
    if _SGF not in data:
        raise NactationError("no match is loaded")
    return sgf.read(data[data.index(_SGF) :])


def add_comments(record: sgf.SgfRecord, annotated: AnnotatedMatch) -> tuple[int, int]:
    """Put the comments that the loaded match lacks into gnubg; the user's place there is kept.

    Returns how many were changed, and how many were not as they are not UTF-8, the only text that
    gnubg takes. Raises NactationError if gnubg did not do as it was told.
    """
    old = _comments(record.data)
    new = _comments(format_sgf(annotated, record))
    wanted, kept = [], 0
    for place, comment in new.items():
        if comment != old[place]:
            try:
                wanted.append(_Comment(*place, comment.decode("utf-8")))
            except UnicodeDecodeError:
                kept += 1
    if wanted:
        with tempfile.TemporaryFile() as unread, _output_to(unread):
            wanted = list(_put(_gnubg(), wanted))
        now = _comments(loaded_match().data)
        lost = sum(now.get(one[:2]) != one.text.encode() for one in wanted)
        if lost:
            raise NactationError(f"gnubg did not take {_count(lost, 'comment')}")
    return len(wanted), kept


def say(text: str) -> None:
    """Print a text in the letters that the screen has: no more than ASCII where LANG is C."""
    encoding = sys.stdout.encoding or "ascii"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)  # noqa: T201


def run_command(command: str) -> bytes:
    """What gnubg prints at a command, errors too."""
    with tempfile.TemporaryFile() as output:
        with _output_to(output):
            _gnubg().command(command)
        output.seek(0)
        return output.read()


def quoted(path: str) -> str:
    """A path as gnubg's commands take it."""
    return '"{}"'.format(re.sub(r'(["\\])', r"\\\1", path))


class _Comment(NamedTuple):
    game: int
    record: int
    text: str


def _gnubg() -> _Gnubg:
    # The package of this name on PyPI is another thing.
    if "gnubg" not in sys.builtin_module_names:
        raise NactationError("this works inside GNU Backgammon only")
    return cast(_Gnubg, importlib.import_module("gnubg"))


def _annotated() -> tuple[sgf.SgfRecord, AnnotatedMatch]:
    record = loaded_match()
    if not _has_plays(record.match):
        raise NactationError("there is a position but no game: nothing has been played yet")
    return record, annotate_match(record.match)


def _has_plays(match: Match) -> bool:
    actions = (action for game in match.games for action in game.actions)
    return any(isinstance(action, Move) and action.hops for action in actions)


def _comments(data: bytes) -> dict[tuple[int, int], bytes]:
    """The comment of each record by game and place in it (from 0), empty where there is none.

    gnubg saves one tree for each game and one node for each record but a resignation, the last.
    """
    comments = {}
    for game, tree in enumerate(parse(data)):
        for place, node in enumerate(main_line(tree)[1:]):
            found = find_property(node, b"C")
            raw = found.values[0] if found else b""
            comments[game, place] = re.sub(rb"\\(.)", rb"\1", raw, flags=re.DOTALL)
    return comments


def _put(gnubg: _Gnubg, comments: list[_Comment]) -> Iterator[_Comment]:
    """Give the comments to gnubg; those that it has a record for come out again.

    It has none for the roll of a game that is being played, though it saves a node for it.
    """
    records_left = _count_rest(gnubg)
    games_left = _left(gnubg.navigate(game=_FAR), 1)
    for game, group in groupby(comments, key=lambda comment: comment.game):
        _go(gnubg, game, 0)
        records = _count_rest(gnubg)
        _go(gnubg, game, 0)
        at = 0
        for comment in group:
            if comment.record < records:
                if comment.record > at:
                    gnubg.navigate(next=comment.record - at)
                at = comment.record
                gnubg.command(f"annotate move comment {comment.text}")  # to the record that is next
                yield comment
    gnubg.navigate()
    game = _left(gnubg.navigate(game=_FAR), 1) - games_left
    _go(gnubg, game, 0)
    _go(gnubg, game, _count_rest(gnubg) - records_left)


def _count_rest(gnubg: _Gnubg) -> int:
    """How many records of the game are to come; goes to its end."""
    return _FAR - _left(gnubg.navigate(next=_FAR), 0)


def _left(missing: tuple[int, int] | None, index: int) -> int:
    """What gnubg could not do of a step through the records (0) or the games (1)."""
    return missing[index] if missing else 0


def _go(gnubg: _Gnubg, game: int, record: int) -> None:
    gnubg.navigate()
    if game:
        gnubg.navigate(game=game)
    if record:
        gnubg.navigate(next=record)


@contextmanager
def _output_to(file: BinaryIO) -> Iterator[None]:
    """Lead to a file what gnubg prints, which goes by C and past `sys.stdout`."""
    libc = ctypes.CDLL("msvcrt" if os.name == "nt" else None)

    def flush() -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        libc.fflush(None)

    flush()
    screen = {number: os.dup(number) for number in (1, 2)}
    try:
        for number in screen:
            os.dup2(file.fileno(), number)
        yield
    finally:
        flush()
        for number, kept in screen.items():
            os.dup2(kept, number)
            os.close(kept)


def _write(path: str, data: bytes) -> str:
    target = Path(_expressible(os.path.expanduser(path)))
    try:
        write_atomically(target, data)
    except OSError as error:
        raise NactationError(f"{path} cannot be written: {error.strerror or error}") from None
    return f"{path} written"


def _expressible(path: str) -> str:
    """The path in the letters that the system calls take; these are ASCII where LANG is C."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return os.fsdecode(path.encode("utf-8", "surrogateescape"))
    return path


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
