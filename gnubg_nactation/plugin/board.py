"""The position on gnubg's board: its best plays, its sequence, and a sequence put there."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedTurn, annotate
from gnubg_nactation.backgammon.ids import parse_gnubg_id
from gnubg_nactation.backgammon.match import (
    Action,
    CubeAction,
    Double,
    Drop,
    Match,
    Move,
    SetCube,
    SetPosition,
    Take,
    replay,
)
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import ROLLS, Roll, legal_plays
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import nacbrac_text
from gnubg_nactation.engines.engine import MAX_PLIES, Depth
from gnubg_nactation.engines.inside import InsideGnubg
from gnubg_nactation.engines.nacbracs import plays_to_judge
from gnubg_nactation.engines.shortlist import rank_best
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.text import game_sequence
from gnubg_nactation.files.sgf import from_match
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.plugin.loaded import loaded_match, look
from gnubg_nactation.plugin.program import (
    HIDE_OUTPUT,
    SHOW_OUTPUT,
    gnubg_module,
    output_shown_again,
    path_argument,
    run_at_once,
)
from gnubg_nactation.plugin.saved import Loaded, describe
from gnubg_nactation.plugin.window import ask_text, ask_yes, find_window, show_status
from gnubg_nactation.sequences.decode import DecodedTurn
from gnubg_nactation.sequences.decode import decode as decode_sequence
from gnubg_nactation.sequences.filename import file_name
from gnubg_nactation.sequences.notation import start_prefix
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.tasks.face import Library, showing_progress
from gnubg_nactation.tasks.nacbracs import ListingSettings, judge_for_nacbrac
from gnubg_nactation.values import Any, replace
from gnubg_nactation.values import replace as changed

# The board

_PLAYING = 1  # gnubg's number for a game that is being played
_NO_POSITION = "there is no position on the board; open a match and choose a move"
_MAX_VARIATION = 1  # gnubg's numbers: 0 is backgammon, 1 Nackgammon, the others Hypergammon


def state_on_board(gnubg: Any) -> GameState:
    """The state on gnubg's board; NactationError if no game of backgammon is going on."""
    try:
        info = gnubg.posinfo()
    except Exception:  # gnubg has none
        raise NactationError(_NO_POSITION) from None
    if info["gamestate"] != _PLAYING:
        raise NactationError("this game is over; choose a move of it")
    if info["resigned"]:
        raise NactationError("answer the resignation first")
    if gnubg.cubeinfo()["bgv"] > _MAX_VARIATION:
        raise NactationError("Hypergammon has no Nactation")
    return parse_gnubg_id(gnubg.gnubgid())


def shown_state(gnubg: Any) -> tuple[GameState, Loaded]:
    """The state on gnubg's board, with the roll of the match, and the match.

    In a match gnubg shows the next roll but has not rolled it, and before the first roll of a
    game it has no position.
    """
    if gnubg.board() is None:
        with suppress(NactationError):
            loaded = look()
            game = loaded.record.match.games[loaded.place.game]
            first = next(replay(loaded.record.match, game), None)
            if not loaded.place.passed and first and first.state:
                return first.state, loaded
        raise NactationError(_NO_POSITION)
    state = state_on_board(gnubg)
    loaded = look()
    coming = loaded.coming
    if (
        isinstance(coming, Move)
        and coming.player is state.player
        and state.roll is None
        and not state.doubled
    ):
        state = replace(state, roll=coming.roll)
    return state, loaded


# The best plays and cube actions, according to gnubg

_NO_ROLL = "no dice on the board; roll them, or choose a move with a roll"
_QUIET = 0.5  # seconds before progress is shown


def nacbrac(
    plies: int | None = None,
    *,
    limit: int | None = None,
    within: float | None = None,
    cube: bool = False,
    all: bool = False,  # noqa: A002 (a word for users)
) -> str:
    """Print the best plays of the roll on the board, with their errors."""
    if (limit is not None and limit < 1) or (within is not None and within < 0):
        raise NactationError("limit must be at least 1, and within at least 0")
    gnubg = gnubg_module()
    state, loaded = shown_state(gnubg)
    depth, settings = _depth(gnubg, plies), ListingSettings(limit=limit, within=within)
    if state.doubled and _is_beaver(loaded):
        raise NactationError("beavers cannot be judged")
    if not all and (cube or state.doubled or (state.roll is None and state.may_double)):
        engine = InsideGnubg(gnubg)
        decision = judge_for_nacbrac(engine, state, depth, settings, Library(), cube=True)
        return f"cube {nacbrac_text(decision)}"
    if state.doubled:
        raise NactationError("answer the double first")
    if state.roll is None and not all:
        raise NactationError(_NO_ROLL)

    def line(state: GameState, label: str) -> str:
        with showing_progress(_Status(gnubg), label) as watch:
            engine = InsideGnubg(gnubg, watch.step)
            decision = judge_for_nacbrac(engine, state, depth, settings, watch)
        return f"{state.roll} {nacbrac_text(decision)}"

    if not all:
        return line(state, "play")
    return "\n".join(
        line(replace(state, roll=roll), f"{roll}, play")
        if legal_plays(state.position, roll)
        else f"{roll}^"
        for roll in ROLLS
    )


def best(plies: int | None = None) -> str:
    """Print the best play of the roll on the board and its equity."""
    gnubg = gnubg_module()
    state, _ = shown_state(gnubg)
    depth = _depth(gnubg, plies)
    if state.doubled:
        raise NactationError("answer the double first")
    if state.roll is None:
        raise NactationError(_NO_ROLL)
    plays = plays_to_judge(state)
    with showing_progress(_Status(gnubg), "play") as watch:
        first = rank_best(InsideGnubg(gnubg, watch.step), state, depth, limit=1)[0]
    nactation = plays.name(first.play).naming.nactation
    return (
        f"{state.roll}{nactation}  {format_play(first.play)}  {first.equity:+.3f}"
        f"  (gnubg {first.method})"
    )


def _is_beaver(loaded: Loaded) -> bool:
    """Whether the double on offer answers a double."""
    game, passed = loaded.place
    earlier = loaded.record.match.games[game].actions[max(passed - 2, 0) : passed]
    return len(earlier) > 1 and all(isinstance(action, Double) for action in earlier)


def _depth(gnubg: Any, plies: int | None) -> Depth:
    if plies is None:
        own: int = gnubg.evalcontext()["plies"]  # the user's setting
        plies = min(own, MAX_PLIES)
    if plies not in range(MAX_PLIES + 1):
        raise NactationError(f"plies must be 0 to {MAX_PLIES}")
    return Depth(plies)


class _Status(Library):
    """Shows progress if the work takes a while, and keeps gnubg's window responsive."""

    def __init__(self, gnubg: Any) -> None:
        super().__init__()
        self._gnubg, self._window = gnubg, find_window()
        self._label, self._start, self._width = "", 0.0, 0

    def begin(self, activity: str, total: int = 0, unit: str = "") -> None:  # noqa: ARG002 (of Watch)
        """Begin to consider plays."""
        self._label, self._start, self._width = activity, time.monotonic(), 0

    def step(self, done: int, total: int = 0, *, failed: int = 0) -> None:  # noqa: ARG002 (of Watch)
        """Show the number of the play."""
        if time.monotonic() > self._start + _QUIET:
            text = f"Considering {self._label} {done} of {total}"
            if self._window:
                show_status(self._window, text)
            elif sys.stdout and sys.stdout.isatty():
                self._width = max(self._width, len(text))
                sys.stdout.write(f"\r{text:{self._width}}")
                sys.stdout.flush()
            self._gnubg.updateui()

    def end(self) -> None:
        """Clear the line of a terminal."""
        if self._width:
            sys.stdout.write(f"\r{'':{self._width}}\r")
            sys.stdout.flush()


# The plays made there, from a database of games


def explore(path: str | None = None) -> str:
    """Print the plays made in the position on the board, with its roll if it has one."""
    # Only this call needs SQLite, which a Python may lack.
    from gnubg_nactation.archive.database import archive_at, default_path  # noqa: PLC0415
    from gnubg_nactation.exports.explorer.table import format_node  # noqa: PLC0415
    from gnubg_nactation.tasks import library  # noqa: PLC0415

    state = shown_state(gnubg_module())[0].before_double
    file = os.path.expanduser(path or default_path())
    if not (path or os.environ.get("NACTATION_DB") or os.path.exists(file)):
        file = os.path.expanduser(os.path.join("~", file))
    if path is None and not os.path.exists(file):
        raise NactationError(f"no games to explore: make {file} from your matches (nactate index)")
    with archive_at(file) as archive:
        explored = library.explore(archive, state, name=file)
    node = explored.nodes[state.position]
    return format_node(node, "", explored.about, explored.nacbracs, explored.book).rstrip()


# The sequence to the position

_ANY_ROLL = Roll(2, 1)
_SET_UP = SetPosition, SetCube  # what no sequence passes


def name() -> str:
    """Print the sequence to the position on the board as a file name."""
    state, loaded = shown_state(gnubg_module())
    match = loaded.record.match
    places = list(_places(match, state))
    current = loaded.place  # two fans in a row repeat a position
    index, count = min(
        places,
        key=lambda place: (place[0] != current.game, abs(place[1] - current.passed)),
        default=(current.game, None),
    )
    game = annotate(match).games[index]
    turns = game.turns[:count]
    if any(isinstance(turn.action, _SET_UP) for turn in turns):
        raise NactationError("no sequence leads here: a position was set up in this game")
    if game.cube != 1 or any(turn.raised > 1 for turn in turns):
        raise NactationError(
            "no sequence leads here: a beaver or an automatic double has no letter"
        )
    if not places:
        raise NactationError("the position on the board is not in the loaded match")
    if state.roll:
        move, plays = Move(state.player, state.roll), Plays(state.position, state.roll)
        # A sequence plays a roll that leaves no choice.
        turns += (AnnotatedTurn(len(turns) + 1, move, state, plays=plays),) * (len(plays) > 1)
    text = game_sequence(AnnotatedGame.of(game, turns))
    if "?" in text:
        raise NactationError("no sequence leads here: an earlier play is not legal")
    return file_name(text or start_prefix(match.start))


def _places(match: Match, state: GameState) -> Iterator[tuple[int, int]]:
    """The places of a state in a match: the index of the game, and the turns before it.

    Those after a set-up position are left out.
    """
    coming = Take(state.player) if state.doubled else Move(state.player, state.roll or _ANY_ROLL)
    for index, game in enumerate(match.games):
        if game.score == state.score:
            actions = takewhile(lambda action: not isinstance(action, _SET_UP), game.actions)
            turns = replay(match, replace(game, actions=(*actions, coming)))
            for count, turn in enumerate(turns):
                if turn.state is None:
                    continue
                roll = state.roll or turn.state.roll  # the board may not show it
                if turn.state == replace(state, roll=roll, jacoby=turn.state.jacoby):
                    yield index, count


# A sequence put on the board as a game

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


def load(text: str, confirmed: str, then: Callable[[str], object]) -> str:
    """Put the position after a sequence on the board; ask first if a match would be lost.

    `then` gets the match that the user was asked about, which is to be `confirmed`: while the box
    is open, another match may be loaded.
    """
    window, lost = find_window(), ""
    if decode_sequence(text).turns and window and (lost := _loss()) and lost != confirmed:
        question = f"This replaces the loaded match:\n{lost}.\nSave it first if you need it."
        ask_yes(window, question, "Replace", lambda: then(lost))
        return ""
    return decode(text, replace=bool(confirmed))


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
