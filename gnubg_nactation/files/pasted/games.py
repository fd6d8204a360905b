"""Reads pasted plays, `31: 8/5 6/5  63: 24/15`, from a forum, an email or a score sheet.

Some or all of them may be Nactation: `54S 63: 24/15 31P`. `decode` reads these, strictly. Rows
may be numbered, in one column or two, with or without the names of the players, and with an XGID,
a Position ID or `Nackgammon` before them. Lines without a play and notes in parentheses are
skipped. Anything else that is not understood, or not legal, is an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

from gnubg_nactation.backgammon.match import (
    Double,
    Drop,
    Match,
    Move,
    Replay,
    Resign,
    Take,
    Turn,
    one_game,
)
from gnubg_nactation.backgammon.notation import Hop, false_star, format_play, parse_hops, resolve
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import CHECKERS
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.files.pasted.lexer import Kind, TextPosition, Token
from gnubg_nactation.files.pasted.turns import GameText, TurnText, error_at, read_games
from gnubg_nactation.sequences.decode import DecodedTurn, decode
from gnubg_nactation.sequences.tiers import fans
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, replace

_MAX_CHARS = 1_000_000
_MAX_LISTED_PLAYS = 3
_LEFT_COLUMN = 15  # a first cell that begins further right belongs to the second player
_MIN_GAP = 8  # blanks after a row number that are an empty cell
_SEATS = {"white": Player.FIRST, "w": Player.FIRST, "black": Player.SECOND, "b": Player.SECOND}
_ACTIONS: dict[Kind, type[Double | Take | Drop | Resign]] = {
    Kind.DOUBLE: Double,
    Kind.BEAVER: Double,
    Kind.TAKE: Take,
    Kind.DROP: Drop,
    Kind.RESIGN: Resign,
}


class Pasted(NamedTuple):
    """A pasted game: its first state, a match of this one game, and its turns.

    The last turns have `places`; turns before them only set the cube and have none.
    """

    start: GameState
    match: Match
    turns: tuple[Turn, ...]
    places: tuple[TextPosition, ...]


def read_pasted(text: str, start: GameState | None = None) -> tuple[Pasted, ...]:
    """Read the games (at least one) of a text; `start` is used if the text has no ID.

    A game begins with `Game N`, with an ID, or when row numbers restart at 1. Each play of a list
    such as `21S 41S` is a game. Every turn must be legal. Raises MalformedError, IllegalError or
    AmbiguousError with the line and column, and with the legal plays.
    """
    if len(text) > _MAX_CHARS:
        raise MalformedError(f"over {_MAX_CHARS:,} characters; paste fewer games at a time")
    games = [
        game
        for game in read_games(text, start)
        if any(turn.kind is not Kind.RESULT for turn in game.turns)
    ]
    if not games:
        example = "31: 8/5 6/5  63: 24/15"
        raise MalformedError(f"no plays in {quoted(text.strip())}; write them like {example!r}")
    return tuple(_replay(text, game) for game in games)


# The player of each turn


def _sides(turns: Sequence[TurnText], *, doubled: bool) -> list[int]:
    """Return the side of each turn; 0 is on roll at the start, and has doubled if `doubled`."""
    sides: list[int] = []
    on_roll, answers = 0, 1 if doubled else None
    for turn in turns:
        if turn.is_roll or turn.kind is Kind.DOUBLE or answers is None:
            sides.append(on_roll)
            answers = 1 - on_roll if turn.kind is Kind.DOUBLE else None
            on_roll ^= turn.is_roll
        else:
            sides.append(answers)
            answers = 1 - answers if turn.kind is Kind.BEAVER else None
    return sides


def _seats(game: GameText) -> dict[str, Player]:
    """Return the players by the names before the turns; empty unless there are two names."""
    names = list(dict.fromkeys(turn.label for turn in game.turns if turn.label))
    if all(name in _SEATS for name in names):
        return {name: _SEATS[name] for name in names}
    if len(names) != 2:
        return {}
    words = [name.split()[0] for name in names]
    if all(word in game.words_above for word in words):
        names.sort(key=lambda name: game.words_above.index(name.split()[0]))
    return dict(zip(names, Player, strict=True))


def _starts_right(game: GameText) -> bool:
    """Whether the first turn is in the right of two columns."""
    first, *others = game.turns
    if game.is_right:
        return True
    if others and others[0].line == first.line:
        return False
    for turn, neighbour in pairwise(others):
        if turn.line == neighbour.line:
            return abs(first.edge - neighbour.edge) < abs(first.edge - turn.edge)
    return first.gap >= _MIN_GAP and first.edge > _LEFT_COLUMN


# The replay


class _WordError(MalformedError):
    """An unreadable word of a play, with its place."""

    def __init__(self, message: str, place: TextPosition) -> None:
        super().__init__(message)
        self.place = place


def _replay(text: str, game: GameText) -> Pasted:
    """Replay a game; raises an error if a turn is not legal."""
    start = game.start or GameState()
    sides, seats = _sides(game.turns, doubled=start.doubled), _seats(game)
    labelled = [
        (turn, Player(seats[turn.label] ^ side))  # the player of side 0 by this turn's label
        for turn, side in zip(game.turns, sides, strict=True)
        if turn.label in seats
    ]
    if start == GameState(start.position):  # the text does not show who begins
        seat = Player.SECOND if _starts_right(game) else Player.FIRST
        start = replace(start, player=labelled[0][1] if labelled else seat)
    first = start.player.other if start.doubled else start.player
    strays = {turn.place for turn, player in labelled if player is not labelled[0][1]}
    ends = {Kind.RESIGN, Kind.RESULT}
    last = max((at for at, turn in enumerate(game.turns, 1) if turn.kind not in ends), default=0)
    match = one_game(start, ())
    board = Replay(match, match.games[0])
    done = [board.turn(action) for action in match.games[0].actions]
    places: list[TextPosition] = []
    over = ""  # how the game has ended
    for at, (turn, side) in enumerate(zip(game.turns, sides, strict=True), 1):
        try:
            if over and turn.kind is not Kind.RESULT:
                raise IllegalError(f"found {quoted(turn.text)}, but {over}")
            if turn.place in strays:
                expected = next((name for name in seats if name != turn.label), "the opponent")
                message = (
                    f"found a turn of {quoted(turn.label)}, expected one of {quoted(expected)}"
                )
                raise IllegalError(message)
            player = Player(first ^ side)
            if turn.kind is Kind.RESULT:
                over = "the game has its result"
                continue
            if turn.kind in _ACTIONS:
                played = _cube_turn(turn, player, board)
                if turn.kind in {Kind.DROP, Kind.RESIGN}:
                    over = f"the game is over with the {turn.kind.value} before it"
            else:
                named = _named(turn, player, board) if turn.kind is Kind.NAME else None
                first_state = game.start if at == 1 else None
                roll = _roll_of(turn, player, board, first_state, named)
                played = _move(turn, player, roll, board, named=named, is_last=at == last)
                if board.board and board.board.off == CHECKERS:
                    over = "the game is over"
        except NactationError as error:
            place = turn.plays[0].place if turn.plays else turn.place
            kind = type(error)
            if isinstance(error, _WordError):
                kind, place = MalformedError, error.place
            raise error_at(kind, text, place, str(error)) from None
        done.append(replace(played, action=replace(played.action, line=turn.place.line)))
        places.append(turn.place)
    actions = [played.action for played in done[len(done) - len(places) :]]
    return Pasted(start, one_game(start, actions), tuple(done), tuple(places))


def _cube_turn(turn: TurnText, player: Player, board: Replay) -> Turn:
    """Carry out a cube action or a resignation; raises IllegalError."""
    state, expected = board.state, ""
    if turn.kind is Kind.DOUBLE:
        if state.doubled:
            expected = "an answer to the double"
        elif state.crawford or state.owner is player.other:
            expected = "a roll: the cube is not this player's"
    elif not state.doubled and turn.kind is not Kind.RESIGN:
        expected = "a double before it"
    if expected:
        raise IllegalError(f"found {quoted(turn.text)}, expected {expected}")
    return board.turn(_ACTIONS[turn.kind](player))


def _named(turn: TurnText, player: Player, board: Replay) -> DecodedTurn:
    """Read the Nactation of a turn as `decode` does; raises an error unless it is strict."""
    text = turn.text
    named = decode(text, start=board.board_of(player), strict=True).turns[0]
    written = named.token.names[:1]
    if written and named.nactation and written[0].mark is not named.nactation.mark:
        raise IllegalError(f"found {quoted(text)}, but no play is an {written[0]}")
    return named


def _roll_of(
    turn: TurnText,
    player: Player,
    board: Replay,
    start: GameState | None,
    named: DecodedTurn | None,
) -> Roll:
    """Return the roll of a turn; for the first turn `start` may have the roll of an ID."""
    rolled = named.state.roll if named else turn.roll
    if start and start.roll and rolled != start.roll:
        raise IllegalError(f"found {quoted(turn.text)}, expected {start.roll}, the roll of the ID")
    position = board.board_of(player)
    dancing = fans(position) if position else ()
    roll = rolled or next(iter(dancing), None)
    if roll is None:
        raise IllegalError(f"found {quoted(turn.text)}, expected a roll with it")
    return roll


def _move(
    turn: TurnText,
    player: Player,
    roll: Roll,
    board: Replay,
    *,
    named: DecodedTurn | None,
    is_last: bool,
) -> Turn:
    """Carry out a roll; the hops of its action are those of the legal play.

    Raises IllegalError or AmbiguousError.
    """
    text = " ".join(token.text for token in turn.plays)
    hops = tuple([hop for token in turn.plays for hop in _hops(token)])
    if named and named.play and not turn.plays:
        text = turn.text
        hops = tuple([Hop(*portion[:2], portion.hits) for portion in named.play.portions])
    replayed = board.turn(Move(player, roll, hops, text), goes_on=not is_last)
    if problem := _problem(turn, roll, hops, replayed):
        raise IllegalError(f"found {problem}")
    if named and named.play != replayed.play:
        meant = format_play(named.play) if named.play else "no play"
        raise IllegalError(f"found {quoted(text)}, but {turn.text} is {meant}")
    portions = replayed.play.portions if replayed.play else ()
    hops = tuple([Hop(*portion[:2], portion.hits) for portion in portions])
    return replace(replayed, action=Move(player, roll, hops, text))


def _problem(turn: TurnText, roll: Roll, hops: Sequence[Hop], replayed: Turn) -> str:
    """Explain why a play is not legal, or return an empty text; raises AmbiguousError."""
    plays, play = replayed.plays, replayed.play
    none = turn.none or (turn.text if turn.kind is Kind.NO_PLAY else "")
    if not turn.plays:
        if none and plays:
            return f"{quoted(none)}, {_expected(plays, roll)}"
        if replayed.problem:
            return f"{quoted(turn.text)} without a play, {_expected(plays, roll)}"
        return ""
    text = quoted(" ".join(token.text for token in turn.plays))
    if turn.none:
        return f"{text} and {quoted(turn.none)}, expected one of them"
    if not plays:
        return f"{text}, expected no play: {roll} has none here"
    if play is None:
        with suppress(IllegalError):
            resolve(hops, plays[0].before, roll, plays)  # raises AmbiguousError if it is ambiguous
        return f"{text}, {_expected(plays, roll)}"
    if wrong := false_star(hops, play):
        return f"{text}, expected {format_play(play)}: nothing is hit on {wrong.target}"
    return ""


def _hops(token: Token) -> tuple[Hop, ...]:
    try:
        return parse_hops(_usual(token.text))
    except MalformedError:
        message = f"found {quoted(token.text)}, expected a play such as 8/5"
        raise _WordError(message, token.place) from None


def _usual(word: str) -> str:
    """Rewrite words such as `b/22`, `3/o`, `8/5 (2)` and `8/5x2` for `parse_hops`."""
    word = word.lower().replace(" ", "").replace("\xd7", "x")
    word = re.sub(r"\(?x?([1-4])x?\)?(\*?)$", r"(\1)\2", word) if {*"(x"} & {*word} else word
    return re.sub(r"/o\b", "/off", re.sub(r"^b/", "bar/", word))


def _expected(plays: Sequence[Play], roll: Roll) -> str:
    names = [format_play(play) for play in plays[:_MAX_LISTED_PLAYS]]
    names += ["..."] * (len(plays) > _MAX_LISTED_PLAYS)
    return f"expected a play of {roll}: {', '.join(names)}"
