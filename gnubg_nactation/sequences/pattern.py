"""Patterns of sequences, such as `*-63R-31P` or `31P after 6?S`, and their matches in a game.

Between wildcards, a pattern is read as a sequence. A game is one token per turn: `31P`, a fan
`31^`, C, R, T and P for the cube, and an empty one for a beaver.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from gnubg_nactation.backgammon.plays import ROLLS
from gnubg_nactation.backgammon.position import NACKGAMMON
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.nactation import family_key
from gnubg_nactation.sequences.notation import FAN
from gnubg_nactation.sequences.tokens import Token, TokenKind, parse_sequence
from gnubg_nactation.values import NamedTuple

TAKE = "T"
OMITTED = {TAKE, ""}  # sequences leave out takes, and beavers, which have no letter

# A wildcard for turns is a token, one for dice begins a token, and one for members ends it.
_TURNS = re.compile(r"(?<![^\s,;/|:.-])([*?]|x{2,3})(?![^\s,;/|:.-])")
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
    TokenKind.BEAVER: "",
}


class Step(NamedTuple):
    """One turn of a pattern: `begins` has the rolls that match, or the letter of an action.

    `names` has the Nactations that match after the roll, in plain spelling, and `families` the keys
    of families that match with any member. An empty set matches anything.
    """

    begins: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    families: frozenset[str] = frozenset()

    def fits(self, token: str) -> bool | None:
        """Whether a token matches; None if its play may also have a name that does."""
        begins, name = token[:2], token[2:]
        if self.begins and begins not in self.begins:
            return False
        if not (self.names or self.families) or name in self.names:
            return True
        family = family_key(name)  # empty for the question mark of an illegal play
        if not family or {family} == set(map(family_key, self.names)):  # another member of it
            return False
        return family in self.families or None


def _unknown(_at: int, _step: Step) -> bool:
    return False


class Pattern(NamedTuple):
    """The steps of a pattern, None for any number of turns; the last one is a step.

    With `nackgammon`, it matches games that start from Nackgammon's position.
    """

    steps: tuple[Step | None, ...]
    nackgammon: bool = False

    @property
    def rolls(self) -> frozenset[str]:
        """The rolls that every matching sequence contains; fans are written without a roll."""
        return frozenset(
            roll
            for step in self.steps
            if step and len(step.begins) == 1 and (step.names or step.families) - {FAN}
            for roll in step.begins
        )

    @property
    def is_anchored(self) -> bool:
        """Whether it matches from the first turn of a game only."""
        return self.steps[0] is not None


def parse_pattern(text: str) -> Pattern:
    """Read a pattern; MalformedError with the offset of the first unreadable character.

    One turn alone, or `X after Y`, matches anywhere in a game. Any other pattern matches from the
    first turn of the game, unless it begins with `*`.
    """
    parts: list[_Part] = []
    end = len(text)
    for part in reversed(_AFTER.split(text)):
        end = text.rindex(part, 0, end)
        parts.append(_parse_part(part, text, end))
    steps = [step for part in parts for step in part.steps]
    if len(parts) > 1 or len(steps) == 1:
        steps.insert(0, None)
    # `*-*` matches like `*`, and a last `*` changes nothing.
    reduced = [step for step, following in pairwise([*steps, None]) if step or following]
    if not reduced:
        raise MalformedError("the pattern has no turn; expected one, as in `*-63R-31P`")
    return Pattern(tuple(reduced), any(part.nackgammon for part in parts))


def ends(
    pattern: Pattern, tokens: Iterable[str], is_named: Callable[[int, Step], bool] = _unknown
) -> Iterator[int]:
    """The indices of the tokens of a game that complete the pattern.

    A token has only one of its play's Nactations. If a step names another character, `is_named` is
    called with the index and the step to check whether the play also has such a name.
    """
    steps, last = pattern.steps, len(pattern.steps)
    cache: dict[str, list[bool | None]] = {}
    reached = _opened(steps, {0})
    for at, token in enumerate(tokens):
        if token not in cache:
            cache[token] = [step is not None and step.fits(token) for step in steps]
        after = set()
        for place in reached:
            step, fits = steps[place], cache[token][place]
            if fits or (fits is None and step and is_named(at, step)):
                after.add(place + 1)
            if step is None or token in OMITTED:
                after.add(place)
        if last in after:
            yield at
            after.remove(last)
        if not after:
            return
        reached = _opened(steps, after)


def _opened(steps: tuple[Step | None, ...], reached: set[int]) -> set[int]:
    """These places, and those after a `*`, which may match no turn."""
    return reached | {place + 1 for place in reached if steps[place] is None}


class _Part(NamedTuple):
    steps: list[Step | None]
    nackgammon: bool


def _parse_part(part: str, text: str, at: int) -> _Part:
    """Read the part of a pattern at offset `at` of the whole text."""
    plain = _DICE.sub(_sample_dice, _PLAY.sub(r"\1 ", part).replace(_ANY_MEMBER, "   "))
    steps: list[Step | None] = []
    nackgammon, start = False, 0
    for number, piece in enumerate(_TURNS.split(plain)):
        original, end = part[start : start + len(piece)], start + len(piece)
        if number % 2:
            steps.append(None if piece == "*" else Step())
        else:
            try:
                parsed = parse_sequence(piece)
            except MalformedError as error:
                raise MalformedError(str(error), text=text, at=at + start + error.at) from None
            nackgammon |= parsed.start == NACKGAMMON
            places = pairwise([*(token.at for token in parsed.tokens), len(piece)])
            texts = [original[slice(*place)] for place in places]
            steps += map(_step, parsed.tokens, texts)
        start = end
    return _Part(steps, nackgammon)


def _sample_dice(dice: re.Match[str]) -> str:
    """Dice that match a wildcard, so that the text can be read as a sequence."""
    first, second = dice[0][0], dice[0][1]
    filler = "2" if "1" in dice[0] else "1"
    if first != "?":
        return f"{first}{filler}"
    return f"{filler}{second}" if second != "?" else "21"


def _step(token: Token, text: str) -> Step:
    """The step for a token, whose text may have wildcards."""
    if token.kind in _ACTIONS:
        return Step(frozenset({_ACTIONS[token.kind]}))
    if token.kind is TokenKind.FAN:
        return Step(_ALL, frozenset({FAN}))
    if token.kind is TokenKind.ENTER:
        return Step(_rolls(f"{token.die}?"))
    if token.kind is TokenKind.OFF or token.roll is None:
        begins = _ALL
    else:
        dice = _DICE.match(text)
        begins = _rolls(dice[0]) if dice else frozenset({str(token.roll)})
    if _ANY_MEMBER in text:
        return Step(begins, families=frozenset(name.family.key for name in token.names))
    return Step(begins, frozenset(map(str, token.names)))


def _rolls(dice: str) -> frozenset[str]:
    """The rolls with these dice; a question mark is any die."""
    needed = dice.replace("?", "")
    return frozenset(
        roll for roll in _ALL if all(roll.count(die) >= needed.count(die) for die in needed)
    )
