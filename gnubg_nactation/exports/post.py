"""Text for forums and chats, where every Nactation looks as on paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, AnnotatedTurn, presentable
from gnubg_nactation.backgammon.analysis import CubeAnalysis, ErrorMark, PlayAnalysis, in_prose
from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.ids import format_xgid, parse_state
from gnubg_nactation.backgammon.match import Match, Move, places_in
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import (
    Decision,
    choice_words,
    cube_words,
    question,
    right_actions,
    score_words,
)
from gnubg_nactation.decisions.severity import SIGNS, losses, points_lost, remark, severity
from gnubg_nactation.errors import MalformedError, wrong_type
from gnubg_nactation.exports.board import board_text
from gnubg_nactation.exports.targets import TARGETS, Target
from gnubg_nactation.exports.text import (
    DEFAULT_JUDGING,
    Judging,
    cell,
    column_lines,
    format_account,
    game_sequence,
    game_title,
    match_title,
    result,
    two_columns,
    with_errors,
    words,
)
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.nacbracs.nacbrac import CubeNacbrac, Nacbrac, format_cube, format_nacbrac
from gnubg_nactation.nacbracs.reading import parse_nacbrac
from gnubg_nactation.sequences.decode import Decoded, DecodedTurn, decode
from gnubg_nactation.sequences.notation import (
    SequenceLayout,
    in_words,
    join_tokens,
    start_prefix,
    token,
)
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import dataclass, replace


def spell_nacbrac(
    nacbrac: Nacbrac | CubeNacbrac, target: Target, *, bold_best: bool = False
) -> str:
    """The nacbrac in the target's markup, with `bold_best` the best plays in bold.

    It always reads back: if styles of members could be taken for emphasis, names get the numbers of
    their members instead (`P{5}`), and if that is not enough, nothing is bold.
    """
    if isinstance(nacbrac, CubeNacbrac):
        return format_cube(nacbrac, target.escape, target.bold if bold_best else str)

    def numbered(name: Nactation) -> str:
        return plain(name) if name.member > 1 else target.spell(name)

    def plain(name: Nactation) -> str:
        return target.escape(str(name))

    bold = target.bold if bold_best and len(nacbrac.entries) > 1 else str
    styles = ((target.spell, bold), (numbered, bold), (target.spell, str), (numbered, str))
    for spell, best in (*styles, (plain, bold)):
        text = format_nacbrac(nacbrac, spell, target.escape, best)
        with suppress(MalformedError):
            if replace(parse_nacbrac(text), suffix=nacbrac.suffix) == nacbrac:
                return text
    return format_nacbrac(nacbrac, plain, target.escape)


CUT = "-------- 8< -------- part {} of {}"

_FENCE = "```\n"
_SPOILER = "||"
_HEADING = "### "
# Must not be cut: words and tokens, each with the blank or hyphen after it.
_SIGNS = re.compile(r"\\.|.", re.DOTALL)
_WORDS = re.compile(r"(?:\\.|[^\s\\-])*(?:[\s-]|\Z|\\\Z)")


def as_post(blocks: Sequence[str], target: Target) -> str:
    """The blocks as a post; in parts with a line between them if the site has a limit."""
    if target.longest is None:
        return "\n".join(blocks)
    parts = in_parts(blocks, target.longest)
    return "\n".join(
        f"{CUT.format(at, len(parts))}\n\n{part}" if at > 1 else part
        for at, part in enumerate(parts, 1)
    )


def size(text: str) -> int:
    """The number of characters of a text for Discord, which counts some twice."""
    return len(text) + sum(character > "\uffff" for character in text)


def in_parts(blocks: Iterable[str], longest: int) -> list[str]:
    """The blocks in as few parts as possible; a heading stays with the block below it."""
    pieces: list[str] = []
    room = longest  # left by the headings before a block
    for block in blocks:
        heading = block.startswith(_HEADING)
        pieces += _cut(block, longest if heading else room)
        room = max(room - size(block) - 1, longest // 2) if heading else longest
    parts: list[str] = []
    for at, piece in enumerate(pieces):
        end = at + 1
        while end < len(pieces) and pieces[end - 1].startswith(_HEADING):
            end += 1
        together = "\n".join(pieces[at:end])
        if (parts and size(f"{parts[-1]}\n{together}") <= longest) or (
            at and pieces[at - 1].startswith(_HEADING) and size(f"{parts[-1]}\n{piece}") <= longest
        ):
            parts[-1] += f"\n{piece}"
        else:
            parts.append(piece)
    return parts


def _cut(block: str, longest: int) -> Iterator[str]:
    """The block, or several that are short enough."""
    if size(block) <= longest:
        yield block
        return
    begins = ends = ""
    inside = block.removesuffix("\n")
    if block.startswith(_FENCE):
        begins, ends = _FENCE, "\n```"
    elif block.startswith(_HEADING):
        begins = _HEADING
    elif inside.endswith(_SPOILER):
        begins, ends = block[: block.index(_SPOILER) + 2], _SPOILER
    inside = inside.removeprefix(begins).removesuffix(ends)
    room = longest - size(f"{begins}{ends}\n")
    for piece in _filled(_lines(inside, room), room):
        yield f"{begins}{piece}{ends}\n"


def _lines(text: str, room: int) -> Iterator[str]:
    """The lines of a text with their ends; long ones are cut at words and tokens."""
    for line in text.splitlines(keepends=True):
        if size(line.rstrip("\n")) <= room:
            yield line
            continue
        for word in _WORDS.findall(line):
            signs = _SIGNS.findall(word) if size(word) > room else [word]
            for at in range(0, len(signs), room // 2):  # each has two characters at most
                yield "".join(signs[at : at + room // 2])


def _filled(texts: Iterable[str], room: int) -> Iterator[str]:
    """Join texts up to `room` characters each, without blanks and line ends at the end."""
    filled = ""
    for text in texts:
        if filled and size((filled + text).rstrip()) > room:
            yield filled.rstrip()
            filled = ""
        filled += text
    if filled.strip():
        yield filled.rstrip()


@dataclass(frozen=True, slots=True)
class PostStyle:
    """What a post of a match shows.

    `boards` is `none`, `comments`, `blunders`, or N for a board every N turns. `errors` adds the
    losses of analysed turns and both players' account, by the limits of `judging`; `spoken` writes
    sequences in words.
    """

    layout: str = "columns"
    fan: str = "F"
    forced: str = "roll"
    start: str = "-"
    boards: str | int = "none"
    traditional: bool = False
    errors: bool = False
    spoken: bool = False
    judging: Judging = DEFAULT_JUDGING

    def sequence_layout(self, target: Target) -> SequenceLayout:
        """The layout of sequences in the target's markup."""
        layout = SequenceLayout(self.fan, self.forced, target.escape(self.start), target.spell)
        return in_words(layout) if self.spoken else layout


def post(what: AnnotatedMatch | Decoded | GameState | Position | str, site: str = "reddit") -> str:
    """Return a match, a sequence or a position as a post for a site.

    A text may be a sequence, a Position ID or an XGID. `site` is `markdown`, `discourse`,
    `backgammonforums`, `reddit`, `discord`, `bbcode`, `html-forum` or `plain`. Raises
    MalformedError for another site, and MalformedError, IllegalError or AmbiguousError for a text
    that cannot be read.
    """
    target = TARGETS.get(site)
    if target is None:
        raise MalformedError(f"no site {quoted(site)}; expected one of: {', '.join(TARGETS)}")
    if isinstance(what, str):
        what = parse_state(what) or decode(what)
    match what:
        case AnnotatedMatch():
            return format_match(what, target, PostStyle())
        case Decoded():
            return format_sequence(what, target, PostStyle(layout="row"))
        case GameState() | Position():
            return format_position(to_state(what), target)
    raise wrong_type("an AnnotatedMatch, a Decoded, a GameState, a Position or a text", what)


def format_match(annotated: AnnotatedMatch, target: Target, style: PostStyle) -> str:
    """The match as a post, game by game."""
    return format_matches([annotated], target, style)


def format_matches(matches: Sequence[AnnotatedMatch], target: Target, style: PostStyle) -> str:
    """Several matches as one post."""
    numbered = enumerate(matches, 1)
    blocks = [block for each in numbered for block in _blocks(*each, target, style)]
    return as_post(blocks, target)


def _blocks(number: int, annotated: AnnotatedMatch, target: Target, style: PostStyle) -> list[str]:
    """The parts of a match, which has a number in its post."""
    annotated = presentable(annotated)
    match = annotated.match
    parts = [target.heading(target.escape(match_title(match)))]
    for game in annotated.games:
        parts.append(target.heading(target.escape(game_title(match, game))))
        parts += _move_list(match, game, target, style)
        parts.append(target.paragraph(target.escape(result(match, game))))
        places = places_in(game.number, game.turns, number)
        parts += _boards(match.players, zip(places, game.turns, strict=True), target, style)
    if style.errors and (account := format_account(annotated, style.judging)):
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
    """A position as a post: a caption in the target's markup, the board, and its XGID.

    Names and the play are left out if the site draws the board.
    """
    parts = [target.paragraph(caption)] if caption else []
    if drawn := target.drawn(format_xgid(state)):
        return "\n".join([*parts, drawn])
    board = f"{board_text(state, play, players=players)}\n\n{format_xgid(state)}"
    return "\n".join([*parts, target.preformatted(board)])


def format_sequence(
    decoded: Decoded,
    target: Target,
    style: PostStyle,
    nacbracs: Sequence[str] = ("",),
    *,
    more: Sequence[str] = (),
) -> str:
    """A sequence as a post: its row, the final board, its XGID, and `more` blocks.

    After the row come its `nacbracs`, in the target's markup, each in a paragraph.
    """
    first, *rest = nacbracs
    lines = [f"{sequence_row(decoded, target, style)} {first}".strip(), *rest]
    board = format_position(decoded.state, target)
    return as_post([*map(target.paragraph, lines), board, *more], target)


def format_question(
    decision: Decision,
    target: Target,
    *,
    hidden: bool = False,
    row: str = "",
    players: tuple[str, str] | None = None,
    more: Sequence[str] = (),
) -> str:
    """A decision as a post with a question: score and cube in words, the board, its XGID.

    `row` is the sequence that led there, in the target's markup. Then come the answer, `hidden` if
    the site can hide text, and `more` blocks.
    """
    state = decision.state
    words = f"{score_words(state)}; {cube_words(state, players)}"
    blocks = [
        target.heading(target.escape(question(state, players))),
        *([target.paragraph(row)] if row else []),
        format_position(state, target, caption=target.escape(words), players=players),
    ]
    if decision.choices:
        lines = [*answer_lines(decision, target), *note_lines(decision, target)]
        visible = target.paragraph(target.line_break.join(lines))
        blocks.append(target.spoiler(lines) if hidden else visible)
    return as_post([*blocks, *more], target)


def answer_lines(decision: Decision, target: Target) -> list[str]:
    """The right cube actions, the choices, best first, and the source, in markup."""
    lines = [
        choice_words(choice, target.spell, target.escape, details) + " (played)" * is_made
        for choice, is_made, details in decision.details()
    ]
    right, source = map(target.escape, (right_actions(decision), decision.source))
    return [*filter(None, [right]), *lines, *filter(None, [source])]


def note_lines(decision: Decision, target: Target) -> list[str]:
    """The lines of the user's note, in markup."""
    return [text for line in decision.note.splitlines() if (text := target.escape(line))]


def sequence_row(decoded: Decoded, target: Target, style: PostStyle) -> str:
    """The tokens of a sequence in the target's markup, in a row or in pairs."""

    def tokens(layout: SequenceLayout) -> list[str]:
        return [token_read(turn, layout) for turn in decoded.turns]

    layout, starts = style.sequence_layout(target), decoded.parsed.starts
    start = start_prefix(decoded.start.position)
    return start + join_tokens(tokens, layout, starts, paired=style.layout == "paired")


def token_read(turn: DecodedTurn, style: SequenceLayout) -> str:
    """The token of a turn; cube actions and tokens without a roll stay unchanged."""
    roll, name = turn.token.roll, turn.nactation
    if roll is None:
        if name and not turn.play:
            return "fan" if style.fan == "fan" else "F"
        return turn.token.text
    if name is None and len(turn.plays) == 1:
        name = turn.plays.name(turn.plays[0]).naming.nactation
    return token(turn, name, style) if name else str(roll)


def _move_list(
    match: Match, game: AnnotatedGame, target: Target, style: PostStyle
) -> Iterator[str]:
    if style.layout == "columns":
        yield _columns(match, game, target, style)
        return
    layout, is_column = style.sequence_layout(target), style.layout == "column"
    if is_column:
        layout = layout._replace(spell=str, start=style.start)  # it is preformatted
    if style.errors:
        layout = with_errors(layout, style.judging.blunder, str if is_column else target.spell)
    if is_column:
        yield target.preformatted("\n".join(words(game, layout)))
    else:
        yield target.paragraph(game_sequence(game, layout, paired=style.layout == "paired"))


def _columns(match: Match, game: AnnotatedGame, target: Target, style: PostStyle) -> str:
    if target.table is not None:
        rows = two_columns(game.turns, partial(_marked_cell, target=target, style=style))
        return target.table([target.escape(name) for name in match.players], rows)
    rows = two_columns(game.turns, partial(_plain_cell, style=style))
    return target.preformatted("\n".join(column_lines(match.players, rows)))


def _plain_cell(turn: AnnotatedTurn, style: PostStyle) -> str:
    blunder = style.judging.blunder
    return cell(turn, traditional=style.traditional, errors=style.errors, blunder=blunder)


def _marked_cell(turn: AnnotatedTurn, target: Target, style: PostStyle) -> str:
    action = turn.action
    if not isinstance(action, Move) or not turn.namings or turn.trouble:
        return target.escape(_plain_cell(turn, style))
    names = " ".join(target.spell(naming.nactation) for naming in turn.namings)
    play = format_play(turn.play) if style.traditional and turn.play else ""
    lost = remark(turn, target.spell, style.judging.blunder) if style.errors else ""
    return " ".join(filter(None, (f"{action.roll}{names}", target.escape(play), lost)))


def _boards(
    players: tuple[str, str],
    turns: Iterable[tuple[str, AnnotatedTurn]],
    target: Target,
    style: PostStyle,
) -> Iterator[str]:
    """The boards of a game, whose turns have their places, with their comments."""
    for at, turn in turns:
        if turn.state is None:
            continue
        player = players[turn.action.player]
        place = target.escape(f"{at}, {player}:")
        diagrams = list(_diagrams(turn, turn.state, target, style))
        for state, play, text in diagrams:
            caption = f"{place} {text}"
            yield format_position(state, target, play=play, caption=caption, players=players)
        lines = [text for line in turn.action.comment.splitlines() if (text := target.escape(line))]
        if diagrams and lines:
            yield target.paragraph(target.line_break.join(lines))


Diagram = tuple[GameState, "Play | None", str]


def _diagrams(
    turn: AnnotatedTurn, state: GameState, target: Target, style: PostStyle
) -> Iterator[Diagram]:
    """The diagrams of a turn: the state, the play drawn on it, and the caption."""
    boards = style.boards
    if boards == "blunders":
        for loss in losses(turn):
            if severity(loss, style.judging.blunder) is ErrorMark.VERY_BAD:
                yield _blunder_diagram(turn, state, loss, target)
        return
    has_comment = boards == "comments" and turn.action.comment.strip()
    if turn.number % boards == 0 if isinstance(boards, int) else has_comment:
        cell_style = PostStyle(traditional=True, errors=style.errors, judging=style.judging)
        yield state, turn.play, _marked_cell(turn, target, cell_style)


def _blunder_diagram(
    turn: AnnotatedTurn, state: GameState, loss: PlayAnalysis | CubeAnalysis, target: Target
) -> Diagram:
    """The diagram of a blunder: the action, its loss and the right action.

    For the cube, the state is before the roll.
    """
    lost = f"{SIGNS[ErrorMark.VERY_BAD]} {points_lost(loss.error)}"
    if isinstance(loss, CubeAnalysis):
        best = target.escape(in_prose(loss.best))
        words = f"{target.escape(loss.act.value)} {lost}{best and f', best {best}'}"
        return replace(state, roll=None), None, words
    played = _marked_cell(turn, target, PostStyle(traditional=True))
    best = target.spell(turn.best.nactation) if turn.best else ""
    play = target.escape(loss.best.text) if loss.best else ""
    return state, turn.play, f"{played} {lost}{best and f', best {best} {play}'}"
