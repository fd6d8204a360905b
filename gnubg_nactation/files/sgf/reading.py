"""gnubg's dialect of SGF, read: trees with GM[6] to a Match that knows its nodes."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, zip_longest
from typing import NamedTuple

from gnubg_nactation.backgammon.match import Action, Game, Match, Move
from gnubg_nactation.backgammon.position import BAR, HYPERGAMMON, NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.sgf.analysis import Stakes, with_analysis
from gnubg_nactation.files.sgf.nodes import COLOURS, Past, first_value, read_cube, read_node
from gnubg_nactation.files.sgf.tree import (
    Node,
    Tree,
    find_property,
    line_starts,
    main_line,
    parse,
    unescape,
)

__all__ = ["HEADERS", "STARTS", "SgfRecord", "read", "read_all"]

# Properties of the first root and the tags of match text that say the same.
HEADERS = {"DT": "EventDate", "EV": "Event", "RO": "Round", "PC": "Site", "AN": "Transcriber"}


def _outermost(points: int) -> Position:
    kept = {*range(1, points + 1), *range(BAR - points, BAR)}
    counts = HYPERGAMMON.points
    return Position(tuple(n if point in kept else 0 for point, n in enumerate(counts)))


STARTS = {
    "Nackgammon": NACKGAMMON,
    "Hypergammon1": _outermost(1),
    "Hypergammon2": _outermost(2),
    "Hypergammon3": HYPERGAMMON,
}


@dataclass(frozen=True, slots=True)
class SgfRecord:
    """A match and the bytes in which it stands.

    `nodes[game][action]` is the node of `data` that the action comes from; None for an action
    that SGF has no node for (a resignation, when the bytes were made from a match).
    """

    data: bytes = field(repr=False)
    encoding: str
    match: Match
    nodes: tuple[tuple[Node | None, ...], ...] = field(repr=False)


def read(data: bytes, encoding: str | None = None) -> SgfRecord:
    """The match of an SGF file; see `read_all`, which also reads files with several.

    Raises MalformedError, also when there is more than one match.
    """
    record, *more = read_all(data, encoding)
    if more:
        lines = len(line_starts(record.data))
        raise MalformedError(f"{len(more) + 1} matches in one file, the second from line {lines}")
    return record


def read_all(data: bytes, encoding: str | None = None) -> tuple[SgfRecord, ...]:
    """The matches of an SGF file in gnubg's dialect, at least one.

    Each record holds its own part of the bytes; the parts joined are the file. A new match
    begins where the players or the length change, or where the number of the game does not grow.
    Text is decoded as `encoding` says; if that is None, by the CA property, as UTF-8 or as
    cp1252, the first that fits. Moves are not checked. Of variations the first is read.
    Raises MalformedError if the bytes are not SGF or not backgammon, or for an unknown encoding.
    """
    trees = parse(data)
    starts = line_starts(data)
    for tree in trees:
        _check_game(tree, starts)
    heads = [_head(tree.nodes[0]) for tree in trees]
    cuts = [
        data.rindex(b"(", 0, tree.nodes[0].start)
        for tree, (before, head) in zip(trees[1:], pairwise(heads), strict=True)
        if _begins_match(before, head)
    ]
    if not cuts:
        return (_read_match(data, trees, encoding, starts, 0),)
    records = []
    for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
        part = data[start:end]
        lines_before = bisect_right(starts, start) - 1
        records.append(
            _read_match(part, parse(part), encoding, line_starts(part), lines_before),
        )
    return tuple(records)


class _Head(NamedTuple):
    players: tuple[bytes, bytes]
    length: int
    game: int | None  # its place in the match, from 0
    score: tuple[int, int]


class _Source(NamedTuple):
    encoding: str
    starts: list[int]
    lines_before: int

    def line(self, node: Node) -> int:
        return bisect_right(self.starts, node.start) + self.lines_before

    def text(self, raw: bytes) -> str:
        return unescape(raw).decode(self.encoding, "replace")

    def value(self, node: Node, name: bytes) -> str:
        return self.text(first_value(node, name))


_MI = re.compile(rb"\s*(length|game|ws|bs)\s*:\s*([0-9]{1,9})\s*")
_RESULT = re.compile(r"\s*([WB])\s*\+\s*([0-9]{1,9})\s*(R.*)?", re.IGNORECASE | re.DOTALL)
_NO_RESULT = ("", "?", "0", "draw", "void")


def _check_game(tree: Tree, starts: list[int]) -> None:
    root = tree.nodes[0]
    game = first_value(root, b"GM").strip()
    if game != b"6":
        line = bisect_right(starts, root.start)
        found = f"GM[{game[:20].decode('latin-1')}]" if game else "no GM"
        raise MalformedError(f"line {line}: not backgammon: expected GM[6], found {found}")


def _head(root: Node) -> _Head:
    found = find_property(root, b"MI")
    info = {}
    for value in found.values if found else ():
        if entry := _MI.fullmatch(value):
            info[entry[1]] = int(entry[2])
    return _Head(
        (first_value(root, b"PW"), first_value(root, b"PB")),
        info.get(b"length", 0),
        info.get(b"game"),
        (info.get(b"ws", 0), info.get(b"bs", 0)),
    )


def _begins_match(before: _Head, head: _Head) -> bool:
    if (before.players, before.length) != (head.players, head.length):
        return True
    return before.game is not None and head.game is not None and head.game <= before.game


# Python's names of encodings that may be ASCII in the lower half; its other codecs are not text,
# put in marks of their own or may take very long.
_CHARSET = re.compile(r"utf-8|ascii|(iso8859|cp|koi8|mac|gb|big5|euc|shift_jis)[-_0-9a-z]*")
_ASCII = bytes(range(32, 127))


def _fits(data: bytes, encoding: str) -> bool:
    try:
        if not _CHARSET.fullmatch(codecs.lookup(encoding).name):
            return False
        data.decode(encoding)
        return _ASCII.decode(encoding) == _ASCII.decode("ascii")
    except (LookupError, ValueError):  # no such encoding, or the bytes are not in it
        return False


def _choose_encoding(data: bytes, root: Node, wanted: str | None) -> str:
    if wanted is not None:
        if not _fits(b"", wanted):
            raise MalformedError(f"not an encoding that SGF can be in: {wanted!r}")
        return wanted
    named = first_value(root, b"CA").strip().decode("latin-1")
    return next((name for name in (named, "utf-8", "cp1252") if _fits(data, name)), "latin-1")


def _read_match(
    data: bytes,
    trees: Sequence[Tree],
    encoding: str | None,
    starts: list[int],
    lines_before: int,
) -> SgfRecord:
    first = trees[0].nodes[0]
    source = _Source(_choose_encoding(data, first, encoding), starts, lines_before)
    rules = _rules(source, first)
    start = next((STARTS[word] for word in rules if word in STARTS), STANDARD)
    length = _head(first).length
    games: list[Game] = []
    nodes: list[tuple[Node, ...]] = []
    problems: list[str] = []
    for tree in trees:
        game, places, troubles = _read_game(source, tree, start, length, len(games))
        games.append(game)
        nodes.append(places)
        problems += troubles
    remark = source.value(first, b"GC")
    match = Match(
        players=(source.value(first, b"PW"), source.value(first, b"PB")),
        length=length,
        games=tuple(games),
        start=start,
        jacoby=not length and "Jacoby" in rules,
        headers=tuple(
            (HEADERS[name], source.text(found.values[0]))
            for found in first.properties
            if (name := found.name.decode("ascii")) in HEADERS
        ),
        comments=(remark,) if remark else (),
        problems=tuple(problems),
    )
    return SgfRecord(data, source.encoding, match, tuple(nodes))


def _rules(source: _Source, root: Node) -> list[str]:
    return [word.strip() for word in source.value(root, b"RU").split(":")]


def _read_game(
    source: _Source, tree: Tree, start: Position, length: int, number: int
) -> tuple[Game, tuple[Node, ...], list[str]]:
    """The game, the node of each of its actions, and what could not be read."""
    line = main_line(tree)
    root = line[0]
    head = _head(root)
    actions: list[Action] = []
    places: list[Node] = []
    comments: list[str] = []
    problems = _variations(source, tree)
    winner, points, resigned = None, 0, False
    cube = 1
    try:
        winner, points, resigned = _read_result(source.value(root, b"RE"))
        cube = read_cube(first_value(root, b"CV") or b"1")
    except MalformedError as error:
        problems.append(f"line {source.line(root)}: {error}")
    for node, following in zip_longest(line, line[1:]):
        try:
            new = read_node(node, following, Past(start, cube, actions), root=node is root)
        except MalformedError as error:
            problems.append(f"line {source.line(node)}: {error}")
            new = []
        if new and actions and _is_roll_of(actions[-1], places[-1], new[0]):
            actions.pop()
            places.pop()
        comment = source.value(node, b"C")
        if new and node is not root:
            new[-1] = replace(new[-1], comment=comment)
        elif comment:
            comments.append(comment)
        actions += [replace(action, line=source.line(node)) for action in new]
        places += [node] * len(new)
    crawford = "CrawfordGame" in _rules(source, root)
    game = Game(
        number=(number if head.game is None else head.game) + 1,
        score=head.score,
        actions=with_analysis(actions, places, Stakes(length, head.score, crawford, cube)),
        winner=winner,
        points=points,
        resigned=resigned,
        crawford=crawford,
        cube=cube,
        comments=tuple(comments),
    )
    return game, tuple(places), problems


def _variations(source: _Source, tree: Tree) -> list[str]:
    problems = []
    while tree.branches:
        for other in tree.branches[1:]:
            line = source.line(other.nodes[0])
            problems.append(f"line {line}: a variation; only the main line is read")
        tree = tree.branches[0]
    return problems


def _is_roll_of(action: Action, node: Node, new: Action) -> bool:
    """Whether the action is the bare roll of the play that follows it, which gnubg drops too."""
    if not (isinstance(action, Move) and isinstance(new, Move)):
        return False
    return action.player is new.player and not action.hops and bool(find_property(node, b"DI"))


def _read_result(text: str) -> tuple[Player | None, int, bool]:
    if text.strip().lower() in _NO_RESULT:
        return None, 0, False
    found = _RESULT.fullmatch(text)
    if not found:
        raise MalformedError(f"not a result: RE[{text}]")
    return Player(COLOURS.index(found[1].upper())), int(found[2]), bool(found[3])
