"""Show, annotate and export the loaded match."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path

from gnubg_nactation.annotation import AnnotatedMatch
from gnubg_nactation.annotation import annotate as annotate_match
from gnubg_nactation.backgammon.match import Match
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.page.html import QUIZ_ANCHOR, format_html, has_mistakes
from gnubg_nactation.exports.sgf import format_sgf
from gnubg_nactation.exports.text import format_columns
from gnubg_nactation.plugin.comments import change_comments
from gnubg_nactation.plugin.folder import PAGE, QUIZ, TEXT, our_folder
from gnubg_nactation.plugin.loaded import look
from gnubg_nactation.plugin.saved import Loaded, has_plays
from gnubg_nactation.plugin.window import file_name, find_window
from gnubg_nactation.showing import counted, quoted
from gnubg_nactation.system.atomic import write_atomically


def show(*, traditional: bool = False, errors: bool = True) -> str:
    """Print the moves of the loaded match; with `traditional` also as 8/5 6/5."""
    _, annotated = _annotated()
    text = format_columns(annotated, traditional=traditional, errors=errors)
    if find_window() is None:
        return text.rstrip()
    return _open(_write(our_folder() / TEXT, text.encode()))


def annotate(*, errors: bool = True) -> str:
    """Comment on each move of the loaded match with its Nactation, in gnubg itself."""
    matches: list[AnnotatedMatch] = []

    def annotated(loaded: Loaded) -> bytes:
        matches.append(_annotate(loaded))
        return format_sgf(matches[0], loaded.record, errors=errors)

    done = change_comments(annotated)
    turns = [turn for game in matches[0].games for turn in game.turns]
    named = sum(bool(turn.nactations) for turn in turns)
    changed = done.changed - done.new
    parts = [counted(done.new, "new comment")] * bool(done.new)
    parts += [f"{counted(changed, 'comment')} changed"] * bool(changed)
    answer = f"{counted(named, 'move')} annotated, {', '.join(parts) or 'already up to date'}"
    troubles = sum(bool(turn.trouble) for turn in turns)
    if troubles:
        answer += f"; {counted(troubles, 'move')} without Nactation, see show()"
    if done.skipped:
        answer += f"; {counted(done.skipped, 'comment')} left unchanged (not UTF-8)"
    return answer


def export_sgf(path: str | None = None, *, errors: bool = True) -> str:
    """Save the loaded match, with comments as by `annotate`, as SGF."""
    loaded, annotated = _annotated()
    data = format_sgf(annotated, loaded.record, errors=errors)
    return f"{_write(_target(path, '.sgf', annotated.match), data)} saved"


def export_text(path: str | None = None, *, traditional: bool = False, errors: bool = True) -> str:
    """Save the moves as `show` prints them, in UTF-8."""
    _, annotated = _annotated()
    text = format_columns(annotated, traditional=traditional, errors=errors)
    return f"{_write(_target(path, '.txt', annotated.match), text.encode())} saved"


def page() -> str:
    """Open the page of the loaded match in the browser."""
    _, annotated = _annotated()
    return _open(_write_page(annotated))


def quiz() -> str:
    """Open the quiz on the mistakes of the loaded match in the browser."""
    _, annotated = _annotated()
    if not has_mistakes(annotated):
        raise NactationError("no mistakes to ask about; analyse the match first")
    file = _write_page(annotated)
    # Some browsers are started without the part of a file's address after `#`.
    address = f"{file.name}#{QUIZ_ANCHOR}".replace(" ", "%20")
    start = f'<!doctype html><meta http-equiv="refresh" content="0; url={address}">\n'
    return _open(_write(our_folder() / QUIZ, start.encode()))


def _annotated() -> tuple[Loaded, AnnotatedMatch]:
    loaded = look()
    return loaded, _annotate(loaded)


def _annotate(loaded: Loaded) -> AnnotatedMatch:
    if not has_plays(loaded.record.match):
        raise NactationError("nothing has been played yet")
    return annotate_match(loaded.record.match)


def _target(path: str | None, ending: str, match: Match) -> Path:
    """The file at the path; without a path a new file in our folder, named after the match."""
    if path is not None:
        if not path or "\0" in path:
            raise NactationError(f"a file cannot be called {quoted(path)}")
        target = Path(_expressible(os.path.expanduser(path)))
        if not target.parent.is_dir():
            raise NactationError(f"{path} cannot be saved: there is no folder {target.parent}")
        return target
    name = file_name(find_window()) or " - ".join(match.players)
    name = "".join(
        letter if letter not in '<>:"/\\|?*' and letter.isprintable() else "_" for letter in name
    )
    folder = our_folder()
    names = (f"{name}{number}{ending}" for number in ("", *(f" {n}" for n in range(2, 10_000))))
    return next(target for name in names if not (target := folder / _expressible(name)).exists())


def _write_page(annotated: AnnotatedMatch) -> Path:
    return _write(our_folder() / PAGE, format_html([annotated]).encode())


def _write(target: Path, data: bytes) -> Path:
    try:
        write_atomically(target, data)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", "") or error
        raise NactationError(f"{target} cannot be saved: {reason}") from None
    return target


def _open(file: Path) -> str:
    """Open a file in the browser, or in the program for such files."""
    opened = webbrowser.open(file.as_uri())
    return f"{file} {'opened' if opened else 'saved; open it in a browser'}"


def _expressible(path: str) -> str:
    """The path as system calls take it, also with LANG=C, which allows ASCII only."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return os.fsdecode(path.encode("utf-8", "surrogateescape"))
    return path
