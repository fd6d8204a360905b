"""Reads the cube decision of a copied analysis, by its shape.

    No double:     +0.744            1. No double            +0.297
    Double/Take:   +0.702 (-0.042)   2. Double, take         +0.205  (-0.092)
    Double/Pass:   +1.000 (+0.256)   3. Double, pass         +1.000  (+0.703)

Where the words are of an unknown language, the order decides, and that a pass is worth 1 point.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis, is_equity
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.copied.layout import LEVEL, NUMBER, SIGNED, SIGNS, level_of, to_number
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple

_WORD = r"[^\W\d_]"
# After an equity: the difference from the best, and of a rollout the margin of error.
_REST = (
    rf"(?P<percent>\s?%)?(?:[\s|]{{0,8}}\(\s?{NUMBER}\s?\))?"
    rf"(?:[\s|]{{0,8}}(?:\xb1|\+/-)[\d\s.,()+\-{SIGNS}]{{0,60}})?"
)
_PAIR = re.compile(
    rf"""(?P<double> {_WORD}{{2,16}} ) \s? [/,] \s? (?P<answer> {_WORD}{{2,16}} )
         [\s|]{{0,60}} (?: (?:eq\.?\s?)? [:\uff1a] [\s|]{{0,40}} (?P<number>{NUMBER})
                         | (?P<signed>{SIGNED}) ) {_REST}""",
    re.VERBOSE | re.IGNORECASE,
)
_NO_DOUBLE = re.compile(
    rf"""(?: (?:no|not|never|pas\ de|nicht|non|sin|ei)\s (?:re-?)? (?:d(?:ou|o|u)[bp]\w{{2,8}})
              | \u30ce\u30fc(?:\u30ea)?\u30c0\u30d6\u30eb )
         [\s|]{{0,60}} (?: (?:eq\.?\s?)? [:\uff1a] [\s|]{{0,40}} (?P<number>{NUMBER})
                         | (?P<signed>{SIGNED}) ) {_REST}""",
    re.VERBOSE | re.IGNORECASE,
)
# A line of any language, right before the first pair.
_ANY_LINE = re.compile(
    rf"""(?<![^\n|]) [\s|]{{0,40}} {_WORD} [^\n|:\uff1a=%]{{1,30}} [:\uff1a] [\s|]{{0,40}}
         (?P<number>{SIGNED}) {_REST} [\s|]{{0,40}} \Z""",
    re.VERBOSE,
)
_ANSWERS = {
    True: "take beaver prend prise beave annehmen nehmen toma tomar acepta aceptar prende accetta "
    "accept accepte ota \u30c6\u30a4\u30af \u30d3\u30fc\u30d0\u30fc",
    False: "pass drop passe ablehnen refuse rechaza rechazar pasa pasar rifiuta passa passo "
    "\u30d1\u30b9 \u043f\u0430\u0441",
}
_IS_TAKE = {word: is_take for is_take, words in _ANSWERS.items() for word in words.split()}
_TOGETHER_CHARS, _LEVEL_CHARS = 200, 1200
_ROUNDING = 0.0006  # of a pass, which is worth 1


class CopiedCube(NamedTuple):
    """A cube decision, from offset `start` of the text up to `end`; `answers` are its words."""

    start: int
    end: int
    analysis: CubeAnalysis
    answers: tuple[str, ...]


def find_cube(text: str, start: int, end: int) -> CopiedCube | None:
    """The first cube decision in a part of a text. Raises MalformedError."""
    pairs = list(_PAIR.finditer(text, start, end))
    for first, second in pairwise([*pairs, None]):
        if first is None:
            break
        together = [first]
        if second and second.start() - first.end() < _TOGETHER_CHARS:
            together.append(second)
        if len(together) == 2 or _is_take(first) is not None:
            return _read(text, start, end, together)
    return None


def _is_take(pair: re.Match[str]) -> bool | None:
    """Whether a pair is a take; None if its word is unknown."""
    return _IS_TAKE.get(pair["answer"].lower())


def _read(text: str, start: int, end: int, pairs: Sequence[re.Match[str]]) -> CopiedCube:
    take, passed = _take_and_pass(pairs)
    first, last = pairs[0].start(), pairs[-1].end()
    no_double = next(_no_doubles(text, max(start, first - _TOGETHER_CHARS), first, last, end), None)
    matches = [no_double, take, passed]
    if no_double is None or take is None:
        missing = "without a double" if no_double is None else "of double and take"
        raise MalformedError(f"the cube analysis lacks the equity {missing}")
    for match in filter(None, matches):
        label = " ".join(match[0].split())
        if match["percent"]:
            raise MalformedError(f"{quoted(label)} is a percentage, expected an equity")
        if not is_equity(_equity(match)):
            raise MalformedError(f"{quoted(label)} is no equity")
    if passed and abs(_equity(passed) - 1) > _ROUNDING:
        label = " ".join(passed[0].split())
        raise MalformedError(f"{quoted(label)}: expected +1.000, the value of a pass")
    places = [match.start() for match in matches if match]
    until = max(last, no_double.end())
    analysis = CubeAnalysis(
        CubeAct.NO_DOUBLE, _equity(no_double), _equity(take), _level(text, start, first)
    )
    answers = tuple(pair["answer"].lower() for pair in pairs)
    return CopiedCube(min(places), until, analysis, answers)


def _take_and_pass(
    pairs: Sequence[re.Match[str]],
) -> tuple[re.Match[str] | None, re.Match[str] | None]:
    """Sort the pairs by their words; where they are unknown, by value and order."""
    first, *rest = pairs
    if not rest:
        return (first, None) if _is_take(first) else (None, first)
    second = rest[0]
    turned = _is_take(first) is False or _is_take(second) is True
    if _is_take(first) is None and _is_take(second) is None:
        turned = _equity(first) == 1 != _equity(second)
    return (second, first) if turned else (first, second)


def _no_doubles(text: str, start: int, first: int, last: int, end: int) -> Iterator[re.Match[str]]:
    """The lines that may be the equity without a double, the likeliest first."""
    yield from reversed(list(_NO_DOUBLE.finditer(text, start, first)))
    yield from _NO_DOUBLE.finditer(text, first, min(end, last + _TOGETHER_CHARS))
    if match := _ANY_LINE.search(text, start, first):
        yield match


def _equity(match: re.Match[str]) -> float:
    fields = match.groupdict()
    return to_number(fields["number"] or fields.get("signed", ""))


def _level(text: str, start: int, first: int) -> str:
    """The last level before the equities: `Analyzed in XG Roller++`, `2-ply cubeless equity`."""
    levels = list(LEVEL.finditer(text, max(start, first - _LEVEL_CHARS), first))
    if not levels:
        return "XG"
    following = text[levels[-1].end() : levels[-1].end() + 20].lower()
    is_gnubg = following.lstrip().startswith("cube")
    return level_of(levels[-1][0], is_gnubg=is_gnubg)
