"""Why a character does not name a play: the first clause of its definition that fails.

Clauses come in the tutorial's order: what the play does, what may be left over, then the rank in
the family (sections 12 and 13).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from operator import attrgetter

from gnubg_nactation.backgammon.notation import format_hops, format_play
from gnubg_nactation.backgammon.plays import Play, Portion
from gnubg_nactation.backgammon.position import BAR, FAR, OFF, OUTER
from gnubg_nactation.language import styles
from gnubg_nactation.language.alphabet import Family, Right
from gnubg_nactation.language.areas import AREAS, area, area_counts, areal_family
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.ranking_reasons import decide, ranking_of
from gnubg_nactation.language.styles import Decomposition, Style
from gnubg_nactation.values import NamedTuple

_VERBS: dict[str, str] = dict(
    zip(AREAS, ("runs", "comes down", "jumps", "moves inside"), strict=True)
)
_UP = 18  # the lowest point of U and Q


class Failure(NamedTuple):
    """A clause that fails, and how many clauses of the definition hold before it."""

    held: int
    clause: str


_held = attrgetter("held")


def why_not(play: Play, name: Nactation, plays: Plays) -> str:
    """Explain in one sentence why a Nactation does not name a play; empty if it does.

    `plays` are all plays of the roll. If the play is another member of the family, the sentence
    gives the convention that ranks the two.
    """
    reading = plays.reading(name.family)
    naming = reading.naming(play)
    if naming is None:
        return _clause(play, name.family, plays)
    place, members = naming.nactation.member, reading.members
    if place == name.member:
        return ""
    if name.member > len(members):
        return f"it is {naming.nactation}, and the family has {len(members)} members"
    first, second = sorted((place, name.member))
    above, below = members[first - 1], members[second - 1]
    decision = decide(above, below, ranking_of(reading))
    if place == first:
        ranks = f"it ranks above {format_play(below)}"
    else:
        ranks = f"{format_play(above)} ranks above it"
    return f"it is {naming.nactation}; {ranks} ({decision})"


def _clause(play: Play, family: Family, plays: Plays) -> str:
    right = plays.reading(family).right
    if right is Right.NUMERAL:
        return _numeral(play, family)
    if family.style and (right in {Right.STYLE, Right.SYMBOL} or not plays.is_doublet):
        clauses = _CLAUSES[family.style]
        failures = [
            max(clauses(decomposition), key=_held)
            for decomposition in styles.decompositions(play, plays.forced)
            if decomposition.kept
        ]
        # Of equal ones the last, in which the most is waived.
        return max(reversed(failures), key=_held).clause
    if family.right is Right.SYMBOL:
        return _entering(play, family)
    return _areal(play, family)


# Areas


def _areal(play: Play, family: Family) -> str:
    areal, portions = areal_family(play), play.portions
    if {family.character, areal.character} == {"U", "R"} and family.suffix == areal.suffix:
        low = [portion for portion in portions if FAR <= portion.target < _UP]
        if low:
            return f"{_hops(low[:1])} lands on the {low[0].target}pt, and U stays above the 17pt"
        return "no checker lands on the 17pt to the 13pt"
    if not play.roll.is_doublet and {family.key, areal.key} <= {"S", "Z", "B"}:
        run, down = sorted(portions, key=lambda portion: portion.target, reverse=True)
        if areal.key == "B":
            return f"{_hops([down])} starts in the outer board: {family} comes down from beyond it"
        if family.key == "B":
            return f"{_hops([down])} starts beyond the outer board: B moves within it"
        size = "smaller" if areal.key == "Z" else "larger"
        return f"the {size} die, the {run.die}, is played on the far side"
    codes = family.doublet if play.roll.is_doublet else family.dice
    codes = tuple(code for code in codes if sum(map(int, code)) == len(portions))
    if not codes:
        return f"{family} is for {'other rolls' if play.roll.is_doublet else 'doublets'}"
    needed = [int(digit) for digit in codes[0]]
    counts = zip(AREAS, area_counts(play), needed, strict=True)
    spare = next(name for name, count, need in counts if count > need)
    portion = next(portion for portion in portions if area(portion) == spare)
    needs = [f"{need} {name}{'s' * (need > 1)}" for name, need in zip(AREAS, needed, strict=True)]
    needs = [words for words in needs if not words.startswith("0")]
    return f"{_hops([portion])} {_VERBS[spare]}, and {family} needs {' and '.join(needs)}"


# Numerals and symbols without a style


def _numeral(play: Play, family: Family) -> str:
    off = sum(portion.target == OFF for portion in play.portions)
    if not family.key.isdigit():
        needed = family.word.partition(" ")[0]
        return f"{_count(off, 'checker')} borne off, and {family} bears off {needed}"
    points = styles.resting_points(play.portions)
    if any(point % 10 == int(family.key) for point in points):
        return f"other plays to a point that ends with {family} come first"
    return f"no checker ends on a point that ends with {family}"


def _entering(play: Play, family: Family) -> str:
    if not play.before.bar:
        return "no checker is on the bar"
    entering = sum(portion.source == BAR for portion in play.portions)
    if family.key == "^":
        return _count(entering, "checker", "enters enter")
    if entering < len(play.portions):
        others = [portion for portion in play.portions if portion.source != BAR]
        return f"{_hops(others)} is played after entering"
    entered = _count(entering, "checker", "enters enter")
    return f"{entered} of {play.before.bar} on the bar"


# Styles: each gives, for each way in which the checkers may have gone, the first clause that fails.


def _point(play: Decomposition) -> Iterator[Failure]:
    ends = styles.resting_points(play.kept)
    made = [point for point in ends if _makes(play, point)]
    if not made:
        yield Failure(0, "; ".join(dict.fromkeys(_no_point(play, point) for point in ends)))
    for point in made:
        others = [way for way in styles.checker_paths(play.kept) if way[-1].target != point]
        if others:
            yield Failure(1, f"{_left_over(others)}: all must make the {point}pt")
        else:
            yield Failure(2, f"the {point}pt is on the near side")  # only an anchor fails so


def _makes(play: Decomposition, point: int) -> bool:
    return 1 <= point <= 22 and play.play.own(point) == 2 and play.play.before.points[point] <= 1


def _no_point(play: Decomposition, point: int) -> str:
    count = play.play.own(point)
    if point == OFF:
        return "a checker is borne off"
    if count == 1:
        return f"a blot is left on the {point}pt"
    if play.play.before.points[point] > 1:
        return f"the {point}pt was made before"
    if point > 22:
        return f"the {point}pt never counts as a point"
    return f"the {point}pt gets {_count(count, 'checker', '')}"


def _hit(play: Decomposition) -> Iterator[Failure]:
    hits = _hit_points(play.play)
    if len(hits) != 1:
        yield Failure(0, _wrong_hits(hits))
        return
    (hit,) = hits
    for way in _ways(play):
        rest, last = play.left_over(way), way[-1]
        if hit not in {last.target, last.source}:
            yield Failure(0, f"{_hops(way)} does not hit")
        elif last.target == hit and play.play.own(hit) != 1:
            yield Failure(1, f"the hit on the {hit}pt is not loose: the hitter is not alone there")
        elif last.target != hit and not (
            OUTER <= last.target < FAR
            and play.play.own(last.target) == 1
            and not play.play.before.points[last.target]
        ):
            yield Failure(1, f"the hitter goes on to the {last.target}pt, which is not down")
        elif last.target != hit:
            yield Failure(2, f"the hitter goes on, and {_left_over([[p] for p in rest])}")
        else:
            yield Failure(2, _not_down(rest))


def _hit_and_split(play: Decomposition) -> Iterator[Failure]:
    hits = _hit_points(play.play)
    if len(hits) != 1:
        yield Failure(0, _wrong_hits(hits))
        return
    (hit,) = hits
    if hit >= FAR:
        yield Failure(1, f"the hit on the {hit}pt is on the far side")
        return
    if play.play.own(hit) != 1:
        yield Failure(2, f"the hit on the {hit}pt is not loose: the hitter is not alone there")
        return
    for way in (way for way in _ways(play) if way[-1].target == hit):
        rest = play.left_over(way)
        near = [portion for portion in rest if portion.target < FAR]
        if near:
            yield Failure(3, f"{_hops(near)} is left over and not on the far side")
        elif rest:
            yield Failure(4, f"{_hops(rest)} is left over: one checker splits")
        else:
            yield Failure(3, "nothing is left over to split")
    yield Failure(2, f"no checker stays on the {hit}pt")


def _kill(play: Decomposition) -> Iterator[Failure]:
    hits = _hit_points(play.play)
    if len(hits) != 2:
        yield Failure(0, _wrong_hits(hits))
        return
    for chains in styles.chainings(play.portions):
        for first, second in product(chains, repeat=2):
            ways = [_up_to(first, hits[0]), _up_to(second, hits[1])]
            if all(ways):
                hitting = max(ways, key=len) if first is second else [*ways[0], *ways[1]]
                rest = play.left_over(hitting)
                yield Failure(9 - len(rest), _left_over([[portion] for portion in rest]))


def _up_to(way: Sequence[Portion], point: int) -> Sequence[Portion]:
    return next((way[:n] for n, portion in enumerate(way, 1) if portion.target == point), ())


def _lift(play: Decomposition) -> Iterator[Failure]:
    if play.play.roll.is_doublet:
        yield Failure(0, "no doublet is an L")
        return
    before = play.play.before.points
    blots = [p for p in play.portions if p.source != BAR and before[p.source] <= 1]
    if not blots:
        yield Failure(1, "no blot is lifted")
    for portion in blots:
        count = play.play.own(portion.target)
        yield Failure(2, f"{_hops([portion])} lifts a blot to a point with {count} at the end")


def _tower(play: Decomposition) -> Iterator[Failure]:
    ends = styles.resting_points(play.kept)
    for point in ends:
        if point == OFF:
            yield Failure(0, "a checker is borne off")
        elif play.play.own(point) < 4:
            high = sum(play.play.own(end) >= 4 for end in ends)
            held = _count(play.play.own(point), "checker", "")
            yield Failure(high, f"the {point}pt holds {held}, and T needs four")


def _slot(play: Decomposition) -> Iterator[Failure]:
    slots = styles.new_blots(play.play)
    if len(slots) != 1:
        yield Failure(0, _wrong_slots(slots))
        return
    for way in _ways(play):
        if way[-1].target == slots[0]:
            yield Failure(2, _not_down(play.left_over(way)))
    yield Failure(1, f"the blot on the {slots[0]}pt was not moved there")


def _double_slot(play: Decomposition) -> Iterator[Failure]:
    slots = styles.new_blots(play.play)
    if len(slots) != 2:
        yield Failure(0, _wrong_slots(slots))
        return
    for chains in styles.chainings(play.portions):
        slotting = [portion for way in chains if way[-1].target in slots for portion in way]
        rest = play.left_over(slotting)
        yield Failure(9 - len(rest), _left_over([[portion] for portion in rest]))


def _wild(play: Decomposition) -> Iterator[Failure]:
    slots = styles.new_blots(play.play)
    if len(slots) != 1:
        yield Failure(0, _wrong_slots(slots))
        return
    for chains in styles.chainings(play.kept):
        others = [way for way in chains if way[-1].target != slots[0]]
        far = [way for way in others if all(portion.target >= FAR for portion in way)]
        if not far:
            yield Failure(1, "no other checker is moved on the far side")
        elif len(others) > 1:
            yield Failure(3, _left_over([way for way in others if way != far[0]]))
        else:
            yield Failure(2, f"the checker on the {far[0][-1].target}pt is not a blot")


def _quadruple_split(play: Decomposition) -> Iterator[Failure]:
    low = [portion for portion in play.portions if portion.target < _UP]
    if low:
        yield Failure(0, f"{_hops(low[:1])} lands below the 18pt")
        return
    ends = styles.resting_points(play.portions)
    crowded = [point for point in ends if play.play.own(point) != 1]
    if crowded:
        yield Failure(1, f"the checker on the {crowded[0]}pt is not a blot")
    held = sum(play.play.own(point) > 0 for point in range(_UP, BAR))
    yield Failure(1 if crowded else 2, f"{_count(held, 'point')} held from the 18pt up, not four")


_CLAUSES: dict[Style, Callable[[Decomposition], Iterable[Failure]]] = {
    styles.POINT: _point,
    styles.ANCHOR: _point,
    styles.HIT: _hit,
    styles.HIT_AND_SPLIT: _hit_and_split,
    styles.KILL: _kill,
    styles.LIFT: _lift,
    styles.TOWER: _tower,
    styles.SLOT: _slot,
    styles.DOUBLE_SLOT: _double_slot,
    styles.WILD: _wild,
    styles.QUADRUPLE_SPLIT: _quadruple_split,
}


# Words


def _ways(play: Decomposition) -> Iterator[list[Portion]]:
    for chains in styles.chainings(play.portions):
        yield from chains


def _hit_points(play: Play) -> list[int]:
    return [point for point in range(BAR - 1, 0, -1) if play.hits >> point & 1]


def _wrong_hits(hits: Sequence[int]) -> str:
    return f"{_count(len(hits), 'checker')} hit" if hits else "no checker is hit"


def _wrong_slots(slots: Sequence[int]) -> str:
    if not slots:
        return "no new blot is left on a vacant point, the 7pt or lower"
    points = " and ".join(f"the {point}pt" for point in slots)
    return f"{points} {'are' if len(slots) > 1 else 'alone is'} slotted"


def _not_down(rest: Sequence[Portion]) -> str:
    """Why what is left over is not one portion that comes down."""
    if len(rest) > 1:
        return f"{_left_over([[portion] for portion in rest])}, and one portion at most may be"
    verbs = [_VERBS[area(portion)] for portion in rest]
    return f"{_hops(rest)} is left over and {verbs[0]}: it must come down" if rest else ""


def _left_over(ways: Sequence[Sequence[Portion]]) -> str:
    verb = "is" if len(ways) == 1 else "are"
    return f"{_hops(portion for way in ways for portion in way)} {verb} left over"


def _hops(portions: Iterable[Portion]) -> str:
    return format_hops(portions)


def _count(number: int, noun: str, verb: str = "is are") -> str:
    """The number and its noun, as in `two checkers are`."""
    words = ("no", "one", "two", "three", "four", "five", "six")
    singular, _, plural = verb.partition(" ")
    suffix = f" {singular if number == 1 else plural}" if verb else ""
    return f"{words[min(number, 6)]} {noun}{'s' * (number != 1)}{suffix}"
