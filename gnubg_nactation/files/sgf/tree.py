"""The grammar of SGF (FF[4]) on bytes; nothing here knows what a property means.

A node is no more than its place in the source, so that a file takes little room: its properties
are read each time they are asked for, and a change is an `Edit` of the source, from which all
else goes out as it came, white space included. The grammar is forgiving where files are seen to
differ: text before, between and after the trees, a byte order mark, any line ends, and
lower-case letters in property names (FF[3]) are passed over.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.values import NamedTuple, dataclass


class Property(NamedTuple):
    """A property: `values` as they stand between the brackets, escapes kept.

    It takes the bytes from `start` (its name) to `end` (after the last bracket) of the source.
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
        """The properties as they stand in the source."""
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
    """A game tree: its nodes in a row, then its branches, of which the first is the main one."""

    nodes: tuple[Node, ...]
    branches: tuple[Tree, ...]


class Edit(NamedTuple):
    """The bytes from `start` to `end` of a source are to become `text`."""

    start: int
    end: int
    text: bytes


_START = re.compile(rb"\(\s*;")
_SIGN = re.compile(rb"\s*([();]?)")
_VALUE = re.compile(rb"\[([^\]\\]*(?:\\.[^\]\\]*)*)\]", re.DOTALL)
# With some of its values, as each one takes memory; further ones are matched without the name.
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
    """The game trees of an SGF collection, at least one, in time linear in its length.

    Raises MalformedError with byte and line (both from 1) where the grammar is broken.
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
    """The nodes from the root on, at every branching along the first branch."""
    if not tree.branches:
        return tree.nodes
    return tuple([node for part in main_trees(tree) for node in part.nodes])


def main_trees(tree: Tree) -> Iterator[Tree]:
    """The tree, its first branch, the first branch of that and so on."""
    yield tree
    while tree.branches:
        tree = tree.branches[0]
        yield tree


def find_property(node: Node, name: bytes) -> Property | None:
    """The last property of that name in the node."""
    for candidate in reversed(node.properties):
        if candidate.name == name:
            return candidate
    return None


def escape(text: bytes) -> bytes:
    """The text as it must stand between brackets."""
    return text.replace(b"\\", b"\\\\").replace(b"]", b"\\]")


def unescape(raw: bytes) -> bytes:
    r"""The text that `raw`, a value from between brackets, stands for.

    As FF[4] has it for Text: every line end becomes `\n`, an escaped one goes away, other white
    space becomes a blank, and any other escaped character stands for itself.
    """
    if raw.isalnum():
        return raw
    plain = _ESCAPED.sub(lambda found: b"" if found[1] in _LINE_ENDS else found[0], raw)
    plain = _LINE_END.sub(b"\n", plain).translate(_BLANKS)
    return _ESCAPED.sub(rb"\1", plain)


def format_property(name: bytes, values: Iterable[bytes]) -> bytes:
    """The property in SGF; `values` are escaped already."""
    return name + b"".join([b"[%b]" % value for value in values])


def apply_edits(source: bytes, edits: Iterable[Edit]) -> bytes:
    """The source with all edits made; they must not overlap."""
    pieces: list[bytes] = []
    at = 0
    for start, end, text in sorted(edits):
        pieces += (source[at:start], text)
        at = end
    pieces.append(source[at:])
    return b"".join(pieces)


def line_starts(source: bytes) -> list[int]:
    """Where each line begins: `bisect_right(line_starts(source), byte)` is the line, from 1."""
    return [0, *(found.end() for found in _LINE_END.finditer(source))]


def _places(node: Node) -> Iterator[tuple[bytes, int, int, int]]:
    """The name of each property, where it begins, where its values do, and where they end."""
    last: tuple[bytes, int, int, int] | None = None
    for found in _PROPERTY.finditer(node.source, node.start + 1, node.end):
        if not found[1] and last:
            last = (*last[:3], found.end())
            continue
        if last:
            yield last
        last = (found[1], found.start(1), found.start(2), found.end())
    if last:
        yield last


_LINE_ENDS = (b"\r\n", b"\n\r", b"\n", b"\r")
_BLANKS = bytes.maketrans(b"\t\v\f", b"   ")


def _parse_tree(source: bytes, at: int) -> tuple[Tree, int]:
    """The tree whose parenthesis stands at `at`, and the place after it."""
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
            while (found := _PROPERTY.match(source, at)) and (found[1] or at > place + 1):
                at = found.end()
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
    """Why there is neither a sign nor a whole property at `at`."""
    if (found := _PROPERTY.match(source, at)) and found[1]:
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


def _malformed(source: bytes, at: int, expected: str, found: str = "") -> MalformedError:
    if not found:
        byte = source[at : at + 1]
        found = repr(byte.decode("latin-1")) if byte else "the end of the file"
    line = bisect_right(line_starts(source), at)
    return MalformedError(f"byte {at + 1} (line {line}): expected {expected}, found {found}")
