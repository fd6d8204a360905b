"""Readings that leave a part of the play to the reader's judgement (tutorial section 8).

A character may name only the hard part of a play, the rest being obvious: a hit, above all. What
is obvious an engine knows best; without one a rule of thumb stands in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import total_ordering
from itertools import combinations

from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play, Portion
from gnubg_nactation.backgammon.position import BAR
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.language.alphabet import Family
from gnubg_nactation.language.areas import family_of_portions
from gnubg_nactation.language.plausibility import plausibility
from gnubg_nactation.language.styles import Decomposition, checker_paths
from gnubg_nactation.values import NamedTuple

Equities = Mapping[Play, float]
"""The equity, in points for the player to move, of each legal play of a roll."""


class NamedEquities(dict[Play, float]):
    """Equities that are `by` an engine which is to be named where they decide: `Sage 2-ply`."""

    def __init__(self, equities: Equities, by: str) -> None:
        super().__init__(equities)
        self.by = by


Evaluator = Callable[[GameState], Equities | None]
"""What an engine says of a state that has a roll, None if it is not to be had after all.

May be slow, and may raise NactationError.
"""

# Section 8 takes the assumption for reasonable where the strict play is a "whopper": -.150 and
# -.230 against -.028 and -.033 for the plays meant (#39, rollouts). gnubg at 2 plies sees
# differences of .114 and .196 there.
FAR_WORSE = 0.1
# A bad play, as gnubg is set. If the runner-up is one, what was assumed is obvious enough.
BAD = 0.06
# By the rule of thumb: what an assumed hit is worth, and how far apart plays must be.
_HIT_ASSUMED, _CLEARLY = 150, 80
_UNRATED = float("-inf")  # what a play counts that the engine says nothing of


@total_ordering
class Confidence(Enum):
    """How sure a reading is; the surer one is the greater.

    SURE is what the rules say to the letter. LIKELY is an assumption that an engine finds better
    than every other candidate by more than 0.06 points, which is a bad play in gnubg's words, or
    the only candidate; DOUBTFUL one that it does not. GUESS was ordered without an engine.
    """

    SURE = "sure"
    LIKELY = "likely"
    DOUBTFUL = "doubtful"
    GUESS = "guess"

    def __lt__(self, other: Confidence) -> bool:
        return _FROM_DOUBT.index(self) < _FROM_DOUBT.index(other)


_FROM_DOUBT = (Confidence.DOUBTFUL, Confidence.GUESS, Confidence.LIKELY, Confidence.SURE)


class Ranked(NamedTuple):
    """Candidates, the best first; the first `rivals` of them differ only in how good they are.

    `values` are the equities by which they were ordered, None for the rule of thumb.
    """

    plays: tuple[Play, ...]
    rivals: int
    values: Equities | None = None

    def judge(self, play: Play) -> tuple[str, Confidence, float | None]:
        """Why a candidate stands where it does, how sure it is that it is meant, and its lead.

        The lead over its best rival is in points, negative if that is better; None if unknown.
        """
        values = self.values
        if len(self.plays) == 1:
            return "nothing else would do", Confidence.LIKELY, None
        if values is None:
            return "order by rule of thumb", Confidence.GUESS, None
        rivals = [one for one in self.plays[: self.rivals] if one != play]
        if not rivals or play not in values:
            return "no other is as simple", Confidence.LIKELY, None
        rival = max(rivals, key=lambda one: values.get(one, _UNRATED))
        gap = values[play] - values.get(rival, _UNRATED)
        word = "better" if gap >= 0 else "worse"
        reason = f"{abs(gap):.3f} {word} than {format_play(rival)}{judged_by(values)}"
        return reason, Confidence.LIKELY if gap > BAD else Confidence.DOUBTFUL, gap


def judged_by(values: Equities) -> str:
    """` by` the engine, where it is to be named; else nothing."""
    return f" by {values.by}" if isinstance(values, NamedEquities) else ""


class Assumed(NamedTuple):
    """A play that may be meant; `order` is 0 for what a reader thinks of first, to 2.

    `rest_hits` says that a part of a doublet is named, and the rest is the way of a checker that
    hits.
    """

    play: Play
    order: int = 0
    rest_hits: bool = False


def assumed_plays(family: Family, plays: Iterable[Play]) -> list[Assumed]:
    """The plays of which a part belongs to the family, in no order.

    First come those in which the part and the rest are played apart, as a character says nothing
    of a checker that goes on. But a doublet played by pairs of checkers without a hit comes
    second: "unless one is hitting, it is natural to play doublets in point-advancing pairs -
    moves that are covered by basic letters", so that there is no need to assume them (section 8).
    """
    found = []
    for play in plays:
        parts = list(_parts_named(family, play))
        if parts:
            apart = any(_apart(play, part) for part in parts)
            order = 2 if not apart else 1 if not play.hits and _in_pairs(play) else 0
            found.append(Assumed(play, order, any(_rest_hits(play, part) for part in parts)))
    return found


def rank(found: Iterable[Assumed], values: Equities | None) -> Ranked:
    """The plays in the order in which they come to mind, and by equity or the rule of thumb."""
    ordered = sorted(found, key=lambda one: (one.order, -_worth(one, values)))
    rivals = sum(one.order == ordered[0].order for one in ordered)
    return Ranked(tuple([one.play for one in ordered]), rivals, values)


def more_natural(family: Family, play: Play, plays: Iterable[Play]) -> tuple[Play, ...]:
    """Plays that the family may name by assumption rather than this one, by the rule of thumb.

    The most natural first; none unless it is clearly more natural than the play. Nothing is if the
    play hits, and only what hits with the rest if it is one of pairs: "unless one is hitting, it
    is natural to play doublets in point-advancing pairs" (section 8).
    """
    if play.hits:
        return ()
    least, pairs = plausibility(play) + _CLEARLY, _in_pairs(play)
    found = [
        one
        for one in assumed_plays(family, plays)
        if one.order == 0 and one.play != play and (one.rest_hits or not pairs)
    ]
    return rank([one for one in found if _worth(one, None) >= least], None).plays


def _in_pairs(play: Play) -> bool:
    """Whether checkers are played two by two."""
    return all(count % 2 == 0 for count in Counter(play.portions).values())


def _worth(one: Assumed, values: Equities | None) -> float:
    if values is None:
        return plausibility(one.play) + _HIT_ASSUMED * one.rest_hits
    return values.get(one.play, _UNRATED)


def _parts_named(family: Family, play: Play) -> Iterator[tuple[Portion, ...]]:
    """The parts of a play that the family's letter names, portions that enter left out."""
    portions = _after_entering(play)
    definition = (family.style.part or family.style.definition) if family.style else None
    for size in range(1, len(portions) + 1):
        for part in combinations(portions, size):
            areal = family_of_portions(part, play.roll).character == family.character
            if areal or (definition and definition(Decomposition(play, play.portions, part))):
                yield part


def _after_entering(play: Play) -> list[Portion]:
    return [portion for portion in play.portions if portion.source != BAR]


def _apart(play: Play, part: Sequence[Portion]) -> bool:
    """Whether neither the part nor the rest goes on with a checker that the other has moved."""
    rest = _rest(_after_entering(play), part)
    stand = Counter(portion.target for portion in play.portions if portion.source == BAR)
    for source in {portion.source for portion in (*part, *rest)}:
        own = max(play.before.points[source], 0) + stand[source]
        if _taken(source, part) + _taken(source, rest) > own:
            return False
    return True


def _rest(portions: Sequence[Portion], part: Sequence[Portion]) -> list[Portion]:
    rest = list(portions)
    for portion in part:
        rest.remove(portion)
    return rest


def _taken(point: int, portions: Sequence[Portion]) -> int:
    """How many checkers portions take from a point, those that they brought there apart."""
    brought = sum(portion.target == point for portion in portions)
    return max(sum(portion.source == point for portion in portions) - brought, 0)


def _rest_hits(play: Play, part: Sequence[Portion]) -> bool:
    """Whether what is left of a doublet is the way of a checker that hits, and no more."""
    chains = checker_paths(_rest(play.portions, part)) if play.roll.is_doublet else []
    return len(chains) == 1 and chains[0][-1].hits
