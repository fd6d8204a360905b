"""The grammar of SGF (FF[4]) on bytes, without the meaning of properties.

To save memory a node only stores its place in the source and reads its properties on each access.
A change is an `Edit` of the source; all other bytes stay the same. The parser skips text before,
between and after trees, byte order marks, any line ends, and lower-case letters in property
names (FF[3]).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.values import NamedTuple, dataclass


class Property(NamedTuple):
    """A property; `values` are the bytes between the brackets, still escaped.

    In the source it goes from `start` (its name) to `end` (after the last bracket).
    """

    name: bytes
    values: tuple[bytes, ...]
    start: int
    end: int


class Node(NamedTuple):
    """A node: from `start` (its semicolon) to `end` (after its last property) of the source."""

    source: bytes
    start: int
    end: int

    @property
    def properties(self) -> tuple[Property, ...]:
        """The properties in the order of the source."""
        values = _VALUE.findall
        return tuple(
            [
                Property(
                    name.translate(None, _LOWER), tuple(values(self.source, at, end)), start, end
                )
                for name, start, at, end in _places(self)
            ]
        )


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A game tree: its nodes in a row, then its branches, the main branch first."""

    nodes: tuple[Node, ...]
    branches: tuple[Tree, ...]


class Edit(NamedTuple):
    """Replaces the bytes from `start` to `end` of a source by `text`."""

    start: int
    end: int
    text: bytes


_START = re.compile(rb"\(\s*;")
_SIGN = re.compile(rb"\s*([();]?)")
_VALUE = re.compile(rb"\[([^\]\\]*(?:\\.[^\]\\]*)*)\]", re.DOTALL)
# With up to 1,000 values, to limit memory; further values match again without the name.
_PROPERTY = re.compile(
    rb"\s*(?:([A-Za-z]+)\s*)?"
    rb"(\[[^\]\\]*(?:\\.[^\]\\]*)*\](?:\s*\[[^\]\\]*(?:\\.[^\]\\]*)*\]){0,999})",
    re.DOTALL,
)
_NAME = re.compile(rb"\s*([A-Za-z]+)\s*")
_LINE_END = re.compile(rb"\r\n|\n\r|\n|\r")
_ESCAPED = re.compile(rb"\\(\r\n|\n\r|\n|\r|.)", re.DOTALL)
_LOWER = bytes(range(ord("a"), ord("z") + 1))


def parse(source: bytes) -> tuple[Tree, ...]:
    """Parse the game trees of an SGF collection (at least one) in linear time.

    Raises MalformedError with the byte and line of the error, both counted from 1.
    """
    trees = []
    at = 0
    while match := _START.search(source, at):
        tree, at = _parse_tree(source, match.start())
        trees.append(tree)
    if not trees:
        raise MalformedError("not SGF: no '(;' in the file")
    return tuple(trees)


def main_line(tree: Tree) -> tuple[Node, ...]:
    """Return the nodes of the tree, of its first branch, of that one's first branch and so on."""
    return tuple([node for part in main_trees(tree) for node in part.nodes])


def main_trees(tree: Tree) -> Iterator[Tree]:
    """Yield the tree, its first branch, that one's first branch and so on."""
    yield tree
    while tree.branches:
        tree = tree.branches[0]
        yield tree


def find_property(node: Node, name: bytes) -> Property | None:
    """Return the last property with this name in the node, or None."""
    return next((entry for entry in reversed(node.properties) if entry.name == name), None)


def escape(text: bytes) -> bytes:
    """Escape a text for use between brackets."""
    return text.replace(b"\\", b"\\\\").replace(b"]", b"\\]")


def unescape(raw: bytes) -> bytes:
    r"""Return the text of a value between brackets, by the rules of FF[4] for Text.

    Every line end becomes `\n`, an escaped one is removed, other white space becomes a blank, and
    any other character loses the backslash before it.
    """
    if raw.isalnum():
        return raw
    plain = _ESCAPED.sub(lambda match: b"" if match[1] in _LINE_ENDS else match[0], raw)
    plain = _LINE_END.sub(b"\n", plain).translate(_BLANKS)
    return _ESCAPED.sub(rb"\1", plain)


def format_property(name: bytes, values: Iterable[bytes]) -> bytes:
    """Format a property as SGF; `values` must be escaped already."""
    return name + b"".join([b"[%b]" % value for value in values])


def apply_edits(source: bytes, edits: Iterable[Edit]) -> bytes:
    """Return the source with all edits applied; they must not overlap."""
    pieces: list[bytes] = []
    at = 0
    for start, end, text in sorted(edits):
        pieces += (source[at:start], text)
        at = end
    pieces.append(source[at:])
    return b"".join(pieces)


def line_starts(source: bytes) -> list[int]:
    """List where lines begin: `bisect_right(line_starts(source), byte)` is the line, from 1."""
    return [0, *(match.end() for match in _LINE_END.finditer(source))]


def _places(node: Node) -> Iterator[tuple[bytes, int, int, int]]:
    """Yield each property's name, its start, and the start and end of its values."""
    last: tuple[bytes, int, int, int] | None = None
    for match in _PROPERTY.finditer(node.source, node.start + 1, node.end):
        if last and not match[1]:
            last = (*last[:3], match.end())
            continue
        if last:
            yield last
        last = (match[1], match.start(1), match.start(2), match.end())
    if last:
        yield last


_LINE_ENDS = (b"\r\n", b"\n\r", b"\n", b"\r")
_BLANKS = bytes.maketrans(b"\t\v\f", b"   ")


def _parse_tree(source: bytes, at: int) -> tuple[Tree, int]:
    """Return the tree that opens at `at` and the place after it."""
    open_trees: list[tuple[list[Node], list[Tree]]] = []
    while True:
        sign = _SIGN.match(source, at)
        assert sign is not None  # it matches nothing at all
        place, at = sign.start(1), sign.end()
        if sign[1] == b"(":
            if open_trees and not open_trees[-1][0]:
                raise _malformed(source, place, "';' (a tree begins with a node)")
            open_trees.append(([], []))
        elif sign[1] == b";":
            nodes, branches = open_trees[-1]
            if branches:
                raise _malformed(source, place, "'(' or ')' (no node may follow a variation)")
            while (match := _PROPERTY.match(source, at)) and (match[1] or at > place + 1):
                at = match.end()
            nodes.append(Node(source, place, at))
        elif sign[1] == b")":
            nodes, branches = open_trees.pop()
            if not nodes:
                raise _malformed(source, place, "';' (a tree begins with a node)")
            tree = Tree(tuple(nodes), tuple(branches))
            if not open_trees:
                return tree, at
            open_trees[-1][1].append(tree)
        else:
            raise _broken_property(source, place)


def _broken_property(source: bytes, at: int) -> MalformedError:
    """Explain why there is neither a sign nor a whole property at `at`."""
    if (match := _PROPERTY.match(source, at)) and match[1]:
        return _malformed(source, at, "';' (a property belongs to a node)")
    name = _NAME.match(source, at)
    bracket = name.end() if name else at
    if source[bracket : bracket + 1] == b"[":
        if name:
            return _malformed(source, bracket, "']' to end this value", "the end of the file")
        return _malformed(source, at, "the name of a property before a value")
    if name:
        return _malformed(source, bracket, f"'[' after {name[1][:20].decode('ascii')}")
    return _malformed(source, at, "';', '(', ')' or a property")


def _malformed(source: bytes, at: int, expected: str, actual: str = "") -> MalformedError:
    if not actual:
        byte = source[at : at + 1]
        actual = repr(byte.decode("latin-1")) if byte else "the end of the file"
    line = bisect_right(line_starts(source), at)
    return MalformedError(f"byte {at + 1} (line {line}): expected {expected}, found {actual}")
