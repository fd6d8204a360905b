"""The names of players in the match files that we write."""

from __future__ import annotations

from gnubg_nactation.backgammon.state import PLAYER_NAMES


def written_names(players: tuple[str, str]) -> tuple[str, str]:
    """Replace a name without visible characters by White or Black.

    gnubg aborts when it reads match text without names.
    """
    first, second = (
        name if any(sign.isprintable() and not sign.isspace() for sign in name) else colour
        for name, colour in zip(players, PLAYER_NAMES, strict=True)
    )
    return first, second
