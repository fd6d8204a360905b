"""Patterns of sequences, `*-63R-31P` or `31P after 6?S`, and where a game fits them.

What stands between the wildcards is read as any sequence is. A game is told by one token for each
turn: `31P`, a fan `31^`, C, R, T and P for the cube, and an empty one for a beaver.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from gnubg_nactation.backgammon.plays import ROLLS
from gnubg_nactation.backgammon.position import NACKGAMMON
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.sequences.notation import FAN
from gnubg_nactation.sequences.tokens import Token, TokenKind, parse_sequence
from gnubg_nactation.values import NamedTuple

TAKE = "T"
_UNSAID = {TAKE, ""}  # what sequences leave out: takes, and beavers, for which there is no letter

# Wildcards for turns stand apart, those for dice begin a token, and that for members ends one.
_TURNS = re.compile(r"(?<![^\s,;/|:.-])([*?])(?![^\s,;/|:.-])")
_DICE = re.compile(r"(?<![^\s,;/|:.-])(?:[1-6]\?|\?[1-6?])")
_PLAY = re.compile(r"(?<![^\s,;/|:.-])([1-6?]{2})\?")
_ANY_MEMBER = "{?}"
_AFTER = re.compile(r"\safter\s", re.IGNORECASE)
_ALL = frozenset(map(str, ROLLS))
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

    def fits(self, token: str) -> bool | None:
        """Whether a token of a game is such a turn; None if its play may have such a name, too."""
        begins, name = token[:2], token[2:]
        if self.begins and begins not in self.begins:
            return False
        if not (self.names or self.families) or name in self.names:
            return True
        family = _family(name)
        if not family or {family} == set(map(_family, self.names)):  # another member of it
            return False
        return family in self.families or None


def _family(name: str) -> str:
    try:
        return parse_nactation(name).family.key
    except MalformedError:  # a question mark, for what was not legal
        return ""


def _unknown(_at: int, _step: Step) -> bool:
    return False


class Pattern(NamedTuple):
    """The steps of a pattern, None for any number of turns; the last one is a step.

    With `nackgammon` the first turn is one from Nackgammon's position.
    """

    steps: tuple[Step | None, ...]
    nackgammon: bool = False

    @property
    def rolls(self) -> frozenset[str]:
        """Rolls without which the sequence of no game fits; fans stand there without their roll."""
        return frozenset(
            roll
            for step in self.steps
            if step and len(step.begins) == 1 and (step.names or step.families) - {FAN}
            for roll in step.begins
        )

    @property
    def first(self) -> str:
        """The roll, or the letter, that a game must begin with; empty if it is not known."""
        step = self.steps[0]
        return "".join(step.begins) if step and len(step.begins) == 1 else ""

    @property
    def is_anchored(self) -> bool:
        """Whether it begins with the first turn of the game."""
        return self.steps[0] is not None


def parse_pattern(text: str) -> Pattern:
    """The pattern that a text spells; MalformedError with the place of what cannot be read.

    One turn alone, or `X after Y`, may come anywhere in a game. Otherwise the first turn of the
    pattern is the first of the game, unless `*` stands before it.
    """
    parts: list[_Part] = []
    end = len(text)
    for part in reversed(_AFTER.split(text)):
        end = text.rindex(part, 0, end)
        parts.append(_parse_part(part, text, end))
    steps = [step for part in parts for step in part.steps]
    if len(parts) > 1 or len(steps) == 1:
        steps.insert(0, None)
    # Any number of turns twice is any number of turns; behind the last step they say nothing.
    kept = [step for step, behind in pairwise([*steps, None]) if step or behind]
    if not kept:
        raise MalformedError("found no turn in the pattern, expected one, as in `*-63R-31P`")
    return Pattern(tuple(kept), any(part.nackgammon for part in parts))


def ends(
    pattern: Pattern, tokens: Iterable[str], is_named: Callable[[int, Step], bool] = _unknown
) -> Iterator[int]:
    """The places, from 0, of the tokens of a game with which the pattern is complete.

    A play may have several Nactations, and its token has one of them: whether the play at a place
    is one that a step names is asked of `is_named` where the characters differ.
    """
    steps, last = pattern.steps, len(pattern.steps)
    known: dict[str, list[bool | None]] = {}
    reached = _opened(steps, {0})
    for at, token in enumerate(tokens):
        if token not in known:
            known[token] = [step is not None and step.fits(token) for step in steps]
        after = set()
        for place in reached:
            step, fits = steps[place], known[token][place]
            if fits or (fits is None and step and is_named(at, step)):
                after.add(place + 1)
            if step is None or token in _UNSAID:
                after.add(place)
        if last in after:
            yield at
            after.remove(last)
        if not after:
            return
        reached = _opened(steps, after)


def _opened(steps: tuple[Step | None, ...], reached: set[int]) -> set[int]:
    """The places, and those behind any number of turns, which may be none."""
    return reached | {place + 1 for place in reached if steps[place] is None}


class _Part(NamedTuple):
    """A part of a pattern."""

    steps: list[Step | None]
    nackgammon: bool


def _parse_part(part: str, text: str, at: int) -> _Part:
    """What a part of the text says, which stands there at a place."""
    plain = _DICE.sub(_stand_in, _PLAY.sub(r"\1 ", part).replace(_ANY_MEMBER, "   "))
    steps: list[Step | None] = []
    nackgammon, start = False, 0
    for number, piece in enumerate(_TURNS.split(plain)):
        written, end = part[start : start + len(piece)], start + len(piece)
        if number % 2:
            steps.append(None if piece == "*" else Step())
        else:
            try:
                parsed = parse_sequence(piece)
            except MalformedError as error:
                raise MalformedError(str(error), text=text, at=at + start + error.at) from None
            nackgammon |= parsed.start == NACKGAMMON
            places = pairwise([*(token.at for token in parsed.tokens), len(piece)])
            texts = [written[slice(*place)] for place in places]
            steps += map(_step, parsed.tokens, texts)
        start = end
    return _Part(steps, nackgammon)


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
