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
from gnubg_nactation.showing import counted, json_text, rounded, shown
from gnubg_nactation.values import Any

_DIGITS = 5  # as many as a database stores
NO_LEAK = "No mistake was frequent enough to be a leak."


def format_leaks(leaks: Leaks, player: str, *, boards: bool = False) -> str:
    """The leaks as text; with `boards`, each with the board of its first example."""
    lines = [f"Leaks of {shown(player)}", *account_lines(leaks)]
    for title, kind in kinds_of(leaks):
        rows = [figures(leaks, leak) for leak in kind]
        widths = [max(len(name), *(len(row[name]) for row in rows)) for name in rows[0]]
        indent = " " * (sum(widths) + 2 * len(widths) + 2)
        lines += ["", title, _aligned(rows[0], widths)]
        for leak, row in zip(kind, rows, strict=True):
            state = leak.examples[0].state
            place = "" if leak.faced is None else f", {format_position_id(state.position)}"
            lines.append(f"{_aligned(row.values(), widths)}  {leak_words(leak)}{place}")
            for example in leak.examples:
                lines.append(f"{indent}{shown(str(example.place))}  {example_words(example)}")
            if boards:
                lines += ["", board_text(state), ""]
    if not kinds_of(leaks):
        lines += ["", NO_LEAK]
    return "\n".join(lines) + "\n"


def _aligned(cells: Iterable[str], widths: Iterable[int]) -> str:
    return "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


def kinds_of(leaks: Leaks) -> list[tuple[str, tuple[Leak, ...]]]:
    """The title and the leaks of each kind that has any."""
    kinds = (
        ("The same play of the same roll", leaks.plays),
        ("Families of plays", leaks.families),
        ("The cube", leaks.cubes),
    )
    return [kind for kind in kinds if kind[1]]


def figures(leaks: Leaks, leak: Leak) -> dict[str, str]:
    """The points that a leak loses in 100 analysed games, its frequency, and its mean loss."""
    now = leaks.account.per_hundred(leak.now)
    rates, times = {"in 100 games": _points(now)}, str(leak.now.times)
    cost = leak.now
    if leak.faced is not None:
        times = f"{times} of {leak.faced}"
    if leaks.before is not None and leak.before is not None:
        earlier = leaks.before.per_hundred(leak.before)
        change = "n/a" if now is None or earlier is None else f"{earlier - now:+.2f}"
        rates = {"since": _points(now), "before": _points(earlier), "change": change}
        times = f"{leak.now.times} + {leak.before.times}"
        cost = leak.now.plus(leak.before)
    return rates | {"times": times, "each": points_lost(cost.mean)}


def _points(lost: float | None) -> str:
    return "n/a" if lost is None else f"{-lost:.2f}" if round(lost, 2) else "0"


def leak_words(leak: Leak, spell: Callable[[str], str] = str) -> str:
    """The leak in words: `61D where U is best`, `missed double at 2-away`.

    `spell` formats Nactations from their plain spelling.
    """
    state = leak.examples[0].state
    if state.roll is None:
        return f"{leak.made} {_score(leak)}"
    played, best = (spell(name) if name else "another play" for name in (leak.made, leak.best))
    if leak.faced is not None:
        return f"{state.roll}{played} where {best} is best"
    if leak.made == leak.best:
        return f"{played}{_word(leak.made)} where another {best} is best"
    return f"{played}{_word(leak.made)} where {best}{_word(leak.best)} is best"


def _word(name: str) -> str:
    """The word of a family, in parentheses; empty without a family."""
    return f" ({family(name).word.split(',')[0]})" if name else ""


def _score(leak: Leak) -> str:
    if leak.away is None:
        return "in money games"
    scores = ", ".join(
        f"{own}-away {opponent}-away: {times}" for (own, opponent), times in leak.scores
    )
    return f"at {leak.away}-away ({scores})"


def example_words(example: Example, spell: Callable[[str], str] = str) -> str:
    """The play, its loss and the best play: `61D -.206 (U)`; of the cube, loss and score."""
    state = example.state
    lost = points_lost(example.lost)
    if state.roll is None:
        return f"{lost}, {score_words(state)}"
    best = f" ({spell(example.best)})" if example.best else ""
    return f"{state.roll}{spell(example.made)} {lost}{best}"


def account_lines(leaks: Leaks) -> list[str]:
    """The numbers of games and decisions behind the leaks, and the cost of all errors."""
    if leaks.before is None:
        return list(_account(leaks.account))
    lines = []
    for when, account in (("Since", leaks.account), ("Before", leaks.before)):
        first, *rest = _account(account)
        lines += [f"{when} {leaks.since}: {first}", *rest]
    if leaks.undated:
        lines.append(f"{counted(leaks.undated, 'analysed game')} without a date left out")
    return lines


def _account(account: Account) -> Iterator[str]:
    games = counted(account.games, "game")
    if not account.analysed:
        yield f"none of {games} is analysed; add an analysis with `nactate index --analyse`"
        return
    cubes = counted(account.cubes, "cube decision")
    levels = ", ".join(f"{_bot(name)} ({turns})" for name, turns in account.levels)
    yield f"{account.analysed} of {games} analysed: {counted(account.plays, 'play')} and {cubes}"
    yield f"Analysed turns by level: {levels}"
    plays, cube = map(account.per_hundred, (account.wrong_plays, account.wrong_cubes))
    yield f"Points per 100 analysed games: plays {_points(plays)}, cube {_points(cube)}"


def _bot(method: str) -> str:
    return shown(" ".join(filter(None, bot_of(method))))


def json_leaks(leaks: Leaks, player: str) -> str:
    """The leaks as one JSON object; losses are in points, rates in points per 100 games."""
    value: dict[str, Any] = {"player": player, "account": _account_view(leaks.account)}
    if leaks.before is not None:
        value |= {"since": leaks.since, "before": _account_view(leaks.before)}
        value["undated"] = leaks.undated
    kinds = {"play": leaks.plays, "family": leaks.families, "cube": leaks.cubes}
    value["leaks"] = [
        {"kind": name, **_leak_view(leaks, leak)} for name, kind in kinds.items() for leak in kind
    ]
    return json_text(value) + "\n"


def _account_view(account: Account) -> dict[str, Any]:
    return {
        "games": account.games,
        "analysed": account.analysed,
        "plays": account.plays,
        "cubes": account.cubes,
        "wrong_plays": _cost_view(account, account.wrong_plays),
        "wrong_cubes": _cost_view(account, account.wrong_cubes),
        "levels": dict(account.levels),
    }


def _cost_view(account: Account, cost: Cost) -> dict[str, Any]:
    return {
        "times": cost.times,
        "lost": round(cost.points, _DIGITS),
        "mean": round(cost.mean, _DIGITS),
        "per_hundred": rounded(account.per_hundred(cost), _DIGITS),
    }


def _leak_view(leaks: Leaks, leak: Leak) -> dict[str, Any]:
    value: dict[str, Any] = {"made": leak.made, "best": leak.best or None}
    state = leak.examples[0].state
    if leak.faced is not None:
        position = format_position_id(state.position)
        value |= {"roll": str(state.roll), "position_id": position, "faced": leak.faced}
    if state.roll is None:
        value["away"] = leak.away
        value["scores"] = [
            {"away": own, "opponent_away": opponent, "times": times}
            for (own, opponent), times in leak.scores
        ]
    value |= _cost_view(leaks.account, leak.now)
    if leaks.before is not None and leak.before is not None:
        value["before"] = _cost_view(leaks.before, leak.before)
    return value | {"examples": list(map(_example_view, leak.examples))}


def _example_view(example: Example) -> dict[str, Any]:
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
