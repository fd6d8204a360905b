"""How much the reading of a sequence doubts its tokens."""

from __future__ import annotations

from gnubg_nactation.sequences.tiers import SLIGHT
from gnubg_nactation.values import NamedTuple


class Doubt(NamedTuple):
    """How much of a sequence a reading doubts, compared field by field: less is better.

    `firm` counts the firm tokens that it bends: those with a mark, or with a strict reading that
    ten more follow. `tokens` counts the doubted tokens, `cost` sums their costs, and `early` grows
    the earlier they come. `bent` counts those that have a strict reading there.
    """

    firm: int = 0
    tokens: int = 0
    cost: int = 0
    early: int = 0
    bent: int = 0

    def add(
        self, cost: int, remaining: int, *, bends: bool = False, is_firm: bool = False
    ) -> Doubt:
        """Add a reading of a token, which is the first of those `remaining`."""
        if cost <= SLIGHT:
            return self._replace(cost=self.cost + cost)
        return Doubt(
            self.firm + (bends and is_firm),
            self.tokens + 1,
            self.cost + cost,
            self.early + remaining,
            self.bent + bends,
        )
