"""Annotated matches, sequences and positions as posts: Markdown, BBCode, HTML, plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.analysis import ErrorMark
from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.backgammon.match import Match, Move
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.exports.board.rendering import board_text
from gnubg_nactation.exports.moment import Answer, cube_words, question, score_words
from gnubg_nactation.exports.names import presentable
from gnubg_nactation.exports.post.parts import as_post
from gnubg_nactation.exports.post.targets import TARGETS, Target
from gnubg_nactation.exports.summary import format_account
from gnubg_nactation.exports.text import (
    cell,
    column_lines,
    game_sequence,
    game_title,
    match_title,
    result,
    two_columns,
    words,
)
from gnubg_nactation.sequences.decode import Decoded, DecodedTurn
from gnubg_nactation.sequences.notation import SequenceLayout, row, spoken, token
from gnubg_nactation.statistics import losses, remark
from gnubg_nactation.values import dataclass

__all__ = [
    "TARGETS",
    "PostStyle",
    "Target",
    "format_match",
    "format_matches",
    "format_position",
    "format_question",
    "format_sequence",
    "token_read",
]


@dataclass(frozen=True, slots=True)
class PostStyle:
    """What a post of a match shows.

    `boards` is `none`, `comments`, `blunders`, or a number of turns after which a board is shown.
    With `errors` columns say what analysed turns lost, and both players' account ends the post;
    `spoken` sequences are in words.
    """

    layout: str = "columns"
    fan: str = "F"
    forced: str = "roll"
    start: str = "-"
    boards: str | int = "none"
    traditional: bool = False
    errors: bool = False
    spoken: bool = False

    def written(self, target: Target) -> SequenceLayout:
        """How sequences are written in the target's markup."""
        style = SequenceLayout(self.fan, self.forced, target.escape(self.start), target.spell)
        return spoken(style) if self.spoken else style


def format_match(annotated: AnnotatedMatch, target: Target, style: PostStyle) -> str:
    """The match as a post, game by game."""
    return format_matches([annotated], target, style)


def format_matches(matches: Sequence[AnnotatedMatch], target: Target, style: PostStyle) -> str:
    """Matches as one post, one after the other."""
    return as_post([block for one in matches for block in _blocks(one, target, style)], target)


def _blocks(annotated: AnnotatedMatch, target: Target, style: PostStyle) -> list[str]:
    annotated = presentable(annotated)
    match = annotated.match
    parts = [target.heading(target.escape(match_title(match)))]
    for game in annotated.games:
        parts.append(target.heading(target.escape(game_title(match, game))))
        parts.append(_move_list(match, game, target, style))
        parts.append(target.paragraph(target.escape(result(match, game))))
        parts += _boards(match, game, target, style)
    if style.errors and (account := format_account(annotated)):
        parts.append(target.preformatted(account.rstrip()))
    return parts


def format_position(
    state: GameState,
    target: Target,
    *,
    play: Play | None = None,
    caption: str = "",
    players: tuple[str, str] | None = None,
) -> str:
    """A position as a post: a caption in the target's markup, the board, and its XGID."""
    parts = [target.paragraph(caption)] if caption else []
    board = f"{board_text(state, play, players=players)}\n\n{format_xgid(state)}"
    return "\n".join([*parts, target.preformatted(board)])


def format_sequence(
    decoded: Decoded, target: Target, style: PostStyle, nacbracs: Sequence[str] = ("",)
) -> str:
    """A sequence as a post: its row, the board that it leads to, and its XGID.

    Behind the row stand its `nacbracs`, in the target's markup, a paragraph for each.
    """
    first, *others = nacbracs
    lines = [f"{sequence_row(decoded, target, style)} {first}".strip(), *others]
    return as_post([*map(target.paragraph, lines), format_position(decoded.state, target)], target)


def format_question(
    state: GameState,
    target: Target,
    answer: Answer | None = None,
    *,
    hidden: bool = False,
    row: str = "",
    players: tuple[str, str] | None = None,
) -> str:
    """A decision as a post that asks what to do: score and cube in words, the board, its XGID.

    `row` is the sequence that led there, in the target's markup. The answer comes last, `hidden`
    where the site can hide it.
    """
    words = f"{score_words(state)}; {cube_words(state, players)}"
    blocks = [
        target.heading(target.escape(question(state, players))),
        *([target.paragraph(row)] if row else []),
        format_position(state, target, caption=target.escape(words), players=players),
    ]
    if answer:
        lines = answer_lines(answer, target)
        shown = target.paragraph(target.line_break.join(lines))
        blocks.append(target.spoiler(lines) if hidden else shown)
    return as_post(blocks, target)


def answer_lines(answer: Answer, target: Target) -> list[str]:
    """The choices of an answer, best first, in markup; first what is right, last who says so."""
    lines = [target.escape(answer.verdict)] if answer.verdict else []
    for choice in answer.choices:
        made = " (played)" if choice.made else ""
        lines.append(f"{choice.words(target.spell, target.escape)}{made}")
    return [*lines, target.escape(answer.source)] if answer.source else lines


def sequence_row(decoded: Decoded, target: Target, style: PostStyle) -> str:
    """The tokens of a sequence in the target's markup, in a row or in pairs."""

    def tokens(written: SequenceLayout) -> list[str]:
        return [token_read(turn, written) for turn in decoded.turns]

    paired = style.layout == "paired"
    return row(tokens, style.written(target), decoded.parsed.starts, paired=paired)


def token_read(turn: DecodedTurn, style: SequenceLayout) -> str:
    """The token of a turn as it was read; cube actions and tokens without a roll as they stand."""
    roll, name = turn.token.roll, turn.nactation
    if roll is None:
        return _fan(style) if name and not turn.play else turn.token.text
    if name is None and len(turn.plays) == 1:
        name = turn.plays.name(turn.plays[0]).naming.nactation
    return token(turn, name, style) if name else str(roll)


def _fan(style: SequenceLayout) -> str:
    """A fan without its roll."""
    return "fan" if style.fan == "fan" else "F"


def _move_list(match: Match, game: AnnotatedGame, target: Target, style: PostStyle) -> str:
    if style.layout == "columns":
        return _columns(match, game, target, style)
    written = style.written(target)
    if style.layout == "column":
        return target.preformatted("\n".join(words(game, written._replace(spell=str))))
    return target.paragraph(game_sequence(game, written, paired=style.layout == "paired"))


def _columns(match: Match, game: AnnotatedGame, target: Target, style: PostStyle) -> str:
    if target.table is not None:
        rows = two_columns(game.turns, partial(_marked_cell, target=target, style=style))
        return target.table([target.escape(name) for name in match.players], rows)
    plain = partial(cell, traditional=style.traditional, errors=style.errors)
    rows = two_columns(game.turns, plain)
    return target.preformatted("\n".join(column_lines(match.players, rows)))


def _marked_cell(turn: AnnotatedTurn, target: Target, style: PostStyle) -> str:
    action = turn.action
    if not isinstance(action, Move) or not turn.namings or turn.trouble:
        return target.escape(cell(turn, traditional=style.traditional, errors=style.errors))
    names = " ".join(target.spell(naming.nactation) for naming in turn.namings)
    play = format_play(turn.play) if style.traditional and turn.play else ""
    lost = remark(turn, target.spell) if style.errors else ""
    return " ".join(filter(None, (f"{action.roll}{names}", target.escape(play), lost)))


def _boards(match: Match, game: AnnotatedGame, target: Target, style: PostStyle) -> Iterator[str]:
    for turn in game.turns:
        state = turn.state
        if state is None or not _is_shown(turn, style.boards):
            continue
        who = match.players[turn.action.player]
        place = target.escape(f"Game {game.number}, turn {turn.number}, {who}:")
        caption = f"{place} {_marked_cell(turn, target, PostStyle(traditional=True))}"
        yield format_position(state, target, play=turn.play, caption=caption, players=match.players)
        lines = [text for line in turn.action.comment.splitlines() if (text := target.escape(line))]
        if lines:
            yield target.paragraph(target.line_break.join(lines))


def _is_shown(turn: AnnotatedTurn, boards: str | int) -> bool:
    if isinstance(boards, int):
        return turn.number % boards == 0
    if boards == "comments":
        return bool(turn.action.comment.strip())
    marks = [loss.mark for loss in losses(turn)]
    return boards == "blunders" and ErrorMark.VERY_BAD in marks
