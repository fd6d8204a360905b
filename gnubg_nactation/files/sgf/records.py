"""gnubg's dialect of SGF, read: trees with GM[6] to a Match that knows its nodes."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice, pairwise, zip_longest

from gnubg_nactation.backgammon.match import Action, Game, Match, Move
from gnubg_nactation.backgammon.position import STANDARD, VARIATIONS, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.figures import Figures
from gnubg_nactation.files.sgf.analysis import Properties, Stakes, is_analysed, with_analysis
from gnubg_nactation.files.sgf.nodes import (
    COLOURS,
    Board,
    Past,
    board_after,
    read_cube,
    read_node,
    sets_up,
)
from gnubg_nactation.files.sgf.tree import (
    Node,
    Tree,
    line_starts,
    main_line,
    main_trees,
    parse,
    unescape,
)
from gnubg_nactation.showing import quoted, shown
from gnubg_nactation.values import NamedTuple, dataclass, replace

# Properties of the first root and the tags of match text that say the same.
HEADERS = {"DT": "EventDate", "EV": "Event", "RO": "Round", "PC": "Site", "AN": "Transcriber"}

# Words in RU for other starting positions.
STARTS = {
    "Nackgammon": VARIATIONS["nackgammon"],
    **{f"Hypergammon{n}": VARIATIONS[f"hypergammon ({n})"] for n in (1, 2, 3)},
}


@dataclass(frozen=True, slots=True)
class SgfRecord:
    """A match and the bytes in which it stands.

    `nodes[game][action]` is the node of `data` that the action comes from; None for an action
    that SGF has no node for (a resignation, when the bytes were made from a match).
    """

    data: bytes
    encoding: str
    match: Match
    nodes: tuple[tuple[Node | None, ...], ...]

    def __repr__(self) -> str:
        return f"SgfRecord(encoding={self.encoding!r}, match={self.match!r})"


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
    heads = [_read_head(tree.nodes[0]) for tree in trees]
    begins = [at for at, pair in enumerate(pairwise(heads), 1) if _begins_match(*pair)]
    for first, end in pairwise([0, *begins, len(trees)]):
        lines = [bisect_right(starts, tree.nodes[0].start) for tree in trees[first:end]]
        _check_games(heads[first:end], lines)
    cuts = [data.rindex(b"(", 0, trees[at].nodes[0].start) for at in begins]
    records = []
    for start, end in pairwise([0, *cuts, len(data)]):
        part = data[start:end]
        own = parse(part) if cuts else trees
        records.append(_read_match(part, own, encoding, starts, start))
    return tuple(records)


class _Head(NamedTuple):
    """A root; its properties have the values of the last of each name."""

    values: Properties
    length: int
    game: int | None  # its place in the match, from 0
    score: tuple[int, int]

    def value(self, name: bytes) -> bytes:
        """The first value of a property; empty without one."""
        return self.values[name][0] if name in self.values else b""


class _Source(NamedTuple):
    """What it takes to read the text and count the lines of a match."""

    encoding: str
    starts: Sequence[int]  # of all lines of the file
    offset: int  # of the match in the file

    def line(self, node: Node) -> int:
        return bisect_right(self.starts, self.offset + node.start)

    def text(self, raw: bytes) -> str:
        return unescape(raw).decode(self.encoding, "replace")

    def rules(self, head: _Head) -> list[str]:
        return [word.strip() for word in self.text(head.value(b"RU")).split(":")]


_MI = re.compile(rb"\s*(length|game|ws|bs)\s*:\s*([0-9]{1,9})\s*")
_RESULT = re.compile(r"\s*([WB])\s*\+\s*([0-9]{1,9})\s*(R.*)?", re.IGNORECASE | re.DOTALL)
_NO_RESULT = ("", "?", "0", "draw", "void")


def _read_head(root: Node) -> _Head:
    values = {found.name: found.values for found in root.properties}
    entries = filter(None, map(_MI.fullmatch, values.get(b"MI", ())))
    info = {entry[1]: int(entry[2]) for entry in entries}
    score = (info.get(b"ws", 0), info.get(b"bs", 0))
    return _Head(values, info.get(b"length", 0), info.get(b"game"), score)


def _check_games(heads: Sequence[_Head], lines: Sequence[int]) -> None:
    """MalformedError if the trees of a match are not backgammon, which one may say for all."""
    games = [head.value(b"GM").strip() for head in heads]
    for game, line in zip(games, lines, strict=True):
        if game != b"6" and (game or b"6" not in games):
            found = f"GM[{game[:20].decode('latin-1')}]" if game else "no GM"
            raise MalformedError(f"line {line}: not backgammon: expected GM[6], found {found}")


def _begins_match(before: _Head, head: _Head) -> bool:
    first, second = ((one.value(b"PW"), one.value(b"PB"), one.length) for one in (before, head))
    if first != second:
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


def _choose_encoding(data: bytes, named: bytes, wanted: str | None) -> str:
    if wanted is not None:
        if not _fits(b"", wanted):
            raise MalformedError(f"not an encoding that SGF can be in: {quoted(wanted)}")
        return wanted
    names = (named.strip().decode("latin-1"), "utf-8", "cp1252")
    return next((name for name in names if _fits(data, name)), "latin-1")


def _read_match(
    data: bytes, trees: Sequence[Tree], encoding: str | None, starts: Sequence[int], offset: int
) -> SgfRecord:
    head = _read_head(trees[0].nodes[0])
    source = _Source(_choose_encoding(data, head.value(b"CA"), encoding), starts, offset)
    rules = source.rules(head)
    start = next((STARTS[word] for word in rules if word in STARTS), STANDARD)
    figures = Figures()
    read = [
        _read_game(source, tree, start, head.length, number, figures)
        for number, tree in enumerate(trees, 1)
    ]
    problems = [problem for _, _, found in read for problem in found]
    remark = source.text(head.value(b"GC"))
    match = Match(
        players=(source.text(head.value(b"PW")), source.text(head.value(b"PB"))),
        length=head.length,
        games=tuple([game for game, _, _ in read]),
        start=start,
        jacoby=not head.length and "Jacoby" in rules,
        headers=tuple(
            (HEADERS[name], source.text(found.values[0]))
            for found in trees[0].nodes[0].properties
            if (name := found.name.decode("ascii")) in HEADERS
        ),
        comments=(remark,) if remark else (),
        problems=(*problems, *figures.problems),
    )
    return SgfRecord(data, source.encoding, match, tuple([nodes for _, nodes, _ in read]))


def _read_game(
    source: _Source, tree: Tree, start: Position, length: int, number: int, figures: Figures
) -> tuple[Game, tuple[Node, ...], list[str]]:
    """The game, the node of each of its actions, and what could not be read."""
    line = main_line(tree)
    head = _read_head(line[0])
    actions: list[Action] = []
    nodes: list[Node] = []
    analyses: dict[int, Properties] = {}  # by the places of the actions
    board, seen = Board(start), 0  # after so many actions
    bare = False  # whether the last action is a roll alone
    comments: list[str] = []
    problems = [
        f"line {source.line(other.nodes[0])}: a variation; only the main line is read"
        for part in main_trees(tree)
        for other in part.branches[1:]
    ]
    winner, points, resigned = None, 0, False
    cube = 1
    try:
        winner, points, resigned = _read_result(source.text(head.value(b"RE")))
        cube = read_cube(head.value(b"CV") or b"1")
    except MalformedError as error:
        problems.append(f"line {source.line(line[0])}: {error}")
    for node, following in zip_longest(line, islice(line, 1, None)):
        root, at = node is line[0], source.line(node)
        properties = node.properties
        found = {one.name: one.values for one in properties}
        if sets_up(found):
            board, seen = board_after(board, actions[seen:]), len(actions)
        try:
            new = read_node(properties, following, Past(board, cube, actions, at), root=root)
        except MalformedError as error:
            problems.append(f"line {at}: {error}")
            new = []
        if new and bare and _is_roll_of(actions[-1], new[0]):
            actions.pop()
            nodes.pop()
            analyses.pop(len(actions), None)
            seen = min(seen, len(actions))
        if comment := source.text(found[b"C"][0]) if b"C" in found else "":
            if new and not root:
                new[-1] = replace(new[-1], comment=comment)
            else:
                comments.append(comment)
        actions += new
        nodes += [node] * len(new)
        if new and is_analysed(found):
            analyses |= dict.fromkeys(range(len(actions) - len(new), len(actions)), found)
        bare = b"DI" in found if new else bare
    crawford = "CrawfordGame" in source.rules(head)
    stakes = Stakes(length, head.score, crawford, cube)
    game = Game(
        number=number if head.game is None else head.game + 1,
        score=head.score,
        actions=with_analysis(actions, analyses, stakes, figures),
        winner=winner,
        points=points,
        resigned=resigned,
        crawford=crawford,
        cube=cube,
        comments=tuple(comments),
    )
    return game, tuple(nodes), problems


def _is_roll_of(action: Action, new: Action) -> bool:
    """Whether the action is the bare roll of the play that follows it, which gnubg drops too."""
    if not (isinstance(action, Move) and isinstance(new, Move)):
        return False
    return action.player is new.player and not action.hops


def _read_result(text: str) -> tuple[Player | None, int, bool]:
    if text.strip().lower() in _NO_RESULT:
        return None, 0, False
    found = _RESULT.fullmatch(text)
    if not found:
        raise MalformedError(f"not a result: RE[{shown(text, 60)}]")
    return Player(COLOURS.index(found[1].upper())), int(found[2]), bool(found[3])
