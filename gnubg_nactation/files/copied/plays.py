"""Reads the ranked plays of a copied analysis, by their shape.

    1. XG Roller++ 8/5 6/5                      eq:+0.218
    2. Cubeful 2-ply    24/23 13/10                  Eq.:  +0.012 ( -0.206)

The words may be of any language, and the cells of a table may be separated by `|` or run together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gnubg_nactation.backgammon.analysis import RatedPlay, is_equity
from gnubg_nactation.backgammon.notation import Hop, false_star, parse_hops, resolve
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.errors import AmbiguousError, IllegalError, MalformedError
from gnubg_nactation.files.copied.layout import NUMBER, SIGNED, level_of, to_number
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple

_WORD = r"[^\W\d_]"
# The source may have the digits of a footnote before it: `Rollout18/2 6/2`.
_SOURCE = rf"(?:\d{{1,4}}|bar|(?<![\w+\-]){_WORD}{{1,8}})"
_TARGET = rf"(?:\d{{1,2}}|off|{_WORD}{{1,6}}(?![^\W_]))"
_HOP = rf"{_SOURCE}\*?(?:/{_TARGET}\*?){{1,4}}(?:\s?\([1-4]\)\*?)?"
_PLAY = re.compile(
    rf"(?<![\d/.,]){_HOP}(?:(?:[\s,;]{{1,4}}|(?<=[)*])){_HOP}){{0,3}}", re.IGNORECASE
)
_EQUITY = re.compile(
    rf"""[\s|]{{0,80}} (?: (?P<label>{_WORD}{{1,8}}\.?) \s{{0,3}} [:\uff1a=] [\s|]{{0,20}}
                         (?P<number>{NUMBER}) | (?P<signed>{SIGNED}) )
         (?P<percent>\s?%)? (?: [\s|]{{0,8}} \( \s{{0,12}} (?P<loss>{NUMBER}) \s{{0,3}} \) )?""",
    re.VERBOSE | re.IGNORECASE,
)
_HEAD = re.compile(
    rf"""(?P<made>\*)? \s{{0,9}} (?<![\d.,]) (?P<rank>\d{{1,2}}) \s? [.)] [\s|]{{0,20}}
         (?P<level> (?: {_WORD} | [+\-*\s|] | \d(?![.,%]) ){{0,45}} ) \Z""",
    re.VERBOSE,
)
_HEAD_CHARS = 70
# Half of the interval that has the equity with 95 %; gnubg gives the standard error itself.
_MARGIN = re.compile(rf"(?:\xb1|\+/-)\s{{0,3}}(?P<margin>{NUMBER})")
_STANDARD_ERROR = re.compile(rf"\[[^\[\]]{{0,120}}CF\s{{0,6}}(?P<error>{NUMBER})\s{{0,3}}\]")
_MARGINS_CHARS = 400  # after the equity
_QUANTILE = 1.96
_ROUNDING = 0.0025  # of an equity and of its difference from the best


class CopiedPlay(NamedTuple):
    """A play as the text has it, from offset `start` up to `end`, the end of its numbers.

    The `readings` are its hops: several if the digits of a footnote may be part of it. `rank` and
    `loss` are None if the text does not give them. `made` is gnubg's mark of the play made.
    `problem` is what is wrong with its numbers.
    """

    start: int
    end: int
    text: str
    readings: tuple[tuple[Hop, ...], ...]
    rank: int | None
    equity: float
    loss: float | None
    level: str
    standard_error: float | None = None
    made: bool = False
    problem: str = ""


class Ranking(NamedTuple):
    """Legal plays, the best first, and the play made if the text marks it.

    The best is that which the source ranked first, or a better one of its level; the others follow
    by their equity.
    `gaps` are the indexes of plays before which one is left out; `problems` says why.
    """

    rated: tuple[RatedPlay, ...] = ()
    made: Play | None = None
    gaps: tuple[int, ...] = ()
    problems: tuple[str, ...] = ()


def find_plays(text: str, start: int, end: int) -> list[CopiedPlay]:
    """The ranked plays in a part of a text, in its order."""
    plays: list[CopiedPlay] = []
    for match in _PLAY.finditer(text, start, end):
        if not any(map(str.isdigit, match[0])):
            continue  # `Double/Take`
        last = plays[-1].end if plays else start
        before = text[max(last, match.start() - _HEAD_CHARS) : match.start()]
        head = _HEAD.search(before)
        equity = _EQUITY.match(text, match.end(), end)
        if equity:
            plays.append(_play(match, head, equity, before))
        elif head and head["level"].strip(" |\n"):  # else it may be a line of a note
            name = _text(match)
            problem = f"{quoted(name)} has no equity"
            place = match.start(), match.end()
            plays.append(
                CopiedPlay(*place, name, (), int(head["rank"]), 0, None, "", problem=problem)
            )
    return [_with_margin(play, text, until) for play, until in _followed(plays, end)]


def _text(match: re.Match[str]) -> str:
    return " ".join(match[0].split())


def _play(
    match: re.Match[str], head: re.Match[str] | None, equity: re.Match[str], before: str
) -> CopiedPlay:
    line = before.rpartition("\n")[2]
    level = head["level"] if head else line
    is_gnubg = (equity["label"] or "").endswith(".")
    loss, name = equity["loss"], _text(match)
    return CopiedPlay(
        match.start(),
        equity.end(),
        name,
        tuple(_readings(match[0], after_letter=before[-1:].isalpha())),
        int(head["rank"]) if head else None,
        to_number(equity["number"] or equity["signed"]),
        to_number(loss) if loss else None,
        f"{'' if is_gnubg else 'XG '}{level}",
        made=bool(head and head["made"]),
        problem=f"{quoted(name)} has a percentage, expected an equity" * bool(equity["percent"]),
    )


def _readings(text: str, *, after_letter: bool) -> Iterator[tuple[Hop, ...]]:
    """The hops of a play, also without the first digits if they may be those of a footnote."""
    text = re.sub(r"\s(?=\()", "", text).lower()
    text = re.sub(r"(?<=\))(?=[\db])|(?<=\*)(?=[\db])", " ", text)
    text = re.sub(rf"(?<!{_WORD}){_WORD}+(?=\*?/)", "bar", re.sub(rf"(?<=/){_WORD}+", "off", text))
    for footnote in range(3 if after_letter else 1):
        if text[footnote : footnote + 1].isalnum() and text[:footnote].isdigit() == bool(footnote):
            try:
                yield parse_hops(text[footnote:].replace(";", " "))
            except MalformedError:
                continue


def _followed(plays: Sequence[CopiedPlay], end: int) -> Iterator[tuple[CopiedPlay, int]]:
    """Each play with the offset where the text about it ends."""
    for play, following in pairwise([*plays, None]):
        if play:
            until = following.start if following else end
            yield play, min(until, play.end + _MARGINS_CHARS)


def _with_margin(play: CopiedPlay, text: str, until: int) -> CopiedPlay:
    """The play with its standard error, and with its level as `Candidate.method` has it."""
    is_gnubg = not play.level.startswith("XG ")
    pattern = _STANDARD_ERROR if is_gnubg else _MARGIN
    match = pattern.search(text, play.end, until)
    error = abs(to_number(match[1])) / (1 if is_gnubg else _QUANTILE) if match else None
    level = play.level.removeprefix("XG ")
    level = level_of(level, is_gnubg=is_gnubg, is_rollout=error is not None)
    return play._replace(level=level, standard_error=error)


def rate_copied(copied: Sequence[CopiedPlay], legal: Sequence[Play]) -> Ranking:
    """Match the plays of a text with the legal plays.

    None are rated if the best is wrong, as the others are measured against it.
    """
    rated: list[RatedPlay] = []
    followers: list[Play | None] = []
    is_gap = False
    problems: list[str] = []
    made = None
    ordered = _ordered(copied)
    for play in ordered:
        try:
            result = _resolve(play, legal)
            _check(play, ordered[0], [each.play for each in rated], result)
        except (AmbiguousError, IllegalError) as error:
            problems.append(str(error))
            if not rated:
                break
            is_gap = True
            continue
        followers += [result] * is_gap
        is_gap = False
        rated.append(RatedPlay(result, play.equity, play.level, play.standard_error))
        made = result if play.made else made
    followers += [None] * is_gap
    level = rated[0].method if rated else ""
    rated.sort(key=lambda play: (play.method != level, -play.equity))
    rated[1:] = sorted(rated[1:], key=lambda play: -play.equity)
    places = {play.play: at for at, play in enumerate(rated)}
    gaps = tuple(places[play] if play else len(rated) for play in followers)
    return Ranking(tuple(rated), made, gaps, tuple(problems))


def _ordered(copied: Sequence[CopiedPlay]) -> Sequence[CopiedPlay]:
    """The plays by the numbers of the text, if each has one of its own."""
    ranks = [play.rank for play in copied if play.rank is not None]
    if len({*ranks}) < len(copied):
        return copied
    return sorted(copied, key=lambda play: play.rank or 0)


def _resolve(copied: CopiedPlay, legal: Sequence[Play]) -> Play:
    """The legal play that a text names. Raises IllegalError, AmbiguousError."""
    if copied.problem:
        raise IllegalError(copied.problem)
    if not legal:
        raise IllegalError(f"{quoted(copied.text)} is listed, but no play is legal here")
    first = legal[0]
    results: dict[Play, None] = {}
    problem: AmbiguousError | IllegalError | None = None
    illegal = f"{quoted(copied.text)} is not a legal play of {first.roll}"
    for hops in copied.readings:
        try:
            play = resolve(hops, first.before, first.roll, legal)
        except IllegalError:
            continue
        except AmbiguousError as error:
            problem = problem or error
            continue
        if star := false_star(hops, play):
            problem = IllegalError(f"{quoted(copied.text)}: nothing is hit on {star.target}")
            continue
        results[play] = None
    if len(results) > 1:
        raise AmbiguousError(
            f"{quoted(copied.text)} can be read in {len(results)} ways", [*results]
        )
    if not results:
        raise problem or IllegalError(illegal)
    return next(iter(results))


def _check(copied: CopiedPlay, best: CopiedPlay, others: Sequence[Play], play: Play) -> None:
    """Raise IllegalError for a play listed twice, or with numbers that contradict each other."""
    if play in others:
        raise IllegalError(f"{quoted(copied.text)} is listed twice")
    if not is_equity(copied.equity):
        raise IllegalError(f"{quoted(copied.text)} has an impossible equity, {copied.equity:+}")
    loss = copied.loss
    if copied is best and abs(loss or 0.0) > _ROUNDING:
        raise IllegalError(f"the best play is missing: {quoted(copied.text)} comes first")
    if loss is not None and abs(abs(copied.equity - best.equity) - abs(loss)) > _ROUNDING:
        numbers = f"{copied.equity:+.3f} ({loss:+.3f})"
        raise IllegalError(
            f"{quoted(copied.text)} has {numbers}, but the best play has {best.equity:+.3f}"
        )
