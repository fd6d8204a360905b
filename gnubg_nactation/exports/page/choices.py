"""The choices of a decision for the page's script: plays with their chances, cube equities."""

from __future__ import annotations

from collections.abc import Iterator
from operator import sub

from gnubg_nactation.backgammon.analysis import CubeAnalysis, in_prose, read_chances
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import Decision, decide_cube
from gnubg_nactation.decisions.severity import thousandths
from gnubg_nactation.language.alphabet import Right, family
from gnubg_nactation.language.nactation import Nactation, Naming, parse_nactation
from gnubg_nactation.language.numerals import is_named_first
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.styles import resting_points
from gnubg_nactation.language.why_not import why_not
from gnubg_nactation.values import Any

# For each letter those that learners confuse with it, the likeliest first.
_CONFUSED = {
    "S": "ZB",
    "Z": "SB",
    "B": "SZ",
    "H": "XK",
    "X": "HK",
    "K": "HX",
    "P": "@",
    "@": "P",
}
_CHANCES = ("win", "gammon", "backgammon", "lost_gammon", "lost_backgammon")


def play_fields(decision: Decision, plays: Plays, tolerance: float) -> list[dict[str, Any]]:
    """The plays of a decision, best first: `play` of page.schema.json.

    Chances are in thousandths, and relative to the best play for all others. A play that loses
    less than `tolerance` points is right in the quiz, by any of its names.
    """
    best = decision.choices[0]
    best_equity, best_chances = best.equity or 0.0, [0] * len(_CHANCES)
    fields = []
    for choice in decision.choices:
        equity = choice.equity or 0.0
        loss = thousandths(best_equity - equity)
        chances = [round(1000 * chance) for chance in read_chances(choice.odds) or ()]
        others: list[str] = []
        if choice.play and best_equity - equity < tolerance:
            namings = _names(choice.play, plays) if choice is best else plays.letters(choice.play)
            others = [name for name in map(str, namings) if name != str(choice.name)]
        fields.append(
            {
                "name": str(choice.name),
                "said": choice.text,
                "loss": loss,
                "off": thousandths(equity) - thousandths(best_equity) + loss or None,
                "level": decision.level_of(choice) or None,
                **dict(zip(_CHANCES, map(sub, chances, best_chances), strict=False)),
                "also": others,
            }
        )
        if choice is best:
            best_chances = chances
    return fields


def _names(best: Play, plays: Plays) -> Iterator[Naming]:
    """The names of the best play, except numerals that name another play first.

    Ranking those would take longer than the rest of the page.
    """
    yield from plays.letters(best)
    landings = resting_points(best.portions)
    if best.roll.is_doublet:  # a digit may also name a point where checkers go on
        landings += [portion.target for portion in best.portions]
    for digit in dict.fromkeys(str(point % 10) for point in landings):
        if is_named_first(best, digit, plays, plays.forced):
            yield Naming(parse_nactation(digit), Right.NUMERAL)


def confused_letter(play: Play, name: Nactation, plays: Plays) -> list[str] | None:
    """A letter that a reader may take for the name of a play: the letter, why not, and its play.

    None if no such letter names another play of the roll. A page has no room for all letters.
    """
    for key in _CONFUSED.get(name.family.key, ""):
        other = Nactation(family(key))
        members = plays.reading(other.family).members
        if members and play not in members:
            return [key, why_not(play, other, plays), format_play(members[0])]
    return None


def legal_letters(plays: Plays) -> str:
    """The letters that name a legal play, without their marks; numerals are left out."""
    return "".join(dict.fromkeys(family.character for family in plays.families()))


def cube_fields(analysis: CubeAnalysis) -> dict[str, Any]:
    """A cube decision: `cube` of page.schema.json, and who judged it."""
    equities = [
        None if equity is None else thousandths(equity)
        for equity in (analysis.no_double, analysis.double_take, analysis.double_pass)
    ]
    cube: dict[str, Any] = {
        "equities": equities,
        "best": in_prose(analysis.best),
        "act": analysis.act.value,
    }
    decision = decide_cube(analysis, GameState())
    if decision is None:
        return {"cube": cube}
    cube["choices"] = [
        [choice.text, thousandths(choice.equity), thousandths(choice.loss)]
        for choice in decision.choices
    ]
    return {"cube": cube | {"made": decision.made}, "source": decision.source}
