"""The games that may match a pattern, by their sequences.

A game's sequence has the rolls of all turns, but only one name of each play. So the rolls are
searched first, and only the plays that they leave are looked up.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from gnubg_nactation.archive.filters import Filters, selects, where
from gnubg_nactation.archive.play_names import is_named
from gnubg_nactation.sequences.notation import FAN
from gnubg_nactation.sequences.pattern import OMITTED, Pattern, Step
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import sqlite3

_FAN_TOKEN = "F"
_BARE = len("31")  # a roll without a name
_HIDES_TAKE = re.compile("-[CR](?=-)")


def likely_games(
    connection: sqlite3.Connection, pattern: Pattern, filters: Filters, *, by_game: bool
) -> array[int]:
    """Return the games that may match, in no order; `by_game`: turns have an index by game."""
    segments = list(_segments(pattern))
    is_anchored = bool(segments) and pattern.steps[0] is segments[0].steps[0]
    fits = lru_cache(maxsize=1 << 16)(_fits)

    def is_possible(game: int, sequence: str) -> bool:
        text = f"-{sequence.removeprefix('N ').removeprefix('-')}-"
        at = 0
        for number, segment in enumerate(segments):
            fixed = is_anchored and not number
            search: Callable[..., re.Match[str] | None] = (
                segment.tokens.match if fixed else segment.tokens.search
            )
            while place := search(text, at):
                at = place.start() + 1
                if _has_names(place, segment.steps, fits, find_row, game):
                    break
                if fixed:
                    return False
            else:
                return False
        return True

    def find_row(game: int, turn: int) -> Any:
        if not by_game:
            return None
        sql = "SELECT roll, nactation, position, play FROM turns WHERE game = ? AND turn = ?"
        return connection.execute(sql, (game, turn)).fetchone()

    rows = connection.execute(*_query(pattern, filters))
    return array("q", (game for game, sequence in rows if is_possible(game, sequence)))


def _query(pattern: Pattern, filters: Filters) -> tuple[str, tuple[Any, ...]]:
    """The SQL for the games with enough turns, the rolls of the pattern, and a filtered player."""
    rolls = sorted(pattern.rolls)
    count = sum(step is not None for step in pattern.steps)
    # An illegal play is not `kept`.
    conditions = ["g.kept + length(g.sequence) * (instr(g.sequence, '?') > 0) >= ?"]
    conditions += ["instr(g.sequence, ?)" for _ in rolls]
    condition, values = where(filters)
    tables = "games AS g"
    if condition:
        tables = "matches AS m CROSS JOIN games AS g ON g.match = m.id"
        conditions.insert(0, selects(None, condition))
    sql = f"SELECT g.id, g.sequence FROM {tables} WHERE {' AND '.join(conditions)}"
    return sql, (*values, count, *rolls)


class _Segment(NamedTuple):
    """Steps for consecutive tokens of a sequence, and their rolls as a regular expression."""

    steps: tuple[Step, ...]
    tokens: re.Pattern[str]


def _segments(pattern: Pattern) -> Iterator[_Segment]:
    """Yield the runs of steps that have a token each: others match what sequences leave out."""
    run: list[Step] = []
    for step in (*pattern.steps, None):
        if step and step.begins and not step.begins & OMITTED:
            run.append(step)
        elif run:
            yield _Segment(tuple(run), segment_pattern(run))
            run = []


def segment_pattern(steps: Sequence[Step]) -> re.Pattern[str]:
    """A regular expression for tokens with the rolls of these steps, between hyphens."""
    return re.compile("".join(f"-(?:{_token(step)})" for step in steps) + "(?=-)")


def _token(step: Step) -> str:
    rolls = [begin for begin in sorted(step.begins) if begin.isdigit()]
    tokens = [begin for begin in sorted(step.begins) if not begin.isdigit()]
    if rolls:
        tokens.append(f"(?:{'|'.join(rolls)})[^-]*")
        names = step.names | step.families
        tokens += [_FAN_TOKEN] * (not names or FAN in names)
    return "|".join(tokens)


def _fits(step: Step, token: str) -> bool | None:
    """Whether a token of a sequence matches a step; None if its play may."""
    if token == _FAN_TOKEN:
        return True
    if len(token) == _BARE and (step.names or step.families):  # a forced play has no name
        return None
    return step.fits(token)


def _has_names(
    place: re.Match[str],
    steps: Sequence[Step],
    fits: Callable[[Step, str], bool | None],
    find_row: Callable[[int, int], Any],
    game: int,
) -> bool:
    """Whether the plays of these tokens have the names of the steps, as far as that is clear."""
    tokens = place[0][1:].split("-")
    verdicts = list(map(fits, steps, tokens))
    if False in verdicts:
        return False
    if None not in verdicts:
        return True
    # Each double but the last is followed by a take, which has no token.
    first = place.string.count("-", 0, place.start() + 1)
    first += len(_HIDES_TAKE.findall(place.string, 0, place.start() + 1))
    doubles = 0
    for at, (step, token, verdict) in enumerate(zip(steps, tokens, verdicts, strict=True)):
        if verdict is None:
            row = find_row(game, first + at + doubles)
            if row and str(row[0]) == token[:2] and not _names(step, *row):
                return False
        doubles += token in {"C", "R"}
    return True


def _names(
    step: Step,
    roll: int,
    name: str,
    position: bytes,
    play: str,
) -> bool:
    verdict = step.fits(f"{roll}{name}")
    return is_named(step, position, roll, play) if verdict is None and play else bool(verdict)
