"""The loaded match: its moves shown, its comments written, and the files that it becomes."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path

from gnubg_nactation.annotation import AnnotatedMatch
from gnubg_nactation.annotation import annotate as annotate_match
from gnubg_nactation.backgammon.match import Match, Move
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.names import LONGEST
from gnubg_nactation.exports.page.html import first_mistake, format_html
from gnubg_nactation.exports.sgf import format_sgf
from gnubg_nactation.exports.text import format_columns
from gnubg_nactation.plugin.comments import change_comments
from gnubg_nactation.plugin.folder import PAGE, QUIZ, TEXT, our_folder
from gnubg_nactation.plugin.loaded import Loaded, has_plays, look
from gnubg_nactation.plugin.program import spoken
from gnubg_nactation.plugin.window import file_name, find_window
from gnubg_nactation.showing import shown
from gnubg_nactation.system.atomic import write_atomically

__all__ = ["annotate", "describe", "export_sgf", "export_text", "page", "quiz", "show"]


@spoken
def show(*, traditional: bool = False, errors: bool = True) -> str:
    """Print the moves of the loaded match; with `traditional` also as 8/5 6/5.

    What gnubg has analysed says what it lost, and the errors of both players follow, unless
    `errors` is off. In a window the text becomes a file, which is opened.
    """
    _, annotated = _annotated()
    text = format_columns(annotated, traditional=traditional, errors=errors)
    if find_window() is None:
        return text.rstrip()
    return _open(_write(our_folder() / TEXT, text.encode()))


@spoken
def annotate(*, errors: bool = True) -> str:
    """Give each move of the loaded match a comment with its Nactation, in gnubg itself.

    A move that gnubg has analysed gets its nacbrac, too, unless `errors` is off. The comments show
    in gnubg's panel Commentary and are saved with the match. Other comments and the analysis stay;
    a second time changes nothing.
    """
    made: list[AnnotatedMatch] = []

    def wanted(loaded: Loaded) -> bytes:
        made.append(_annotate(loaded))
        return format_sgf(made[0], loaded.record, errors=errors)

    done = change_comments(wanted)
    turns = [turn for game in made[0].games for turn in game.turns]
    named = sum(bool(turn.nactations) for turn in turns)
    changed = done.changed - done.new
    parts = [_count(done.new, "new comment")] * bool(done.new)
    parts += [f"{_count(changed, 'comment')} changed"] * bool(changed)
    answer = f"{_count(named, 'move')} annotated, {', '.join(parts) or 'nothing to change'}"
    troubles = sum(bool(turn.trouble) for turn in turns)
    if troubles:
        answer += f"; {_count(troubles, 'move')} without Nactation, see show()"
    if done.kept:
        as_it_is = "as it is" if done.kept == 1 else "as they are"
        answer += f"; {_count(done.kept, 'comment')} kept {as_it_is}, not being UTF-8"
    return answer


@spoken
def export_sgf(path: str = "", *, errors: bool = True) -> str:
    """Write the loaded match, with comments as `annotate` makes them, to an SGF file.

    Without a path it becomes a new file in the folder Nactation of your home.
    """
    loaded, annotated = _annotated()
    data = format_sgf(annotated, loaded.record, errors=errors)
    return f"{_write(_target(path, '.sgf', annotated.match), data)} written"


@spoken
def export_text(path: str = "", *, traditional: bool = False, errors: bool = True) -> str:
    """Write what `show` prints to a file of text, UTF-8; without a path as `export_sgf` does."""
    _, annotated = _annotated()
    text = format_columns(annotated, traditional=traditional, errors=errors)
    return f"{_write(_target(path, '.txt', annotated.match), text.encode())} written"


@spoken
def page() -> str:
    """Open the page of the loaded match in the browser."""
    _, annotated = _annotated()
    return _open(_write_page(annotated))


@spoken
def quiz() -> str:
    """Open the page of the loaded match in the browser, at the first mistake."""
    _, annotated = _annotated()
    anchor = first_mistake(annotated)
    if not anchor:
        raise NactationError("no mistake is known: let gnubg analyse the match first")
    written = _write_page(annotated)
    # What a file's address has behind `#` gets lost on the way to some browsers.
    address = f"{written.name}#{anchor}".replace(" ", "%20")
    start = f'<!doctype html><meta http-equiv="refresh" content="0; url={address}">\n'
    return _open(_write(our_folder() / QUIZ, start.encode()))


def describe(match: Match) -> str:
    """Players, length and size of a match, in a line."""
    moves = sum(isinstance(action, Move) for game in match.games for action in game.actions)
    kind = f"{match.length} point match" if match.length else "money session"
    games = _count(len(match.games), "game")
    players = (shown(name, LONGEST) for name in match.players)
    return f"{' - '.join(players)}, {kind}, {games}, {_count(moves, 'roll')}"


def _annotated() -> tuple[Loaded, AnnotatedMatch]:
    loaded = look()
    return loaded, _annotate(loaded)


def _annotate(loaded: Loaded) -> AnnotatedMatch:
    if not has_plays(loaded.record.match):
        raise NactationError("there is a position but no game: nothing has been played yet")
    return annotate_match(loaded.record.match)


def _target(path: str, ending: str, match: Match) -> Path:
    """The file of that path; without one a new file in our folder, named after the match."""
    if path:
        target = Path(_expressible(os.path.expanduser(path)))
        if not target.parent.is_dir():
            raise NactationError(f"{path} cannot be written: there is no folder {target.parent}")
        return target
    name = file_name(find_window()) or " - ".join(match.players)
    name = "".join(
        letter if letter not in '<>:"/\\|?*' and letter.isprintable() else "_" for letter in name
    )
    folder = our_folder()
    names = (f"{name}{number}{ending}" for number in ("", *(f" {n}" for n in range(2, 10_000))))
    return next(target for one in names if not (target := folder / _expressible(one)).exists())


def _write_page(annotated: AnnotatedMatch) -> Path:
    return _write(our_folder() / PAGE, format_html([annotated]).encode())


def _write(target: Path, data: bytes) -> Path:
    try:
        write_atomically(target, data)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", "") or error
        raise NactationError(f"{target} cannot be written: {reason}") from None
    return target


def _open(file: Path) -> str:
    """Show a file in the browser, or whatever shows such files here."""
    opened = webbrowser.open(file.as_uri())
    return f"{file} {'opened' if opened else 'written, to be opened in a browser'}"


def _expressible(path: str) -> str:
    """The path in the letters that the system calls take; these are ASCII where LANG is C."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return os.fsdecode(path.encode("utf-8", "surrogateescape"))
    return path


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
