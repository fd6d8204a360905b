"""Readings that leave a part of the play to the reader's judgement (tutorial section 8).

A character may name only the hard part of a play, such as a hit, if the rest is obvious. An engine
decides what is obvious; without one, a rule of thumb.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from enum import Enum
from functools import total_ordering
from itertools import combinations

from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play, Portion
from gnubg_nactation.backgammon.position import BAR
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.hooks import hook
from gnubg_nactation.language.alphabet import Family
from gnubg_nactation.language.areas import family_of_portions
from gnubg_nactation.language.plausibility import plausibility
from gnubg_nactation.language.styles import Decomposition, checker_paths
from gnubg_nactation.language.waived import after_entering
from gnubg_nactation.values import NamedTuple

Equities = Mapping[Play, float]
"""The equity of each legal play of a roll, in points for the player on roll."""


class NamedEquities(dict[Play, float]):
    """Equities with the name of their engine, to be shown where they decide: `Sage 2-ply`."""

    def __init__(self, equities: Equities, by: str) -> None:
        super().__init__(equities)
        self.by = by


Evaluator = Callable[[GameState], Equities | None]
"""Evaluates a state that has a roll; None if no engine is available.

May be slow, and may raise NactationError.
"""

# In points. Section 8 finds assumption reasonable if the strict play is a "whopper": -.150 and
# -.230 against -.028 and -.033 for the plays meant (#39, rollouts). gnubg 2-ply rates these
# differences .114 and .196.
_MAX_QUESTIONS = 60  # to an engine, about one sequence
FAR_WORSE = 0.1
# In points: gnubg's threshold for a bad play. If the runner-up loses more, the play is obvious.
BAD = 0.06
# In units of the rule of thumb: the bonus of an assumed hit, and a clear difference.
_HIT_ASSUMED, _CLEARLY = 150, 80
_UNRATED = float("-inf")  # for a play without an equity
_HOME = 6  # the points of the home board


@total_ordering
class Confidence(Enum):
    """How sure a reading is; a surer one compares greater.

    SURE is a strict reading; it is only LIKELY if other plays are more natural. LIKELY is also an
    assumption without another candidate, or better than all others by more than 0.06 points
    according to an engine; DOUBTFUL is one with a smaller lead. GUESS is an assumption made without
    an engine.
    """

    SURE = "sure"
    LIKELY = "likely"
    DOUBTFUL = "doubtful"
    GUESS = "guess"

    def __lt__(self, other: Confidence) -> bool:
        return _FROM_DOUBT.index(self) < _FROM_DOUBT.index(other)


_FROM_DOUBT = (Confidence.DOUBTFUL, Confidence.GUESS, Confidence.LIKELY, Confidence.SURE)


class Ranked(NamedTuple):
    """Candidates, the best first; the first `rivals` of them are equally simple.

    `values` are the equities they are ordered by; None for the rule of thumb.
    """

    plays: tuple[Play, ...]
    rivals: int
    values: Equities | None = None

    def judge(self, play: Play) -> tuple[str, Confidence, float | None]:
        """The reason for a candidate's rank, how sure it is to be meant, and its lead.

        The lead over its best rival is in points, negative if that is better; None if unknown.
        """
        values = self.values
        if len(self.plays) == 1:
            return "nothing else would do", Confidence.LIKELY, None
        if values is None:
            return "ranked by rule of thumb", Confidence.GUESS, None
        rivals = [rival for rival in self.plays[: self.rivals] if rival != play]
        if not rivals or play not in values:
            return "no other is as simple", Confidence.LIKELY, None
        rival = max(rivals, key=lambda rival: values.get(rival, _UNRATED))
        gap = values[play] - values.get(rival, _UNRATED)
        word = "better" if gap >= 0 else "worse"
        reason = f"{abs(gap):.3f} {word} than {format_play(rival)}{judged_by(values)}"
        return reason, Confidence.LIKELY if gap > BAD else Confidence.DOUBTFUL, gap


def judged_by(values: Equities) -> str:
    """` by` and the engine, for NamedEquities; else nothing."""
    return f" by {values.by}" if isinstance(values, NamedEquities) else ""


class Assumed(NamedTuple):
    """A play that may be meant; `order` is 0 for what a reader thinks of first, up to 2.

    The letter may name a part of a doublet. With `rest_hits` the rest is one checker that hits
    outside the home board (#38, #39), with `rest_makes_point` a pair that makes a point (#36).
    """

    play: Play
    order: int = 0
    rest_hits: bool = False
    rest_makes_point: bool = False


def assumed_plays(family: Family, plays: Iterable[Play]) -> list[Assumed]:
    """The plays with a part that belongs to the family, unordered.

    `order` is 2 if no such part is independent of the rest, as a character does not mention a
    checker that goes on. It is 1 for a doublet played in pairs without a hit: that is the natural
    way to play a doublet, and a basic letter names it without any assumption (section 8).
    """
    candidates = []
    for play in plays:
        parts = list(_parts_named(family, play))
        if parts:
            apart = any(_apart(play, part) for part in parts)
            order = 2 if not apart else 1 if not play.hits and _in_pairs(play) else 0
            hits = any(_rest_hits(play, part) for part in parts)
            makes_point = any(_rest_makes_point(play, part) for part in parts)
            candidates.append(Assumed(play, order, hits, makes_point))
    return candidates


def rank(candidates: Iterable[Assumed], values: Equities | None) -> Ranked:
    """Sort candidates by `order`, then by equity or the rule of thumb."""
    ordered = sorted(candidates, key=lambda assumed: (assumed.order, -_worth(assumed, values)))
    rivals = sum(assumed.order == ordered[0].order for assumed in ordered)
    return Ranked(tuple([assumed.play for assumed in ordered]), rivals, values)


def more_natural(family: Family, play: Play, plays: Iterable[Play]) -> tuple[Play, ...]:
    """Plays that the family more likely names by assumption, by the rule of thumb, best first.

    Each is clearly more natural than `play`, and what the letter leaves out is obvious as in the
    examples of section 8: a hit, or a pair that makes a point. There are none if `play` hits, and
    if it moves pairs, only plays whose rest hits: without a hit, pairs are natural (section 8).
    """
    if play.hits:
        return ()
    threshold, pairs = plausibility(play) + _CLEARLY, _in_pairs(play)
    candidates = [
        assumed
        for assumed in assumed_plays(family, plays)
        if assumed.order == 0
        and assumed.play != play
        and (assumed.rest_hits or (assumed.rest_makes_point and not pairs))
        and _worth(assumed, None) >= threshold
    ]
    return rank(candidates, None).plays


def _in_pairs(play: Play) -> bool:
    """Whether checkers are played two by two."""
    return all(count % 2 == 0 for count in Counter(play.portions).values())


def _worth(assumed: Assumed, values: Equities | None) -> float:
    if values is None:
        return plausibility(assumed.play) + _HIT_ASSUMED * assumed.rest_hits
    return values.get(assumed.play, _UNRATED)


def _parts_named(family: Family, play: Play) -> Iterator[tuple[Portion, ...]]:
    """The parts of a play that the family's letter names, without entering portions."""
    portions = after_entering(play)
    definition = (family.style.part or family.style.definition) if family.style else None
    for size in range(1, len(portions) + 1):
        for part in combinations(portions, size):
            areal = family_of_portions(part, play.roll).character == family.character
            if areal or (definition and definition(Decomposition(play, play.portions, part))):
                yield part


def _apart(play: Play, part: Sequence[Portion]) -> bool:
    """Whether the part and the remaining portions move different checkers."""
    remaining = _without(after_entering(play), part)
    entered = Counter(portion.target for portion in play.portions if portion.source == BAR)
    for source in {portion.source for portion in (*part, *remaining)}:
        own = max(play.before.points[source], 0) + entered[source]
        if _net_departures(source, part) + _net_departures(source, remaining) > own:
            return False
    return True


def _without(portions: Sequence[Portion], part: Sequence[Portion]) -> list[Portion]:
    remaining = list(portions)
    for portion in part:
        remaining.remove(portion)
    return remaining


def _net_departures(point: int, portions: Sequence[Portion]) -> int:
    """How many checkers leave a point, beyond those that the same portions bring there."""
    arrivals = sum(portion.target == point for portion in portions)
    return max(sum(portion.source == point for portion in portions) - arrivals, 0)


def _rest_hits(play: Play, part: Sequence[Portion]) -> bool:
    """Whether the rest of a doublet is one checker that hits outside the home board.

    A loose hit at home is a choice of its own, which a letter would name: 66Z after 65R-51S is
    24/18 13/7(3), not 24/18 13/7(2) 8/2*.
    """
    chains = checker_paths(_without(play.portions, part)) if play.roll.is_doublet else []
    return len(chains) == 1 and chains[0][-1].hits and chains[0][-1].target > _HOME


def _rest_makes_point(play: Play, part: Sequence[Portion]) -> bool:
    """Whether the rest of a doublet, apart from entering, is a pair that makes a point."""
    rest = Counter(_without(after_entering(play), part)) if play.roll.is_doublet else Counter()
    if len(rest) != 1:
        return False
    ((portion, count),) = rest.items()
    return count == 2 and play.before.points[portion.target] < 2 <= play.own(portion.target)


class EngineQuestions:
    """An engine that answers once per position, and at most 60 times per sequence.

    With `weighs`, it also judges strict readings.
    """

    __slots__ = ("_cache", "_equities", "weighs")

    def __init__(self, equities: Evaluator | None, *, weighs: bool = False) -> None:
        self._equities = equities
        self._cache: dict[GameState, Equities | None] = {}
        self.weighs = weighs and equities is not None

    def __call__(self, state: GameState) -> Equities | None:
        """The equity of each legal play; None without an engine, or after the last question."""
        if state not in self._cache:
            if self._equities is None or len(self._cache) >= _MAX_QUESTIONS:
                return None
            self._cache[state] = self._equities(state)
        return self._cache[state]


NO_ENGINE = EngineQuestions(None)


def evaluator_of(assume: Evaluator | bool | None) -> AbstractContextManager[Evaluator | None]:
    """Return a context with the evaluator that `assume` of `decode` means; None without one."""
    if assume is True:
        opened: AbstractContextManager[Evaluator] = hook("evaluator")()
        return opened
    return nullcontext(assume or None)
