"""Put a sequence on gnubg's board as a game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gnubg_nactation.backgammon.match import Action, CubeAction, Drop, Match, Move
from gnubg_nactation.errors import NactationError
from gnubg_nactation.files.sgf.writing import from_match
from gnubg_nactation.plugin.board import state_on_board
from gnubg_nactation.plugin.dialogs import ask_text, ask_yes
from gnubg_nactation.plugin.loaded import loaded_match
from gnubg_nactation.plugin.program import (
    HIDE_OUTPUT,
    SHOW_OUTPUT,
    gnubg_module,
    output_shown_again,
    path_argument,
    run_at_once,
)
from gnubg_nactation.plugin.saved import describe
from gnubg_nactation.plugin.window import find_window
from gnubg_nactation.sequences.decode import DecodedTurn
from gnubg_nactation.sequences.decode import decode as decode_sequence
from gnubg_nactation.sequences.filename import file_name
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.values import Any
from gnubg_nactation.values import replace as changed

_END = 10**6  # more records than a match has
_EVENT = "Nactation "  # with the sequence, the name of a match that `decode` has loaded


def decode(text: str = "", *, replace: bool = False) -> str:
    """Put the position after a sequence on the board, as a money game."""
    gnubg = gnubg_module()
    if not text:
        raise NactationError('a sequence is missing, as in decode("54S-63R-31")')
    decoded = decode_sequence(text)
    if not decoded.turns:
        raise NactationError("the sequence is empty")
    if not replace and (lost := _loss()):
        raise NactationError(
            f"the loaded match would be lost ({lost});"
            f' save it, or replace it: decode("{text}", replace=True)'
        )
    jacoby = bool(gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0)["jacoby"])  # the user's setting
    headers = (("Event", f"{_EVENT}{text}"),)
    match = changed(decoded.match, jacoby=jacoby, headers=headers)
    _load(gnubg, file_name(text), from_match(match, named=False).data)
    if not isinstance(decoded.turns[-1].action, Drop):
        state, board = decoded.state, state_on_board(gnubg)
        if (board.position, board.player, board.roll) != (state.position, state.player, state.roll):
            raise NactationError("gnubg did not take the position")
    return ", ".join(_reading(turn) for turn in decoded.turns)


def ask(then: Callable[[str], object]) -> str:
    """Ask for a sequence in gnubg's window."""
    window = find_window()
    if window is None:
        raise NactationError('type >nactation_plugin.decode("54S-63R-31")')
    ask_text(window, "A sequence of Nactations, such as 54S-63R-31P:", "Load", then)
    return ""


def load(text: str, then: Callable[[], object]) -> str:
    """Put the position after a sequence on the board; ask first if a match would be lost."""
    window, lost = find_window(), ""
    if decode_sequence(text).turns and window and (lost := _loss()):
        question = f"This replaces the loaded match:\n{lost}.\nSave it first if you need it."
        ask_yes(window, question, "Replace", then)
        return ""
    return decode(text)


def _loss() -> str:
    """The loaded match, if it has more than a sequence can bring back; else empty."""
    try:
        match = loaded_match().match
    except NactationError:
        return ""
    actions = [action for game in match.games for action in game.actions]
    remarks = any(action.comment or getattr(action, "analysis", None) for action in actions)
    played = any(isinstance(done, CubeAction) or getattr(done, "hops", ()) for done in actions)
    scored = any(any(game.score) for game in match.games)
    is_lost = remarks or scored or (played and not _is_set_up(match))
    return describe(match) if is_lost else ""


def _is_set_up(match: Match) -> bool:
    """Whether the match is unchanged since `decode` has loaded it."""
    event = dict(match.headers).get("Event", "")
    try:
        return _EVENT in event and _essence(match) == _essence(
            decode_sequence(event.removeprefix(_EVENT)).match
        )
    except NactationError:
        return False


def _essence(match: Match) -> list[list[tuple[object, ...]]]:
    """The actions of each game, apart from how they are written."""

    def essence(action: Action) -> tuple[object, ...]:
        if isinstance(action, Move):
            return action.player, action.roll, sorted(hop[:2] for hop in action.hops)
        return action.player, type(action)

    return [list(map(essence, game.actions)) for game in match.games]


def _reading(turn: DecodedTurn) -> str:
    """A token with its play and note."""
    play = f" {turn.play}" if turn.play else " to play" if turn.after.roll else ""
    return f"{turn.token.text}{play}" + (f" ({turn.note})" if turn.note else "")


def _load(gnubg: Any, stem: str, data: bytes) -> None:
    """Load a match of one game and go to its end."""
    asks = gnubg.show("confirm")

    def ask_again() -> tuple[str, ...]:
        return () if gnubg.show("confirm") == asks else ("set confirm new on",)

    with temporary_folder() as folder:
        path = Path(folder, f"{stem}.sgf")
        path.write_bytes(data)
        with output_shown_again([ask_again]):
            run_at_once(
                HIDE_OUTPUT,
                "set confirm new off",  # decided already
                f"load match {path_argument(str(path))}",
                ask_again,
                f"next {_END}",
                SHOW_OUTPUT,
            )
    gnubg.command("show board")
