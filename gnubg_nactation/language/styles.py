"""Style families: what a play does rather than where (tutorial sections 6, 7 and 13).

A family's definition is a predicate on a decomposition: the play as portions, and those of them
that count. Portions that enter and forced portions may be waived, so a play fits if any of its
decompositions does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations, product

from gnubg_nactation.backgammon.plays import POINT_BIT, Play, Portion
from gnubg_nactation.backgammon.position import BAR, FAR, OFF, OUTER
from gnubg_nactation.values import NamedTuple

Die = tuple[int, int]  # a portion as source and die, whether or not it hits


class Decomposition(NamedTuple):
    """A play as `portions`, of which those in `kept` count; none is marked as the one that hits."""

    play: Play
    portions: tuple[Portion, ...]
    kept: tuple[Portion, ...]

    def left_over(self, way: Iterable[Portion]) -> list[Portion]:
        """The portions that count and do not belong to `way`."""
        rest = list(self.kept)
        for portion in way:
            if portion in rest:
                rest.remove(portion)
        return rest


def forced_portions(plays: Sequence[Play]) -> list[Die]:
    """The portions that are canonical in every legal play, each as often as in all of them."""
    if not plays:
        return []
    # The last play differs most from the first: as a rule nothing is left after it.
    forced = [(portion.source, portion.die) for portion in plays[0].portions]
    for play in reversed(plays):
        dice = [(portion.source, portion.die) for portion in play.portions]
        also, forced = forced, []
        for die in also:
            if die in dice:
                dice.remove(die)
                forced.append(die)
        if not forced:
            break
    return forced


def without(portions: Iterable[Portion], forced: Sequence[Die]) -> list[Portion]:
    """The portions less those that are forced."""
    left = list(forced)
    rest = []
    for portion in portions:
        if (die := (portion.source, portion.die)) in left:
            left.remove(die)
        else:
            rest.append(portion)
    return rest


def decompositions(play: Play, forced: Sequence[Die]) -> Iterator[Decomposition]:
    """Every way to take a play apart, that of all its canonical portions first."""
    for portions_in_order in orders(play):
        # Of several checkers that reach a hit point any may be the one that hits.
        portions = portions_in_order
        if play.hits:
            portions = tuple([Portion(*portion[:3], False) for portion in portions_in_order])
        yield Decomposition(play, portions, portions)
        if not forced and not play.before.bar:
            continue
        stay = [portion for portion in without(portions, forced) if portion.source != BAR]
        waivable = []
        for at, portion in enumerate(portions):
            if portion in stay:
                stay.remove(portion)
            else:
                waivable.append(at)
        for choice in range(1, 1 << len(waivable)):
            waived = {at for bit, at in enumerate(waivable) if choice >> bit & 1}
            kept = tuple([p for at, p in enumerate(portions) if at not in waived])
            yield Decomposition(play, portions, kept)


def orders(play: Play) -> Iterator[tuple[Portion, ...]]:
    """The canonical portions, and those of the other order if one checker moves either way."""
    yield play.portions
    if play.roll.is_doublet or len(play.portions) != 2:
        return
    first, second = play.portions
    stop = first.source - second.die
    one_checker = first.target == second.source and first.die > second.die
    if one_checker and not first.hits and stop > OFF and play.before.points[stop] >= 0:
        yield (
            Portion(first.source, stop, second.die, False),
            Portion(stop, second.target, first.die, second.hits),
        )


def checker_paths(portions: Iterable[Portion]) -> list[list[Portion]]:
    """The portions chained as far as they can be; a hitter stays where another may go on."""
    chains: list[list[Portion]] = []
    for portion in sorted(portions, key=lambda p: (-p.source, not p.hits)):
        open_ends = [chain for chain in chains if chain[-1].target == portion.source]
        if open_ends:
            min(open_ends, key=lambda chain: chain[-1].hits).append(portion)
        else:
            chains.append([portion])
    return chains


def chainings(portions: Iterable[Portion]) -> list[list[list[Portion]]]:
    """The portions chained as far as they can be, by every choice of which checker goes on."""
    found: list[list[list[Portion]]] = [[]]
    for portion in sorted(portions, key=lambda p: -p.source):
        longer = []
        for chains in found:
            open_ends = [i for i, chain in enumerate(chains) if chain[-1].target == portion.source]
            longer += [
                [*chains[:i], [*chains[i], portion], *chains[i + 1 :]] for i in open_ends
            ] or [[*chains, [portion]]]
        found = longer
    return found


def resting_points(portions: Sequence[Portion]) -> list[int]:
    """Where the moved checkers come to rest, portions chained; several times if several do."""
    landings = [portion.target for portion in portions]
    for portion in portions:
        if portion.source in landings:
            landings.remove(portion.source)
    return landings


_FORWARD = sum(POINT_BIT[1 : OUTER + 1])


def new_blots(play: Play) -> list[int]:
    """The forward points (7pt or lower), vacant of both sides, on which a new blot is left."""
    blots, before = play.blots & _FORWARD, play.before.points
    if not blots:
        return []
    points = range(1, OUTER + 1)
    return [point for point in points if blots & POINT_BIT[point] and not before[point]]


def _is_down(portion: Portion) -> bool:
    return OUTER <= portion.target < FAR


def _is_far(portion: Portion) -> bool:
    return portion.target >= FAR


def point_made(decomposition: Decomposition) -> int:
    """The point to which the play is dedicated, 0 if it is not (dedication clause, #63-66)."""
    gained = set(resting_points(decomposition.kept))
    if len(gained) != 1:
        return 0
    point = gained.pop()
    makes = 1 <= point <= 22 and decomposition.play.own(point) == 2
    return point if makes and decomposition.play.before.points[point] <= 1 else 0


def is_point(decomposition: Decomposition) -> bool:
    """P: everything that counts makes or covers one point (#3, #63-66)."""
    return point_made(decomposition) > 0


def is_anchor(decomposition: Decomposition) -> bool:
    """@: a P on the 13pt or higher (#33, #34)."""
    return point_made(decomposition) >= FAR


def _paths(decomposition: Decomposition) -> Iterator[list[Portion]]:
    """All that may be the way of one checker."""
    for chains in chainings(decomposition.portions):
        yield from chains


def is_hit(decomposition: Decomposition) -> bool:
    """H: one loose hit; at most one portion besides, which is down (#8, #67)."""
    hits = decomposition.play.hits
    return hits.bit_count() == 1 and any(
        _hits_loose(decomposition, way, hits.bit_length() - 1) for way in _paths(decomposition)
    )


def _hits_loose(decomposition: Decomposition, way: list[Portion], hit: int) -> bool:
    rest = decomposition.left_over(way)
    last = way[-1]
    if decomposition.play.own(last.target) != 1:
        return False
    if last.target == hit:
        return len(rest) <= 1 and all(map(_is_down, rest))
    goes_on = last.source == hit and _is_down(last)
    return goes_on and not rest and decomposition.play.before.points[last.target] == 0


def is_hit_and_split(decomposition: Decomposition) -> bool:
    """X: one loose hit on the near side, all the rest on the far side (#8, #67)."""
    hits = decomposition.play.hits
    hit = hits.bit_length() - 1
    if hits.bit_count() != 1 or hit > 12 or decomposition.play.own(hit) != 1:
        return False
    return any(
        _splits_besides(decomposition, way)
        for way in _paths(decomposition)
        if way[-1].target == hit
    )


def _splits_besides(decomposition: Decomposition, way: list[Portion]) -> bool:
    rest = decomposition.left_over(way)
    if not rest:
        return any(map(_is_far, way))
    return all(map(_is_far, rest)) and len(checker_paths(rest)) == 1


def is_kill(decomposition: Decomposition) -> bool:
    """K: two hits, and nothing that counts but the ways that lead to them (#8, #68)."""
    hits = decomposition.play.hits
    if hits.bit_count() != 2:
        return False
    high = hits.bit_length() - 1
    low = (hits ^ 1 << high).bit_length() - 1
    return any(
        not decomposition.left_over(to_low if one is other else [*to_high, *to_low])
        for chains in chainings(decomposition.portions)
        for one, other in product(chains, repeat=2)
        if (to_high := _way_up_to(one, high)) and (to_low := _way_up_to(other, low))
    )


def _way_up_to(way: list[Portion], point: int) -> list[Portion]:
    """The part of a way that ends on the point; empty if it does not lead there."""
    return next((way[:n] for n, portion in enumerate(way, 1) if portion.target == point), [])


def is_lift(decomposition: Decomposition) -> bool:
    """L: a blot goes to a point that holds two or more, and three at the end (#26, #69, #70)."""
    whole = decomposition.kept == decomposition.portions and not decomposition.play.roll.is_doublet
    return whole and lifts_a_blot(decomposition)


def lifts_a_blot(decomposition: Decomposition) -> bool:
    """Whether some portion that counts lifts a blot, in the order in which they stand or back."""
    orders = [decomposition.kept]
    if len(decomposition.kept) == 2 and decomposition.kept[0].source != BAR:
        orders.append(decomposition.kept[::-1])
    return any(_lifts(decomposition, order) for order in orders)


def _lifts(decomposition: Decomposition, order: Sequence[Portion]) -> bool:
    before = decomposition.play.before.points
    own = [count if count > 0 else 0 for count in before]
    for portion in order:
        source, target = portion.source, portion.target
        if not own[source]:
            return False  # cannot be played in this order
        was_blot = own[source] == 1 and before[source] <= 1 and source != BAR
        if was_blot and own[target] >= 2 and decomposition.play.own(target) >= 3:
            return True
        own[source] -= 1
        own[target] += 1
    return False


def is_tower(decomposition: Decomposition) -> bool:
    """T: all that counts ends on points that then hold four or more (#25, #71)."""
    landings = resting_points(decomposition.kept)
    # No checker is counted off the board, so that nothing stacks up there.
    return bool(landings) and all(decomposition.play.own(point) >= 4 for point in landings)


def is_slot(decomposition: Decomposition) -> bool:
    """$: one forward point is slotted; at most one portion besides, which is down (#29, #72)."""
    slots = new_blots(decomposition.play)
    if len(slots) != 1:
        return False
    return any(
        len(rest) <= 1 and all(map(_is_down, rest))
        for way in _paths(decomposition)
        if way[-1].target == slots[0]
        for rest in [decomposition.left_over(way)]
    )


def is_double_slot(decomposition: Decomposition) -> bool:
    """&: two forward points are slotted, nothing besides (#31, #32)."""
    slots = new_blots(decomposition.play)
    return len(slots) == 2 and any(
        not decomposition.left_over(p for way in chains if way[-1].target in slots for p in way)
        for chains in chainings(decomposition.portions)
    )


def is_wild(decomposition: Decomposition) -> bool:
    """W: a checker on the far side ends as a blot, another slots, nothing besides (#27)."""
    slots = new_blots(decomposition.play)
    return len(slots) == 1 and any(
        slotting[-1].target == slots[0]
        and all(map(_is_far, way))
        and decomposition.play.own(way[-1].target) == 1
        for chains in chainings(decomposition.kept)
        if len(chains) == 2
        for slotting, way in permutations(chains)
    )


def is_quadruple_split(decomposition: Decomposition) -> bool:
    """Q, not for doublets: blots up to the 18pt, four points from there held (#28)."""
    if decomposition.play.roll.is_doublet or decomposition.kept != decomposition.portions:
        return False
    up = all(portion.target >= 18 for portion in decomposition.portions)
    blots = all(
        decomposition.play.own(point) == 1 for point in resting_points(decomposition.portions)
    )
    return up and blots and sum(decomposition.play.own(point) > 0 for point in range(18, BAR)) >= 4


class Style(NamedTuple):
    """A style: its definition, and a glance at the play that every member passes.

    `least_point` is the lowest point that a style makes, 0 if it is not about making one. `part`
    defines what of a play the letter may name alone where that differs (section 8).
    """

    definition: Callable[[Decomposition], bool]
    glance: Callable[[Play], bool]
    least_point: int = 0
    part: Callable[[Decomposition], bool] | None = None


def _hits(count: int) -> Callable[[Play], bool]:
    return lambda play: play.hits.bit_count() == count


def _slots(count: int) -> Callable[[Play], bool]:
    return lambda play: len(new_blots(play)) == count


def _pairs(least_point: int) -> Callable[[Play], bool]:
    """Whether two checkers stand at the end on such a point where one or none stood."""

    def glance(play: Play) -> bool:
        checkers, before = play.checkers, play.before.points
        for _, target, _, _ in play.portions:
            if target >= least_point and checkers >> 4 * target & 15 == 2 and before[target] <= 1:
                return True
        return False

    return glance


def _triples(play: Play) -> bool:
    """Whether a checker that may have been alone comes to a point that then holds three."""
    if play.roll.is_doublet:
        return False
    checkers, before = play.checkers, play.before.points
    for portions in orders(play):
        for source, target, _, _ in portions:
            if before[source] <= 1 and checkers >> 4 * target & 15 >= 3:
                return True
    return False


def _stays_up(play: Play) -> bool:
    """Whether no checker, unless of a doublet, comes below the 18pt."""
    return not play.roll.is_doublet and min([portion.target for portion in play.portions]) >= 18


def _stacks(play: Play) -> bool:
    return any(play.own(portion.target) >= 4 for portion in play.portions)


KILL = Style(is_kill, _hits(2))
ANCHOR = Style(is_anchor, _pairs(FAR), least_point=FAR)
POINT = Style(is_point, _pairs(1), least_point=1)
HIT_AND_SPLIT = Style(is_hit_and_split, _hits(1))
HIT = Style(is_hit, _hits(1))
DOUBLE_SLOT = Style(is_double_slot, _slots(2))
SLOT = Style(is_slot, _slots(1))
WILD = Style(is_wild, _slots(1))
TOWER = Style(is_tower, _stacks)
LIFT = Style(is_lift, _triples, part=lifts_a_blot)
QUADRUPLE_SPLIT = Style(is_quadruple_split, _stays_up)


def members(style: Style, plays: Iterable[Play], forced: Sequence[Die]) -> list[Play]:
    """The plays of a roll that belong to a style family; `forced` are their forced portions."""
    return [play for play in filter(style.glance, plays) if fits(play, style, forced)]


def fits(play: Play, style: Style, forced: Sequence[Die]) -> bool:
    """Whether a play belongs to a style family; `forced` are the forced portions of its roll.

    It takes time: the glance of the style is asked first.
    """
    return any(map(style.definition, decompositions(play, forced)))
