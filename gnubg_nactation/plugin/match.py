"""Show, annotate and export the loaded match."""

from __future__ import annotations

import os
import re
import webbrowser
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import groupby, islice
from pathlib import Path

from gnubg_nactation.annotation import AnnotatedMatch
from gnubg_nactation.annotation import annotate as annotate_match
from gnubg_nactation.backgammon.match import Match, Move, places_in
from gnubg_nactation.decisions.severity import losses, severity
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.page.html import QUIZ_ANCHOR, format_html, has_mistakes
from gnubg_nactation.exports.sgf import PREFIX, format_sgf
from gnubg_nactation.exports.text import format_columns
from gnubg_nactation.files.sgf import SgfRecord, find_property, main_line, parse, with_comment_lines
from gnubg_nactation.plugin.loaded import look
from gnubg_nactation.plugin.program import (
    HIDE_OUTPUT,
    SHOW_OUTPUT,
    Step,
    gnubg_module,
    is_line,
    output_shown_again,
)
from gnubg_nactation.plugin.saved import Loaded, RecordIndex, has_plays
from gnubg_nactation.plugin.window import (
    ask_file,
    file_name,
    find_window,
    shows_comments,
    without_clicks,
)
from gnubg_nactation.showing import counted, quoted
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.tasks.gnubg_menu import PAGE, PLACE, TEXT, our_folder
from gnubg_nactation.values import Any, NamedTuple

# Comments. gnubg takes one for the next record at its current place. So it gets all of them at
# once, game by game, while no click can lead it elsewhere.


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
            if not texts:
                raise
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


# The calls

_PLAYING = 1  # gnubg's number for a game that is being played


def show(*, traditional: bool = False, errors: bool = True) -> str:
    """Print the moves of the loaded match; with `traditional` also as 8/5 6/5."""
    _, annotated = _annotated()
    text = format_columns(annotated, traditional=traditional, errors=errors)
    if find_window() is None:
        return text.rstrip()
    file = _write(our_folder() / TEXT, text.encode())
    return _open(file, file)


def annotate(*, errors: bool = True) -> str:
    """Comment on each move of the loaded match with its Nactation, in gnubg itself."""
    results: list[tuple[Loaded, AnnotatedMatch]] = []

    def annotated(loaded: Loaded) -> bytes:
        results.append((loaded, _annotate(loaded)))
        return format_sgf(results[0][1], loaded.record, errors=errors)

    error: list[str] = []

    def open_panel() -> Iterator[Step]:
        """Open gnubg's panel for comments."""
        if window and not shows_comments(window):
            yield "set annotation on"

    def to_first_error() -> Iterator[Step]:
        """Go to the first error unless a move is chosen."""
        loaded, match = results[0]
        if window and loaded.coming is None and gnubg_module().posinfo()["gamestate"] != _PLAYING:
            for place, name in islice(_errors(loaded, match), 1):
                error.append(name)
                yield from go_to(place)

    window = find_window()
    done = change_comments(annotated, open_panel, to_first_error)
    _, match = results[0]
    turns = [turn for game in match.games for turn in game.turns]
    named = sum(bool(turn.nactations) for turn in turns)
    changed = done.changed - done.new
    parts = [counted(done.new, "new comment")] * bool(done.new)
    parts += [f"{counted(changed, 'comment')} changed"] * bool(changed)
    answer = f"{counted(named, 'move')} annotated, {', '.join(parts) or 'already up to date'}"
    troubles = sum(bool(turn.trouble) for turn in turns)
    if troubles:
        answer += f"; {counted(troubles, 'move')} without Nactation, see the move list"
    if done.skipped:
        answer += f"; {counted(done.skipped, 'comment')} left unchanged (not UTF-8)"
    answer += "".join(f"; here is the first error, {name}" for name in error)
    if window and not shows_comments(window):
        answer += "; to see them, View > Panels > Commentary"
    return answer


def _errors(loaded: Loaded, match: AnnotatedMatch) -> Iterator[tuple[RecordIndex, str]]:
    """The places of errors in gnubg, with their names."""
    for at, game in enumerate(match.games):
        names, places = places_in(game.number, game.turns), loaded.indices(at)
        for turn, name, place in zip(game.turns, names, places, strict=True):
            if place and any(map(severity, losses(turn))):
                yield place, name


def remove() -> str:
    """Remove our comments from the loaded match, in gnubg itself; the user's stay."""

    def bare(loaded: Loaded) -> bytes:
        lines = {
            (game, action): None
            for game, nodes in enumerate(loaded.record.nodes)
            for action, node in enumerate(nodes)
            if node is not None
        }
        return with_comment_lines(loaded.record, PREFIX, lines)

    done = change_comments(bare)
    if not done.changed:
        raise NactationError("the match has no Nactation comments")
    return f"{counted(done.changed, 'Nactation comment')} removed"


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


def ask_where(kind: str, save: Callable[[str], object]) -> str:
    """Ask where to save the loaded match; `kind` is text or SGF."""
    window = find_window()
    if window is None:
        raise NactationError("this needs gnubg's window")
    _, annotated = _annotated()
    proposal = _target(None, {"text": ".txt", "SGF": ".sgf"}[kind], annotated.match)
    with suppress(OSError):  # the user may choose another folder
        proposal.parent.mkdir(exist_ok=True)
    ask_file(window, f"Save the Nactation as {kind}", str(proposal), save)
    return ""


def page() -> str:
    """Open the page of the loaded match in the browser, at the user's move."""
    loaded, annotated = _annotated()
    return _open_page(annotated, _anchor(loaded, annotated))


def quiz() -> str:
    """Open the quiz on the mistakes of the loaded match in the browser, from the user's move."""
    loaded, annotated = _annotated()
    if not has_mistakes(annotated):
        raise NactationError("no mistakes to ask about; analyse the match first")
    anchor = _anchor(loaded, annotated)
    return _open_page(annotated, f"{QUIZ_ANCHOR}-{anchor}" if anchor else QUIZ_ANCHOR)


def _anchor(loaded: Loaded, annotated: AnnotatedMatch) -> str:
    """The page's anchor of the user's move; empty after the last one."""
    game = annotated.games[loaded.place.game]
    names, places = places_in(game.number, game.turns), loaded.indices(loaded.place.game)
    return next((name for name, at in zip(names, places, strict=True) if at == loaded.place), "")


def _open_page(annotated: AnnotatedMatch, anchor: str) -> str:
    page = _write(our_folder() / PAGE, format_html([annotated]).encode())
    if not anchor:
        return _open(page, page)
    # Some browsers are started without the part of a file's address after `#`.
    address = f"{page.name}#{anchor}".replace(" ", "%20")
    start = f'<!doctype html><meta http-equiv="refresh" content="0; url={address}">\n'
    return _open(_write(our_folder() / PLACE, start.encode()), page)


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


def _write(target: Path, data: bytes) -> Path:
    try:
        write_atomically(target, data)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", "") or error
        raise NactationError(f"{target} cannot be saved: {reason}") from None
    return target


def _open(file: Path, content: Path) -> str:
    """Open a file that leads to the content, in the browser or the program for such files.

    Whether one comes up is not known: a browser that refuses may give no sign.
    """
    is_started = webbrowser.open(file.as_uri())
    return f"{content} saved; {'opening it' if is_started else 'open it in a browser'}"


def _expressible(path: str) -> str:
    """The path as system calls take it, also with LANG=C, which allows ASCII only."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return os.fsdecode(path.encode("utf-8", "surrogateescape"))
    return path
