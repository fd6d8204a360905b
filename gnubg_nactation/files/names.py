"""The names of players as match files that we write have them."""

from __future__ import annotations

from gnubg_nactation.backgammon.state import PLAYER_NAMES


def written_names(players: tuple[str, str]) -> tuple[str, str]:
    """Replace a name that shows nothing by White or Black.

    gnubg aborts when it reads match text without names.
    """
    first, second = (
        name if any(map(_is_visible, name)) else colour
        for name, colour in zip(players, PLAYER_NAMES, strict=True)
    )
    return first, second


def _is_visible(character: str) -> bool:
    return character.isprintable() and not character.isspace()
