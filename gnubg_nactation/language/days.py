"""The days on which the parts of a text were posted, from their headers."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from operator import attrgetter

from gnubg_nactation.language.dialects import Dialect, dialect_on
from gnubg_nactation.values import NamedTuple

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = rf"(?:{'|'.join(_MONTHS)})[a-z]{{0,6}}\.?"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[.,]{0,2}[ ])?"
_DATE = rf"""{_WEEKDAY}(?:
      (?P<iso>[0-9]{{4}}[-/][0-9]{{1,2}}[-/][0-9]{{1,2}})
    | (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?[ -](?P<month>{_MONTH}),?[ -](?P<year>[0-9]{{4}})
    | (?P<month2>{_MONTH})[ ](?P<day2>[0-9]{{1,2}})(?:st|nd|rd|th)?,?[ ](?P<year2>[0-9]{{4}})
    | (?P<first>[0-9]{{1,2}})(?P<sign>[/.])(?P<second>[0-9]{{1,2}})(?P=sign)
      (?P<short>[0-9]{{4}}|[0-9]{{2}})
    )(?![0-9/.-][0-9]|[0-9])"""
# A label before the date, `Date:`, `Posted by Ian on`, or `by Ian` and an arrow, as phpBB has it;
# a line of a chat, `[2010-08-19 12:04]`; or a line that is only a date.
_HEADER = re.compile(
    rf"""(?:\A|(?<=\n))[ \t>*_\#|(-]{{0,8}}
    (?: (?:date|(?:re)?posted|posting|post(?:ed)?[ ](?:by|on|date)|sent|published|written|created)\b
        (?:[^\n0-9]|[0-9](?![0-9/.-]|[ ]?[a-z]{{3}})){{0,60}}?[\s:,*_\#("\u00bb-]
      | by[ ][^\n"\u00bb]{{1,40}}[ ]["\u00bb][ ]
      | (?P<bracket>\[)
      | )
    {_DATE}""",
    re.VERBOSE | re.IGNORECASE,
)
_AFTER_ALONE = re.compile(
    r"[ \t.,)*_|-]{0,8}(?:(?:at )?[0-9]{1,2}[:.][0-9]{2}[^\n]{0,12})?[ \t\r]{0,4}(?:\n|\Z)"
)
_CENTURY, _FIRST_YEAR = 2000, 1990


class Posted(NamedTuple):
    """The part of a text from an offset on, with the day of its post (YYYY-MM-DD)."""

    start: int
    day: str
    dialect: Dialect


def posts_in(text: str) -> list[Posted]:
    """The parts of a text with their days, in order; the first begins the text. Empty without any.

    A date such as 8/9/10 counts if the usage of both possible days is the same.
    """
    posts: list[Posted] = []
    for match in _HEADER.finditer(text):
        labelled = match["bracket"] or text[match.start() : match.end()].strip()[:1].isalpha()
        if not labelled and not _AFTER_ALONE.match(text, match.end()):
            continue
        days = list(_days(match))
        dialects = [dialect_on(day) for day in days]
        if days and all(dialect.usages == dialects[0].usages for dialect in dialects):
            posts.append(Posted(match.start() if posts else 0, days[0], dialects[0]))
    return posts


def post_at(posts: Sequence[Posted], start: int) -> Posted | None:
    """The post that an offset belongs to; None if the text has no days."""
    at = bisect(posts, start, key=attrgetter("start"))
    return posts[at - 1] if at else None


def _days(match: re.Match[str]) -> Iterator[str]:
    """The days that a header may mean: of 8/9/10 the 9th of August, and the 8th of September."""
    if match["iso"]:
        groups = [re.split("[-/]", match["iso"])]
    elif month := match["month"] or match["month2"]:
        number = str(_MONTHS.index(month[:3].lower()) + 1)
        groups = [[match["year"] or match["year2"], number, match["day"] or match["day2"]]]
    else:
        first, second, year = match["first"], match["second"], match["short"]
        groups = [[year, first, second], [year, second, first]]
        groups = groups[1:] if match["sign"] == "." else groups
    for numbers in groups:
        year, month, day = map(int, numbers)
        with suppress(ValueError):
            posted = date(year + _CENTURY * (year < 100), month, day)
            if posted.year >= _FIRST_YEAR:
                yield posted.isoformat()
