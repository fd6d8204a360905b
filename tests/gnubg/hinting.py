"""For scripts that run inside gnubg: all legal plays, taken from the list of its hints."""

from __future__ import annotations

import gnubg  # type: ignore[import-not-found]

for _line in (
    "set display off",
    "set player 0 human",
    "set player 1 human",
    "set automatic roll off",
    "set automatic game off",
    "set automatic move off",
    "set automatic bearoff off",
    "set confirm new off",
    "set evaluation chequerplay evaluation plies 0",
    "new session",
):
    gnubg.command(_line)


def hinted_plays(position_id: str, roll: str) -> list[str]:
    """Every legal play as gnubg writes it, from a long enough list of hints."""
    gnubg.command("set turn 1")
    gnubg.command(f"set board {position_id}")
    gnubg.command(f"set dice {roll}")
    if gnubg.positionid() != position_id:
        raise ValueError(f"gnubg did not take {position_id}")
    hints = gnubg.hint(5000)
    return [play["move"] for play in hints["hint"]] if hints else []
