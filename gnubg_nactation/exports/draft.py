"""A match that is still being written, as a score sheet: the text that keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from gnubg_nactation.backgammon.match import Double, Game, Match, Move, Take, Turn
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.exports.sheet import game_comments, title_names
from gnubg_nactation.exports.text import game_title, result
from gnubg_nactation.files.heading import comment_lines, written_names
from gnubg_nactation.files.sheet import EXAMPLE, read_head, read_sheets
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.live import RAISES, Draft, draft_of, turns_of
from gnubg_nactation.sequences.notation import FAN, START_MARKS
from gnubg_nactation.showing import LONGEST_NAME, quoted, shown
from gnubg_nactation.values import replace

_RULES = {"jacoby": "Jacoby", "crawford": "Crawford", "beaver": "beavers"}  # in a head
_ANY_GAME = "\n\n31P\n"


def new_draft(head: str) -> Draft:
    """The draft of a match with this head, as in `Alice - Bob, 7 point match`; MalformedError."""
    named = None if "\n" in head else read_head(head)
    if named is None:
        raise MalformedError(f"found {quoted(head)}, expected a head such as {EXAMPLE}")
    draft = read_draft(head)
    if draft.match.players != _names(named.players) or draft.match.length != named.length:
        raise MalformedError(f"found {quoted(head)}, which is no head of a sheet")
    return draft


def read_draft(text: str) -> Draft:
    """Read the sheet of a match that may break off anywhere, even after its head.

    Raises MalformedError about a fault, and IllegalError if it cannot be continued key by key.
    """
    sheet, *others = read_sheets(text)
    if others:
        raise MalformedError(f"found {1 + len(others)} matches, expected one")
    games = sheet.match.games
    if not games:
        sheet, *_ = read_sheets(text + _ANY_GAME)
    if sheet.faults:
        raise MalformedError(str(sheet.faults[0]))
    players = _names(sheet.match.players)
    if players[0].casefold() == players[1].casefold():
        raise MalformedError(
            f"both players are called {quoted(players[0])}; results need two names"
        )
    return draft_of(replace(sheet.match, players=players, games=games))


def _names(players: tuple[str, str]) -> tuple[str, str]:
    """The names without control characters, none of them empty."""
    first, second = (shown(name, LONGEST_NAME) for name in written_names(players))
    return first, second


def head_line(match: Match) -> str:
    """The head of a sheet with the names, the length and the rules of a match."""
    first, second = title_names(match.players)
    kind = f"{match.length} point match" if match.length else "money"
    rules = [
        f"no {_RULES[key.lower()]}" if value.lower() == "off" else _RULES[key.lower()]
        for key, value in match.headers
        if key.lower() in _RULES
    ]
    variation = [value for key, value in match.headers if key.lower() == "variation"]
    return ", ".join([f"{first} - {second}, {kind}", *variation, *rules])


def draft_text(draft: Draft) -> str:
    """The score sheet of a draft: its head, its games with their results, and the roll to play."""
    match = replace(draft.match, games=())
    blocks = [_head(match), *(_game_text(match, game) for game in draft.match.games)]
    tokens = list(map(_token, draft.turns))
    if draft.state.roll:
        tokens.append(str(draft.state.roll))
    if tokens:
        starts = draft.turns[0].action.player if draft.turns else draft.state.player
        blocks.append(f"{game_title(match, draft.game)}\n{_row(tokens, starts)}")
    return "\n\n".join(blocks) + "\n"


@lru_cache(maxsize=2)
def _head(match: Match) -> str:
    known = {*_RULES, "variation"}
    tags = [f'; [{key} "{value}"]' for key, value in match.headers if key.lower() not in known]
    return "\n".join(map(shown, [head_line(match), *tags, *comment_lines(match.comments)]))


@lru_cache(maxsize=64)
def _game_text(match: Match, game: Game) -> str:
    """A game that is over, of a match without games."""
    turns = turns_of(match, game)
    row = _row(list(map(_token, turns)), turns[0].action.player) if turns else ""
    lines = [game_title(match, game), *game_comments(game), row, result(match, game)]
    return "\n".join(filter(None, lines))


def _row(tokens: Sequence[str], starts: Player) -> str:
    """The tokens of a game: plays are joined by hyphens, and words have blanks around them."""
    row = START_MARKS[0] if starts is Player.SECOND else ""
    for before, token in pairwise(("", *tokens)):
        joined = before[:1].isdigit() and token[0].isdigit()
        row += f"{'-' if joined else ' ' if before else ''}{token}"
    return row


@lru_cache(maxsize=512)
def _token(turn: Turn) -> str:
    """A turn as a sheet shows it; unlike sequences, with the dice of a fan and with all takes."""
    match turn.action:
        case Move(roll=roll):
            plays = Plays.of(turn.plays)
            if turn.play and len(plays) > 1:
                return f"{roll}{plays.name(turn.play).naming.nactation}"
            return (
                f"{roll}{FAN}"
                if turn.state and turn.state.position.bar and not plays
                else str(roll)
            )
        case Double():
            return RAISES[turn.raised - 1]
        case Take():
            return "takes"
    return "passes"
