"""Style families, defined by the action of a play rather than by areas (sections 6, 7 and 13).

The definition of a family is a predicate on a decomposition: the portions of the play, and which
of them count. Portions that enter and forced portions may be waived, so a play fits if any of its
decompositions does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations, product

from gnubg_nactation.backgammon.plays import Play, Portion
from gnubg_nactation.backgammon.position import BAR, FAR, OFF, OUTER
from gnubg_nactation.values import NamedTuple

Die = tuple[int, int]  # a portion as source and die, whether or not it hits


class Decomposition(NamedTuple):
    """A play as `portions`, and the `counted` ones among them; no portion is marked as a hit."""

    play: Play
    portions: tuple[Portion, ...]
    counted: tuple[Portion, ...]

    def left_over(self, path: Iterable[Portion]) -> list[Portion]:
        """The portions that count and do not belong to `path`."""
        leftover = list(self.counted)
        for portion in path:
            if portion in leftover:
                leftover.remove(portion)
        return leftover


def forced_portions(plays: Sequence[Play]) -> list[Die]:
    """The canonical portions that all legal plays have in common, repeated as often as in all."""
    if not plays:
        return []
    # The last play differs most from the first: usually they have nothing in common.
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
    unused = list(forced)
    others = []
    for portion in portions:
        if (die := (portion.source, portion.die)) in unused:
            unused.remove(die)
        else:
            others.append(portion)
    return others


def decompositions(play: Play, forced: Sequence[Die]) -> Iterator[Decomposition]:
    """Every way to take a play apart; first the one in which all portions count."""
    for portions_in_order in orders(play):
        # If several checkers reach a hit point, any of them may be the one that hits.
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
            counted = tuple([p for at, p in enumerate(portions) if at not in waived])
            yield Decomposition(play, portions, counted)


def orders(play: Play) -> Iterator[tuple[Portion, ...]]:
    """The canonical portions, and those in the other order if one checker can move both ways."""
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
    """The portions in chains as long as possible; if another checker may go on, a hitter stays."""
    chains: list[list[Portion]] = []
    for portion in sorted(portions, key=lambda p: (-p.source, not p.hits)):
        open_ends = [chain for chain in chains if chain[-1].target == portion.source]
        if open_ends:
            min(open_ends, key=lambda chain: chain[-1].hits).append(portion)
        else:
            chains.append([portion])
    return chains


def chainings(portions: Iterable[Portion]) -> list[list[list[Portion]]]:
    """The portions in chains as long as possible, for every choice of which checker goes on."""
    partitions: list[list[list[Portion]]] = [[]]
    for portion in sorted(portions, key=lambda p: -p.source):
        longer = []
        for chains in partitions:
            open_ends = [i for i, chain in enumerate(chains) if chain[-1].target == portion.source]
            longer += [
                [*chains[:i], [*chains[i], portion], *chains[i + 1 :]] for i in open_ends
            ] or [[*chains, [portion]]]
        partitions = longer
    return partitions


def resting_points(portions: Sequence[Portion]) -> list[int]:
    """The points where moved checkers come to rest, each as often as checkers do."""
    landings = [portion.target for portion in portions]
    for portion in portions:
        if portion.source in landings:
            landings.remove(portion.source)
    return landings


def new_blots(play: Play) -> list[int]:
    """The forward points (7pt or lower) that were vacant and now have a blot."""
    checkers, start = play.checkers, play.before.points
    points = [
        target
        for _, target, _, _ in play.portions
        if OFF < target <= OUTER and checkers >> 4 * target & 15 == 1 and not start[target]
    ]
    return sorted({*points}) if len(points) > 1 else points


def _is_down(portion: Portion) -> bool:
    return OUTER <= portion.target < FAR


def _is_far(portion: Portion) -> bool:
    return portion.target >= FAR


def point_made(decomposition: Decomposition) -> int:
    """The point that the whole play makes; 0 if there is none (dedication clause, #63-66)."""
    gained = set(resting_points(decomposition.counted))
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


def paths_of(decomposition: Decomposition) -> Iterator[list[Portion]]:
    """Every possible path of one checker."""
    for chains in chainings(decomposition.portions):
        yield from chains


def is_hit(decomposition: Decomposition) -> bool:
    """H: one loose hit, and at most one other portion, which is down (#8, #67)."""
    hits = decomposition.play.hits
    return hits.bit_count() == 1 and any(
        _hits_loose(decomposition, path, hits.bit_length() - 1) for path in paths_of(decomposition)
    )


def _hits_loose(decomposition: Decomposition, path: list[Portion], hit: int) -> bool:
    leftover = decomposition.left_over(path)
    last = path[-1]
    if decomposition.play.own(last.target) != 1:
        return False
    if last.target == hit:
        return len(leftover) <= 1 and all(map(_is_down, leftover))
    goes_on = last.source == hit and _is_down(last)
    return goes_on and not leftover and decomposition.play.before.points[last.target] == 0


def is_hit_and_split(decomposition: Decomposition) -> bool:
    """X: one loose hit on the near side, all other portions on the far side (#8, #67)."""
    hits = decomposition.play.hits
    hit = hits.bit_length() - 1
    if hits.bit_count() != 1 or hit > 12 or decomposition.play.own(hit) != 1:
        return False
    return any(
        _splits_besides(decomposition, path)
        for path in paths_of(decomposition)
        if path[-1].target == hit
    )


def _splits_besides(decomposition: Decomposition, path: list[Portion]) -> bool:
    leftover = decomposition.left_over(path)
    if not leftover:
        return any(map(_is_far, path))
    return all(map(_is_far, leftover)) and len(checker_paths(leftover)) == 1


def is_kill(decomposition: Decomposition) -> bool:
    """K: two hits, and all portions that count lead to them (#8, #68)."""
    hits = decomposition.play.hits
    if hits.bit_count() != 2:
        return False
    high = hits.bit_length() - 1
    low = (hits ^ 1 << high).bit_length() - 1
    return any(
        not decomposition.left_over(to_low if first is second else [*to_high, *to_low])
        for chains in chainings(decomposition.portions)
        for first, second in product(chains, repeat=2)
        if (to_high := _path_up_to(first, high)) and (to_low := _path_up_to(second, low))
    )


def _path_up_to(path: list[Portion], point: int) -> list[Portion]:
    """The part of a path that ends on the point; empty if it does not lead there."""
    return next((path[:n] for n, portion in enumerate(path, 1) if portion.target == point), [])


def is_lift(decomposition: Decomposition) -> bool:
    """L: a blot goes to a point that holds two or more, and three at the end (#26, #69, #70)."""
    whole = (
        decomposition.counted == decomposition.portions and not decomposition.play.roll.is_doublet
    )
    return whole and lifts_a_blot(decomposition)


def lifts_a_blot(decomposition: Decomposition) -> bool:
    """Whether a portion that counts lifts a blot, in this order or the reverse."""
    orders = [decomposition.counted]
    if len(decomposition.counted) == 2 and decomposition.counted[0].source != BAR:
        orders.append(decomposition.counted[::-1])
    return any(_lifts(decomposition, order) for order in orders)


def _lifts(decomposition: Decomposition, order: Sequence[Portion]) -> bool:
    start = decomposition.play.before.points
    own = [count if count > 0 else 0 for count in start]
    for portion in order:
        source, target = portion.source, portion.target
        if not own[source]:
            return False  # cannot be played in this order
        was_blot = own[source] == 1 and start[source] <= 1 and source != BAR
        if was_blot and own[target] >= 2 and decomposition.play.own(target) >= 3:
            return True
        own[source] -= 1
        own[target] += 1
    return False


def is_tower(decomposition: Decomposition) -> bool:
    """T: all portions that count end on points that then hold four or more (#25, #71)."""
    landings = resting_points(decomposition.counted)
    # `own` counts no checkers off the board, so bearing off never makes a tower.
    return bool(landings) and all(decomposition.play.own(point) >= 4 for point in landings)


def is_slot(decomposition: Decomposition) -> bool:
    """$: one forward point is slotted, with at most one other portion, which is down (#29, #72)."""
    slots = new_blots(decomposition.play)
    if len(slots) != 1:
        return False
    return any(
        len(leftover) <= 1 and all(map(_is_down, leftover))
        for path in paths_of(decomposition)
        if path[-1].target == slots[0]
        for leftover in [decomposition.left_over(path)]
    )


def is_double_slot(decomposition: Decomposition) -> bool:
    """&: two forward points are slotted, and nothing else counts (#31, #32)."""
    slots = new_blots(decomposition.play)
    return len(slots) == 2 and any(
        not decomposition.left_over(p for path in chains if path[-1].target in slots for p in path)
        for chains in chainings(decomposition.portions)
    )


def is_wild(decomposition: Decomposition) -> bool:
    """W: a checker on the far side ends as a blot, another slots, nothing else counts (#27)."""
    slots = new_blots(decomposition.play)
    return len(slots) == 1 and any(
        slotting[-1].target == slots[0]
        and all(map(_is_far, path))
        and decomposition.play.own(path[-1].target) == 1
        for chains in chainings(decomposition.counted)
        if len(chains) == 2
        for slotting, path in permutations(chains)
    )


def is_quadruple_split(decomposition: Decomposition) -> bool:
    """Q: all land as blots on the 18pt or higher, where four points are held; no doublets (#28)."""
    if decomposition.play.roll.is_doublet or decomposition.counted != decomposition.portions:
        return False
    up = all(portion.target >= 18 for portion in decomposition.portions)
    blots = all(
        decomposition.play.own(point) == 1 for point in resting_points(decomposition.portions)
    )
    return up and blots and sum(decomposition.play.own(point) > 0 for point in range(18, BAR)) >= 4


class Style(NamedTuple):
    """A style: its definition, and a `glance`, a quick test that every member passes.

    `least_point` is the lowest point that the style may make, 0 if it makes none. `part`, if it
    differs from the definition, defines which part of a play the letter may name (section 8).
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
    """Test whether a play makes a point that is not lower: two checkers where one or none was."""

    def glance(play: Play) -> bool:
        checkers, start = play.checkers, play.before.points
        for _, target, _, _ in play.portions:
            if target >= least_point and checkers >> 4 * target & 15 == 2 and start[target] <= 1:
                return True
        return False

    return glance


def _triples(play: Play) -> bool:
    """Whether a checker that may have been a blot comes to a point that then holds three."""
    if play.roll.is_doublet:
        return False
    checkers, start = play.checkers, play.before.points
    for portions in orders(play):
        for source, target, _, _ in portions:
            if start[source] <= 1 and checkers >> 4 * target & 15 >= 3:
                return True
    return False


def _stays_up(play: Play) -> bool:
    """Whether no checker lands below the 18pt, and the roll is no doublet."""
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


def fits(play: Play, style: Style, forced: Sequence[Die]) -> bool:
    """Whether a play belongs to a style family; `forced` are the forced portions of its roll.

    This is slow: test the `glance` of the style first.
    """
    return any(map(style.definition, decompositions(play, forced)))
