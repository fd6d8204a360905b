"""Which plays the entries of a nacbrac name, read as a whole.

Strict readings come first. Where one does not exist, or names a play that another entry names,
doubtful ones are tried as in sequences (`sequences/tiers.py`): no play stands twice in a nacbrac.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from operator import itemgetter

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.match import Double, Move
from gnubg_nactation.backgammon.plays import Play, Portion, Roll, legal_plays
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import IllegalError, UnreadError
from gnubg_nactation.language.alphabet import family
from gnubg_nactation.language.dialects import plays_in
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plausibility import plausibility
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.cube import CubeNacbrac, of_plays
from gnubg_nactation.nacbracs.nacbrac import Entry, Nacbrac
from gnubg_nactation.nacbracs.score import at_score
from gnubg_nactation.sequences.assumption import Confidence, Equities, Evaluator
from gnubg_nactation.sequences.budget import USED_UP, Budget
from gnubg_nactation.sequences.decode import Decoded
from gnubg_nactation.sequences.tiers import (
    TIERS,
    EngineQuestions,
    ReadingKind,
    Tier,
    TokenInPosition,
)
from gnubg_nactation.sequences.tokens import Token, TokenKind
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, replace

# What it costs, beside the reading's own cost, to believe that a character was taken for
# another, or that a part of a play is assumed, since nacbracs seldom are of that kind.
_UNLIKELY = 2
_LOOKS = 25  # thousandths by which a play must be more natural, for each unit of the costs
_MOST_LOSS = 400  # what the rule of thumb can tell apart
_TOLERANCE = 30  # by which a play may lose less than a rollout says
_SHOWN = 12

Asked = Callable[[], Equities | None]
"""An engine that is asked for the equities of the plays. May be slow and raise NactationError."""


class ResolvedEntry(NamedTuple):
    """An entry with the play that it names.

    `nactation` is the name as it was read. `how`, `note` and `sure` are as in DecodedTurn.
    """

    entry: Entry
    play: Play
    nactation: Nactation
    how: ReadingKind
    note: str
    sure: Confidence


class NacbracRead(NamedTuple):
    """A nacbrac with the state that it is about, whose roll is to be played, and its plays."""

    nacbrac: Nacbrac
    state: GameState
    plays: tuple[Play, ...]
    entries: tuple[ResolvedEntry, ...]

    @property
    def named(self) -> Nacbrac:
        """The nacbrac with the names as they were read."""
        names = [replace(one.entry, name=one.nactation) for one in self.entries]
        return replace(self.nacbrac, entries=(*names,))


class CubeRead(NamedTuple):
    """A nacbrac of the cube with the state in which the player may double."""

    nacbrac: CubeNacbrac
    state: GameState

    @property
    def named(self) -> CubeNacbrac:
        """The nacbrac, in which nothing is to be named."""
        return self.nacbrac


def resolve_entries(
    nacbrac: Nacbrac,
    plays: Plays,
    *,
    strict: bool = False,
    looks_lost: bool = False,
    values: Asked | None = None,
    budget: Budget | None = None,
) -> tuple[ResolvedEntry, ...]:
    """The plays of the entries among those of a roll, no play twice.

    With `strict` no doubtful reading is tried. With `looks_lost`, for a text that was copied
    without its italics and underlines, a strict reading must also be a natural play for its
    error; so it must anyway where one entry cannot be read strictly. How natural plays are goes
    by `values`, which is asked once for their equities if there is a doubt, else by a rule of
    thumb. Raises IllegalError with the place of the first entry for which no play is left, or
    UnreadError if it is doubtful and the `budget` of the text is used up.
    """
    # One entry more than there are plays is as hopeless as thousands.
    entries = nacbrac.entries[: len(plays) + 1]
    chosen: list[ResolvedEntry] = []
    values = cache(values) if values else None
    if strict or not looks_lost:
        tiers = TIERS[:1] if strict else TIERS[:2]  # bold and colour may be emphasis
        chosen = _choose([_choices(entry, plays, tiers, values) for entry in entries])
    if not strict and len(chosen) < len(entries):
        if budget and budget.is_used_up:
            raise _unread(nacbrac, entries[len(chosen)], plays)
        if budget:
            budget.spend(len(entries) * (1 + len(plays) // 2))
        losses = _losses(plays, values)
        chosen = _choose([_doubtful(entry, plays, values, losses) for entry in entries])
    if len(chosen) < len(entries):
        raise _dead_end(nacbrac, entries[len(chosen)], plays)
    return tuple(chosen)


_Key = tuple[Portion, ...]
_Choice = tuple[int, ResolvedEntry]  # what a reading costs, and the reading
# What it costs to have a play, and the play that its owner has to give up for it, if any.
_Paths = dict[_Key, tuple[int, _Key | None]]


def _choices(
    entry: Entry, plays: Plays, tiers: Sequence[Tier], values: Asked | None
) -> list[_Choice]:
    """The readings of an entry that are plays, by some tiers, the cheapest first."""
    if not plays:
        return []
    first = plays[0]
    token = Token(TokenKind.PLAY, entry.text, entry.at, first.roll, (entry.name,))
    judge = EngineQuestions((lambda _: values()) if values else None)
    spot = TokenInPosition(token, GameState(first.before), False, plays, judge)
    read = partial(ResolvedEntry, entry)
    return [
        (one.cost, read(one.play, one.nactation or entry.name, one.how, one.note, one.sure))
        for tier in tiers
        for one in tier.readings(spot)
        if one.play
    ]


def _doubtful(
    entry: Entry, plays: Plays, values: Asked | None, losses: Mapping[_Key, float]
) -> list[_Choice]:
    """All readings of an entry, the cheapest first, where looks may be lost.

    A play should not lose more than the entry says, by an engine not much less either; and its
    name may be misread: copied texts have 1 for a lower-case L (#69) and Q for an underlined O
    (#13, #85).
    """
    name = entry.name
    found = _choices(entry, plays, TIERS[:-1], values)
    unlikely: list[_Choice] = []
    if name == _ONE or (name.family is _QUARTERS and plays.is_doublet):
        meant = Nactation(_LIFT, 2) if name == _ONE else name._replace(family=_OUTER)
        note, sure = f"read as {meant}", Confidence.DOUBTFUL
        unlikely = [
            (cost, read._replace(entry=entry, how=ReadingKind.ASSUMED, note=note, sure=sure))
            for cost, read in _choices(replace(entry, name=meant), plays, TIERS[:1], values)
        ]
    unlikely += _choices(entry, plays, TIERS[-1:], values)
    found += [(cost + _UNLIKELY, read) for cost, read in unlikely]
    exact = values is not None and values() is not None
    weighed = [
        (cost * _LOOKS + _misses(losses[read.play.portions], entry.error, exact=exact), read)
        for cost, read in found
    ]
    return sorted(weighed, key=itemgetter(0))


def _misses(loss: float, error: float | None, *, exact: bool) -> int:
    """By how much a play misses its printed error, if it has one, in thousandths of a point.

    What it loses by the rule of thumb, not `exact`, says only that it is too bad.
    """
    apart = loss - (_MOST_LOSS if error is None else 1000 * error)
    if exact and error is not None:
        apart = max(apart, -apart - _TOLERANCE)
    return round(min(max(apart, 0), _MOST_LOSS))


def _losses(plays: Sequence[Play], values: Asked | None) -> dict[_Key, float]:
    """What each play loses against the best, in thousandths of a point or thereabouts."""
    known = values() if values else None
    if known is None:
        known = {play: plausibility(play) / 1000 for play in plays}
    worst = min(known.values(), default=0.0)
    worth = {play.portions: 1000 * known.get(play, worst) for play in plays}
    best = max(worth.values(), default=0)
    return {key: best - value for key, value in worth.items()}


def _choose(found: Sequence[Sequence[_Choice]]) -> list[ResolvedEntry]:
    """A reading for each entry, no play twice, at the least cost; as many as can be served.

    Entries are served in turn; one that finds its plays taken may move others on.
    """
    # Of two entries that look the same, the later one is the later member of the family.
    last = 2 * len(found)
    offers = [
        {read.play.portions: (cost * (last - at), read) for cost, read in reversed(choices)}
        for at, choices in enumerate(found)
    ]
    owners: dict[_Key, int] = {}
    for entry in range(len(offers)):
        paths = _paths(entry, offers, owners)
        free = [key for key in paths if key not in owners]
        if not free:
            break
        key: _Key | None = min(free, key=lambda one: paths[one][0])
        while key is not None:
            _, before = paths[key]
            owners[key] = entry if before is None else owners[before]
            key = before
    served = {entry: offers[entry][key][1] for key, entry in owners.items()}
    return [served[entry] for entry in range(len(served))]


def _paths(
    entry: int, offers: Sequence[Mapping[_Key, _Choice]], owners: Mapping[_Key, int]
) -> _Paths:
    """The cheapest way to each play that an entry can have, others moving on to theirs."""
    paths: _Paths = {key: (cost, None) for key, (cost, _) in offers[entry].items()}
    waiting = deque(paths)
    while waiting:
        key = waiting.popleft()
        if key not in owners:
            continue
        options = offers[owners[key]]
        base = paths[key][0] - options[key][0]
        for other, (cost, _) in options.items():
            if other not in paths or base + cost < paths[other][0]:
                paths[other] = base + cost, key
                waiting.append(other)
    return paths


def read_nacbracs(  # noqa: PLR0913 - options by keyword
    decoded: Decoded,
    nacbracs: Sequence[Nacbrac],
    *,
    roll: Roll | None = None,
    strict: bool = False,
    looks_lost: bool = False,
    equities: Evaluator | None = None,
    budget: Budget | None = None,
) -> tuple[NacbracRead, ...]:
    """The nacbracs behind a sequence, which are about its last roll, be it played or not.

    `roll` is the one of a sequence without turns. `equities` is asked for what is doubtful; the
    states have the scores of the nacbracs. Raises IllegalError, for nacbracs without a roll too.
    """
    last = decoded.turns[-1] if decoded.turns else None
    state = last.state if last else replace(decoded.state, roll=roll)
    if state.roll is None:
        text = nacbracs[0].text if nacbracs else ""
        raise IllegalError("found no roll for this nacbrac", text=text)
    plays = legal_plays(state.position, state.roll)
    named = plays_in(Plays.of(plays), decoded.parsed.dialect)
    found: list[NacbracRead] = []
    for nacbrac in nacbracs:
        there = at_score(state, nacbrac.score)
        values = partial(equities, there) if equities else None
        entries = resolve_entries(
            nacbrac, named, strict=strict, looks_lost=looks_lost, values=values, budget=budget
        )
        found.append(NacbracRead(nacbrac, there, plays, entries))
    return tuple(found)


def read_cubes(
    decoded: Decoded, nacbracs: Sequence[Nacbrac | CubeNacbrac], *, roll: Roll | None = None
) -> tuple[Nacbrac | CubeRead, ...]:
    """Those of the cube with the moment that they are about, the end of the sequence.

    Where no roll is to be played, letters of the cube are taken for it. `roll` is the one of a
    sequence without turns. Raises IllegalError where the player may not double.
    """
    last = decoded.turns[-1].state if decoded.turns else replace(decoded.state, roll=roll)
    found: list[Nacbrac | CubeRead] = []
    for nacbrac in nacbracs:
        cube = nacbrac if isinstance(nacbrac, CubeNacbrac) else None
        if isinstance(nacbrac, Nacbrac) and last.roll is None:
            cube = _cube_of(nacbrac)
        if cube:
            state = at_score(cube_state(decoded), cube.score)
            if not state.may_double:
                raise IllegalError("the player on roll may not double", text=cube.text)
            found.append(CubeRead(cube, state))
        elif isinstance(nacbrac, Nacbrac):
            found.append(nacbrac)
    return tuple(found)


def cube_state(decoded: Decoded) -> GameState:
    """Where the cube is decided at the end of a sequence: before the roll, or the double."""
    for turn in reversed(decoded.turns):
        if isinstance(turn.action, Double):
            return turn.state
        if isinstance(turn.action, Move):
            break
    return replace(decoded.state.before_double, roll=None)


def _cube_of(nacbrac: Nacbrac) -> CubeNacbrac | None:
    names = [(str(entry.name), entry.error) for entry in nacbrac.entries]
    cube = of_plays(names, nacbrac.text)
    return replace(cube, score=nacbrac.score, suffix=nacbrac.suffix) if cube else None


def _unread(nacbrac: Nacbrac, entry: Entry, plays: Plays) -> UnreadError:
    where = f"{quoted(entry.text)} with {plays[0].roll}: " if plays else ""
    message = f"{where}not by the rules, and {USED_UP}; check this nacbrac alone"
    return UnreadError(message, text=nacbrac.text, at=entry.at)


def _dead_end(nacbrac: Nacbrac, entry: Entry, plays: Plays) -> IllegalError:
    if not plays:
        message = f"{quoted(entry.text)}: nothing can be played"
    else:
        names = [str(plays.name(play).naming.nactation) for play in plays[:_SHOWN]]
        names += ["..."] * (len(plays) > _SHOWN)
        where = f"{quoted(entry.text or str(entry.name))} in {format_position_id(plays[0].before)}"
        left = f"no such play of {plays[0].roll} is left"
        message = f"{where}: {left}; possible are {' '.join(names)}"
    return IllegalError(message, text=nacbrac.text, at=entry.at)


_LIFT, _QUARTERS, _OUTER, _ONE = family("L"), family("Q"), family("O_"), Nactation(family("1"))
