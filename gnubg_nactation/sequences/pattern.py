"""Patterns of sequences, `*-63R-31P` or `31P after 6?S`, and where a game fits them.

What stands between the wildcards is read as any sequence is. A game is told by one token for each
turn: `31P`, a fan `31^`, and C, R, T and P for the cube.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.sequences.notation import FAN
from gnubg_nactation.sequences.tokens import Token, TokenKind, parse_sequence
from gnubg_nactation.values import NamedTuple

__all__ = ["TAKE", "Pattern", "Step", "ends", "parse_pattern"]

TAKE = "T"  # the token of a take, which goes without saying in most sequences

# Wildcards for turns stand apart, those for dice begin a token, and that for members ends one.
_TURNS = re.compile(r"(?<![^\s,;/|:.-])([*?])(?![^\s,;/|:.-])")
_DICE = re.compile(r"(?<![^\s,;/|:.-])(?:[1-6]\?|\?[1-6?])")
_PLAY = re.compile(r"(?<![^\s,;/|:.-])([1-6?]{2})\?")
_ANY_MEMBER = "{?}"
_AFTER = re.compile(r"\safter\s", re.IGNORECASE)
_BETWEEN = " \t\r\n,;/|:.-"
_ROLLS = [Roll(*dice) for dice in combinations_with_replacement(range(1, 7), 2)]
_ALL = frozenset(map(str, _ROLLS))
_ACTIONS = {
    TokenKind.DOUBLE: "C",
    TokenKind.REDOUBLE: "R",
    TokenKind.TAKE: TAKE,
    TokenKind.PASS: "P",
}


class Step(NamedTuple):
    """One turn of a pattern: `begins` are the rolls, or the letter of an action, that fit.

    `names` are the Nactations that fit behind the roll, in plain spelling, and `families` the keys
    of those of which every member does. All are empty for a turn of which nothing is said.
    """

    begins: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    families: frozenset[str] = frozenset()

    def fits(self, token: str) -> bool:
        """Whether a token of a game is such a turn."""
        begins, name = token[:2], token[2:]
        if self.begins and begins not in self.begins:
            return False
        if not (self.names or self.families) or name in self.names:
            return True
        return bool(self.families and name and _family(name) in self.families)


def _family(name: str) -> str:
    try:
        return parse_nactation(name).family.key
    except MalformedError:  # a question mark, for what was not legal
        return ""


class Pattern(NamedTuple):
    """The steps of a pattern, None for any number of turns; the last one is a step.

    With `nackgammon` the first turn is one from Nackgammon's position.
    """

    steps: tuple[Step | None, ...]
    nackgammon: bool = False

    @property
    def plays(self) -> frozenset[tuple[str, str]]:
        """Rolls with the Nactations of their plays without which no game fits."""
        return frozenset(
            (roll, name)
            for step in self.steps
            if step and len(step.begins) == len(step.names) == 1
            for roll in step.begins
            for name in step.names
        )

    @property
    def is_anchored(self) -> bool:
        """Whether it begins with the first turn of the game."""
        return self.steps[0] is not None


def parse_pattern(text: str) -> Pattern:
    """The pattern that a text spells; MalformedError with the place of what cannot be read.

    One turn alone, or `X after Y`, may come anywhere in a game. Otherwise the first turn of the
    pattern is the first of the game, unless `*` stands before it.
    """
    parts = _AFTER.split(text)
    nackgammon = False
    steps: list[Step | None] = []
    end = len(text)
    for part in reversed(parts):
        at = text.rindex(part, 0, end)
        found, special = _parse_part(part, text, at)
        steps += found
        nackgammon |= special
        end = at
    anywhere = len(parts) > 1 or len(steps) == 1
    while steps and steps[-1] is None:
        del steps[-1]
    if not steps:
        raise MalformedError("found no turn in the pattern, expected one, as in `*-63R-31P`")
    return Pattern((None, *steps) if anywhere else (*steps,), nackgammon)


def ends(pattern: Pattern, tokens: Iterable[str]) -> Iterator[int]:
    """The places, from 0, of the tokens of a game with which the pattern is complete."""
    steps, last = pattern.steps, len(pattern.steps)
    known: dict[str, list[bool]] = {}
    reached = _opened(steps, {0})
    for at, token in enumerate(tokens):
        if token not in known:
            known[token] = [step is not None and step.fits(token) for step in steps]
        fits = known[token]
        after = {place + 1 for place in reached if fits[place]}
        after |= {place for place in reached if steps[place] is None or token == TAKE}
        if last in after:
            yield at
            after.remove(last)
        if not after:
            return
        reached = _opened(steps, after)


def _opened(steps: tuple[Step | None, ...], reached: set[int]) -> set[int]:
    """The places, and those behind any number of turns, which may be none."""
    found = set(reached)
    for place in sorted(reached):
        while steps[place] is None:
            place += 1  # noqa: PLW2901 (the last one is a step)
            found.add(place)
    return found


def _parse_part(part: str, text: str, at: int) -> tuple[list[Step | None], bool]:
    """The steps of a part of the text, which stands there at a place; whether it is Nackgammon."""
    plain = _DICE.sub(_stand_in, _PLAY.sub(r"\1 ", part).replace(_ANY_MEMBER, "   "))
    steps: list[Step | None] = []
    nackgammon, start = False, 0
    for number, piece in enumerate(_TURNS.split(plain)):
        written, end = part[start : start + len(piece)], start + len(piece)
        if number % 2:
            steps.append(None if piece == "*" else Step())
        elif piece.strip(_BETWEEN):
            try:
                parsed = parse_sequence(piece)
            except MalformedError as error:
                raise MalformedError(str(error), text=text, at=at + start + error.at) from None
            nackgammon |= parsed.start == NACKGAMMON
            places = [token.at for token in parsed.tokens[1:]]
            for token, behind in zip(parsed.tokens, [*places, len(piece)], strict=True):
                steps.append(_step(token, written[token.at : behind]))
        start = end
    return steps, nackgammon


def _stand_in(dice: re.Match[str]) -> str:
    """Dice that can be read in place of those with wildcards."""
    first, second = dice[0][0], dice[0][1]
    other = "2" if "1" in dice[0] else "1"
    if first != "?":
        return f"{first}{other}"
    return f"{other}{second}" if second != "?" else "21"


def _step(token: Token, written: str) -> Step:
    """The step for a token, which was written so."""
    if token.kind in _ACTIONS:
        return Step(frozenset({_ACTIONS[token.kind]}))
    if token.kind is TokenKind.FAN:
        return Step(_ALL, frozenset({FAN}))
    if token.kind is TokenKind.ENTER:
        return Step(_rolls(f"{token.die}?"))
    if token.kind is TokenKind.OFF or token.roll is None:
        begins = _ALL
    else:
        dice = _DICE.match(written)
        begins = _rolls(dice[0]) if dice else frozenset({str(token.roll)})
    if _ANY_MEMBER in written:
        return Step(begins, families=frozenset(name.family.key for name in token.names))
    return Step(begins, frozenset(map(str, token.names)))


def _rolls(dice: str) -> frozenset[str]:
    """The rolls with these dice, a question mark for any."""
    wanted = dice.replace("?", "")
    return frozenset(
        roll for roll in _ALL if all(roll.count(die) >= wanted.count(die) for die in wanted)
    )
