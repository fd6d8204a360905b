"""Why a character does not name a play: the first clause of its definition that fails.

The clauses are in the tutorial's order: the action of the play, the portions that may be left
over, then the rank in the family (sections 12 and 13).
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
from gnubg_nactation.language.areas import AREAS, area, areal_family
from gnubg_nactation.language.explain import ranking_of
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.ranking_reasons import decide, hit_points
from gnubg_nactation.language.styles import Decomposition, Style
from gnubg_nactation.language.waived import after_entering
from gnubg_nactation.showing import counted
from gnubg_nactation.values import NamedTuple

_VERBS: dict[str, str] = dict(
    zip(AREAS, ("runs", "comes down", "jumps", "moves inside"), strict=True)
)
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
_LOWEST_UP = 18  # the lowest point of U and Q


class Failure(NamedTuple):
    """A clause that fails; `depth` counts the clauses of the definition that hold before it."""

    depth: int
    clause: str


_depth = attrgetter("depth")


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
        count = counted(len(members), "member")
        return f"it is {naming.nactation}, and the family has {count}"
    first, second = sorted((place, name.member))
    above, below = members[first - 1], members[second - 1]
    decision = decide(above, below, ranking_of(reading))
    if place == first:
        ranks = f"it ranks above {format_play(below)}"
    else:
        ranks = f"{format_play(above)} ranks above it"
    return f"it is {naming.nactation}; {ranks} ({decision})"


def _clause(play: Play, family: Family, plays: Plays) -> str:
    """The clause that keeps a play out of a family."""
    right = plays.reading(family).right
    if right is Right.NUMERAL:
        return _numeral(play, family, plays)
    if family.style and (right in {Right.STYLE, Right.SYMBOL} or not plays.is_doublet):
        clauses = _CLAUSES[family.style]
        failures = [
            max(clauses(decomposition), key=_depth)
            for decomposition in styles.decompositions(play, plays.forced)
            if decomposition.counted
        ]
        # If several are equally deep, the last: it waives the most portions.
        return max(reversed(failures), key=_depth).clause
    if family.right is Right.SYMBOL:
        return _entering(play, family)
    return _areal(play, family)


# Areas


def _areal(play: Play, family: Family) -> str:
    areal, portions = areal_family(play), play.portions
    if {family.character, areal.character} == {"U", "R"} and family.suffix == areal.suffix:
        low = [portion for portion in portions if FAR <= portion.target < _LOWEST_UP]
        if low:
            hop = format_hops(low[:1])
            return f"{hop} lands on the {low[0].target}pt, and U stays above the 17pt"
        return "no checker lands on the 17pt to the 13pt"
    if not play.roll.is_doublet and {family.key, areal.key} <= {"S", "Z", "B"}:
        run, down = sorted(portions, key=lambda portion: portion.target, reverse=True)
        if areal.key == "B":
            hop = format_hops([down])
            return f"{hop} starts in the outer board: {family} comes down from beyond it"
        if family.key == "B":
            return f"{format_hops([down])} starts beyond the outer board: B moves within it"
        size = "smaller" if areal.key == "Z" else "larger"
        return f"the {size} die, the {run.die}, is played on the far side"
    codes = family.doublet if play.roll.is_doublet else family.dice
    if not codes:
        return f"{family} is for doublets"
    sizes = {sum(map(int, code)): code for code in codes}
    later, after = [portion for portion in portions if portion.source != BAR], ""
    if len(later) < len(portions) and sizes.get(len(later), "1").startswith("0"):
        portions, after = (*later,), " after entering"  # only these count (section 8)
    if len(portions) not in sizes:
        code = sizes[min(size for size in sizes if size > len(portions))]
        played = _count(len(portions), "portion")
        return f"only {played} played, and {family} needs {_areas(code)}"
    code = sizes[len(portions)]
    areas = [area(portion) for portion in portions]
    needed = dict(zip(AREAS, map(int, code), strict=True))
    excess = next(name for name in AREAS if areas.count(name) > needed[name])
    hop = format_hops([portions[areas.index(excess)]])
    return f"{hop} {_VERBS[excess]}, and {family} needs {_areas(code)}{after}"


def _areas(code: str) -> str:
    """The code of an areal family in words, as in `1 run and 2 insides`."""
    counts = zip(AREAS, map(int, code), strict=True)
    *first, last = [counted(count, name) for name, count in counts if count]
    return f"{', '.join(first)} and {last}" if first else last


# Numerals and symbols without a style


def _numeral(play: Play, family: Family, plays: Plays) -> str:
    off = [portion for portion in play.portions if portion.target == OFF]
    if not family.key.isdigit():
        needed = family.word.partition(" ")[0]
        if needed == _NUMBERS[len(off)]:
            return _left_over([[p] for p in play.portions if p not in off])
        return f"{_count(len(off), 'checker')} borne off, and {family} bears off {needed}"
    if not _ends_with(family, play.portions):
        return f"no checker ends on a point that ends with {family}"
    # Entering and forced portions are played first (section 9).
    others = [p for p in styles.without(play.portions, plays.forced) if p.source != BAR]
    if not _ends_with(family, others):
        return f"only an entering or forced portion ends on a point that ends with {family}"
    if plays.reading(family).members:
        return f"other plays to a point that ends with {family} come first"
    most_off = max(sum(p.target == OFF for p in other.portions) for other in plays)
    better = "bear off more" if len(off) < most_off else "leave fewer blots"
    return f"plays that {better} come first"


def _ends_with(family: Family, portions: Sequence[Portion]) -> bool:
    """Whether a checker comes to rest on a point with the last digit of a numeral."""
    return any(point % 10 == int(family.key) for point in styles.resting_points(portions))


def _entering(play: Play, family: Family) -> str:
    if not play.before.bar:
        return "no checker is on the bar"
    entering = sum(portion.source == BAR for portion in play.portions)
    if family.key == "^":
        return _count(entering, "checker", "enters enter")
    if entering < len(play.portions):
        return f"{format_hops(after_entering(play))} is played after entering"
    if play.before.bar == 1:
        return "only one checker is on the bar"
    entered = _count(entering, "checker", "enters enter")
    return f"{entered} of {play.before.bar} on the bar"


# Styles: for each path that the checkers may have taken, the first clause that fails.


def _point(play: Decomposition) -> Iterator[Failure]:
    ends = styles.resting_points(play.counted)
    points = [point for point in ends if _makes(play, point)]
    if not points:
        yield Failure(0, "; ".join(dict.fromkeys(_no_point(play, point) for point in ends)))
    for point in points:
        elsewhere = [
            path for path in styles.checker_paths(play.counted) if path[-1].target != point
        ]
        if elsewhere:
            yield Failure(1, f"{_left_over(elsewhere)}: all must make the {point}pt")
        else:
            yield Failure(2, f"the {point}pt is on the near side")  # only for an anchor


def _makes(play: Decomposition, point: int) -> bool:
    return 1 <= point <= 22 and play.play.own(point) == 2 and play.play.before.points[point] <= 1


def _no_point(play: Decomposition, point: int) -> str:
    count = play.play.own(point)
    if point == OFF:
        return "a checker is borne off"
    if not count:
        return _none_stays(point)
    if count == 1:
        return f"a blot is left on the {point}pt"
    if play.play.before.points[point] > 1:
        return f"the {point}pt was made before"
    if point > 22:
        return f"the {point}pt never counts as a point"
    return f"the {point}pt holds {_count(count, 'checker', '')}, not two"


def _hit(play: Decomposition) -> Iterator[Failure]:
    hits = hit_points(play.play)
    if len(hits) != 1:
        yield Failure(0, _wrong_hits(hits))
        return
    (hit,) = hits
    for path in styles.paths_of(play):
        if _up_to(path, hit):
            yield _loose_hit(play, path, hit)


def _loose_hit(play: Decomposition, path: Sequence[Portion], hit: int) -> Failure:
    """The clause of H that fails if the checker of this path hits."""
    leftover, end = play.left_over(path), path[-1].target
    if end == hit:
        if play.play.own(hit) != 1:
            return Failure(1, _not_loose(hit))
        return Failure(2, _not_down(leftover))
    goes_on = f"the hitter goes on to the {end}pt"
    if end == OFF:
        return Failure(1, "the hitter is borne off")
    if not OUTER <= end < FAR:
        return Failure(1, f"{goes_on}, which is not down")
    if path[-1].source != hit:
        return Failure(1, f"{goes_on} with more than one portion")
    if play.play.before.points[end]:
        return Failure(1, f"{goes_on}, which is not vacant")
    if play.play.own(end) != 1:
        return Failure(1, f"{goes_on}, where it is not alone")
    return Failure(2, f"the hitter goes on, and {_left_over([[p] for p in leftover])}")


def _not_loose(hit: int) -> str:
    return f"the hit on the {hit}pt is not loose: the hitter is not alone there"


def _hit_and_split(play: Decomposition) -> Iterator[Failure]:
    hits = hit_points(play.play)
    if len(hits) != 1:
        yield Failure(0, _wrong_hits(hits))
        return
    (hit,) = hits
    if hit >= FAR:
        yield Failure(1, f"the hit on the {hit}pt is on the far side")
        return
    if play.play.own(hit) != 1:
        yield Failure(2, _not_loose(hit) if play.play.own(hit) else _none_stays(hit))
        return
    for path in (path for path in styles.paths_of(play) if path[-1].target == hit):
        leftover = play.left_over(path)
        near = [portion for portion in leftover if portion.target < FAR]
        if near:
            yield Failure(3, f"{_left_over([[p] for p in near])} and not on the far side")
        elif leftover:
            yield Failure(4, f"{_left_over([[p] for p in leftover])}: one checker splits")
        else:
            yield Failure(3, "nothing is left over to split")


def _kill(play: Decomposition) -> Iterator[Failure]:
    hits = hit_points(play.play)
    if len(hits) != 2:
        yield Failure(0, _wrong_hits(hits))
        return
    for chains in styles.chainings(play.portions):
        for first, second in product(chains, repeat=2):
            paths = [_up_to(first, hits[0]), _up_to(second, hits[1])]
            if all(paths):
                hitting = max(paths, key=len) if first is second else [*paths[0], *paths[1]]
                yield _fewest_left_over(play.left_over(hitting))


def _up_to(path: Sequence[Portion], point: int) -> Sequence[Portion]:
    """The part of a path that ends on a point; empty if it does not pass there."""
    return next((path[:n] for n, portion in enumerate(path, 1) if portion.target == point), ())


def _fewest_left_over(leftover: Sequence[Portion]) -> Failure:
    """A failure that is the deeper, the fewer portions are left over."""
    return Failure(9 - len(leftover), _left_over([[portion] for portion in leftover]))


def _lift(play: Decomposition) -> Iterator[Failure]:
    if play.play.roll.is_doublet:
        yield Failure(0, "no doublet is an L")
        return
    start = play.play.before.points
    joined = [p.target for p in play.portions if p.source == BAR and start[p.target] == 1]
    kept = {BAR, *joined}  # a checker enters first, so it has joined a blot before that can move
    blots = [p for p in play.portions if p.source not in kept and start[p.source] <= 1]
    if not blots:
        yield Failure(1, "no blot is lifted")
    for portion in blots:
        if portion.target == OFF:
            yield Failure(2, f"{format_hops([portion])} bears off a blot, and L needs a point")
            continue
        checkers = _count(play.play.own(portion.target), "checker", "")
        lifted = f"{format_hops([portion])} lifts a blot to a point with {checkers} at the end"
        yield Failure(2, f"{lifted}, and L needs three")


def _tower(play: Decomposition) -> Iterator[Failure]:
    ends = styles.resting_points(play.counted)
    for point in ends:
        if point == OFF:
            yield Failure(0, "a checker is borne off")
        elif not play.play.own(point):
            yield Failure(0, _none_stays(point))
        elif play.play.own(point) < 4:
            high = sum(play.play.own(end) >= 4 for end in ends)
            checkers = _count(play.play.own(point), "checker", "")
            yield Failure(high, f"the {point}pt holds {checkers}, and T needs four")


def _slot(play: Decomposition) -> Iterator[Failure]:
    slots = styles.new_blots(play.play)
    if len(slots) != 1:
        yield Failure(0, _wrong_slots(slots))
        return
    for path in styles.paths_of(play):
        if path[-1].target == slots[0]:
            yield Failure(2, _not_down(play.left_over(path)))
    yield Failure(1, f"the blot on the {slots[0]}pt was not moved there")


def _double_slot(play: Decomposition) -> Iterator[Failure]:
    slots = styles.new_blots(play.play)
    if len(slots) != 2:
        yield Failure(0, _wrong_slots(slots))
        return
    for chains in styles.chainings(play.portions):
        slotting = [portion for path in chains if path[-1].target in slots for portion in path]
        yield _fewest_left_over(play.left_over(slotting))


def _wild(play: Decomposition) -> Iterator[Failure]:
    slots = styles.new_blots(play.play)
    if len(slots) != 1:
        yield Failure(0, _wrong_slots(slots))
        return
    for chains in styles.chainings(play.counted):
        paths = [path for path in chains if path[-1].target != slots[0]]
        far_paths = [path for path in paths if path[-1].target >= FAR]
        if not far_paths:
            yield Failure(1, "no other moved checker ends on the far side")
        elif len(paths) > 1:
            yield Failure(3, _left_over([path for path in paths if path is not far_paths[0]]))
        else:
            yield Failure(2, f"the checker on the {far_paths[0][-1].target}pt is not a blot")


def _quadruple_split(play: Decomposition) -> Iterator[Failure]:
    low = [portion for portion in play.portions if portion.target < _LOWEST_UP]
    if low:
        yield Failure(0, f"{format_hops(low[:1])} lands below the 18pt")
        return
    ends = styles.resting_points(play.portions)
    crowded = [point for point in ends if play.play.own(point) != 1]
    if crowded:
        yield Failure(1, f"the checker on the {crowded[0]}pt is not a blot")
    points = _count(sum(play.play.own(point) > 0 for point in range(_LOWEST_UP, BAR)), "point")
    yield Failure(1 if crowded else 2, f"{points} held from the 18pt up, not four")


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


def _wrong_hits(hits: Sequence[int]) -> str:
    return f"{_count(len(hits), 'checker')} hit" if hits else "no checker is hit"


def _none_stays(point: int) -> str:
    return f"no checker stays on the {point}pt"


def _wrong_slots(slots: Sequence[int]) -> str:
    if not slots:
        return "no new blot is left on a vacant point, the 7pt or lower"
    points = " and ".join(f"the {point}pt" for point in slots)
    return f"{points} {'are' if len(slots) > 1 else 'alone is'} slotted"


def _not_down(leftover: Sequence[Portion]) -> str:
    """Why the portions left over are not a single one that comes down; empty if none is."""
    if not leftover:
        return ""
    if len(leftover) > 1:
        return f"{_left_over([[portion] for portion in leftover])}, and one portion at most may be"
    verb = _VERBS[area(leftover[0])]
    return f"{format_hops(leftover)} is left over and {verb}: it must come down"


def _left_over(paths: Sequence[Sequence[Portion]]) -> str:
    verb = "is" if len(paths) == 1 else "are"
    return f"{format_hops(portion for path in paths for portion in path)} {verb} left over"


def _count(number: int, noun: str, verb: str = "is are") -> str:
    """The number and its noun, as in `two checkers are`."""
    singular, _, plural = verb.partition(" ")
    suffix = f" {singular if number == 1 else plural}" if verb else ""
    return f"{_NUMBERS[min(number, 6)]} {noun}{'s' * (number != 1)}{suffix}"
