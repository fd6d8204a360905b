"""The loaded match: its moves shown, its comments written, and the files that it becomes."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from gnubg_nactation.annotate import AnnotatedMatch
from gnubg_nactation.annotate import annotate as annotate_match
from gnubg_nactation.backgammon.match import Match, Move
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.account import format_account
from gnubg_nactation.exports.sgf import format_sgf
from gnubg_nactation.exports.text import format_columns
from gnubg_nactation.files import sgf
from gnubg_nactation.files.atomic import write_atomically
from gnubg_nactation.files.sgf_tree import find_property, main_line, parse
from gnubg_nactation.plugin.program import gnubg_module, loaded_match, output_to, spoken
from gnubg_nactation.plugin.records import count_rest, go, go_back, leave

__all__ = ["add_comments", "annotate", "describe", "export_sgf", "export_text", "show"]


@spoken
def show(*, traditional: bool = False, errors: bool = True) -> str:
    """Print the moves of the loaded match; with `traditional` also as 8/5 6/5.

    What gnubg has analysed says what it lost, and the errors of both players follow, unless
    `errors` is off. Where gnubg has a window, the text goes to the terminal that started it.
    """
    _, annotated = _annotated()
    return _text(annotated, traditional=traditional, errors=errors).rstrip()


@spoken
def annotate(*, errors: bool = True) -> str:
    """Give each move of the loaded match a comment with its Nactation, in gnubg itself.

    What gnubg has analysed says what it lost, too, unless `errors` is off. The comments show in
    gnubg's annotation window and are saved by `save match`. Other comments and the analysis
    stay; a second time changes nothing. In gnubg's window this takes one or two seconds for 100
    moves, elsewhere no time.
    """
    record, annotated = _annotated()
    changed, kept = add_comments(record, annotated, errors=errors)
    named = sum(bool(turn.nactations) for game in annotated.games for turn in game.turns)
    answer = f"{_count(named, 'move')} annotated, "
    answer += f"{_count(changed, 'comment')} changed" if changed else "nothing to change"
    troubles = sum(bool(turn.trouble) for game in annotated.games for turn in game.turns)
    if troubles:
        answer += f"; {_count(troubles, 'move')} without Nactation, as show() tells"
    if kept:
        answer += f"; {_count(kept, 'comment')} kept as they are, not being UTF-8"
    return answer


@spoken
def export_sgf(path: str, *, errors: bool = True) -> str:
    """Write the loaded match, with comments as `annotate` makes them, to an SGF file."""
    record, annotated = _annotated()
    return _write(path, format_sgf(annotated, record, errors=errors))


@spoken
def export_text(path: str, *, traditional: bool = False, errors: bool = True) -> str:
    """Write what `show` prints to a file of text, UTF-8."""
    _, annotated = _annotated()
    return _write(path, _text(annotated, traditional=traditional, errors=errors).encode())


def add_comments(
    record: sgf.SgfRecord, annotated: AnnotatedMatch, *, errors: bool = True
) -> tuple[int, int]:
    """Put the comments that the loaded match lacks into gnubg; the user's place there is kept.

    Returns how many were changed, and how many were not as they are not UTF-8, the only text that
    gnubg takes. Raises NactationError if gnubg did not do as it was told.
    """
    old = _comments(record.data)
    new = _comments(format_sgf(annotated, record, errors=errors))
    wanted, kept = [], 0
    for place, comment in new.items():
        if comment != old[place]:
            try:
                wanted.append(_Comment(*place, comment.decode("utf-8")))
            except UnicodeDecodeError:
                kept += 1
    if wanted:
        with tempfile.TemporaryFile() as unread, output_to(unread):
            wanted = list(_put(gnubg_module(), wanted))
        now = _comments(loaded_match().data)
        lost = sum(now.get(one[:2]) != one.text.encode() for one in wanted)
        if lost:
            raise NactationError(f"gnubg did not take {_count(lost, 'comment')}")
    return len(wanted), kept


def describe(match: Match) -> str:
    """Players, length and size of a match, in a line."""
    moves = sum(isinstance(action, Move) for game in match.games for action in game.actions)
    kind = f"{match.length} point match" if match.length else "money session"
    games = _count(len(match.games), "game")
    return f"{' - '.join(match.players)}, {kind}, {games}, {_count(moves, 'roll')}"


class _Comment(NamedTuple):
    game: int
    record: int
    text: str


def _annotated() -> tuple[sgf.SgfRecord, AnnotatedMatch]:
    record = loaded_match()
    if not _has_plays(record.match):
        raise NactationError("there is a position but no game: nothing has been played yet")
    return record, annotate_match(record.match)


def _text(annotated: AnnotatedMatch, *, traditional: bool, errors: bool) -> str:
    text = format_columns(annotated, traditional=traditional, errors=errors)
    account = format_account(annotated) if errors else ""
    return f"{text}\n{account}" if account else text


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


def _put(gnubg: Any, comments: list[_Comment]) -> Iterator[_Comment]:
    """Give the comments to gnubg; those that it has a record for come out again.

    It has none for the roll of a game that is being played, though it saves a node for it.
    """
    rest = leave(gnubg)
    for game, group in groupby(comments, key=lambda comment: comment.game):
        go(gnubg, game, 0)
        records = count_rest(gnubg)
        go(gnubg, game, 0)
        at = 0
        for comment in group:
            if comment.record < records:
                if comment.record > at:
                    gnubg.navigate(next=comment.record - at)
                at = comment.record
                gnubg.command(f"annotate move comment {comment.text}")  # to the record that is next
                yield comment
    go_back(gnubg, rest)


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
