"""Leaks as text and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from gnubg_nactation.archive.leaks import FEW_GAMES, Account, Cost, Leak, Leaks
from gnubg_nactation.archive.mistakes import Example
from gnubg_nactation.archive.opening_leaks import OpeningLeaks
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.decisions.severity import points_lost
from gnubg_nactation.decisions.themes import RIGHT_ACTIONS
from gnubg_nactation.decisions.wording import score_words
from gnubg_nactation.exports.board.rendering import board_text
from gnubg_nactation.exports.opening_leaks import opening_leaks_view
from gnubg_nactation.language.alphabet import family
from gnubg_nactation.nacbracs.bots import bot_of
from gnubg_nactation.showing import counted, json_line, rounded, shown
from gnubg_nactation.values import Any

_DIGITS = 5  # as many as a database stores
NO_LEAK = "No analysed decision lost anything."
COSTLIEST = "The costliest decisions"
_EXAMPLES = {"theme": 1, "phase": 0}  # in text; of other kinds all


def format_leaks(leaks: Leaks, player: str, *, boards: bool = False) -> str:
    """The leaks as text; with `boards`, each with the board of its first example."""
    lines = [f"Leaks of {shown(player)}", *account_lines(leaks)]
    if leaks.costliest:
        lines += ["", COSTLIEST]
    for example in leaks.costliest:
        place, lost = shown(str(example.place)), points_lost(example.lost)
        lines.append(f"  {lost:>6}  {place}  {costliest_words(example)}")
        if boards:
            lines += ["", board_text(example.state, players=example.players), ""]
    for title, kind in kinds_of(leaks):
        rows = [figures(leaks, leak) for leak in kind]
        widths = [max(len(name), *(len(row[name]) for row in rows)) for name in rows[0]]
        indent = " " * (sum(widths) + 2 * len(widths) + 2)
        lines += ["", title, _aligned(rows[0], widths)]
        for leak, row in zip(kind, rows, strict=True):
            state = leak.examples[0].state
            place = "" if leak.faced is None else f", {format_position_id(state.position)}"
            lines.append(f"{_aligned(row.values(), widths)}  {leak_words(leak)}{place}")
            for example in leak.examples[: _EXAMPLES.get(leak.kind)]:
                lines.append(f"{indent}{shown(str(example.place))}  {example_words(example)}")
            if boards and leak.kind not in _EXAMPLES:
                lines += ["", board_text(state), ""]
    if not leaks.themes:
        lines += ["", NO_LEAK]
    return "\n".join(lines) + "\n"


def _aligned(cells: Iterable[str], widths: Iterable[int]) -> str:
    return "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


def kinds_of(leaks: Leaks) -> list[tuple[str, tuple[Leak, ...]]]:
    """The title and the leaks of each kind that has any."""
    kinds = (
        ("Themes", leaks.themes),
        ("Phases of the game", leaks.phases),
        ("Replies to openings", leaks.replies),
        ("The same play of the same roll", leaks.plays),
        ("Families of plays", leaks.families),
        ("The cube by score", leaks.cubes),
    )
    return [kind for kind in kinds if kind[1]]


def figures(leaks: Leaks, leak: Leak) -> dict[str, str]:
    """The points that a leak loses in 100 analysed games, its frequency, and its mean loss.

    If few games are analysed, the points lost in all of them.
    """
    now = _amount(leaks.account, leak.now)
    head = "points" if leaks.account.has_few_games else "in 100 games"
    rates, times = {head: _points(now) + _within(leak.margin)}, str(leak.now.times)
    cost = leak.now
    if leak.faced is not None:
        times = f"{times} of {leak.faced}"
    if leaks.before is not None and leak.before is not None:
        earlier = _amount(leaks.before, leak.before)
        rates = {"since": _points(now), "before": _points(earlier)}
        if not (leaks.account.has_few_games or leaks.before.has_few_games):
            rates["change"] = f"{(earlier or 0.0) - (now or 0.0):+.2f}"
        times = f"{leak.now.times} + {leak.before.times}"
        cost = leak.now.plus(leak.before)
    return rates | {"times": times, "each": points_lost(cost.mean)}


def _amount(account: Account, cost: Cost) -> float | None:
    """The loss in 100 games or, of few games, in all of them."""
    return cost.points if account.has_few_games else account.per_hundred(cost)


def _points(lost: float | None) -> str:
    return "n/a" if lost is None else f"{-lost:.2f}" if round(lost, 2) else "0"


def _within(margin: float | None) -> str:
    return "" if margin is None else f" \u00b1{margin:.2f}"


def leak_words(leak: Leak, spell: Callable[[str], str] = str) -> str:
    """The leak in words: `61D where U is best`, `missed double at 2-away`.

    `spell` formats Nactations from their plain spelling.
    """
    state = leak.examples[0].state
    if leak.kind in {"phase", "reply"}:
        return leak.made
    if leak.kind == "theme":
        return f"{leak.made}: {leak.meaning}"
    if leak.kind == "cube":
        return f"{leak.made} {_score(leak)}"
    played, best = (spell(name) if name else "another play" for name in (leak.made, leak.best))
    if leak.kind == "play":
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


def costliest_words(example: Example, spell: Callable[[str], str] = str) -> str:
    """The decision in words: `61D where U is best`, `missed double, 2-away 3-away`."""
    state = example.state
    if state.roll is None:
        return f"{example.made}, {score_words(state)}"
    best = spell(example.best) if example.best else "another play"
    return f"{state.roll}{spell(example.made)} where {best} is best"


def account_lines(leaks: Leaks) -> list[str]:
    """The numbers of games and decisions behind the leaks, and the cost of all errors."""
    if leaks.before is None:
        return [*_account(leaks.account), *_shown_share(leaks)]
    lines = []
    for when, account in (("Since", leaks.account), ("Before", leaks.before)):
        first, *rest = _account(account)
        lines += [f"{when} {leaks.since}: {first}", *rest]
    if leaks.undated:
        lines.append(f"{counted(leaks.undated, 'analysed game')} without a date left out")
    return [*lines, *_shown_share(leaks)]


def _account(account: Account) -> Iterator[str]:
    games = counted(account.games, "game")
    if not account.analysed:
        yield f"none of {games} is analysed; add an analysis with `nactate index --analyse`"
        return
    cubes = counted(account.cubes, "cube decision")
    levels = ", ".join(f"{_bot(name)} ({turns})" for name, turns in account.levels)
    yield f"{account.analysed} of {games} analysed: {counted(account.plays, 'play')} and {cubes}"
    yield f"Analysed turns by level: {levels}"
    total, plays, cube = (
        _points_lost(account, cost)
        for cost in (account.wrong, account.wrong_plays, account.wrong_cubes)
    )
    parts = f"(plays {plays}, cube {cube})"
    if account.has_few_games:
        yield f"Points lost: {total} {parts}"
        yield f"Fewer than {FEW_GAMES} analysed games: too few for a rate in 100 games"
    else:
        yield f"Points lost in 100 analysed games: {total}{_within(account.margin)} {parts}"


def _shown_share(leaks: Leaks) -> list[str]:
    """The share of the losses that themes explain; nothing if there are none."""
    if not leaks.account.wrong.lost:
        return []
    total = _points_lost(leaks.account, leaks.account.wrong)
    return [f"Shown by themes: {100 * leaks.shown_share:.0f} % of {total} points"]


def _points_lost(account: Account, cost: Cost) -> str:
    """A loss after words that call it one, so without a minus."""
    return _points(_amount(account, cost)).removeprefix("-")


def _bot(method: str) -> str:
    return shown(" ".join(filter(None, bot_of(method))))


def json_leaks(leaks: Leaks, player: str, openings: OpeningLeaks) -> str:
    """The leaks as one JSON object; losses are in points, rates in points per 100 games."""
    account = leaks.account
    value: dict[str, Any] = {
        "player": player,
        "lost_per_hundred": rounded(account.per_hundred(account.wrong), _DIGITS),
        "margin": rounded(account.margin, _DIGITS),
        "few_games": account.has_few_games,
        "shown_share": round(leaks.shown_share, _DIGITS),
        "account": _account_view(account),
    }
    if leaks.before is not None:
        value |= {"since": leaks.since, "before": _account_view(leaks.before)}
        value["undated"] = leaks.undated
    value["costliest"] = list(map(_example_view, leaks.costliest))
    cuts = {"themes": leaks.themes, "phases": leaks.phases, "replies": leaks.replies}
    value |= {name: [_cut_view(leaks, leak) for leak in cut] for name, cut in cuts.items()}
    value["leaks"] = [
        {"kind": leak.kind, **_leak_view(leaks, leak)}
        for leak in (*leaks.plays, *leaks.families, *leaks.cubes)
    ]
    value["openings"] = opening_leaks_view(openings)
    return json_line(value)


def _cut_view(leaks: Leaks, leak: Leak) -> dict[str, Any]:
    """A theme, a phase or a reply."""
    costs = _costs_view(leaks, leak)
    value: dict[str, Any] = {"name": leak.made}
    if leak.meaning:
        value["meaning"] = leak.meaning
    value |= {"lost_per_hundred": costs.pop("per_hundred"), "margin": rounded(leak.margin, _DIGITS)}
    return value | costs | {"examples": list(map(_example_view, leak.examples))}


def _costs_view(leaks: Leaks, leak: Leak) -> dict[str, Any]:
    value = _cost_view(leaks.account, leak.now)
    if leaks.before is not None and leak.before is not None:
        value["before"] = _cost_view(leaks.before, leak.before)
    return value


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
    value |= _costs_view(leaks, leak)
    return value | {"examples": list(map(_example_view, leak.examples))}


def _example_view(example: Example) -> dict[str, Any]:
    return {
        "place": str(example.place),
        "file": example.place.file,
        "xgid": format_xgid(example.state),
        "roll": str(example.state.roll) if example.state.roll else None,
        "made": example.made,
        "play": example.play or None,
        "best": example.best or RIGHT_ACTIONS.get(example.made),
        "lost": round(example.lost, _DIGITS),
    }
