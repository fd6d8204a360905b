"""Promises of docs/security.md that no other test has: work in proportion, no network, no shell."""

from __future__ import annotations

import ast
import cProfile
from collections.abc import Callable

import pytest

from tests.cli.running import run
from tests.test_house import MODULES, imported, name_of

_SIZE = 3_000  # bytes; enough to show quadratic time
_GROWTH = 5.5  # for four times as many: 4 in proportion, 16 with the square
_HEAD = b" 3 point match\n\n Game 1\n Ann : 0    Ben : 0\n"
_NETWORK = {"asyncio", "ftplib", "http", "smtplib", "socket", "socketserver", "ssl", "urllib"}


def calls(action: Callable[[], object]) -> int:
    """How many functions are called meanwhile, a measure of work that no clock has a say in."""
    profile = cProfile.Profile()
    profile.runcall(action)
    return sum(entry.callcount for entry in profile.getstats())


FILES: dict[str, tuple[bytes, bytes, bytes]] = {
    "prose": (b"", b"The quick brown fox jumps over 31 dogs. ", b""),
    "stray lines": (_HEAD, b"The quick brown fox\n", b""),
    "unreadable plays": (_HEAD, b"  1) 31: xyz  52: abc\n", b""),
    "plays": (_HEAD, b"  1) 31: 8/5 6/5  52: 13/8 24/22\n", b""),
    "cells": (_HEAD + b" 1)", b" 31: ", b""),
    "row numbers": (_HEAD, b" 1) 31:", b""),
    "names": (_HEAD[:25], b"a : 0 ", b"\n"),
    "boards": (_HEAD + b" 1) 31: ", b"Illegal play (", b""),
    "games": (b" 3 point match\n", b" Game 1\n A : 0 B : 0\n", b""),
    "matches": (b"", b" 3 point match\n Game 1\n A : 0 B : 0\n", b""),
    "comments": (_HEAD, b"; a\n", b""),
    "nodes": (b"(;GM[6]", b";W[31hfed]", b")"),
    "properties": (b"(;GM[6]", b"A[]", b")"),
    "values": (b"(;GM[6]C", b"[a]", b")"),
    "escapes": (b"(;GM[6]C[", b"\\]", b"])"),
    "branches": (b"(;GM[6]", b"(;)", b")"),
    "nesting": (b"(;GM[6]", b"(;", b""),
    "trees": (b"", b"(;GM[6])", b""),
}


@pytest.mark.parametrize("kind", FILES)
def test_the_work_grows_with_the_file(kind: str) -> None:
    head, body, tail = FILES[kind]

    def annotate(size: int) -> Callable[[], object]:
        data = head + body * (size // len(body)) + tail
        return lambda: run("annotate", "-", stdin=data)

    annotate(100)()  # imports and fills caches
    assert calls(annotate(4 * _SIZE)) < _GROWTH * calls(annotate(_SIZE))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "text",
    [
        "31P-",
        "[P]",
        "31[P @87] ",
        "<b>",
        "[b]",
        "*a",
        "_",
        "`",
        "``a`",
        "<!--",
        "\n\n",
        "&#1;",
        "]1*",
        " 63: 24/15 31: 8/5 6/5 ",
        "(8/5 6/5)",
        " 24/15",
    ],
)
def test_the_work_grows_with_the_sequence(text: str) -> None:
    def decode(size: int) -> Callable[[], object]:
        data = b"31" + text.encode() * (size // len(text))
        return lambda: run("decode", "--engine", "none", "-", stdin=data)

    decode(100)()
    assert calls(decode(4 * _SIZE)) < _GROWTH * calls(decode(_SIZE))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "text",
    [
        "21S 41S 51S. ",
        "54S 63: 24/15 31P. ",
        "54S-63R-31: P is 8/5 6/5, H (Hit) = 13/10*/9. ",
        "P = 8/5 6/5, ",
        "24/15 ",
        "After 61P, 63R or 63S? ",
        "I opened 54S, he rolled 63R and then 31P. ",
        "31P, he rolled ",
        "  21 31 65\n43D S P R\n61P S P D\n",
        "| | 21 | 31 |\n|-|-|-|\n| 43D | S | C/P |\n",
        "x 43Z 62S\n42 P P\n61 P P\n",
        " 21 31\n",
        "43D S P\n",
        "|",
        "43D-xx-",
        "*-63R ",
        "#4: 43Z-32. (same as #4) [H X50] ",
        "[P @87] and 54S-63R-31 ",
        "with 31 [P @87 H94] ",
        "63R/S/",
        "54S-63R/63S/63Z ",
        "54S-31P-62? 62R 62R 62R ",
        "I played 64: 24/14. ",
        "A 24/20(2) 6/2*(2)\nB 24/16 6/2*(2)\n",
    ],
)
def test_the_work_grows_with_the_post(text: str) -> None:
    def read(size: int) -> Callable[[], object]:
        data = text.encode() * (size // len(text))
        return lambda: run("read", "--engine", "none", "-", stdin=data)

    read(100)()
    assert calls(read(4 * _SIZE)) < _GROWTH * calls(read(_SIZE))


def test_nothing_goes_over_the_network() -> None:
    """Only the server of the playground opens a socket, on this machine alone."""
    users = [name_of(path) for path in MODULES if _NETWORK & set(imported(path))]
    assert users == ["gnubg_nactation/tasks/site.py"]


def test_nothing_is_given_to_a_shell() -> None:
    """Nor to `eval`; `exec` makes the methods of our own values."""
    users = {
        name_of(path)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and ({"shell"} & {word.arg for word in node.keywords} or _name(node.func) in _RUNNING)
    }
    assert users == {"gnubg_nactation/values.py"}


_RUNNING = {"eval", "exec", "system", "popen", "getoutput", "getstatusoutput"}


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
