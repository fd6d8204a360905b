"""The steps that a regular expression takes for a text, the same on every machine.

The matcher walks the tree that `re` parses, and tries everything in the order of `re`. So it finds
the same matches, and its steps grow with the text as the work of `re` does.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from itertools import groupby, islice
from typing import Any

_NEW = sys.version_info >= (3, 11)
_PARSER: Any = importlib.import_module("re._parser" if _NEW else "sre_parse")
_COMPILER: Any = importlib.import_module("re._compiler" if _NEW else "sre_compile")
REPEATS = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}
_CHARACTERS = {"LITERAL", "NOT_LITERAL", "ANY", "IN"}

Groups = dict[int, tuple[int, int]]
Ends = Iterator[tuple[int, Groups]]  # the preferred end first
Part = Callable[[int, Groups], Ends]  # where a part of a pattern ends that begins at a place


class TooManyStepsError(Exception):
    """A matcher has taken more steps than its limit."""


def parse(pattern: re.Pattern[Any]) -> Any:
    """The tree of a pattern."""
    source, flags = pattern.pattern, pattern.flags
    if isinstance(source, bytes):
        source, flags = source.decode("latin-1"), flags & ~re.UNICODE
    return _PARSER.parse(source, flags)


class Matcher:
    """Matches a pattern, and counts in `steps` the characters and the choices that it tries."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self.begin(0)
        self._text: Any = ""
        self._state = parse(pattern).state
        self._whole = self._branch([parse(pattern)], pattern.flags)

    def begin(self, limit: int) -> None:
        """Count from 0, and raise TooManyStepsError at the limit."""
        self.steps, self._limit = 0, limit

    def match(self, text: Any, at: int = 0, *, whole: bool = False) -> int | None:
        """The end that `match` or `fullmatch` finds. Raises TooManyStepsError."""
        return self._first(text, at, len(text) if whole else at)

    def search(self, text: Any) -> Iterator[tuple[int, int]]:
        """The spans that `finditer` finds. Raises TooManyStepsError."""
        at = least = 0
        while at <= len(text):
            end = self._first(text, at, least)
            if end is None:
                at = least = at + 1
            else:
                yield at, end
                least = end + (end == at)  # no empty match follows another at the same place
                at = end

    def _first(self, text: Any, at: int, least: int) -> int | None:
        self._text = text
        self._count()
        return next((end for end, _ in self._whole(at, {}) if end >= least), None)

    def _count(self, steps: int = 1) -> None:
        self.steps += steps
        if self.steps > self._limit:
            raise TooManyStepsError

    def _sequence(self, nodes: list[Any], flags: int) -> Part:
        parts: list[Part] = []
        for is_fixed, group in groupby(nodes, lambda node: str(node[0]) in {*_CHARACTERS, "AT"}):
            if is_fixed:
                parts.append(self._fixed([*group], flags))
            else:
                parts += [self._node(op, arg, flags) for op, arg in group]
        if len(parts) == 1:
            return parts[0]

        def ends(at: int, groups: Groups, number: int = 0) -> Ends:
            if number == len(parts):
                yield at, groups
                return
            for end, kept in parts[number](at, groups):
                yield from ends(end, kept, number + 1)

        return ends

    def _fixed(self, nodes: list[Any], flags: int) -> Part:
        """Characters and anchors, which match in one way only."""
        match, steps = self._compiled(nodes, flags), len(nodes)

        def ends(at: int, groups: Groups) -> Ends:
            self._count(steps)
            if found := match(self._text, at):
                yield found.end(), groups

        return ends

    def _compiled(self, nodes: list[Any], flags: int) -> Any:
        return _COMPILER.compile(self._tree(*nodes), flags).match

    def _tree(self, *nodes: Any) -> Any:
        return _PARSER.SubPattern(self._state, [*nodes])

    def _node(self, op: Any, arg: Any, flags: int) -> Part:
        match str(op):
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT" as kind:
                low, high, item = arg
                if len(item) == 1 and str(item[0][0]) in _CHARACTERS:
                    return self._run(kind, low, high, item, flags)
                part = self._repeat(kind, low, high, self._sequence([*item], flags))
                return _once(part) if kind.startswith("POSS") else part
            case "SUBPATTERN":
                number, added, removed, item = arg
                part = self._sequence([*item], (flags | added) & ~removed)
                return _kept(number, part) if number else part
            case "ATOMIC_GROUP":
                return _once(self._sequence([*arg], flags))
            case "BRANCH":
                return self._branch(arg[1], flags)
            case "ASSERT" | "ASSERT_NOT" as kind:
                back = arg[1].getwidth()[0] if arg[0] < 0 else 0
                return self._look(self._sequence([*arg[1]], flags), back, kind == "ASSERT")
            case "GROUPREF":
                return self._again(arg)
        raise NotImplementedError(op)

    def _run(self, kind: str, low: int, high: int, item: Any, flags: int) -> Part:
        """A repeated character: a step for each one, then one for each end that is tried."""
        match = self._compiled([(_PARSER.MAX_REPEAT, (low, high, item))], flags)

        def ends(at: int, groups: Groups) -> Ends:
            self._count()
            if not (found := match(self._text, at)):
                return
            end = found.end()
            places = range(end, at + low - 1, -1)
            if kind == "MIN_REPEAT":
                places = places[::-1]
            else:
                self._count(end - at)
            for place in places[: 1 if kind.startswith("POSS") else None]:
                self._count()
                yield place, groups

        return ends

    def _repeat(self, kind: str, low: int, high: int, item: Part) -> Part:
        """A repeated part; after one that is empty there is no other."""
        is_lazy = kind == "MIN_REPEAT"

        def ends(at: int, groups: Groups) -> Ends:
            rounds: list[tuple[int, Groups, Ends]] = []
            new: tuple[int, Groups] | None = at, groups
            last = -1
            while new or rounds:
                if new:
                    at, groups = new
                    self._count()
                    if is_lazy and len(rounds) >= low:
                        yield at, groups
                    may = len(rounds) < low or (len(rounds) < high and at != last)
                    rounds.append((at, groups, item(at, groups) if may else iter(())))
                last, groups, more = rounds[-1]
                new = next(more, None)
                if not new:
                    rounds.pop()
                    if not is_lazy and len(rounds) >= low:
                        yield last, groups

        return ends

    def _branch(self, items: list[Any], flags: int) -> Part:
        parts = [self._sequence([*item], flags) for item in items]
        begins = [_begin([*item]) for item in items]
        checks = [
            self._compiled([(_PARSER.BRANCH, (None, [self._tree(node) for node in begin]))], flags)
            if begin
            else None
            for begin in begins
        ]
        possible: dict[Any, list[Part]] = {}

        def ends(at: int, groups: Groups) -> Ends:
            character = self._text[at : at + 1]
            if character not in possible:
                possible[character] = [
                    part
                    for part, check in zip(parts, checks, strict=True)
                    if check is None or check(character)
                ]
            self._count(1 + len(possible[character]))
            for part in possible[character]:
                yield from part(at, groups)

        return ends

    def _look(self, item: Part, back: int, wanted: bool) -> Part:
        def ends(at: int, groups: Groups) -> Ends:
            found = next(item(at - back, groups), None) if at >= back else None
            if bool(found) == wanted:
                yield at, found[1] if found else groups

        return ends

    def _again(self, number: int) -> Part:
        def ends(at: int, groups: Groups) -> Ends:
            if number in groups:
                start, end = groups[number]
                self._count(end - start + 1)
                if self._text.startswith(self._text[start:end], at):
                    yield at + end - start, groups

        return ends


def _once(part: Part) -> Part:
    """Only the preferred end of a part."""

    def ends(at: int, groups: Groups) -> Ends:
        yield from [*islice(part(at, groups), 1)]

    return ends


def _kept(number: int, part: Part) -> Part:
    def ends(at: int, groups: Groups) -> Ends:
        for end, kept in part(at, groups):
            yield end, {**kept, number: (at, end)}

    return ends


def _begin(nodes: list[Any]) -> list[Any]:
    """The characters with which a part begins, one of which it must have; empty if unknown."""
    if not nodes:
        return []
    op, arg = nodes[0]
    match str(op):
        case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
            return [nodes[0]]
        case "AT" | "ASSERT" | "ASSERT_NOT":
            return _begin(nodes[1:])
        case "SUBPATTERN" if not (arg[1] or arg[2]):
            return _begin([*arg[-1]])
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT" if arg[0]:
            return _begin([*arg[2]])
        case "BRANCH":
            begins = [_begin([*item]) for item in arg[1]]
            return [node for begin in begins for node in begin] if all(begins) else []
    return []
