"""The names of players for people."""

from __future__ import annotations

from gnubg_nactation.annotation import AnnotatedMatch
from gnubg_nactation.showing import LONGEST_NAME, shown
from gnubg_nactation.values import replace


def presentable(annotated: AnnotatedMatch) -> AnnotatedMatch:
    """The match with the players' names on one line and without control characters."""
    match = annotated.match
    first, second = (shown(name, LONGEST_NAME) for name in match.players)
    if (first, second) == match.players:
        return annotated
    return replace(annotated, match=replace(match, players=(first, second)))
