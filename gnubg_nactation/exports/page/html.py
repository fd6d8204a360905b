"""Annotated matches as one web page that needs nothing else: move tables, board, explanations.

The tables can be read without the script; the script (page/page.js) draws the board of the
current turn and explains characters from the data that the page carries.
"""

from __future__ import annotations

import base64
import hashlib
import json
import pkgutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from string import Template
from typing import Any, NamedTuple

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.analysis import ErrorMark
from gnubg_nactation.backgammon.match import Game, Match, Move
from gnubg_nactation.exports.movelist import match_title, result, two_columns
from gnubg_nactation.exports.page.account import account_section
from gnubg_nactation.exports.page.board import board_colours, board_places, first_board
from gnubg_nactation.exports.page.data import KINDS, Loss, game_data, losses, said
from gnubg_nactation.exports.page.text import clean, glyph, safe_text
from gnubg_nactation.exports.text import game_sequence
from gnubg_nactation.language.nactation import Nactation, parse_nactation

__all__ = ["embed", "first_mistake", "format_html"]


class _Game(NamedTuple):
    """A game of the page with its anchor (`g2`); names of players do not turn the text around."""

    match: Match
    game: AnnotatedGame
    anchor: str


def format_html(annotated: Sequence[AnnotatedMatch]) -> str:
    """One page for the matches of a file: complete, with style, script and data inside.

    The anchor of a turn is `g2t13` (game 2, turn 13), in matches after the first `m2g2t13`; that
    of the account of an analysed match is `errors`, `m2errors`.
    """
    matches = [_isolated(one.match) for one in annotated]
    games = list(_games(annotated, matches))
    accounts = list(_accounts(annotated, matches, games))
    css, script = _resource("page.css") + board_colours(), _resource("page.js")
    turns = [game_data(game.game, game.anchor) for game in games]
    names = sorted(_names(turns), key=_alphabetical)
    title = match_title(matches[0]) if len(matches) == 1 else f"{len(matches)} matches"
    return Template(_resource("page.html")).substitute(
        policy=escape(_policy(css, script)),
        title=safe_text(title),
        css=css,
        navigation=_navigation(matches, games, accounts),
        board=first_board(annotated),
        games="\n".join([*map(_section, games), *filter(None, accounts)]),
        glyphs="".join(f'<i data-name="{escape(name)}">{glyph(name)}</i>' for name in names),
        data=_island(_data(games, turns, names)),
        script=script,
    )


def embed(annotated: Sequence[AnnotatedMatch]) -> str:
    """The page in a frame, to be put into another page, such as a notebook."""
    page = escape(format_html(annotated))
    style = "width: 100%; height: 40em; border: 0"
    return f'<iframe title="Nactation" style="{style}" srcdoc="{page}"></iframe>'


def first_mistake(annotated: AnnotatedMatch) -> str:
    """The anchor of the first turn that is marked as wrong, on a page of this match alone.

    Empty if none is.
    """
    for game in _games([annotated], [annotated.match]):
        for turn in game.game.turns:
            if any(loss.mark for loss in losses(turn)):
                return f"{game.anchor}t{turn.number}"
    return ""


def _isolated(match: Match) -> Match:
    """The match with players' names that cannot turn the text around them (right to left)."""
    first, second = (f"\u2068{name}\u2069" for name in match.players)
    return replace(match, players=(first, second))


def _games(annotated: Sequence[AnnotatedMatch], matches: Sequence[Match]) -> Iterator[_Game]:
    for place, (one, match) in enumerate(zip(annotated, matches, strict=True), 1):
        numbers = [game.number for game in one.games]
        if len(set(numbers)) < len(numbers):
            numbers = list(range(1, len(numbers) + 1))
        for number, game in zip(numbers, one.games, strict=True):
            yield _Game(match, game, f"m{place}g{number}" if place > 1 else f"g{number}")


def _accounts(
    annotated: Sequence[AnnotatedMatch], matches: Sequence[Match], games: Sequence[_Game]
) -> Iterator[str]:
    """The account of each match, empty where nothing is analysed."""
    for place, (one, match) in enumerate(zip(annotated, matches, strict=True)):
        anchors = [game.anchor for game in games if game.match is match]
        yield account_section(one, _account_anchor(place), match.players, anchors)


def _account_anchor(place: int) -> str:
    return f"m{place + 1}errors" if place else "errors"


# Parts of the page


def _navigation(matches: Sequence[Match], games: Sequence[_Game], accounts: Sequence[str]) -> str:
    parts = []
    for place, match in enumerate(matches):
        if len(matches) > 1:
            parts.append(f"<p>{safe_text(match_title(match))}</p>")
        items = "".join(
            f'<li><a href="#{one.anchor}">Game {one.game.number}'
            f"<small>{_score(one.game)}</small></a></li>"
            for one in games
            if one.match is match
        )
        if accounts[place]:
            anchor = _account_anchor(place)
            items += f'<li><a href="#{anchor}">Errors<small>and blunders</small></a></li>'
        parts.append(f"<ol>{items}</ol>")
    return "\n".join(parts)


def _score(game: Game) -> str:
    return f"{game.score[0]}-{game.score[1]}{' Crawford' if game.crawford else ''}"


def _section(one: _Game) -> str:
    match, game, anchor = one.match, one.game, one.anchor
    head = "".join(f'<th scope="col"><span>{safe_text(name)}</span></th>' for name in match.players)
    rows = two_columns(game.turns, partial(_cell, anchor=anchor))
    body = "\n".join(
        f'<tr><th scope="row">{number}</th><td>{left}</td><td>{right}</td></tr>'
        for number, (left, right) in enumerate(rows, 1)
    )
    return (
        f'<section class="game" id="{anchor}" aria-labelledby="{anchor}h">\n'
        f'<h2 id="{anchor}h">Game {game.number} <small>{_score(game)}</small></h2>\n'
        f'<table>\n<thead><tr><th scope="col"><span class="unseen">Row</span></th>{head}</tr>'
        f"</thead>\n<tbody>\n{body}\n</tbody></table>\n<p>{safe_text(result(match, game))}</p>\n"
        f'<p class="sequence">{safe_text(game_sequence(game))}</p>\n</section>'
    )


def _cell(turn: AnnotatedTurn, *, anchor: str) -> str:
    action, words = turn.action, safe_text(said(turn))
    anchor = f"{anchor}t{turn.number}"
    errors = "".join(map(_error, losses(turn)))
    if not isinstance(action, Move):
        return f'<div class="cell"><a id="{anchor}" href="#{anchor}">{words}</a>{errors}</div>'
    name = trouble = ""
    nactation = turn.nactation
    if nactation:
        name = f'<button type="button" class="n">{glyph(nactation)}</button>'
    if turn.trouble:
        trouble = f'<span class="trouble">{turn.trouble}</span>'
    return (
        f'<div class="cell"><a id="{anchor}" href="#{anchor}">{action.roll}</a>{name}'
        f"<small>{words}</small>{trouble}{errors}</div>"
    )


_SIGNS = {ErrorMark.DOUBTFUL: "?!", ErrorMark.BAD: "?", ErrorMark.VERY_BAD: "??"}


def _error(loss: Loss) -> str:
    """An error with a mark, as annotators sign it."""
    if loss.mark is None:
        return ""
    size = "" if loss.size is None else f" -{loss.size:.3f}"
    fault = f" {loss.fault}" if loss.fault else ""
    return f'<span class="error" title="{loss.mark.value}">{_SIGNS[loss.mark]}{size}{fault}</span>'


# The data


def _names(games: Iterable[Iterable[dict[str, Any]]]) -> set[str]:
    """The plain spelling of every Nactation that the data mention."""
    found: set[str] = set()
    for turn in (turn for game in games for turn in game):
        found.update(name for name, _ in turn.get("others", ()))
        if "name" in turn:
            found.add(turn["name"])
        if "best" in turn:
            found.add(turn["best"][0])
        if "ranks" in turn:
            found.add(turn["ranks"]["other"])
    return found


def _alphabetical(name: str) -> tuple[str, int]:
    nactation = parse_nactation(name)
    return nactation.family.key, nactation.member


def _data(
    games: Sequence[_Game], turns: Sequence[list[dict[str, Any]]], names: Iterable[str]
) -> dict[str, Any]:
    nactations: dict[str, Nactation] = {name: parse_nactation(name) for name in names}
    rows = {nactation.family for nactation in nactations.values()}
    return {
        "board": board_places(),
        "kinds": KINDS,
        "families": {
            row.key: [row.word, row.meaning] for row in sorted(rows, key=lambda row: row.key)
        },
        "names": {name: [one.family.key, one.member] for name, one in nactations.items()},
        "games": [
            {
                "id": game.anchor,
                "title": f"Game {game.game.number}",
                "players": list(game.match.players),
                "turns": data,
            }
            for game, data in zip(games, turns, strict=True)
        ],
    }


def _island(value: Any) -> str:
    """JSON that is safe inside a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return clean(
        text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    )


def _policy(css: str, script: str) -> str:
    """Nothing may be loaded or sent; only this style and this script count."""
    return (
        f"default-src 'none'; style-src-elem {_hash(css)}; style-src-attr 'unsafe-inline'; "
        f"script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _resource(name: str) -> str:
    # importlib.resources would do it too, but is slow to import
    return (pkgutil.get_data("gnubg_nactation.exports.page", name) or b"").decode()
