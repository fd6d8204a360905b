"""What begins a match text: tags, comments, and the names of the players."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from gnubg_nactation.backgammon.match import Game, Match, is_crawford_game
from gnubg_nactation.backgammon.position import VARIATIONS
from gnubg_nactation.backgammon.state import PLAYER_NAMES

_VARIATION_NAMES = {  # as gnubg spells them
    VARIATIONS[name.lower()]: name
    for name in ("NackGammon", "HyperGammon (1)", "HyperGammon (2)", "HyperGammon (3)")
}
MARKUP = "#*>"  # of a title, or of an answer, before the names
_LINE_ENDS = re.compile(r"\r\n|\r|\n")


def tag_lines(match: Match) -> list[str]:
    """Write the tags of a match, a line each."""
    return [f'; [{one_line(key)} "{one_line(value)}"]' for key, value in _tags(match)]


def comment_lines(comments: Iterable[str]) -> list[str]:
    """Write comments, a line or more each."""
    return [f"; {line}" for comment in comments for line in _LINE_ENDS.split(comment)]


def _tags(match: Match) -> list[tuple[str, str]]:
    """Return the record's tags, and those needed to read the match correctly."""
    needed = {
        "Variation": _VARIATION_NAMES.get(match.start),
        "Jacoby": "On" if match.jacoby else None,
        "Crawford": None if has_crawford_rule(match) else "Off",
    }
    present = {key.lower() for key, _ in match.headers}
    added = [(key, value) for key, value in needed.items() if value and key.lower() not in present]
    return [*match.headers, *added]


def has_crawford_rule(match: Match) -> bool:
    """Return whether the Crawford rule holds, according to the tags or the games."""
    values = {key.lower(): value.strip().lower() for key, value in reversed(match.headers)}
    has_score = crawford_game(match.length, match.games) is not None
    is_off = has_score and not any(game.crawford for game in match.games)
    return not is_off and values.get("crawford") != "off"


def one_line(text: str) -> str:
    """Replace each line end by a blank."""
    return _LINE_ENDS.sub(" ", text)


def crawford_game(length: int, games: Sequence[Game]) -> int | None:
    """Return the index of the Crawford game according to the scores, or None."""
    return next((at for at, g in enumerate(games) if is_crawford_game(length, g.score, [])), None)


def written_names(players: tuple[str, str]) -> tuple[str, str]:
    """Replace a name without visible characters by White or Black.

    gnubg aborts when it reads match text without names.
    """
    first, second = (
        name if any(sign.isprintable() and not sign.isspace() for sign in name) else colour
        for name, colour in zip(players, PLAYER_NAMES, strict=True)
    )
    return first, second
