"""Annotated matches as text for people: titles, results, and move lists in columns or rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest
from textwrap import wrap

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.match import (
    Double,
    Drop,
    Game,
    Match,
    Move,
    Resign,
    SetCube,
    SetPosition,
    Take,
    Turn,
    move_numbers,
)
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.decisions.severity import BLUNDER, remark
from gnubg_nactation.errors import wrong_type
from gnubg_nactation.exports.names import presentable
from gnubg_nactation.exports.summary import JUDGED, Judging, format_account
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.sequences.notation import (
    PLAIN,
    SequenceLayout,
    column_word,
    sequence,
    start_prefix,
)
from gnubg_nactation.showing import shown

_INDENT = 6  # of the left column, behind the row number
_GAP = 3
_NAME = 4  # wide enough for most Nactations
_LONGEST = 60  # characters of a play that cannot be read


def format_columns(
    annotated: AnnotatedMatch,
    *,
    traditional: bool = False,
    errors: bool = False,
    style: SequenceLayout = PLAIN,
    judging: Judging = JUDGED,
    width: int = 0,
) -> str:
    """The match game by game, a column for each player, then each game's sequence.

    With `traditional` every Nactation is followed by the play in traditional notation. With
    `errors` analysed turns say what they lost, in points: `63R ?! -.028 (S)`; and after the
    games comes the account of both players' errors. `judging` says how bad an error is.
    With a `width` long cells are folded, so that both columns stand in so many characters.
    """
    annotated = presentable(annotated)
    match = annotated.match
    lines = [match_title(match)]
    for game in annotated.games:
        told = partial(cell, traditional=traditional, errors=errors, blunder=judging.blunder)
        rows = two_columns(game.turns, told)
        lines += ["", game_title(match, game), *column_lines(match.players, rows, width)]
        ends = result(match, game), game_sequence(game, style)
        lines += [f"{'':{_INDENT}}{end}" for end in ends]
    account = format_account(annotated, judging) if errors else ""
    return "\n".join(lines) + "\n" + (f"\n{account}" if account else "")


def format_row(
    annotated: AnnotatedMatch, *, paired: bool = False, style: SequenceLayout = PLAIN
) -> str:
    """The match as one line of tokens for each game: `54S-63R-31P`, or in pairs: `54S63R-31P`."""
    return "".join(f"{game_sequence(game, style, paired=paired)}\n" for game in annotated.games)


def format_column(annotated: AnnotatedMatch, style: SequenceLayout = PLAIN) -> str:
    """The match as a column of three characters a turn, a blank line between games."""
    columns = ("\n".join(words(game, style)) for game in annotated.games)
    return "\n\n".join(columns) + "\n"


def words(game: AnnotatedGame, style: SequenceLayout = PLAIN) -> list[str]:
    """The entries of a column for a game."""
    found = ((turn, column_word(turn, name, style)) for turn, name in _printed(game))
    return [_beside(text, turn, style) for turn, text in found if text]


def _beside(text: str, turn: Turn, style: SequenceLayout) -> str:
    told = style.suffix(turn) if style.suffix else ""
    return f"{text:4} {told}" if told else text


def with_errors(
    style: SequenceLayout, blunder: float = BLUNDER, spell: Callable[[Nactation], str] = str
) -> SequenceLayout:
    """The style with what turns lost behind them: `52T(?? -.129 S)`, which readers pass over."""

    def suffix(turn: Turn) -> str:
        lost = isinstance(turn, AnnotatedTurn) and remark(turn, spell, blunder, "{}")
        return f"({lost})" if lost else ""

    return style._replace(suffix=suffix)


def _printed(game: AnnotatedGame) -> list[tuple[Turn, Nactation | None]]:
    """The turns of a game, each with the Nactation to print, as sequences want them."""
    return [(turn, turn.namings[0].nactation if turn.namings else None) for turn in game.turns]


def game_sequence(
    game: AnnotatedGame, style: SequenceLayout = PLAIN, *, paired: bool = False
) -> str:
    """The sequence form of a game, with the Nactations to print; `N ` is before Nackgammon."""
    state = game.turns[0].state if game.turns else None
    start = start_prefix(state.position if state else None)
    return start + sequence(_printed(game), style, paired=paired)


def game_sequences(annotated: AnnotatedMatch) -> tuple[str, ...]:
    """The sequence form of each game: `54S-63R-31P-...`."""
    if not isinstance(annotated, AnnotatedMatch):
        raise wrong_type("an AnnotatedMatch, as annotate() gives", annotated)
    return tuple(game_sequence(game) for game in annotated.games)


def cell(
    turn: AnnotatedTurn, *, traditional: bool, errors: bool = False, blunder: float = BLUNDER
) -> str:
    """What stands in a column for a turn; with `errors` also what it lost."""
    action = turn.action
    play = format_play(turn.play) if traditional and turn.play else ""
    if not isinstance(action, Move):
        told = action_words(turn)
    elif turn.trouble:
        told = f"{action.roll} {shown(action.text, _LONGEST)} ({turn.trouble})".replace("  ", " ")
    else:
        told = f"{action.roll}{turn.nactations:{_NAME}} {play}".rstrip()
    return f"{told} {remark(turn, blunder=blunder)}".rstrip() if errors else told


# What every move list says


def match_title(match: Match) -> str:
    """The players and the length of the match."""
    kind = f"{match.length} point match" if match.length else "money session"
    return f"{match.players[0]} - {match.players[1]}, {kind}"


def game_title(match: Match, game: Game) -> str:
    """The number of the game and the score before it."""
    first, second = match.players
    score = f"{first} {game.score[0]}, {second} {game.score[1]}"
    return f"Game {game.number}: {score}{', Crawford' if game.crawford else ''}"


def result(match: Match, game: Game) -> str:
    """Who won how much, as the record says."""
    if game.winner is None:
        return "not finished"
    points = f"{game.points} point{'' if game.points == 1 else 's'}"
    won = game.score[game.winner] + game.points >= match.length > 0
    return f"{match.players[game.winner]} wins {points}{' and the match' if won else ''}"


def two_columns(
    turns: Sequence[AnnotatedTurn], cell: Callable[[AnnotatedTurn], str]
) -> list[tuple[str, str]]:
    """The first player's cells on the left, each row read from left to right."""
    turns = list(turns)
    rows: list[tuple[str, str]] = []
    for turn, number in zip(turns, move_numbers(turns), strict=True):
        if number > len(rows):
            rows.append(("", ""))
        left, right = rows[-1]
        text = cell(turn)
        rows[-1] = (text, right) if turn.action.player is Player.FIRST else (left, text)
    return rows


def column_lines(
    players: tuple[str, str], rows: Sequence[tuple[str, str]], most: int = 0
) -> list[str]:
    """The two columns as text: the players, then the rows with their numbers.

    Where all would be wider than `most`, if that is not 0, cells are folded at blanks.
    """
    width = max([len(players[0]), *(len(left) for left, _ in rows)]) + _GAP
    beside = max([len(players[1]), *(len(right) for _, right in rows)])
    if most and _INDENT + width + beside > most:
        return _folded_lines(players, rows, (most - _INDENT - _GAP, width - _GAP, beside))
    lines = [f"{'':{_INDENT}}{players[0]:{width}}{players[1]}"]
    return lines + [
        f"{at:4}  {left:{width}}{right}".rstrip() for at, (left, right) in enumerate(rows, 1)
    ]


_KEPT = "\0"  # for a blank between the sign of an error and its size


def _kept(text: str) -> str:
    return text.replace("? -", f"?{_KEPT}-").replace("! -", f"!{_KEPT}-")


def _folded_lines(
    players: tuple[str, str], rows: Sequence[tuple[str, str]], widths: tuple[int, int, int]
) -> list[str]:
    """The two columns in so many characters, of which each wants so many."""
    room, left_wants, right_wants = widths
    half = room // 2
    left = min(left_wants, max(half, room - right_wants))
    right = room - left
    lines = []
    for at, (one, other) in enumerate([players, *rows]):
        cells = (
            wrap(_kept(text), width, subsequent_indent="  ", break_on_hyphens=False)
            for text, width in ((one, left), (other, right))
        )
        number = f"{at:4}  " if at else " " * _INDENT
        for first, second in zip_longest(*cells, fillvalue=""):
            lines.append(f"{number}{first:{left + _GAP}}{second}".rstrip().replace(_KEPT, " "))
            number = " " * _INDENT
    return lines


_RAISES = {2: "beavers", 3: "raccoons"}


def action_words(turn: Turn) -> str:
    """What an action other than a roll is called."""
    match turn.action:
        case Double():
            does = _RAISES.get(turn.raised, "doubles")
            return f"{does} to {turn.offered}" if turn.offered else does
        case Take():
            return "takes"
        case Drop():
            return "drops"
        case Resign():
            return "resigns"
        case SetPosition(position=position):
            return f"position set to {format_position_id(position)}"
        case SetCube(value=value):
            return f"cube set to {value}"
    return ""
