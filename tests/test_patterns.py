"""Every regular expression of the package takes time in proportion to its text.

A text repeats the parts that a pattern repeats, and ends with something that does not match. For
four times its length, the work may grow by a little more than four.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pytest

PACKAGE = Path(__file__).parents[1] / "gnubg_nactation"
_PARSER: Any = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
_MAKERS = {"compile", "match", "fullmatch", "search", "sub", "split", "findall", "finditer"}
_ANCHORED = {"match", "fullmatch"}
# Patterns that are given nothing that could hurt them.
_SAFE = {
    "_PROPERTY": "searches only text that it has matched place by place",
    "_NAMES": "reads the scripts of the package alone",
    "_ROW_START": "reads 20 characters",
    "_VALUE": "looks only through values that are whole",
}
_CANDIDATES = " \n\tax0A.:;*_-/\\'\"[](){}<>=+&#|~,!\x00\xe9"
_MANY = 50  # repetitions that count as any number
# Exponential growth shows early.
_TIMES = [*range(4, 32, 4), 48, 192, 768, 3072]
_QUICK = 0.01  # seconds of processor time; longer texts would take too many
_GROWTH = 9  # for four times the length: between 4, in proportion, and 16, with the square
# Patterns built from arguments.
_BY_HAND = {
    "writing/markup.py": [r"""\bstyle\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))"""],
    "exports/targets.py": [],  # `_pattern` is listed by its calls
    "archive/finding.py": ["-(?:(?:31|63)[^-]*|F)-(?:(?:31|63)[^-]*|F)(?=-)"],
    "nacbracs/book.py": [r"^(?:[^\s#]*-)?31 .*$"],
    "files/sheet.py": [
        r"Ann\s*(?::\s*)?([0-9]{1,9})\s*(?:[,;-]\s*)?Bob\s*(?::\s*)?([0-9]{1,9})",
    ],
}


class UsedPattern(NamedTuple):
    """A pattern, by which of its methods it is used, and its name if it has one."""

    pattern: re.Pattern[Any]
    uses: set[str]
    name: str = ""


def patterns_of(path: Path) -> Iterator[UsedPattern]:
    name = path.relative_to(PACKAGE).as_posix()
    tree = ast.parse(path.read_bytes())
    module = f"gnubg_nactation.{name[:-3].replace('/', '.')}"
    space = vars(importlib.import_module(module)) if "gnubg" not in source_imports(tree) else {}
    yield from (
        UsedPattern(re.compile(pattern, re.IGNORECASE), {"search"})
        for pattern in _BY_HAND.get(name, ())
    )
    uses: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=what), attr=how):
                uses.setdefault(what, set()).add(how)
    names = {
        id(node.value): node.targets[0] for node in ast.walk(tree) if isinstance(node, ast.Assign)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=how), args=[_, *_]):
                if how not in _MAKERS:
                    continue
            case ast.Call(func=ast.Name(id="_pattern"), args=[_]):
                how = "search"
            case _:
                continue
        flags = [argument for argument in node.args[1:] if how == "compile"]
        flags += [keyword.value for keyword in node.keywords if keyword.arg == "flags"]
        try:
            values = [
                eval(compile(ast.Expression(node_of_call), name, "eval"), {"re": re, **space})
                for node_of_call in (node.args[0], *flags)
            ]
        except NameError:
            assert name in _BY_HAND, f"{name}, line {node.lineno}: list it by hand"
            continue
        target = names.get(id(node))
        name_of_pattern = target.id if isinstance(target, ast.Name) and how == "compile" else ""
        yield UsedPattern(re.compile(*values), uses.get(name_of_pattern, {how}), name_of_pattern)


def source_imports(tree: ast.Module) -> set[str]:
    """The modules imported at the top; those of gnubg cannot be imported here."""
    return {
        alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names
    }


def fits(character: str, items: list[Any]) -> bool:
    """Whether a set of a pattern has a character."""
    code, category, negated = ord(character), False, False
    for op, arg in items:
        match str(op):
            case "NEGATE":
                negated = True
            case "LITERAL":
                category |= code == arg
            case "RANGE":
                category |= arg[0] <= code <= arg[1]
            case "CATEGORY":
                kind = {"DIGIT": str.isdigit, "SPACE": str.isspace, "WORD": str.isalnum}
                word = str(arg).rpartition("_")[2]
                category |= kind[word](character) != ("_NOT_" in str(arg))
    return category != negated


def samples(parsed: Any) -> list[str]:
    """Some texts that a part of a pattern matches, one with each of its choices."""
    parts: list[list[str]] = []
    for op, arg in parsed:
        match str(op):
            case "LITERAL":
                parts.append([chr(arg)])
            case "NOT_LITERAL":
                parts.append(["x" if arg != ord("x") else "y"])
            case "ANY":
                parts.append(["x", " "])
            case "IN":
                ends = [
                    chr(item[1][0] if str(item[0]) == "RANGE" else item[1])
                    for item in arg
                    if str(item[0]) in {"RANGE", "LITERAL"}
                ]
                parts.append([c for c in dict.fromkeys([*ends, *_CANDIDATES]) if fits(c, arg)][:12])
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                parts.append([sample * max(arg[0], 1) for sample in samples(arg[2])])
            case "SUBPATTERN":
                parts.append(samples(arg[-1]))
            case "ATOMIC_GROUP":
                parts.append(samples(arg))
            case "BRANCH":
                parts.append([sample for branch in arg[1] for sample in samples(branch)])
    first = "".join(part[0] for part in parts if part)
    varied = [
        "".join(choice if at == here else part[0] for here, part in enumerate(parts) if part)
        for at, choices in enumerate(parts)
        for choice in choices[1:]
    ]
    return [first, *varied]


def pumps(parsed: Any, head: str = "") -> Iterator[tuple[str, str]]:
    """The parts that a pattern repeats without limit, each with a text before it."""
    for op, arg in parsed:
        match str(op):
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                if arg[1] >= _MANY:
                    yield from ((head, sample) for sample in samples(arg[2]) if sample)
                yield from pumps(arg[2], head)
            case "SUBPATTERN":
                yield from pumps(arg[-1], head)
            case "ATOMIC_GROUP":
                yield from pumps(arg, head)
            case "ASSERT" | "ASSERT_NOT":
                yield from pumps(arg[1], head)
            case "BRANCH":
                yield from chain.from_iterable(pumps(branch, head) for branch in arg[1])
        head += samples([(op, arg)])[0]


def hostile(used: UsedPattern) -> Iterator[Callable[[int], str]]:
    """Texts with any number of repetitions that a pattern may have trouble with."""
    pattern = used.pattern
    source = (
        pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    )
    texts = set()
    flags = pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
    for before, pump in pumps(_PARSER.parse(source, flags)):
        for head in {before, ""}:
            for tail in ("", "\x00", "!\n"):
                for body in (pump, before + pump):
                    if (head, body, tail) not in texts:
                        texts.add((head, body, tail))
                        yield partial(_text, head, body, tail)


def _text(head: str, body: str, tail: str, times: int) -> str:
    return head + body * times + tail


def work(used: UsedPattern, text: str) -> float:
    """The seconds of the processor that a pattern needs for a text, the least of some."""
    subject: Any = text.encode("latin-1") if isinstance(used.pattern.pattern, bytes) else text
    seconds = float("inf")
    for _ in range(3):
        begin = time.process_time()
        for how in used.uses & _ANCHORED:
            getattr(used.pattern, how)(subject)
        if not used.uses <= _ANCHORED:
            for _ in used.pattern.finditer(subject):
                pass
        seconds = min(seconds, time.process_time() - begin)
        if seconds < _QUICK:
            break
    return seconds


def explosive(used: UsedPattern) -> str:
    """A text with which the work of a pattern grows faster than its length; empty if none does."""
    for text in hostile(used):
        last = 0.0
        for times in _TIMES:
            now = work(used, text(times))
            if now > max(_QUICK, _GROWTH * last):
                return text(9)
            last = now
    return ""


PATTERNS = [
    (path.relative_to(PACKAGE).as_posix(), pattern)
    for path in sorted(PACKAGE.rglob("*.py"))
    if "import re" in path.read_text(encoding="utf-8")
    for pattern in patterns_of(path)
]


TRIED = [(name, pattern) for name, pattern in PATTERNS if pattern.name not in _SAFE]


@pytest.mark.parametrize(
    "used",
    [pattern for _, pattern in TRIED],
    ids=[f"{name}-{pattern.name or at}" for at, (name, pattern) in enumerate(TRIED)],
)
def test_a_pattern_works_in_proportion(used: UsedPattern) -> None:
    assert explosive(used) == "", used.pattern.pattern


def test_all_patterns_are_found() -> None:
    assert len(PATTERNS) > 70
    assert _SAFE.keys() <= {pattern.name for _, pattern in PATTERNS}
    for path in PACKAGE.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        assert 'import_module("re")' not in source
        assert not re.search(r"from re import|import re as", source), path


@pytest.mark.parametrize(
    ("pattern", "how"),
    [
        (r"(?:\+\+|[<^>=+&])*", "fullmatch"),
        (r"(a|a)*b", "match"),
        (r"(?:[0-9a-f]+:?)+!", "match"),
        (r"\s*\s*\s*x", "match"),
        (r"[0-9]+\)", "sub"),
        (rb"([a-z]|[^0-9])*!", "match"),
    ],
)
def test_what_explodes_is_noticed(pattern: str | bytes, how: str) -> None:
    used = UsedPattern(re.compile(pattern), {how})
    # A busy machine blurs how steeply the time of one that is quadratic grows.
    assert any(explosive(used) for _ in range(5))
