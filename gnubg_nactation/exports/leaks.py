"""Leaks as text and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from gnubg_nactation.archive.leaks import Account, Cost, Example, Leak, Leaks
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.decisions.severity import points_lost
from gnubg_nactation.decisions.wording import score_words
from gnubg_nactation.exports.board.rendering import board_text
from gnubg_nactation.language.alphabet import family
from gnubg_nactation.nacbracs.bots import bot_of
from gnubg_nactation.showing import counted, json_text, shown
from gnubg_nactation.values import Any

_DIGITS = 5  # behind the point, as many as an archive has


def format_leaks(found: Leaks, whose: str, *, boards: bool = False) -> str:
    """The leaks as text, with the board of each one's first example if that is wanted."""
    lines = [f"Leaks of {shown(whose)}", *account_lines(found)]
    for title, leaks in kinds_of(found):
        rows = [figures(found, one) for one in leaks]
        widths = [max(len(name), *(len(row[name]) for row in rows)) for name in rows[0]]
        indent = " " * (sum(widths) + 2 * len(widths) + 2)
        lines += ["", title, _aligned(rows[0], widths)]
        for one, row in zip(leaks, rows, strict=True):
            lines.append(f"{_aligned(row.values(), widths)}  {leak_words(one)}{_place(one)}")
            for example in one.examples:
                lines.append(f"{indent}{shown(str(example.place))}  {example_words(example)}")
            if boards:
                lines += ["", board_text(one.examples[0].state), ""]
    if not kinds_of(found):
        lines += ["", NO_LEAK]
    return "\n".join(lines) + "\n"


NO_LEAK = "Nothing was wrong so often that it is a leak."


def _place(leak: Leak) -> str:
    """The Position ID of a leak that is one of a play."""
    return (
        f", {format_position_id(leak.examples[0].state.position)}" if leak.faced is not None else ""
    )


def _aligned(cells: Iterable[str], widths: Iterable[int]) -> str:
    return "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


def kinds_of(found: Leaks) -> list[tuple[str, tuple[Leak, ...]]]:
    """The leaks of each kind behind its title; no kind without leaks."""
    kinds = (
        ("The same play of the same roll", found.plays),
        ("Families of plays", found.families),
        ("The cube", found.cubes),
    )
    return [kind for kind in kinds if kind[1]]


def figures(found: Leaks, leak: Leak) -> dict[str, str]:
    """What a leak costs in a hundred analysed games, how often it was met, and the mean loss."""
    now = found.account.per_hundred(leak.now)
    told, times = {"in 100 games": _points(now)}, str(leak.now.times)
    cost = leak.now
    if leak.faced is not None:
        times = f"{times} of {leak.faced}"
    if found.before is not None and leak.before is not None:
        before = found.before.per_hundred(leak.before)
        known = None if now is None or before is None else before - now
        told = {"since": _points(now), "before": _points(before), "change": _change(known)}
        times = f"{leak.now.times} + {leak.before.times}"
        cost = leak.now.plus(leak.before)
    return told | {"times": times, "each": points_lost(cost.mean)}


def _points(lost: float | None) -> str:
    return "n/a" if lost is None else f"{-lost:.2f}" if round(lost, 2) else "0"


def _change(gained: float | None) -> str:
    return "n/a" if gained is None else f"{gained:+.2f}"


def leak_words(leak: Leak, spell: Callable[[str], str] = str) -> str:
    """The leak in words: `61D where U is best`, `missed double at 2-away`.

    `spell` is given the Nactations, in plain spelling.
    """
    state = leak.examples[0].state
    if state.roll is None:
        return f"{leak.made} {_score(leak)}"
    made, best = (spell(name) if name else "another play" for name in (leak.made, leak.best))
    if leak.faced is not None:
        return f"{state.roll}{made} where {best} is best"
    if leak.made == leak.best:
        return f"{made}{_word(leak.made)} where another {best} is best"
    return f"{made}{_word(leak.made)} where {best}{_word(leak.best)} is best"


def _word(name: str) -> str:
    """The word for a family of this key, in parentheses; nothing for none."""
    return f" ({family(name).word.split(',')[0]})" if name else ""


def _score(leak: Leak) -> str:
    if leak.away is None:
        return "in money games"
    scores = ", ".join(f"{own}-away {other}-away {times}" for (own, other), times in leak.scores)
    return f"at {leak.away}-away ({scores})"


def example_words(example: Example, spell: Callable[[str], str] = str) -> str:
    """What was done, what it lost and what was best: `61D -.206 (U)`; of the cube the score."""
    state = example.state
    lost = points_lost(example.lost)
    if state.roll is None:
        return f"{lost}, {score_words(state)}"
    best = f" ({spell(example.best)})" if example.best else ""
    return f"{state.roll}{spell(example.made)} {lost}{best}"


# The account


def account_lines(found: Leaks) -> list[str]:
    """In sentences what the leaks were found in, and what all that was wrong costs."""
    if found.before is None:
        return list(_account(found.account))
    lines = []
    for when, account in (("Since", found.account), ("Before", found.before)):
        first, *others = _account(account)
        lines += [f"{when} {found.since}: {first}", *others]
    if found.undated:
        lines.append(f"{counted(found.undated, 'analysed game')} without a date left out")
    return lines


def _account(account: Account) -> Iterator[str]:
    games = counted(account.games, "game")
    if not account.analysed:
        yield f"none of {games} is analysed (`nactate index --analyse` has an engine do it)"
        return
    cubes = counted(account.cubes, "decision") + " about the cube"
    levels = ", ".join(f"{_bot(name)} ({turns})" for name, turns in account.levels)
    yield f"{account.analysed} of {games} analysed: {counted(account.plays, 'play')} and {cubes}"
    yield f"Analysed turns by level: {levels}"
    plays, cube = map(account.per_hundred, (account.wrong_plays, account.wrong_cubes))
    yield f"Points in a hundred analysed games: plays {_points(plays)}, cube {_points(cube)}"


def _bot(method: str) -> str:
    return shown(" ".join(filter(None, bot_of(method))))


# JSON


def json_leaks(found: Leaks, whose: str) -> str:
    """The leaks as one JSON object; losses are in points, rates in points a hundred games."""
    value: dict[str, Any] = {"player": whose, "account": _account_value(found.account)}
    if found.before is not None:
        value |= {"since": found.since, "before": _account_value(found.before)}
        value["undated"] = found.undated
    kinds = {"play": found.plays, "family": found.families, "cube": found.cubes}
    value["leaks"] = [
        {"kind": kind, **_leak_value(found, one)} for kind, leaks in kinds.items() for one in leaks
    ]
    return json_text(value) + "\n"


def _account_value(account: Account) -> dict[str, Any]:
    return {
        "games": account.games,
        "analysed": account.analysed,
        "plays": account.plays,
        "cubes": account.cubes,
        "wrong_plays": _cost(account, account.wrong_plays),
        "wrong_cubes": _cost(account, account.wrong_cubes),
        "levels": dict(account.levels),
    }


def _cost(account: Account, cost: Cost) -> dict[str, Any]:
    rate = account.per_hundred(cost)
    return {
        "times": cost.times,
        "lost": round(cost.points, _DIGITS),
        "mean": round(cost.mean, _DIGITS),
        "per_hundred": None if rate is None else round(rate, _DIGITS),
    }


def _leak_value(found: Leaks, leak: Leak) -> dict[str, Any]:
    value: dict[str, Any] = {"made": leak.made, "best": leak.best or None}
    state = leak.examples[0].state
    if leak.faced is not None:
        position = format_position_id(state.position)
        value |= {"roll": str(state.roll), "position_id": position, "faced": leak.faced}
    if state.roll is None:
        value["away"] = leak.away
        value["scores"] = [
            {"away": own, "opponent_away": other, "times": times}
            for (own, other), times in leak.scores
        ]
    value |= _cost(found.account, leak.now)
    if found.before is not None and leak.before is not None:
        value["before"] = _cost(found.before, leak.before)
    return value | {"examples": list(map(_example_value, leak.examples))}


def _example_value(example: Example) -> dict[str, Any]:
    return {
        "place": str(example.place),
        "file": example.place.file,
        "xgid": format_xgid(example.state),
        "roll": str(example.state.roll) if example.state.roll else None,
        "made": example.made,
        "play": example.play or None,
        "best": example.best or None,
        "lost": round(example.lost, _DIGITS),
    }
