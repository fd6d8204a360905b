"""The position on gnubg's board: its best plays, its sequence, and a sequence put there."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from gnubg_nactation.annotate import annotate
from gnubg_nactation.backgammon.ids import parse_gnubg_id
from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Drop,
    Game,
    Match,
    Move,
    SetPosition,
    Take,
    replay,
)
from gnubg_nactation.backgammon.notation import Hop, format_play
from gnubg_nactation.backgammon.plays import Roll, legal_plays
from gnubg_nactation.backgammon.position import NACKGAMMON
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines.engine import MOST_PLIES, Depth
from gnubg_nactation.engines.inside import InsideGnubg
from gnubg_nactation.engines.shortlist import rank_best
from gnubg_nactation.errors import NactationError
from gnubg_nactation.files.sgf_writing import from_match
from gnubg_nactation.language.bots import gnubg_suffix
from gnubg_nactation.language.decode import DecodedTurn
from gnubg_nactation.language.decode import decode as decode_sequence
from gnubg_nactation.language.families import Families
from gnubg_nactation.language.filename import file_name
from gnubg_nactation.language.nacbrac import format_nacbrac, nacbrac_of
from gnubg_nactation.language.preference import preferred
from gnubg_nactation.language.score import score_of
from gnubg_nactation.language.sequence import sequence
from gnubg_nactation.language.tokens import Says
from gnubg_nactation.plugin.match import describe
from gnubg_nactation.plugin.program import (
    gnubg_module,
    loaded_match,
    output_to,
    quoted,
    run_command,
    spoken,
)
from gnubg_nactation.plugin.records import count_rest, go_back, leave

__all__ = ["best", "decode", "nacbrac", "name"]

_WITHIN = 0.1  # points, as most nacbracs that are published
_LEAST = 2  # plays to show, where there are two
_PLAYING = 1  # gnubg's number for a game that is being played
_MOST_VARIATION = 1  # gnubg's numbers: 0 is backgammon, 1 Nackgammon, the others Hypergammon
_PATIENCE = 0.5  # seconds before progress is shown
_set_up = b""  # the match that `decode` put there, as gnubg saves it


@spoken
def nacbrac(
    plies: int | None = None, *, limit: int | None = None, within: float | None = None
) -> str:
    """Print the best plays of the roll on the board, and what each other one loses.

    gnubg looks so many `plies` ahead, or as many as it is set to. Shown are the best `limit`
    plays, or those that lose no more than `within` points (else 0.1, and two plays at least).
    """
    if (limit is not None and limit < 1) or (within is not None and within < 0):
        raise NactationError("a nacbrac has one play at least")
    gnubg = gnubg_module()
    state, depth = _state_to_play(gnubg), _depth(gnubg, plies)
    usual = limit is None and within is None
    reach = _WITHIN if usual else within
    with _progress(gnubg) as watch:
        rated = rank_best(InsideGnubg(gnubg, watch), state, depth, limit=limit, within=reach)
    if usual:
        near = sum(round(rated[0].equity - one.equity, 3) <= _WITHIN for one in rated)
        limit, reach = max(near, _LEAST), None
    families = Families(legal_plays(state.position, rated[0].play.roll))
    found = nacbrac_of(rated, families, limit=limit, within=reach)
    found = replace(found, score=score_of(state), suffix=gnubg_suffix(depth.plies))
    return f"{state.roll} {format_nacbrac(found)}"


@spoken
def best(plies: int | None = None) -> str:
    """Print the best play of the roll on the board and its equity.

    gnubg looks so many `plies` ahead, or as many as it is set to.
    """
    gnubg = gnubg_module()
    state, depth = _state_to_play(gnubg), _depth(gnubg, plies)
    with _progress(gnubg) as watch:
        first = rank_best(InsideGnubg(gnubg, watch), state, depth, limit=1)[0]
    families = Families(legal_plays(state.position, first.play.roll))
    nactation = preferred(first.play, families).naming.nactation
    return (
        f"{state.roll}{nactation}  {format_play(first.play)}  {first.equity:+.3f}"
        f"  (gnubg {first.method})"
    )


@spoken
def name() -> str:
    """Print the sequence that leads to the position on the board, as the name of a file.

    The name has no ending. `nactate name --decode` reads it back.
    """
    gnubg = gnubg_module()
    state = _state(gnubg)
    match = loaded_match().match
    found = list(_places(match, state))
    if not found:
        raise NactationError("the position on the board is not in the loaded match")
    if len(found) > 1:  # as after two fans in a row
        with tempfile.TemporaryFile() as unread, output_to(unread):
            at = go_back(gnubg, leave(gnubg))
        found.sort(key=lambda place: (place[0] != at[0], abs(place[1] - at[1])))
    index, count = found[0]
    turns = annotate(match).games[index].turns[:count]
    if any(isinstance(one.turn.action, SetPosition) for one in turns):
        raise NactationError("the game was set up on the way: no sequence leads to its positions")
    pairs = [(one.turn, one.namings[0].nactation if one.namings else None) for one in turns]
    text = sequence(pairs)
    if "?" in text:
        raise NactationError("a play on the way is not legal: no sequence leads here")
    roll = str(state.roll) if state.roll else ""
    start = "N " * (match.start == NACKGAMMON)
    return file_name(start + "-".join(filter(None, (text, roll))))


@spoken
def decode(text: str, *, replace: bool = False) -> str:
    """Put the position behind a sequence on the board, as a game of a money session.

    The first player of the sequence is gnubg's player 0. A loaded match in which something was
    played is let go with `replace` only.
    """
    global _set_up  # noqa: PLW0603
    gnubg = gnubg_module()
    decoded = decode_sequence(text)
    if not decoded.turns:
        raise NactationError("an empty sequence leads nowhere")
    if not replace:
        _refuse_loss(text)
    jacoby = bool(gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0)["jacoby"])  # as the user has set it
    actions = tuple(map(_action, decoded.turns))
    game = Game(1, (0, 0), actions)
    match = Match(("", ""), 0, (game,), start=decoded.parsed.start, jacoby=jacoby)
    # Without the names of its players the ones that gnubg has stay.
    _load(gnubg, file_name(text), from_match(match).data.replace(b"PW[]PB[]", b"", 1))
    if decoded.turns[-1].token.says is not Says.PASS:
        wanted = (decoded.state.position, decoded.state.player, decoded.state.roll)
        found = _state(gnubg)
        if (found.position, found.player, found.roll) != wanted:
            raise NactationError("gnubg did not take the position")
    _set_up = loaded_match().data
    return ", ".join(_told(turn) for turn in decoded.turns)


def _state(gnubg: Any) -> GameState:
    """What is on gnubg's board; NactationError if that is not a game to go on with."""
    try:
        info = gnubg.posinfo()
    except Exception:  # so gnubg says that it has none
        raise NactationError("there is no position on the board") from None
    if info["gamestate"] != _PLAYING:
        raise NactationError("no game is being played: this one is over")
    if info["resigned"]:
        raise NactationError("a resignation is offered, which is to be answered first")
    if gnubg.cubeinfo()["bgv"] > _MOST_VARIATION:
        raise NactationError("this is not for Hypergammon")
    return parse_gnubg_id(gnubg.gnubgid())


def _state_to_play(gnubg: Any) -> GameState:
    """What is on gnubg's board, where there is a roll that can be played; else NactationError."""
    state = _state(gnubg)
    if state.doubled:
        raise NactationError("the cube is offered, which is to be answered first")
    if state.roll is None:
        raise NactationError("no dice are rolled; `set dice 31` sets them")
    if not legal_plays(state.position, state.roll):
        raise NactationError(f"nothing can be played with {state.roll}")
    return state


def _depth(gnubg: Any, plies: int | None) -> Depth:
    if plies is None:
        plies = min(gnubg.evalcontext()["plies"], MOST_PLIES)  # the user's own setting
    if plies not in range(MOST_PLIES + 1):
        raise NactationError(f"plies are 0 to {MOST_PLIES}")
    return Depth(plies)


@contextmanager
def _progress(gnubg: Any) -> Iterator[Callable[[int, int], None]]:
    """Show how far the work is, if it takes a while, and keep gnubg's window alive."""
    start, width = time.monotonic(), 0

    def watch(done: int, total: int) -> None:
        nonlocal width
        if time.monotonic() > start + _PATIENCE:
            gnubg.updateui()
            if sys.stdout.isatty():
                text = f"Considering play {done} of {total}"
                width = max(width, len(text))
                sys.stdout.write(f"\r{text:{width}}")
                sys.stdout.flush()

    try:
        yield watch
    finally:
        if width:
            sys.stdout.write(f"\r{'':{width}}\r")
            sys.stdout.flush()


def _places(match: Match, state: GameState) -> Iterator[tuple[int, int]]:
    """Where in the match the state is: the number of its game and of the turns before it."""
    if state.doubled:
        coming: Action = Take(state.player)
    else:
        coming = Move(state.player, state.roll or _ANY_ROLL)
    for index, game in enumerate(match.games):
        if game.score == state.score:
            turns = replay(match, replace(game, actions=(*game.actions, coming)))
            for count, turn in enumerate(turns):
                if turn.state and _is_same(turn.state, state):
                    yield index, count


_ANY_ROLL = Roll(2, 1)
_ALL_ROLLS = tuple(Roll(high, low) for high in range(1, 7) for low in range(1, high + 1))


def _is_same(turn: GameState, board: GameState) -> bool:
    """Whether the moment of a turn is the one on the board, which may not show the roll."""
    return replace(board, roll=board.roll or turn.roll, jacoby=turn.jacoby) == turn


def _refuse_loss(text: str) -> None:
    """Raise NactationError if the loaded match is more than a set-up that can be had again."""
    try:
        record = loaded_match()
    except NactationError:
        return
    games = record.match.games
    kept = any(map(_is_of_value, (action for game in games for action in game.actions)))
    if record.data != _set_up and (kept or any(any(game.score) for game in games)):
        raise NactationError(
            f"the loaded match would be lost ({describe(record.match)});"
            f' save it, or let it go: decode("{text}", replace=True)'
        )


def _is_of_value(action: Action) -> bool:
    if action.comment or getattr(action, "analysis", None):
        return True
    return isinstance(action, Double | Take | Drop) or bool(
        isinstance(action, Move) and action.hops
    )


def _action(turn: DecodedTurn) -> Action:
    player = turn.player
    match turn.token.says:
        case Says.DOUBLE | Says.REDOUBLE:
            return Double(player)
        case Says.TAKE:
            return Take(player)
        case Says.PASS:
            return Drop(player)
    position, roll = turn.before.position, turn.before.roll
    if roll is None:  # a fan by any roll that is one
        fans = (one for one in _ALL_ROLLS if not legal_plays(position, one))
        roll = next(fans, _ANY_ROLL)
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
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{stem}.sgf")
        path.write_bytes(data)
        with _unasked(gnubg):
            gnubg.command(f"load match {quoted(str(path))}")
    with tempfile.TemporaryFile() as unread, output_to(unread):
        missing = count_rest(gnubg)
    if missing:
        gnubg.command("show board")


@contextmanager
def _unasked(gnubg: Any) -> Iterator[None]:
    """Keep gnubg from asking whether its match may be discarded, which is settled."""
    before = gnubg.show("confirm")
    run_command("set confirm new off")
    try:
        yield
    finally:
        if gnubg.show("confirm") != before:  # whatever language it speaks
            run_command("set confirm new on")
