"""A sequence put on gnubg's board, as the game that it tells."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Drop,
    Game,
    Match,
    Move,
    Take,
    acting,
)
from gnubg_nactation.backgammon.notation import Hop, format_play
from gnubg_nactation.backgammon.plays import ROLLS, legal_plays
from gnubg_nactation.errors import NactationError
from gnubg_nactation.files.sgf.writing import from_match
from gnubg_nactation.plugin.board import state_on_board
from gnubg_nactation.plugin.loaded import loaded_match
from gnubg_nactation.plugin.match import describe
from gnubg_nactation.plugin.program import gnubg_module, quoted, run_at_once, spoken
from gnubg_nactation.sequences.decode import DecodedTurn
from gnubg_nactation.sequences.decode import decode as decode_sequence
from gnubg_nactation.sequences.filename import file_name
from gnubg_nactation.sequences.tokens import TokenKind

__all__ = ["decode"]

_FAR = 10**6  # more records than there are
_EVENT = "Nactation "  # and the sequence: what a match that `decode` has loaded is called


@spoken
def decode(text: str = "", *, replace: bool = False) -> str:
    """Put the position behind a sequence on the board, as a game of a money session.

    The first player of the sequence is gnubg's player 0. A loaded match in which something was
    played is let go with `replace` only.
    """
    gnubg = gnubg_module()
    if not text:
        raise NactationError('which sequence? as in decode("54S-63R-31")')
    decoded = decode_sequence(text)
    if not decoded.turns:
        raise NactationError("an empty sequence leads nowhere")
    if not replace:
        _refuse_loss(text)
    jacoby = bool(gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0)["jacoby"])  # as the user has set it
    game = Game(1, (0, 0), tuple(map(_action, decoded.turns)))
    headers = (("Event", f"{_EVENT}{text}"),)
    match = Match(("", ""), 0, (game,), start=decoded.parsed.start, jacoby=jacoby, headers=headers)
    # Without the names of its players the ones that gnubg has stay.
    _load(gnubg, file_name(text), from_match(match).data.replace(b"PW[]PB[]", b"", 1))
    if decoded.turns[-1].token.kind is not TokenKind.PASS:
        wanted = (decoded.state.position, decoded.state.player, decoded.state.roll)
        found = state_on_board(gnubg)
        if (found.position, found.player, found.roll) != wanted:
            raise NactationError("gnubg did not take the position")
    return ", ".join(_told(turn) for turn in decoded.turns)


def _refuse_loss(text: str) -> None:
    """Raise NactationError if the loaded match is more than a set-up that can be had again."""
    try:
        record = loaded_match()
    except NactationError:
        return
    match = record.match
    actions = [action for game in match.games for action in game.actions]
    remarks = any(action.comment or getattr(action, "analysis", None) for action in actions)
    played = any(map(_is_played, actions)) and not _is_set_up(match)
    if remarks or played or any(any(game.score) for game in match.games):
        raise NactationError(
            f"the loaded match would be lost ({describe(match)});"
            f' save it, or let it go: decode("{text}", replace=True)'
        )


def _is_set_up(match: Match) -> bool:
    """Whether the match is what `decode` has loaded, and no more."""
    event = dict(match.headers).get("Event", "")
    try:
        turns = decode_sequence(event.removeprefix(_EVENT)).turns if _EVENT in event else ()
    except NactationError:
        return False
    wanted = [_gist(_action(turn)) for turn in turns]
    return [[_gist(action) for action in game.actions] for game in match.games] == [wanted]


def _gist(action: Action) -> tuple[object, ...]:
    """What an action does, however it is written."""
    if isinstance(action, Move):
        return action.player, action.roll, sorted(hop[:2] for hop in action.hops)
    return acting(action), type(action)


def _is_played(action: Action) -> bool:
    return isinstance(action, Double | Take | Drop) or (
        isinstance(action, Move) and bool(action.hops)
    )


def _action(turn: DecodedTurn) -> Action:
    player = turn.player
    match turn.token.kind:
        case TokenKind.DOUBLE | TokenKind.REDOUBLE:
            return Double(player)
        case TokenKind.TAKE:
            return Take(player)
        case TokenKind.PASS:
            return Drop(player)
    position, roll = turn.before.position, turn.before.roll
    if roll is None:  # a fan by any roll that is one
        fans = (one for one in reversed(ROLLS) if not legal_plays(position, one))
        roll = next(fans, ROLLS[0])
    portions = turn.play.portions if turn.play else ()
    return Move(player, roll, tuple([Hop(*portion[:2], portion.hits) for portion in portions]))


def _told(turn: DecodedTurn) -> str:
    """A token and how it was read."""
    note = f" ({turn.note})" if turn.note else ""
    if turn.play:
        return f"{turn.token.text} {format_play(turn.play)}{note}"
    return f"{turn.token.text}{note or (' to play' if turn.after.roll else '')}"


def _load(gnubg: Any, stem: str, data: bytes) -> None:
    """Load a match of one game and go to its end."""
    asks = gnubg.show("confirm")

    def ask_again() -> tuple[str, ...]:
        return () if gnubg.show("confirm") == asks else ("set confirm new on",)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{stem}.sgf")
        path.write_bytes(data)
        run_at_once(
            "set output output off",
            "set confirm new off",  # whether the match may be discarded is settled
            f"load match {quoted(str(path))}",
            ask_again,
            f"next {_FAR}",
            "set output output on",
        )
    gnubg.command("show board")
