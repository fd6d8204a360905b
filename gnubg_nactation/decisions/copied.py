"""The decisions of analyses that XG and gnubg copy as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.decisions.decision import (
    USUAL,
    Choice,
    Decision,
    Listing,
    decide_cube,
    decide_near,
    decide_play,
    suffix_of,
)
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gnubg_nactation.files.copied import Copied


def decisions_of(copied: Copied) -> tuple[Decision, ...]:
    """The cube decision of a position, then that of its roll with all plays of the text."""
    return tuple(_decisions(copied, None))


def near_decisions_of(copied: Copied, listing: Listing = USUAL) -> tuple[Decision, ...]:
    """Like `decisions_of`, with the plays that a nacbrac lists."""
    return tuple(_decisions(copied, listing))


def _decisions(copied: Copied, listing: Listing | None) -> Iterator[Decision]:
    state, ranking = copied.state, copied.ranking
    if state is None:
        return
    if copied.cube and (decision := decide_cube(copied.cube, state)):
        yield decision._replace(made=None, note=copied.note)  # the text has no action made
    if not ranking.rated:
        return
    plays = Plays.of(copied.legal)
    if listing:
        decision = decide_near(state, ranking.rated, plays, listing, ranking.made)
    else:
        decision = decide_play(state, ranking.rated, plays, ranking.made)
        decision = decision._replace(source=suffix_of(decision))
    yield _with_gaps(decision, ranking.rated, ranking.gaps)._replace(note=copied.note)


def _with_gaps(decision: Decision, rated: Sequence[RatedPlay], gaps: Sequence[int]) -> Decision:
    """The decision with `skipped` where a play of the text is left out, and `more` at the end."""
    indexes = {candidate.play: at for at, candidate in enumerate(rated)}
    choices: list[Choice] = []
    last = -1
    for choice in decision.choices:
        at = indexes[choice.play] if choice.play else last
        choices.append(choice._replace(skipped=choice.skipped or _any_from(gaps, last + 1, at)))
        last = max(at, last)
    more = decision.more or last + 1 in gaps
    return decision._replace(choices=tuple(choices), more=more)


def _any_from(gaps: Sequence[int], first: int, last: int) -> bool:
    return any(first <= gap <= last for gap in gaps)
