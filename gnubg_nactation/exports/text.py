"""Annotated matches as text: titles, results, statistics, and move lists in columns or rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, AnnotatedTurn, presentable
from gnubg_nactation.backgammon.analysis import PlayAnalysis
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
    places_in,
)
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.decisions.severity import (
    BLUNDER,
    SIGNS,
    Judgement,
    Totals,
    blunders,
    depth,
    performance,
    points_lost,
    rating,
    remark,
    totals,
)
from gnubg_nactation.errors import IllegalError, wrong_type
from gnubg_nactation.exports.sheet import extras, game_comments, named, record_lines, title_names
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.nacbracs.bots import bot_of
from gnubg_nactation.sequences.notation import (
    PLAIN,
    SequenceLayout,
    column_word,
    sequence,
    start_prefix,
)
from gnubg_nactation.showing import shown, table_lines, with_sign
from gnubg_nactation.values import NamedTuple, replace

_GAP = 3
_COUNTED = ("inaccuracies", "errors", "blunders")


class Judging(NamedTuple):
    """The least points of a blunder, and whether rates get gnubg's own words.

    With `plays`, the list of blunders has them in traditional notation after their letters.
    """

    blunder: float = BLUNDER
    by_gnubg: bool = False
    plays: bool = False


DEFAULT_JUDGING = Judging()


def format_account(
    annotated: AnnotatedMatch,
    judging: Judging = DEFAULT_JUDGING,
    width: int = 0,
) -> str:
    """A table of both players' errors and a list of all blunders; empty without an analysis.

    The list has no plays if it would be wider than `width` (0: no limit).
    """
    rows = account_rows(annotated, judging)
    if not rows:
        return ""
    annotated = presentable(annotated)
    title = ", ".join(account_title(annotated))
    lines = [title, *_table([("", *annotated.match.players), *rows])]
    bad = blunders(annotated, judging.blunder)
    table = _table([_blunder_row(annotated, blunder, plays=judging.plays) for blunder in bad])
    if width and any(len(line) > width for line in table):
        table = _table([_blunder_row(annotated, blunder) for blunder in bad])
    lines += ["", "Blunders" if bad else "No blunders", *table]
    return "\n".join(lines) + "\n"


def account_title(annotated: AnnotatedMatch) -> tuple[str, str]:
    """The title of the account, and its unit."""
    method = depth(annotated)
    level = " ".join(bot_of(method)).rstrip() if method else ""
    return f"Errors{level and f', by {level}'}", "in thousandths of a point per decision"


def account_rows(
    annotated: AnnotatedMatch, judging: Judging = DEFAULT_JUDGING
) -> list[tuple[str, str, str]]:
    """A row for each total: its name and both players' values; empty without an analysis."""
    both = totals(annotated, judging.blunder)
    if not any(player.is_analysed for player in both):
        return []
    first, second = (_values(player, judging) for player in both)
    return [(name, value, second[name]) for name, value in first.items()]


def _values(player: Totals, judging: Judging) -> dict[str, str]:
    by_gnubg = rating if judging.by_gnubg else None
    names = (f"{name} {sign}" for name, sign in zip(_COUNTED, SIGNS.values(), strict=True))
    counts = map(str, (player.inaccuracies, player.errors, player.blunders))
    return {
        "PR": _rated(player.performance_rating, None if judging.by_gnubg else performance),
        "overall": _rated(player.rate, by_gnubg),
        "plays": _rated(player.play_rate, by_gnubg),
        "cube": _rated(player.cube_rate, by_gnubg),
        "Snowie error rate": _rated(player.snowie_rate),
        **dict(zip(names, counts, strict=True)),
        "cube errors": str(player.cube_faults),
        "luck, in points": with_sign(player.luck, 3) if player.rolls_with_luck else "n/a",
    }


def _rated(rate: float | None, word: Callable[[float | None], str] | None = None) -> str:
    return "n/a" if rate is None else f"{rate:.1f} {word(rate) if word else ''}".rstrip()


def _blunder_row(
    annotated: AnnotatedMatch, blunder: Judgement, *, plays: bool = False
) -> tuple[str, ...]:
    turn, made, best = blunder.turn, blunder.made, blunder.best and f"best {blunder.best}"
    if plays and isinstance(blunder.analysis, PlayAnalysis):
        made += f" {format_play(turn.play)}" if turn.play else ""
        best += f" {format_play(turn.plays.play(turn.best.nactation))}" if turn.best else ""
    player = annotated.match.players[blunder.player]
    return points_lost(blunder.error), player, blunder.name, made, best, blunder.position_id


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"  {line}".rstrip() for line in table_lines(rows, _GAP)]


_INDENT = 6  # of the left column, after the row number
_NAME = 4  # wide enough for most Nactations
_MAX_PLAY_CHARS = 60  # of a play that cannot be read


def format_columns(
    annotated: AnnotatedMatch,
    *,
    traditional: bool = False,
    errors: bool = False,
    style: SequenceLayout = PLAIN,
    judging: Judging = DEFAULT_JUDGING,
    width: int = 0,
) -> str:
    """The match game by game, a column for each player, then each game's sequence.

    `traditional` adds each play in traditional notation. `errors` adds the points that analysed
    turns lost, `63R ?! -.028 (S)`, and the account of both players' errors, by the limits of
    `judging`. `width` folds long cells, so that both columns fit into that many characters.
    """
    annotated, style = named(annotated), style._replace(raises=True)
    match = annotated.match
    lines = _head(match)
    for game in annotated.games:
        text = partial(cell, traditional=traditional, errors=errors, blunder=judging.blunder)
        rows = two_columns(game.turns, text)
        lines += ["", game_title(match, game), *game_comments(game)]
        lines += column_lines(match.players, rows, width)
        ends = result(match, game), game_sequence(game, style)
        lines += [f"{'':{_INDENT}}{end}" for end in ends]
    account = format_account(annotated, judging, width) if errors else ""
    return "\n".join(lines) + "\n" + (f"\n{account}" if account else "")


def format_row(
    annotated: AnnotatedMatch, *, paired: bool = False, style: SequenceLayout = PLAIN
) -> str:
    """The match as one line of tokens for each game: `54S-63R-31P`, or in pairs: `54S63R-31P`."""
    style = style._replace(raises=True)

    def rows(game: AnnotatedGame, words: Sequence[str]) -> list[str]:
        row = game_sequence(game, style, paired=paired)
        take = f"{style.between}T" if "T" in words else ""
        return [" ".join([f"{row}{take}", *(word for word in words if word != "T")]).strip()]

    return _format_games(annotated, rows)


def format_column(annotated: AnnotatedMatch, style: SequenceLayout = PLAIN) -> str:
    """The match as a column, three characters for a turn, with a blank line between games."""
    style = style._replace(raises=True)

    def rows(game: AnnotatedGame, extra: Sequence[str]) -> list[str]:
        return [*words(game, style), *(word for word in extra if word != "T")]

    return _format_games(annotated, rows)


def _head(match: Match) -> list[str]:
    """The title of a match, its tags and its comments."""
    title = match_title(replace(match, players=title_names(match.players)))
    return [title, *record_lines(match)]


def _format_games(
    annotated: AnnotatedMatch, rows: Callable[[AnnotatedGame, Sequence[str]], list[str]]
) -> str:
    """The head of the match and its games, with a title or result only if they do not follow."""
    annotated = named(annotated)
    match = annotated.match
    blocks = [_head(match)]
    for game, extra in zip(annotated.games, extras(annotated), strict=True):
        above = [game_title(match, game)] * (extra.has_title or bool(game.comments))
        below = [result(match, game)] * extra.has_result
        blocks.append([*above, *game_comments(game), *rows(game, extra.words), *below])
    return "\n\n".join("\n".join(filter(None, block)) for block in blocks) + "\n"


def words(game: AnnotatedGame, style: SequenceLayout = PLAIN) -> list[str]:
    """The entries of a column for a game."""
    entries: list[str] = []
    starts = next((turn.action.player for turn in game.turns), None)
    for turn in game.turns:
        if text := column_word(turn, turn.name, style):
            if starts is Player.SECOND and not entries:
                text = style.start + text
            suffix = style.suffix(turn) if style.suffix else ""
            entries.append(f"{text:4} {suffix}" if suffix else text)
    return entries


def with_errors(
    style: SequenceLayout, blunder: float = BLUNDER, spell: Callable[[Nactation], str] = str
) -> SequenceLayout:
    """The style with the losses of turns after them: `52T(?? -.129 S)`, which readers skip."""

    def suffix(turn: Turn) -> str:
        lost = isinstance(turn, AnnotatedTurn) and remark(turn, spell, blunder, "{}")
        return f"({lost})" if lost else ""

    return style._replace(suffix=suffix)


def game_sequence(
    game: AnnotatedGame, style: SequenceLayout = PLAIN, *, paired: bool = False
) -> str:
    """The sequence of a game; `N ` comes before Nackgammon."""
    state = game.turns[0].state if game.turns else None
    start = start_prefix(state.position if state else None)
    return start + sequence(((turn, turn.name) for turn in game.turns), style, paired=paired)


def sequence_to(game: AnnotatedGame, turn: int | None, style: SequenceLayout) -> str:
    """Return the sequence up to a turn (None: the last), with its roll if it leaves a choice.

    Raises IllegalError if there is no such turn, or none that a sequence reaches.
    """
    if turn is None:
        return game_sequence(game, style)
    if not 1 <= turn <= len(game.turns):
        raise IllegalError(f"there is no turn {turn}; the game has {len(game.turns)}")
    before, at = game.turns[: turn - 1], game.turns[turn - 1]
    for turn_before, place in zip(before, places_in(game.number, before), strict=True):
        if turn_before.trouble or isinstance(turn_before.action, SetPosition):
            reason = turn_before.trouble or "the position is set up there"
            raise IllegalError(f"no sequence leads past {place}: {reason}")
    ahead = (AnnotatedTurn.of(at),) if len(at.plays) > 1 else ()
    return game_sequence(AnnotatedGame.of(game, (*before, *ahead)), style)


def game_sequences(annotated: AnnotatedMatch) -> tuple[str, ...]:
    """Return the sequence of each game: `54S-63R-31P-...`."""
    if not isinstance(annotated, AnnotatedMatch):
        raise wrong_type("an AnnotatedMatch, such as annotate() returns", annotated)
    return tuple(game_sequence(game) for game in annotated.games)


def cell(
    turn: AnnotatedTurn, *, traditional: bool, errors: bool = False, blunder: float = BLUNDER
) -> str:
    """The text of a turn in a column; with `errors` also its loss."""
    action = turn.action
    play = format_play(turn.play) if traditional and turn.play else ""
    if not isinstance(action, Move):
        text = action_words(turn)
    elif turn.trouble:
        text = f"{action.roll} {shown(action.text, _MAX_PLAY_CHARS)} ({turn.trouble})".replace(
            "  ", " "
        )
    else:
        text = f"{action.roll}{turn.nactations:{_NAME}} {play}".rstrip()
    return f"{text} {remark(turn, blunder=blunder)}".rstrip() if errors else text


def match_title(match: Match) -> str:
    """The players and the length of the match."""
    kind = f"{match.length} point match" if match.length else "money session"
    return f"{match.players[0]} - {match.players[1]}, {kind}"


def game_title(match: Match, game: Game) -> str:
    """The number of the game and the score before it."""
    first, second = match.players
    score = f"{first} {game.score[0]}, {second} {game.score[1]}"
    cube = f", cube at {game.cube}" if game.cube != 1 else ""
    return f"Game {game.number}: {score}{', Crawford' if game.crawford else ''}{cube}"


def result(match: Match, game: Game) -> str:
    """The winner and the points won, according to the record."""
    if game.winner is None:
        return "not finished"
    points = f"{game.points} point{'' if game.points == 1 else 's'}"
    won = game.score[game.winner] + game.points >= match.length > 0
    return f"{match.players[game.winner]} wins {points}{' and the match' if won else ''}"


def two_columns(
    turns: Sequence[AnnotatedTurn], cell: Callable[[AnnotatedTurn], str]
) -> list[tuple[str, str]]:
    """The rows of a move list, the first player's cells on the left."""
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
    players: tuple[str, str], rows: Sequence[tuple[str, str]], max_width: int = 0
) -> list[str]:
    """The two columns as text: the players, then the rows with their numbers.

    Cells are folded at blanks if the lines were longer than `max_width` (0: never).
    """
    left = max([len(players[0]), *(len(cell) for cell, _ in rows)])
    right = max([len(players[1]), *(len(cell) for _, cell in rows)])
    room = max_width - _INDENT - _GAP
    if max_width and left + right > room:
        return _folded_lines(players, rows, min(left, max(room // 2, room - right)), room)
    lines = [f"{'':{_INDENT}}{players[0]:{left + _GAP}}{players[1]}"]
    return lines + [
        f"{number:4}  {first:{left + _GAP}}{second}".rstrip()
        for number, (first, second) in enumerate(rows, 1)
    ]


_FOLD_INDENT = "  "
_NO_BREAK = "\0"  # the blank between the sign of an error and its size, and within a play
_WITHIN_PLAY = re.compile(r"(?<=[0-9*f)]) (?=(?:bar|[0-9]{1,2})[*]?/)")


def _fold(text: str, width: int) -> list[str]:
    from textwrap import wrap  # noqa: PLC0415 (few terminals are so narrow)

    text = text.replace("? -", f"?{_NO_BREAK}-").replace("! -", f"!{_NO_BREAK}-")
    whole = _WITHIN_PLAY.sub(_NO_BREAK, text)
    if all(len(word) + len(_FOLD_INDENT) <= width for word in whole.split()):
        text = whole
    return wrap(text, width, subsequent_indent=_FOLD_INDENT, break_on_hyphens=False)


def _folded_lines(
    players: tuple[str, str], rows: Sequence[tuple[str, str]], left: int, room: int
) -> list[str]:
    """The two columns as text, the left one `left` characters wide, both `room`."""
    lines = []
    for number, (first, second) in enumerate([players, *rows]):
        start = f"{number:4}  " if number else " " * _INDENT
        for cells in zip_longest(_fold(first, left), _fold(second, room - left), fillvalue=""):
            line = f"{start}{cells[0]:{left + _GAP}}{cells[1]}".rstrip()
            lines.append(line.replace(_NO_BREAK, " "))
            start = " " * _INDENT
    return lines


_RAISES = {2: "beavers", 3: "raccoons"}


def action_words(turn: Turn) -> str:
    """The words for an action other than a roll."""
    match turn.action:
        case Double():
            verb = _RAISES.get(turn.raised, "doubles")
            return f"{verb} to {turn.offered}" if turn.offered else verb
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
