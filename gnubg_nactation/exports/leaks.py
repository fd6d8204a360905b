"""Leaks as text, as JSON and as a page, with those in the opening."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial

from gnubg_nactation.archive.leaks import (
    FEW_GAMES,
    Account,
    Cost,
    Leak,
    Leaks,
    OpeningLeak,
    OpeningLeaks,
)
from gnubg_nactation.archive.mistakes import Example
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.notation import format_play, parse_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import score_words
from gnubg_nactation.decisions.severity import points_lost
from gnubg_nactation.decisions.themes import RIGHT_ACTIONS
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.board import Layout, arrow_path, arrows, board_text, class_prefix
from gnubg_nactation.exports.page.document import (
    REPORT_CSS,
    board_colours,
    design,
    document,
    glyph,
    logo,
    plain_board,
    safe_text,
)
from gnubg_nactation.exports.stats import DIGITS, NO_GAMES
from gnubg_nactation.language.alphabet import family
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.bots import bot_of
from gnubg_nactation.nacbracs.nacbrac import describe_score
from gnubg_nactation.showing import (
    WITH_PLAYS,
    PlaysStyle,
    counted,
    json_line,
    rounded,
    shown,
    with_sign,
)
from gnubg_nactation.values import Any

_NOT_LISTED = "\u2260"


def opening_leaks_text(leaks: OpeningLeaks, style: PlaysStyle = WITH_PLAYS) -> str:
    """The section of the openings; empty if the book has none of the plays."""
    if not leaks.plays:
        return ""
    lines = ["", openings_head(leaks), *style.lines(partial(_opening_lines, leaks.leaks))]
    if any(leak.loss is None for leak in leaks.leaks):
        lines.append(f"{_NOT_LISTED}: the book does not list the play; it loses more")
    return "".join(f"{line}\n" for line in lines)


def _opening_lines(leaks: Sequence[OpeningLeak], plays: bool) -> Iterator[str]:
    rows = [(f"{leak.times} of {leak.faced}", _each(leak), _words(leak, plays)) for leak in leaks]
    width = max((len(times) for times, *_ in rows), default=0)
    if rows:
        yield f"  {'times':>{width}}   each"
    for times, each, words in rows:
        yield f"  {times:>{width}}  {each:>5}  {words}"


def openings_head(leaks: OpeningLeaks) -> str:
    """The heading of the section, with the source and the totals."""
    source = f"{shown(leaks.source)}, {describe_score(leaks.score)}"
    total = f"{leaks.wrong} of {counted(leaks.plays, 'play')} not the best"
    if leaks.lost:
        total += f", {points_lost(leaks.lost)} in all"
    return f"Openings by the book ({source}): {total}"


def _each(leak: OpeningLeak) -> str:
    return _NOT_LISTED if leak.loss is None else points_lost(leak.loss)


def _words(leak: OpeningLeak, plays: bool) -> str:
    """The play in its sequence, and the best: `31P-42Z where P is best`."""
    made, best = (f" {leak.play}", f" {_opening_best(leak)}") if plays else ("", "")
    return f"{leak.line.sequence}{leak.made}{made} where {leak.line.plays[0][0]}{best} is best"


def _opening_best(leak: OpeningLeak) -> str:
    """The best play of an opening leak in traditional notation."""
    return format_play(leak.line.read.entries[0].play)


def opening_leaks_view(leaks: OpeningLeaks) -> dict[str, Any]:
    """The opening leaks as JSON; losses are in points."""
    return {
        "source": leaks.source,
        "score": leaks.score,
        "plays": leaks.plays,
        "wrong": leaks.wrong,
        "lost": rounded(leaks.lost),
        "leaks": [
            {
                "sequence": leak.line.sequence,
                "position_id": format_position_id(leak.line.state.position),
                "made": leak.made,
                "play": leak.play,
                "best": str(leak.line.plays[0][0]),
                "made_play": leak.play,
                "best_play": _opening_best(leak),
                "times": leak.times,
                "faced": leak.faced,
                "loss": rounded(leak.loss),
            }
            for leak in leaks.leaks
        ],
    }


NO_LEAK = "No analysed decision lost anything."
COSTLIEST = "The costliest decisions"
_EXAMPLES = {"theme": 1, "phase": 0}  # in text; of other kinds all


def format_leaks(
    leaks: Leaks, player: str, *, boards: bool = False, style: PlaysStyle = WITH_PLAYS
) -> str:
    """The leaks as text; with `boards`, each with the board of its first example."""
    lines = [f"Leaks of {shown(player)}", *account_lines(leaks)]
    if leaks.costliest:
        lines += ["", COSTLIEST]
        lines += style.lines(partial(_costliest_lines, leaks.costliest, boards))
    for title, kind in kinds_of(leaks):
        lines += ["", title, *style.lines(partial(_kind_lines, leaks, kind, boards))]
    if not leaks.themes:
        lines += ["", NO_LEAK]
    return "\n".join(lines) + "\n"


def _costliest_lines(examples: Sequence[Example], boards: bool, plays: bool) -> Iterator[str]:
    for example in examples:
        place, lost = shown(str(example.place)), points_lost(example.lost)
        yield f"  {lost:>6}  {place}  {costliest_words(example, plays=plays)}"
        if boards:
            yield from ("", board_text(example.state, players=example.players), "")


def _kind_lines(leaks: Leaks, kind: Sequence[Leak], boards: bool, plays: bool) -> Iterator[str]:
    rows = [figures(leaks, leak) for leak in kind]
    widths = [max(len(name), *(len(row[name]) for row in rows)) for name in rows[0]]
    indent = " " * (sum(widths) + 2 * len(widths) + 2)
    yield _aligned(rows[0], widths)
    for leak, row in zip(kind, rows, strict=True):
        state = leak.examples[0].state
        place = "" if leak.faced is None else f", {format_position_id(state.position)}"
        yield f"{_aligned(row.values(), widths)}  {leak_words(leak, plays=plays)}{place}"
        for example in leak.examples[: _EXAMPLES.get(leak.kind)]:
            # The play of a leak is also that of its examples.
            words = example_words(example, plays=plays and leak.kind != "play")
            yield f"{indent}{shown(str(example.place))}  {words}"
        if boards and leak.kind not in _EXAMPLES:
            yield from ("", board_text(state), "")


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

    If few games are analysed, the points lost in all of them; periods say so if they differ.
    """
    now = _amount(leaks.account, leak.now)
    unit = _unit(leaks.account)
    rates, times = {unit: _points(now) + _within(leak.margin)}, str(leak.now.times)
    cost = leak.now
    if leak.faced is not None:
        times = f"{times} of {leak.faced}"
    if leaks.before is not None and leak.before is not None:
        earlier = _amount(leaks.before, leak.before)
        units = unit, _unit(leaks.before)
        since, before = (f" ({each})" * (units[0] != units[1]) for each in units)
        rates = {f"since{since}": _points(now), f"before{before}": _points(earlier)}
        if not (leaks.account.has_few_games or leaks.before.has_few_games):
            rates["change"] = with_sign((earlier or 0.0) - (now or 0.0), 2)
        times = f"{leak.now.times} + {leak.before.times}"
        cost = leak.now.plus(leak.before)
    return rates | {"times": times, "each": points_lost(cost.mean)}


def _unit(account: Account) -> str:
    return "points" if account.has_few_games else "in 100 games"


def _amount(account: Account, cost: Cost) -> float | None:
    """The loss in 100 games or, of few games, in all of them."""
    return cost.points if account.has_few_games else account.per_hundred(cost)


def _points(lost: float | None) -> str:
    return "n/a" if lost is None else f"{-lost:.2f}" if round(lost, 2) else "0"


def _within(margin: float | None) -> str:
    return "" if margin is None else f" \u00b1{margin:.2f}"


def leak_words(leak: Leak, spell: Callable[[str], str] = str, *, plays: bool = False) -> str:
    """The leak in words: `61D where U is best`, `missed double at 2-away`.

    `spell` formats Nactations from their plain spelling; with `plays`, the plays of a roll follow
    in traditional notation.
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
        made_play, best_play = _plays_after(leak.examples[0]) if plays else ("", "")
        return f"{state.roll}{played}{made_play} where {best}{best_play} is best"
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


def example_words(
    example: Example, spell: Callable[[str], str] = str, *, plays: bool = False
) -> str:
    """The play, its loss and the best play: `61D -.206 (U)`; of the cube, loss and score."""
    state = example.state
    lost = points_lost(example.lost)
    if state.roll is None:
        return f"{lost}, {score_words(state)}"
    made_play, best_play = _plays_after(example) if plays else ("", "")
    best = f" ({spell(example.best)}{best_play})" if example.best else ""
    return f"{state.roll}{spell(example.made)}{made_play} {lost}{best}"


def costliest_words(
    example: Example, spell: Callable[[str], str] = str, *, plays: bool = False
) -> str:
    """The decision in words: `61D where U is best`, `missed double, 2-away 3-away`."""
    state = example.state
    if state.roll is None:
        return f"{example.made}, {score_words(state)}"
    made_play, best_play = _plays_after(example) if plays else ("", "")
    best = f"{spell(example.best)}{best_play}" if example.best else "another play"
    return f"{state.roll}{spell(example.made)}{made_play} where {best} is best"


def _plays_after(example: Example) -> tuple[str, str]:
    """The play made and the best play in traditional notation, each after a blank."""
    made, best = example.play, _best_text(example)
    return f" {made}" * bool(made), f" {best}" * bool(best)


@lru_cache(maxsize=1 << 10)  # the same decisions are examples of several leaks
def _best_text(example: Example) -> str:
    """The best play in traditional notation; empty for the cube, and if it is unknown."""
    best = _best(example)
    return format_play(best) if best else ""


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
    if not account.games:
        yield NO_GAMES
        return
    games = counted(account.games, "game")
    if not account.analysed:
        yield f"none of {games} is analysed; add an analysis with `nactate index --analyse`"
        return
    cubes = counted(account.cubes, "cube decision")
    levels = ", ".join(f"{_bot(name)} ({turns})" for name, turns in account.levels)
    plays = counted(account.plays, "play")
    yield f"{account.analysed} of {games} analysed: {plays} and {cubes}, close or not"
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
    """The leaks as one line of JSON; see `leaks_view`."""
    return json_line(leaks_view(leaks, player, openings))


def leaks_view(leaks: Leaks, player: str, openings: OpeningLeaks) -> dict[str, Any]:
    """The leaks as one JSON object; losses are in points, rates in points per 100 games."""
    account = leaks.account
    value: dict[str, Any] = {
        "player": player,
        "lost_per_hundred": rounded(account.per_hundred(account.wrong), DIGITS),
        "margin": rounded(account.margin, DIGITS),
        "few_games": account.has_few_games,
        "shown_share": round(leaks.shown_share, DIGITS),
        "account": _account_view(account),
    }
    if leaks.before is not None:
        value |= {"since": leaks.since, "before": _account_view(leaks.before)}
        value["undated"] = leaks.undated
    value["costliest"] = list(map(example_view, leaks.costliest))
    cuts = {"themes": leaks.themes, "phases": leaks.phases, "replies": leaks.replies}
    value |= {name: [_cut_view(leaks, leak) for leak in cut] for name, cut in cuts.items()}
    value["leaks"] = [
        {"kind": leak.kind, **_leak_view(leaks, leak)}
        for leak in (*leaks.plays, *leaks.families, *leaks.cubes)
    ]
    value["openings"] = opening_leaks_view(openings)
    return value


def _cut_view(leaks: Leaks, leak: Leak) -> dict[str, Any]:
    """A theme, a phase or a reply."""
    costs = _costs_view(leaks, leak)
    value: dict[str, Any] = {"name": leak.made}
    if leak.meaning:
        value["meaning"] = leak.meaning
    value |= {"lost_per_hundred": costs.pop("per_hundred"), "margin": rounded(leak.margin, DIGITS)}
    return value | costs | {"examples": list(map(example_view, leak.examples))}


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
        "lost": round(cost.points, DIGITS),
        "mean": round(cost.mean, DIGITS),
        "per_hundred": rounded(account.per_hundred(cost), DIGITS),
    }


def _leak_view(leaks: Leaks, leak: Leak) -> dict[str, Any]:
    value: dict[str, Any] = {"made": leak.made, "best": leak.best or None}
    first = leak.examples[0]
    both = (first.play, _best_text(first)) if leak.kind == "play" else ("", "")
    value |= {"made_play": both[0] or None, "best_play": both[1] or None}
    state = first.state
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
    return value | {"examples": list(map(example_view, leak.examples))}


def example_view(example: Example) -> dict[str, Any]:
    """A wrong decision as JSON."""
    return decision_view(example) | {"best_play": _best_text(example) or None}


def decision_view(example: Example) -> dict[str, Any]:
    """The same without the text of the best play, which takes most of the time."""
    return {
        "place": str(example.place),
        "file": example.place.file,
        "players": list(example.players),
        "date": example.date or None,
        "xgid": format_xgid(example.state),
        "roll": str(example.state.roll) if example.state.roll else None,
        "made": example.made,
        "play": example.play or None,
        "best": example.best or RIGHT_ACTIONS.get(example.made),
        "made_play": example.play or None,
        "best_play": None,
        "lost": round(example.lost, DIGITS),
    }


_CSS = """\
h3{font-size:1rem;margin:0 0 .3rem}
.leaks{list-style:none;margin:0;padding:0;display:grid;gap:1rem;
grid-template-columns:repeat(auto-fill,minmax(min(100%,22rem),1fr))}
.leaks>li{background:var(--panel);border:1px solid var(--line);border-radius:.6rem;padding:.8rem}
dl{display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;margin:0 0 .5rem;font-variant-numeric:tabular-nums}
dl div{display:flex;gap:.4rem}
dt{color:var(--soft)}
dd{margin:0}
dl div:first-child dd{color:var(--bad);font-weight:600}
svg{display:block;width:100%;height:auto}
.examples{margin:.5rem 0 0;padding:0;list-style:none;font-size:.875rem;color:var(--soft)}
.place{margin:.5rem 0 0;font-size:.875rem}
path.made{stroke:var(--board-hit);stroke-width:5;stroke-dasharray:9 8}
.key::before{content:"";display:inline-block;width:2.2em;margin-right:.4em;vertical-align:.25em;
border-top:4px solid var(--board-arrow)}
.key.made{margin-left:1em}
.key.made::before{border-top:4px dashed var(--board-hit)}
nav ul{list-style:none;margin:.8rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem}
nav a{display:inline-block;padding:.3rem 0}
@media print{
nav{display:none}
.leaks{grid-template-columns:1fr 1fr}
.leaks>li{break-inside:avoid}
h2{break-after:avoid}
}
"""
_BODY = """\
<header>{logo}<h1>{title}</h1></header>
<main>
{account}{legend}{contents}
{sections}
</main>"""


_LEGEND = """
<p><span class="key best">best play</span> <span class="key made">play made</span></p>"""

_CONTENTS = """
<nav aria-label="Contents"><ul>{}</ul></nav>"""


def leaks_page(
    result: Leaks, player: str, openings: OpeningLeaks, links: Mapping[str, str] | None = None
) -> str:
    """The page of a player's leaks; boards have the arrows of the best play and the play made.

    `links` has the pages of match files, to which places lead.
    """
    title, links = f"Leaks of {shown(player)}", links or {}
    account = "\n".join(f"<p>{safe_text(line)}</p>" for line in account_lines(result))
    cards = [_decision(example, f"c{at}", links) for at, example in enumerate(result.costliest)]
    parts = [(COSTLIEST, cards)] if cards else []
    parts += [
        (name, [_leak(result, leak, f"{kind}-{at}", links) for at, leak in enumerate(leaks)])
        for kind, (name, leaks) in enumerate(kinds_of(result))
    ]
    if openings.leaks:
        cards = [_opening(leak, f"o{at}") for at, leak in enumerate(openings.leaks)]
        parts.append((safe_text(openings_head(openings)), cards))
    sections = "\n".join(
        f'<section aria-labelledby="k{at}"><h2 id="k{at}">{name}</h2>\n<ol class="leaks">\n'
        + "\n".join(f"<li>{card}</li>" for card in cards)
        + "\n</ol></section>"
        for at, (name, cards) in enumerate(parts)
    )
    contents = "".join(
        f'<li><a href="#k{at}">{_short(name)}</a></li>' for at, (name, _) in enumerate(parts)
    )
    body = _BODY.format(
        logo=logo(),
        title=safe_text(title),
        account=account,
        legend=_LEGEND if result.themes or openings.leaks else "",
        contents=_CONTENTS.format(contents) if len(parts) > 1 else "",
        sections=sections or f"<p>{NO_LEAK}</p>",
    )
    return document(title, design() + REPORT_CSS + _CSS + board_colours(), body)


def _short(name: str) -> str:
    """The name of a section without its figures."""
    return name.partition(" (")[0]


def _decision(example: Example, key: str, links: Mapping[str, str]) -> str:
    return (
        f"<h3>{costliest_words(example, _glyph)}</h3>\n"
        f"<dl><div><dt>lost</dt><dd>{points_lost(example.lost)}</dd></div></dl>\n"
        f'{_board(example, key)}\n<p class="place">{_place(example, links)}</p>'
    )


def _leak(result: Leaks, leak: Leak, key: str, links: Mapping[str, str]) -> str:
    rows = "".join(
        f"<div><dt>{name}</dt><dd>{text}</dd></div>" for name, text in figures(result, leak).items()
    )
    head = f"<h3>{leak_words(leak, _glyph)}</h3>\n<dl>{rows}</dl>"
    if leak.kind == "phase":
        return head
    examples = "".join(
        f"<li>{_place(example, links)}  {example_words(example, _glyph)}</li>"
        for example in leak.examples
    )
    return f'{head}\n{_board(leak.examples[0], key)}\n<ul class="examples">{examples}</ul>'


def _opening(leak: OpeningLeak, key: str) -> str:
    """A play that loses by the book, with its board."""
    line = leak.line
    best, play, _ = line.plays[0]
    loss = "more than the book lists" if leak.loss is None else points_lost(leak.loss)
    words = f"{safe_text(line.sequence)}{_glyph(leak.made)} where {_glyph(str(best))} is best"
    svg = plain_board(line.state, play, key=key)
    return (
        f"<h3>{words}</h3>\n<dl><div><dt>lost each time</dt><dd>{loss}</dd></div>"
        f"<div><dt>times</dt><dd>{leak.times} of {leak.faced}</dd></div></dl>\n"
        f"{_plays_on(line.state, play, _play_of(leak.play, line.state), svg)}"
    )


def _place(example: Example, links: Mapping[str, str]) -> str:
    """The place of a decision, linked to its step on the page of the match."""
    place = example.place
    name = os.path.basename(place.file)  # the page may be shown to others
    text = safe_text(shown(f"{name}#{place.decision}"))
    if place.file not in links:
        return text
    step = "m" * (place.match > 1) + place.decision
    before_roll = "c" * (RIGHT_ACTIONS.get(example.made) == "double")
    return f'<a href="{safe_text(links[place.file])}#{step}{before_roll}">{text}</a>'


def _board(example: Example, key: str) -> str:
    """The board with both plays; of the cube without arrows."""
    state, best, made = example.state, _best(example), _made(example)
    return _plays_on(state, best, made, plain_board(state, best, key=key, players=example.players))


def _plays_on(state: GameState, best: Play | None, made: Play | None, svg: str) -> str:
    """A board with the best play, and the arrows of the play made."""
    if made is None or made == best:
        return svg
    layout = Layout(state.player, "right")
    shafts = "".join(arrow_path(arrow) for arrow in arrows(made, state.player, layout))
    arrow = f'<path class="{class_prefix("light")}-line made" d="{shafts}"/></svg>'
    return svg.removesuffix("</svg>") + arrow


def _glyph(name: str) -> str:
    return f'<span class="glyph">{glyph(name)}</span>'


def _best(example: Example) -> Play | None:
    """The best play; None for the cube, and if it is unknown."""
    state = example.state
    if not (state.roll and example.best):
        return None
    try:
        return Plays(state.position, state.roll).play(parse_nactation(example.best))
    except NactationError:  # the database was changed by hand
        return None


def _made(example: Example) -> Play | None:
    """The play made; None for the cube, and if it is unknown."""
    return _play_of(example.play, example.state)


def _play_of(text: str, state: GameState) -> Play | None:
    if not (state.roll and text):
        return None
    try:
        return parse_play(text, state.position, state.roll)
    except NactationError:
        return None
