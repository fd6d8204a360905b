"""The language worked out the slow way, clause by clause, without the package's own language.

Only the ground is shared: positions, legal plays and their canonical portions. A portion is
(source, target, die) here, whether it hits or not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cmp_to_key
from itertools import combinations, permutations, product
from typing import NamedTuple

from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import BAR, OFF, Position

POINT_ORDER = [6, 5, 7, 4, 8, 3, 9, 2, 10, 1, *range(11, 23)]
MISSING = -1
LANDING_ORDER = [6, 5, 4, 3, 2, 1, 0, 12, 11, 10, 9, 8, 7, MISSING, *range(13, 25)]
SLOT_ORDER = [6, 5, 4, 7, 3, 2, 1]

# Counts in the order run, down, jump, inside; R stands for R or U.
TWO_DICE = {
    "2000": "R", "0200": "D", "0020": "J", "0002": "I",
    "1001": "E", "0011": "A", "1010": "C", "0110": "O", "0101": "N",
    "1000": "R", "0100": "D", "0010": "J", "0001": "I",
}  # fmt: skip
DOUBLETS = {
    "2200": "B", "3100": "S", "1300": "Z", "2002": "E", "3001": "E_", "1003": "E.",
    "0022": "A", "0031": "A_", "0013": "A.", "2020": "C", "3010": "C_", "1030": "C.",
    "0220": "O", "0310": "O_", "0130": "O.", "0202": "N", "0301": "N_", "0103": "N.",
    "1111": "Q", "4000": "R", "0400": "D", "0040": "J", "0004": "I",
    "2011": "R_", "0211": "D_", "0121": "J_", "0112": "I_",
    "2101": "F", "1201": "G", "1021": "M", "1012": "Y",
    "2110": "F_", "1210": "G_", "1120": "M_", "1102": "Y_",
    # Fewer portions than four.
    "3000": "R", "2000": "R", "1000": "R", "0300": "D", "0200": "D", "0100": "D",
    "0030": "J", "0020": "J", "0010": "J", "0003": "I", "0002": "I", "0001": "I",
    "1100": "B", "1001": "E", "0011": "A", "1010": "C", "0110": "O", "0101": "N",
    "2100": "S", "1200": "Z", "2001": "E_", "1002": "E.", "0021": "A_", "0012": "A.",
    "2010": "C_", "1020": "C.", "0210": "O_", "0120": "O.", "0201": "N_", "0102": "N.",
    "1110": "F_", "1101": "F", "1011": "R_", "0111": "D_",
}  # fmt: skip


class Step(NamedTuple):
    """One portion."""

    source: int
    target: int
    die: int

    @property
    def area(self) -> int:
        """0 run, 1 down, 2 jump, 3 inside."""
        if self.target >= 13:
            return 0
        if self.target >= 7:
            return 1
        return 2 if self.source >= 7 else 3

    @property
    def is_down(self) -> bool:
        return self.area == 1

    @property
    def is_far(self) -> bool:
        return self.target >= 13

    @property
    def enters(self) -> bool:
        return self.source == BAR


Steps = tuple[Step, ...]
Ways = list[Steps]


class Facts:
    """What can be said of one play."""

    def __init__(self, play: Play, decompositions: list[Steps], orders: list[Steps]) -> None:
        self.play = play
        self.roll = play.roll
        self.canonical: Steps = tuple(Step(p.source, p.target, p.die) for p in play.portions)
        self.decompositions = decompositions
        self.orders = orders
        self.opponent = [max(-n, 0) for n in play.before.points]
        self.before = [max(n, 0) for n in play.before.points]
        self.before[OFF] = self.opponent[OFF] = 0
        self.after = [max(n, 0) for n in play.reached.points]
        self.hits = sorted((p.target for p in play.portions if p.hits), reverse=True)
        self.owned = {point for point in range(1, 23) if self.after[point] >= 2}
        self.home = {point for point in self.owned if point <= 6}
        self.blots = sum(self.after[point] == 1 for point in range(1, 25))
        self.slots = [
            point
            for point in range(1, 8)
            if not self.before[point] and not self.opponent[point] and self.after[point] == 1
        ]
        self.made: set[int] = set()  # the points of P and @

    def at_rest(self) -> list[int]:
        """Where moved checkers end, and stop-overs that hit, whoever else lands there."""
        left = {step.source for step in self.canonical}
        stops = [point for point in self.hits if point in left]
        return [*net_gain(self.canonical).elements(), *stops]


def net_gain(steps: Sequence[Step]) -> Counter[int]:
    return Counter(step.target for step in steps) - Counter(step.source for step in steps)


# Legal play of two dice, order by order.


def _legal_steps(own: list[int], opponent: list[int], die: int) -> Iterator[Step]:
    highest = max(point for point in range(BAR + 1) if own[point] or not point)
    for source in [BAR] if own[BAR] else range(1, BAR):
        target = source - die
        if not own[source]:
            continue
        if target > 0:
            if opponent[target] < 2:
                yield Step(source, target, die)
        elif highest <= 6 and (target == 0 or source == highest):
            yield Step(source, OFF, die)


def _orders(position: Position, dice: tuple[int, int]) -> list[tuple[Steps, tuple[int, ...]]]:
    """All ways to play dice in this order as far as possible, with own checkers afterwards."""
    found: list[tuple[Steps, tuple[int, ...]]] = []
    own = [max(n, 0) for n in position.points]
    opponent = [max(-n, 0) for n in position.points]
    own[OFF] = 0
    for first in _legal_steps(own, opponent, dice[0]):
        moved = own[:]
        moved[first.source] -= 1
        moved[first.target] += 1
        left = opponent[:]
        if first.target:
            left[first.target] = 0
        seconds = list(_legal_steps(moved, left, dice[1]))
        if not seconds:
            found.append(((first,), tuple(moved)))
        for second in seconds:
            end = moved[:]
            end[second.source] -= 1
            end[second.target] += 1
            found.append(((first, second), tuple(end)))
    return found


def _facts(plays: Sequence[Play]) -> list[Facts]:
    position, roll = plays[0].before, plays[0].roll
    if roll.is_doublet:
        return [
            Facts(play, [tuple(Step(p.source, p.target, p.die) for p in play.portions)], [])
            for play in plays
        ]
    orders = _orders(position, (roll.high, roll.low)) + _orders(position, (roll.low, roll.high))
    most = max(len(steps) for steps, _ in orders)
    opponent = [max(-n, 0) for n in position.points]
    facts = []
    for play in plays:
        after = [max(n, 0) for n in play.reached.points]
        hits = {p.target for p in play.portions if p.hits}
        mine = [
            steps
            for steps, own in orders
            if len(steps) == most
            and list(own[1:]) == after[1:]
            and {s.target for s in steps if s.target and opponent[s.target] == 1} == hits
        ]
        facts.append(
            Facts(play, list({tuple(sorted(steps)): steps for steps in mine}.values()), mine)
        )
    return facts


# Ways and waiving.


def ways_of(steps: Steps) -> list[Ways]:
    """Every assignment of the portions to checkers, chained wherever they can be chained."""
    links: list[list[list[tuple[int, int]]]] = []
    for point in {step.target for step in steps if step.target}:
        ends = [i for i, step in enumerate(steps) if step.target == point]
        starts = [i for i, step in enumerate(steps) if step.source == point]
        if not starts:
            continue
        if len(ends) <= len(starts):
            links.append(
                [list(zip(ends, some, strict=True)) for some in permutations(starts, len(ends))]
            )
        else:
            links.append(
                [list(zip(some, starts, strict=True)) for some in permutations(ends, len(starts))]
            )
    found = []
    for choice in product(*links):
        following = dict(link for group in choice for link in group)
        ways = []
        for i in range(len(steps)):
            if i not in following.values():
                way = [i]
                while way[-1] in following:
                    way.append(following[way[-1]])
                ways.append(tuple(steps[j] for j in way))
        found.append(ways)
    return found


def forced_steps(facts: Sequence[Facts]) -> Counter[Step]:
    common = Counter(facts[0].canonical)
    for fact in facts:
        common &= Counter(fact.canonical)
    return common


def may_waive(steps: Sequence[Step], forced: Counter[Step]) -> bool:
    return not Counter(step for step in steps if not step.enters) - forced


def accounts(steps: Steps, forced: Counter[Step]) -> Iterator[Steps]:
    """What stays in account, by every choice of waived portions."""
    for count in range(len(steps) + 1):
        for kept in combinations(range(len(steps)), count):
            if may_waive([s for i, s in enumerate(steps) if i not in kept], forced):
                yield tuple(steps[i] for i in kept)


def others(ways: Ways, *taken: int) -> list[Step]:
    return [step for i, way in enumerate(ways) if i not in taken for step in way]


def at_most_one_down(left: list[Step], forced: Counter[Step]) -> bool:
    return any(
        len(kept) <= 1 and all(step.is_down for step in kept)
        for kept in accounts(tuple(left), forced)
    )


# The styles. Each takes a play, one decomposition and what is forced.


def points_made(fact: Facts, steps: Steps, forced: Counter[Step]) -> set[int]:
    found = set()
    for kept in accounts(steps, forced):
        gain = net_gain(kept)
        if len(gain) == 1:
            (point,) = gain
            if 1 <= point <= 22 and fact.before[point] <= 1 and fact.after[point] == 2:
                found.add(point)
    return found


def is_h(fact: Facts, steps: Steps, forced: Counter[Step]) -> bool:
    if len(fact.hits) != 1:
        return False
    (hit,) = fact.hits
    for ways in ways_of(steps):
        for i, way in enumerate(ways):
            left = others(ways, i)
            last = way[-1]
            if last.target == hit and fact.after[hit] == 1 and at_most_one_down(left, forced):
                return True
            if (
                last.source == hit
                and len(way) > 1
                and last.is_down
                and not fact.before[last.target]
                and not fact.opponent[last.target]
                and fact.after[last.target] == 1
                and may_waive(left, forced)
            ):
                return True
    return False


def is_x(fact: Facts, steps: Steps, forced: Counter[Step]) -> bool:
    if len(fact.hits) != 1:
        return False
    (hit,) = fact.hits
    if hit > 12 or fact.after[hit] != 1:
        return False
    for ways in ways_of(steps):
        for i, way in enumerate(ways):
            if way[-1].target != hit:
                continue
            for cut in range(len(way)):
                rest = tuple(others(ways, i)) + way[:cut]
                if not any(step.is_far for step in rest):
                    continue
                for kept in accounts(rest, forced):
                    if all(step.is_far for step in kept) and (
                        not fact.roll.is_doublet or not kept or is_one_way(kept)
                    ):
                        return True
    return False


def is_one_way(steps: Steps) -> bool:
    return any(len(ways) == 1 for ways in ways_of(steps))


def is_k(fact: Facts, steps: Steps, forced: Counter[Step]) -> bool:
    if len(fact.hits) != 2:
        return False
    for ways in ways_of(steps):
        places = [
            [(i, j) for i, way in enumerate(ways) for j, step in enumerate(way) if step.target == p]
            for p in fact.hits
        ]
        for hitters in product(*places):
            left: list[Step] = []
            for i, way in enumerate(ways):
                last = max((j for k, j in hitters if k == i), default=-1)
                left += way[last + 1 :]
            if may_waive(left, forced):
                return True
    return False


def is_l(fact: Facts) -> bool:
    """Each order of play, each portion."""
    for order in fact.orders:
        own = fact.before[:]
        for number, step in enumerate(order):
            alone_before = fact.before[step.source] == 1
            landed = number == 1 and order[0].target == step.source
            landed = landed and not fact.before[step.source]
            if (
                step.source != BAR
                and own[step.source] == 1
                and (alone_before or landed)
                and step.target != OFF
                and own[step.target] >= 2
                and fact.after[step.target] >= 3
            ):
                return True
            own[step.source] -= 1
            own[step.target] += 1
    return False


def is_t(fact: Facts, steps: Steps, forced: Counter[Step]) -> bool:
    return any(
        kept and all(point and fact.after[point] >= 4 for point in net_gain(kept))
        for kept in accounts(steps, forced)
    )


def is_slot(fact: Facts, steps: Steps, forced: Counter[Step]) -> bool:
    return len(fact.slots) == 1 and any(
        way[-1].target == fact.slots[0] and at_most_one_down(others(ways, i), forced)
        for ways in ways_of(steps)
        for i, way in enumerate(ways)
    )


def is_double_slot(fact: Facts, steps: Steps, forced: Counter[Step]) -> bool:
    return len(fact.slots) == 2 and any(
        {ways[i][-1].target, ways[j][-1].target} == set(fact.slots)
        and may_waive(others(ways, i, j), forced)
        for ways in ways_of(steps)
        for i, j in combinations(range(len(ways)), 2)
    )


def is_w(fact: Facts, steps: Steps, forced: Counter[Step]) -> bool:
    return len(fact.slots) == 1 and any(
        slotting[-1].target == fact.slots[0]
        and all(step.is_far for step in way)
        and fact.after[way[-1].target] == 1
        for kept in accounts(steps, forced)
        for ways in ways_of(kept)
        if len(ways) == 2
        for slotting, way in permutations(ways)
    )


def is_q(fact: Facts, steps: Steps) -> bool:
    return (
        all(step.target >= 18 for step in steps)
        and all(fact.after[point] == 1 for point in net_gain(steps))
        and sum(fact.after[point] > 0 for point in range(18, 25)) >= 4
    )


# The order of a family.


def _sign(higher: bool) -> int:
    return -1 if higher else 1


def _order_lists(one: list[int], other: list[int], order: list[int]) -> int:
    """Best first, the first difference decides; negative if `one` ranks higher."""
    ranks = sorted(map(order.index, one)), sorted(map(order.index, other))
    return (ranks[0] > ranks[1]) - (ranks[0] < ranks[1])


def _all_home_points(fact: Facts) -> int:
    return len(fact.home)


def _points_made_apart(fact: Facts) -> int:
    return len(fact.home - fact.made)


def _hits(one: Facts, other: Facts, home_points: Callable[[Facts], int]) -> int:
    if one.hits == other.hits:
        return 0
    if home_points(one) != home_points(other):
        return _sign(home_points(one) > home_points(other))
    if len(one.hits) != len(other.hits):
        return _sign(len(one.hits) > len(other.hits))
    return _sign(one.hits > other.hits)


def _step_hits(one: Facts, other: Facts) -> int:
    return _hits(one, other, _all_home_points)


def _step_hits_made(one: Facts, other: Facts) -> int:
    return _hits(one, other, _points_made_apart)


def _step_higher_hit(one: Facts, other: Facts) -> int:
    return 0 if one.hits == other.hits else _sign(one.hits > other.hits)


def _step_more(one: Facts, other: Facts) -> int:
    return len(other.owned) - len(one.owned)


def _step_fewer(one: Facts, other: Facts) -> int:
    return one.blots - other.blots


def _step_which(one: Facts, other: Facts) -> int:
    return _order_lists(one.slots, other.slots, SLOT_ORDER)


def _step_points(one: Facts, other: Facts) -> int:
    for point in POINT_ORDER:
        if (point in one.owned) != (point in other.owned):
            return _sign(point in one.owned)
    return 0


def _step_all_landings(one: Facts, other: Facts) -> int:
    mine, theirs = ([step.target for step in fact.canonical] for fact in (one, other))
    return _order_lists(mine, theirs, LANDING_ORDER)


def _step_rest_landings(one: Facts, other: Facts) -> int:
    mine, theirs = (
        [step.target for step in fact.canonical if not step.enters] for fact in (one, other)
    )
    return _order_lists(mine, theirs, LANDING_ORDER)


def _step_style_landings(one: Facts, other: Facts) -> int:
    mine, theirs = one.at_rest(), other.at_rest()
    mine += [MISSING] * (len(theirs) - len(mine))
    theirs += [MISSING] * (len(mine) - len(theirs))
    return _order_lists(mine, theirs, LANDING_ORDER)


def _step_high_number(one: Facts, other: Facts) -> int:
    if not one.roll.is_doublet:
        sources = [
            max([s.source for s in fact.canonical if s.die == fact.roll.high], default=0)
            for fact in (one, other)
        ]
        if sources[0] != sources[1]:
            return _sign(sources[0] > sources[1])
    mine, theirs = sorted(one.canonical, reverse=True), sorted(other.canonical, reverse=True)
    return 0 if mine == theirs else _sign(mine > theirs)


Rule = tuple[Callable[[Facts, Facts], int], ...]
AREAL: Rule = (_step_hits, _step_more, _step_points, _step_all_landings, _step_high_number)
REST: Rule = (_step_hits, _step_more, _step_points, _step_rest_landings, _step_high_number)
_END: Rule = (_step_points, _step_style_landings, _step_high_number)
PURE: Rule = (_step_hits, _step_more, *_END)
HIGHER: Rule = (_step_higher_hit, _step_more, *_END)
MADE: Rule = (_step_hits_made, _step_more, *_END)
FEWER: Rule = (_step_hits, _step_more, _step_fewer, *_END)
WHICH: Rule = (_step_more, _step_which, *_END)


def ranked(family: list[Facts], rule: Rule) -> list[Facts]:
    """The family from the top, logic loops resolved."""

    def compare(one: Facts, other: Facts) -> int:
        return next((sign for step in rule if (sign := step(one, other))), 0)

    wins = {
        id(one): sum(compare(one, other) < 0 for other in family if other is not one)
        for one in family
    }
    # Any two plays differ in rank, so the circles follow each other by wins, and the first k
    # plays end one if they win against all the rest and each pair of them once.
    order = sorted(family, key=lambda fact: -wins[id(fact)])
    result: list[Facts] = []
    circle: list[Facts] = []
    total = 0
    for count, fact in enumerate(order, 1):
        circle.append(fact)
        total += wins[id(fact)]
        if total == count * (count - 1) // 2 + count * (len(order) - count):
            circle.sort(key=cmp_to_key(_in_circle(rule)))
            result += circle
            circle = []
    assert len(result) == len(family), "two plays tied"
    return result


def _in_circle(rule: Rule) -> Callable[[Facts, Facts], int]:
    """More home points, then the plain order."""
    homes = _points_made_apart if _step_hits_made in rule else _all_home_points

    def compare(one: Facts, other: Facts) -> int:
        more = homes(other) - homes(one)
        return more or next((sign for step in rule if (sign := step(one, other))), 0)

    return compare


# Families and spelling.


def spell(letter: str, number: int) -> str:
    """The plain spelling of a member, counted from 1."""
    base, mark = letter[0], letter[1:]
    if base == "U":
        character, plain = "UVuv"[(number - 1) % 4], number <= 4
    elif base in "$@":
        character, plain = ("$%" if base == "$" else "@#")[(number - 1) % 2], number <= 2
    elif base == "&":
        character, plain = base, number == 1
    else:
        character, plain = (base if number % 2 else base.lower()), number <= 2
    return character + mark + ("" if plain else f"{{{number}}}")


def areal_letter(fact: Facts, steps: Steps) -> str:
    counts = Counter(step.area for step in steps)
    code = "".join(str(counts[area]) for area in range(4))
    if code == "1100" and not fact.roll.is_doublet:
        run, down = sorted(steps, key=lambda step: step.area)
        if 7 <= down.source <= 12:
            return "B"
        return "S" if run.die == fact.roll.high else "Z"
    letter = (DOUBLETS if fact.roll.is_doublet else TWO_DICE)[code]
    if letter[0] == "R" and all(step.target >= 18 for step in steps if step.is_far):
        letter = "U" + letter[1:]
    return letter


Answer = dict[Play, dict[str, set[str]]]


def all_nactations(position: Position, roll: Roll) -> Answer:
    """Of every legal play its Nactations, by kind: areal, style, symbol, convenience, waived."""
    plays = legal_plays(position, roll)
    if not plays:
        return {}
    facts = _facts(plays)
    forced = forced_steps(facts)
    answer: Answer = {play: {} for play in plays}

    def name(kind: str, families: dict[str, list[Facts]], rule: Callable[[str], Rule]) -> None:
        for letter, family in families.items():
            for number, fact in enumerate(ranked(family, rule(letter)), 1):
                answer[fact.play].setdefault(kind, set()).add(spell(letter, number))

    areal: dict[str, list[Facts]] = {}
    rests: dict[str, list[Facts]] = {}
    styles: dict[str, list[Facts]] = {}
    for fact in facts:
        areal.setdefault(areal_letter(fact, fact.canonical), []).append(fact)
        rest = tuple(step for step in fact.canonical if not step.enters)
        if rest and rest != fact.canonical and not any(step.is_far for step in rest):
            rests.setdefault(areal_letter(fact, rest), []).append(fact)
        for letter in style_letters(fact, forced):
            styles.setdefault(letter, []).append(fact)
    name("areal", areal, lambda _: AREAL)
    name("waived", rests, lambda _: REST)
    if not roll.is_doublet and "S" not in areal and "Z" in areal:
        name("convenience", {"S": areal["Z"]}, lambda _: AREAL)
    rules: dict[str, Rule] = (
        dict.fromkeys("P@", MADE)
        | dict.fromkeys("HXK", HIGHER)
        | dict.fromkeys("LT", FEWER)
        | dict.fromkeys("$&W", WHICH)
    )
    name("style", styles, lambda letter: rules.get(letter, PURE))
    for fact in facts:
        if position.bar >= 2 and all(step.enters for step in fact.canonical):
            if not fact.after[BAR]:
                answer[fact.play]["symbol"] = {">"}
            elif len(fact.canonical) == 1:
                answer[fact.play]["symbol"] = {"<"}
    return answer


def style_letters(fact: Facts, forced: Counter[Step]) -> set[str]:
    letters = set()
    tests = {"H": is_h, "X": is_x, "K": is_k, "T": is_t}
    tests |= {"$": is_slot, "&": is_double_slot, "W": is_w}
    for steps in fact.decompositions:
        fact.made |= points_made(fact, steps, forced)
        letters |= {letter for letter, test in tests.items() if test(fact, steps, forced)}
        if not fact.roll.is_doublet and is_q(fact, steps):
            letters.add("Q")
    if fact.made:
        letters.add("P")
    if any(point >= 13 for point in fact.made):
        letters.add("@")
    if not fact.roll.is_doublet and is_l(fact):
        letters.add("L")
    return letters
