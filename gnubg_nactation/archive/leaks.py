"""A player's most expensive mistakes in the analysed decisions of an archive."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, groupby, islice
from operator import itemgetter

from gnubg_nactation.archive.database import UNIT
from gnubg_nactation.archive.filters import ALL, TABLES, Filters, check_filters
from gnubg_nactation.archive.mistakes import (
    NOW,
    Example,
    Mistake,
    Query,
    condition_of,
    examples_of,
    find_mistakes,
)
from gnubg_nactation.archive.nodes import count_plays, mean_of
from gnubg_nactation.archive.tallies import TALLIES, prepare_tallies
from gnubg_nactation.archive.trees import BookAtScore
from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.backgammon.notation import parse_hops, resolve
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.decisions.themes import OTHER, STRUCTURE, THEMES
from gnubg_nactation.errors import NactationError
from gnubg_nactation.language.nactation import family_key, parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.book import Line, Listing, shipped_book
from gnubg_nactation.nacbracs.nacbrac import MONEY
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    import sqlite3


_MAX_EXAMPLES = 3
_MOST_READ = 1000  # examples at a time
FEW_GAMES = 20  # with fewer, the losses in 100 games would mislead


class Cost(NamedTuple):
    """How often mistakes were made, and their total loss in units of the archive."""

    times: int = 0
    lost: int = 0

    def plus(self, other: Cost) -> Cost:
        """Add two costs."""
        return Cost(self.times + other.times, self.lost + other.lost)

    @property
    def points(self) -> float:
        """The total loss in points."""
        return self.lost / UNIT

    @property
    def mean(self) -> float:
        """The mean loss in points."""
        return self.points / self.times if self.times else 0.0


class Account(NamedTuple):
    """A player's analysed decisions and what the wrong ones lost.

    `games` counts all games that meet the filters, `analysed` those with an analysed decision.
    `plays` counts rolls with several legal plays, `cubes` cube decisions, those not to double
    included. `levels` lists each analysis level with its number of turns, the largest first.
    `margin` is the margin of error of all losses in 100 games, None if few games are analysed.
    """

    games: int = 0
    analysed: int = 0
    plays: int = 0
    cubes: int = 0
    wrong_plays: Cost = Cost()
    wrong_cubes: Cost = Cost()
    levels: tuple[tuple[str, int], ...] = ()
    margin: float | None = None

    @property
    def wrong(self) -> Cost:
        """All wrong decisions."""
        return self.wrong_plays.plus(self.wrong_cubes)

    @property
    def has_few_games(self) -> bool:
        """Whether too few games are analysed to speak of the losses in 100."""
        return self.analysed < FEW_GAMES

    def per_hundred(self, cost: Cost) -> float | None:
        """The loss in points per hundred analysed games; None if no game is analysed."""
        return 100 * cost.points / self.analysed if self.analysed else None


class Leak(NamedTuple):
    """A cut of the losses with its most expensive examples, those of the later period first.

    `kind` is theme, phase, reply, play, family or cube. For a theme or a phase `made` is its name,
    for a reply the rolls and the play before it, such as `31P-64`. For the other kinds
    `made` and `best` are Nactations, keys of families, or the fault of a cube action and nothing.
    `before` is None if there is only one period. `faced` is how often the player had the roll in
    the position; None unless the leak is a play. For cube actions `away` is the player's away
    score, None for money, and `scores` counts both away scores. `margin` is the margin of error of
    the loss in 100 games, None if few games are analysed. `meaning` explains a theme.
    """

    kind: str
    made: str
    best: str
    now: Cost
    before: Cost | None
    examples: tuple[Example, ...]
    faced: int | None = None
    away: int | None = None
    scores: tuple[tuple[tuple[int, int], int], ...] = ()
    margin: float | None = None
    meaning: str = ""


class Leaks(NamedTuple):
    """A player's losses, cut in several ways, and the accounts they come from.

    `costliest` has single decisions. `themes` has all themes and `phases` all phases that occur,
    so each of them adds up to all losses. `replies` has replies to openings, by both rolls. The
    most expensive come first everywhere, but `structure` and `other` last.

    `since` separates the two periods, and `before` is the account of the earlier one; without it
    they are empty and None. `undated` counts analysed games left out because they have no date.
    """

    account: Account
    since: str
    before: Account | None
    undated: int
    costliest: tuple[Example, ...]
    themes: tuple[Leak, ...]
    phases: tuple[Leak, ...]
    replies: tuple[Leak, ...]
    plays: tuple[Leak, ...]
    families: tuple[Leak, ...]
    cubes: tuple[Leak, ...]

    @property
    def examples(self) -> Iterator[Example]:
        """All decisions of the report; some of them several times."""
        yield from self.costliest
        cuts = self.themes, self.phases, self.replies, self.plays, self.families, self.cubes
        for leak in chain(*cuts):
            yield from leak.examples

    @property
    def shown_share(self) -> float:
        """The share of all losses that a theme explains, from 0 to 1."""
        total = self.account.wrong.lost
        unexplained = sum(leak.now.lost for leak in self.themes if leak.made in _UNEXPLAINED)
        return 1 - unexplained / total if total else 1.0


_UNEXPLAINED = STRUCTURE.name, OTHER.name


def find_leaks(
    connection: sqlite3.Connection,
    filters: Filters = ALL,
    names: Sequence[str] = (),
    limit: int = 10,
) -> Leaks:
    """Find the `limit` most expensive leaks of each kind for the filtered player.

    `names` selects all players with these names. `filters.since` separates two periods: each leak
    has its cost in both, and matches without a date are left out. A play, reply, family or cube
    action counts if it was wrong at least `filters.min_count` times in one period; themes and
    phases always do. Raises UnknownError for an unknown name.
    """
    _check(connection, filters, names)
    by_position = Query.of(filters, names, TABLES)
    account, earlier, undated = _accounts(connection, Query.of(filters, names, TALLIES))
    mistakes = find_mistakes(connection, filters, names)
    plays = [mistake for mistake in mistakes if mistake[_BEST] is not None]
    actions = [mistake for mistake in mistakes if mistake[_BEST] is None]
    wrong_plays, wrong_cubes = _Group.of(plays), _Group.of(actions)
    account = account._replace(wrong_plays=wrong_plays.now, wrong_cubes=wrong_cubes.now)
    earlier = earlier._replace(wrong_plays=wrong_plays.before, wrong_cubes=wrong_cubes.before)
    replies = [mistake for mistake in plays if mistake[_OPENING]]
    costliest = [mistake for mistake in mistakes[:limit] if mistake[_PERIOD] == NOW]

    def rate(item: tuple[_Key, _Group]) -> tuple[float, _Key]:
        key, group = item
        now = account.per_hundred(group.now) or 0.0
        return -max(now, earlier.per_hundred(group.before) or 0.0 if filters.since else now), key

    def rank(
        mistakes: Sequence[Any], keys: Sequence[_Key], least: int = 0
    ) -> list[tuple[_Key, _Group]]:
        members: dict[_Key, list[Any]] = defaultdict(list)
        pairs: Iterator[tuple[_Key, Any]] = zip(keys, mistakes, strict=True)
        if least > 1:
            counts = Counter(keys)
            pairs = (pair for pair in pairs if counts[pair[0]] >= least)
        for key, mistake in pairs:
            members[key].append(mistake)
        return sorted([(key, _Group.of(same)) for key, same in members.items()], key=rate)

    def recurring(mistakes: Sequence[Any], keys: Sequence[_Key]) -> list[tuple[_Key, _Group]]:
        ranking = rank(mistakes, keys, filters.min_count)
        often = (item for item in ranking if item[1].times >= filters.min_count)
        return [*islice(often, limit)]

    theme_leaks = rank(mistakes, [*map(itemgetter(_THEME), mistakes)])
    theme_leaks.sort(key=lambda item: item[0] in _UNEXPLAINED)
    phase_leaks = rank(mistakes, [*map(itemgetter(_PHASE), mistakes)])
    reply_leaks = recurring(replies, [*map(itemgetter(_OPENING), replies)])
    play_leaks = recurring(plays, [*map(itemgetter(_POSITION, _ROLL, _MADE), plays)])
    both = [*map(itemgetter(_MADE, _BEST), plays)]
    families = {pair: (family_key(pair[0]), family_key(pair[1])) for pair in {*both}}
    family_leaks = recurring(plays, [*map(families.__getitem__, both)])
    cube_leaks = recurring(actions, [*map(itemgetter(_MADE, _AWAY), actions)])
    ranked = (*theme_leaks, *phase_leaks, *reply_leaks, *play_leaks, *family_leaks, *cube_leaks)
    worst = [*costliest, *(mistake for _, group in ranked for mistake in group.worst)]
    example = examples_of(connection, worst)

    def leak(kind: str, made: str, best: str, group: _Group, **more: Any) -> Leak:
        examples = tuple(map(example, group.worst))
        margin = _margin(group, account)
        earlier_cost = group.before if filters.since else None
        return Leak(kind, made, best, group.now, earlier_cost, examples, margin=margin, **more)

    faced = _faced(connection, by_position, {key[0] for key, _ in play_leaks})
    return Leaks(
        account._replace(margin=_margin(_Group.of(mistakes), account)),
        filters.since,
        earlier if filters.since else None,
        undated.analysed,
        tuple(map(example, costliest)),
        tuple(
            leak("theme", name, "", group, meaning=THEMES.get(name, OTHER).meaning)
            for name, group in theme_leaks
        ),
        tuple(leak("phase", phase, "", group) for phase, group in phase_leaks),
        tuple(leak("reply", opening, "", group) for opening, group in reply_leaks),
        tuple(
            leak("play", key[2], group.worst[0][_BEST] or "", group, faced=faced.get(key[:2], 0))
            for key, group in play_leaks
        ),
        tuple(leak("family", made, best, group) for (made, best), group in family_leaks),
        tuple(
            leak("cube", fault, "", group, away=away or None, scores=group.scores if away else ())
            for (fault, away), group in cube_leaks
        ),
    )


def list_mistakes(
    connection: sqlite3.Connection,
    filters: Filters,
    names: Sequence[str],
    most: int,
    theme: str = "",
    least: float = 0,
) -> list[tuple[Mistake, Example]]:
    """List the costliest mistakes of the filtered player, as `find_mistakes` does.

    `names` and errors as in `find_leaks`.
    """
    _check(connection, filters, names)
    found = find_mistakes(connection, filters, names, most, theme, least)
    costliest = [mistake for mistake in found if mistake[_PERIOD] == NOW]
    example = examples_of(connection, costliest)
    return [(Mistake._make(mistake), example(mistake)) for mistake in costliest]


def list_distinct_mistakes(
    connection: sqlite3.Connection, filters: Filters, least: float = 0
) -> Iterator[tuple[Example, int]]:
    """Yield the costliest place of each mistake of the filtered player, and how often it was made.

    The same play of a roll in a position is one mistake, and so is the same fault in a position at
    an away score. Each was made at least `filters.min_count` times and lost at least `least` points
    each time. Raises UnknownError for an unknown name.
    """
    _check(connection, filters, ())
    same: dict[Any, list[Any]] = defaultdict(list)
    for mistake in find_mistakes(connection, filters, (), least=least):
        if mistake[_PERIOD] == NOW:
            roll = None if mistake[_BEST] is None else mistake[_ROLL]  # a fault is before the roll
            key = roll, *_question_of(mistake)
            same[key].append(mistake)
    often = iter([found for found in same.values() if len(found) >= filters.min_count])
    while some := [*islice(often, _MOST_READ)]:
        example = examples_of(connection, [found[0] for found in some])
        yield from ((example(found[0]), len(found)) for found in some)


def _check(connection: sqlite3.Connection, filters: Filters, names: Sequence[str]) -> None:
    """Raise UnknownError for an unknown name."""
    check_filters(connection, filters)
    for name in names:
        check_filters(connection, Filters(player=name))


_ACCOUNT = (
    "ifnull((SELECT name FROM levels WHERE id = t.level), ''), sum(t.analysed), sum(t.plays),"
    " sum(t.actions)"
)


def _accounts(connection: sqlite3.Connection, query: Query) -> list[Account]:
    """Return the account of each period without the wrong decisions, from the tallies."""
    prepare_tallies(connection)
    accounts = [Account(), Account(), Account()]
    games = "count(DISTINCT t.game), count(DISTINCT CASE WHEN t.analysed THEN t.game END)"
    for period, *counts in connection.execute(*query.select(games, "GROUP BY 1")):
        accounts[period] = Account(*counts)
    by_level = "AND t.analysed GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2"
    rows = connection.execute(*query.select(_ACCOUNT, by_level))
    for period, group in groupby(rows, itemgetter(0)):
        _, levels, turns, plays, cubes = zip(*group, strict=True)
        accounts[period] = accounts[period]._replace(
            plays=sum(plays), cubes=sum(cubes), levels=tuple(zip(levels, turns, strict=True))
        )
    return accounts


class _Group(NamedTuple):
    """Similar mistakes and their cost in both periods, in the order of `find_mistakes`."""

    now: Cost
    before: Cost
    mistakes: Sequence[Any]

    @classmethod
    def of(cls, mistakes: Sequence[Any]) -> _Group:
        lost = [*map(_lost_of, mistakes)]
        if not mistakes or mistakes[-1][_PERIOD] == NOW:
            return cls(Cost(len(lost), sum(lost)), Cost(), mistakes)
        count = bisect_right(mistakes, NOW, key=itemgetter(_PERIOD))  # the later period comes first
        now, earlier = lost[:count], lost[count:]
        return cls(Cost(len(now), sum(now)), Cost(len(earlier), sum(earlier)), mistakes)

    @property
    def times(self) -> int:
        """How often the mistake was made, in the period with more of them."""
        return max(self.now.times, self.before.times)

    @property
    def worst(self) -> list[Any]:
        """The most expensive mistakes, those of the later period first."""
        return [*self.mistakes[:_MAX_EXAMPLES]]

    @property
    def scores(self) -> tuple[tuple[tuple[int, int], int], ...]:
        """The away scores and how often they occurred, the most frequent first."""
        counts = Counter(map(itemgetter(_AWAY, _OPPONENT_AWAY), self.mistakes))
        return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


_PERIOD, _LOST, _GAME, _POSITION, _ROLL, _MADE, _BEST = map(
    Mistake._fields.index, ("period", "lost", "game", "position", "roll", "made", "best")
)
_THEME, _PHASE, _OPENING, _AWAY, _OPPONENT_AWAY = map(
    Mistake._fields.index, ("theme", "phase", "opening", "away", "opponent_away")
)
_game_of, _lost_of = itemgetter(_GAME), itemgetter(_LOST)
_question_of = itemgetter(_POSITION, _MADE, _AWAY, _OPPONENT_AWAY)
_Key = TypeVar("_Key")


def _margin(group: _Group, account: Account) -> float | None:
    """The margin of error of what mistakes lose in 100 analysed games of the later period."""
    if account.has_few_games:
        return None
    lost: dict[int, int] = defaultdict(int)
    later = group.mistakes[: group.now.times]
    for game, loss in zip(map(_game_of, later), map(_lost_of, later), strict=True):
        lost[game] += loss
    squares = sum(points * points for points in lost.values())
    mean = mean_of((account.analysed, group.now.lost, squares), UNIT)
    return 100 * mean.within if mean and mean.within is not None else None


def _faced(
    connection: sqlite3.Connection, query: Query, positions: set[bytes]
) -> dict[tuple[bytes, int], int]:
    """How often each roll had to be played in these positions, in the later period."""
    keys = ", ".join(f"x'{position.hex()}'" for position in positions)
    turns = f"AND t.position IN ({keys}) AND t.roll > 0 AND t.error IS NOT NULL GROUP BY 1, 2, 3"
    rows = connection.execute(*query.select("t.position, t.roll, count(*)", turns))
    return {(position, roll): count for period, position, roll, count in rows if period == NOW}


class OpeningLeak(NamedTuple):
    """A play that loses by the book.

    `line` is the line of the book; `made` is the play's Nactation and `play` the play in
    traditional notation. `times` is how often it was made, `faced` how often the player had this
    roll there. `loss` is in points, None if the book does not list the play.
    """

    line: Line
    made: str
    play: str
    times: int
    faced: int
    loss: float | None


class OpeningLeaks(NamedTuple):
    """The opening leaks, the most expensive first, and all plays that the book has.

    `plays` counts them, `wrong` those that lose, and `lost` is their loss in points, without the
    plays that the book does not list. `source` is that of the book, `score` where it looked.
    """

    source: str
    score: str
    plays: int
    wrong: int
    lost: float
    leaks: tuple[OpeningLeak, ...]


def find_opening_leaks(
    connection: sqlite3.Connection, filters: Filters, names: Sequence[str], limit: int
) -> OpeningLeaks:
    """Find the first plays of a player that lose most by the book of this package.

    `names` selects all players with these names. Without a score in the filters, all plays are
    compared with those for money.
    """
    score = MONEY if filters.score is None else filters.score
    book = BookAtScore(shipped_book(), score)
    counts: dict[tuple[str, Roll], Counter[tuple[str, str]]] = defaultdict(Counter)
    rows = count_plays(connection, book.book.position_ids, *condition_of(filters, names))
    for place, roll, made, play, count in rows:
        counts[place, roll][made, play] += count
    plays = [play for key, times in counts.items() for play in _plays_of(*key, times, book)]
    wrong = [play for play in plays if play.loss != 0.0]
    often = [play for play in wrong if play.times >= filters.min_count]
    often.sort(key=lambda play: (-play.times * play.least_loss, play.listing.sequence, play.made))
    return OpeningLeaks(
        book.book.source,
        score,
        sum(play.times for play in plays),
        sum(play.times for play in wrong),
        sum(play.times * (play.loss or 0.0) for play in wrong),
        tuple(leak for play in often[:limit] if (leak := play.leak(book))),
    )


class _OpeningPlay(NamedTuple):
    """A play that the book can judge, before the book's line is read, which takes long."""

    position_id: str
    roll: Roll
    listing: Listing
    made: str
    play: str
    times: int
    faced: int
    loss: float | None

    @property
    def least_loss(self) -> float:
        """The loss; of a play that the book does not list, the largest loss that it lists."""
        return [*self.listing.losses.values()][-1] or 0.0 if self.loss is None else self.loss

    def leak(self, book: BookAtScore) -> OpeningLeak | None:
        """The leak with the line of the book."""
        line = book.line(parse_position_id(self.position_id), self.roll)
        return line and OpeningLeak(line, *self[3:])


def _plays_of(
    position_id: str, roll: Roll, times: Counter[tuple[str, str]], book: BookAtScore
) -> Iterator[_OpeningPlay]:
    """Yield all plays of a roll, those that lose nothing included, if the book has the roll.

    The book may call a play by another name. The loss is None if the book does not list the play.
    """
    listing = book.book.listing(position_id, roll, book.score)
    if not listing:
        return
    faced = times.total()
    losses = listing.losses
    for (made, play), count in times.items():
        name = made
        if play and made not in losses:
            name = _listed_name(position_id, roll, play, tuple(losses))
        loss = losses.get(name)
        yield _OpeningPlay(position_id, roll, listing, made, play, count, faced, loss)


@lru_cache(maxsize=1 << 12)
def _listed_name(position_id: str, roll: Roll, text: str, names: tuple[str, ...]) -> str:
    """The one of these names that names a play in traditional notation; empty if none does."""
    position = parse_position_id(position_id)
    plays = Plays(position, roll)
    try:
        play = resolve(parse_hops(text), position, roll, plays)
    except NactationError:  # the database was changed by hand
        return ""
    named = zip(names, map(parse_nactation, names), strict=True)
    return next((name for name, it in named if plays.place(play, it.family) == it.member), "")
