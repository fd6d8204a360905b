"""Bundle the modules of a page, and those that they import, into one script."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import cache

from gnubg_nactation.system.resources import package_text
from gnubg_nactation.values import NamedTuple

_TAG = re.compile(r'<script type="module" src="([\w-]+\.js)"></script>\n')
# These begin with a line end, not with ^, so that the search goes from line to line.
_IMPORT = re.compile(
    r"\nimport (?:\{\s*(\w+(?:,\s*\w+)*,?)\s*\} from )?'(\.{1,2}/[\w./-]+\.js)';(?=\n)"
)
_EXPORT = re.compile(r"\nexport (?=(?:const|let|class|function|async function) )")
_NAMES = re.compile(
    r"\n(export )?(?:const|let|class|function|async function) (\w+|\{[^=]*?\}|\[[^=]*?\])"
)
_UNSUPPORTED = re.compile(r"\n((?:import|export)\b.*)")


class _Module(NamedTuple):
    """A script without comments and imports; `imports` are paths with names."""

    code: str
    imports: tuple[tuple[str, frozenset[str]], ...]
    names: frozenset[str]
    exports: frozenset[str]


def scripts_of(html: str) -> tuple[str, list[str]]:
    """A page without its script tags, and the names of these scripts in order."""
    return _TAG.sub("", html), _TAG.findall(html)


def bundle(folder: str, names: Iterable[str]) -> str:
    """The modules of a folder as one script, each after those it imports.

    All share one scope. Raises ValueError if two modules declare the same name, for an import of a
    name that is not exported, for circular imports, and for forms of import and export other than
    lists of names and exported declarations.
    """
    return _bundle(folder, tuple(names))


@cache
def _bundle(folder: str, names: tuple[str, ...]) -> str:
    modules: dict[str, _Module] = {}
    for name in names:
        _collect(posixpath.join(folder, name), modules, ())
    _check_names(modules)
    code = "\n".join(module.code for module in modules.values() if module.code)
    return f"'use strict';(async () => {{\n{code}\n}})();"


def _collect(path: str, modules: dict[str, _Module], above: tuple[str, ...]) -> None:
    """Add a module after those that it imports; `above` are its importers."""
    if path in above:
        raise ValueError(
            f"{path}: imports itself by {' and '.join(above[above.index(path) + 1 :])}"
        )
    if path in modules:
        return
    module = _read_module(path, package_text(path))
    for source, names in module.imports:
        _collect(source, modules, (*above, path))
        if missing := names - modules[source].exports:
            raise ValueError(f"{path}: {source} exports no {', '.join(sorted(missing))}")
    modules[path] = module


def _without_comments(source: str) -> str:
    """The source without documentation comments."""
    code, *comments = source.split("/**")
    return code + "".join([part.partition("*/")[2].removeprefix(" ") for part in comments])


def _read_module(path: str, source: str) -> _Module:
    source = f"\n{_without_comments(source)}\n"
    imports = tuple(
        (
            posixpath.normpath(posixpath.join(posixpath.dirname(path), match[2])),
            frozenset(re.findall(r"\w+", match[1] or "")),
        )
        for match in _IMPORT.finditer(source)
    )
    source = _IMPORT.sub("", source)
    declared = [(match[1], name) for match in _NAMES.finditer(source) for name in _bound(match[2])]
    exports = frozenset(name for is_exported, name in declared if is_exported)
    source = _EXPORT.sub("\n", source)
    if statement := _UNSUPPORTED.search(source):
        raise ValueError(f"{path}: cannot bundle: {statement[1]}")
    lines = (line.strip() for line in source.splitlines())
    code = "\n".join(line for line in lines if line and not line.startswith("//"))
    return _Module(code, imports, frozenset(name for _, name in declared), exports)


def _bound(pattern: str) -> Iterator[str]:
    """The names that a declaration binds, perhaps by a pattern such as `{ a, b: c }`."""
    for part in pattern.strip("{}[]").split(","):
        yield from re.findall(r"\w+", part)[-1:]


def _check_names(modules: dict[str, _Module]) -> None:
    places: dict[str, str] = {}
    for path, module in modules.items():
        for name in sorted(module.names):
            if name in places:
                raise ValueError(f"{path}: {name} is declared in {places[name]}, too")
            places[name] = path
