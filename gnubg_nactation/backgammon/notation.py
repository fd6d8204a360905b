"""Traditional notation: `24/20*/14 6/5(2)`, read in all its spellings and written in one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby

from gnubg_nactation.backgammon.conversion import to_position, to_roll
from gnubg_nactation.backgammon.plays import POINT_BIT, Play, Portion, Roll, legal_plays
from gnubg_nactation.backgammon.position import BAR, OFF, Position
from gnubg_nactation.errors import AmbiguousError, IllegalError, MalformedError
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple


class Hop(NamedTuple):
    """One checker as a record moves it: over one die or several, `hits` if it is starred."""

    source: int
    target: int
    hits: bool = False


_POINT = r"(?:2[0-5]|1[0-9]|[0-9]|bar|off)"
_MOVE = re.compile(rf"({_POINT}\*?(?:/{_POINT}\*?)+)(?:\(([1-4])\)(\*)?)?", re.IGNORECASE)
_NAMES = {"bar": BAR, "off": OFF}


def parse_hops(text: str) -> tuple[Hop, ...]:
    """The hops of a play in any usual spelling, whether or not they are legal.

    Reads `bar/21`, `25/21`, `6/off`, `6/0`, `24/20*/14`, `13/10(2)`, `6/4*(2)` and `6/4(2)*`,
    hops merged or apart, in any order, separated by blanks or commas. A starred hop with a count
    hits once.
    Raises MalformedError.
    """
    hops: list[Hop] = []
    for word in text.replace(",", " ").split():
        word_hops = _parse_word(word)
        if not word_hops:
            raise MalformedError(f"not a checker play: {quoted(word)} in {quoted(text)}")
        hops += word_hops
    return tuple(hops)


def hops_at(text: str, at: int) -> tuple[tuple[Hop, ...], int]:
    """The hops of the word at an offset, `24/20*/14` or `6/5(2)`, and its end; no hops if none."""
    match = _MOVE.match(text, at)
    end = match.end() if match else at
    if text[end : end + 1].isalnum() or text[end : end + 1] == "/":
        return (), at
    return _parse_word(text[at:end]), end


@lru_cache(maxsize=1 << 12)  # players' archives hold some 2,000 words
def _parse_word(word: str) -> tuple[Hop, ...]:
    """The hops of one word, `24/20*/14` or `6/5(2)`; none if it is no play."""
    match = _MOVE.fullmatch(word)
    if not match:
        return ()
    stops = (match[1] + (match[3] or "")).lower().split("/")  # `6/4(2)*` for `6/4*(2)`
    bare = [stop.rstrip("*") for stop in stops]
    points = [_NAMES[stop] if stop in _NAMES else int(stop) for stop in bare]
    if stops[0] != bare[0] or BAR in points[1:] or OFF in points[:-1]:
        return ()
    return tuple(
        Hop(source, target, stop.endswith("*") and not repeat)
        for repeat in range(int(match[2] or 1))
        for source, target, stop in zip(points, points[1:], stops[1:], strict=False)
    )


def resolve(
    hops: Sequence[Hop], position: Position, roll: Roll, plays: Sequence[Play] | None = None
) -> Play:
    """The legal play that moves the checkers as `hops` say; stars may be missing.

    `plays` are the legal plays, if already computed. If a merged hop can go two ways, it hits as
    often as there are stars, or else exactly where the hops stop.
    Raises IllegalError, or AmbiguousError with the candidates.
    """
    if plays is None:
        plays = legal_plays(position, roll)
    candidates = _reaching(hops, plays) if plays else []
    if len(candidates) > 1:
        landings = {hop.target for hop in hops}
        blots_hit = sum(1 << p for p in landings if p != OFF and position.points[p] == -1)
        hitting = [play for play in candidates if play.hits & blots_hit == blots_hit]
        for stars in (
            sum(hop.hits for hop in hops),
            blots_hit.bit_count(),
        ):  # unless the stars are wrong
            if chosen := [play for play in hitting if play.hits.bit_count() == stars]:
                candidates = chosen
                break
    if len(candidates) == 1:
        return candidates[0]
    text = format_hops(hops)
    if not candidates:
        raise IllegalError(f"{quoted(text)} is not a legal play of {roll}")
    ways = " or ".join(format_play(play) for play in candidates)
    raise AmbiguousError(
        f"{quoted(text)} can be played in {len(candidates)} ways with {roll}: {ways}", candidates
    )


def _reaching(hops: Sequence[Hop], plays: Sequence[Play]) -> list[Play]:
    """The plays that leave the checkers where the hops leave them."""
    checkers = plays[0].checkers
    for source, target, _, _ in plays[0].portions:
        checkers += POINT_BIT[source] - POINT_BIT[target]
    for source, target, _ in hops:
        checkers += POINT_BIT[target] - POINT_BIT[source]
    reaching = [play for play in plays if play.checkers == checkers]
    # A hop from an empty point borrows from the next point; only more than four can hide that.
    if reaching and len(hops) > 4:
        own = [max(count, 0) for count in plays[0].before.points]
        for hop in hops:
            own[hop.source] -= 1
            own[hop.target] += 1
        reaching = reaching if min(own[1:]) >= 0 else []
    return reaching


def parse_play(
    text: str, position: Position | str, roll: Roll | str, plays: Sequence[Play] | None = None
) -> Play:
    """The legal play that `text` names; MalformedError, IllegalError or AmbiguousError.

    Stars may be missing, but a star where nothing is hit is an error. `position` and `roll` may be
    texts, as in `legal_plays`; `plays` are the legal plays, if already computed.
    """
    hops = parse_hops(text)
    play = resolve(hops, to_position(position), to_roll(roll), plays)
    if star := false_star(hops, play):
        raise IllegalError(f"{quoted(text)}: nothing is hit on {star.target}")
    return play


def false_star(hops: Iterable[Hop], play: Play) -> Hop | None:
    """The first hop with a star where its play hits nothing; merged hops may hit on the way."""
    for hop in hops:
        merged = hop.source - hop.target not in play.roll
        landings = (1 << hop.source if merged else 2 << hop.target) - (1 << hop.target)
        if hop.hits and not play.hits & landings:
            return hop
    return None


def force_hops(hops: Iterable[Hop], position: Position) -> Position:
    """The board after hops that need not be legal, from the side of the player.

    For illegal plays in records. Raises IllegalError if there is no checker to move or the opponent
    owns the point.
    """
    points = list(position.points)
    for source, target, _ in hops:
        if points[source] <= 0 or source == OFF:
            raise IllegalError(f"no checker on {_name(source)} to play to {_name(target)}")
        if target != OFF and points[target] < -1:
            raise IllegalError(f"the opponent owns {_name(target)}")
        points[source] -= 1
        if target == OFF:
            continue
        if points[target] == -1:
            points[target] = 0
            points[OFF] -= 1  # the opponent's bar has this place
        points[target] += 1
    return Position(tuple(points))


def format_play(play: Play) -> str:
    """The play as gnubg writes it, `24/20*/14 6/5(2)`: stops on the way appear only if they hit."""
    return format_portions(play.portions)


def format_portions(portions: Iterable[Portion]) -> str:
    """The portions of a play in the same way."""
    chains: list[list[Portion]] = []
    for portion in sorted(portions, key=lambda p: (-p.source, -p.target)):
        for chain in chains:
            if chain[-1].target == portion.source:
                chain.append(portion)
                break
        else:
            chains.append([portion])
    words = []
    for _, group in groupby(chains, lambda c: (c[0].source, c[-1].target)):
        first, *repeats = group  # the first of several checkers makes all hits
        words.append(_way(first) + (f"({len(repeats) + 1})" if repeats else ""))
    return " ".join(words)


def format_hops(hops: Iterable[Hop | Portion]) -> str:
    """Hops or portions in their order, none merged: `24/20* 20/14`."""
    return " ".join(
        f"{_name(hop.source)}/{_name(hop.target)}{'*' if hop.hits else ''}" for hop in hops
    )


def _way(chain: Sequence[Portion]) -> str:
    stops = [_name(chain[0].source)]
    stops += [f"{portion.target}*" for portion in chain[:-1] if portion.hits]
    stops.append(_name(chain[-1].target) + ("*" if chain[-1].hits else ""))
    return "/".join(stops)


def _name(point: int) -> str:
    return "bar" if point == BAR else "off" if point == OFF else str(point)
