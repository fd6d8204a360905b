"""Change the rules one token at a time, and see whether a test notices.

Each mutant is one change of a module of ROOMS or of the readings of `sequences`: a comparison, an
operator, a number, a letter of a string, a condition, the order of a tuple, a statement left out.
It runs in its own process against the tests of its room, up to the first failure. The survivors are
printed. scripts/equivalent_mutants.tsv lists those that change nothing, with the reason. Tests that
need gnubg are left out.

    python scripts/mutate.py --sample 200                    # of all modules
    python scripts/mutate.py --only _anchor language/plays.py
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import resource
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_loader
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "gnubg_nactation"
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.tsv")
_TUTORIAL = [f"tests/tutorial/test_{name}.py" for name in ("areal", "styles", "sequences")]
_READING = ["tests/sequences", "tests/tutorial/test_assumption.py", _TUTORIAL[2]]
# The tests of each room or module, the fastest first. The laws of tests/language are left out: they
# are slow, and many wrong rules pass them.
TESTS = {
    "language": [*_TUTORIAL, "tests/language/test_against_reference.py"],
    "backgammon": ["tests/backgammon"],
    "sequences": _READING,
    "files": ["tests/files"],
    "nacbracs": ["tests/nacbracs"],
    "archive": [f"tests/archive/test_{name}.py" for name in ("nodes", "rows", "replies", "leaks")],
    "language/alphabet": ["tests/cli/test_alphabet.py", *_TUTORIAL],
    "language/days": ["tests/language/test_days.py"],
    "language/dialects": ["tests/language/test_dialects.py"],
    "language/explain": ["tests/language/test_explain.py"],
    "language/nactation": ["tests/writing/test_spelling.py", *_TUTORIAL],
    "language/numerals": ["tests/language/test_numerals.py", _TUTORIAL[1], *_READING[1:]],
    "language/plausibility": ["tests/language/test_plausibility.py", *_READING],
    "language/lists": ["tests/language/test_lists.py", "tests/tutorial/test_agreement.py"],
    "language/plays": [
        "tests/language/test_preference.py",
        "tests/tutorial/test_agreement.py",
        *_TUTORIAL,
        "tests/language/test_against_reference.py",
    ],
    "language/ranking_reasons": ["tests/language/test_explain.py"],
    "language/why_not": ["tests/language/test_why_not.py", "tests/language/test_explain.py"],
}
ROOMS = ("language", "backgammon", "nacbracs", "archive")
MODULES = [
    *(path for room in ROOMS for path in (ROOT / PACKAGE / room).glob("*.py")),
    *(ROOT / PACKAGE / "sequences" / f"{name}.py" for name in ("assumption", "tiers", "tokens")),
]
_PAIRS = "Lt LtE, Gt GtE, Eq NotEq, In NotIn, Is IsNot, Add Sub, Mult FloorDiv, BitAnd BitOr"
_SWAPS = {
    getattr(ast, first): getattr(ast, second)
    for pair in (_PAIRS + ", LShift RShift, And Or").split(", ")
    for first, second in (pair.split(), reversed(pair.split()))
} | {ast.BitXor: ast.BitOr, ast.Mod: ast.FloorDiv}
_CALLS = {"any": "all", "all": "any", "min": "max", "max": "min"}


class Mutant(NamedTuple):
    """One change of a module, by its place in `changes`, in a function or class or at the top."""

    module: Path
    number: int
    line: int
    where: str
    change: str

    def __str__(self) -> str:
        return f"{self.module.relative_to(ROOT / PACKAGE)}\t{self.where}\t{self.change}"


def variants(node: Any, parent: ast.AST, top: bool) -> Iterator[Any]:
    """The replacements of a node; parts of tuples are left out at the top level only."""
    match node:
        case ast.operator() | ast.cmpop() | ast.boolop() if type(node) in _SWAPS:
            yield _SWAPS[type(node)]()
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            # Changing a large number, a weight or a limit, by 1 has little effect.
            step = 1 if abs(value) < 30 else value
            yield from (ast.Constant(value + step), ast.Constant(value - step))
        case ast.Constant(value=str(value)) if value and " " not in value:
            yield from map(ast.Constant, dict.fromkeys((value[1:], value[:-1])))
        case ast.Tuple(elts=parts, ctx=ast.Load()) | ast.List(elts=parts, ctx=ast.Load()):
            for at in range(len(parts) - 1):
                swapped = [*parts[:at], parts[at + 1], parts[at], *parts[at + 2 :]]
                yield type(node)(swapped, ast.Load())
            for at in range(len(parts)) if top and len(parts) > 1 else ():
                yield type(node)([*parts[:at], *parts[at + 1 :]], ast.Load())
        case ast.Name(id=name, ctx=ast.Load()) if name in _CALLS:
            yield ast.Name(_CALLS[name], ast.Load())
        case ast.Return(value=ast.expr() as value) if getattr(value, "value", value):
            yield ast.Return(None)  # equivalent to returning nothing or False
        case ast.AugAssign() | ast.Expr(value=ast.Call()) | ast.Break() | ast.Continue():
            yield ast.Pass()
    if isinstance(parent, (ast.If, ast.While, ast.IfExp)) and node is parent.test:
        yield ast.UnaryOp(ast.Not(), node)
    if isinstance(parent, ast.comprehension) and node in parent.ifs:
        yield ast.Constant(True)


def changes(parent: ast.AST, where: str = "", line: int = 1) -> Iterator[tuple[int, str, str]]:
    """Make each change of a tree, yield its line, place and text, and undo it."""
    for field, children in ast.iter_fields(parent):
        if field in {"annotation", "returns", "decorator_list"} or isinstance(
            parent, ast.JoinedStr
        ):
            continue
        for at, node in enumerate(children if isinstance(children, list) else [children]):
            if not isinstance(node, ast.AST) or _is_for_readers(node, parent):
                continue
            here = getattr(node, "lineno", line)
            around = isinstance(parent, (ast.expr, ast.comprehension, ast.keyword))
            context = parent if around and len(ast.unparse(parent)) < 100 else node
            original = ast.unparse(context)
            for new in variants(node, parent, not where):
                value = new if children is node else [*children[:at], new, *children[at + 1 :]]
                setattr(parent, field, value)
                after = ast.unparse(context if context is parent else new)
                if after != original:  # not so if two equal neighbours are swapped
                    yield here, where or "-", _difference(original, after)
                setattr(parent, field, children)
            inner = f"{where}.{node.name}" if isinstance(node, _DEFINITIONS) else where
            yield from changes(node, inner.strip("."), here)


def _difference(original: str, after: str) -> str:
    """The change on one line, without the equal parts of long texts."""
    if max(len(original), len(after)) > 100:
        start = max(_common(original, after) - 30, 0)
        end = max(_common(original[::-1], after[::-1]) - 30, 0)
        original, after = (f"...{text[start : len(text) - end]}..." for text in (original, after))
    return " ".join(f"{original} -> {after}".split())


def _common(first: str, second: str) -> int:
    pairs = enumerate(zip(first, second, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(first), len(second)))


_DEFINITIONS = (ast.FunctionDef, ast.ClassDef)


def _is_for_readers(node: ast.AST, parent: ast.AST) -> bool:
    """Whether a node is a docstring, the list of public names, or a type."""
    match node:
        case (
            ast.Assign(targets=[ast.Name(id="__all__" | "__slots__")])
            | ast.Import()
            | ast.ImportFrom()
        ):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Subscript(value=ast.Name(id=name)) if name in {"Callable", "Mapping", "tuple"}:
            return True
    return isinstance(parent, ast.Expr) and isinstance(node, ast.Constant)


def mutants(module: Path) -> list[Mutant]:
    """All mutants of a module."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    return [Mutant(module, at, *change) for at, change in enumerate(changes(tree))]


class _Mutated(SourceFileLoader):
    """Loads a module with a change."""

    def __init__(self, name: str, mutant: Mutant) -> None:
        super().__init__(name, str(mutant.module))
        self._number = mutant.number

    def get_code(self, fullname: str) -> CodeType | None:  # noqa: ARG002 (of the importer)
        tree = ast.parse(Path(self.path).read_text(encoding="utf-8"))
        for number, _ in enumerate(changes(tree)):
            if number == self._number:
                return compile(ast.fix_missing_locations(tree), self.path, "exec")
        return None


class _Finder:
    """Finds the mutated module before any other finder does."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant
        self._name = ".".join(mutant.module.relative_to(ROOT).with_suffix("").parts)

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name != self._name:
            return None
        return spec_from_loader(name, _Mutated(name, self._mutant), origin=str(self._mutant.module))


def run_tests(tests: list[str], mutant: Mutant | None, seconds: int = 600) -> tuple[bool, float]:
    """Whether the tests pass, and the CPU seconds that they took; too many are a failure."""
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))  # wasmtime reserves more
        if mutant:
            sys.meta_path.insert(0, _Finder(mutant))
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(quiet, stream)
        # Neither plugins nor settings of the project, which take longer than most tests.
        options = ["-x", "-q", "-c", os.devnull, "--assert=plain", f"--rootdir={ROOT}"]
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        sys.path.insert(0, str(ROOT))
        os._exit(pytest.main([*options, "-p", "no:cacheprovider", *tests]))
    _, status, used = os.wait4(child, 0)
    return status == 0, used.ru_utime + used.ru_stime


def tests_of(module: Path) -> list[str]:
    """The tests that run against a module's mutants."""
    name = module.relative_to(ROOT / PACKAGE).with_suffix("").as_posix()
    return TESTS.get(name) or TESTS[name.partition("/")[0]]


def main() -> None:
    """Run the mutants of the options, and print the survivors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("modules", nargs="*", help="such as language/plays.py; else all")
    parser.add_argument("--sample", type=int, metavar="N", help="only N of the mutants, by chance")
    parser.add_argument("--seed", type=int, default=1, help="which ones (1)")
    parser.add_argument("--only", default="", metavar="TEXT", help="whose description has the text")
    parser.add_argument("--list", action="store_true", help="only list the changes")
    options = parser.parse_args()
    modules = [ROOT / PACKAGE / name for name in options.modules] or MODULES
    all_mutants = [mutant for module in modules for mutant in mutants(module)]
    chosen = [mutant for mutant in all_mutants if options.only in str(mutant)]
    if options.sample and options.sample < len(chosen):
        places = sorted(random.Random(options.seed).sample(range(len(chosen)), options.sample))
        chosen = [chosen[at] for at in places]
    if options.list:
        print(*chosen, sep="\n")
        return
    os.environ["NACTATION_GNUBG"] = "none"  # skips the tests of gnubg, which are slow
    os.environ.pop("CI", None)
    report(chosen)


def report(chosen: list[Mutant]) -> None:
    """Run the mutants and print the survivors, then the counts of each module."""
    lines = EQUIVALENT.read_text(encoding="utf-8").splitlines()
    equivalent = {tuple(line.split("\t")[:3]) for line in lines}
    limits: dict[str, int] = {}
    counts: dict[Path, Counter[str]] = {}
    for mutant in chosen:
        tests = tests_of(mutant.module)
        if str(tests) not in limits:
            passed, seconds = run_tests(tests, None)
            if not passed:
                sys.exit(f"the tests fail without any change: {' '.join(tests)}")
            limits[str(tests)] = round(3 * seconds) + 10
        if tuple(str(mutant).split("\t")) in equivalent:
            verdict = "equivalent"
        else:
            passed, _ = run_tests(tests, mutant, limits[str(tests)])
            verdict = "survived" if passed else "killed"
        if verdict == "survived":
            print(f"{mutant.line}\t{mutant}", flush=True)
        counts.setdefault(mutant.module, Counter())[verdict] += 1
    print(f"{'module':32}{'killed':>8}{'survived':>10}{'equivalent':>12}")
    for module, count in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
        name = str(module).removeprefix(f"{ROOT / PACKAGE}/")
        print(f"{name:32}{count['killed']:8}{count['survived']:10}{count['equivalent']:12}")


if __name__ == "__main__":
    main()
