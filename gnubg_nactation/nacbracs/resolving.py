"""Resolve the entries of a nacbrac into plays, as a whole.

Strict readings come first. If an entry has none, or names the play of another entry, doubtful
readings are tried as in sequences (`sequences/tiers.py`): no play appears twice in a nacbrac.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from operator import itemgetter

from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.match import Double, Move
from gnubg_nactation.backgammon.plays import Play, Portion, Roll
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
from gnubg_nactation.sequences.assumption import Confidence, EngineQuestions, Equities, Evaluator
from gnubg_nactation.sequences.budget import USED_UP, Budget
from gnubg_nactation.sequences.decode import Decoded
from gnubg_nactation.sequences.tiers import (
    TIERS,
    ReadingKind,
    Tier,
    TokenInPosition,
)
from gnubg_nactation.sequences.tokens import Token, TokenKind
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, replace

_UNLIKELY = 2  # extra cost of a misread character or an assumed part, which are rare in nacbracs
# In thousandths of a point:
_COST_UNIT = 25  # by which a play must be more natural, for each unit of the costs
_MAX_LOSS = 400  # up to which losses by the rule of thumb differ
_TOLERANCE = 30  # by which a play may lose less than its printed error
_MAX_PLAYS = 12  # listed in an error

GetEquities = Callable[[], Equities | None]
"""Returns an engine's equities of the plays. May be slow and raise NactationError."""


class ResolvedEntry(NamedTuple):
    """An entry with the play that it names.

    `nactation` is the name as it was read. `how`, `note` and `sure`: see DecodedTurn.
    """

    entry: Entry
    play: Play
    nactation: Nactation
    how: ReadingKind
    note: str
    sure: Confidence


class NacbracRead(NamedTuple):
    """A nacbrac, its state before the play of a roll, the legal plays, and the entries."""

    nacbrac: Nacbrac
    state: GameState
    plays: tuple[Play, ...]
    entries: tuple[ResolvedEntry, ...]

    @property
    def named(self) -> Nacbrac:
        """The nacbrac with the names of the resolved entries."""
        entries = [replace(resolved.entry, name=resolved.nactation) for resolved in self.entries]
        return replace(self.nacbrac, entries=(*entries,))


class CubeRead(NamedTuple):
    """A nacbrac of the cube with the state in which the player may double."""

    nacbrac: CubeNacbrac
    state: GameState

    @property
    def named(self) -> CubeNacbrac:
        """The nacbrac, which has no names to resolve."""
        return self.nacbrac


def resolve_entries(
    nacbrac: Nacbrac,
    plays: Plays,
    *,
    strict: bool = False,
    looks_lost: bool = False,
    values: GetEquities | None = None,
    budget: Budget | None = None,
) -> tuple[ResolvedEntry, ...]:
    """Resolve the entries into different plays of a roll.

    With `strict`, no doubtful reading is tried. With `looks_lost`, for a text copied without its
    italics and underlines, even a strict reading must be a natural play for its error; this also
    holds if any entry cannot be read strictly. Natural plays are judged by `values`, called at most
    once, or else by a rule of thumb. Raises IllegalError with the offset of the first entry without
    a play, or UnreadError if it is doubtful and the `budget` of the text is used up.
    """
    # One entry more than there are plays is enough to fail.
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
_Choice = tuple[int, ResolvedEntry]  # the cost of a reading, and the reading
# By play: the cost of having it, and the play that its owner would move on from, if any.
_Paths = dict[_Key, tuple[int, _Key | None]]


def _choices(
    entry: Entry, plays: Plays, tiers: Sequence[Tier], values: GetEquities | None
) -> list[_Choice]:
    """The readings of an entry in these tiers, the cheapest first."""
    if not plays:
        return []
    first = plays[0]
    token = Token(TokenKind.PLAY, entry.text, entry.at, first.roll, (entry.name,))
    judge = EngineQuestions((lambda _: values()) if values else None)
    spot = TokenInPosition(token, GameState(first.before), False, plays, judge)
    resolve = partial(ResolvedEntry, entry)
    return [
        (
            reading.cost,
            resolve(
                reading.play,
                reading.nactation or entry.name,
                reading.how,
                reading.note,
                reading.sure,
            ),
        )
        for tier in tiers
        for reading in tier.readings(spot)
        if reading.play
    ]


def _doubtful(
    entry: Entry, plays: Plays, values: GetEquities | None, losses: Mapping[_Key, float]
) -> list[_Choice]:
    """All readings of an entry whose style may be lost, the cheapest first.

    A play should lose what the entry says: not more, and by an engine not much less. Its name may
    be misread: copied texts have 1 for a lower-case L (#69) and Q for an underlined O (#13, #85).
    """
    name = entry.name
    choices = _choices(entry, plays, TIERS[:-1], values)
    unlikely: list[_Choice] = []
    if name == _NUMERAL_1 or (name.family is _QUARTERS and plays.is_doublet):
        original = Nactation(_LIFT, 2) if name == _NUMERAL_1 else name._replace(family=_OUTER)
        note, sure = f"read as {original}", Confidence.DOUBTFUL
        unlikely = [
            (cost, resolved._replace(entry=entry, how=ReadingKind.ASSUMED, note=note, sure=sure))
            for cost, resolved in _choices(replace(entry, name=original), plays, TIERS[:1], values)
        ]
    unlikely += _choices(entry, plays, TIERS[-1:], values)
    choices += [(cost + _UNLIKELY, resolved) for cost, resolved in unlikely]
    exact = values is not None and values() is not None
    weighed = [
        (cost * _COST_UNIT + _miss(losses[resolved.play.portions], entry.error, exact), resolved)
        for cost, resolved in choices
    ]
    return sorted(weighed, key=itemgetter(0))


def _miss(loss: float, error: float | None, exact: bool) -> int:
    """The difference of a play's loss and its printed error, in thousandths of a point.

    A loss by the rule of thumb, which is not `exact`, can only be too great.
    """
    difference = loss - (_MAX_LOSS if error is None else 1000 * error)
    if exact and error is not None:
        difference = max(difference, -difference - _TOLERANCE)
    return round(min(max(difference, 0), _MAX_LOSS))


def _losses(plays: Sequence[Play], values: GetEquities | None) -> dict[_Key, float]:
    """The loss of each play against the best, in (rough) thousandths of a point."""
    equities = values() if values else None
    if equities is None:
        equities = {play: plausibility(play) / 1000 for play in plays}
    worst = min(equities.values(), default=0.0)
    worth = {play.portions: 1000 * equities.get(play, worst) for play in plays}
    best = max(worth.values(), default=0)
    return {key: best - value for key, value in worth.items()}


def _choose(choices: Sequence[Sequence[_Choice]]) -> list[ResolvedEntry]:
    """A reading for each entry at the lowest cost, no play twice, for as many as possible.

    Entries choose in turn; one whose plays are taken may move others on.
    """
    # Of two entries that look the same, the later one is the later member of the family.
    last = 2 * len(choices)
    offers = [
        {it.play.portions: (cost * (last - at), it) for cost, it in reversed(of_entry)}
        for at, of_entry in enumerate(choices)
    ]
    owners: dict[_Key, int] = {}
    for entry in range(len(offers)):
        paths = _paths(entry, offers, owners)
        free = [key for key in paths if key not in owners]
        if not free:
            break
        key: _Key | None = min(free, key=lambda key: paths[key][0])
        while key is not None:
            _, previous = paths[key]
            owners[key] = entry if previous is None else owners[previous]
            key = previous
    chosen = {entry: offers[entry][key][1] for key, entry in owners.items()}
    return [chosen[entry] for entry in range(len(chosen))]


def _paths(
    entry: int, offers: Sequence[Mapping[_Key, _Choice]], owners: Mapping[_Key, int]
) -> _Paths:
    """The cheapest way to each play that an entry can have if others move on."""
    paths: _Paths = {key: (cost, None) for key, (cost, _) in offers[entry].items()}
    waiting = deque(paths)
    while waiting:
        key = waiting.popleft()
        if key not in owners:
            continue
        options = offers[owners[key]]
        base = paths[key][0] - options[key][0]
        for option, (cost, _) in options.items():
            if option not in paths or base + cost < paths[option][0]:
                paths[option] = base + cost, key
                waiting.append(option)
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
    """Resolve the nacbracs after a sequence, about its last roll, whether that is played or not.

    `roll` is for a sequence without turns. `equities` is called if there is a doubt, with states at
    the scores of the nacbracs. Raises IllegalError if an entry has no play, or there is no roll.
    """
    last = decoded.turns[-1] if decoded.turns else None
    state = last.state if last else replace(decoded.state, roll=roll)
    if state.roll is None:
        text = nacbracs[0].text if nacbracs else ""
        raise IllegalError("found no roll for this nacbrac", text=text)
    plays = plays_in(Plays(state.position, state.roll), decoded.parsed.dialect)
    results: list[NacbracRead] = []
    for nacbrac in nacbracs:
        scored = at_score(state, nacbrac.score)
        values = partial(equities, scored) if equities else None
        entries = resolve_entries(
            nacbrac, plays, strict=strict, looks_lost=looks_lost, values=values, budget=budget
        )
        results.append(NacbracRead(nacbrac, scored, tuple(plays), entries))
    return tuple(results)


def read_cubes(
    decoded: Decoded, nacbracs: Sequence[Nacbrac | CubeNacbrac], *, roll: Roll | None = None
) -> tuple[Nacbrac | CubeRead, ...]:
    """The nacbracs, those of the cube with the state at the end of the sequence.

    If no roll is to be played, `[N D45]` is a nacbrac of the cube. `roll` is for a sequence without
    turns. Raises IllegalError if the player may not double.
    """
    last = decoded.turns[-1].state if decoded.turns else replace(decoded.state, roll=roll)
    results: list[Nacbrac | CubeRead] = []
    for nacbrac in nacbracs:
        cube = nacbrac if isinstance(nacbrac, CubeNacbrac) else None
        if isinstance(nacbrac, Nacbrac) and last.roll is None:
            cube = _cube_of(nacbrac)
        if cube:
            state = at_score(cube_state(decoded), cube.score)
            if not state.may_double:
                raise IllegalError("the player on roll may not double", text=cube.text)
            results.append(CubeRead(cube, state))
        elif isinstance(nacbrac, Nacbrac):
            results.append(nacbrac)
    return tuple(results)


def cube_state(decoded: Decoded) -> GameState:
    """The state of the last cube decision of a sequence: before its last roll, or the double."""
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
    message = f"{where}not strict Nactation, and {USED_UP}; check this nacbrac on its own"
    return UnreadError(message, text=nacbrac.text, at=entry.at)


def _dead_end(nacbrac: Nacbrac, entry: Entry, plays: Plays) -> IllegalError:
    if not plays:
        message = f"{quoted(entry.text)}: nothing can be played"
    else:
        names = [str(plays.name(play).naming.nactation) for play in plays[:_MAX_PLAYS]]
        names += ["..."] * (len(plays) > _MAX_PLAYS)
        where = f"{quoted(entry.text or str(entry.name))} in {format_position_id(plays[0].before)}"
        problem = f"no such play of {plays[0].roll} is left"
        message = f"{where}: {problem}. Legal: {' '.join(names)}"
    return IllegalError(message, text=nacbrac.text, at=entry.at)


_LIFT, _QUARTERS, _OUTER, _NUMERAL_1 = (
    family("L"),
    family("Q"),
    family("O_"),
    Nactation(family("1")),
)
