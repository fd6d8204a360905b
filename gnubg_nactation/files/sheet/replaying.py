"""Replays the tokens of one game of a score sheet, and checks what its rows show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Move,
    Resign,
    Take,
)
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.position import CHECKERS, Position
from gnubg_nactation.backgammon.results import Result, result_of
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.files.sheet.columns import Columns
from gnubg_nactation.files.sheet.doubts import doubtful_token
from gnubg_nactation.files.sheet.lines import GameText
from gnubg_nactation.files.sheet.text import Fault, Line, SheetText
from gnubg_nactation.files.sheet.words import SheetToken, read_tokens
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import Decoded, DecodedTurn, read_strictly
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.sequences.tokens import Parsed, TokenKind
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, replace

_MAX_SIZE = 3  # of a loss
RESIGNS = "`resign 1` (2 for a gammon, 3 for a backgammon)"


class Rules(NamedTuple):
    """The names, the length and the rules of a match."""

    names: tuple[str, str]
    length: int
    start: Position
    crawford: bool
    jacoby: bool
    beavers: bool


class Reading(NamedTuple):
    """The tokens of a game and their turns, as far as they can be read."""

    tokens: Sequence[SheetToken]
    decoded: Decoded
    resigned: SheetToken | None = None
    in_row: bool = True  # only the mark shows who starts


def masked(sheet: SheetText, rows: Sequence[Line]) -> str:
    """The text from the first row of a game to its last, with blanks for everything else."""
    begin, end = rows[0].at, rows[-1].at + len(rows[-1].text)
    parts, at = list[str](), begin
    for row in rows:
        parts += re.sub(r"[^\n]", " ", sheet.text[at : row.at]), row.text
        at = row.at + len(row.text)
    return "".join(parts) if at == end else ""


_Message = tuple[int, str]  # with the offset


def replayed(
    sheet: SheetText, tokens: list[SheetToken], state: GameState
) -> tuple[Reading, list[SheetToken], _Message | None]:
    """Replay tokens up to the end of a game, with the tokens after it, and what went wrong."""
    ends = [
        at
        for at, it in enumerate(tokens, 1)
        if it.resigned is not None or it.token.kind is TokenKind.PASS
    ]
    first = tokens[: ends[0]] if ends else tokens
    resigned = first[-1] if first and first[-1].resigned is not None else None
    turns = [it.token for it in first if it.resigned is None]
    parsed = Parsed(sheet.text, state.position, state.player, tuple(turns))
    message: _Message | None = None
    try:
        decoded = read_strictly(parsed, state)
    except IllegalError as error:
        count = next(at for at, token in enumerate(turns) if token.at == error.at)
        known = read_strictly(parsed._replace(tokens=tuple(turns[:count])), state)
        message = error.at, doubtful_token(known._replace(parsed=parsed))
        decoded, resigned = known, None
    over = [at for at, turn in enumerate(decoded.turns, 1) if _is_over(turn)]
    if over:
        count = over[0]
        decoded = decoded._replace(turns=decoded.turns[:count])
        return Reading(tokens[:count], decoded), tokens[count:], None
    count = len(decoded.turns) if message else len(first)
    return Reading(first[:count], decoded, resigned), tokens[len(first) :], message


def _is_over(turn: DecodedTurn) -> bool:
    return turn.play is not None and turn.play.after.opponent_off == CHECKERS


def in_columns(
    reading: Reading, columns: Columns, rules: Rules, message: _Message | None
) -> tuple[Reading, _Message | None]:
    """Compare the players of the turns with the columns; end the reading at a contradiction."""
    for count, turn in enumerate(reading.decoded.turns):
        column = columns.players.get(turn.token.at)
        if column is not None and column is not turn.state.player:
            name, other = rules.names[column], rules.names[column.other]
            text = f"found {quoted(turn.token.text)} in the column of {name}, but {other} is to "
            text += "play; a turn before it is missing, or one too many"
            decoded = reading.decoded._replace(turns=reading.decoded.turns[:count])
            return Reading(reading.tokens[:count], decoded), (turn.token.at, text)
    return reading, message


def in_sequence(
    sheet: SheetText, text: GameText, reading: Reading, state: GameState
) -> _Message | None:
    """The first turn of the sequence below the columns that differs from them."""
    if not text.again:
        return None
    begin = text.again[0].at
    tokens = read_tokens(masked(sheet, text.again), begin).tokens
    below, _, message = replayed(sheet, tokens, state)
    above = _moves(reading.decoded)
    for turn, other in zip(above, _moves(below.decoded), strict=False):
        rolls = turn.token.roll, other.token.roll
        if turn.play != other.play or (None not in rolls and rolls[0] != rolls[1]):
            found, expected = quoted(other.token.text), quoted(turn.token.text)
            return other.token.at, f"found {found}, but {expected} in the columns above"
    if message:
        return message
    if len(_moves(below.decoded)) != len(above):
        return begin, f"found {len(_moves(below.decoded))} rolls, but {len(above)} in the columns"
    return None


def _moves(decoded: Decoded) -> list[DecodedTurn]:
    return [turn for turn in decoded.turns if isinstance(turn.action, Move)]


def typed_faults(sheet: SheetText, reading: Reading, rules: Rules) -> Iterator[Fault]:
    """Check the typed values of the cube, the beavers, and the first roll."""
    turns = reading.decoded.turns
    if reading.resigned and (reading.resigned.resigned or 0) > _MAX_SIZE:
        token = reading.resigned.token
        yield sheet.fault(token.at, f"found {quoted(token.text)}, expected {RESIGNS}")
    for it, turn in zip(reading.tokens, turns, strict=False):
        offered = turn.state.cube * (4 if turn.state.doubled else 2)
        if it.value not in {0, offered}:
            text = f"found {quoted(it.token.text)}, but the cube is turned to {offered} here"
            yield sheet.fault(it.token.at, text)
        if it.token.kind is TokenKind.BEAVER and not rules.beavers:
            yield sheet.fault(it.token.at, "found a beaver, but the head excludes beavers")
        # The rule of the tutorial for numerals is fixed.
        if turn.sure is not Confidence.SURE and turn.how is not ReadingKind.NUMERAL:
            play = format_play(turn.play) if turn.play else turn.how.value
            text = f"found {quoted(it.token.text)}, read as {play}, but {turn.doubt}"
            yield sheet.fault(it.token.at, text)
    first = turns[0] if turns else None
    if first and first.token.roll and first.token.roll.is_doublet:
        text = f"found {quoted(first.token.text)}, but the first roll of a game is no doublet"
        yield sheet.fault(first.token.at, text)


def actions_of(sheet: SheetText, reading: Reading) -> tuple[Action, ...]:
    """The actions of a game, with the takes that the sheet leaves out."""
    actions: list[Action] = []
    answers: Player | None = None
    for turn in reading.decoded.turns:
        line = sheet.line_of(turn.token.at)
        if answers is not None and isinstance(turn.action, Move):
            actions.append(Take(answers, line=line))
        actions.append(replace(turn.action, line=line))
        answers = turn.after.player if isinstance(turn.action, Double) else None
    if it := reading.resigned:
        actions.append(Resign(reading.decoded.state.player, line=sheet.line_of(it.token.at)))
    return tuple(actions)


def worked_out(reading: Reading, *, is_typed: bool) -> Result | None:
    """The result by the plays, or by the resignation; if it has no size, a typed result counts."""
    state, resigned = reading.decoded.state, reading.resigned
    if resigned and (resigned.resigned or not is_typed):
        return Result(state.player.other, state.cube * (resigned.resigned or 1))
    return result_of(reading.decoded.turns)
