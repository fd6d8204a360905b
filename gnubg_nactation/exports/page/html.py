"""Annotated matches as one web page that needs nothing else: tables, board, plays, a quiz.

The tables can be read without the script. The script (those that page.html names, run as one) draws
the board of the current turn, lists its plays, asks and explains, from the data of the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.analysis import CubeAnalysis, PlayAnalysis
from gnubg_nactation.backgammon.match import Game, Match, Move, move_numbers
from gnubg_nactation.decisions.severity import SIGNS, losses, severity, thousandths
from gnubg_nactation.exports import page as room
from gnubg_nactation.exports.names import presentable
from gnubg_nactation.exports.page.account import account_section
from gnubg_nactation.exports.page.board import board_colours, board_places, first_board
from gnubg_nactation.exports.page.data import (
    KINDS,
    NEARLY,
    StepData,
    action_text,
    cube_step,
    game_steps,
)
from gnubg_nactation.exports.page.document import (
    COLOURS,
    columns,
    document,
    island,
    resource,
    themed,
)
from gnubg_nactation.exports.page.names import alphabetical
from gnubg_nactation.exports.page.played_before import PlaysAt
from gnubg_nactation.exports.page.text import (
    anchor_start,
    glyph,
    safe_text,
    table_section,
    turn_anchor,
)
from gnubg_nactation.exports.post.targets import TARGETS
from gnubg_nactation.exports.summary import JUDGED, Judging
from gnubg_nactation.exports.text import game_sequence, match_title, result, two_columns
from gnubg_nactation.exports.views import look_view
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.values import Any, NamedTuple, replace
from gnubg_nactation.web.bundling import bundle, scripts_of
from gnubg_nactation.writing.spelling import LIKE, escape, spell

QUIZ_ANCHOR, LETTERS_ANCHOR = "quiz", "letters"  # the anchors where the quizzes begin


class _Part(NamedTuple):
    """A match of the page, with players whose names do not turn the text around them.

    `games` are its games with their anchors (`g2`), `account` the section of its errors, if any.
    """

    match: Match
    games: Sequence[tuple[str, AnnotatedGame]]
    account: str
    account_anchor: str


def format_html(
    annotated: Sequence[AnnotatedMatch], judging: Judging = JUDGED, met: PlaysAt | None = None
) -> str:
    """One page for the matches of a file: complete, with style, script and data inside.

    The anchor of a turn is `2.13b`: game 2, move 13, the second player; that of the cube before
    its roll `2.13bc`, that of the game `g2`, and of the account of an analysed match `errors`. In
    matches after the first they begin with `m2`. `quiz` and `letters` begin the quizzes. `met`
    tells how often plays were made in the games of an archive.
    """
    parts = [
        _part(one, f"m{place}" if place > 1 else "", judging)
        for place, one in enumerate(annotated, 1)
    ]
    games = [(part.match, *game) for part in parts for game in part.games]
    data = [_game_data(*game, judging.blunder, met) for game in games]
    sections = [_section(*game, judging.blunder) for game in games]
    title = match_title(parts[0].match) if len(parts) == 1 else f"{len(parts)} matches"
    template, scripts = scripts_of(resource(room, "page.html"))
    body = template.format(
        title=safe_text(title),
        navigation="\n".join(_navigation(part, titled=len(parts) > 1) for part in parts),
        players=_players(parts),
        sites="".join(f"<option>{name}</option>" for name in TARGETS),
        board=first_board(annotated),
        games="\n".join([*sections, *(part.account for part in parts if part.account)]),
        data=island(_page_data(data)),
    )
    css = themed(COLOURS) + resource(room, "page.css") + board_colours()
    return document(title, css, body, bundle("exports/page", scripts))


def embed(annotated: Sequence[AnnotatedMatch]) -> str:
    """The page in a frame, to be put into another page, such as a notebook."""
    page = escape(format_html(annotated))
    style = "width: 100%; height: 40em; border: 0"
    return f'<iframe title="Nactation" style="{style}" srcdoc="{page}"></iframe>'


def has_mistakes(annotated: AnnotatedMatch) -> bool:
    """Whether a turn is marked as wrong, so that the quiz of the page has a question."""
    turns = (turn for game in annotated.games for turn in game.turns)
    return any(severity(loss) for turn in turns for loss in losses(turn))


def _part(one: AnnotatedMatch, prefix: str, judging: Judging) -> _Part:
    one = presentable(one)
    first, second = (f"\u2068{name}\u2069" for name in one.match.players)
    games = _games(one, prefix)
    anchor = f"{prefix}errors"
    account = account_section(one, anchor, (first, second), [at for at, _ in games], judging)
    return _Part(replace(one.match, players=(first, second)), games, account, anchor)


def _games(one: AnnotatedMatch, prefix: str) -> list[tuple[str, AnnotatedGame]]:
    """The games with their anchors: their numbers, or their places where numbers are not unique."""
    numbers = [game.number for game in one.games]
    if len(set(numbers)) < len(numbers):
        numbers = list(range(1, len(numbers) + 1))
    return [(f"{prefix}g{at}", game) for at, game in zip(numbers, one.games, strict=True)]


# Parts of the page


def _navigation(part: _Part, *, titled: bool) -> str:
    links = [
        (anchor, f"Game {game.number}<small>{_score(part.match, game)}</small>")
        for anchor, game in part.games
    ]
    if part.account:
        links.append((part.account_anchor, "Errors<small>and blunders</small>"))
        links.append((QUIZ_ANCHOR, "Quiz<small>your play?</small>"))
    links.append((LETTERS_ANCHOR, "Letters<small>which letter?</small>"))
    items = "".join(f'<li><a href="#{anchor}">{text}</a></li>' for anchor, text in links)
    title = f"<p>{safe_text(match_title(part.match))}</p>\n" if titled else ""
    return f"{title}<ol>{items}</ol>"


def _players(parts: Sequence[_Part]) -> str:
    """Whose plays the quiz asks about; of several matches by their places in the titles."""
    both = (
        parts[0].match.players if len(parts) == 1 else ("the first players", "the second players")
    )
    options = [("both", "both players"), *zip(("0", "1"), both, strict=True)]
    return "".join(f'<option value="{key}">{safe_text(name)}</option>' for key, name in options)


def _score(match: Match, game: Game) -> str:
    """How far both players are away from the match; of a session the points."""
    if not match.length:
        return "{}-{}".format(*game.score)
    away = " ".join(f"{match.length - points}-away" for points in game.score)
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
    """The cell of a turn; its anchors become links to the board where there is a script."""
    action, words = turn.action, safe_text(action_text(turn))
    shown = trouble = ""
    errors = "".join(_error(one, turn, anchor, blunder) for one in losses(turn))
    if cube_step(turn, blunder) and f"{anchor}c" not in errors:
        errors = f'<a class="c" id="{anchor}c">cube?</a>{errors}'
    if isinstance(action, Move):
        shown, words = words, str(action.roll)
    name = turn.nactation
    if name:
        name = f'<button class="n">{glyph(name)}</button>'
    if turn.trouble:
        trouble = f'<span class="trouble">{turn.trouble}</span>'
    small = f"<small>{shown}</small>" if shown else ""
    return f'<div class="cell"><a id="{anchor}">{words}</a>{name}{small}{trouble}{errors}</div>'


def _error(
    loss: CubeAnalysis | PlayAnalysis, turn: AnnotatedTurn, anchor: str, blunder: float
) -> str:
    """An error with a mark, as annotators sign it; one of the cube before a roll is a link."""
    mark = severity(loss, blunder)
    if mark is None:
        return ""
    size = "" if loss.error is None else f" -{loss.error:.3f}"
    fault = f" {loss.fault}" if loss.fault else ""
    told = f"{SIGNS[mark]}{size}{fault}"
    if isinstance(loss, CubeAnalysis) and isinstance(turn.action, Move):
        return f'<a class="error {mark.name.lower()}" id="{anchor}c">{told}</a>'
    return f'<span class="error {mark.name.lower()}" title="{mark.value}">{told}</span>'


# The data


def _page_data(games: Sequence[tuple[dict[str, Any], Sequence[StepData]]]) -> dict[str, Any]:
    """What the script finds in the page: PageData of web/types.d.ts."""
    steps = [step for _, steps in games for step in steps]
    judged = set[str]().union(*map(_judged_names, steps))
    mentioned = judged.union(*map(_names, steps))
    mentioned |= {parse_nactation(name).family.key for name in mentioned}
    names = [parse_nactation(name) for name in sorted(mentioned, key=alphabetical)]
    families = {name.family.key: [name.family.word, name.family.meaning] for name in names}
    return {
        "board": board_places(),
        "kinds": KINDS,
        "nearly": thousandths(NEARLY),
        "families": dict(sorted(families.items())),
        "names": columns([_name(name, forms=str(name) in judged) for name in names]),
        "like": LIKE,
        "sites": {name: [one.spelling, one.markup] for name, one in TARGETS.items()},
        "games": [game for game, _ in games],
        "turns": columns([step.fields for step in steps]),
        "plays": columns([play for step in steps for play in step.plays]),
    }


def _names(step: StepData) -> Iterator[str]:
    """The plain spelling of every Nactation that a step mentions, but for those of its plays."""
    fields = step.fields
    yield from (fields[key] for key in ("name",) if key in fields)
    yield from fields.get("ranks", ())[1:2]
    yield from (name for name, _ in fields.get("others", ()))


def _judged_names(step: StepData) -> Iterator[str]:
    """The names of the plays of a step, which a post may show and the quiz ask for."""
    for play in step.plays:
        yield from (play["name"], *play.get("also", "").split())


def _name(name: Nactation, *, forms: bool) -> dict[str, Any]:
    """A Nactation as it looks, and its forms where these differ from those that they are like."""
    view = look_view(name) | {"family": name.family.key, "member": name.member}
    if forms:
        spelled = {form: spell(name, form) for form in ("plain", *LIKE)}
        view |= {form: spelled[form] for form in LIKE if spelled[form] != spelled[LIKE[form]]}
    return view


def _game_data(
    match: Match, anchor: str, game: AnnotatedGame, blunder: float, met: PlaysAt | None
) -> tuple[dict[str, Any], Sequence[StepData]]:
    """What the script is to know of a game, and its steps."""
    steps = [*game_steps(game, blunder, met)]
    fields = {"id": anchor, "start": anchor_start(anchor), "title": f"Game {game.number}"}
    return {**fields, "players": list(match.players), "steps": len(steps)}, steps
