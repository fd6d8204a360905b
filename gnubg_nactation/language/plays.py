"""The legal plays of a roll with their Nactations: the heart of the language.

A `Reading` is a family with its members among these plays. All code that writes, reads or explains
characters finds the reading of a character, and a play's place in it, here.

Below stand the rules by which the author of the language chooses one of a play's Nactations. They
come from the captions of his tutorial and its rollout table (section 17): first members before
lower ones, styles before areas, and the areal letter if nothing else fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import ROLLS, Play, Portion, Roll, legal_plays
from gnubg_nactation.backgammon.position import BAR, FAR, Position
from gnubg_nactation.errors import AmbiguousError, IllegalError, MalformedError
from gnubg_nactation.hooks import hook
from gnubg_nactation.language import areas, conventions, styles
from gnubg_nactation.language.alphabet import (
    FAMILIES,
    STYLE_FAMILIES,
    Diacritic,
    Family,
    Right,
    family,
)
from gnubg_nactation.language.areas import areal_family
from gnubg_nactation.language.conventions import Convention, Order, place_of, rank
from gnubg_nactation.language.nactation import Nactation, Naming, parse_nactation
from gnubg_nactation.language.numerals import is_named_alike, is_named_first, numeral_members
from gnubg_nactation.language.styles import checker_paths, resting_points
from gnubg_nactation.language.waived import WAIVED_ORDER, waived_family
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, overload

if TYPE_CHECKING:
    from gnubg_nactation.language.ranking_reasons import Explanation


class Preferred(NamedTuple):
    """The Nactation to write, and the rule that chose it."""

    naming: Naming
    rule: str

    def __str__(self) -> str:
        """The Nactation in plain spelling."""
        return str(self.naming)


class Legal:
    """The legal plays of a roll, and which of them have which style.

    A `Plays` shares it with its readings. If these kept the `Plays` that keeps them, only the
    garbage collector could free them: that took a twelfth of the time of `annotate`.
    """

    __slots__ = ("_fits", "_forced", "plays")

    def __init__(self, plays: tuple[Play, ...]) -> None:
        self.plays = plays
        self._forced: list[styles.Die] | None = None
        self._fits: dict[tuple[Family, tuple[Portion, ...]], bool] = {}

    @property
    def forced(self) -> list[styles.Die]:
        """The portions that every play has (#29, #30)."""
        if self._forced is None:
            self._forced = styles.forced_portions(self.plays)
        return self._forced

    def fits(self, play: Play, family: Family) -> bool:
        """Whether a play has the style of a family. This is slow: test its `glance` first."""
        key = family, play.portions
        if key not in self._fits:
            style = family.style
            self._fits[key] = style is not None and styles.fits(play, style, self.forced)
        return self._fits[key]


class Plays(Sequence[Play]):
    """The legal plays of a roll in a position, as a sequence, and their Nactations.

    Position and roll may be texts (see `legal_plays`), and so may plays, in traditional notation
    (`8/5 6/5`): methods then raise MalformedError, IllegalError or AmbiguousError, like
    `parse_play`.
    """

    __slots__ = (
        *("_areal_families", "_by_checkers", "_legal", "_plays"),
        *("_readings", "_without_numerals"),
    )

    def __init__(
        self, position: Position | str, roll: Roll | str, *, _legal: Sequence[Play] | None = None
    ) -> None:
        self._plays = tuple(legal_plays(position, roll) if _legal is None else _legal)
        self._legal = Legal(self._plays)
        self._areal_families: set[Family] | None = None
        self._by_checkers: dict[int, list[Play]] = {}
        self._without_numerals: dict[tuple[Portion, ...], Preferred] = {}
        self._readings: dict[tuple[Family, Right], Reading] = {}

    @classmethod
    def of(cls, plays: Sequence[Play]) -> Plays:
        """Wrap all legal plays of a roll, or none; returns a `Plays` unchanged."""
        if type(plays) is cls:
            return plays
        return cls(plays[0].before, plays[0].roll, _legal=plays) if plays else _NO_PLAYS

    @overload
    def __getitem__(self, index: int) -> Play: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Play]: ...
    def __getitem__(self, index: int | slice) -> Play | Sequence[Play]:
        """The play at an index, or the plays of a slice."""
        return self._plays[index]

    def __len__(self) -> int:
        """How many plays are legal."""
        return len(self._plays)

    def __iter__(self) -> Iterator[Play]:
        """All plays; faster than the method that a Sequence inherits."""
        return iter(self._plays)

    def __contains__(self, play: object) -> bool:
        """Whether a play is legal: `plays.play("P") in plays`, `"8/5 6/5" in plays`.

        Raises MalformedError for a text that is not a play.
        """
        if not isinstance(play, str):
            return play in self._plays
        try:
            self._find(play)
        except AmbiguousError:
            return True
        except IllegalError:
            return False
        return True

    def __eq__(self, other: object) -> bool:
        """Whether they are the same plays, in the same order."""
        return isinstance(other, Plays) and self._plays == other._plays

    def __hash__(self) -> int:
        return hash(self._plays[:1])  # all plays start from the same board

    def __repr__(self) -> str:
        if not self._plays:
            return "Plays.of(())"
        return f"Plays({self._plays[0].before!r}, {self._plays[0].roll!r})"

    @property
    def forced(self) -> list[styles.Die]:
        """The portions that every play has (#29, #30)."""
        return self._legal.forced

    def fits(self, play: Play, family: Family) -> bool:
        """Whether a play has the style of a family. This is slow: test its `glance` first."""
        return self._legal.fits(play, family)

    def leaving(self, checkers: int) -> Sequence[Play]:
        """The plays that lead to these own checkers, packed as in `Play.checkers`."""
        if not self._by_checkers:
            for play in self._plays:
                self._by_checkers.setdefault(play.checkers, []).append(play)
        return self._by_checkers.get(checkers, ())

    @property
    def is_doublet(self) -> bool:
        """Whether the roll is a doublet; False if nothing can be played."""
        return bool(self._plays) and self._plays[0].roll.is_doublet

    def names(self, play: Play | str) -> tuple[Naming, ...]:
        """Every Nactation of a play: the preferred one, other strict ones, accepted ones."""
        play = self._find(play)
        preferred = self.name(play).naming
        numerals = (
            self.reading(numeral, Right.NUMERAL).naming(play)
            for numeral in _NUMERALS
            if _may_be_numeral(numeral, play)
        )
        namings = (*self.letters(play), *filter(None, numerals))
        return (preferred, *(naming for naming in namings if naming != preferred))

    def letters(self, play: Play) -> tuple[Naming, ...]:
        """All Nactations of a play except numerals, the strict ones first."""
        readings = self._readings_without_numerals(play)
        return tuple(filter(None, (reading.naming(play) for reading in readings)))

    def place(self, play: Play, family: Family) -> int:
        """The rank of a play in a family by its default reading, from 1; 0 if it is no member.

        Looks at other plays only if this one may be a member.
        """
        return self.reading(family).place(play) if self._may_be(family, play) else 0

    def name(self, play: Play | str) -> Preferred:
        """The Nactation that the author of the language would write, and why."""
        play = self._find(play)
        chosen = self.without_numerals(play)
        if chosen.naming.nactation.is_formatted and not play.roll.is_doublet:
            numeral = _numeral(play, self, is_named_alike)
            if numeral:
                return Preferred(numeral, "a numeral rather than an italic letter")
        return chosen

    def without_numerals(self, play: Play) -> Preferred:
        """The preferred Nactation that is no numeral, for a list."""
        cached = self._without_numerals.get(play.portions)
        if cached is None:
            cached = self._without_numerals[play.portions] = _without_numerals(play, self)
        return cached

    def areal(self, play: Play) -> Naming:
        """The one areal Nactation that every play has."""
        reading = self.reading(areal_family(play), Right.AREAL)
        return Naming(Nactation(reading.family, reading.place(play)), reading.right)

    def play(self, name: Nactation | str) -> Play:
        """The play that a Nactation names; raises MalformedError or IllegalError.

        Tries the strict reading, then convenience, waived entering, and numerals.
        """
        nactation = parse_nactation(name) if isinstance(name, str) else name
        members = self.reading(nactation.family).members
        if nactation.member > len(members):
            raise IllegalError(self._no_such_play(nactation, len(members)))
        return members[nactation.member - 1]

    def family(self, key: str) -> Reading:
        """The family of a character (`E`, `E_`, `E.`) with its members; KeyError for no family."""
        return self.reading(family(key))

    def explain(self, what: Play | Nactation | str, *, everything: bool = False) -> Explanation:
        """Explain the Nactations of a play, given as a play or by one of them."""
        play = self.play(what) if isinstance(what, Nactation) else what
        if isinstance(play, str):
            try:
                play = self.play(parse_nactation(play))
            except MalformedError:
                play = self._find(play)
        explanation: Explanation = hook("explain")(play, self, everything=everything)
        return explanation

    def areal_families(self) -> list[Family]:
        """The areal families that have members, in the order of the alphabet."""
        families = self._families()
        return [family for family in FAMILIES if family in families]

    def families(self) -> list[Family]:
        """The families that have members, apart from numerals and S for Z, like the alphabet."""
        families: set[Family | None] = {*self._families()}
        if self._plays and self._plays[0].before.bar:
            families.update(map(_entering_symbol, self._plays))
            families.update(map(waived_family, self._plays))
        for styled in STYLE_FAMILIES:
            style = styled.style
            if style and any(style.glance(play) and self.fits(play, styled) for play in self):
                families.add(styled)
        return [family for family in FAMILIES if family in families]

    def reading(self, family: Family, right: Right | None = None) -> Reading:
        """A family with its members here, by a right or else by its default reading."""
        right = right or self._right(family)
        key = family, right
        if key not in self._readings:
            self._readings[key] = Reading(self._legal, family, right)
        return self._readings[key]

    def _families(self) -> set[Family]:
        if self._areal_families is None:
            self._areal_families = areas.families(self._plays)
        return self._areal_families

    def _right(self, family: Family) -> Right:
        if family.right is not Right.AREAL:
            return family.right
        if family in self._families():
            return Right.AREAL
        if family is _SPLIT and not self.is_doublet:
            return Right.CONVENIENCE
        if family.style and self.reading(family, family.style_right).unranked:
            return family.style_right
        return Right.WAIVED

    def _may_be(self, family: Family, play: Play) -> bool:
        """Whether a play alone may be a member of a family, by any right."""
        style = family.style
        if style and style.glance(play) and not self.fits(play, family):
            return _has_letter(family, play)
        return may_be_member(family, play)

    def _readings_without_numerals(self, play: Play) -> Iterator[Reading]:
        """The readings, other than numerals, that contain a play, the strict ones first."""
        areal = areal_family(play)
        yield self.reading(areal, Right.AREAL)
        for styled in STYLE_FAMILIES:
            style = styled.style
            if style and style.glance(play) and self.fits(play, styled):
                yield self.reading(styled, styled.style_right)
        symbol = _entering_symbol(play)
        if symbol:
            yield self.reading(symbol, Right.SYMBOL)
        if areal is _ZPLIT and self._right(_SPLIT) is Right.CONVENIENCE:
            yield self.reading(_SPLIT, Right.CONVENIENCE)
        waived = waived_family(play)
        if waived:
            yield self.reading(waived, Right.WAIVED)

    def _find(self, play: Play | str) -> Play:
        if isinstance(play, Play):
            return play
        if not self._plays:
            raise IllegalError(f"{quoted(play)} cannot be played: nothing can")
        first = self._plays[0]
        return parse_play(play, first.before, first.roll, self._plays)

    def _no_such_play(self, nactation: Nactation, members: int) -> str:
        if not self._plays:
            return f"{nactation} names no play: no checker can move"
        family = nactation.family
        problem = f"{self._plays[0].roll}{nactation} is not legal here"
        if members:
            return f"{problem}: the last {family} is {Nactation(family, members)}"
        letters = " ".join(map(str, self.areal_families()))
        return f"{problem}: no {family} play exists. Legal: {letters}"


class Reading:
    """A family with its members among the plays of a roll, ranked when first needed.

    Its `right` decides which plays are members: those of the family itself, those of Z for an S,
    or those whose portions after entering belong to the family.
    """

    __slots__ = ("_members", "_places", "_unranked", "family", "legal", "right")

    def __init__(self, legal: Legal, family: Family, right: Right) -> None:
        self.legal, self.family, self.right = legal, family, right
        self._members: tuple[Play, ...] | None = None
        self._unranked: Sequence[Play] | None = None
        self._places: dict[tuple[Portion, ...], int] = {}

    def __repr__(self) -> str:
        return f"<Reading {self.family} {self.right.value}: {len(self.members)} members>"

    @property
    def plays(self) -> Plays:
        """All plays of the roll."""
        return Plays.of(self.legal.plays)

    @property
    def members(self) -> tuple[Play, ...]:
        """The members, best first; none if no play belongs to the family."""
        if self._members is None:
            members: Sequence[Play]
            legal = self.legal
            match self.right:
                case Right.NUMERAL:
                    members = numeral_members(self.family.key, legal.plays, legal.forced)
                case Right.CONVENIENCE:
                    members = Reading(legal, _ZPLIT, Right.AREAL).members
                case _:
                    members = rank(self.unranked, self.order)
            self._members = tuple(members)
        return self._members

    @property
    def order(self) -> Order:
        """The rule that ranks the members; of a digit, only those that go to the same point."""
        match self.right:
            case Right.STYLE | Right.SYMBOL:
                order, style = self.family.order, self.family.style
                if style and style.least_point:
                    return order._replace(hit=Convention("hit", partial(self._hit_less_point)))
                return order
            case Right.WAIVED:
                return WAIVED_ORDER
            case Right.NUMERAL if not self.family.key.isdigit():
                return conventions.BEARING_OFF
        return conventions.HIT_MORE_6

    def place(self, play: Play) -> int:
        """The place of a play, from 1; 0 if it is no member."""
        places = self._places
        if play.portions not in places and self._members is None and self.right in _COUNTED:
            place = place_of(play, self.unranked, self.order)
            if place:
                places[play.portions] = place
        if play.portions not in places and len(places) < len(self.members):
            places.update((member.portions, at) for at, member in enumerate(self.members, 1))
        return places.get(play.portions, 0)

    def naming(self, play: Play) -> Naming | None:
        """The Nactation of a play; None if it is no member."""
        place = self.place(play)
        return Naming(Nactation(self.family, place), self.right) if place else None

    def point_made(self, play: Play) -> int:
        """The point that P or @ makes, which is no extra home point (#66); 0 for other plays."""
        style = self.family.style
        if not style or not style.least_point or self.right not in {Right.STYLE, Right.SYMBOL}:
            return 0
        points = map(styles.point_made, styles.decompositions(play, self.legal.forced))
        return next((point for point in points if point >= style.least_point), 0)

    @property
    def unranked(self) -> Sequence[Play]:
        """The members in no order; not for numerals and convenience."""
        if self._unranked is None:
            self._unranked = self._unsorted()
        return self._unranked

    def _unsorted(self) -> list[Play]:
        plays, family = self.legal.plays, self.family
        style = family.style
        if self.right is Right.AREAL:
            return areas.members(family, plays)
        if self.right is Right.WAIVED:
            return [play for play in plays if waived_family(play) is family]
        if style:
            return [play for play in filter(style.glance, plays) if self.legal.fits(play, family)]
        return [play for play in plays if _entering_symbol(play) is family]

    def _hit_less_point(self, play: Play) -> tuple[int, ...]:
        """The hit convention of P and @: the point made is no extra home point (#66)."""
        home, *hits = conventions.hit(play)
        return home - (1 <= self.point_made(play) <= 6), *hits


def fan_naming(position: Position, plays: Sequence[object]) -> Naming | None:
    """`^` if no checker enters from the bar (#35); this names no play."""
    return Naming(Nactation(_FAN), Right.SYMBOL) if position.bar and not plays else None


def may_be_member(family: Family, play: Play) -> bool:
    """Whether a play may be a member of a family; a quick test that needs no other play."""
    if family.right is Right.NUMERAL:
        return _may_be_numeral(family, play)
    style = family.style
    return bool(style and style.glance(play)) or _has_letter(family, play)


def _has_letter(family: Family, play: Play) -> bool:
    """Whether a play has the letter or symbol of a family, but not for its style."""
    areal = areal_family(play)
    return (
        areal is family
        or (areal is _ZPLIT and family is _SPLIT)
        or family in {_entering_symbol(play), waived_family(play)}
    )


def _may_be_numeral(numeral: Family, play: Play) -> bool:
    """Whether a checker lands on a point of the digit; other numerals may name any play."""
    key = numeral.key
    return not key.isdigit() or any(portion.target % 10 == int(key) for portion in play.portions)


def _entering_symbol(play: Play) -> Family | None:
    """`<` or `>` for a roll that only enters checkers, if several are on the bar (#35)."""
    bar, entered = play.before.bar, len(play.portions)
    if bar < 2 or any(portion.source != BAR for portion in play.portions):
        return None
    return _ENTER_ALL if entered == bar else _ENTER_ONE if entered == 1 else None


def _without_numerals(play: Play, plays: Plays) -> Preferred:
    """The preferred Nactation that is no numeral; `Plays.without_numerals` caches it."""
    for rule in _DOUBLET_RULES if play.roll.is_doublet else _RULES:
        family = rule.family
        style = family.style if family and rule.right is None else None
        if style and not style.glance(play):
            continue
        if rule.when and not rule.when(play, plays):
            continue
        if family is None:
            return Preferred(_areal(play, plays), rule.reason)
        if style and not plays.fits(play, family):
            continue
        naming = plays.reading(family, rule.right or family.style_right).naming(play)
        if naming and (rule.last is None or naming.nactation.member <= rule.last):
            return Preferred(naming, rule.reason)
    return Preferred(plays.areal(play), "the areal letter")


def _areal(play: Play, plays: Plays) -> Naming:
    if _splits_by_convenience(play, plays):
        return plays.reading(_SPLIT).naming(play) or plays.areal(play)
    return plays.areal(play)


def _numeral(
    play: Play,
    plays: Plays,
    names: Callable[[Play, str, Sequence[Play], Sequence[styles.Die]], bool],
) -> Naming | None:
    """The digit of the lowest point that names the play; None without one."""
    for point in sorted(resting_points(play.portions)):
        digit = _DIGITS[point % 10]
        if names(play, digit.key, plays, plays.forced):
            return Naming(Nactation(digit), Right.NUMERAL)
    return None


def basic(play: Play, plays: Plays) -> Naming:
    """A first-ranked character of the tutorial's sections 1 to 4 if one fits, else the preferred.

    For readers of the basic letters only; never a numeral.
    """
    first = plays.without_numerals(play).naming
    if _is_basic(first):
        return first
    return next(filter(_is_basic, plays.names(play)), first)


def _is_basic(naming: Naming) -> bool:
    first = naming.nactation.member == 1 and naming.right is not Right.WAIVED
    return first and str(naming.nactation) in _BASIC


def choose(play: Play, plays: Plays, characters: str) -> tuple[Naming, ...]:
    """The Nactations of a play that a preset of CHARACTERS shows; KeyError for another."""
    return CHARACTERS[characters](play, plays)


def _in_numerals(play: Play, plays: Plays) -> Naming:
    """A digit wherever it names the play first (section 9), else a basic character."""
    return _numeral(play, plays, is_named_first) or basic(play, plays)


# The characters to show: a single one by some habit, or all of them.
CHARACTERS: dict[str, Callable[[Play, Plays], tuple[Naming, ...]]] = {
    "preferred": lambda play, plays: (plays.name(play).naming,),
    "areal": lambda play, plays: (plays.areal(play),),
    "basic": lambda play, plays: (basic(play, plays),),
    "numerals": lambda play, plays: (_in_numerals(play, plays),),
    "all": lambda play, plays: plays.names(play),
}
_BASIC = set("DPR$SZUHXKBEACON")


class _Rule(NamedTuple):
    """A family is preferred if the play ranks in it at `last` or higher; None accepts any place.

    `when` limits the rule to some plays. `right` is the right of the naming; None means that of the
    family's style. Without a family, the rule prefers the areal letter.
    """

    reason: str
    family: Family | None
    when: Callable[[Play, Plays], bool] | None = None
    last: int | None = 1
    right: Right | None = None


def _makes_high(play: Play, plays: Plays) -> bool:
    high = max(resting_points(play.portions)) >= 16  # a glance: it may be where a checker enters
    return high and plays.reading(_ANCHOR, _ANCHOR.style_right).point_made(play) >= 16


def _is_no_each_on_entering(play: Play, _: Plays) -> bool:
    return not (play.before.bar and areal_family(play).character == "E")


def _is_by_two(play: Play, _: Plays) -> bool:
    return not play.before.bar and not _is_one_checker(play)


def _hits_far_and_goes_on(play: Play, _: Plays) -> bool:
    if not play.hits & ~_NEAR or len(play.portions) != 2:
        return False
    first, second = play.portions
    return first.hits and not second.hits and first.target == second.source


def _hits_by_one(play: Play, _: Plays) -> bool:
    entering = play.before.bar and all(portion.target >= FAR for portion in play.portions)
    return bool(play.hits & _NEAR or entering or _is_one_checker(play))


def comes_from_midpoint(play: Play, _: Plays) -> bool:
    """Whether two checkers come down from the midpoint and make no point."""
    if len(play.portions) != 2:
        return False
    first, second = play.portions
    return (
        first.source == second.source == FAR
        and play.own(first.target) != 2
        and play.own(second.target) != 2
    )


def _enters_none(play: Play, _: Plays) -> bool:
    return not play.before.bar


def _stays_together(play: Play, _: Plays) -> bool:
    return not play.before.bar and areal_family(play).character not in "RC"


def _comes_down(play: Play, _: Plays) -> bool:
    """Whether the smaller die enters without a hit and the larger leaves the far side."""
    if len(play.portions) != 2:
        return False
    low, high = sorted(play.portions, key=lambda portion: portion.die)
    down = low.source == BAR and not low.hits and high.source >= FAR
    return down and waived_family(play) is _DOWN


def _splits_by_convenience(play: Play, plays: Plays) -> bool:
    """Whether S means Z: for rolls with a 5 or a 1 (section 2)."""
    if not {1, 5}.intersection(play.roll) or areal_family(play) is not _ZPLIT:
        return False
    return plays.reading(_SPLIT).right is Right.CONVENIENCE


def _stays_near(play: Play, _: Plays) -> bool:
    return all(portion.source < FAR for portion in play.portions)


def _is_low(play: Play, plays: Plays) -> bool:
    return plays.areal(play).nactation.member > 1


def _is_italic(play: Play, plays: Plays) -> bool:
    return plays.areal(play).nactation.is_formatted


def _is_low_or_marked(play: Play, plays: Plays) -> bool:
    return areal_family(play).mark is not Diacritic.NONE or _is_low(play, plays)


def _moves_one_pair(play: Play, _: Plays) -> bool:
    """Whether two checkers move from one point to another and nothing else moves."""
    chains = checker_paths(play.portions)
    return len(chains) == 2 and len({(way[0].source, way[-1].target) for way in chains}) == 1


def _anchors_quietly(play: Play, plays: Plays) -> bool:
    return not play.hits and _moves_one_pair(play, plays)


def _points_by_pair(play: Play, plays: Plays) -> bool:
    """Whether a pair makes a point and no more; it is more to hit on the far side (55B of #58)."""
    if play.before.bar or play.hits & ~_NEAR or areal_family(play).key in "DJIAUR":
        return False
    return _moves_one_pair(play, plays)


def _is_complex(play: Play, _: Plays) -> bool:
    """Whether the areal letter is one of the doublets table beyond those of pairs (section 16)."""
    return areal_family(play).is_advanced


# For these rights, `place_of` finds a place without ranking the family.
_COUNTED = {Right.AREAL, Right.STYLE, Right.SYMBOL}
_NUMERALS = tuple(family for family in FAMILIES if family.right is Right.NUMERAL)
_SPLIT, _ZPLIT, _POINT, _ANCHOR, _DOWN, _SLOT, _WILD = map(family, "SZP@D$W")
_FAN = family("^")
_ENTER_ONE, _ENTER_ALL = family("<"), family(">")
_NO_PLAYS = Plays(Position((0,) * (BAR + 1)), ROLLS[0])  # all checkers are borne off
_DIGITS = tuple(map(family, "0123456789"))
_NEAR = (1 << FAR) - 1

_RULES = (
    _Rule("two hits", family("K"), last=2),
    _Rule("an anchor on the 16pt or higher", _ANCHOR, _makes_high, last=2),
    _Rule("one checker that hits on the far side and goes on", None, _hits_far_and_goes_on),
    _Rule("a point made", _POINT, _is_no_each_on_entering),
    _Rule("hit and split by two checkers", family("X"), _is_by_two, last=2),
    _Rule("two checkers down from the midpoint", _DOWN, comes_from_midpoint, right=Right.AREAL),
    _Rule("a hit by one checker, on the near side, or on entering", family("H"), _hits_by_one),
    _Rule("a slot", family("&"), _enters_none),
    _Rule("a slot", _SLOT, _enters_none),
    _Rule("a stack", family("T"), _stays_together),
    _Rule("a quadruple split", family("Q")),
    _Rule("down after entering with the smaller die", _DOWN, _comes_down, right=Right.WAIVED),
    _Rule("S for Z, as there is no S", _SPLIT, _splits_by_convenience, None, Right.CONVENIENCE),
    _Rule("the second point, made on the near side alone", _POINT, _stays_near, last=2),
    _Rule("a point rather than a lower areal letter", _POINT, _is_low, last=2),
    _Rule("split and slot rather than a lower areal letter", _WILD, _is_low),
    _Rule("a slot rather than an italic letter", _SLOT, _is_italic, last=2),
)
_DOUBLET_RULES = (
    _Rule("an anchor made by one pair", _ANCHOR, _anchors_quietly),
    _Rule("a point made by one pair", _POINT, _points_by_pair),
    _Rule("a point made rather than a complex letter", _POINT, _is_complex),
    _Rule("a hit", family("H"), _enters_none),
    _Rule("a point rather than a lower areal letter", _POINT, _is_low_or_marked, last=2),
)


def _is_one_checker(play: Play) -> bool:
    return len(checker_paths(play.portions)) == 1
