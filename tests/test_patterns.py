"""Every regular expression of the package takes time in proportion to its text.

A text repeats the parts that a pattern repeats, and ends with something that does not match. The
work is counted in steps of a matcher that tries what `re` tries, and finds the same.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from gnubg_nactation.files.unreadable import _KINDS
from tests.pattern_steps import Matcher, TooManyStepsError, parse

PACKAGE = Path(__file__).parents[1] / "gnubg_nactation"
_MAKERS = {"compile", "match", "fullmatch", "search", "sub", "split", "findall", "finditer"}
_ANCHORED = {"match", "fullmatch"}
# Patterns that explode, but are given nothing that could hurt them.
_SAFE = {
    ("files/sgf.py", "_PROPERTY"): "searches only text that it has matched place by place",
    ("files/sgf.py", "_VALUE"): "looks only through values that are whole",
    ("files/report.py", "_SCORE"): "reads 500 characters",
    ("files/report.py", "_CUBE_OWNED"): "reads 500 characters",
    ("files/report.py", "_CHANCES"): "reads 500 characters",
    ("web/bundling.py", "_NAMES"): "reads the scripts of the package alone",
    ("prose/claims.py", "_ROW_START"): "reads 20 characters",
}
_CANDIDATES = " \n\tax0A.:;*_-/\\'\"[](){}<>=+&#|~,!\x00\xe9"
_MANY = 50  # repetitions that count as any number
# Texts repeat a part as often, twice and three times. In proportion, both additions take as many
# steps. Parts that a pattern repeats a limited number of times show it in long texts only.
_TIMES = (8, 100, 300)
_MOST = 1000  # steps for a character
# Patterns built from arguments.
_BY_HAND = {
    "writing/markup.py": [r"""\bstyle\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))"""],
    "exports/targets.py": [],  # `_pattern` is listed by its calls
    "archive/finding.py": ["-(?:(?:31|63)[^-]*|F)-(?:(?:31|63)[^-]*|F)(?=-)"],
    "nacbracs/book.py": [r"^(?:[^\s#]*-)?31 .*$"],
    "files/report.py": [r"\S.{0,30}\s{3,}Ann\s+Ben\s*"],
    "files/unreadable.py": [kind.pattern.pattern.decode("latin-1") for kind in _KINDS],
    "files/sheet.py": [
        r"Ann\s*(?::\s*)?([0-9]{1,9})\s*(?:[,;-]\s*)?Bob\s*(?::\s*)?([0-9]{1,9})",
    ],
}


class UsedPattern(NamedTuple):
    """A pattern, by which of its methods it is used, and its name if it has one."""

    pattern: re.Pattern[Any]
    uses: set[str]
    name: str = ""


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def patterns_of(path: Path) -> Iterator[UsedPattern]:
    name = _name(path)
    tree = ast.parse(path.read_bytes())
    nodes = [*ast.walk(tree)]
    module = f"gnubg_nactation.{name[:-3].replace('/', '.')}"
    space = vars(importlib.import_module(module)) if "gnubg" not in source_imports(tree) else {}
    yield from (
        UsedPattern(re.compile(pattern, re.IGNORECASE), {"search"})
        for pattern in _BY_HAND.get(name, ())
    )
    uses: dict[str, set[str]] = {}
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=what), attr=how):
                uses.setdefault(what, set()).add(how)
    names = {id(node.value): node.targets[0] for node in nodes if isinstance(node, ast.Assign)}
    for node in nodes:
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
    texts = {
        (head, body, tail): None
        for before, pump in pumps(parse(used.pattern))
        for head, body in ((before, pump), ("", pump), ("", before + pump))
        for tail in ("", "\x00", "!\n")
    }
    for parts in texts:
        yield partial(_text, *parts)


def _text(head: str, body: str, tail: str, times: int) -> str:
    return head + body * times + tail


def work(used: UsedPattern, matcher: Matcher, text: str) -> int:
    """The steps of a pattern for a text. Raises TooManyStepsError."""
    subject: Any = text.encode("latin-1") if isinstance(used.pattern.pattern, bytes) else text
    matcher.begin(_MOST * (len(text) + 1))
    for how in used.uses & _ANCHORED:
        end = matcher.match(subject, whole=how == "fullmatch")
        found = getattr(used.pattern, how)(subject)
        assert end == (found.end() if found else None), (used.pattern, text)
    if not used.uses <= _ANCHORED:
        spans = [*matcher.search(subject)]
        assert spans == [found.span() for found in used.pattern.finditer(subject)], used.pattern
    return matcher.steps


def explosive(used: UsedPattern, sizes: Sequence[int] = _TIMES) -> str:
    """A text with which the work of a pattern grows faster than its length; empty if none does."""
    matcher = Matcher(used.pattern)
    bent = (
        text(9)
        for text in hostile(used)
        if all(_bends(used, matcher, text, times) for times in sizes)
    )
    return next(bent, "")


def _bends(used: UsedPattern, matcher: Matcher, text: Callable[[int], str], times: int) -> bool:
    """Whether the third addition of so many repetitions takes more steps than the second."""
    try:
        once, twice, thrice = (work(used, matcher, text(number * times)) for number in (1, 2, 3))
    except TooManyStepsError:
        return True
    return (thrice - twice) - (twice - once) > thrice / 100


FILES = [
    path
    for path in sorted(PACKAGE.rglob("*.py"))
    if re.search(r"^import re$|_pattern", path.read_text(encoding="utf-8"), re.MULTILINE)
]


@pytest.mark.thorough
@pytest.mark.parametrize("path", FILES, ids=_name)
def test_patterns_work_in_proportion(path: Path) -> None:
    tried = [used for used in patterns_of(path) if (_name(path), used.name) not in _SAFE]
    texts = {used.pattern.pattern: explosive(used) for used in tried}
    assert not {pattern: text for pattern, text in texts.items() if text}


def test_all_patterns_are_found() -> None:
    patterns = [(_name(path), used) for path in FILES for used in patterns_of(path)]
    assert len(patterns) > 70
    safe = {(name, used.name): used for name, used in patterns if (name, used.name) in _SAFE}
    assert safe.keys() == _SAFE.keys()
    assert all(explosive(used, _TIMES[:1]) for used in safe.values())
    for path in PACKAGE.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        assert 'import_module("re")' not in source
        assert not re.search(r"from re import|import re as", source), path


@pytest.mark.thorough
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
    assert explosive(UsedPattern(re.compile(pattern), {how}))


@pytest.mark.parametrize(
    "source",
    [
        *(r"a*b|ab*?", r"(?:a?)*?b", r"(a|ab)(c|bcd)?(d*)", r"(?:a{2,3})+", r"(?:a?b??){2,}"),
        *(r"(?<=ab)a|(?<!a)b", r"(?=(a+))\1b", r"(?!ab)[ab]", r"\b|a+", r"(?i:A)b$", r"^a|b\Z"),
        *(() if sys.version_info < (3, 11) else (r"a*+b|a", r"(?>a|ab)b", r"(?:ab)*+a")),
    ],
)
def test_steps_lead_where_the_pattern_leads(source: str) -> None:
    used = UsedPattern(re.compile(source), {"match", "fullmatch", "search"})
    matcher = Matcher(used.pattern)
    for length in range(6):
        for text in product("ab c", repeat=length):
            assert work(used, matcher, "".join(text))
