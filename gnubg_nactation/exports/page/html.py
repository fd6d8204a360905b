"""Annotated matches as one web page that loads nothing else: tables, a board, plays, a quiz.

The tables can be read without the script, which draws the board of the current turn, lists its
plays, asks and explains.
"""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, AnnotatedTurn, presentable
from gnubg_nactation.backgammon.analysis import CubeAnalysis, PlayAnalysis
from gnubg_nactation.backgammon.match import Game, Match, Move, move_numbers
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.decisions.severity import (
    SIGNS,
    Judgement,
    blunders,
    losses,
    points_lost,
    severity,
    totals,
)
from gnubg_nactation.exports.contents_page import match_entries
from gnubg_nactation.exports.page.data import PlaysAt, action_text, cube_step, page_data
from gnubg_nactation.exports.page.document import (
    board_colours,
    board_paint,
    design,
    document,
    first_board,
    glyph,
    island,
    logo,
    match_style,
    safe_text,
    table_section,
    turn_anchor,
    usual_board,
)
from gnubg_nactation.exports.targets import TARGETS
from gnubg_nactation.exports.text import (
    DEFAULT_JUDGING,
    Judging,
    account_rows,
    account_title,
    game_sequence,
    match_title,
    result,
    two_columns,
)
from gnubg_nactation.showing import with_sign
from gnubg_nactation.system.resources import package_text
from gnubg_nactation.values import Any, NamedTuple, replace
from gnubg_nactation.web.bundling import bundle, scripts_of
from gnubg_nactation.writing.spelling import escape

SUMMARY_ANCHOR, QUIZ_ANCHOR, LETTERS_ANCHOR = "summary", "quiz", "letters"


class _Part(NamedTuple):
    """A match of the page; `games` have their anchors, the section of its errors has another."""

    match: Match
    games: Sequence[tuple[str, AnnotatedGame]]
    account_anchor: str
    annotated: AnnotatedMatch


def format_html(
    annotated: Sequence[AnnotatedMatch],
    judging: Judging = DEFAULT_JUDGING,
    plays_at: PlaysAt | None = None,
) -> str:
    """One complete page for the matches of a file, with style, script and data inside.

    Anchors: `2.13b` is game 2, move 13, the second player; `2.13bc` the cube before that roll;
    `g2` a game; `errors` the account of an analysed match. Those of further matches begin with
    `m2`, `m3`. `quiz` and `letters` start the quizzes. `plays_at` looks plays up in an archive.
    """
    parts = _parts(annotated)
    games = _games(parts)
    accounts = [_account(part, judging) for part in parts]
    data = page_data(games, judging.blunder, plays_at)
    data |= {"summaries": list(map(_summary, parts))} if any(accounts) else {}
    sections = [_section(*game, judging.blunder) for game in games]
    title = match_title(parts[0].match) if len(parts) == 1 else f"{len(parts)} matches"
    template, scripts = scripts_of(package_text("exports/page/page.html"))
    body = template.format(
        paint=board_paint(),
        logo=logo(),
        title=safe_text(title),
        navigation="\n".join(
            _navigation(part, titled=len(parts) > 1, has_account=bool(account))
            for part, account in zip(parts, accounts, strict=True)
        ),
        players=_players(parts),
        sites="".join(f"<option>{name}</option>" for name in TARGETS),
        board=first_board(annotated),
        games="\n".join([*sections, *filter(None, accounts)]),
        data=island(data),
    )
    css = "".join(
        [
            *(design(), match_style(), package_text("exports/page/page.css")),
            *(board_colours(), usual_board()),
        ]
    )
    return document(title, css, body, bundle("exports/page", scripts), match_entries(annotated))


def match_view(annotated: Sequence[AnnotatedMatch]) -> dict[str, Any]:
    """The matches of a file for the playground: `data` of page.schema.json, and `summaries`.

    A summary has the final score, each player's PR and luck in points if known, and the games with
    their anchors, results and scores, as each player says them.
    """
    parts = _parts(annotated)
    return {
        "data": page_data(_games(parts), DEFAULT_JUDGING.blunder, None),
        "summaries": list(map(_summary, parts)),
    }


def _summary(part: _Part) -> dict[str, Any]:
    match = part.match
    return {
        "players": list(match.players),
        "score": list(match.score),
        "ratings": [
            {
                "pr": "" if (pr := player.performance_rating) is None else f"{pr:.1f}",
                "luck": with_sign(player.luck, 2) if player.rolls_with_luck else "",
            }
            for player in totals(part.annotated)
        ],
        "games": [
            {
                "anchor": anchor,
                "title": f"Game {game.number}",
                "scores": [_score(match, game, player) for player in Player],
                "result": result(match, game),
            }
            for anchor, game in part.games
        ],
    }


def embed(annotated: Sequence[AnnotatedMatch]) -> str:
    """The page in a frame, for another page such as a notebook."""
    page = escape(format_html(annotated))
    style = "width: 100%; height: 40em; border: 0"
    return f'<iframe title="Nactation" style="{style}" srcdoc="{page}"></iframe>'


def has_mistakes(annotated: AnnotatedMatch) -> bool:
    """Whether a turn is marked as wrong, so that the quiz has a question."""
    turns = (turn for game in annotated.games for turn in game.turns)
    return any(severity(loss) for turn in turns for loss in losses(turn))


def _parts(annotated: Sequence[AnnotatedMatch]) -> list[_Part]:
    return [
        _part(match, f"m{number}" if number > 1 else "")
        for number, match in enumerate(annotated, 1)
    ]


def _games(parts: Sequence[_Part]) -> list[tuple[Match, str, AnnotatedGame]]:
    return [(part.match, *game) for part in parts for game in part.games]


def _part(annotated: AnnotatedMatch, prefix: str) -> _Part:
    annotated = presentable(annotated)
    # Isolated, so that a name from right to left does not turn the text around it.
    first, second = (f"\u2068{name}\u2069" for name in annotated.match.players)
    numbers = [game.number for game in annotated.games]
    if len(set(numbers)) < len(numbers):
        numbers = list(range(1, len(numbers) + 1))
    anchors = [f"{prefix}g{number}" for number in numbers]
    games = list(zip(anchors, annotated.games, strict=True))
    match = replace(annotated.match, players=(first, second))
    return _Part(match, games, f"{prefix}errors", annotated)


def _account(part: _Part, judging: Judging) -> str:
    anchors = [anchor for anchor, _ in part.games]
    players = part.match.players
    return _account_section(part.annotated, part.account_anchor, players, anchors, judging)


# Parts of the page


def _navigation(part: _Part, *, titled: bool, has_account: bool) -> str:
    links = [
        (anchor, f"Game {game.number}<small>{_score(part.match, game)}</small>")
        for anchor, game in part.games
    ]
    if has_account:
        if not part.account_anchor.startswith("m"):
            score = "{}-{}".format(*part.match.score)
            links.insert(0, (SUMMARY_ANCHOR, f"Summary<small>{score}</small>"))
        links.append((part.account_anchor, "Errors<small>and blunders</small>"))
        links.append((QUIZ_ANCHOR, "Quiz<small>your play?</small>"))
    links.append((LETTERS_ANCHOR, "Letters<small>which letter?</small>"))
    items = "".join(f'<li><a href="#{anchor}">{text}</a></li>' for anchor, text in links)
    title = f"<p>{safe_text(match_title(part.match))}</p>\n" if titled else ""
    return f"{title}<ol>{items}</ol>"


def _players(parts: Sequence[_Part]) -> str:
    """The options for whose plays the quiz asks about."""
    both = (
        parts[0].match.players if len(parts) == 1 else ("the first players", "the second players")
    )
    options = [("both", "both players"), *zip(("0", "1"), both, strict=True)]
    return "".join(f'<option value="{key}">{safe_text(name)}</option>' for key, name in options)


def _score(match: Match, game: Game, player: Player = Player.FIRST) -> str:
    """The away scores of both players, this one's first; in a session their points."""
    scores = game.score[player], game.score[1 - player]
    if not match.length:
        return "{}-{}".format(*scores)
    away = " ".join(f"{match.length - points}-away" for points in scores)
    return f"{away}{', Crawford' if game.crawford else ''}"


def _section(match: Match, anchor: str, game: AnnotatedGame, blunder: float) -> str:
    moves = dict(zip((turn.number for turn in game.turns), move_numbers(game.turns), strict=True))

    def cell(turn: AnnotatedTurn) -> str:
        return _cell(turn, turn_anchor(anchor, moves[turn.number], turn.action.player), blunder)

    cells = two_columns(game.turns, cell)
    rows = [(str(number), *row) for number, row in enumerate(cells, 1)]
    title = f"Game {game.number} <small>{_score(match, game)}</small>"
    return (
        f"{table_section('game', anchor, title, match.players, rows)}"
        f"<p>{safe_text(result(match, game))}</p>\n"
        f'<p class="sequence">{safe_text(game_sequence(game))}</p>\n</section>'
    )


def _cell(turn: AnnotatedTurn, anchor: str, blunder: float) -> str:
    """The cell of a turn; the script makes its anchors links to the board."""
    action, words = turn.action, safe_text(action_text(turn))
    play = trouble = ""
    errors = "".join(_error(loss, turn, anchor, blunder) for loss in losses(turn))
    if cube_step(turn, blunder) and f"{anchor}c" not in errors:
        errors = f'<a class="c" id="{anchor}c">cube?</a>{errors}'
    if isinstance(action, Move):
        play, words = words, str(action.roll)
    name = turn.nactation
    if name:
        name = f'<button class="n">{glyph(name)}</button>'
    if turn.trouble:
        trouble = f'<span class="trouble">{turn.trouble}</span>'
    small = f"<small>{play}</small>" if play else ""
    return f'<div class="cell"><a id="{anchor}">{words}</a>{name}{small}{trouble}{errors}</div>'


def _error(
    loss: CubeAnalysis | PlayAnalysis, turn: AnnotatedTurn, anchor: str, blunder: float
) -> str:
    """An error with its sign; an error before the roll links to the cube decision."""
    mark = severity(loss, blunder)
    if mark is None:
        return ""
    size = "" if loss.error is None else f" {points_lost(loss.error)}"
    fault = f" {loss.fault}" if loss.fault else ""
    text = f"{SIGNS[mark]}{size}{fault}"
    if isinstance(loss, CubeAnalysis) and isinstance(turn.action, Move):
        return f'<a class="error {mark.name.lower()}" id="{anchor}c">{text}</a>'
    return f'<span class="error {mark.name.lower()}" title="{mark.value}">{text}</span>'


def _account_section(
    annotated: AnnotatedMatch,
    anchor: str,
    players: Sequence[str],
    games: Sequence[str],
    judging: Judging = DEFAULT_JUDGING,
) -> str:
    """The section with this anchor; empty without an analysis. `games` are anchors."""
    rows = account_rows(annotated, judging)
    if not rows:
        return ""
    title = "{} <small>{}</small>".format(*account_title(annotated))
    table = table_section("account", anchor, title, players, rows)
    return f"{table}{_blunder_list(blunders(annotated, judging.blunder), players, games)}</section>"


def _blunder_list(errors: Sequence[Judgement], players: Sequence[str], games: Sequence[str]) -> str:
    if not errors:
        return "<p>No blunders</p>\n"
    items = "\n".join(f"<li>{_blunder_link(error, players, games)}</li>" for error in errors)
    return f"<h3>Blunders</h3>\n<ol>\n{items}\n</ol>\n"


def _blunder_link(blunder: Judgement, players: Sequence[str], games: Sequence[str]) -> str:
    action, is_cube = blunder.turn.action, isinstance(blunder.analysis, CubeAnalysis)
    played = blunder.made
    if isinstance(action, Move) and not is_cube:
        played = f"{action.roll} {_glyph(blunder.turn.nactation)}".rstrip()
    best = ""
    if blunder.best:
        best = f" <span>best {blunder.best if is_cube else _glyph(blunder.best)}</span>"
    loss = "??" if blunder.error is None else f"?? {points_lost(blunder.error)}"
    anchor = turn_anchor(games[blunder.place[0]], blunder.move, blunder.player)
    cube = "c" * (is_cube and isinstance(action, Move))
    return (
        f'<a href="#{anchor}{cube}"><span class="error">{loss}</span> '
        f"<span>{played}</span>{best} "
        f"<small>{safe_text(players[blunder.player])}, {blunder.name}</small></a>"
    )


def _glyph(name: str) -> str:
    return f'<span class="glyph">{glyph(name)}</span>' if name else ""
